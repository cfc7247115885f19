/** Messages that SQS counts, hides, refuses or forgets, and changes that others make to the queue. */
import { mkdir, rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../src/base/errors.js';
import type { Delivery, Disposition, JobMessage, QueueConsumer } from '../../src/jobs/record/job-queue.js';
import { jobRecordKey } from '../../src/jobs/record/job-record.js';
import { keyedJobId } from '../../src/jobs/record/keyed-job-id.js';
import { readSqsEnvelope, writeSqsEnvelope } from '../../src/jobs/record/sqs-envelope.js';
import { captureLog } from '../support/captured-log.js';
import { startFauxqs, type Fauxqs } from '../support/fauxqs.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests, forEachTest } from '../support/resources.js';
import { claimRequest, jobMessage } from '../support/stored-jobs.js';
import { waitFor } from '../support/wait-for.js';
import { filesBelow } from './embedded.js';
import { openOnSqs, PATIENCE_MS, type SqsEngineOptions, type SqsQueueUnderTest } from './sqs-engine.js';
import { describeOnSqs } from '../support/system-tools.js';

const EMPTY = { visible: 0, hidden: 0, delayed: 0 };

/** Index of the jobs that have not ended, as far as is known. */
const UNFINISHED = '{gateway}:unfinished';

function message(jobId: string, payload = `payload of ${jobId}`): JobMessage {
  return jobMessage(jobId, { org: '株式会社 🚚', payload });
}

describeOnSqs('The job queue on Amazon SQS, of which fauxqs stands in', () => {
  const server = forAllTests(() => startRedis());
  let sqs: Fauxqs;
  let subject: SqsQueueUnderTest;
  const log = forEachTest(captureLog);
  let consumers: QueueConsumer[];
  let deliveries: Delivery[];
  let runs: number;

  beforeAll(async () => {
    sqs = await startFauxqs();
  });
  afterAll(() => sqs.stop());
  beforeEach(() => open());
  afterEach(async () => {
    sqs.resume();
    await close();
  });

  async function open(options: SqsEngineOptions & { readonly maxReceiveCount?: number } = {}): Promise<void> {
    consumers = [];
    deliveries = [];
    runs = 0;
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

  const unsettled = (): Promise<unknown> =>
    waitFor('the line', () =>
      log.entries().find(({ event, jobId }) => event === 'queue.message_not_settled' && jobId === 'job-1'),
    );

  const sweep = (): Promise<number> => subject.engine.queue.sweepOrphans({ olderThanMs: 0 });

  /** Makes the message of a job unseen for so long that it counts as lost. */
  async function silence(jobId: string): Promise<void> {
    const { client } = subject.engine.redis;
    const [member = ''] = (await client.zrange(UNFINISHED, 0, '-1')).filter((each) => each.includes(`"${jobId}"`));
    await client.zadd(UNFINISHED, 'XX', Date.now() - 2 * PATIENCE_MS, member);
  }

  /** Runs a job to its end, as its callback would. */
  async function run(job: JobMessage): Promise<Disposition> {
    const claim = await subject.store.claim(job, claimRequest());
    if (claim.outcome === 'claimed') {
      await subject.store.finish(job, claim.fencingToken, { status: 200, body: '{}' });
      runs += 1;
    }
    return { kind: 'done' };
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
    // SQS delivers it after 15 minutes; this one stands for it. It is put off again, and is no attempt.
    const { payload: _payload, ...job } = message('job-1');
    const early = { job, payload: { sealed: 'p' }, attempts: 0, acceptedAt: Date.now() };
    await subject.testQueue.send(writeSqsEnvelope({ ...early, dueAt: Date.now() + 300_000 }));
    consume(() => ({ kind: 'done' }));
    await waitFor('it to be put off as well', async () => (await subject.testQueue.counts()).delayed === 2);
    expect(deliveries).toHaveLength(1);
  });

  it('delivers what Redis has forgotten', async () => {
    await subject.submission.submit(message('job-1'));
    await subject.engine.redis.client.flushall();
    consume(() => ({ kind: 'done' }));
    await delivered(1);
    expect(deliveries[0]).toMatchObject({ attempt: 1, message: message('job-1') });
  });

  it('lets a job come again whose body cannot be read, and says which one it is', async () => {
    await subject.submission.submit(message('job-1', 'x'.repeat(300_000)));
    const [body = ''] = await filesBelow(subject.directory);
    await rm(body);
    await mkdir(body);
    consume(() => ({ kind: 'done' }));
    await unsettled();
    expect(deliveries).toEqual([]);
    expect(await subject.testQueue.size()).toBe(1);
  });

  it('says of which job it could not settle the message, which comes again', async () => {
    await subject.testQueue.set({ RedrivePolicy: '' });
    await subject.submission.submit(message('job-1'));
    consume(() => (deliveries.length === 1 ? { kind: 'dead', reason: 'no use' } : { kind: 'done' }));
    expect(await unsettled()).toMatchObject({ reason: expect.stringMatching(/^The queue names no dead-letter queue/) });
    await emptied();
    expect(deliveries).toHaveLength(2);
  });

  it('lets the gateway end a job whose body is gone, because it cannot run', async () => {
    await subject.submission.submit(message('job-1', 'x'.repeat(300_000)));
    await rm(subject.directory, { recursive: true });
    consume(() => ({ kind: 'done' }));
    await died(1);
    await sweep();
    expect(deliveries).toEqual([]);
    const reason = 'The body of the job message is not in the object store any more.';
    expect(await subject.queue.deadLetters()).toMatchObject([{ reason }]);
    expect(await subject.store.read(message('job-1'))).toMatchObject({
      state: 'finished',
      result: { status: 500, body: JSON.stringify({ message: reason }) },
    });
  });

  it('keeps dead letters in the dead-letter queue, from where they may be moved back', async () => {
    const { testQueue } = subject;
    await subject.submission.submit(message('job-1'));
    consume(() => (deliveries.length === 1 ? { kind: 'dead', reason: 'no use' } : { kind: 'done' }));
    await died(1);
    expect(await testQueue.counts(testQueue.deadLetterUrl)).toEqual({ ...EMPTY, visible: 1 });
    const [body = ''] = await testQueue.receive(testQueue.deadLetterUrl);
    expect(readSqsEnvelope(body)).toMatchObject({ job: { jobId: 'job-1' }, death: { reason: 'no use', attempts: 1 } });
    // As the console of SQS does it ("Start DLQ redrive"), but that the letter stays.
    await testQueue.send(body);
    await delivered(2);
    expect(deliveries[1]).toMatchObject({ attempt: 1, message: message('job-1') });
  });

  it('deletes dead letters of jobs that were done all the same, with their bodies', async () => {
    const { testQueue } = subject;
    const large = message('job-1', 'x'.repeat(300_000));
    await subject.submission.submit(large);
    consume(() => ({ kind: 'dead', reason: 'no use' }));
    await died(1);
    await run(large);
    await sweep();
    expect(await testQueue.size(testQueue.deadLetterUrl)).toBe(0);
    expect(await filesBelow(subject.directory)).toEqual([]);
  });

  it('takes up what others have put into the dead-letter queue, and ends its record', async () => {
    await reopen({ maxReceiveCount: 1, leaseMs: 1_000 });
    const { testQueue } = subject;
    await subject.submission.submit(message('job-1'));
    // SQS moves a message that is received once too often and never settled.
    await waitFor('SQS to move it', async () => {
      await testQueue.receive();
      return (await testQueue.size(testQueue.deadLetterUrl)) === 1;
    });
    await sweep();
    const reason = expect.stringContaining('as often as the queue allows');
    expect(await subject.queue.deadLetters()).toMatchObject([{ reason, message: { jobId: 'job-1' } }]);
    expect(await subject.store.read(message('job-1'))).toMatchObject({ state: 'finished', result: { status: 503 } });
    // It lies there as before.
    expect(await testQueue.counts(testQueue.deadLetterUrl)).toEqual({ ...EMPTY, visible: 1 });
    await subject.queue.replay(message('job-1'));
    consume(() => ({ kind: 'done' }));
    await delivered(1);
    expect(deliveries[0]).toMatchObject({ attempt: 1, message: message('job-1') });
  });

  it('does not end a job whose replay has not yet taken its dead letter away, until two minutes after it', async () => {
    consume(() => ({ kind: 'dead', reason: 'no use' }));
    await subject.submission.submit(message('job-1'));
    await died(1);
    await subject.store.fail(message('job-1'), message('job-1').described, { status: 503, body: '{}' });
    await subject.engine.store.replay(message('job-1'));
    await sweep();
    expect(await subject.store.read(message('job-1'))).toMatchObject({ state: 'pending' });
    await subject.passTime(121_000);
    await sweep();
    expect(await subject.store.read(message('job-1'))).toMatchObject({ state: 'finished', result: { status: 503 } });
    expect(await subject.queue.deadLetters()).toHaveLength(1);
  });

  it('drops all dead letters of a job whose message was there twice', async () => {
    const { testQueue, queue, submission } = subject;
    await submission.submit(message('job-1'));
    const [body = ''] = await testQueue.receive();
    await testQueue.send(body);
    consume(() => ({ kind: 'dead', reason: 'no use' }));
    await waitFor('both dead letters', async () => (await testQueue.size(testQueue.deadLetterUrl)) === 2);
    expect(await queue.drop(message('job-1'))).toBe(true);
    expect(await testQueue.size(testQueue.deadLetterUrl)).toBe(0);
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

  it('goes on when SQS is back, and says once that it was away', async () => {
    const away = (): number => log.entries().filter(({ event }) => event === 'dependency.failed').length;
    const consumer = consume(() => ({ kind: 'done' }));
    sqs.pause();
    await waitFor('the outage', () => away() > 0);
    sqs.resume();
    await subject.submission.submit(message('job-1'));
    await delivered(1);
    await emptied();
    await consumer.close();
    expect(away()).toBe(1);
    expect(log.entries().some(({ event }) => event === 'dependency.recovered')).toBe(true);
  });

  it('leaves a note of a start that it surely refused, which is in no list', async () => {
    const { store, redis } = subject.engine;
    const large = message('job-1', 'x'.repeat(300_000));
    await sqs.stop();
    try {
      await expect(subject.submission.submit(large)).rejects.toThrow(ServiceUnavailableError);
      expect(log.complaints()).toContainEqual(
        expect.stringMatching(/^SQS cannot be reached \(.*\)\. Check SQS_QUEUE_URL/),
      );
      await expect(subject.queue.load()).rejects.toThrow(ServiceUnavailableError);
    } finally {
      sqs = await startFauxqs();
    }
    expect(await filesBelow(subject.directory)).toEqual([]);
    expect(await store.read(large)).toBeUndefined();
    expect(await store.cancel(large)).toBeUndefined();
    expect((await store.organisations.list(large.org, { limit: 10 })).jobs).toEqual([]);
    expect(await redis.client.zcard(`jobs:{${encodeURIComponent(large.org ?? '')}}:open`)).toBe(0);
    expect(await redis.client.pttl(jobRecordKey(large))).toBeGreaterThan(28 * 24 * 3_600_000);
  });

  it('gives no second message to a start after the note of a refused one', async () => {
    const { store } = subject.engine;
    const described = message('job-1').described;
    await store.enqueue(message('job-1'), described);
    expect(await store.refuse(message('job-1'), described, { status: 503, body: '{}' })).toBe(true);
    await subject.submission.submit(message('job-1'));
    expect(await store.refuse(message('job-1'), described, { status: 503, body: '{}' })).toBe(true);
    await subject.submission.submit(message('job-1'));
    await store.noteSent(message('job-1'), false);
    // A repetition of the start may have sent a message.
    expect(await store.refuse(message('job-1'), described, { status: 503, body: '{}' })).toBe(false);
    await store.claim(message('job-1'), claimRequest());
    // It runs, so a message was sent.
    expect(await store.refuse(message('job-1'), described, { status: 503, body: '{}' })).toBe(false);
  });

  it('sends a pending job again when it is not known to be sent, and once when its sender was told', async () => {
    const keyed = keyedJobId({ kind: 'mobiles', org: 'acme', backendUser: 'user', idempotencyKey: 'key' });
    await subject.submission.submit(message(keyed));
    await subject.submission.submitAgain(message(keyed));
    expect(await subject.testQueue.size()).toBe(1);
    await subject.engine.redis.client.hdel(jobRecordKey(message(keyed)), 'sent');
    await subject.submission.submitAgain(message(keyed));
    await subject.submission.submitAgain(message(keyed));
    expect(await subject.testQueue.size()).toBe(2);
    consume((delivery) => run(delivery.message));
    await delivered(2);
    await emptied();
    expect(runs).toBe(1);
  });

  it('ends records of jobs whose messages were not seen for long, and of no others', async () => {
    for (const jobId of ['lost', 'fresh']) await subject.submission.submit(message(jobId));
    await subject.testQueue.purge();
    await subject.submission.submit(message('waits for its turn'));
    for (const jobId of ['lost', 'waits for its turn']) await silence(jobId);
    consume(() => ({ kind: 'delay', delayMs: 60_000 }));
    await delivered(1);
    expect(await sweep()).toBe(1);
    expect(await subject.store.read(message('lost'))).toMatchObject({ state: 'finished', result: { status: 503 } });
    for (const jobId of ['fresh', 'waits for its turn']) {
      expect(await subject.store.read(message(jobId))).toMatchObject({ state: 'pending' });
    }
  });
});
