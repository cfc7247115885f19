/** `npm run dev`: the gateway is restarted when its sources change, and goes on when they cannot be compiled. */
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProgram } from '../support/child-program.js';
import { scratchPackage } from '../support/scratch-package.js';
import { waitFor } from '../support/wait-for.js';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { postJson } from '../support/gateway.js';
import { DRIVING_REPORT, reportOf } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';

const SOURCE = 'src/programs/main.ts';
/** A word of the welcome, which is as good as any. */
const WORD = '  GraphQL  ';
const COMMAND = '.dev/main.js';

/** Starts `npm run dev` on a copy of this package, whose sources can be changed. */
async function startDevelopment() {
  const scratch = await scratchPackage(['src', 'schema', 'generated', 'openapi']);
  const data = await mkdtemp(path.join(tmpdir(), 'gateway-dev-'));
  const source = await readFile(path.join(scratch.directory, SOURCE), 'utf8');
  const jobs = { PORT: '0', DATA_DIR: path.join(data, 'jobs'), MAX_EVENT_LOOP_DELAY_MS: '60000' };
  const program = await startProgram(process.execPath, {
    args: ['.ci/dev.js'],
    logFile: path.join(data, 'log'),
    cwd: scratch.directory,
    env: { NODE_OPTIONS: '', NODE_ENV: '', ...jobs },
  });
  return {
    program,
    /** The file that prints the welcome, as it is here. */
    source,
    write: (text: string) => scratch.write(SOURCE, text),
    /** That file with another word in the welcome. */
    welcoming: (word: string) => source.replace(WORD, `  ${word}  `),
    /** Waits for a gateway whose welcome has this word. @returns where it listens */
    listeningWith: (word: string) =>
      waitFor(`a gateway that says ${word}`, async () => {
        const [, url] = new RegExp(`  ${word} +(http\\S+)/graphql`).exec(await program.output()) ?? [];
        return url;
      }),
    said: (pattern: RegExp) => waitFor(String(pattern), async () => pattern.test(await program.output())),
    gateways: () => gatewaysIn(scratch.directory),
    async close() {
      await program.stop();
      await Promise.all([scratch.remove(), rm(data, { recursive: true })]);
    },
  };
}

async function gatewaysIn(directory: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => runsIn(directory, pid)));
  return pids.filter((_, index) => found[index]).map(Number);
}

async function runsIn(directory: string, pid: string): Promise<boolean> {
  try {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return line.includes(COMMAND) && (await readlink(`/proc/${pid}/cwd`)) === directory;
  } catch {
    return false; // It ended meanwhile.
  }
}

const dev = forAllTests(startDevelopment);
beforeAll(async () => {
  await dev.listeningWith('GraphQL');
});

describe('npm run dev', () => {
  it('restarts the gateway, which draws reports as ever, and says that the changed types are not sound', async () => {
    const before = await dev.gateways();
    await dev.write(`${dev.welcoming('Renamed')}\nexport const wrong: string = 1;\n`);
    const url = await dev.listeningWith('Renamed');
    expect(await dev.program.output()).toContain('[dev] src/programs/main.ts changed.\n');
    expect(before).toHaveLength(1);
    expect(await dev.gateways()).toEqual([expect.any(Number)]);
    expect(await dev.gateways()).not.toEqual(before);
    const headers = { 'x-org-id': 'acme', 'x-api-key': 'development-callback-key' };
    const response = await postJson(`${url}${DRIVING_REPORT}`, reportOf(1), headers);
    expect(await response.json()).toMatchObject({ key: expect.stringMatching(/\.pdf$/) });
    await dev.said(/src\/programs\/main\.ts.*TS2322/);
  });

  it('leaves the gateway as it runs while a file cannot be compiled, and says where', async () => {
    const before = await dev.gateways();
    await dev.write(`${dev.source}\nconst unfinished = ;\n`);
    await dev.said(/src\/programs\/main\.ts:\d+:19:[\s\S]*The gateway goes on as it was\./);
    expect(await dev.gateways()).toEqual(before);
  });

  it('ends together with its gateway', async () => {
    await dev.program.stop();
    expect(dev.program.exitCode()).toBe(0);
    expect(await dev.gateways()).toEqual([]);
  });
});
