/** Jobs whose messages Amazon SQS hands to a function, as AWS Lambda does; fauxqs stands in for SQS. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRedisEngine } from '../../src/engines/redis/open-redis.js';
import { openSqsQueue } from '../../src/engines/sqs/open-sqs.js';
import { createLogger } from '../../src/logging/logger.js';
import { createFileBodyStore } from '../../src/objects/files/file-body-store.js';
import { createDeliver, createSqsHandler } from '../../src/queue-function/serverless.js';

import { startCallbackProxy, type CallbackProxy } from '../support/callback-proxy.js';
import { describeOnSqs, startFauxqs, type Fauxqs, type TestQueue } from '../support/fauxqs.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway, type TestGateway } from '../support/gateway.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { startPoller, type SqsPoller } from '../support/sqs-poller.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const { TASK_CALLBACK_API_KEY: apiKey = '', JOB_ENCRYPTION_KEY: jobEncryptionKey = '' } = PRODUCTION_ENVIRONMENT;

describeOnSqs('A function that Amazon SQS calls', () => {
  let redis: RedisServer;
  let sqs: Fauxqs;
  let proxy: CallbackProxy;
  let queue: TestQueue;
  let gateway: TestGateway;
  let poller: SqsPoller;

  beforeAll(async () => {
    [redis, sqs, proxy] = await Promise.all([startRedis({ port: 'tcp' }), startFauxqs(), startCallbackProxy()]);
    queue = await sqs.createQueue();
    const environment = { ...proxy.environment, REDIS_URL: redis.url, SQS_QUEUE_URL: queue.url };
    gateway = await startTestGateway(environment, { production: true });
    const deliver = createDeliver({
      gatewayUrl: proxy.environment.GATEWAY_URL,
      apiKey,
      jobEncryptionKey,
      log: () => undefined,
    });
    poller = startPoller(sqs.url, queue, (calls) =>
      createSqsHandler({
        deliver,
        sqs: calls,
        queueUrl: queue.url,
        deadLetterQueueUrl: queue.deadLetterUrl,
        maxAttempts: 2,
      }),
    );
  });

  afterAll(async () => {
    await poller.close();
    await gateway.close();
    await Promise.all([proxy.close(), sqs.stop(), redis.stop()]);
  });

  const calls = (jobId: string): number => proxy.calls.filter(({ headers }) => headers['x-job-id'] === jobId).length;
  const emptied = (): Promise<boolean> => waitFor('the queue to be empty', async () => (await queue.size()) === 0);

  it('delivers a job, after delays and a failed attempt', async () => {
    const later = { status: 503, headers: { 'retry-after': '1' } };
    proxy.answer(later, { status: 500 }, later, 'forward');
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 1, name: 'called' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    expect(calls(jobId)).toBe(4);
    await emptied();
    expect(await queue.size(queue.deadLetterUrl)).toBe(0);
  });

  it('puts into the dead-letter queue what ends without success, and the gateways end those jobs', async () => {
    proxy.answer({ status: 422, body: { message: 'No.' } });
    const refused = await startJob(gateway, 'mobiles', [{ id: 1, name: 'never' }]);
    await waitFor('the refusal', async () => (await queue.size(queue.deadLetterUrl)) === 1);
    proxy.answer({ status: 500 });
    const failed = await startJob(gateway, 'mobiles', [{ id: 1, name: 'twice' }]);
    await waitFor('the failure', async () => (await queue.size(queue.deadLetterUrl)) === 2);
    expect(calls(failed.jobId)).toBe(2);
    await emptied();
    expect(await pollJob(gateway, 'mobiles', failed.jobId)).toMatchObject({ state: 'PENDING' });

    const logger = createLogger({ level: 'silent', pretty: false });
    const bodies = createFileBodyStore({ directory: gateway.dataDir, logger });
    const openQueue = openSqsQueue({ queueUrl: queue.url, bodies, logger });
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
    await engine.ready();
    // Every process does so from time to time.
    await sweep();
    expect(await engine.queue.deadLetters()).toMatchObject([
      { message: { jobId: refused.jobId }, attempts: 1 },
      { message: { jobId: failed.jobId }, attempts: 2 },
    ]);
    await engine.close();
    const texts = ['The callback answered 422 (No.).', 'The callback answered 500.'];
    for (const [index, { jobId }] of [refused, failed].entries()) {
      expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Failure', errors: [texts[index]] });
    }
  });
});
