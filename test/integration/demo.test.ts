import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import stringWidth from 'fast-string-width';
import { runDemo } from '../../src/programs/demo/run-demo.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { readPdf } from '../support/pdf-text.js';
import {
  closeAfterTest,
  forAllTests,
  forEachTest,
  gatewayForAllTests,
  temporaryDirectory,
} from '../support/resources.js';

const PROGRAM = 'dist/demo.js';

const programs = forAllTests(() => BuiltPrograms.open());

const directory = forEachTest(temporaryDirectory);

async function savedReport(): Promise<{ name: string; bytes: Buffer }> {
  const [name = '', ...others] = await readdir(directory.path);
  expect(others).toEqual([]);
  return { name, bytes: await readFile(join(directory.path, name)) };
}

describe('the demo against GATEWAY_URL', () => {
  const gateway = gatewayForAllTests({ BASE_PATH: '/fleet', LOGIN_RATE_PER_MINUTE: '1000' });

  async function run(
    environment: Record<string, string> = {},
    columns = 80,
  ): Promise<{ isRight: boolean; story: string; complaints: string }> {
    const story: string[] = [];
    const complaints: string[] = [];
    const print = (line: string): void => void story.push(line);
    const isRight = await runDemo({
      environment: { GATEWAY_URL: gateway.url, ...environment },
      directory: directory.path,
      signal: new AbortController().signal,
      columns,
      print,
      progress: print,
      complain: (line) => void complaints.push(line),
    });
    return { isRight, story: story.join('\n'), complaints: complaints.join('\n').trim() };
  }

  function accountsLeft(): string[] {
    const { journal } = gateway.sandbox;
    const deleted = new Set(journal.effects('userAccountDeleted').map(({ loginId }) => loginId));
    return journal
      .effects('userAccountCreated')
      .map(({ loginId }) => loginId)
      .filter((each) => !deleted.has(each));
  }

  async function nameOfFirstMobile(): Promise<unknown> {
    const { data } = await gateway.graphql('{ mobile(id: 1) { name } }', {}, await gateway.bearer());
    return data?.['mobile'];
  }

  it('is right twice in a row, saves the report, and leaves neither accounts nor a changed mobile', async () => {
    const nameBefore = await nameOfFirstMobile();
    for (const [index, columns] of [200, 80].entries()) {
      const { isRight, complaints, story } = await run({}, columns);
      expect(complaints).toBe('');
      expect(isRight).toBe(true);
      expect(story.trimEnd().split('\n').at(-1)).toContain(`${gateway.url}/playground`);
      expect(gateway.sandbox.journal.effects('userAccountCreated')).toHaveLength(2 * (index + 1));
      expect(gateway.sandbox.journal.effects('mobileUpdated')).toHaveLength(2 * (index + 1));
      const table = story.split('\n').filter((line) => /^ {3}(Number|──|M-0)/.test(line));
      expect(table).toHaveLength(12);
      expect(Math.max(...table.map((line) => stringWidth(line))) <= 80).toBe(columns === 80);

      const { name, bytes } = await savedReport();
      expect(story).toContain(join(directory.path, name));
      const yesterday = new Date(Date.now() - 15 * 3_600_000).toISOString().slice(0, 10);
      expect(name).toBe(`driving-report-${yesterday}.pdf`);
      if (index > 0) continue;
      const text = (await readPdf(bytes)).pages.join('\n');
      for (const driver of ['佐藤 健一', 'Anna Schmidt', '髙木 さくら', 'Zoë O’Brien', '齋藤 マリコ']) {
        expect(text).toContain(driver);
      }
    }
    expect(accountsLeft()).toEqual([]);
    expect(await nameOfFirstMobile()).toEqual(nameBefore);
  });

  it.each([
    ['a login that is refused', { LOGIN_ID: 'demo', PASSWORD: 'wrong' }, 'Step 2, "Log in"'],
    ['a login that needs a one-time password', { LOGIN_ID: 'otp', PASSWORD: 'otp-password' }, 'one-time password'],
    ['a user who is no administrator', { LOGIN_ID: 'driver', PASSWORD: 'driver-password' }, 'not an administrator'],
    ['a login without a password', { LOGIN_ID: 'demo' }, 'LOGIN_ID and PASSWORD'],
    ['a URL that is none', { GATEWAY_URL: 'gateway:8080' }, 'GATEWAY_URL must be'],
  ])('says what to do about %s', async (_case, environment, text) => {
    const { isRight, complaints } = await run(environment);
    expect(isRight).toBe(false);
    expect(complaints).toContain(text);
  });
});

describe('npm run demo', () => {
  it('needs nothing, ends by itself with 0, and leaves nothing but the report', async () => {
    const temporary = closeAfterTest(await temporaryDirectory());
    const environment = { GATEWAY_URL: '', LOGIN_ID: '', PASSWORD: '', TMPDIR: temporary.path };
    const ended = await programs.run([join(programs.directory, PROGRAM)], environment, directory.path);
    expect(ended).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining('Every step was right.') });
    expect((await savedReport()).bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await readdir(temporary.path)).filter((name) => name.startsWith('gateway-demo-'))).toEqual([]);
  });
});
