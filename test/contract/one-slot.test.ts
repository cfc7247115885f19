/**
 * Each command touches one slot of a Redis Cluster, and so do the commands inside its script: recorded on one server, which
 * would serve several slots as well, and compared with the slots of a Cluster.
 */
import { beforeAll, expect, it } from '@jest/globals';
import { redisCounters } from '../../src/engines/redis/attempt-counter.js';
import { createBullMqQueue } from '../../src/engines/redis/bullmq-queue.js';
import { redisProbes } from '../../src/engines/redis/check.js';
import { connectRedis } from '../../src/engines/redis/connection.js';
import { createRedisReplayMemory, findRecords } from '../../src/engines/redis/open-redis.js';
import { createRedisJobStore } from '../../src/engines/redis/job-store.js';
import type { Delivery, Disposition } from '../../src/job-record/job-queue.js';
import type { ClaimOutcome } from '../../src/job-record/job-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { LONG_TIMEOUT_MS, startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { claimed as claimedJob, claimRequest } from '../support/stored-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { CommandRecorder, touchesOf } from './command-recorder.js';
import { message } from './organisation-jobs-contract.js';

const LIMITS = { maxOpen: 3, maxOpenBytes: 10_000, maxRunning: 1 };
const OK = { status: 200, body: '{}' };
const DESCRIBED = { total: 1, fingerprint: 'print', retentionMs: 600_000 };

describeWith(['redis-server'], 'What is sent to Redis', () => {
  const logger = createLogger({ level: 'silent' });
  const server = forAllTests(() => startRedis({ port: 'tcp' }));
  const clusterNode = forAllTests(() => startRedis({ cluster: true }));
  const recorder = forAllTests(() => CommandRecorder.start(server));
  const redis = forAllTests(() => connectRedis({ url: server.url, logger, commandTimeoutMs: LONG_TIMEOUT_MS }));
  beforeAll(() => redis.ready());
  const store = forAllTests(() => createRedisJobStore({ redis, limits: LIMITS }));
  const delivery = { maxAttempts: 2, backOffMs: () => 10 };
  const queue = forAllTests(() => createBullMqQueue({ redis, store, logger, delivery }));

  const claim = (jobId: string): Promise<ClaimOutcome> => store.claim(message(jobId), claimRequest());

  const claimed = async (jobId: string): Promise<string> => (await claimedJob(store, message(jobId))).fencingToken;

  async function useStore(): Promise<void> {
    const job = message('stored');
    await store.enqueue(job, DESCRIBED);
    const token = await claimed('stored');
    await claim('stored');
    await store.renew(job, token, 60_000);
    await store.checkpoint(job, token, { done: 1, checkpoint: '{}', items: [{ index: 0, createdId: 7 }] });
    await store.readItems(job);
    await store.cancel(job);
    await store.isCancelled(job);
    await store.release(job, token);
    await store.finish(job, await claimed('stored'), OK);
    await claim('stored');
    await store.read(job);
    await store.fail(message('failed'), DESCRIBED, { status: 503, body: '{}' });
    await store.ping();
  }

  async function useQueue(): Promise<void> {
    const dispositions: Record<string, Disposition> = {
      delayed: { kind: 'delay', delayMs: 10 },
      retried: { kind: 'retry', reason: 'again' },
      dead: { kind: 'dead', reason: 'never' },
    };
    const handled: string[] = [];
    const handle = async ({ message: { jobId } }: Delivery): Promise<Disposition> => {
      const disposition = handled.includes(jobId) ? undefined : dispositions[jobId];
      handled.push(jobId);
      await store.fail(message(jobId), DESCRIBED, OK);
      return disposition ?? { kind: 'done' };
    };
    for (const id of ['done', 'delayed', 'retried']) await queue.submit(message(id));
    await expect(queue.submit(message('one too many'))).rejects.toMatchObject({ code: 'TooManyRequests' });
    await queue.queued();
    const consumer = queue.consume(handle, { concurrency: 2 });
    await waitFor('all to be delivered', () => handled.length === 5);
    await queue.submit(message('dead'));
    await waitFor('the dead letter', async () => (await queue.deadLetters()).length === 1);
    await queue.deadMessage(message('dead'));
    await queue.load();
    await queue.sweepOrphans({ olderThanMs: 0 });
    await queue.replay(message('dead'));
    await waitFor('the replay', () => handled.length === 7);
    await consumer.close();
    await queue.submit(message('not delivered'));
    await queue.sweepOrphans({ olderThanMs: 0 });
  }

  async function useOrganisations(): Promise<void> {
    await queue.submit(message('of another', 'other'));
    await claimed('runs');
    await claim('waits');
    await store.organisations.waitMs(message('waits'));
    await store.organisations.jobsToPreempt('acme');
    await store.organisations.list('acme', { limit: 10 });
  }

  async function useTheRest(): Promise<void> {
    const taking = await redisCounters(redis)('attempts', 5, 60).take('somebody', 2);
    if (taking.outcome === 'taken') await taking.giveBack(1);
    await createRedisReplayMemory(redis).remember('id', 60_000);
    for (const probe of Object.values(redisProbes(redis))) {
      await probe.write();
      await probe.ping();
    }
    await findRecords(redis.primaries(), 'stored');
  }

  it('touches one slot of a Cluster at a time', async () => {
    await useStore();
    await useQueue();
    await useOrganisations();
    await useTheRest();
    const touched = await touchesOf(await recorder.steps(), server, clusterNode);
    expect(touched.filter(({ slots }) => slots.size > 1)).toEqual([]);
    // It was seen how scripts touch what they touch, for each kind of key.
    const keysInScripts = touched.filter(({ isScript }) => isScript).flatMap(({ keys }) => keys);
    for (const beginning of ['job:{', 'jobs:{', '{gateway}:organisations', '{gateway}:jobs:', 'attempts:']) {
      expect(keysInScripts.filter((key) => key.startsWith(beginning))).not.toEqual([]);
    }
  });
});
