import { setTimeout as delay } from 'node:timers/promises';

import { beforeEach, describe, expect, it } from '@jest/globals';

import type {
  ConsumeOptions,
  Delivery,
  Disposition,
  JobMessage,
  JobQueue,
  QueueConsumer,
} from '../../src/jobs/record/job-queue.js';
import type { JobIdentity, JobRecord } from '../../src/jobs/record/job-record.js';
import { closeAfterTest, forEachTest } from '../support/resources.js';
import { claimed, claimRequest, jobMessage } from '../support/stored-jobs.js';
import { deferred, waitFor } from '../support/wait-for.js';
import { ChildProcess } from './child-process.js';
import { MAX_ATTEMPTS, MESSAGE_LEASE_MS, type EngineUnderTest } from './engine-under-test.js';

const ORDERER = { BackendUser: '利用者 1', LoggedInId: 'demo' };
const MAX_BACK_OFF_MS = 60_000;
const OK = { status: 200, body: '{}' };

function message(jobId: string, changes: Partial<JobMessage> = {}): JobMessage {
  const described = { total: 3, fingerprint: `print of ${jobId}`, retentionMs: 600_000, orderedBy: ORDERER };
  return jobMessage(jobId, { described, ...changes });
}

function identity(jobId: string): JobIdentity {
  return { kind: 'mobiles', org: 'acme', jobId };
}

