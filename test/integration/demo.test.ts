import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runDemo } from '../../src/demo/run-demo.js';
import type { FaultTarget } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { readPdf } from '../support/pdf-text.js';

const LAST_STEP = 'Put everything back';
const LIMIT_MS = 60_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-demo-test-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The one report that was saved. */
async function savedReport(): Promise<{ name: string; bytes: Buffer }> {
  const [name = '', ...others] = await readdir(directory);
  expect(others).toEqual([]);
  return { name, bytes: await readFile(join(directory, name)) };
}

describe('the demo against GATEWAY_URL', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ BASE_PATH: '/fleet', LOGIN_RATE_PER_MINUTE: '1000' });
  });
  afterAll(() => gateway.close());
  afterEach(() => {
    gateway.sandbox.faults.clear();
    gateway.sandbox.journal.clear();
  });

  async function run(
    environment: Record<string, string> = {},
    { signal = new AbortController().signal, onLine = (_line: string): void => undefined } = {},
  ): Promise<{ isRight: boolean; story: string; complaints: string }> {
    const story: string[] = [];
    const complaints: string[] = [];
    const isRight = await runDemo({
      environment: { GATEWAY_URL: gateway.url, ...environment },
      directory,
      signal,
      print(line) {
        story.push(line);
        onLine(line);
      },
      complain: (line) => void complaints.push(line),
    });
    return { isRight, story: story.join('\n'), complaints: complaints.join('\n').trim() };
  }

  /** Login ids that were created and never deleted. */
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

  it(
    'is right twice in a row, and leaves neither accounts nor a changed mobile',
    async () => {
      const nameBefore = await nameOfFirstMobile();
      for (const attempt of [1, 2]) {
        const { isRight, complaints, story } = await run();
        expect(complaints).toBe('');
        expect(isRight).toBe(true);
        expect(story).toContain(LAST_STEP);
        expect(story.trimEnd().split('\n').at(-1)).toContain(`${gateway.url}/playground`);
        expect(gateway.sandbox.journal.effects('userAccountCreated')).toHaveLength(2 * attempt);
        expect(gateway.sandbox.journal.effects('mobileUpdated')).toHaveLength(2 * attempt);
      }
      expect(accountsLeft()).toEqual([]);
      expect(await nameOfFirstMobile()).toEqual(nameBefore);
    },
    LIMIT_MS,
  );

  it(
    'saves the report of all five drivers for yesterday in Japan',
    async () => {
      const { isRight, story } = await run();
      expect(isRight).toBe(true);
      const { name, bytes } = await savedReport();
      const yesterday = new Date(Date.now() - 15 * 3_600_000).toISOString().slice(0, 10);
      expect(name).toBe(`driving-report-${yesterday}.pdf`);
      expect(story).toContain(join(directory, name));
      const text = (await readPdf(bytes)).pages.join('\n');
      for (const driver of ['佐藤 健一', 'Anna Schmidt', '髙木 さくら', 'Zoë O’Brien', '齋藤 マリコ']) {
        expect(text).toContain(driver);
      }
    },
    LIMIT_MS,
  );

  it.each([
    ['Log in', { operation: 'login' }],
    ['Show who that is', { operation: 'getPublicKeys' }],
    ['List mobiles', { operation: 'listMobiles' }],
    ['List mobiles', { backend: 'geo-api' }],
    ['List mobiles', { backend: 'voip-api' }],
    ['Order a driving report', { operation: 'getDrivingRecord', mobileId: '3' }],
    ['Change user accounts', { operation: 'createUserAccount', times: 1 }],
    ['Change user accounts', { operation: 'updateUserAccount' }],
    ['Update mobiles', { operation: 'updateMobile', mobileId: '1' }],
    [
      LAST_STEP,
      { operation: 'deleteUserAccount', match: ({ loginId }: FaultTarget) => loginId?.endsWith('-2') === true },
    ],
  ] as const)('names the step "%s" when %j fails', async (step, scope) => {
    gateway.sandbox.faults.set({ ...scope, fault: { kind: 'status', status: 500 } });
    const { isRight, complaints } = await run();
    expect(isRight).toBe(false);
    expect(complaints).toMatch(new RegExp(`^Step \\d, "${step}", failed: .+`));
    expect(complaints.split('\n')).toHaveLength(1);
    expect(accountsLeft()).toHaveLength(step === LAST_STEP ? 1 : 0);
  });

  it.each([
    ['Change user accounts', 'createUserAccount'],
    ['Change user accounts', 'updateUserAccount'],
    ['Update mobiles', 'updateMobile'],
  ])('puts everything back when it is interrupted in "%s", before %s was done', async (step, operation) => {
    const nameBefore = await nameOfFirstMobile();
    const interruption = new AbortController();
    const hold = gateway.sandbox.faults.hold({ operation });
    const onLine = (line: string): void => {
      if (line.includes(LAST_STEP)) hold.release();
    };
    const running = run({}, { signal: interruption.signal, onLine });
    await hold.held();
    interruption.abort(new Error('interrupted'));
    const { isRight, complaints } = await running;
    expect(isRight).toBe(false);
    expect(complaints).toMatch(new RegExp(`^Step \\d, "${step}", failed: interrupted$`));
    expect(gateway.sandbox.journal.effects('userAccountCreated')).toHaveLength(2);
    expect(accountsLeft()).toEqual([]);
    expect(await nameOfFirstMobile()).toEqual(nameBefore);
  });

  it('puts everything back when it is interrupted while a job is being started', async () => {
    const interruption = new AbortController();
    let interrupted: Promise<void> | undefined;
    const onLine = (line: string): void => {
      if (!line.includes('Change user accounts')) return;
      const hold = gateway.sandbox.faults.hold({ operation: 'getPublicKeys' });
      interrupted = hold.held().then(() => {
        interruption.abort(new Error('interrupted'));
        hold.release();
      });
    };
    const { isRight, complaints } = await run({}, { signal: interruption.signal, onLine });
    await interrupted;
    expect(isRight).toBe(false);
    expect(complaints).toMatch(/"Change user accounts", failed: interrupted$/);
    expect(gateway.sandbox.journal.effects('userAccountCreated')).toHaveLength(2);
    expect(accountsLeft()).toEqual([]);
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

  it('says so when the URL is not that of a gateway', async () => {
    const { complaints } = await run({ GATEWAY_URL: gateway.url.replace('/fleet', '') });
    expect(complaints).toContain('Is GATEWAY_URL right?');
  });
});

