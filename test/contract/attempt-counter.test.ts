/** Both counters of attempts keep to the same rules. */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryCounter, memoryTexts } from '../../src/jobs/engines/memory-counter.js';
import { redisCounters, redisTexts } from '../../src/jobs/engines/redis/attempt-counter.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { GatewayError } from '../../src/base/errors.js';
import { AttemptLimits } from '../../src/gateway/graphql/limits/attempt-limits.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { memoryInUse } from '../support/memory.js';
import { LONG_TIMEOUT_MS, startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { succeeds, waitFor } from '../support/wait-for.js';
import { counterContract, POINTS, SECONDS, textsContract } from './attempt-counter-contract.js';

const logger = createLogger({ level: 'silent' });

describe('The counter of attempts in memory', () => {
  counterContract(() => (_name, points, seconds) => new MemoryCounter(points, seconds));
  textsContract(memoryTexts);

  it('remembers a bounded number of keys, and starts no timer for them', async () => {
    const counter = new MemoryCounter(POINTS, 3_600);
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const [timersBefore, bytesBefore] = [timers(), memoryInUse().heapUsed];
    for (let key = 0; key < 100_000; key += 1) await counter.take(`key ${key}`, POINTS);
    expect(memoryInUse().heapUsed - bytesBefore).toBeLessThan(8 * 1024 * 1024);
    expect(timers()).toBeLessThanOrEqual(timersBefore + 10);
    expect(await counter.take('key 99999', 1)).toMatchObject({ outcome: 'refused' });
  });
});

describeWith(['redis-server'], 'The counter of attempts in Redis', () => {
  const server = forAllTests(startRedis);
  const connect = (commandTimeoutMs: number) => new RedisConnection({ url: server.url, logger, commandTimeoutMs });
  const redis = forAllTests(() => connect(LONG_TIMEOUT_MS));
  const client = forAllTests(() => server.client());
  beforeAll(() => redis.ready());
  afterEach(() => server.resume());

  counterContract(() => redisCounters(redis));
  textsContract(() => redisTexts(redis));

  it('counts failures by /56 for two gateways together', async () => {
    const other = closeAfterTest(connect(LONG_TIMEOUT_MS));
    await other.ready();
    const limits = { loginRatePerMinute: 5, otpSendRatePerMinute: 1 };
    const gateways = [redis, other].map(
      (each) => new AttemptLimits({ limits, counters: redisCounters(each), texts: redisTexts(each), callMs: 1_000 }),
    );
    let made = 0;
    const fail = (): Promise<never> => {
      made += 1;
      return Promise.reject(new GatewayError('WrongPassword'));
    };
    for (let at = 0; at < 80; at += 1) {
      const attempt = { loginId: 'demo', address: `2001:db8:2:44${16 + at}::1` };
      await gateways[at % 2]?.credentials(attempt, fail).catch(() => undefined);
    }
    expect(made).toBe(60);
  });

  it('has a prefix of its own, and every key ends with its window', async () => {
    await client.flushall();
    const counter = redisCounters(redis)('own', POINTS, SECONDS);
    for (const key of ['a', 'b']) for (let time = 0; time < 10; time += 1) await counter.take(key, 1);
    const keys = await client.keys('*');
    expect(keys.sort()).toEqual(['attempts:own:a', 'attempts:own:b']);
    for (const key of keys) expect(await client.ttl(key)).toBeGreaterThan(50);
  });

  it('takes nothing back into a later window when Redis answers late', async () => {
    const counter = redisCounters(redis)('late', POINTS, 1);
    const taking = await counter.take('a', POINTS);
    if (taking.outcome !== 'taken') throw new Error('There should have been points.');
    // As if the command had been on its way for longer than the window lasted.
    await client.set('attempts:late:a', POINTS, 'EX', 60);
    await taking.giveBack(POINTS);
    expect(await client.get('attempts:late:a')).toBe(String(POINTS));
  });

  it('keeps texts in this process while Redis is full, and gives them back', async () => {
    const texts = redisTexts(redis);
    await server.call('CONFIG', 'SET', 'maxmemory', '1');
    closeAfterTest(texts, () => server.call('CONFIG', 'SET', 'maxmemory', '0'));
    expect(await texts.put('full', 'text', { forMs: 600_000, isNew: true })).toBe(true);
    expect(await texts.get('full')).toBe('text');
    await texts.delete('full');
    expect(await texts.get('full')).toBeUndefined();
  });

  it('is one of this process alone while Redis does not answer, and what that takes stays there', async () => {
    await redisCounters(redis)('outage', POINTS, SECONDS).take('a', 1);
    const hasty = closeAfterTest(connect(500));
    await hasty.ready();
    const counter = redisCounters(hasty)('outage', POINTS, SECONDS);
    const texts = redisTexts(hasty);
    server.pause();
    expect(await texts.put('a', 'text', { forMs: 600_000, isNew: true })).toBe(true);
    expect(await texts.get('a')).toBe('text');
    const taking = await counter.take('a', POINTS);
    expect(taking.outcome).toBe('taken');
    expect((await counter.take('a', 1)).outcome).toBe('refused');
    server.resume();
    await waitFor('Redis', () => succeeds(hasty.ready()));
    // The attempt under way when Redis stopped may have been counted.
    const counted = await client.get('attempts:outage:a');
    if (taking.outcome === 'taken') await taking.giveBack(POINTS);
    expect(await client.get('attempts:outage:a')).toBe(counted);
  });
});
