import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../src/base/errors.js';
import { checkRedis, redisProbes } from '../../src/jobs/engines/redis/check.js';
import { createBullMqQueue } from '../../src/jobs/engines/redis/bullmq-queue.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { RedisJobStore } from '../../src/jobs/engines/redis/job-store.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { LONG_TIMEOUT_MS, startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, forEachTest } from '../support/resources.js';
import { jobMessage } from '../support/stored-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { succeeds, waitFor } from '../support/wait-for.js';
import { faultsOf, passwordContract, tlsContract } from './redis-access-contract.js';
import { redisConnectionContract, redisEngineContract } from './redis-ports-contract.js';

const logger = createLogger({ level: 'silent' });
/** In the slot of the queue. */
const KEY = '{gateway}:tested';

describeWith(['redis-server'], 'A Redis Cluster of three primaries:', () => {
  const cluster = forAllTests(() => startRedisCluster({ password: 'of the, Cluster/@', replicas: false }));

  redisEngineContract(() => cluster);
  redisConnectionContract(() => cluster);
  passwordContract(() => cluster);

  it('is not mistaken for one server', async () => {
    const queue = await cluster.primaryOf(KEY);
    const other = cluster.nodes.find((node) => node !== queue);
    expect(await faultsOf(other?.server.url ?? '')).toEqual([expect.stringContaining('Name several of its nodes')]);
  });

  it('is swept of jobs whose messages were lost, wherever the slots of each lie', async () => {
    const redis = closeAfterTest(new RedisConnection({ url: cluster.url, logger, commandTimeoutMs: LONG_TIMEOUT_MS }));
    await redis.ready();
    for (const primary of redis.primaries()) await primary.flushall();
    const store = new RedisJobStore({ redis });
    const queue = closeAfterTest(createBullMqQueue({ redis, store, logger, delivery: { maxAttempts: 3 } }));
    const jobs = Array.from({ length: 20 }, (_, at) => jobMessage(`lost-${at}`, { org: `org-${at}` }));
    for (const job of jobs) {
      await queue.submit(job);
      await queue.submitAgain(job);
    }
    for (const primary of redis.primaries()) {
      const messages = await primary.keys('{gateway}:jobs:*');
      if (messages.length > 0) await primary.del(...messages);
    }
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(jobs.length);
    for (const job of jobs) expect(await store.read(job)).toMatchObject({ state: 'finished' });
  });

  describe('that fails', () => {
    // No command may wait for its time-out.
    const redis = forEachTest(() => new RedisConnection({ url: cluster.url, logger, commandTimeoutMs: 3_600_000 }));
    beforeEach(async () => {
      await redis.ready();
    });

    const serves = (key: string): Promise<boolean> => succeeds(redis.run(() => redis.client.exists(key)));

    it('does not do a command twice whose reply is lost', async () => {
      const { server, port } = await cluster.primaryOf(KEY);
      await waitFor('the Cluster to serve', () => serves(KEY));
      server.pause();
      const counting = redis.run(() => redis.client.incr(KEY));
      const lost = expect(counting).rejects.toThrow(ServiceUnavailableError);
      redis
        .primaries()
        .find(({ options }) => options.port === port)
        ?.disconnect();
      await lost;
      server.resume();
      // It was sent, and is done when the server goes on.
      await waitFor('the command to be done', async () => (await redis.client.get(KEY).catch(() => null)) !== null);
      expect(await redis.client.get(KEY)).toBe('1');
    });

    it('refuses at once what a lost primary served, serves the rest, and says that it is not whole', async () => {
      const keys = Array.from({ length: 50 }, (_, index) => `job:{mobiles::${index}}`);
      const owners = await Promise.all(keys.map((key) => cluster.primaryOf(key)));
      const lost = await cluster.primaryOf(KEY);
      for (const key of keys) await waitFor('the Cluster to serve', () => serves(key));
      await lost.server.kill();
      await waitFor('the loss to be noticed', async () => !(await serves(KEY)));
      for (const [index, key] of keys.entries()) expect(await serves(key)).toBe(owners[index] !== lost);
      await expect(redisProbes(redis).queue.ping()).rejects.toThrow(ServiceUnavailableError);
      expect(await checkRedis(redis)).toEqual([expect.stringMatching(/cannot be reached/)]);
      await lost.server.restart();
      await waitFor('the Cluster to be whole', async () => (await checkRedis(redis)).length === 0);
    });

    it('as a whole refuses at once, and serves when it is back', async () => {
      await Promise.all(cluster.nodes.map(({ server }) => server.kill()));
      // Until no node is left that might serve, and after that.
      for (let attempt = 0; attempt < 10; attempt += 1) {
        await expect(redis.run(() => redis.client.get(KEY))).rejects.toThrow(ServiceUnavailableError);
      }
      await Promise.all(cluster.nodes.map(({ server }) => server.restart()));
      await waitFor('the Cluster to be whole', async () => (await checkRedis(redis)).length === 0);
    });
  });
});

describeWith(['redis-server'], 'Several servers that are no Cluster', () => {
  it('are distinguished from one', async () => {
    const server = closeAfterTest(await startRedis());
    expect(await faultsOf(`${server.url},${server.url}`)).toEqual([
      expect.stringMatching(/would be a Cluster, and this Redis is not one/),
    ]);
  });
});

describeWith(['redis-server', 'openssl'], 'A Redis Cluster behind TLS', () =>
  tlsContract('rediss', (options) => startRedisCluster({ ...options, replicas: false })),
);
