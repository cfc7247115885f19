import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig, type VariableName } from '../../src/config/config.js';
import { openKeyRing } from '../../src/config/open-key-ring.js';
import type { JobEngine } from '../../src/engines/job-engine.js';
import { openJobEngine } from '../../src/engines/open-job-engine.js';
import { fingerprintsOf } from '../../src/job-record/fingerprint.js';
import type { KeyRing } from '../../src/config/key-ring.js';
import { createLogger } from '../../src/logger.js';
import { sealPayload } from '../../src/job-record/payload-encryption.js';
import type { JobIdentity } from '../../src/job-record/job-record.js';
import { BuiltPrograms, type EndedProgram } from '../support/built-programs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccount, type AccountItem } from '../support/job-requests.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { finishedJob, pollJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const IN_TIME = 240_000;
const RETENTION_MS = 3_600_000;
const REASON = 'The callback answered 500.';

let programs: BuiltPrograms;
beforeAll(async () => {
  programs = await BuiltPrograms.open();
});
afterAll(() => programs.close());

describe('The command line for jobs, embedded', () =>
  operatorCommands(() => Promise.resolve({ environment: {}, close: () => Promise.resolve() })));

describeWith(['redis-server'], 'The command line for jobs, on Redis', () =>
  operatorCommands(async () => {
    const server: RedisServer = await startRedis({ port: 'tcp', password: 'secret-of-redis' });
    return { environment: { REDIS_URL: server.url }, close: () => server.stop() };
  }),
);

describe('The command line for jobs', () => {
  it(
    'explains itself, and says what is wrong with a command',
    async () => {
      const help = await programs.run(['dist/jobs-cli.js', '--help'], {});
      expect(help).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('replay <id> --failed-items'),
      });
      expect(await programs.run(['dist/jobs-cli.js', 'replay'], {})).toEqual({
        code: 64,
        stdout: '',
        stderr: 'The id of a job is missing. See: npm run jobs -- --help\n',
      });
    },
    IN_TIME,
  );

  it(
    'does not make a store of a directory that has none',
    async () => {
      const ended = await programs.run(['dist/jobs-cli.js', 'list'], { DATA_DIR: '/nonexistent/data' });
      expect(ended).toMatchObject({
        code: 78,
        stdout: '',
        stderr: expect.stringContaining('/nonexistent/data/jobs does not exist'),
      });
    },
    IN_TIME,
  );

  it(
    'says that Redis cannot be reached, without the password',
    async () => {
      const ended = await programs.run(['dist/jobs-cli.js', 'list'], { REDIS_URL: 'redis://:hunter2@127.0.0.1:1' });
      expect(ended).toMatchObject({ code: 69, stdout: '', stderr: expect.stringContaining('ECONNREFUSED') });
      expect(ended.stderr).not.toContain('hunter2');
    },
    IN_TIME,
  );

  it(
    'is interrupted at once, even where Redis does not answer',
    async () => {
      const silent = createServer();
      const connected = once(silent, 'connection');
      const REDIS_URL = `redis://127.0.0.1:${await listenOnLoopback(silent)}`;
      const program = await programs.start(['dist/jobs-cli.js', 'list'], { REDIS_URL });
      try {
        await connected;
        program.signal('SIGINT');
        await waitFor('its end', () => !program.isRunning(), 5_000);
        expect(program.endedBy()).toBe('SIGINT');
        expect(await program.output()).toBe('');
      } finally {
        await program.kill();
        silent.close();
      }
    },
    IN_TIME,
  );
});

interface Place {
  readonly environment: Partial<Record<VariableName, string>>;
  close(): Promise<void>;
}

