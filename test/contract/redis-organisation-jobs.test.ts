import { afterEach, describe, expect, it } from '@jest/globals';
import { NO_LIMITS, type OrganisationLimits } from '../../src/jobs/record/organisation-jobs.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { claimed, claimRequest } from '../support/stored-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { manyJobsContract } from './many-jobs-contract.js';
import type { EngineUnderTest } from './engine-under-test.js';
import { message, organisationJobsContract } from './organisation-jobs-contract.js';
import { openOnRedis } from './redis-engine.js';

describeWith(['redis-server'], 'The jobs of organisations on Redis, where no script may touch two slots', () => {
  const server = forAllTests(() => startRedis({ cluster: true, password: 'secret' }));
  const client = forAllTests(() => server.client());
  let subject: EngineUnderTest | undefined;

  afterEach(async () => {
    await subject?.close();
    subject = undefined;
  });

  async function opened(limits: Partial<OrganisationLimits>): Promise<EngineUnderTest> {
    subject = await openOnRedis(server, { ...NO_LIMITS, ...limits });
    return subject;
  }

  organisationJobsContract((limits) => openOnRedis(server, limits));
  describe('when there are many', () => manyJobsContract((limits) => openOnRedis(server, limits)));

  it('are indexed by the time of their creation, no longer than records live', async () => {
    const engine = await opened({});
    const {
      record: { createdAt },
    } = await engine.submission.submit(message('job.1', 'a.b{c}'));
    const index = 'jobs:{a%2Eb%7Bc%7D}';
    const [member, score] = await client.zrange(index, '0', '-1', 'WITHSCORES');
    expect(member).toBe('mobiles:job%2E1');
    expect(Math.abs(Number(score) - createdAt)).toBeLessThan(60_000);
    const week = 7 * 24 * 3_600_000;
    expect(await client.pttl(index)).toBeLessThanOrEqual(week);
    await client.zadd(index, Date.now() - week - 60_000, 'mobiles:old');
    await engine.submission.submit(message('job.2', 'a.b{c}'));
    expect(await client.zrange(index, '0', '-1')).toEqual(['mobiles:job%2E1', 'mobiles:job%2E2']);
  });

  it('that a crash left open without a record are found when the limit is reached', async () => {
    const engine = await opened({ maxOpen: 2 });
    await engine.submission.submit(message('1'));
    await engine.submission.submit(message('2'));
    for (const id of ['1', '2']) await client.del(`job:{mobiles:acme:${id}}`);
    await expect(engine.submission.submit(message('3'))).rejects.toMatchObject({ code: 'TooManyRequests' });
    // A job is opened before its record is written.
    await engine.passTime(60_010);
    await engine.submission.submit(message('3'));
  });

  it('run no longer than under a lease taken now, whatever a wrong clock wrote', async () => {
    const engine = await opened({ maxRunning: 1 });
    for (const id of ['1', '2', '3']) await engine.submission.submit(message(id, id === '3' ? 'other' : 'acme'));
    await claimed(engine.store, message('1'), { leaseMs: 9 * 3_600_000 });
    const waiting = claimRequest({ leaseMs: 30_000 });
    expect(await engine.store.claim(message('2'), waiting)).toMatchObject({ outcome: 'must wait' });
    await engine.passTime(30_010);
    expect(await engine.store.claim(message('2'), waiting)).toMatchObject({ outcome: 'claimed' });
  });

  it('whose end a crash kept from being counted do not hold up others for ever', async () => {
    const engine = await opened({ maxRunning: 1 });
    await engine.submission.submit(message('1', 'other'));
    await claimed(engine.store, message('1'), { leaseMs: 600_000 });
    expect(await engine.organisations.waitMs(message('2'))).toBeGreaterThan(0);
    await client.del('job:{mobiles:other:1}');
    await engine.passTime(60_010);
    expect(await engine.organisations.waitMs(message('2'))).toBe(0);
  });

  /** Orders a job and ends it with a reply of a size. */
  async function end(engine: EngineUnderTest, jobId: string, bytes: number): Promise<void> {
    await engine.submission.submit(message(jobId));
    const { fencingToken } = await claimed(engine.store, message(jobId));
    const body = JSON.stringify({ key: 'x'.repeat(bytes) });
    await engine.store.finish(message(jobId), fencingToken, { status: 200, body });
  }
  const refused = { reason: 'TooManyKeptJobs' };

  it('that 0.2.0 put into the index count 2 kB each, and those that it removed count no more', async () => {
    const engine = await opened({ maxKeptBytes: 20_000 });
    await end(engine, '1', 9_900);
    await end(engine, '2', 2_000);
    const [index, members] = ['jobs:{acme}', ['mobiles:a', 'mobiles:b', 'mobiles:c']];
    for (const member of members) await client.zadd(index, Date.now(), member);
    await expect(engine.submission.submit(message('3'))).rejects.toMatchObject(refused);
    for (const key of [index, `${index}:ends`]) await client.zrem(key, 'mobiles:1', ...members);
    await client.hdel(`${index}:orderers`, 'mobiles:1');
    await end(engine, '4', 9_900);
    await end(engine, '5', 6_000);
    await expect(engine.submission.submit(message('6'))).rejects.toMatchObject(refused);
    expect(await client.hkeys(`${index}:bytes`)).not.toContain('mobiles:1');
  });

  it('that have ended take an eighth of the memory at most', async () => {
    await client.config('SET', 'maxmemory', '80mb');
    try {
      const engine = await opened({ maxKeptBytes: 100_000_000 });
      await end(engine, '1', 8_000_000);
      await end(engine, '2', 2_600_000);
      await expect(engine.submission.submit(message('3'))).rejects.toMatchObject(refused);
    } finally {
      await client.config('SET', 'maxmemory', '0');
    }
  });
});
