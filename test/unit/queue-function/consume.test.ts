import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import { consumeJobs } from '../../../src/jobs/queue-function/consume.js';
import type { DeliveryOutcome } from '../../../src/jobs/queue-function/deliver.js';
import type { DeadLetter, Delivery, JobQueue } from '../../../src/jobs/record/job-queue.js';
import { openSqliteEngine } from '../../../src/jobs/engines/sqlite/open-sqlite.js';
import type { JobRecord } from '../../../src/jobs/record/job-record.js';
import { captureLog } from '../../support/captured-log.js';
import { closeAfterTest, forEachTest, temporaryDirectory } from '../../support/resources.js';
import { claimed, jobMessage } from '../../support/stored-jobs.js';
import { waitFor } from '../../support/wait-for.js';

const JOB = jobMessage('job-1');
const LEASE_MS = 20_000;
const FAILED = { kind: 'retry', code: 'failed', status: 500, reason: 'The callback answered 500.' } as const;
const REFUSED: DeliveryOutcome = { ...FAILED, kind: 'final', code: 'message_refused', status: 422 };

describe('Consuming jobs', () => {
  let now = 1_800_000_000_000;
  let calls: number;
  let others: number;
  const log = forEachTest(captureLog);
  const directory = forEachTest(temporaryDirectory);
  const settings = { logger: captureLog().logger, maxAttempts: 2, clock: () => now, pollMs: 5 };
  const engine = forEachTest(() => openSqliteEngine({ directory: directory.path, ...settings }));

  beforeEach(async () => {
    calls = 0;
    others = 0;
    await engine.submission.submit(JOB);
  });

  /** Consumes with these outcomes for the job, one after the other, and success for all others. */
  function consume(outcomes: readonly DeliveryOutcome[], queue: Pick<JobQueue, 'consume'> = engine.queue): void {
    const consumer = consumeJobs({
      queue,
      jobStore: engine.jobStore,
      concurrency: 1,
      logger: log.logger,
      clock: () => now,
      deliver: ({ jobId }) => {
        if (jobId === JOB.jobId) calls += 1;
        else others += 1;
        return Promise.resolve((jobId === JOB.jobId && outcomes[calls - 1]) || { kind: 'done' });
      },
    });
    closeAfterTest(consumer);
  }

  async function called(times: number): Promise<void> {
    await waitFor(`call ${String(times)}`, () => calls >= times);
    expect(calls).toBe(times);
  }

  /** The consumer handles one message at a time, and is done with all that is due when it takes one that came later. */
  async function settled(): Promise<void> {
    const before = others;
    await engine.submission.submit({ ...JOB, jobId: randomUUID() });
    await waitFor('the other job', () => others > before);
  }

  async function deadLetter(): Promise<DeadLetter | undefined> {
    const letters = await waitFor('the dead letter', async () => {
      const found = await engine.queue.deadLetters();
      return found.length > 0 && found;
    });
    return letters[0];
  }

  const record = (): Promise<JobRecord | undefined> => engine.jobStore.read(JOB);

  it('notes why it is turned away, and since when, until the job is claimed', async () => {
    const codes = ['running', 'wrong_address', 'not_reached', 'not_reached'] as const;
    consume(codes.map((code) => ({ ...FAILED, kind: 'delay', code, delayMs: 1_000 })));
    const since = now + 1_000;
    for (const reason of [undefined, 'wrong_address', 'not_reached', 'not_reached']) {
      await called(calls + 1);
      await settled();
      expect((await record())?.waiting).toEqual(reason && { reason, since });
      now += 1_000;
    }
    expect(await record()).toMatchObject({ state: 'pending' });
    await claimed(engine.jobStore, JOB, { leaseMs: LEASE_MS });
    expect((await record())?.waiting).toBeUndefined();
  });

  it('asks the record when something in front of the gateway answers: handled, running, or neither', async () => {
    const foreign = { ...FAILED, kind: 'delay', code: 'foreign', status: 413, delayMs: 1_000 } as const;
    consume([foreign, foreign, foreign]);
    await called(1);
    await settled();
    expect((await record())?.waiting?.reason).toBe('foreign 413');
    const { fencingToken } = await claimed(engine.jobStore, JOB, { leaseMs: LEASE_MS });
    now += 1_000;
    await called(2);
    await settled();
    expect((await record())?.waiting).toBeUndefined();
    await engine.jobStore.finish(JOB, fencingToken, { status: 200, body: '{}' });
    now += LEASE_MS;
    await called(3);
    await settled();
    now += 10 * LEASE_MS;
    await settled();
    expect([calls, await engine.queue.deadLetters()]).toEqual([3, []]);
  });

  it('ends the record before the message becomes a dead letter', async () => {
    const states: unknown[] = [];
    const fail = engine.jobStore.fail.bind(engine.jobStore);
    engine.jobStore.fail = async (...ending) => {
      states.push((await engine.queue.deadLetters()).length);
      return fail(...ending);
    };
    consume([REFUSED]);
    await deadLetter();
    expect(states).toEqual([0]);
  });

  it('comes again while the job still runs, and is done when that run succeeds', async () => {
    const { fencingToken } = await claimed(engine.jobStore, JOB, { leaseMs: LEASE_MS });
    consume([REFUSED]);
    await called(1);
    await settled();
    expect(await engine.queue.deadLetters()).toEqual([]);
    await engine.jobStore.finish(JOB, fencingToken, { status: 200, body: '{}' });
    now += LEASE_MS;
    await called(2);
    await settled();
    expect(await engine.queue.deadLetters()).toEqual([]);
    expect(await record()).toMatchObject({ state: 'finished', result: { status: 200 } });
  });

  it('ends the record when the process that ran the job died', async () => {
    await claimed(engine.jobStore, JOB, { leaseMs: LEASE_MS });
    consume([REFUSED, REFUSED]);
    await called(1);
    await settled();
    now += LEASE_MS;
    expect(await deadLetter()).toMatchObject({ reason: REFUSED.reason, attempts: 1 });
    expect(await record()).toMatchObject({ state: 'finished', result: { status: 422 } });
  });

  it('does not lose the message while the store is down', async () => {
    let down = true;
    const fail = engine.jobStore.fail.bind(engine.jobStore);
    engine.jobStore.fail = (...ending) =>
      down ? Promise.reject(new ServiceUnavailableError('job store')) : fail(...ending);
    consume([REFUSED, REFUSED]);
    await called(1);
    await settled();
    expect(await engine.queue.deadLetters()).toEqual([]);
    down = false;
    now += 5_000;
    expect(await deadLetter()).toMatchObject({ reason: REFUSED.reason });
    expect(await record()).toMatchObject({ state: 'finished', result: { status: 422 } });
  });

  it.each<[string, Pick<Delivery, 'copy'>, 'dropped' | undefined, string, number]>([
    ['is removed without a call if it is older than the end of its job', {}, undefined, 'done', 0],
    ['becomes a dead letter if it may have ended its job', { copy: 'again' }, undefined, 'dead', 0],
    ['is removed if the job was dropped', { copy: 'again' }, 'dropped', 'done', 0],
    ['is delivered if its queue has no other, because somebody has revived it', { copy: 'only' }, undefined, 'done', 1],
    ['is removed all the same if the job was dropped', { copy: 'only' }, 'dropped', 'done', 0],
  ])('a message %s', async (_what, copy, isDropped, kind, count) => {
    const settled: string[] = [];
    await engine.jobStore.fail(JOB, JOB.described, { status: 503, body: '{}' });
    if (isDropped) await engine.jobStore.drop(JOB, 'why');
    const deliveredOnce: Pick<JobQueue, 'consume'> = {
      consume: (handler) => {
        const delivery = { message: JOB, attempt: 1, lastAttempt: false, since: now, ...copy };
        void Promise.resolve(handler(delivery)).then((disposition) => settled.push(disposition.kind));
        return { close: () => Promise.resolve() };
      },
    };
    consume([], deliveredOnce);
    await waitFor('the outcome', () => settled.length > 0);
    expect([settled, calls]).toEqual([[kind], count]);
    const deleted = log.entries().filter(({ event }) => event === 'queue.message_given_up');
    expect(deleted).toHaveLength(kind === 'done' && count === 0 ? 1 : 0);
  });
});
