/** The queue as BullMQ's own tools see it: plain `Queue`, nothing of ours but the names that the pages give. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Queue, type Job } from 'bullmq';
import type { JobEngine } from '../../src/jobs/engines/job-engine.js';
import { openRedisEngine } from '../../src/jobs/engines/redis/open-redis.js';
import type { Disposition } from '../../src/jobs/record/job-queue.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { jobMessage } from '../support/stored-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const MESSAGE = jobMessage('2026.11:1');
const ENTRY = 'mobiles.acme.2026%2E11%3A1';
const pages = ['deploy/queue.md', 'openapi/messages.md']
  .map((name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
  .join('\n');

describeWith(['redis-server'], "A dashboard of BullMQ's", () => {
  const server = forAllTests(startRedis);
  let engine: JobEngine;
  let queue: Queue;
  let connection: ReturnType<RedisServer['client']>;

  beforeEach(async () => {
    // A job with a record would not be enqueued again.
    await server.call('FLUSHALL');
    const logger = createLogger({ level: 'silent' });
    engine = openRedisEngine({ url: server.url, logger, maxAttempts: 3, deadlineMs: 60_000 });
    await engine.ready();
    connection = server.client();
    queue = new Queue('jobs', { prefix: '{gateway}', connection });
  });
  afterEach(async () => {
    await queue.obliterate({ force: true });
    await queue.close();
    connection.disconnect();
    await engine.close();
  });

  async function entry(): Promise<Job> {
    const job = await queue.getJob(ENTRY);
    if (job === undefined) throw new Error('The queue has no such entry.');
    return job;
  }

  /** Delivers to a consumer until there are so many deliveries. */
  async function deliver(disposition: Disposition, count = 1): Promise<void> {
    let deliveries = 0;
    const consumer = engine.queue.consume(
      () => {
        deliveries += 1;
        return Promise.resolve(disposition);
      },
      { concurrency: 1 },
    );
    await waitFor(`${count} deliveries`, () => deliveries >= count);
    await consumer.close();
  }

  it('finds a job under the names that the pages give, with everything but what it carries', async () => {
    await engine.submission.submit(MESSAGE);
    const counts = await queue.getJobCounts('wait', 'active', 'delayed', 'failed');
    expect(counts).toEqual({ wait: 1, active: 0, delayed: 0, failed: 0 });
    const { name, data, opts } = (await entry()).toJSON() as { name: string; data: object; opts: object }; // as documented
    expect([name, data]).toEqual(['mobiles', { ...MESSAGE, format: 1 }]);
    expect(opts).toMatchObject({ jobId: ENTRY, attempts: 3, backoff: { type: 'capped-exponential' } });
    expect(opts).toMatchObject({ removeOnComplete: true, removeOnFail: { age: 30 * 24 * 3600 } });
    for (const field of [...Object.keys(data), ...Object.keys(MESSAGE.described), 'attempts', 'capped-exponential'])
      expect(pages).toContain(field);
  });

  it('sees it delayed, failed and gone', async () => {
    await engine.submission.submit(MESSAGE);
    await deliver({ kind: 'delay', delayMs: 60_000 });
    expect(await (await entry()).getState()).toBe('delayed');
    await (await entry()).promote();
    await deliver({ kind: 'dead', reason: 'The callback answered 400.' });
    expect(await (await entry()).getState()).toBe('failed');
    expect((await queue.getFailed()).map(({ failedReason }) => failedReason)).toEqual(['The callback answered 400.']);

    await (await entry()).retry();
    await deliver({ kind: 'done' });
    expect(await queue.getJob(ENTRY)).toBeUndefined();
    expect(await engine.queue.deadLetters()).toEqual([]);
  });

  it('can pause the queue and resume it', async () => {
    await queue.pause();
    await engine.submission.submit(MESSAGE);
    expect(await engine.inspection.queued()).toMatchObject([{ jobId: MESSAGE.jobId, state: 'waiting' }]);
    await queue.resume();
    await deliver({ kind: 'done' });
  });

  it('adds nothing that is run: what is no message becomes a dead letter', async () => {
    await queue.add('mobiles', { id: 1 });
    await engine.submission.submit(MESSAGE);
    // The first delivery is that of the next entry.
    await deliver({ kind: 'done' });
    expect(await queue.getFailedCount()).toBe(1);
  });
});
