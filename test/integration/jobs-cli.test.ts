import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/load-config.js';
import { openKeyRing } from '../../src/base/config/open-key-ring.js';
import { openJobEngine } from '../../src/jobs/engines/open-job-engine.js';
import { takeGatewayLock } from '../../src/jobs/engines/sqlite/gateway-lock.js';
import { fingerprintsOf } from '../../src/jobs/record/fingerprint.js';
import { JOB_KINDS, type JobKind } from '../../src/jobs/record/job-kinds.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { sealPayload } from '../../src/jobs/record/payload-encryption.js';
import type { JobIdentity, Orderer } from '../../src/jobs/record/job-record.js';
import { BuiltPrograms, type EndedProgram } from '../support/built-programs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  createAccount,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  reportOf,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { organisationsAnswer, organisationsText } from '../../src/programs/jobs-cli/describe-jobs.js';
import { JOBS_HELP } from '../../src/programs/jobs-cli/program.js';
import { runJobsCommand } from '../support/jobs-command.js';
import { listenOnLoopback } from '../support/loopback.js';
import { closeAfterTest, forAllTests, forEachTest, temporaryDirectory } from '../support/resources.js';
import { finishedJob, pollJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const RETENTION_MS = 3_600_000;
const DESCRIBED = { total: 2, fingerprint: 'f', retentionMs: RETENTION_MS };
const REASON = 'The callback answered 500.';

const programs = forAllTests(() => BuiltPrograms.open());

describe('The command line for jobs', () => {
  it('says what is wrong with a command, and does nothing', async () => {
    expect(await programs.run(['dist/jobs-cli.js', 'replay'], {})).toEqual({
      code: 64,
      stdout: '',
      stderr:
        'Which dead letters are meant is missing: an id, a condition such as --kind, or --all. See: npm run jobs -- --help\n',
    });
  });

  it('does not make a store of a directory that has none', async () => {
    const ended = await runJobsCommand(['list'], { DATA_DIR: '/nonexistent/data' }, '/');
    expect(ended).toMatchObject({
      code: 78,
      stdout: '',
      stderr: expect.stringContaining('/nonexistent/data/jobs.db does not exist'),
    });
  });

  it('says that Redis cannot be reached, without the password', async () => {
    const ended = await runJobsCommand(['list'], { REDIS_URL: 'redis://:hunter2@127.0.0.1:1' }, '/');
    expect(ended).toMatchObject({ code: 69, stdout: '', stderr: expect.stringContaining('ECONNREFUSED') });
    expect(ended.stderr).not.toContain('hunter2');
  });

  it('is interrupted at once, even where Redis does not answer', async () => {
    const silent = closeAfterTest(createServer());
    const connected = once(silent, 'connection');
    const REDIS_URL = `redis://127.0.0.1:${await listenOnLoopback(silent)}`;
    const program = closeAfterTest(await programs.start(['dist/jobs-cli.js', 'list'], { REDIS_URL }));
    await connected;
    program.signal('SIGINT');
    await waitFor('its end', () => !program.isRunning());
    expect(program.endedBy()).toBe('SIGINT');
    expect(await program.output()).toBe('');
  });
});

describe('The command line for jobs, of an operator', () => {
  const dataDir = forEachTest(temporaryDirectory);
  const environment = forEachTest(() => ({
    DATA_DIR: dataDir.path,
    JOB_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64url'),
    QUEUE_MAX_ATTEMPTS: '1',
  }));
  const engine = forEachTest(async () => {
    // A gateway was here before: only one that makes the lock anew minds who else has the jobs open.
    const release = await takeGatewayLock(dataDir.path);
    release();
    const opened = await openJobEngine(loadConfig(environment), createLogger({ level: 'silent' }), {
      onOrder: undefined,
      onChange: undefined,
    });
    await opened.check();
    return opened;
  });
  const keyRing = forEachTest(() => openKeyRing(loadConfig(environment), undefined));

  const jobs = (...args: string[]): Promise<EndedProgram> => runJobsCommand(args, environment, dataDir.path);

  /** Puts a job of mobiles into the queue, which no gateway can read. */
  async function ordered(jobId: string, org = 'acme', by: Orderer = { BackendUser: 'sato' }): Promise<JobIdentity> {
    const job: JobIdentity = { kind: 'mobiles', org, jobId };
    await engine.submission.submit({ ...job, described: { ...DESCRIBED, orderedBy: by }, payload: 'sealed' });
    return job;
  }

  /** Lets the messages of these jobs become dead letters. */
  async function die(...dying: readonly JobIdentity[]): Promise<void> {
    const keyOf = ({ kind, org, jobId }: JobIdentity): string => JSON.stringify([kind, org, jobId]);
    const isMeant = (job: JobIdentity): boolean => dying.some((each) => keyOf(each) === keyOf(job));
    const consumer = engine.queue.consume(
      async ({ message }) => {
        if (!isMeant(message)) return { kind: 'delay', delayMs: 60_000 };
        const reply = { status: 500, body: JSON.stringify({ message: REASON }) };
        await engine.jobStore.fail(message, message.described, reply);
        return { kind: 'dead', reason: REASON };
      },
      { concurrency: 1 },
    );
    const dead = async (): Promise<boolean> =>
      (await engine.queue.deadLetters()).filter(({ message }) => isMeant(message)).length === dying.length;
    await waitFor('the dead letters', dead);
    await consumer.close();
  }

  /** The dead letter of an account job behind its third item; the second one had failed. */
  async function deadLetter(jobId: string, org = 'acme', retentionMs = RETENTION_MS): Promise<void> {
    const job: JobIdentity = { kind: 'user-accounts', org, jobId };
    const items = [0, 1, 2, 3, 4].map((index) => createAccount(`acc-${index}`, { password: 'never-show-this' }));
    const [fingerprint] = await fingerprintsOf(keyRing, items);
    const described = { total: items.length, fingerprint, retentionMs };
    const payload = sealPayload(keyRing, job, JSON.stringify(items));
    await engine.submission.submit({ ...job, described, payload });
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
    await die(job);
  }

  async function startGateway(): Promise<TestGateway> {
    return closeAfterTest(await startTestGateway(environment, { dataDir: dataDir.path }));
  }

  const created = ({ sandbox: { journal } }: TestGateway): (string | undefined)[][] =>
    journal
      .requests({ operation: 'createUserAccount' })
      .map(({ idempotencyKey, status }) => [idempotencyKey, String(status)]);

  async function asked(...args: string[]): Promise<unknown> {
    const { code, stdout, stderr } = await jobs(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

  it('lists dead letters, oldest first, and shows one, never with a password', async () => {
    expect(await jobs('list')).toEqual({ code: 0, stdout: 'There are no dead letters.\n', stderr: '' });
    const longId = `0192f3b4-7d2e-7c1a-9a0b-0123456789ab:${'x'.repeat(80)}`;
    await deadLetter(longId);
    await deadLetter('job-a');

    const { stdout: list } = await jobs('list');
    const [headings, , ...letters] = list.trimEnd().split('\n');
    expect(headings).toMatch(/^DIED AT +KIND +ORG +ATTEMPTS +FAILED ITEMS$/);
    expect(letters.map((line) => line.trim())).toEqual([
      expect.stringMatching(/^20.+Z {2}user-accounts {2}acme +1 +1$/),
      longId.slice(0, 78),
      longId.slice(78),
      REASON,
      expect.stringMatching(/^20.+Z {2}user-accounts {2}acme +1 +1$/),
      'job-a',
      REASON,
    ]);
    expect(widest(list)).toBeLessThanOrEqual(80);
    expect(await asked('list', '--limit', '1')).toEqual({
      deadLetters: [
        {
          jobId: longId,
          kind: 'user-accounts',
          org: 'acme',
          outcome: 'failure',
          failedCount: 1,
          diedAt: expect.stringMatching(/^20.+Z$/),
          attempts: 1,
          reason: REASON,
        },
      ],
    });

    const shown = await jobs('show', 'job-a');
    expect(await programs.run(['dist/jobs-cli.js', 'show', 'job-a'], environment)).toEqual(shown);
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
      /^\[1\] +loginId is taken$/m,
    ])
      expect(shown.stdout).toMatch(line);
    expect(widest(shown.stdout)).toBeLessThanOrEqual(80);
    expect(await asked('show', 'job-a')).toMatchObject({
      jobId: 'job-a',
      kind: 'user-accounts',
      org: 'acme',
      state: 'finished',
      progress: { done: 3, total: 5 },
      failedItems: [{ index: 1, reason: 'loginId is taken' }],
      deadLetter: { attempts: 1, reason: REASON },
      reply: { status: 500, body: { message: REASON } },
      queue: null,
      startedAgain: null,
    });
    expect(`${list}${shown.stdout}`).not.toContain('never-show-this');
    expect(`${list}${shown.stdout}`).not.toContain('eyJ');
  });

  it('prints no control character of an organisation or an id, and quotes what is to be pasted', async () => {
    const [escape, command] = ['\u001b[2J', '$(touch x)'];
    for (const org of [escape, command]) {
      await deadLetter('job-hostile', org);
      await ordered('job-hostile', org);
    }
    const commands = [
      ['list'],
      ['show', 'job-hostile'],
      ['show', 'job-hostile', '--org', escape],
      ['show', 'job-hostile', '--kind', 'mobiles', '--org', escape],
      ['show', `none-${escape}`],
      ['list', '--state', 'pending', '--org', escape],
      ['drop', 'job-hostile', '--kind', 'mobiles', '--org', escape, '--dry-run'],
    ];
    const run = (args: readonly string[]): Promise<EndedProgram> =>
      programs.run(['dist/jobs-cli.js', ...args], environment);
    for (const args of commands) {
      const { stdout, stderr } = await run(args);
      expect(`${stdout}${stderr}`).not.toMatch(/[^\P{Cc}\n]/u);
      expect(`${stdout}${stderr}`).not.toMatch(/--org \$\(/);
    }
    expect((await run(['show', 'job-hostile'])).stderr).toContain(`--org '${command}'`);
  });

  it('finds a job of any kind and organisation by its id alone, waiting, running and ended', async () => {
    const orderedBy = { BackendUser: 'sato', LoggedInId: 'sato@acme' };
    const waiting = await ordered('job-waiting', '株式会社', orderedBy);
    expect(await asked('show', 'job-waiting')).toMatchObject({
      kind: 'mobiles',
      org: '株式会社',
      state: 'pending',
      orderedBy,
      queue: { state: 'waiting', attempts: 0, dueAt: null },
    });
    const { stdout: shown } = await jobs('show', 'job-waiting');
    expect(shown).toMatch(/^Queue +waiting, 0 attempts begun$/m);
    expect(shown).toMatch(/^Ordered by +sato \(logged in as sato@acme\)$/m);
    expect(shown).not.toContain('Cancelled');
    await engine.jobStore.wait(waiting, 'wrong_address');
    expect((await jobs('show', 'job-waiting')).stdout).toMatch(/^Waiting +wrong_address, since 20.+Z$/m);
    expect(await asked('show', 'job-waiting')).toMatchObject({ waiting: { reason: 'wrong_address' } });
    await engine.jobStore.cancel(waiting);
    expect((await jobs('show', 'job-waiting')).stdout).toMatch(/^Cancelled +20.+Z$/m);
    expect(await asked('show', 'job-waiting')).toMatchObject({
      state: 'pending',
      cancelledAt: expect.stringMatching(/^20.+Z$/),
    });
    // Its payload cannot be read, so it dies as soon as a gateway consumes it.
    const running = await startGateway();

    const held = running.sandbox.faults.hold({ operation: 'updateUserAccount' });
    const gone = running.callback(USER_ACCOUNTS, [deleteAccount('nobody'), updateAccount('user')], {
      'x-job-id': 'job-without-org',
    });
    await held.held();
    expect(await asked('show', 'job-without-org')).toMatchObject({
      kind: 'user-accounts',
      org: null,
      state: 'running',
      progress: { done: 1, total: 2 },
      failedItems: [{ index: 0, reason: 'user account not found' }],
      reply: null,
    });
    held.release();
    await gone;
    expect(await asked('show', 'job-without-org', '--org', '')).toMatchObject({
      state: 'finished',
      // Without an organisation no account is found.
      failedItems: [
        { index: 0, reason: 'nobody: user account not found' },
        { index: 1, reason: 'user: user account not found' },
      ],
      reply: { status: 200, body: { status: 'Failure' } },
    });

    await running.callback(DRIVING_REPORT, reportOf(1001, 999_999), jobHeaders('job-report', 'globex'));
    const report = await jobs('show', 'job-report');
    expect(report.stdout).toMatch(/^Organisation +globex$/m);
    expect(report.stdout).toMatch(/^\[1\] +mobile 999999, employee E-999999: .+ \(NotFound\)$/m);
    expect(widest(report.stdout)).toBeLessThanOrEqual(80);

    await running.callback(MOBILES, [], jobHeaders('job-report'));
    expect(await jobs('show', 'job-report')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^2 jobs have this id\. Say which one: --kind .+ --org \w+, or --kind .+\.\n$/),
    });
    expect(await asked('show', 'job-report', '--org', 'acme')).toMatchObject({ kind: 'mobiles' });
    expect(await jobs('show', 'job-rep*')).toMatchObject({ code: 1, stderr: 'There is no job job-rep*.\n' });
  });

  it('follows a job until it ends, and its exit code says how', async () => {
    const job = await ordered('job-waiting');
    const waiting = await programs.start(['dist/jobs-cli.js', 'show', 'job-waiting', '--follow'], environment);
    await waitFor('its state', async () => /^20.+Z {2}PENDING {3}0 of 2$/m.test(await waiting.output()));
    await engine.jobStore.wait(job, 'wrong_address');
    const reason = /^20.+Z {2}PENDING {3}0 of 2 {2}waiting: wrong_address$/m;
    await waitFor('why it waits', async () => reason.test(await waiting.output()));
    waiting.signal('SIGINT');
    await waitFor('its end', () => !waiting.isRunning());
    expect(waiting.endedBy()).toBe('SIGINT');

    const gatewayBeside = await startGateway();
    const held = gatewayBeside.sandbox.faults.hold({ operation: 'updateUserAccount' });
    const items = [deleteAccount('nobody'), updateAccount('user')];
    const replied = gatewayBeside.callback(USER_ACCOUNTS, items, jobHeaders('job-running'));
    await held.held();
    const running = await programs.start(['dist/jobs-cli.js', 'show', 'job-running', '--follow'], environment);
    await waitFor('its progress', async () => /Z {2}RUNNING {3}1 of 2$/m.test(await running.output()));
    held.release();
    await replied;
    await waitFor('its end', () => !running.isRunning());
    expect(running.exitCode()).toBe(1);
    const [first, ...others] = (await running.output()).split('\n');
    expect(first).toMatch(/RUNNING {3}1 of 2$/);
    const { stdout: shown } = await jobs('show', 'job-running');
    expect(others.join('\n')).toMatch(/^(20.+Z {2}RUNNING .+\n)*20.+Z {2}FINISHED {2}failure {2}2 of 2\n\n/);
    expect(others.join('\n').endsWith(`\n\n${shown}`)).toBe(true);

    await gatewayBeside.callback(MOBILES, [], jobHeaders('job-empty'));
    const { code, stdout } = await jobs('show', 'job-empty', '--follow', '--json');
    expect(code).toBe(0);
    const told = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const known = {
      jobId: 'job-empty',
      kind: 'mobiles',
      org: 'acme',
      state: 'finished',
      outcome: 'success',
      claims: 1,
    };
    const empty = { ...known, progress: { done: 0, total: 0 }, cancelledAt: null, waiting: null };
    expect(told).toEqual([empty, await asked('show', 'job-empty')]);
    const none = { code: 1, stdout: '', stderr: 'There is no job job-none.\n' };
    expect(await jobs('show', 'job-none', '--follow')).toEqual(none);
  });

  it('tells how much waits in the queue, and since when', async () => {
    await deadLetter('job-dead');
    await ordered('job-1');
    await ordered('job-2');
    await ordered('job-3', 'other');
    let inHand = 0;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const consumer = engine.queue.consume(
      async ({ message }) => {
        inHand += 1;
        if (message.jobId === 'job-1') return { kind: 'delay', delayMs: 60_000 };
        await held;
        return { kind: 'done' };
      },
      { concurrency: 2 },
    );
    await waitFor('all to be in hand once', () => inHand === 3);

    const mobiles = { waiting: 0, delayed: 1, inHand: 2, deadLetters: 0, oldestSeconds: expect.any(Number) };
    const idle = { waiting: 0, delayed: 0, inHand: 0, deadLetters: 0, oldestSeconds: null };
    const busy: Partial<Record<JobKind, object>> = { 'user-accounts': { ...idle, deadLetters: 1 }, mobiles };
    expect(await asked('queue')).toEqual({
      queue: [
        ...JOB_KINDS.map((kind) => ({ kind, ...(busy[kind] ?? idle) })),
        { kind: 'all', ...mobiles, deadLetters: 1 },
      ],
    });
    expect(await asked('queue', '--org', 'other', '--kind', 'mobiles')).toEqual({
      queue: [{ kind: 'mobiles', ...mobiles, delayed: 0, inHand: 1 }],
    });
    expect(await asked('show', 'job-1')).toMatchObject({
      queue: { state: 'delayed', dueAt: expect.stringMatching(/^20.+Z$/) },
    });
    const { stdout } = await jobs('queue');
    expect(stdout).toMatch(/^KIND +WAITING +DELAYED +IN HAND +DEAD LETTERS +OLDEST\n/);
    expect(stdout).toMatch(/^all +0 +1 +2 +1 +\d+ (s|min)/m);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    letGo();
    await consumer.close();
  });

  it('replays all dead letters that are meant, and first says which, if asked to', async () => {
    await deadLetter('job-1');
    await deadLetter('job-2', 'another');
    await deadLetter('job-3', 'other');
    await deadLetter('job-4', 'expired', 1);
    const expired = { kind: 'user-accounts', org: 'expired', jobId: 'job-4' } as const;
    await waitFor('the record to expire', async () => (await engine.jobStore.read(expired)) === undefined);

    expect(await jobs('replay', '--all', '--dry-run')).toEqual({
      code: 1,
      stdout:
        '4 dead letters are meant. This is a dry run: nothing is done.\n' +
        [1, 2, 3].map((number) => `Job job-${number} would be delivered again.\n`).join(''),
      stderr: expect.stringMatching(/^Job job-4 is not replayed: The status record of this job has expired/),
    });
    expect(await engine.queue.deadLetters()).toHaveLength(4);
    expect(await jobs('replay', '--older-than', '1h')).toEqual({
      code: 0,
      stdout: 'No dead letter is meant.\n',
      stderr: '',
    });
    expect(await asked('replay', '--all', '--limit', '2', '--failed-items', '--dry-run')).toMatchObject({
      dryRun: true,
      jobs: [
        { jobId: 'job-1', outcome: 'replayed', startedJobId: 'job-1:failed-items', items: 1, unfinished: 2 },
        { jobId: 'job-2', outcome: 'replayed', startedJobId: 'job-2:failed-items', items: 1, unfinished: 2 },
      ],
    });
    expect(await engine.queue.deadLetters()).toHaveLength(4);

    const { code, stdout } = await jobs('replay', '--reason', 'answered 500', '--newer-than', '1d', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      dryRun: false,
      jobs: [
        ...['job-1', 'job-2', 'job-3'].map((jobId) => expect.objectContaining({ jobId, outcome: 'replayed' })),
        expect.objectContaining({ jobId: 'job-4', outcome: 'refused', reason: expect.stringContaining('expired') }),
      ],
    });
    expect((await engine.queue.deadLetters()).map(({ message }) => message.jobId)).toEqual(['job-4']);
    expect(await asked('queue', '--kind', 'user-accounts')).toMatchObject({ queue: [{ waiting: 3, deadLetters: 1 }] });
  });

  it('replays the last order of its kind and organisation, and leaves out the others', async () => {
    const [first, second, third] = [await ordered('1'), await ordered('2'), await ordered('3')];
    await die(first, second);
    const outcomes = async (): Promise<unknown> =>
      (
        (await asked('replay', '--kind', 'mobiles', '--dry-run')) as { jobs: { jobId: string; outcome: string }[] }
      ).jobs.map(({ jobId, outcome }) => [jobId, outcome]);
    // The third one may be done by now.
    expect(await outcomes()).toEqual(['1', '2'].map((jobId) => [jobId, 'left out']));
    await die(third);
    expect(await outcomes()).toEqual([...['1', '2'].map((jobId) => [jobId, 'left out']), ['3', 'replayed']]);
  });

  it('drops a dead letter after a question, and its record keeps the reason', async () => {
    const job = await ordered('old');
    await die(job);
    const expectIt = async (length: number): Promise<void> =>
      expect(await engine.queue.deadLetters()).toHaveLength(length);
    const usage = 'Without a terminal, drop needs --yes or --dry-run. See: npm run jobs -- --help\n';
    expect(await jobs('drop', 'old')).toEqual({ code: 64, stdout: '', stderr: usage });
    expect(await programs.run(['dist/jobs-cli.js', 'drop', '--all'], environment)).toMatchObject({ code: 64 });
    const dry = 'The dead letter of job old would be dropped.\n';
    expect(await jobs('drop', 'old', '--dry-run')).toEqual({ code: 0, stdout: dry, stderr: '' });
    const asksFor = (answer: boolean, ...args: string[]) => {
      const questions: string[] = [];
      const confirm = (question: string): Promise<boolean> => Promise.resolve(questions.push(question) > 0 && answer);
      return runJobsCommand(args, environment, dataDir.path, confirm).then((ended) => ({ ...ended, questions }));
    };
    const question = 'Drop the dead letter of job old?';
    const refused = { code: 1, stdout: '', stderr: 'Nothing was changed.\n', questions: [question] };
    expect(await asksFor(false, 'drop', 'old')).toEqual(refused);
    await expectIt(1);
    expect(await asksFor(true, 'drop', 'old')).toMatchObject({ code: 0, questions: [question] });
    await expectIt(0);
    expect(await engine.jobStore.read(job)).toMatchObject({ state: 'finished', dropped: { reason: REASON } });
    expect((await jobs('show', 'old')).stdout).toMatch(/^Dropped +20.+Z, The callback answered 500\.$/m);
    expect(await asked('show', 'old')).toMatchObject({ dropped: { reason: REASON }, deadLetter: null });
    expect(await jobs('replay', 'old')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^There is no dead letter of job old\. It has ended: npm run jobs -- show old says /,
      ),
    });

    await die(await ordered('a'), await ordered('b', 'other'));
    expect(await asked('drop', '--org', 'other', '--yes')).toMatchObject({
      dryRun: false,
      jobs: [{ jobId: 'b', outcome: 'dropped' }],
    });
    expect(await asksFor(true, 'drop', '--all')).toMatchObject({
      code: 0,
      questions: [expect.stringContaining('job a')],
    });
    await expectIt(0);
  });

  it('cancels a job: one that waits ends at once, and one that runs begins no further items', async () => {
    const job = await ordered('waits');
    expect(await jobs('cancel', 'waits')).toMatchObject({ code: 64, stderr: expect.stringContaining('--yes') });
    const dry = 'Job waits would be cancelled: it begins no further items.\n';
    expect(await jobs('cancel', 'waits', '--dry-run')).toEqual({ code: 0, stdout: dry, stderr: '' });
    expect(await engine.jobStore.read(job)).toMatchObject({ state: 'pending' });
    const other = await ordered('ends');
    const endsMeanwhile = async (): Promise<boolean> => {
      await engine.jobStore.fail(other, DESCRIBED, { status: 500, body: '{}' });
      return true;
    };
    expect(await runJobsCommand(['cancel', 'ends'], environment, dataDir.path, endsMeanwhile)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Job ends has ended, and nothing of it is left to cancel.\n',
    });
    const asks = (question: string): Promise<boolean> =>
      Promise.resolve(question === 'Cancel job waits (mobiles, PENDING   0 of 2)?');
    expect(await runJobsCommand(['cancel', 'waits'], environment, dataDir.path, asks)).toMatchObject({
      code: 0,
      stdout: 'Job waits is cancelled: it begins no further items.\n',
    });
    expect(await engine.jobStore.read(job)).toMatchObject({
      state: 'finished',
      result: {
        status: 200,
        body: expect.stringMatching(/^{"status":"Failure","errors":\["\[0\] not done, the job was cancelled"/),
      },
    });
    const again = { code: 1, stderr: 'Job waits has ended, and nothing of it is left to cancel.\n' };
    expect(await jobs('cancel', 'waits', '--yes')).toMatchObject(again);

    const running = await startGateway();
    const held = running.sandbox.faults.hold({ operation: 'createUserAccount', stage: 'reply' });
    const items = ['a', 'b', 'c'].map((loginId) => createAccount(loginId));
    const replied = running.callback(USER_ACCOUNTS, items, jobHeaders('runs'));
    await held.held();
    expect(await asked('cancel', 'runs', '--yes')).toMatchObject({ jobs: [{ jobId: 'runs', outcome: 'cancelled' }] });
    held.release();
    const { text } = await replied;
    const effects = running.sandbox.journal.effects('userAccountCreated');
    expect(effects.map(({ loginId }) => loginId)).toEqual(['a']);
    expect(JSON.parse(text)).toEqual({
      status: 'Failure',
      data: { created_user_account_id: effects.map(({ id }) => id) },
      errors: ['[1] b', '[2] c'].map((place) => `${place}: not done, the job was cancelled`),
    });
  });

  it('lists the jobs of an organisation by their state, newest first', async () => {
    await die(await ordered('ended'));
    await ordered('waits');
    await ordered('of-others', 'other');
    const ids = async (...args: string[]): Promise<unknown> =>
      ((await asked('list', ...args)) as { jobs: { jobId: string }[] }).jobs.map(({ jobId }) => jobId);
    expect(await ids('--org', 'acme', '--state', 'any')).toEqual(['waits', 'ended']);
    expect(await ids('--org', 'acme', '--state', 'pending')).toEqual(['waits']);
    expect(await ids('--org', 'acme', '--state', 'finished')).toEqual(['ended']);
    expect(await ids('--org', 'acme', '--state', 'any', '--kind', 'user-accounts')).toEqual([]);
    expect(await asked('list', '--org', 'acme', '--state', 'any', '--limit', '1')).toMatchObject({
      jobs: [{ jobId: 'waits', kind: 'mobiles', org: 'acme', state: 'pending', orderedBy: { BackendUser: 'sato' } }],
      hasMore: true,
    });
    const { stdout } = await jobs('list', '--org', 'acme', '--state', 'any', '--limit', '1');
    expect(stdout).toMatch(/^20.+Z {2}mobiles {2}PENDING {3}0 of 2 {2}ordered by sato\n {2}waits\n/);
    expect(stdout).toContain('Older jobs are left out.');
    expect(await ids('--org', 'acme', '--outcome', 'failure', '--newer-than', '1h')).toEqual(['ended']);
    expect(await ids('--org', 'acme', '--outcome', 'success')).toEqual([]);
    expect(await ids('--org', 'acme', '--state', 'any', '--older-than', '1h')).toEqual([]);
    expect((await jobs('list', '--org', 'acme', '--outcome', 'failure')).stdout).toContain('FINISHED  failure  0 of 2');
    await deadLetter('partly');
    expect((await jobs('list', '--org', 'acme', '--outcome', 'failure')).stdout).toMatch(
      /failure {2}3 of 5 {2}1 failed/,
    );
  });

  it('names the organisations with the number of their jobs, and says when it has not counted all', async () => {
    for (const jobId of ['one', 'two']) await ordered(jobId, 'busy');
    await die(await ordered('ended'));
    expect(await asked('list', '--state', 'any')).toEqual({
      organisations: ['busy', 'acme'].map((org, index) => ({ org, jobs: 2 - index })),
      hasMore: false,
    });
    expect((await jobs('list', '--outcome', 'failure', '--newer-than', '1d')).stdout).toMatch(
      /^ORG +JOBS\n.*\nacme +1\n$/,
    );
    expect((await jobs('list', '--outcome', 'success')).stdout).toBe('There are no such jobs.\n');
    expect(await engine.inspection.find(undefined, 2)).toHaveLength(2);
    const many = organisationsText(organisationsAnswer({ counts: [['busy', 10_000]], hasMore: true }), 80);
    expect(many).toContain('Only 10000 jobs were counted, and there are more.');
  });

  it('says in 250 words what the page says', async () => {
    const { stdout: help } = await jobs('--help');
    expect(help).toBe(`${JOBS_HELP}\n`);
    expect(help.match(/\S*\w\S*/g)?.length).toBeLessThanOrEqual(250);
    expect(readFileSync(new URL('../../deploy/README.md', import.meta.url), 'utf8')).toContain(`\n${help}`);
  });

  it('needs only the variables that it uses, in production too', async () => {
    const { JOB_ENCRYPTION_KEY: _unused, ...needed } = environment;
    const production = { ...needed, NODE_ENV: 'production', PORT: 'no port', TASK_CALLBACK_API_KEY: 'short' };
    for (const args of [['queue'], ['list'], ['drop', '--all', '--yes'], ['replay', '--all']]) {
      expect(await runJobsCommand(args, production, dataDir.path)).toMatchObject({ code: 0, stderr: '' });
    }
    const { code, stderr } = await runJobsCommand(['replay', '--all', '--failed-items'], production, dataDir.path);
    expect([code, stderr]).toEqual([78, expect.stringContaining('JOB_ENCRYPTION_KEY is required in production.')]);
    expect(stderr).toContain('has 1 fault(s)');
    const { stdout: help } = await jobs('--help');
    for (const name of ['DATA_DIR', 'REDIS_URL', 'REDIS_PASSWORD_FILE', 'SQS_QUEUE_URL', 'JOB_ENCRYPTION_KEY']) {
      expect(help).toContain(name);
    }
    expect(widest(help)).toBeLessThanOrEqual(80);
  });

  it('replays a job, which goes on where it stopped', async () => {
    await deadLetter('job-1');
    const foreign = { code: 1, stdout: '', stderr: 'There is no job job-1 of other.\n' };
    expect(await jobs('replay', 'job-1', '--org', 'other')).toEqual(foreign);
    expect(await engine.queue.deadLetters()).toHaveLength(1);
    expect(await jobs('replay', 'job-1')).toEqual({ code: 0, stdout: 'Job job-1 is delivered again.\n', stderr: '' });
    expect(await jobs('list')).toMatchObject({ stdout: 'There are no dead letters.\n' });
    expect(await engine.jobStore.read({ kind: 'user-accounts', org: 'acme', jobId: 'job-1' })).toMatchObject({
      state: 'pending',
      replayedAt: expect.any(Number),
    });
    expect((await jobs('show', 'job-1')).stdout).toMatch(/^Replayed +20.+Z$/m);

    const running = await startGateway();
    await waitFor('the job to run', async () => (await pollJob(running, 'accounts', 'job-1')).progress.done > 3);
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
    const [third, fourth] = running.sandbox.journal.effects('userAccountCreated').map(({ id }) => String(id));
    expect(status.createdUserAccountId).toEqual(['901', '903', third, fourth]);

    const shown = await jobs('show', 'job-1');
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Progress +5 of 5$/m) });
    expect(shown.stdout).toMatch(/^\[1\] +acc-1: loginId is taken$/m);
    expect(await jobs('show', 'job-1', '--kind', 'mobiles')).toMatchObject({
      code: 1,
      stderr: 'There is no job job-1 of kind mobiles.\n',
    });
  });

  it('replays only the items that failed, as a job of its own, and once', async () => {
    await deadLetter('job-1');
    expect(await jobs('replay', 'job-1', '--failed-items')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'Job job-1:failed-items is started with the 1 items that failed. 2 items were not done; replay the job itself for those.\n',
    });
    expect(await jobs('replay', 'job-1', '--failed-items')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Job job-1 is not replayed: The failed items were replayed already, as job job-1:failed-items.\n',
    });
    expect((await jobs('show', 'job-1')).stdout).toMatch(/^Started again +job-1:failed-items \(PENDING\)$/m);
    expect(await engine.queue.deadLetters()).toHaveLength(1);

    const running = await startGateway();
    const status = await finishedJob(running, 'accounts', 'job-1:failed-items');
    expect(created(running)).toEqual([['acme:job-1:failed-items:0', '201']]);
    const [effect] = running.sandbox.journal.effects('userAccountCreated');
    expect(effect).toMatchObject({ loginId: 'acc-1' });
    expect(status).toMatchObject({ status: 'Success', createdUserAccountId: [String(effect?.id)] });
  });
});
