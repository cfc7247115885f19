/** Jobs whose queue is on Amazon SQS: the gateway, either kind of queue function, Redis, and fauxqs in place of SQS. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { DeleteMessageCommand, ReceiveMessageCommand, SQS } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openRedisEngine } from '../../src/jobs/engines/redis/open-redis.js';
import { SqsClient } from '../../src/jobs/engines/sqs/queue-client.js';
import { openSqsQueue } from '../../src/jobs/engines/sqs/sqs-queue.js';
import { textOf } from '../../src/base/error-table.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { createFileBodyStore } from '../../src/objects/files/file-object-store.js';
import { createDeliver, createSqsHandler } from '../../src/jobs/queue-function/serverless.js';
import type { SqsBatchResponse, SqsCalls, SqsEvent } from '../../src/jobs/queue-function/sqs-handler.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { startCallbackProxy, type Answer } from '../support/callback-proxy.js';
import { startFauxqs, type TestQueue } from '../support/fauxqs.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';
import { describeOnSqs } from '../support/system-tools.js';

const { TASK_CALLBACK_API_KEY: apiKey = '', JOB_ENCRYPTION_KEY: jobEncryptionKey = '' } = PRODUCTION_ENVIRONMENT;

const IN_TIME = 120_000;

describeOnSqs('Jobs over Amazon SQS', () => {
  const redis = forAllTests(() => startRedis());
  const sqs = forAllTests(startFauxqs);
  const proxy = forAllTests(startCallbackProxy);
  const programs = forAllTests(() => BuiltPrograms.open());
  const queue = forAllTests(() => sqs.createQueue());
  const gateway = forAllTests(() =>
    startTestGateway(
      { ...proxy.environment, METRICS_PORT: '0', REDIS_URL: redis.url, SQS_QUEUE_URL: queue.url },
      { production: true },
    ),
  );

  afterEach(() => {
    gateway.sandbox.faults.clear();
    proxy.answer('forward');
  });

  const order = (name: string) => startJob(gateway, 'mobiles', [{ id: 1, name }]);
  const calls = (jobId: string): number => proxy.calls.filter(({ headers }) => headers['x-job-id'] === jobId).length;
  const emptied = (): Promise<boolean> => waitFor('the queue to be empty', async () => (await queue.size()) === 0);
  const dead = (count: number): Promise<boolean> =>
    waitFor('the dead letters', async () => (await queue.size(queue.deadLetterUrl)) === count);

  /** Answers its callbacks like this, one call each, and expects that it succeeds and took effect once. */
  async function expectDoneOnce(name: string, answers: readonly [Answer, ...Answer[]]): Promise<void> {
    const deadBefore = await queue.size(queue.deadLetterUrl);
    proxy.answer(...answers);
    const { jobId } = await order(name);
    await waitFor('its last call', () => calls(jobId) === answers.length, IN_TIME);
    await emptied();
    expect(await pollJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    const done = gateway.sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === name);
    expect([done.length, await queue.size(queue.deadLetterUrl)]).toEqual([1, deadBefore]);
  }

  describe('with the queue function', () => {
    const queueFunction = forAllTests(
      () =>
        programs.startQueueFunction({
          ...PRODUCTION_ENVIRONMENT,
          REDIS_URL: redis.url,
          SQS_QUEUE_URL: queue.url,
          DATA_DIR: gateway.dataDir,
          GATEWAY_URL: proxy.environment.GATEWAY_URL,
          QUEUE_MAX_ATTEMPTS: '3',
        }),
      async (started) => {
        await started.stop();
        expect(started.exitCode()).toBe(0);
      },
    );

    it('come again after 409, 503 and 500, of which only the last is an attempt, are done, and leave nothing in the queue', async () => {
      const later = { headers: { 'retry-after': '1' } };
      proxy.answer({ status: 409, ...later }, { status: 503, ...later }, { status: 500 }, 'forward');
      const { jobId } = await startJob(gateway, 'accounts', createAccounts('over-sqs', 3));
      expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Success' });
      const attempts = async (): Promise<readonly string[]> => {
        const lines = (await queueFunction.output()).split('\n').filter((line) => line.includes(jobId));
        return lines.flatMap((line) => /"attempt":(\d)/.exec(line)?.[1] ?? []);
      };
      // The job is finished before the queue function hears of it.
      await waitFor('the line of the last attempt', async () => (await attempts()).length === 4);
      expect(await attempts()).toEqual(['1', '1', '1', '2']);
      await emptied();
    });

    it('lose more replies than there are attempts, which delays them alone', () =>
      expectDoneOnce('lost-replies', ['cut', 'cut', 'cut', 'forward-and-cut', 'forward']));

    it('have bodies too large for a message, which are gone from the object store with them', async () => {
      const bodies = async (): Promise<readonly string[]> => {
        const directory = path.join(gateway.dataDir, 'objects', 'objects');
        const files = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
        return files.filter((file) => file.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
      };
      const before = await bodies();
      const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
      const long = Array.from({ length: 350 }, (_, index) => ({ id: 1, name: `${index} ${'長'.repeat(240)}` }));
      const { jobId } = await startJob(gateway, 'mobiles', long);
      await hold.held();
      const during = (await bodies()).filter((file) => !before.includes(file));
      expect(during).toEqual([expect.stringContaining('/application%2Fjose/job-bodies/')]);
      hold.release();
      expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
      await waitFor('the body to be removed', async () => (await bodies()).length === before.length);
    });

    it('that will never work are in the dead-letter queue', async () => {
      proxy.answer({ status: 422, body: { message: 'No.' } });
      const { jobId } = await order('never');
      const errors = ['The job could not be delivered. Order it again.'];
      expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Failure', errors });
      await dead(1);
      const scraped = await gateway.scrape();
      expect([scraped.value('gateway_dead_letters'), scraped.value('gateway_queue_depth')]).toEqual([1, 0]);
    });
  });

  describe('with a function that SQS calls, as AWS Lambda does,', () => {
    forAllTests(() => {
      const gatewayUrl = proxy.environment.GATEWAY_URL;
      const deliver = createDeliver({ gatewayUrl, apiKey, jobEncryptionKey, log: () => undefined });
      const queues = { queueUrl: queue.url, deadLetterQueueUrl: queue.deadLetterUrl };
      return startPoller(sqs.url, queue, (sqsCalls) =>
        createSqsHandler({ ...queues, deliver, sqs: sqsCalls, maxAttempts: 2, log: () => undefined }),
      );
    });

    it('lose more replies than there are attempts, which delays them alone', () =>
      expectDoneOnce('lost-replies-of-a-function', ['cut', 'cut', 'forward-and-cut', 'forward']));

    it('end without success in the dead-letter queue, and the gateways end them', async () => {
      const before = await queue.size(queue.deadLetterUrl);
      proxy.answer({ status: 422, body: { message: 'No.' } });
      const refused = await order('refused');
      await dead(before + 1);
      proxy.answer({ status: 500 });
      const failed = await order('failed');
      await dead(before + 2);
      expect(calls(failed.jobId)).toBe(2);
      await emptied();
      expect(await pollJob(gateway, 'mobiles', failed.jobId)).toMatchObject({ state: 'PENDING' });

      const { engine, sweep } = openEngine();
      await engine.ready();
      // Every process does so from time to time.
      await sweep();
      expect(await engine.queue.deadLetters()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ message: expect.objectContaining({ jobId: refused.jobId }), attempts: 1 }),
          expect.objectContaining({ message: expect.objectContaining({ jobId: failed.jobId }), attempts: 2 }),
        ]),
      );
      await engine.close();
      const errors = [textOf('NotDelivered')];
      for (const { jobId } of [refused, failed]) {
        expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Failure', errors });
      }
    });

    it('keep their dead letter if their replay outlasts the time for which it is hidden from others', async () => {
      const before = await queue.size(queue.deadLetterUrl);
      proxy.answer({ status: 422, body: { message: 'No.' } });
      const { jobId } = await order('slowly-replayed');
      await dead(before + 1);
      const { engine } = openEngine();
      await engine.ready();
      const sent = jest.spyOn(SqsClient.prototype, 'send');
      const now = performance.now.bind(performance);
      // Each send takes a minute.
      jest.spyOn(performance, 'now').mockImplementation(() => now() + sent.mock.calls.length * 61_000);
      try {
        expect(await engine.queue.replay({ kind: 'mobiles', org: 'acme', jobId })).toBe(true);
      } finally {
        jest.restoreAllMocks();
        await engine.close();
      }
      // The replayed message dies beside the dead letter that stayed.
      await dead(before + 2);
    });
  });

  /** Opens what a gateway has of the jobs. */
  function openEngine() {
    const logger = createLogger({ level: 'silent' });
    const bodies = createFileBodyStore({ directory: gateway.dataDir, logger });
    const openQueue = openSqsQueue({ queueUrl: queue.url, bodies, logger, patienceMs: 60_000 });
    let sweep = (): Promise<number> => Promise.resolve(0);
    const engine = openRedisEngine({
      url: redis.url,
      logger,
      maxAttempts: 2,
      deadlineMs: 60_000,
      openQueue: (parts) => {
        const opened = openQueue(parts);
        sweep = () => opened.queue.sweepOrphans({ olderThanMs: 60_000 });
        return opened;
      },
    });
    return { engine, sweep: () => sweep() };
  }
});

type Handler = (event: SqsEvent) => Promise<SqsBatchResponse>;

/** Gives messages to a handler in batches, and deletes those it does not name. @param create makes the handler */
function startPoller(endpoint: string, queue: TestQueue, create: (sqs: SqsCalls) => Handler) {
  const sqs = new SQS({ endpoint });
  // The interface names what is asked of it; the SDK's inputs are the same.
  const handler = create(sqs);
  let closed = false;

  async function poll(): Promise<void> {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queue.url,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    const Records = Messages.map(({ MessageId = '', ReceiptHandle = '', Body = '', Attributes }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      attributes: {
        ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '',
        SentTimestamp: Attributes?.SentTimestamp ?? '',
      },
    }));
    if (Records.length === 0) return;
    const { batchItemFailures } = await handler({ Records });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { messageId, receiptHandle } of Records) {
      if (failed.has(messageId)) continue;
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queue.url, ReceiptHandle: receiptHandle }));
    }
  }

  async function pollAll(): Promise<void> {
    while (!closed) {
      await poll();
    }
  }

  const polling = pollAll();
  return {
    async close() {
      closed = true;
      await polling;
      sqs.destroy();
    },
  };
}
