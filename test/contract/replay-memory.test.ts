/** Both memories of what may come once keep to the same rules. */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { createRedisReplayMemory } from '../../src/jobs/engines/redis/open-redis.js';
import { SqliteDatabase } from '../../src/jobs/engines/sqlite/database.js';
import { createSqliteReplayMemory } from '../../src/jobs/engines/sqlite/open-sqlite.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { LONG_TIMEOUT_MS, startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { LONG_MS, replayMemoryContract } from './replay-memory-contract.js';

const logger = createLogger({ level: 'silent' });

describe('The memory on SQLite', () => {
  const directory = forAllTests(temporaryDirectory);
  const database = forAllTests(() => SqliteDatabase.open({ directory: directory.path, logger }));

  replayMemoryContract(() => createSqliteReplayMemory(database));
});

describeWith(['redis-server'], 'The memory on Redis', () => {
  const server = forAllTests(startRedis);
  const redis = forAllTests(() => new RedisConnection({ url: server.url, logger, commandTimeoutMs: LONG_TIMEOUT_MS }));
  beforeAll(() => redis.ready());
  afterEach(() => server.resume());

  replayMemoryContract(() => createRedisReplayMemory(redis));

  it('forgets what is over', async () => {
    const memory = createRedisReplayMemory(redis);
    expect(await memory.remember('short', 20)).toBe(true);
    await waitFor('the id to be forgotten', () => memory.remember('short', LONG_MS));
  });

  it('cannot tell while Redis does not answer, and says so', async () => {
    const hasty = closeAfterTest(new RedisConnection({ url: server.url, logger, commandTimeoutMs: 500 }));
    await hasty.ready();
    server.pause();
    await expect(createRedisReplayMemory(hasty).remember('x', LONG_MS)).rejects.toMatchObject({
      code: 'ServiceUnavailable',
    });
  });
});
