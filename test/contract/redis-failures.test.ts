import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../src/base/config/config.js';
import { ServiceUnavailableError } from '../../src/base/errors.js';
import type { JobIdentity } from '../../src/jobs/record/job-record.js';
import type { NewJob } from '../../src/jobs/record/job-store.js';
import { checkRedis } from '../../src/jobs/engines/redis/check.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { RedisJobStore } from '../../src/jobs/engines/redis/job-store.js';
import { captureLog, type CapturedLog } from '../support/captured-log.js';
import { makeCertificate } from '../support/certificate.js';
import { LONG_TIMEOUT_MS, startRedis, type RedisServer, type RedisServerOptions } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { claimed, claimRequest } from '../support/stored-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { succeeds, waitFor } from '../support/wait-for.js';
import { faultsOf, passwordContract, tlsContract } from './redis-access-contract.js';

const JOB: JobIdentity = { kind: 'mobiles', org: 'acme', jobId: 'job-1' };
const OTHER_JOB: JobIdentity = { ...JOB, jobId: 'job-2' };
const DESCRIBED: NewJob = { total: 1, fingerprint: 'f', retentionMs: 1_000 };
const CLAIM = claimRequest();
/** For a server that never answers, or never lets us in. */
const SHORT_TIMEOUT_MS = 2_000;

