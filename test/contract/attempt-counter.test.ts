/** Both counters of attempts keep to the same rules. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { AttemptCounter, CounterFactory, Taking } from '../../src/attempt-counter.js';
import { createMemoryCounter } from '../../src/engines/memory-counter.js';
import { redisCounters } from '../../src/engines/redis/attempt-counter.js';
import { connectRedis, type RedisConnection } from '../../src/engines/redis/connection.js';
import { createLogger } from '../../src/logger.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const logger = createLogger({ level: 'silent', pretty: false });

/** Points and seconds of the counters here. */
const POINTS = 5;
const SECONDS = 1;

function counterContract(counters: () => CounterFactory): void {
  let counter: AttemptCounter;
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    counter = counters()(`contract-${tests}`, POINTS, SECONDS);
  });

  async function taken(key: string, points: number): Promise<Extract<Taking, { outcome: 'taken' }>> {
    const taking = await counter.take(key, points);
    if (taking.outcome !== 'taken') throw new Error('There should have been points.');
    return taking;
  }

  /** Points that are left, which are gone afterwards. */
  async function left(key: string): Promise<number> {
    for (let points = 0; ; points += 1) if ((await counter.take(key, 1)).outcome === 'refused') return points;
  }

  it('gives each key its points, and says how long it takes until there are more', async () => {
    expect(await left('a')).toBe(POINTS);
    const refused = await counter.take('a', 1);
    expect(refused).toMatchObject({ outcome: 'refused' });
    const { retryAfterMs } = refused as Extract<Taking, { outcome: 'refused' }>; // as was just seen
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(SECONDS * 1000);
    expect(await left('b')).toBe(POINTS);
  });

  it('takes nothing when it refuses', async () => {
    await taken('a', 3);
    expect(await counter.take('a', 3)).toMatchObject({ outcome: 'refused' });
    expect(await left('a')).toBe(2);
  });

  it('takes what is given back within its window', async () => {
    const taking = await taken('a', POINTS);
    await taking.giveBack(2);
    expect(await left('a')).toBe(2);
  });

  it('takes nothing back once the window is over, whether or not another one has begun', async () => {
    const early = await taken('a', POINTS);
    const lone = await taken('b', POINTS);
    await delay(SECONDS * 1000 + 20);
    await taken('a', 1);
    await Promise.all([early.giveBack(POINTS), lone.giveBack(POINTS)]);
    expect([await left('a'), await left('b')]).toEqual([POINTS - 1, POINTS]);
  });
}

describe('The counter of attempts in memory', () => {
  counterContract(() => createMemoryCounter);
});

describeWith(['redis-server'], 'The counter of attempts in Redis', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = connectRedis({ url: server.url, logger, commandTimeoutMs: 500 });
    await redis.ready();
    client = server.client();
  });
  afterEach(() => server.resume());
  afterAll(async () => {
    client.disconnect();
    await redis.close();
    await server.stop();
  });

  counterContract(() => redisCounters(redis));

  it('has a prefix of its own, and every key ends with its window', async () => {
    await client.flushall();
    const counter = redisCounters(redis)('own', POINTS, 60);
    for (const key of ['a', 'b']) for (let time = 0; time < 10; time += 1) await counter.take(key, 1);
    const keys = await client.keys('*');
    expect(keys.sort()).toEqual(['attempts:own:a', 'attempts:own:b']);
    for (const key of keys) expect(await client.ttl(key)).toBeGreaterThan(50);
  });

  it('takes nothing back into a later window when Redis answers late', async () => {
    const counter = redisCounters(redis)('late', POINTS, SECONDS);
    const taking = await counter.take('a', POINTS);
    if (taking.outcome !== 'taken') throw new Error('There should have been points.');
    // As if the command had been on its way for longer than the window lasted.
    await client.set('attempts:late:a', POINTS, 'EX', 60);
    await taking.giveBack(POINTS);
    expect(await client.get('attempts:late:a')).toBe(String(POINTS));
  });

  it('is one of this process alone while Redis does not answer, and what that takes stays there', async () => {
    const counter = redisCounters(redis)('outage', POINTS, 60);
    await counter.take('a', 1);
    server.pause();
    const taking = await counter.take('a', POINTS);
    expect(taking.outcome).toBe('taken');
    expect((await counter.take('a', 1)).outcome).toBe('refused');
    server.resume();
    await waitFor('Redis', () =>
      redis.ready().then(
        () => true,
        () => false,
      ),
    );
    // What was under way when it stopped may have been counted.
    const counted = await client.get('attempts:outage:a');
    if (taking.outcome === 'taken') await taking.giveBack(POINTS);
    expect(await client.get('attempts:outage:a')).toBe(counted);
  });
});
