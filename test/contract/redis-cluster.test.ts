import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../src/errors.js';
import { checkRedis, redisProbes } from '../../src/engines/redis/check.js';
import { connectRedis, type RedisConnection } from '../../src/engines/redis/connection.js';
import { createLogger } from '../../src/logger.js';
import { makeCertificate } from '../support/certificate.js';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.js';
import { startRedis } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { redisPortsContract } from './redis-ports-contract.js';

const logger = createLogger({ level: 'silent', pretty: false });
/** For a server that answers: never met, however busy the machine is. */
const LONG_TIMEOUT_MS = 30_000;
/** For one that never lets us in. */
const SHORT_TIMEOUT_MS = 2_000;
const STARTUP_MS = 120_000;

/** What is found wrong with servers that cannot be used. */
async function faultsOf(url: string): Promise<readonly string[]> {
  const redis = connectRedis({ url, logger, commandTimeoutMs: SHORT_TIMEOUT_MS });
  try {
    return await checkRedis(redis);
  } finally {
    await redis.close();
  }
}

describeWith(['redis-server'], 'A Redis Cluster of three primaries:', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster({ password: 'of the, Cluster/@', replicas: false });
  }, STARTUP_MS);
  afterAll(() => cluster.stop());

  redisPortsContract(() => cluster);

  it('is not mistaken for one server', async () => {
    const queue = await cluster.primaryOf('{gateway}');
    const other = cluster.nodes.find((node) => node !== queue);
    expect(await faultsOf(other?.server.url ?? '')).toEqual([expect.stringContaining('Name several of its nodes')]);
  });

  it('says that the password is wrong, and keeps it to itself', async () => {
    const url = cluster.url.replaceAll(/:[^:]*@/g, ':wrong-secret@');
    expect(await faultsOf(url)).toEqual([expect.stringMatching(/refuses the user or the password.*REDIS_URL/)]);
  });

  it('refuses at once what a lost primary served, serves the rest, and says that it is not whole', async () => {
    const redis = connectRedis({ url: cluster.url, logger, commandTimeoutMs: LONG_TIMEOUT_MS });
    try {
      await redis.ready();
      const keys = Array.from({ length: 50 }, (_, index) => `job:{mobiles::${index}}`);
      const owners = await Promise.all(keys.map((key) => cluster.primaryOf(key)));
      const lost = await cluster.primaryOf('{gateway}');
      await lost.server.kill();
      await waitFor('the loss to be noticed', () =>
        redis
          .run(() => redis.client.ping().then(() => redis.primaries()))
          .then(
            () => false,
            () => true,
          ),
      );
      const startedAt = performance.now();
      for (const [index, key] of keys.entries()) {
        const writing = redis.run(() => redis.client.set(key, ''));
        if (owners[index] === lost) await expect(writing).rejects.toThrow(ServiceUnavailableError);
        else await writing;
      }
      expect(performance.now() - startedAt).toBeLessThan(LONG_TIMEOUT_MS);
      await expect(redisProbes(redis).queue.ping()).rejects.toThrow(ServiceUnavailableError);
      expect(await checkRedis(redis)).toEqual([expect.stringMatching(/cannot be reached/)]);
    } finally {
      await redis.close();
    }
  });
});

describeWith(['redis-server'], 'Several servers that are no Cluster', () => {
  it('are told apart from one', async () => {
    const server = await startRedis({ port: 'tcp' });
    try {
      expect(await faultsOf(`${server.url},${server.url}`)).toEqual([
        expect.stringMatching(/would be a Cluster, and this Redis is none/),
      ]);
    } finally {
      await server.stop();
    }
  });
});

describeWith(['redis-server', 'openssl'], 'A Redis Cluster behind TLS', () => {
  it(
    'serves rediss: with a private certificate authority, and no stranger',
    async () => {
      const certificate = await makeCertificate();
      const cluster = await startRedisCluster({ tls: certificate, password: 'secret', replicas: false });
      const tls = { ca: await readFile(certificate.certFile) };
      const redis: RedisConnection = connectRedis({ url: cluster.url, logger, tls, commandTimeoutMs: LONG_TIMEOUT_MS });
      try {
        expect(await checkRedis(redis)).toEqual([]);
        const blocking = redis.openBlockingClient();
        expect(await blocking.set('{gateway}:blocking', 'served')).toBe('OK');
        expect(await faultsOf(cluster.url)).toEqual([expect.stringContaining('certificate authority')]);
      } finally {
        await redis.close();
        await cluster.stop();
        await certificate.remove();
      }
    },
    STARTUP_MS,
  );
});