function operatorCommands(open: () => Promise<Place>): void {
  let place: Place;
  let environment: Partial<Record<VariableName, string>>;
  let dataDir: string;
  let engine: JobEngine;
  let keyRing: KeyRing;
  let gateway: TestGateway | undefined;

  beforeEach(async () => {
    place = await open();
    dataDir = await mkdtemp(join(tmpdir(), 'jobs-cli-'));
    environment = {
      DATA_DIR: dataDir,
      JOB_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64url'),
      QUEUE_MAX_ATTEMPTS: '1',
      ...place.environment,
    };
    const config = loadConfig(environment);
    engine = await openJobEngine(config, createLogger({ level: 'silent', pretty: false }));
    await engine.check();
    keyRing = await openKeyRing(config);
  });

  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
    await engine.close();
    await place.close();
    await rm(dataDir, { recursive: true });
  });

  const jobs = (...args: string[]): Promise<EndedProgram> => programs.run(['dist/jobs-cli.js', ...args], environment);

  /** The dead letter of an account job behind its third item; the second one had failed. */
  async function deadLetter(
    jobId: string,
    items: readonly AccountItem[],
    retentionMs = RETENTION_MS,
  ): Promise<JobIdentity> {
    const job: JobIdentity = { kind: 'user-accounts', org: 'acme', jobId };
    const [fingerprint] = await fingerprintsOf(keyRing, items);
    const described = { total: items.length, fingerprint, retentionMs };
    await engine.submission.submit({
      ...job,
      described,
      payload: await sealPayload(keyRing, job, JSON.stringify(items)),
    });
    if (retentionMs === RETENTION_MS) {
      const request = { ...described, fingerprints: [fingerprint], leaseMs: 60_000, nonce: 'n' } as const;
      const claimed = await engine.jobStore.claim(job, request);
      if (claimed.outcome !== 'claimed') throw new Error(`The claim ended in ${claimed.outcome}.`);
      await engine.jobStore.checkpoint(job, claimed.fencingToken, {
        done: 3,
        checkpoint: JSON.stringify({ next: 3, stoppedIn: 1 }),
        items: [
          { index: 0, createdId: 901 },
          { index: 1, failure: 'loginId is taken' },
          { index: 2, createdId: 903 },
        ],
      });
      await engine.jobStore.release(job, claimed.fencingToken);
    }
    const before = (await engine.queue.deadLetters()).length;
    const consumer = engine.queue.consume(
      async () => {
        await engine.jobStore.fail(job, described, { status: 500, body: JSON.stringify({ message: REASON }) });
        return { kind: 'dead', reason: REASON };
      },
      { concurrency: 1 },
    );
    await waitFor('the dead letter', async () => (await engine.queue.deadLetters()).length > before);
    await consumer.close();
    return job;
  }

  const fiveItems = (): AccountItem[] =>
    [0, 1, 2, 3, 4].map((index) => createAccount(`acc-${index}`, { password: 'never-show-this' }));

  async function startGateway(): Promise<TestGateway> {
    gateway = await startTestGateway(environment, { dataDir });
    return gateway;
  }

  const created = ({ sandbox: { journal } }: TestGateway): (string | undefined)[][] =>
    journal
      .requests({ operation: 'createUserAccount' })
      .map(({ idempotencyKey, status }) => [idempotencyKey, String(status)]);

  it(
    'lists dead letters, oldest first, and shows one, never with a password',
    async () => {
      expect(await jobs('list')).toEqual({ code: 0, stdout: 'There are no dead letters.\n', stderr: '' });
      await deadLetter('job-b', fiveItems());
      await deadLetter('job-a', fiveItems());

      const { stdout: list } = await jobs('list');
      expect(list).toMatch(/^DIED AT +KIND +ORG +JOB ID +ATTEMPTS +REASON\n/);
      expect(list.split('\n').slice(1, 3)).toEqual(
        ['job-b', 'job-a'].map((jobId) =>
          expect.stringMatching(new RegExp(`^20.+Z  user-accounts  acme  ${jobId} +1 +The callback answered 500\\.$`)),
        ),
      );

      const shown = await jobs('show', 'job-a');
      expect(shown).toMatchObject({ code: 0, stderr: '' });
      for (const line of [
        /^Job +job-a$/m,
        /^Kind +user-accounts$/m,
        /^Organisation +acme$/m,
        /^After +1 attempts$/m,
        /^Because +The callback answered 500\.$/m,
        /^State +FINISHED$/m,
        /^Progress +3 of 5$/m,
        /^Failed items +1$/m,
        /^Reply +500 {"message":"The callback answered 500."}$/m,
      ])
        expect(shown.stdout).toMatch(line);
      expect(`${list}${shown.stdout}`).not.toContain('never-show-this');
      expect(`${list}${shown.stdout}`).not.toContain('eyJ');
    },
    IN_TIME,
  );

  it(
    'replays a job, which goes on where it stopped',
    async () => {
      await deadLetter('job-1', fiveItems());
      expect(await jobs('replay', 'job-1')).toEqual({ code: 0, stdout: 'Job job-1 is delivered again.\n', stderr: '' });
      expect(await jobs('list')).toMatchObject({ stdout: 'There are no dead letters.\n' });
      expect(await engine.jobStore.read({ kind: 'user-accounts', org: 'acme', jobId: 'job-1' })).toMatchObject({
        state: 'finished',
        result: { status: 500 },
      });

      const running = await startGateway();
      await waitFor(
        'the job to be taken up',
        async () => (await pollJob(running, 'accounts', 'job-1')).progress.done > 3,
        IN_TIME,
      );
      const status = await finishedJob(running, 'accounts', 'job-1');
      expect(created(running)).toEqual([
        ['acme:job-1:3', '201'],
        ['acme:job-1:4', '201'],
      ]);
      expect(status).toMatchObject({
        status: 'Failure',
        errors: ['[1] acc-1: loginId is taken'],
        progress: { done: 5, total: 5 },
      });
      const [third, fourth] = running.sandbox.journal.effects('userAccountCreated').map(({ id }) => id);
      expect(status.createdUserAccountId).toEqual([901, 903, third, fourth]);

      const shown = await jobs('show', 'job-1', '--kind', 'user-accounts', '--org', 'acme');
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Progress +5 of 5$/m) });
      expect(await jobs('show', 'job-1')).toMatchObject({ code: 1, stderr: 'There is no dead letter of job job-1.\n' });
    },
    IN_TIME,
  );

  it(
    'has a job delivered by the gateway that runs beside it',
    async () => {
      await deadLetter('job-1', fiveItems());
      const running = await startGateway();
      expect(await jobs('replay', 'job-1')).toMatchObject({ code: 0, stderr: '' });
      await waitFor(
        'the rest of the job',
        async () => {
          const { completed, progress } = await pollJob(running, 'accounts', 'job-1');
          return completed && progress.done === 5;
        },
        IN_TIME,
      );
      expect(created(running)).toEqual([
        ['acme:job-1:3', '201'],
        ['acme:job-1:4', '201'],
      ]);
      expect(await jobs('list')).toMatchObject({ stdout: 'There are no dead letters.\n' });
    },
    IN_TIME,
  );

  it(
    'replays only the items that failed, as a job of its own, and once',
    async () => {
      await deadLetter('job-1', fiveItems());
      expect(await jobs('replay', 'job-1', '--failed-items')).toEqual({
        code: 0,
        stderr: '',
        stdout:
          'Job job-1:failed-items is started with the 1 items that failed. 2 items were not done; replay the job itself for those.\n',
      });
      expect(await jobs('replay', 'job-1', '--failed-items')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The failed items were replayed already, as job job-1:failed-items.\n',
      });
      expect(await engine.queue.deadLetters()).toHaveLength(1);

      const running = await startGateway();
      const status = await finishedJob(running, 'accounts', 'job-1:failed-items', IN_TIME);
      expect(created(running)).toEqual([['acme:job-1:failed-items:0', '201']]);
      const [effect] = running.sandbox.journal.effects('userAccountCreated');
      expect(effect).toMatchObject({ loginId: 'acc-1' });
      expect(status).toMatchObject({ status: 'Success', createdUserAccountId: [effect?.id] });
    },
    IN_TIME,
  );

  it(
    'refuses what nobody can vouch for, and changes nothing',
    async () => {
      await deadLetter('job-1', fiveItems(), 1);
      await waitFor(
        'the record to expire',
        async () => (await engine.jobStore.read({ kind: 'user-accounts', org: 'acme', jobId: 'job-1' })) === undefined,
      );
      expect(await jobs('replay', 'job-1')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('has expired'),
      });
      expect(await jobs('replay', 'job-1', '--org', 'other')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'There is no dead letter of job job-1.\n',
      });
      expect(await engine.queue.deadLetters()).toHaveLength(1);
    },
    IN_TIME,
  );
}