describe('npm run demo', () => {
  /** Runs the program as a shell would. @returns its exit code and what it wrote */
  async function runProgram(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
    const main = fileURLToPath(new URL('../../src/demo/main.ts', import.meta.url));
    return new Promise((resolve) => {
      const program = execFile(
        process.execPath,
        ['--import', import.meta.resolve('tsx'), main],
        { cwd: directory, env: { ...process.env, ...env }, timeout: LIMIT_MS, killSignal: 'SIGKILL' },
        (_error, stdout, stderr) => resolve({ code: program.exitCode, output: stdout + stderr }),
      );
    });
  }

  it(
    'needs nothing, ends by itself with 0, and leaves nothing but the report',
    async () => {
      const temporary = await mkdtemp(join(tmpdir(), 'gateway-demo-test-'));
      try {
        const { code, output } = await runProgram({ GATEWAY_URL: '', LOGIN_ID: '', PASSWORD: '', TMPDIR: temporary });
        expect(output).toContain('Every step was right.');
        expect(code).toBe(0);
        const { bytes } = await savedReport();
        expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
        expect((await readdir(temporary)).filter((name) => name.startsWith('gateway-demo-'))).toEqual([]);
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
    LIMIT_MS,
  );

  it(
    'ends with 1 and names the step that failed',
    async () => {
      const gateway = await startTestGateway();
      try {
        gateway.sandbox.faults.set({ backend: 'backend-api', operation: 'listMobiles', fault: { kind: 'down' } });
        const { code, output } = await runProgram({ GATEWAY_URL: gateway.url });
        expect(output).toContain('"List mobiles", failed: backend-api is temporarily unavailable.');
        expect(code).toBe(1);
      } finally {
        await gateway.close();
      }
    },
    LIMIT_MS,
  );
});
