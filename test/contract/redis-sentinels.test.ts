import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { checkRedis } from '../../src/engines/redis/check.js';
import { connectRedis } from '../../src/engines/redis/connection.js';
import { createLogger } from '../../src/logger.js';
import { makeCertificate } from '../support/certificate.js';
import { startRedisSentinels, type RedisSentinels } from '../support/redis-sentinels.js';
import { describeWith } from '../support/system-tools.js';
import { redisPortsContract } from './redis-ports-contract.js';

const logger = createLogger({ level: 'silent', pretty: false });
/** For servers that answer: never met, however busy the machine is. */
const LONG_TIMEOUT_MS = 30_000;
/** For those that never let us in. */
const SHORT_TIMEOUT_MS = 2_000;
const STARTUP_MS = 120_000;
const PASSWORD = 'of the, sentinels/@';

/** What is found wrong with servers that cannot be used. */
async function faultsOf(url: string): Promise<readonly string[]> {
  const redis = connectRedis({ url, logger, commandTimeoutMs: SHORT_TIMEOUT_MS });
  try {
    return await checkRedis(redis);
  } finally {
    await redis.close();
  }
}

describeWith(['redis-server'], 'A Redis behind three sentinels:', () => {
  let sentinels: RedisSentinels;
  beforeAll(async () => {
    sentinels = await startRedisSentinels({ password: PASSWORD, sentinelPassword: PASSWORD });
  }, STARTUP_MS);
  afterAll(() => sentinels.stop());

  redisPortsContract(() => sentinels);

  it('is not found by another name', async () => {
    const url = sentinels.url.replace('/gateway?', '/other?');
    expect(await faultsOf(url)).toEqual([expect.stringContaining('know no primary of the name')]);
  });

  it('is not found without the password of the sentinels', async () => {
    const url = sentinels.url.replace('?sentinelAuth=true', '');
    expect(await faultsOf(url)).toEqual([expect.stringContaining('?sentinelAuth=true')]);
  });

  it('says that the password is wrong, and keeps it to itself', async () => {
    const url = sentinels.url.replace(/:[^:]*@/, ':wrong-secret@');
    const faults = await faultsOf(url);
    expect(faults).toEqual([expect.stringMatching(/refuse the user or the password.*REDIS_URL/)]);
    expect(faults.join()).not.toContain('wrong-secret');
  });

  it('is not found where nobody listens', async () => {
    expect(await faultsOf('redis+sentinel://127.0.0.1:1,127.0.0.1:2/gateway')).toEqual([
      expect.stringMatching(/cannot be reached .*ECONNREFUSED.*REDIS_URL/),
    ]);
  });

  it('is one of several databases', async () => {
    const [zero, one] = ['', '/1'].map((database) =>
      connectRedis({ url: sentinels.url.replace('?', `${database}?`), logger, commandTimeoutMs: LONG_TIMEOUT_MS }),
    );
    try {
      await Promise.all([zero?.ready(), one?.ready()]);
      await one?.client.set('of-database-1', 'yes');
      expect(await zero?.client.get('of-database-1')).toBeNull();
    } finally {
      await Promise.all([zero?.close(), one?.close()]);
    }
  });
});

describeWith(['redis-server', 'openssl'], 'A Redis behind sentinels and TLS', () => {
  it(
    'serves rediss+sentinel: with a private certificate authority, and no stranger',
    async () => {
      const certificate = await makeCertificate();
      const sentinels = await startRedisSentinels({ tls: certificate, password: 'secret' });
      const tls = { ca: await readFile(certificate.certFile) };
      const redis = connectRedis({ url: sentinels.url, logger, tls, commandTimeoutMs: LONG_TIMEOUT_MS });
      try {
        expect(await checkRedis(redis)).toEqual([]);
        expect(await redis.openBlockingClient().set('{gateway}:blocking', 'served')).toBe('OK');
        expect(await faultsOf(sentinels.url)).toEqual([expect.stringContaining('certificate')]);
      } finally {
        await redis.close();
        await sentinels.stop();
        await certificate.remove();
      }
    },
    STARTUP_MS,
  );
});
