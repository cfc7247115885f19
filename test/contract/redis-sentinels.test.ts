import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { JobEngine } from '../../src/jobs/engines/job-engine.js';
import { openRedisEngine } from '../../src/jobs/engines/redis/open-redis.js';
import { jobRecordKey, type JobIdentity } from '../../src/jobs/record/job-record.js';
import { captureLog } from '../support/captured-log.js';
import { jobMessage } from '../support/stored-jobs.js';
import { waitFor } from '../support/wait-for.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { LONG_TIMEOUT_MS } from '../support/redis-server.js';
import { startRedisSentinels } from '../support/redis-sentinels.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
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

describeWith(['redis-server'], 'A planned failover of sentinels', () => {
  /** Orders one job after another until the test ends it. */
  function orders(engine: JobEngine) {
    const acknowledged: JobIdentity[] = [];
    let isOver = false as boolean; // set when it is closed
    const ordering = (async () => {
      while (!isOver) {
        const message = jobMessage(randomUUID());
        await engine.submission.submit(message).then(
          () => acknowledged.push(message),
          () => delay(10), // while no primary is there
        );
      }
    })();
    return closeAfterTest({
      acknowledged,
      async close() {
        isOver = true;
        await ordering;
      },
    });
  }

  it.each([
    ['is followed before the former primary becomes a replica, and names the jobs that it lost', 'alone'],
    ['is followed while a sentinel is away', 'one away'],
    ['after a pause of writes loses nothing', 'paused'],
    ['that begins with the end of the primary loses nothing', 'stopped'],
  ])('%s', async (_, how) => {
    const sentinels = closeAfterTest(await startRedisSentinels({ password: PASSWORD }), (each) => each.stop());
    const { primary, replica } = sentinels;
    const log = captureLog();
    const engine = openRedisEngine({ url: sentinels.url, logger: log.logger, maxAttempts: 3, deadlineMs: 60_000 });
    closeAfterTest(engine);
    await engine.ready();
    const consumer = closeAfterTest(engine.queue.consume(() => Promise.resolve({ kind: 'done' }), { concurrency: 1 }));
    const ordering = orders(engine);
    const { acknowledged } = ordering;
    await waitFor('some orders', () => acknowledged.length > 50);
    if (how === 'one away') await sentinels.stopSentinel();
    if (how === 'paused') await primary.call('CLIENT', 'PAUSE', '15000', 'WRITE');
    await (how === 'stopped' ? sentinels.stopPrimary() : sentinels.switchOver());
    const isFollowed = how === 'alone' || how === 'one away';
    if (isFollowed) {
      await waitFor('every client to leave', async () => {
        const clients = String(await primary.call('CLIENT', 'LIST', 'TYPE', 'normal')).split('\n');
        return !clients.some((line) => / addr=127/.test(line) && !/ name=sentinel/.test(line));
      });
      // Left alone, the sentinels end its time as a primary some ten seconds later.
      expect(await primary.call('ROLE')).toEqual(['master', expect.anything(), expect.anything()]);
    }
    const before = acknowledged.length;
    await waitFor('orders in the new primary', () => acknowledged.length > before + 50);
    await ordering.close();
    await consumer.close();
    const there = await Promise.all(acknowledged.map((job) => replica.call('EXISTS', jobRecordKey(job))));
    const lost = acknowledged.flatMap((job, index) => (there[index] === 0 ? job.jobId : []));
    const told = log.entries().filter(({ event }) => event === 'store.forgot');
    if (!isFollowed) expect([lost, told]).toEqual([[], []]);
    expect(told.reduce((sum, { missing }) => sum + Number(missing), 0)).toBe(lost.length);
    expect(lost).toEqual(expect.arrayContaining(told.flatMap(({ jobIds }) => jobIds)));
  });
});

describeWith(['redis-server', 'openssl'], 'A Redis behind sentinels and TLS', () =>
  tlsContract('rediss+sentinel', startRedisSentinels),
);
