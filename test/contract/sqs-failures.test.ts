/** What SQS counts, hides, refuses and forgets, and what others do with the queue. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../src/errors.js';
import type { Delivery, Disposition, JobMessage, QueueConsumer } from '../../src/job-record/job-queue.js';
import { readSqsMessage, writeSqsMessage } from '../../src/job-record/sqs-message.js';
import { captureLog, type CapturedLog } from '../support/captured-log.js';
import { describeOnSqs, startFauxqs, type Fauxqs } from '../support/fauxqs.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { waitFor } from '../support/wait-for.js';
import { ChildProcess } from './child-process.js';
import { openOnSqs, type SqsEngineOptions, type SqsQueueUnderTest } from './sqs-engine.js';

const EMPTY = { visible: 0, hidden: 0, delayed: 0 };

/** Longer than SQS waits for a consumer in these tests. */
const DEADLINE_MS = 0;

function message(jobId: string, payload = `payload of ${jobId}`): JobMessage {
  const described = { total: 3, fingerprint: `print of ${jobId}`, retentionMs: 600_000 };
  return { kind: 'mobiles', org: '株式会社 🚚', jobId, payload, described };
}

describeOnSqs('The job queue on Amazon SQS, of which fauxqs stands in', () => {
  let server: RedisServer;
  let sqs: Fauxqs;
  let subject: SqsQueueUnderTest;
  let log: CapturedLog;
  let consumers: QueueConsumer[];
  let deliveries: Delivery[];

  beforeAll(async () => {
    [server, sqs] = await Promise.all([startRedis({ port: 'tcp' }), startFauxqs()]);
  });
  beforeEach(async () => {
    log = captureLog();
    await open();
  });
  afterEach(async () => {
    sqs.resume();
    await close();
  });
  afterAll(async () => {
    await Promise.all([sqs.stop(), server.stop()]);
  });

  async function open(options: SqsEngineOptions & { readonly maxReceiveCount?: number } = {}): Promise<void> {
    consumers = [];
    deliveries = [];
    subject = await openOnSqs(server, sqs, { logger: log.logger, ...options });
  }

  async function close(): Promise<void> {
    await Promise.all(consumers.map((consumer) => consumer.close()));
    await subject.close();
  }

  async function reopen(options: Parameters<typeof open>[0]): Promise<void> {
    await close();
    await open(options);
  }

  function consume(handler: (delivery: Delivery) => Promise<Disposition> | Disposition): QueueConsumer {
    const consumer = subject.queue.consume(
      async (delivery) => {
        deliveries.push(delivery);
        return handler(delivery);
      },
      { concurrency: 1 },
    );
    consumers.push(consumer);
    return consumer;
  }

  const delivered = (count: number): Promise<true> =>
    waitFor(`${String(count)} deliveries`, () => deliveries.length >= count);

  const emptied = (url?: string): Promise<boolean> =>
    waitFor('the queue to be empty', async () => (await subject.testQueue.size(url)) === 0);

  const died = (count: number): Promise<unknown> =>
    waitFor('the dead letters', async () => (await subject.queue.deadLetters()).length === count);

  const sweep = (): Promise<number> => subject.engine.queue.sweepOrphans({ olderThanMs: DEADLINE_MS });

  /** Nobody has seen the message of a job for so long that it may be gone. */
  async function silence(jobId: string): Promise<void> {
    const [key = ''] = await subject.engine.redis.client.keys(`{gateway}:sqs:job:*.${jobId}`);
    await subject.engine.redis.client.hset(key, 'seen', Date.now() - 600_000);
  }

  it('never makes a dead letter of patience: SQS counts receives, and we begin anew before it is through', async () => {
    await reopen({ maxReceiveCount: 3 });
    await subject.submission.submit(message('job-1'));
    consume(() => (deliveries.length <= 10 ? { kind: 'delay', delayMs: 0 } : { kind: 'done' }));
    await delivered(11);
    expect(new Set(deliveries.map(({ attempt }) => attempt))).toEqual(new Set([1]));
    await emptied();
    expect(await subject.testQueue.counts(subject.testQueue.deadLetterUrl)).toEqual(EMPTY);
    expect(await subject.queue.deadLetters()).toEqual([]);
  });

  it('waits for longer than SQS delays a message, where a new one is sent', async () => {
    await reopen({ maxReceiveCount: 2 });
    await subject.submission.submit(message('job-1'));
    const consumer = consume(() => ({ kind: 'delay', delayMs: 20 * 60 * 1000 }));
    await waitFor('the delay', async () => (await subject.testQueue.counts()).delayed === 1);
    await consumer.close();
    expect(await subject.testQueue.counts()).toEqual({ ...EMPTY, delayed: 1 });
    const [queued] = await subject.engine.queue.queued();
    expect(queued).toMatchObject({ state: 'delayed', attempts: 0 });
    expect((queued?.dueAt ?? 0) - Date.now()).toBeGreaterThan(19 * 60 * 1000);
    // SQS delivers it after 15 minutes; the copy stands for that. It is put off again, and is no attempt.
    const early = { job: withoutPayload(message('job-1')), payload: { sealed: 'p' }, generation: 1 };
    await subject.testQueue.send(writeSqsMessage({ ...early, attempts: 0, acceptedAt: Date.now() }));
    consume(() => ({ kind: 'done' }));
    await waitFor('the copy to be put off as well', async () => (await subject.testQueue.counts()).delayed === 2);
    expect(deliveries).toHaveLength(1);
  });

  it('delivers again what a consumer had in hand that died, once, and counts that as an attempt', async () => {
    await subject.submission.submit(message('job-1'));
    const child = ChildProcess.start('consume-messages.ts', subject.otherProcess, 'hang');
    expect(await child.nextLine()).toBe('ready');
    await child.nextLine();
    await child.kill();
    consume(() => ({ kind: 'done' }));
    await delivered(1);
    await emptied();
    expect(deliveries.map(({ attempt }) => attempt)).toEqual([2]);
  });

  it('delivers one of several copies of a message: SQS promises once at least', async () => {
    await subject.submission.submit(message('job-1'));
    const [body = ''] = await subject.testQueue.receive();
    for (let copies = 0; copies < 3; copies += 1) await subject.testQueue.send(body);
    consume(() => ({ kind: 'done' }));
    await emptied();
    expect(deliveries).toHaveLength(1);
  });

  it('delivers what Redis has forgotten', async () => {
    await subject.submission.submit(message('job-1'));
    await subject.engine.redis.client.flushall();
    consume(() => ({ kind: 'done' }));
    await delivered(1);
    expect(deliveries[0]).toMatchObject({ attempt: 1, message: message('job-1') });
  });

  it('keeps a body that is too large for a message in the object store, until its job is done', async () => {
    const large = message('job-1', `sealed ${'x'.repeat(300_000)}`);
    await subject.submission.submit(large);
    const [body = ''] = await subject.testQueue.receive();
    expect(body.length).toBeLessThan(2_000);
    expect(readSqsMessage(body).payload).toEqual({ key: expect.stringMatching(/^job-bodies\/[0-9a-f]{64}\/1$/) });
    expect(await filesBelow(subject.directory)).toHaveLength(1);
    consume(() => (deliveries.length === 1 ? { kind: 'delay', delayMs: 0 } : { kind: 'done' }));
    await delivered(2);
    expect(deliveries.map((delivery) => delivery.message)).toEqual([large, large]);
    await waitFor('the body to be removed', async () => (await filesBelow(subject.directory)).length === 0);
  });

  it('puts off a job whose body cannot be read, and says which one it is', async () => {
    await subject.submission.submit(message('job-1', 'x'.repeat(300_000)));
    const [body = ''] = await filesBelow(subject.directory);
    await rm(body);
    await mkdir(body);
    consume(() => ({ kind: 'done' }));
    const unreadable = await waitFor('the line', () => log.entries().find(({ event }) => event === 'queue.unreadable'));
    expect(unreadable).toMatchObject({ jobId: 'job-1', kind: 'mobiles', attempt: 1 });
    expect(deliveries).toEqual([]);
  });

  it('says of which job it could not note what became of it', async () => {
    const { client } = subject.engine.redis;
    await subject.submission.submit(message('job-1'));
    consume(async () => {
      await client.config('SET', 'maxmemory', '1');
      return { kind: 'delay', delayMs: 0 };
    });
    try {
      const event = 'queue.message_not_settled';
      const line = await waitFor('the line', () => log.entries().find((entry) => entry['event'] === event));
      expect(line).toMatchObject({ jobId: 'job-1', kind: 'mobiles' });
    } finally {
      await client.config('SET', 'maxmemory', '0');
    }
  });

  it('ends a job whose body is gone, because nobody can run it', async () => {
    await subject.submission.submit(message('job-1', 'x'.repeat(300_000)));
    await rm(subject.directory, { recursive: true });
    consume(() => ({ kind: 'done' }));
    await died(1);
    expect(deliveries).toEqual([]);
    const reason = 'The body of the job message is not in the object store any more.';
    expect(await subject.queue.deadLetters()).toMatchObject([{ reason }]);
    expect(await subject.jobStore.read(message('job-1'))).toMatchObject({
      state: 'finished',
      result: { status: 500, body: JSON.stringify({ message: reason }) },
    });
  });

  it('copies a dead letter to the dead-letter queue, from where it may be moved back', async () => {
    const { testQueue } = subject;
    await subject.submission.submit(message('job-1'));
    consume(() => (deliveries.length === 1 ? { kind: 'dead', reason: 'no use' } : { kind: 'done' }));
    await died(1);
    await waitFor('the copy', async () => (await testQueue.counts(testQueue.deadLetterUrl)).visible === 1);
    const [body = ''] = await testQueue.receive(testQueue.deadLetterUrl);
    expect(readSqsMessage(body)).toMatchObject({ job: { jobId: 'job-1' }, death: { reason: 'no use', attempts: 1 } });
    // As the console of SQS does it ("Start DLQ redrive").
    await testQueue.send(body);
    await delivered(2);
    expect(deliveries[1]).toMatchObject({ attempt: 1, message: message('job-1') });
    await died(0);
  });

  it('drops copies of what was replayed meanwhile', async () => {
    const { testQueue } = subject;
    await subject.submission.submit(message('job-1'));
    consume(() => (deliveries.length === 1 ? { kind: 'dead', reason: 'no use' } : { kind: 'done' }));
    await died(1);
    await emptied();
    const [body = ''] = await testQueue.receive(testQueue.deadLetterUrl);
    expect(await subject.queue.replay(message('job-1'))).toBe(true);
    await delivered(2);
    await testQueue.send(body);
    await emptied();
    expect(deliveries).toHaveLength(2);
    expect(await testQueue.size(testQueue.deadLetterUrl)).toBe(1);
    await sweep();
    expect(await testQueue.size(testQueue.deadLetterUrl)).toBe(0);
  });

  it('takes up what others have put into the dead-letter queue, and ends its record', async () => {
    await reopen({ maxReceiveCount: 1, leaseMs: 1_000 });
    const { testQueue } = subject;
    await subject.submission.submit(message('job-1'));
    // Received once too often by somebody who settles nothing: SQS moves it.
    await waitFor('SQS to move it', async () => {
      await testQueue.receive();
      return (await testQueue.size(testQueue.deadLetterUrl)) === 1;
    });
    expect(await subject.queue.deadLetters()).toEqual([]);
    await sweep();
    const reason = expect.stringContaining('as often as the queue allows');
    expect(await subject.queue.deadLetters()).toMatchObject([{ reason, message: { jobId: 'job-1' } }]);
    expect(await subject.jobStore.read(message('job-1'))).toMatchObject({ state: 'finished', result: { status: 503 } });
    // It lies there as before.
    expect(await testQueue.counts(testQueue.deadLetterUrl)).toEqual({ ...EMPTY, visible: 1 });
    await subject.queue.replay(message('job-1'));
    consume(() => ({ kind: 'done' }));
    await delivered(1);
    expect(deliveries[0]).toMatchObject({ attempt: 1, message: message('job-1') });
  });

  it('puts what is no message into the dead-letter queue, and goes on', async () => {
    const { testQueue } = subject;
    await testQueue.send('{"hello":"world"}');
    await subject.submission.submit(message('job-1'));
    consume(() => ({ kind: 'done' }));
    await emptied();
    expect(await testQueue.receive(testQueue.deadLetterUrl)).toEqual(['{"hello":"world"}']);
    expect(log.complaints()).toContain('queue.dead_letter_unreadable');
    await sweep();
    expect(await testQueue.counts(testQueue.deadLetterUrl)).toEqual({ ...EMPTY, visible: 1 });
  });

  it('puts off what a newer build has written', async () => {
    const { testQueue } = subject;
    await testQueue.send('{"format":2}');
    consume(() => ({ kind: 'done' }));
    await waitFor('it to be hidden', async () => (await testQueue.counts()).hidden === 1);
    expect(await testQueue.counts(testQueue.deadLetterUrl)).toEqual(EMPTY);
    expect(deliveries).toEqual([]);
  });

  it('ends the record of a job that it cannot take, which is then said', async () => {
    const unreachable = subject.openAgain();
    try {
      await unreachable.redis.ready();
      await sqs.stop();
      await expect(unreachable.queue.submit(message('job-1'))).rejects.toThrow(ServiceUnavailableError);
      expect(await unreachable.store.read(message('job-1'))).toMatchObject({
        state: 'finished',
        result: { status: 503 },
      });
      expect(await unreachable.queue.queued()).toEqual([]);
      expect(log.complaints()).toContainEqual(expect.stringMatching(/^SQS cannot be reached\. Check SQS_QUEUE_URL/));
      await expect(unreachable.queue.load()).rejects.toThrow(ServiceUnavailableError);
    } finally {
      await unreachable.close();
      sqs = await startFauxqs();
    }
  });

  it('runs nothing of a request that was refused and comes late, and takes the job when it is submitted again', async () => {
    const first = message('job-1', 'first');
    sqs.pause();
    await expect(subject.submission.submit(first)).rejects.toThrow(ServiceUnavailableError);
    sqs.resume();
    await waitFor('the late request', async () => (await subject.testQueue.size()) > 0);
    await subject.submission.submit(message('job-1', 'second'));
    consume(() => ({ kind: 'done' }));
    await delivered(1);
    await emptied();
    expect(deliveries.map((delivery) => delivery.message.payload)).toEqual(['second']);
  });

  it('ends records of jobs whose messages are gone, and of none that may still come', async () => {
    await subject.submission.submit(message('gone'));
    await silence('gone');
    expect(await sweep()).toBe(0);
    await subject.testQueue.purge();
    await subject.submission.submit(message('fresh'));
    await subject.testQueue.purge();
    expect(await sweep()).toBe(1);
    expect(await subject.jobStore.read(message('gone'))).toMatchObject({ state: 'finished', result: { status: 503 } });
    expect(await subject.jobStore.read(message('fresh'))).toMatchObject({ state: 'pending' });
    expect((await subject.engine.queue.queued()).map(({ jobId }) => jobId)).toEqual(['fresh']);
  });
});

function withoutPayload({ payload: _payload, ...job }: JobMessage): Omit<JobMessage, 'payload'> {
  return job;
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
