/** The mark in Redis: programs that run see that it was emptied or put back, and one of them says so, once. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Redis } from 'ioredis';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { MARK, MarkCheck } from '../../src/jobs/engines/redis/mark.js';
import { openRedisEngine } from '../../src/jobs/engines/redis/open-redis.js';
import { captureLog, type CapturedLog } from '../support/captured-log.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';

const MINUTE_MS = 60_000;

describeWith(['redis-server'], 'The mark of a Redis', () => {
  const server = forAllTests(() => startRedis({ appendOnly: true }));
  let client: Redis;
  let redis: RedisConnection;
  let log: CapturedLog;

  beforeEach(async () => {
    client = server.client();
    await client.flushall();
    log = captureLog();
    redis = new RedisConnection({ url: server.url, logger: log.logger });
    await redis.ready();
  });
  afterEach(async () => {
    client.disconnect();
    await redis.close();
  });

  /** Returns the losses told since the last call. */
  function told(): readonly unknown[] {
    const losses = log.entries().flatMap(({ event, mark }) => (event === 'store.forgot' ? [mark] : []));
    return losses.slice(asked, (asked = losses.length));
  }
  let asked: number;
  beforeEach(() => {
    asked = 0;
  });

  const start = async () => {
    const mark = new MarkCheck(redis, log.logger);
    await mark.look();
    return () => mark.look();
  };
  const back = async (ms: number): Promise<void> => {
    const at = Number(await client.hget(MARK, 'at'));
    await client.hset(MARK, 'at', at - ms);
  };

  it('that 0.1.0 never made is missed beside its jobs, which are refused with the way over 0.2.0', async () => {
    const engine = openRedisEngine({ url: server.url, logger: log.logger, maxAttempts: 3, deadlineMs: 1_000 });
    try {
      await client.zadd('{gateway}:organisations', Date.now(), 'acme');
      expect(await engine.check()).toEqual([]);
      await client.zadd('jobs:{acme}', Date.now(), 'mobiles:job');
      const fault = 'Redis has jobs of 0.1.0. Start 0.2.0 on it for some minutes';
      expect(await engine.check()).toEqual([expect.stringContaining(fault)]);
      await expect(engine.ready()).rejects.toThrow(fault);
      // An index of 0.2.0, whose mark was lost.
      await client.zadd('jobs:{acme}:ends', Date.now(), 'mobiles:job');
      expect(await engine.check()).toEqual([]);
    } finally {
      await engine.close();
    }
  });

  it('is made silently at a first start, and moves', async () => {
    const look = await start();
    await back(MINUTE_MS - 1);
    const before = await client.hgetall(MARK);
    await look();
    const after = await client.hgetall(MARK);
    expect([after['id'], told()]).toEqual([before['id'], []]);
    expect(Number(after['at'])).toBeGreaterThan(Number(before['at']));
  });

  it('that is missing is told once by all programs, and made anew', async () => {
    const [one, other] = [await start(), await start()];
    await client.flushall();
    await other();
    await one();
    await other();
    expect(told()).toEqual(['missing']);
    await client.flushall();
    await one();
    await other();
    expect(told()).toEqual(['missing']);
  });

  it('that a new program has made is told by one of those that ran before', async () => {
    const [before, other] = [await start(), await start()];
    await client.flushall();
    const restarted = await start();
    expect(told()).toEqual([]);
    await before();
    expect(told()).toEqual(['foreign']);
    for (const look of [other, restarted, before]) await look();
    expect(told()).toEqual([]);
  });

  it('that is missing beside a bucket that was used is told at the start, by the first program alone', async () => {
    const looks = [0, 1].map(() => new MarkCheck(redis, log.logger));
    for (const mark of looks) await mark.look(true);
    expect(told()).toEqual(['missing']);
  });

  it('that is more than a minute behind is told once, and one that is less behind is not', async () => {
    const [one, other] = [await start(), await start()];
    await back(MINUTE_MS - 1_000);
    await one();
    expect(told()).toEqual([]);
    await other();
    await back(MINUTE_MS + 1_000);
    await one();
    await other();
    await one();
    expect(told()).toEqual(['behind']);
  });

  it('from before a restore is silent, if every program was stopped', async () => {
    await start();
    await back(10 * MINUTE_MS);
    const look = await start();
    await look();
    expect(told()).toEqual([]);
  });

  it('says nothing of a Redis that cannot be reached, and looks again', async () => {
    const look = await start();
    await server.kill();
    await look();
    expect(log.text()).not.toContain('store.mark_unknown');
    await server.restart();
    await redis.ready();
    await look();
    expect(told()).toEqual([]);
  });

  it('is watched by a user who may not read the settings', async () => {
    const look = await start();
    await client.call('ACL', 'SETUSER', 'default', '-info');
    try {
      await look();
      await client.flushall();
      await look();
    } finally {
      await client.call('ACL', 'SETUSER', 'default', '+info');
    }
    expect([told(), log.text()]).toEqual([['missing'], expect.not.stringContaining('store.mark_unknown')]);
  });

  it('is not touched by a command, however long it runs, which would tell nobody of a loss', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    const engine = openRedisEngine({ url: server.url, logger: log.logger, maxAttempts: 1, deadlineMs: MINUTE_MS });
    await engine.check();
    await jest.advanceTimersByTimeAsync(10 * MINUTE_MS);
    jest.useRealTimers();
    await engine.close();
    expect(await client.exists(MARK, '{gateway}:sweep')).toBe(0);
  });

  it('is watched together with settings that may lose jobs, each told once', async () => {
    const look = await start();
    expect(log.complaints()).toEqual([]);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await client.config('SET', 'appendonly', 'no');
    try {
      await look();
      await look();
      const both = /Set maxmemory-policy to noeviction; it is allkeys-lru\..*Set its appendonly to yes/;
      expect(log.complaints()).toEqual([expect.stringMatching(both)]);
      expect(log.text()).toContain('store.may_forget');
    } finally {
      await client.config('SET', 'maxmemory-policy', 'noeviction');
      await client.config('SET', 'appendonly', 'yes');
    }
  });
});
