import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Delivery, Disposition, QueueConsumer } from '../../../src/jobs/record/job-queue.js';
import { openSqliteEngine, type SqliteEngineOptions } from '../../../src/jobs/engines/sqlite/open-sqlite.js';
import type { JobEngine } from '../../../src/jobs/engines/job-engine.js';
import { captureLog } from '../../support/captured-log.js';
import { closeAfterTest, forEachTest, temporaryDirectory } from '../../support/resources.js';
import { claimed, jobMessage } from '../../support/stored-jobs.js';
import { deferred, waitFor } from '../../support/wait-for.js';

const MAX_ATTEMPTS = 2;
const LEASE_MS = 30_000;
const OK = { status: 200, body: '{}' };

describe('The job queue on SQLite', () => {
  const directory = forEachTest(temporaryDirectory);
  const log = forEachTest(captureLog);
  let engine: JobEngine;
  let now: number;
  let deliveries: string[];

  beforeEach(async () => {
    now = 1_800_000_000_000;
    deliveries = [];
    engine = await open();
    closeAfterTest({ close: () => engine.close() });
  });

  function open(changes: Partial<SqliteEngineOptions> = {}): Promise<JobEngine> {
    return openSqliteEngine({
      directory: directory.path,
      logger: log.logger,
      maxAttempts: MAX_ATTEMPTS,
      clock: () => now,
      messageLeaseMs: LEASE_MS,
      pollMs: 5,
      ...changes,
    });
  }

  function consume(handle: (delivery: Delivery) => Promise<Disposition> | Disposition, concurrency = 1): QueueConsumer {
    const consumer = engine.queue.consume(
      async (delivery) => {
        deliveries.push(`${delivery.message.jobId} #${String(delivery.attempt)}`);
        return handle(delivery);
      },
      { concurrency },
    );
    return closeAfterTest(consumer);
  }

  function delivered(...expected: readonly string[]): Promise<unknown> {
    return waitFor(expected.join(', '), () => deliveries.length >= expected.length).then(() =>
      expect(deliveries).toEqual(expected),
    );
  }

  /** Ends the engine while a message is being handled, as a crash would, so that its lease has to run out. */
  async function crashWith(jobId: string, attempt: number): Promise<void> {
    const before = deliveries.length;
    engine.queue.consume(
      (delivery) => {
        deliveries.push(`${delivery.message.jobId} #${String(delivery.attempt)}`);
        return new Promise(() => undefined);
      },
      { concurrency: 1 },
    );
    await waitFor('the delivery', () => deliveries.length > before);
    expect(deliveries.at(-1)).toBe(`${jobId} #${String(attempt)}`);
    await engine.close();
    engine = await open();
  }

  it('replaces the message that still waits for a job whose record has expired', async () => {
    await engine.submission.submit(jobMessage('job-1'));
    now += 600_000;
    const again = engine.submission.submit({ ...jobMessage('job-1'), payload: 'another' });
    await expect(again).resolves.toMatchObject({ isNew: true, record: { createdAt: now } });
    const payloads: string[] = [];
    consume((delivery) => {
      payloads.push(delivery.message.payload);
      return { kind: 'done' };
    });
    await delivered('job-1 #1');
    expect(payloads).toEqual(['another']);
  });

  it('delivers the reports of an organisation one at a time, and other jobs and organisations beside them', async () => {
    for (const [jobId, org] of [
      ['a-1', 'acme'],
      ['a-2', 'acme'],
      ['g-1', 'globex'],
      ['a-3', 'acme'],
    ] as const) {
      await engine.submission.submit(jobMessage(jobId, { org, kind: 'driving-reports' }));
    }
    await engine.submission.submit(jobMessage('m-1', { org: 'acme', kind: 'mobiles' }));
    const ends = new Map(['a-1', 'a-2', 'a-3', 'g-1', 'm-1'].map((jobId) => [jobId, deferred<Disposition>()]));
    consume(({ message: { jobId } }) => ends.get(jobId)?.promise ?? { kind: 'dead', reason: 'of no test' }, 16);
    await delivered('a-1 #1', 'g-1 #1', 'm-1 #1');
    ends.get('a-1')?.resolve({ kind: 'done' });
    await delivered('a-1 #1', 'g-1 #1', 'm-1 #1', 'a-2 #1');
    ends.get('g-1')?.resolve({ kind: 'done' });
    ends.get('a-2')?.resolve({ kind: 'retry', reason: 'again' });
    await delivered('a-1 #1', 'g-1 #1', 'm-1 #1', 'a-2 #1', 'a-3 #1');
    for (const { resolve } of ends.values()) resolve({ kind: 'done' });
  });

  it('delivers what has waited longest first', async () => {
    for (const id of ['c', 'a', 'b']) {
      await engine.submission.submit(jobMessage(id));
      now += 1;
    }
    consume(() => ({ kind: 'done' }));
    await delivered('c #1', 'a #1', 'b #1');
  });

  it('repeats a failed delivery after its back-off and not before', async () => {
    await engine.submission.submit(jobMessage('job-1'));
    consume(({ message: { jobId }, attempt }) =>
      jobId === 'job-1' && attempt === 1 ? { kind: 'retry', reason: 'no' } : { kind: 'done' },
    );
    await delivered('job-1 #1');
    // Settled: the consumer, which handles one at a time, went on to the next message.
    await engine.submission.submit(jobMessage('job-2'));
    await delivered('job-1 #1', 'job-2 #1');
    now += 999;
    await engine.submission.submit(jobMessage('job-3'));
    await delivered('job-1 #1', 'job-2 #1', 'job-3 #1');
    now += 1;
    await delivered('job-1 #1', 'job-2 #1', 'job-3 #1', 'job-1 #2');
  });

  it('does not let a consumer settle a message that went to another one', async () => {
    await engine.submission.submit(jobMessage('job-1'));
    const first = deferred<Disposition>();
    const slow = consume(() => first.promise);
    await delivered('job-1 #1');
    now += LEASE_MS;
    const second = deferred<Disposition>();
    consume(() => second.promise);
    await delivered('job-1 #1', 'job-1 #2');
    first.resolve({ kind: 'dead', reason: 'the late word' });
    await slow.close();
    expect(await engine.queue.deadLetters()).toEqual([]);
    second.resolve({ kind: 'dead', reason: 'the word that counts' });
    expect(
      await waitFor('the dead letter', async () => {
        const letters = await engine.queue.deadLetters();
        return letters.length > 0 && letters;
      }),
    ).toMatchObject([{ reason: 'the word that counts', attempts: 2 }]);
  });

  describe('when a consumer died in the last attempt', () => {
    beforeEach(async () => {
      await engine.submission.submit(jobMessage('job-1'));
      await crashWith('job-1', 1);
      now += LEASE_MS;
      await crashWith('job-1', 2);
      now += LEASE_MS;
    });

    /** The consumer has looked at everything that is due: it was given a message that came later. */
    async function nothingElseIsDelivered(): Promise<void> {
      deliveries = [];
      now += 1;
      const [one, another] = [randomUUID(), randomUUID()];
      await engine.submission.submit(jobMessage(one));
      await delivered(`${one} #1`);
      await engine.submission.submit(jobMessage(another));
      await delivered(`${one} #1`, `${another} #1`);
    }

    it('makes the message a dead letter without another attempt and ends the record', async () => {
      consume(() => ({ kind: 'done' }));
      await nothingElseIsDelivered();
      const reason = 'Not delivered after 2 attempts; the last one was cut short.';
      expect(await engine.queue.deadLetters()).toEqual([
        { message: { kind: 'mobiles', org: 'acme', jobId: 'job-1' }, reason, attempts: 2, diedAt: now },
      ]);
      expect(await engine.jobStore.read(jobMessage('job-1'))).toMatchObject({
        state: 'finished',
        result: { status: 503, body: JSON.stringify({ message: reason }) },
      });
    });

    it('waits for the callback while it still runs, and is content when that succeeds', async () => {
      const { fencingToken } = await claimed(engine.jobStore, jobMessage('job-1'));
      consume(() => ({ kind: 'done' }));
      await nothingElseIsDelivered();
      expect(await engine.queue.deadLetters()).toEqual([]);
      await engine.jobStore.finish(jobMessage('job-1'), fencingToken, OK);
      now += 60_000;
      await nothingElseIsDelivered();
      expect(await engine.queue.deadLetters()).toEqual([]);
      expect(await engine.jobStore.read(jobMessage('job-1'))).toMatchObject({ state: 'finished', result: OK });
      // The message is gone for good: as soon as the record has expired, the id is free again.
      now += 600_000;
      await expect(engine.submission.submit(jobMessage('job-1'))).resolves.toMatchObject({
        isNew: true,
        record: { createdAt: now },
      });
    });
  });

  it('delivers what is submitted, delayed and left waiting at once to a consumer that hardly ever looks by itself', async () => {
    await engine.close();
    engine = await open({ clock: Date.now, pollMs: 600_000 });
    consume(() => (deliveries.length === 1 ? { kind: 'delay', delayMs: 50 } : { kind: 'done' }));
    await engine.submission.submit(jobMessage('a'));
    await delivered('a #1', 'a #1');
    await Promise.all(['b', 'c'].map((id) => engine.submission.submit(jobMessage(id))));
    await waitFor('the others', () => deliveries.length === 4);
  });

  it('closes while messages are handled and says what could not be settled', async () => {
    await engine.submission.submit(jobMessage('job-1'));
    const held = deferred<Disposition>();
    const consumer = consume(() => held.promise);
    await delivered('job-1 #1');
    await engine.close();
    held.resolve({ kind: 'done' });
    await consumer.close();
    expect(log.complaints()).toEqual(['queue.message_not_settled']);
  });
});
