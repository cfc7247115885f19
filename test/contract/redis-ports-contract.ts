import { beforeAll, describe, expect, it } from '@jest/globals';
import { redisCounters } from '../../src/jobs/engines/redis/attempt-counter.js';
import { checkRedis, redisProbes } from '../../src/jobs/engines/redis/check.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { createRedisReplayMemory, findRecords } from '../../src/jobs/engines/redis/open-redis.js';
import { RedisJobStore } from '../../src/jobs/engines/redis/job-store.js';
import type { JobIdentity } from '../../src/jobs/record/job-record.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { forAllTests } from '../support/resources.js';
import { counterContract } from './attempt-counter-contract.js';
import { jobQueueContract } from './job-queue-contract.js';
import { jobStoreContract } from './job-store-contract.js';
import { organisationJobsContract } from './organisation-jobs-contract.js';
import { openOnRedis } from './redis-engine.js';
import { replayMemoryContract } from './replay-memory-contract.js';

/** Registers, within the `describe` of the caller, the tests of the ports that take an engine of their own. */
export function redisEngineContract(servers: () => { readonly url: string }): void {
  describe('the job store', () => jobStoreContract(() => openOnRedis(servers())));
  describe('the job queue', () => jobQueueContract(() => openOnRedis(servers())));
  describe('the jobs of organisations', () => organisationJobsContract((limits) => openOnRedis(servers(), limits)));
}

/** Registers, within the `describe` of the caller, the tests of what one connection is used for. */
export function redisConnectionContract(servers: () => { readonly url: string }): void {
  describe('one connection', () => {
    const redis = forAllTests(
      () => new RedisConnection({ url: servers().url, logger: createLogger({ level: 'silent' }) }),
    );
    beforeAll(async () => {
      await redis.ready();
    });

    counterContract(() => redisCounters(redis));
    replayMemoryContract(() => createRedisReplayMemory(redis));

    it('is one that passes every check', async () => {
      expect(await checkRedis(redis)).toEqual([]);
      for (const probe of Object.values(redisProbes(redis))) {
        await probe.write();
        await probe.ping();
      }
    });

    it('finds the jobs of an id in every server that has some', async () => {
      const store = new RedisJobStore({ redis });
      const job = (org: string): JobIdentity => ({ kind: 'mobiles', org, jobId: 'wanted' });
      const orgs = Array.from({ length: 20 }, (_, index) => `org-${index}`);
      for (const org of orgs) await store.enqueue(job(org), { total: 1, fingerprint: 'f', retentionMs: 60_000 });
      await store.enqueue({ ...job('org-0'), jobId: 'other' }, { total: 1, fingerprint: 'f', retentionMs: 60_000 });
      const found = await redis.run(() => findRecords(redis.primaries(), 'wanted'));
      expect(found.map(({ org }) => org).toSorted()).toEqual(orgs.toSorted());
    });
  });
}
