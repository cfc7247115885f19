/** `npm run dev`: the gateway is restarted when its sources change, and goes on when they cannot be compiled. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { startProgram, type ChildProgram } from '../support/child-program.js';
import { DRIVING_REPORT } from '../support/job-requests.js';
import { scratchPackage, type ScratchPackage } from '../support/scratch-package.js';
import { waitFor } from '../support/wait-for.js';

/** The text of the welcome, which is as good as any. */
const SOURCE = 'src/main.ts';

let scratch: ScratchPackage;
let data: string;
let dev: ChildProgram;
let text: string;

beforeAll(async () => {
  scratch = await scratchPackage(['src', 'schema', 'generated', 'openapi']);
  const built = await BuiltPrograms.open();
  await cp(path.join(built.directory, 'dist'), path.join(scratch.directory, 'dist'), { recursive: true });
  await built.close();
  data = await mkdtemp(path.join(tmpdir(), 'gateway-dev-'));
  text = await readFile(path.join(scratch.directory, SOURCE), 'utf8');
  dev = await startProgram(process.execPath, {
    args: ['.ci/build/dev.js'],
    logFile: path.join(data, 'log'),
    cwd: scratch.directory,
    env: {
      NODE_OPTIONS: '',
      NODE_ENV: '',
      PORT: '0',
      DATA_DIR: path.join(data, 'jobs'),
      MAX_EVENT_LOOP_DELAY_MS: '60000',
    },
  });
});
afterAll(async () => {
  await dev.stop();
  await Promise.all([scratch.remove(), rm(data, { recursive: true })]);
});

/** Changes the welcome and returns when the gateway that shows it listens. @returns where */
async function restartedWith(word: string): Promise<string> {
  await scratch.write(SOURCE, text.replace('  GraphQL  ', `  ${word}  `));
  return listeningWith(word);
}

function listeningWith(word: string): Promise<string> {
  return waitFor(`a gateway that says ${word}`, async () => {
    const [, url] = new RegExp(`  ${word} +(http\\S+)/graphql`).exec(await dev.output()) ?? [];
    return url;
  });
}

function said(pattern: RegExp): Promise<boolean> {
  return waitFor(String(pattern), async () => pattern.test(await dev.output()) || undefined);
}

describe('npm run dev', () => {
  it('restarts the gateway with what changed, says so, and draws reports as ever', async () => {
    await listeningWith('GraphQL');
    const url = await restartedWith('Renamed');
    expect(await dev.output()).toMatch(/\[dev\] src\/main\.ts changed\.\n\[dev\] Restarting/);
    const response = await fetch(`${url}${DRIVING_REPORT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-org-id': 'acme', 'x-api-key': 'development-callback-key' },
      body: JSON.stringify({
        date: '2026-11-19T00:00:00+09:00',
        drivers: [{ mobileId: '1', employeeCode: 'E-1', employeeName: '佐藤 健一' }],
      }),
    });
    expect(await response.json()).toMatchObject({ key: expect.stringMatching(/\.pdf$/) });
  });

  it('leaves the gateway as it runs while a file cannot be compiled, and says where', async () => {
    const url = await restartedWith('Before');
    await scratch.write(SOURCE, `${text}\nconst unfinished = ;\n`);
    await said(/The gateway goes on as it was:\n.*src\/main\.ts.*TS1109/);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    await restartedWith('After');
  });

  it('runs what is not sound, and says that it is not', async () => {
    await scratch.write(SOURCE, `${text.replace('  GraphQL  ', '  Unsound  ')}\nexport const wrong: string = 1;\n`);
    await listeningWith('Unsound');
    await said(/its types are not sound:\n[\s\S]*src\/main\.ts.*TS2322/);
  });

  it('ends together with its gateway', async () => {
    const url = await restartedWith('Last');
    await dev.stop();
    expect(dev.exitCode()).toBe(0);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });
});
