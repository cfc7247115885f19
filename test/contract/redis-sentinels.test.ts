import { expect, it } from '@jest/globals';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { LONG_TIMEOUT_MS } from '../support/redis-server.js';
import { startRedisSentinels } from '../support/redis-sentinels.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { faultsOf, passwordContract, tlsContract } from './redis-access-contract.js';
import { redisConnectionContract } from './redis-ports-contract.js';

const logger = createLogger({ level: 'silent' });
const PASSWORD = 'of the, sentinels/@';

describeWith(['redis-server'], 'A Redis behind three sentinels:', () => {
  const sentinels = forAllTests(() => startRedisSentinels({ password: PASSWORD, sentinelPassword: PASSWORD }));

  redisConnectionContract(() => sentinels);
  passwordContract(() => sentinels);

  it('is not found by another name', async () => {
    const url = sentinels.url.replace('/gateway?', '/other?');
    expect(await faultsOf(url)).toEqual([expect.stringContaining('know no primary of the name')]);
  });

  it('is not found without the password of the sentinels', async () => {
    const url = sentinels.url.replace('?sentinelAuth=true', '');
    expect(await faultsOf(url)).toEqual([expect.stringContaining('?sentinelAuth=true')]);
  });

  it('is not found where no server listens', async () => {
    expect(await faultsOf('redis+sentinel://127.0.0.1:1,127.0.0.1:2/gateway')).toEqual([
      expect.stringMatching(/cannot be reached .*ECONNREFUSED.*REDIS_URL/),
    ]);
  });

  it('is one of several databases', async () => {
    const [zero, one] = ['', '/1'].map(
      (database) =>
        new RedisConnection({
          url: sentinels.url.replace('?', `${database}?`),
          logger,
          commandTimeoutMs: LONG_TIMEOUT_MS,
        }),
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

describeWith(['redis-server', 'openssl'], 'A Redis behind sentinels and TLS', () =>
  tlsContract('rediss+sentinel', startRedisSentinels),
);