/** Registers the tests that every queue must pass, within the `describe` of the caller. */
export function jobQueueContract(open: () => Promise<EngineUnderTest>): void {
  const subject = forEachTest(open);
  let deliveries: Delivery[];

  beforeEach(() => {
    deliveries = [];
  });

  function consume(
    handler: (delivery: Delivery) => Promise<Disposition> | Disposition,
    options: ConsumeOptions = { concurrency: 1 },
  ): QueueConsumer {
    const consumer = subject.queue.consume(async (delivery) => {
      deliveries.push(delivery);
      return handler(delivery);
    }, options);
    return closeAfterTest(consumer);
  }

  async function delivered(count: number): Promise<readonly Delivery[]> {
    await waitFor(`${String(count)} deliveries`, () => deliveries.length >= count);
    return deliveries;
  }

  /** Lets time pass until so many deliveries have come: how long each of them waits is the queue's affair. */
  async function deliveredInTime(count: number): Promise<readonly Delivery[]> {
    await waitFor(`${String(count)} deliveries`, async () => {
      if (deliveries.length < count) await subject.passTime(MAX_BACK_OFF_MS);
      return deliveries.length >= count;
    });
    return deliveries;
  }

  function deadLetters(count: number): ReturnType<JobQueue['deadLetters']> {
    return waitFor(`${String(count)} dead letters`, async () => {
      const letters = await subject.queue.deadLetters();
      return letters.length >= count && letters;
    });
  }

  /** Shows that nothing else is delivered: a job submitted now is the next one. */
  async function expectNothingButNewJobs(): Promise<void> {
    const before = deliveries.length;
    await subject.submission.submit(message('afterwards'));
    const [next] = (await delivered(before + 1)).slice(before);
    expect(next?.message.jobId).toBe('afterwards');
  }

  describe('a submitted job', () => {
    it.each(['株式会社 🚚', undefined])(
      'is delivered with everything it carries, and its organisation: %s',
      async (org) => {
        const submitted = message('job-1', { org, payload: 'x'.repeat(org === undefined ? 1 : 5 * 1024 * 1024) });
        await subject.submission.submit(submitted);
        consume(() => ({ kind: 'done' }));
        const [delivery] = await delivered(1);
        expect(delivery?.message).toEqual(submitted);
        expect(delivery).toMatchObject({ attempt: 1, lastAttempt: false });
      },
    );

    it('has a pending record from the moment it was accepted', async () => {
      const submitted = message('job-1');
      const { record, isNew } = await subject.submission.submit(submitted);
      expect(isNew).toBe(true);
      expect(record).toEqual(await subject.store.read(submitted));
      expect(record).toMatchObject({ state: 'pending', ...submitted.described, done: 0, attempt: 0 });
      expect(await subject.store.claim(submitted, claimRequest())).toEqual({ outcome: 'conflict' });
    });

    it('is delivered once, with its first body and its first record, even if it was submitted several times', async () => {
      const twice = await Promise.all([1, 2].map(() => subject.submission.submit(message('job-1'))));
      expect(twice.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
      const changes = {
        payload: 'another payload',
        described: { ...message('job-1').described, fingerprint: 'other' },
      };
      const again = await subject.submission.submit(message('job-1', changes));
      expect(again).toEqual({ record: twice[0]?.record, isNew: false });
      expect(twice[1]?.record).toEqual(twice[0]?.record);
      consume(({ message: { payload } }) => {
        expect(payload).toBe('payload of job-1');
        return { kind: 'done' };
      });
      await delivered(1);
      await expectNothingButNewJobs();
    });
  });

  describe('a delivery', () => {
    it('that fails is repeated until the last attempt, then goes to the dead letters', async () => {
      await subject.submission.submit(message('job-1'));
      consume(({ attempt }) => ({ kind: 'retry', reason: `failure ${String(attempt)}` }));
      await deliveredInTime(MAX_ATTEMPTS);
      const [letter] = await deadLetters(1);
      expect(letter).toMatchObject({ reason: 'failure 3', attempts: 3, message: identity('job-1') });
      expect(letter?.diedAt).toBeGreaterThan(0);
      expect(deliveries.map(({ attempt, lastAttempt }) => ({ attempt, lastAttempt }))).toEqual([
        { attempt: 1, lastAttempt: false },
        { attempt: 2, lastAttempt: false },
        { attempt: 3, lastAttempt: true },
      ]);
      await subject.passTime(MAX_BACK_OFF_MS);
      await expectNothingButNewJobs();
    });

    it('whose handler throws is repeated', async () => {
      await subject.submission.submit(message('job-1'));
      consume(({ attempt }) => {
        if (attempt === 1) throw new Error('an accident');
        return { kind: 'done' };
      });
      expect((await deliveredInTime(2)).map(({ attempt }) => attempt)).toEqual([1, 2]);
    });

    it('that is delayed comes again without using up an attempt, and keeps those it has used', async () => {
      await subject.submission.submit(message('job-1'));
      consume(() => {
        if (deliveries.length === 2) return { kind: 'retry', reason: 'first' };
        return deliveries.length < 7 ? { kind: 'delay', delayMs: 50 } : { kind: 'done' };
      });
      expect((await deliveredInTime(7)).map(({ attempt }) => attempt)).toEqual([1, 1, 2, 2, 2, 2, 2]);
      expect(await subject.queue.deadLetters()).toEqual([]);
    });

    it('that is hopeless goes to the dead letters at once', async () => {
      await subject.submission.submit(message('job-1'));
      consume(({ message: { jobId } }) => (jobId === 'job-1' ? { kind: 'dead', reason: 'no use' } : { kind: 'done' }));
      const [letter] = await deadLetters(1);
      expect(letter).toMatchObject({ reason: 'no use', attempts: 1, message: identity('job-1') });
      await subject.passTime(MAX_BACK_OFF_MS);
      await expectNothingButNewJobs();
    });
  });

  it('keeps its dead letters in the order in which they died', async () => {
    consume(() => ({ kind: 'dead', reason: 'no use' }));
    const ids = ['c', 'a', 'b'];
    for (const [index, id] of ids.entries()) {
      await subject.submission.submit(message(id));
      await deadLetters(index + 1);
      await subject.passTime(5);
    }
    const letters = await subject.queue.deadLetters();
    expect(letters.map((letter) => letter.message.jobId)).toEqual(ids);
    const times = letters.map(({ diedAt }) => diedAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('tells how much there is in it, and since when the oldest waits', async () => {
    const empty = { waiting: 0, inHand: 0, deadLetters: 0, oldestSince: undefined };
    expect(await subject.queue.load()).toEqual(empty);
    const submittedAt: number[] = [];
    for (const id of ['dies', 'stays', 'waits', 'waits-too']) {
      submittedAt.push((await subject.submission.submit(message(id))).record.createdAt);
      await subject.passTime(5);
    }
    const released = deferred();
    const consumer = consume(async ({ message: { jobId } }) => {
      if (jobId === 'dies') return { kind: 'dead', reason: 'never' };
      await released.promise;
      return { kind: 'delay', delayMs: 60_000 };
    });
    await deliveredInTime(2);
    const load = await subject.queue.load();
    released.resolve();
    await consumer.close();
    expect(load).toMatchObject({ waiting: 2, inHand: 1, deadLetters: 1 });
    // BullMQ notes the time by itself.
    const sinceOrdered = (since: number | undefined, index: number): number => (since ?? 0) - (submittedAt[index] ?? 0);
    expect(Math.abs(sinceOrdered(load.oldestSince, 2))).toBeLessThan(1_000);
    // A message that comes again later waits as well, and longer than the others.
    const later = await subject.queue.load();
    const [waiting, inHand] = subject.countedBySqs ? [2, 1] : [3, 0];
    expect(later).toMatchObject({ waiting, inHand, deadLetters: 1 });
    expect(Math.abs(sinceOrdered(later.oldestSince, 1))).toBeLessThan(1_000);
    expect(later.oldestSince).toBeLessThanOrEqual(load.oldestSince ?? 0);
  });

  it('lists dead letters without what their messages carry, which is had for one of them', async () => {
    const sent = [message('job-1', { org: '株式会社 🚚' }), message('job.2', { org: undefined })];
    const consumer = consume(() => ({ kind: 'dead', reason: 'no use' }));
    for (const [index, each] of sent.entries()) {
      await subject.submission.submit(each);
      await deadLetters(index + 1);
    }
    const letters = await subject.queue.deadLetters();
    const identities = sent.map(({ kind, org, jobId }) => ({ kind, org, jobId }));
    expect(letters.map((letter) => letter.message)).toEqual(identities);
    for (const each of sent) expect(await subject.queue.deadMessage(each)).toEqual(each);
    expect(await subject.queue.deadMessage(message('job-3'))).toBeUndefined();
    await subject.submission.submit(message('job-3'));
    await deadLetters(3);
    await consumer.close();
    expect(await subject.queue.replay(message('job-3'))).toBe(true);
    expect(await subject.queue.deadMessage(message('job-3'))).toBeUndefined();
  });

  describe('a dead letter whose job is submitted again', () => {
    const again = message('job-1', { payload: 'another payload' });

    /** A dead letter, and a consumer that handles everything that comes now. */
    async function dieAndRecover(): Promise<void> {
      await subject.submission.submit(message('job-1'));
      consume(({ message: { payload } }) =>
        payload === 'payload of job-1' ? { kind: 'dead', reason: 'no use' } : { kind: 'done' },
      );
      await deadLetters(1);
      await subject.store.fail(message('job-1'), message('job-1').described, { status: 503, body: '{}' });
    }

    it('stays one as long as its record says how it ended', async () => {
      await dieAndRecover();
      const { record, isNew } = await subject.submission.submit(again);
      expect(isNew).toBe(false);
      expect(record).toMatchObject({ state: 'finished', result: { status: 503 } });
      await expectNothingButNewJobs();
      expect(await subject.queue.deadLetters()).toHaveLength(1);
    });

    it('is a new job when its record has expired, delivered from its first attempt with what it carries now', async () => {
      await dieAndRecover();
      await subject.passTime(again.described.retentionMs);
      expect(await subject.submission.submit(again)).toMatchObject({ isNew: true, record: { state: 'pending' } });
      const [, delivery] = await delivered(2);
      expect(delivery).toMatchObject({ message: again, attempt: 1, lastAttempt: false });
      await expectNothingButNewJobs();
    });
  });

  describe('a replayed dead letter', () => {
    async function die(jobId: string): Promise<void> {
      const consumer = consume(() => ({ kind: 'dead', reason: 'no use' }));
      await subject.submission.submit(message(jobId));
      await deadLetters(1);
      await consumer.close();
      deliveries = [];
    }

    it('is delivered again from its first attempt, to a consumer that has been waiting, and may die again', async () => {
      await die('job-1');
      await subject.store.fail(message('job-1'), message('job-1').described, { status: 503, body: '{}' });
      const consumer = consume(() => ({ kind: 'dead', reason: 'still no use' }));
      expect(await subject.queue.replay(message('job-1'))).toBe(true);
      const [delivery] = await delivered(1);
      expect(delivery).toMatchObject({ message: message('job-1'), attempt: 1, lastAttempt: false });
      await consumer.close();
      expect(await subject.queue.deadLetters()).toMatchObject([{ reason: 'still no use', attempts: 1 }]);
    });

    it('is that of a pending job, with all that it has done, which waits from then on and can be cancelled', async () => {
      await die('job-1');
      const { fencingToken } = await claimed(subject.store, message('job-1'), { fingerprints: ['print of job-1'] });
      const progress = { done: 1, checkpoint: '{"next":1}', items: [{ index: 0, createdId: 7 }] };
      await subject.store.checkpoint(message('job-1'), fencingToken, progress);
      await subject.store.release(message('job-1'), fencingToken);
      await subject.store.fail(message('job-1'), message('job-1').described, { status: 503, body: '{}' });
      await subject.store.drop(message('job-1'), 'by mistake');
      const { finishedAt = NaN } = (await subject.store.read(message('job-1'))) ?? {};
      await subject.passTime(60);
      expect(await subject.queue.replay(message('job-1'))).toBe(true);
      const record = (await subject.store.read(message('job-1'))) ?? {};
      expect(record).toMatchObject({ state: 'pending', attempt: 1, done: 1, checkpoint: '{"next":1}' });
      for (const gone of ['result', 'finishedAt', 'dropped', 'lease']) expect(record).not.toHaveProperty(gone);
      expect(await subject.store.readItems(message('job-1'))).toEqual(progress.items);
      const { replayedAt = NaN } = record as JobRecord; // of the replay
      expect(replayedAt).toBeGreaterThan(finishedAt);
      // SQS counts approximately.
      const { oldestSince } = await waitFor('the message', async () => {
        const load = await subject.queue.load();
        return load.oldestSince !== undefined && load;
      });
      expect(oldestSince).toBe(replayedAt);
      expect(await subject.store.cancel(message('job-1'), { attempt: 1, done: 1, result: OK })).toMatchObject({
        ...{ state: 'finished', changed: true },
      });
    });

    it('is newer than the end of its job, by whichever clock, because that makes it a replay', async () => {
      await die('job-1');
      await subject.passTime(60_000);
      await subject.store.fail(message('job-1'), message('job-1').described, { status: 500, body: '{}' });
      const { finishedAt = Infinity } = (await subject.store.read(message('job-1'))) ?? {};
      await subject.passTime(-60_000);
      expect(await subject.queue.replay(message('job-1'))).toBe(true);
      consume(() => ({ kind: 'done' }));
      const [delivery] = await delivered(1);
      expect(delivery?.since).toBeGreaterThan(finishedAt);
    });

    it('is delivered once even if it is replayed by several at the same time', async () => {
      await die('job-1');
      const replayed = await Promise.all([1, 2, 3].map(() => subject.queue.replay(message('job-1'))));
      expect(replayed.filter((done) => done)).toHaveLength(1);
      expect(await subject.queue.deadLetters()).toEqual([]);
      consume(() => ({ kind: 'done' }));
      await delivered(1);
      await expectNothingButNewJobs();
      expect(await subject.queue.replay(message('job-1'))).toBe(false);
    });

    it('that is dropped is gone, and is neither replayed nor delivered', async () => {
      await die('job-1');
      expect(await subject.queue.drop(message('job-1', { org: 'other' }))).toBe(false);
      const dropped = await Promise.all([1, 2].map(() => subject.queue.drop(message('job-1'))));
      expect(dropped.filter((done) => done)).toHaveLength(1);
      expect(await subject.queue.deadLetters()).toEqual([]);
      expect(await subject.queue.deadMessage(message('job-1'))).toBeUndefined();
      expect(await subject.queue.replay(message('job-1'))).toBe(false);
      await subject.submission.submit(message('job-2'));
      // A message that will be delivered is no dead letter.
      expect(await subject.queue.drop(message('job-2'))).toBe(false);
      consume(() => ({ kind: 'done' }));
      expect((await delivered(1)).map(({ message: { jobId } }) => jobId)).toEqual(['job-2']);
      await expectNothingButNewJobs();
    });

    it('is neither one of another job, nor a message that still waits', async () => {
      await die('job-1');
      await subject.submission.submit(message('job-2'));
      for (const other of [
        { org: 'other' },
        { kind: 'user-accounts' },
        { jobId: 'job-2' },
        { jobId: 'job-3' },
      ] as const) {
        expect(await subject.queue.replay(message('job-1', other))).toBe(false);
      }
      expect(await subject.queue.deadLetters()).toHaveLength(1);
    });
  });

  describe('a consumer', () => {
    it('handles as many messages at a time as its concurrency allows, and never more', async () => {
      let inHand = 0;
      let most = 0;
      const hands: (() => void)[] = [];
      consume(
        async () => {
          inHand += 1;
          most = Math.max(most, inHand);
          await new Promise<void>((resolve) => hands.push(resolve));
          inHand -= 1;
          return { kind: 'done' };
        },
        { concurrency: 3 },
      );
      for (let index = 0; index < 8; index += 1) await subject.submission.submit(message(`job-${String(index)}`));
      for (let finished = 0; finished < 8; finished += 1) {
        await waitFor('all places to be taken', () => inHand === Math.min(3, 8 - finished));
        hands.shift()?.();
        await waitFor('a free place', () => deliveries.length - inHand === finished + 1);
      }
      expect(most).toBe(3);
    });

    it('that is closed finishes its message and leaves the rest to others', async () => {
      await subject.submission.submit(message('job-1'));
      await subject.submission.submit(message('job-2'));
      const held = deferred<Disposition>();
      const consumer = consume(() => held.promise);
      const [first] = await delivered(1);
      let closed = false;
      const closing = consumer.close().then(() => {
        closed = true;
      });
      await new Promise(setImmediate);
      expect(closed).toBe(false);
      held.resolve({ kind: 'done' });
      await closing;
      expect(deliveries).toHaveLength(1);
      consume(() => ({ kind: 'done' }));
      const ids = (await delivered(2)).map((delivery) => delivery.message.jobId);
      expect(ids).toEqual(first?.message.jobId === 'job-1' ? ['job-1', 'job-2'] : ['job-2', 'job-1']);
    });

    it('that holds a message for long keeps it', async () => {
      await subject.submission.submit(message('job-1'));
      const long = deferred();
      consume(async ({ message: { jobId } }) => {
        if (jobId === 'job-1') await long.promise;
        return { kind: 'done' };
      });
      await delivered(1);
      // Other consumers are eager to have it.
      consume(() => ({ kind: 'done' }));
      await delay(1.5 * MESSAGE_LEASE_MS);
      expect(deliveries).toHaveLength(1);
      await expectNothingButNewJobs();
      long.resolve();
    });

    it('that dies loses its message to another one', async () => {
      await subject.submission.submit(message('job-1'));
      const child = ChildProcess.start('consume-messages.ts', subject.otherProcess, 'hang');
      expect(await child.nextLine()).toBe('ready');
      expect(JSON.parse(await child.nextLine())).toEqual({ jobId: 'job-1', attempt: 1 });
      await child.kill();
      consume(() => ({ kind: 'done' }));
      const [again] = await delivered(1);
      expect(again).toMatchObject({ attempt: subject.countedBySqs ? 1 : 2, message: message('job-1') });
    });
  });

  it('gives each message to one of several processes', async () => {
    const child = ChildProcess.start('consume-messages.ts', subject.otherProcess, 'done');
    expect(await child.nextLine()).toBe('ready');
    const seen: { readonly jobId: string; readonly attempt: number }[] = [];
    void (async () => {
      for (;;) seen.push(JSON.parse(await child.nextLine()) as (typeof seen)[number]); // as the process writes it
    })().catch(() => undefined);
    const handler = ({ message: { jobId }, attempt }: Delivery): Disposition => {
      seen.push({ jobId, attempt });
      return { kind: 'done' };
    };
    const consumer = consume(handler, { concurrency: 4 });
    const ids = Array.from({ length: 60 }, (_, index) => `job-${String(index)}`);
    for (const id of ids) await subject.submission.submit(message(id));
    await waitFor('all messages', () => new Set(seen.map(({ jobId }) => jobId)).size === ids.length);
    child.send('close');
    await Promise.all([child.end(), consumer.close()]);
    // A process that stands still for longer than its lease loses a message, which counts as another attempt.
    const first = seen.filter(({ attempt }) => attempt === 1).map(({ jobId }) => jobId);
    expect(first.toSorted()).toEqual(ids.toSorted());
  });
}