describeWith(['redis-server'], 'A Redis that does not serve', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  let store: RedisJobStore;
  let log: CapturedLog;

  async function start(options: RedisServerOptions, commandTimeoutMs = LONG_TIMEOUT_MS): Promise<void> {
    server = await startRedis(options);
    log = captureLog();
    redis = new RedisConnection({ url: server.url, logger: log.logger, commandTimeoutMs });
    store = new RedisJobStore({ redis });
    await redis.ready();
  }

  afterEach(async () => {
    await redis.close();
    await server.stop();
  });

  describe('because it was killed', () => {
    // No command may wait for its time-out.
    beforeEach(() => start({ appendOnly: true }, 3_600_000));

    it('fails at once, and serves what it acknowledged after its restart', async () => {
      const { fencingToken, record } = await claimed(store, JOB);
      await server.kill();
      await waitFor('the connection to be lost', () => redis.client.status !== 'ready');

      const attempts: readonly (() => Promise<unknown>)[] = [
        () => store.read(JOB),
        () => store.enqueue(JOB, DESCRIBED),
        () => store.claim(JOB, CLAIM),
        () => store.renew(JOB, fencingToken, 1_000),
        () => store.checkpoint(JOB, fencingToken, { done: 1, checkpoint: '{}' }),
        () => store.finish(JOB, fencingToken, { status: 200, body: '{}' }),
        () => store.release(JOB, fencingToken),
        () => store.fail(JOB, DESCRIBED, { status: 500, body: '{}' }),
        () => store.ping(),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow(ServiceUnavailableError);
      await server.restart();
      await redis.ready();
      expect(await store.read(JOB)).toEqual(record);
      expect(await store.finish(JOB, fencingToken, { status: 200, body: '{"a":1}' })).toBe(true);
    });

    it('says in one line what to look at, and in another that it is back', async () => {
      await server.kill();
      await waitFor('the fault to be logged', () => log.complaints().length > 0);
      for (let attempt = 0; attempt < 5; attempt += 1) await expect(store.ping()).rejects.toThrow();
      expect(log.complaints()).toEqual([expect.stringContaining('Check the host and port in REDIS_URL')]);

      await server.restart();
      await redis.ready();
      expect(log.text()).toContain('dependency.recovered');
    });

    it('fails a command whose reply is lost, and does not send it twice', async () => {
      server.pause();
      const claiming = store.claim(JOB, CLAIM);
      await server.kill();
      await expect(claiming).rejects.toThrow(ServiceUnavailableError);
      await server.restart();
      await redis.ready();
      expect(await store.read(JOB)).toBeUndefined();
    });
  });

  describe('because it hangs', () => {
    beforeEach(() => start({}, SHORT_TIMEOUT_MS));

    it('fails within the time-out, and serves when it goes on', async () => {
      server.pause();
      // Without a time-out there would be no answer at all.
      await expect(store.read(JOB)).rejects.toMatchObject({
        code: 'ServiceUnavailable',
        cause: expect.objectContaining({ message: expect.stringContaining('does not answer in time') }),
      });
      server.resume();
      await waitFor('Redis to serve', () => succeeds(store.claim(JOB, CLAIM)));
    });
  });

  describe('because it is read-only', () => {
    beforeEach(() => start({}));

    it('still reads, names the cure, and writes when it is the primary again', async () => {
      await store.claim(JOB, CLAIM);
      await server.call('REPLICAOF', '127.0.0.1', '1');
      await expect(store.claim(OTHER_JOB, CLAIM)).rejects.toThrow(ServiceUnavailableError);
      expect(log.complaints()).toEqual([expect.stringMatching(/read-only.*Point REDIS_URL to the primary/)]);
      const record = await waitFor('the read', () => store.read(JOB).catch(() => undefined));
      expect(record).toMatchObject({ state: 'running' });
      expect(await checkRedis(redis)).toEqual([expect.stringContaining('read-only')]);

      await server.call('REPLICAOF', 'NO', 'ONE');
      await waitFor('a write', () => succeeds(store.claim(OTHER_JOB, CLAIM)));
    });
  });

  describe('because it is full', () => {
    beforeEach(() => start({}));

    it('takes no new work and names the cure, while running jobs end', async () => {
      const { fencingToken } = await claimed(store, JOB);
      await server.call('CONFIG', 'SET', 'maxmemory', '1');

      await expect(store.claim(OTHER_JOB, CLAIM)).rejects.toThrow(ServiceUnavailableError);
      await expect(store.enqueue(OTHER_JOB, DESCRIBED)).rejects.toThrow(ServiceUnavailableError);
      expect(log.complaints()).toEqual([expect.stringMatching(/full.*Raise its maxmemory/)]);
      expect(await checkRedis(redis)).toEqual([expect.stringMatching(/full.*Raise its maxmemory/)]);
      expect(await store.renew(JOB, fencingToken, 60_000)).toBe('held');
      expect(await store.checkpoint(JOB, fencingToken, { done: 2, checkpoint: '{}' })).toBe('held');
      expect(await store.finish(JOB, fencingToken, { status: 200, body: '{}' })).toBe(true);

      await server.call('CONFIG', 'SET', 'maxmemory', '0');
      expect(await store.claim(OTHER_JOB, CLAIM)).toMatchObject({ outcome: 'claimed' });
      expect(await store.read(OTHER_JOB)).toMatchObject({ attempt: 1 });
    });
  });

  describe('because of its settings', () => {
    beforeEach(() => start({ password: 'right: p@ss/word' }));

    it.each<[what: string, urlOf: (url: string) => string, fault: RegExp]>([
      ['it requires a password', (url) => url.replace(/:[^:]*@/, ''), /requires a password.*REDIS_URL/],
      ['no server listens', () => 'redis://127.0.0.1:1', /cannot be reached.*REDIS_URL/],
      [
        'it speaks no TLS',
        (url) => url.replace('redis:', 'rediss:'),
        /does not speak TLS there.*Use redis: instead of rediss:/,
      ],
    ])('says that %s', async (_what, urlOf, fault) => {
      expect(await faultsOf(urlOf(server.url))).toEqual([expect.stringMatching(fault)]);
    });

    passwordContract(() => server);

    it('says that it has no such database, and writes to no other one', async () => {
      const other = new RedisConnection({
        url: `${server.url}/99`,
        logger: log.logger,
        commandTimeoutMs: LONG_TIMEOUT_MS,
      });
      try {
        expect(await checkRedis(other)).toEqual([expect.stringMatching(/no database of the number in REDIS_URL/)]);
        await expect(other.ready()).rejects.toThrow(ConfigError);
        await expect(new RedisJobStore({ redis: other }).claim(JOB, CLAIM)).rejects.toThrow(ServiceUnavailableError);
        expect(await store.read(JOB)).toBeUndefined();
      } finally {
        await other.close();
      }
      const third = new RedisConnection({
        url: `${server.url}/3`,
        logger: log.logger,
        commandTimeoutMs: LONG_TIMEOUT_MS,
      });
      expect(await checkRedis(third)).toEqual([]);
      await third.close();
    });

    it('says that jobs could be evicted', async () => {
      await server.call('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
      expect(await checkRedis(redis)).toEqual([expect.stringContaining('maxmemory-policy to noeviction')]);
    });
  });
});

describeWith(['redis-server', 'openssl'], 'A Redis behind TLS', () => {
  const certificate = forAllTests(makeCertificate, (made) => made.remove());
  const server = forAllTests(() => startRedis({ tls: certificate }));

  tlsContract('rediss', startRedis);

  it('is distinguished from one that does not answer', async () => {
    const url = server.url.replace('rediss:', 'redis:');
    const advice = /speaks TLS there, and REDIS_URL does not ask for it.*Use rediss: instead of redis:/;
    expect(await faultsOf(url)).toEqual([expect.stringMatching(advice)]);
  });

  it('that is not trusted does no harm to a process that hangs up on it at any moment', async () => {
    for (let turns = 0; turns < 100; turns += 1) {
      const redis = new RedisConnection({ url: server.url, logger: captureLog().logger });
      for (let turn = 0; turn < turns % 10; turn += 1) await nextTurn();
      await redis.close();
    }
    // The server's word about it arrives within a reply of its own.
    const tls = { rejectUnauthorized: false };
    const redis = new RedisConnection({
      url: server.url,
      logger: captureLog().logger,
      tls,
      commandTimeoutMs: LONG_TIMEOUT_MS,
    });
    await redis.ready();
    await redis.close();
  });
});
