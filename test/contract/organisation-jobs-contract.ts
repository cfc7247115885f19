import { afterEach, describe, expect, it } from '@jest/globals';
import type { GatewayError } from '../../src/base/errors.js';
import type { JobMessage } from '../../src/jobs/record/job-queue.js';
import type { JobKind } from '../../src/jobs/record/job-kinds.js';
import type { JobIdentity } from '../../src/jobs/record/job-record.js';
import type { ClaimOutcome } from '../../src/jobs/record/job-store.js';
import {
  NO_LIMITS,
  type IndexedJobs,
  type IndexPage,
  type IndexPosition,
  type OrganisationLimits,
} from '../../src/jobs/record/organisation-jobs.js';
import { claimed as claimedJob, claimRequest, jobMessage } from '../support/stored-jobs.js';
import { waitFor } from '../support/wait-for.js';
import type { EngineUnderTest } from './engine-under-test.js';

const LEASE_MS = 30_000;
const OK = { status: 200, body: '{}' };
const DEAD_LETTER = { status: 503, body: '{"message":"no reply"}' };
const REFUSED = { code: 'TooManyRequests', retryAfterSeconds: 30 };

/** A message of a job of `acme`, or of another organisation. */
export function message(
  jobId: string,
  org: string | undefined = 'acme',
  changes: Partial<JobMessage> = {},
): JobMessage {
  return jobMessage(jobId, { org, payload: 'x'.repeat(100), ...changes });
}

export function kindOf(index: number): JobKind {
  return (['mobiles', 'driving-reports', 'user-accounts'] as const)[index % 3] ?? 'mobiles';
}

function idsOf({ jobs }: IndexedJobs): string[] {
  return jobs.map(({ jobId }) => jobId);
}

/** Every page of the jobs of `acme`, one after another. @param between called after each, with their number */
export async function pages(
  { organisations }: EngineUnderTest,
  page: IndexPage,
  between: (pages: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly (readonly string[])[]> {
  const found: string[][] = [];
  let next: IndexPosition | undefined;
  do {
    const part = await organisations.list('acme', { ...page, ...(next && { after: next }) });
    found.push(idsOf(part));
    next = part.next;
    await between(found.length);
  } while (next !== undefined);
  return found;
}

/** Registers the tests that every engine must pass, within the `describe` of the caller. */
export function organisationJobsContract(open: (limits: OrganisationLimits) => Promise<EngineUnderTest>): void {
  let subject: EngineUnderTest | undefined;

  async function opened(limits: Partial<OrganisationLimits>): Promise<EngineUnderTest> {
    subject = await open({ ...NO_LIMITS, ...limits });
    return subject;
  }

  afterEach(async () => {
    await subject?.close();
    subject = undefined;
  });

  function claim({ store }: EngineUnderTest, job: JobIdentity): Promise<ClaimOutcome> {
    const { kind, org, jobId } = job;
    return store.claim({ kind, org, jobId }, claimRequest({ leaseMs: LEASE_MS }));
  }

  async function claimed(engine: EngineUnderTest, job: JobIdentity & Partial<JobMessage>): Promise<string> {
    const { retentionMs = 600_000 } = job.described ?? {};
    return (await claimedJob(engine.store, job, { leaseMs: LEASE_MS, retentionMs })).fencingToken;
  }

  async function submitAll(engine: EngineUnderTest, messages: readonly JobMessage[]): Promise<void> {
    for (const each of messages) await engine.submission.submit(each);
  }

  describe('open ones', () => {
    it('are bounded in number, and nothing of a job beyond the bound is written', async () => {
      const shares: number[] = [];
      const engine = await opened({ maxOpen: 2, onOrder: (_, share) => shares.push(share.TooManyOpenJobs) });
      await submitAll(engine, [message('1'), message('2')]);
      await expect(engine.submission.submit(message('3'))).rejects.toMatchObject(REFUSED);
      expect(await engine.store.read(message('3'))).toBeUndefined();
      expect(shares).toEqual([0.5, 1, 1.5]);
      const delivered: string[] = [];
      const consumer = engine.queue.consume(
        (delivery) => {
          delivered.push(delivery.message.jobId);
          return Promise.resolve({ kind: 'done' });
        },
        { concurrency: 1 },
      );
      await engine.submission.submit(message('of another', 'other'));
      await waitFor('the messages', () => delivered.length >= 3);
      await consumer.close();
      expect(delivered).toEqual(['1', '2', 'of another']);
      expect(idsOf(await engine.organisations.list('acme', { limit: 10 }))).toEqual(['2', '1']);
    });

    it('are bounded in the bytes of their messages', async () => {
      const engine = await opened({ maxOpenBytes: 250 });
      await submitAll(engine, [message('1'), message('2')]);
      await expect(engine.submission.submit(message('3'))).rejects.toMatchObject(REFUSED);
      await engine.submission.submit(message('3', 'acme', { payload: 'x'.repeat(50) }));
      await expect(engine.submission.submit(message('4', 'acme', { payload: 'x' }))).rejects.toMatchObject(REFUSED);
    });

    it('are counted before any of those that come at the same moment is accepted', async () => {
      const engine = await opened({ maxOpen: 5 });
      const starts = Array.from({ length: 20 }, (_, index) => engine.submission.submit(message(`${index}`)));
      const outcomes = await Promise.allSettled(starts);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    });

    it('are those of one organisation each, those without one together', async () => {
      const engine = await opened({ maxOpen: 1 });
      const organisations = ['a', 'b', '/', '社'.repeat(256), undefined];
      for (const org of organisations) await engine.submission.submit(message('1', 'of one', { org }));
      for (const org of organisations) {
        await expect(engine.submission.submit(message('2', 'of one', { org }))).rejects.toMatchObject(REFUSED);
      }
    });

    it('free their places when they finish and when they become dead letters, and not when they only stop', async () => {
      const engine = await opened({ maxOpen: 1 });
      await engine.submission.submit(message('1'));
      await engine.store.release(message('1'), await claimed(engine, message('1')));
      await expect(engine.submission.submit(message('2'))).rejects.toMatchObject(REFUSED);
      await engine.store.finish(message('1'), await claimed(engine, message('1')), OK);
      await engine.submission.submit(message('2'));
      await expect(engine.submission.submit(message('3'))).rejects.toMatchObject(REFUSED);
      await engine.store.fail(message('2'), message('2').described, DEAD_LETTER);
      await engine.submission.submit(message('3'));
    });
  });

  /** A message of a user, with so many items, whose record is kept for a minute. */
  function of(user: string, jobId: string, total = 1, org = 'acme'): JobMessage {
    const described = { ...message(jobId).described, total, retentionMs: 60_000, orderedBy: { BackendUser: user } };
    return message(jobId, org, { described });
  }

  function refused(reason: string) {
    return expect.objectContaining({ code: 'TooManyRequests', reason });
  }

  describe('ended ones', () => {
    /** Orders a job and ends it. @returns its record then has some 10 kB */
    async function end(engine: EngineUnderTest, job: JobMessage): Promise<void> {
      await engine.submission.submit(job);
      const result = { status: 200, body: JSON.stringify({ key: 'x'.repeat(9_800) }) };
      await engine.store.finish(job, await claimed(engine, job), result);
    }

    it('are bounded in the bytes of their records, until the oldest expires', async () => {
      const shares: number[] = [];
      const engine = await opened({ maxKeptBytes: 40_000, onOrder: (_, share) => shares.push(share.TooManyKeptJobs) });
      for (const id of ['1', '2', '3', '4']) await end(engine, of('one', id));
      const refusal: unknown = await engine.submission.submit(of('one', '5')).catch((error: unknown) => error);
      expect(refusal).toEqual(refused('TooManyKeptJobs'));
      const { retryAfterSeconds = 0 } = refusal as GatewayError; // as expected above
      expect(retryAfterSeconds).toBeGreaterThan(50);
      // Redis keeps an entry for as long as its record would live under the lease that it had.
      expect(retryAfterSeconds).toBeLessThanOrEqual(60 + LEASE_MS / 1_000);
      expect(shares.map((share) => Math.round(share * 10))).toEqual([1, 3, 6, 8, 11]);
      expect(await engine.store.read(of('one', '5'))).toBeUndefined();
      await engine.submission.submit(of('one', '1', 1, 'other'));
      await engine.passTime(retryAfterSeconds * 1_000);
      await end(engine, of('one', '5'));
      expect(idsOf(await engine.organisations.list('acme', { limit: 10 }))).toContain('5');
      for (const id of ['6', '7', '8']) await end(engine, of('one', id));
      await expect(engine.submission.submit(of('one', '9'))).rejects.toEqual(refused('TooManyKeptJobs'));
    });

    it('of one user are bounded to half as soon as another user has ordered', async () => {
      const engine = await opened({ maxKeptBytes: 40_000 });
      for (const id of ['1', '2', '3']) await end(engine, of('one', id));
      await engine.submission.submit(of('two', '4'));
      await expect(engine.submission.submit(of('one', '5'))).rejects.toEqual(refused('TooManyKeptJobs'));
      await engine.submission.submit(of('two', '6'));
    });

    it('count again with their new size when they are run again, and no more when their start was refused', async () => {
      const engine = await opened({ maxKeptBytes: 22_500 });
      await end(engine, of('one', '1'));
      const large = { status: 503, body: JSON.stringify({ message: 'x'.repeat(9_500) }) };
      await engine.submission.submit(of('one', '2'));
      await engine.store.fail(of('one', '2'), of('one', '2').described, large);
      await expect(engine.submission.submit(of('one', '3'))).resolves.toMatchObject({ isNew: true });
      await engine.store.finish(of('one', '2'), await claimed(engine, of('one', '2')), OK);
      await end(engine, of('one', '3'));
      await expect(engine.submission.submit(of('one', '4'))).rejects.toEqual(refused('TooManyKeptJobs'));
    });
  });

  describe('those that are ordered within a minute', () => {
    it('are bounded in their items, of which each has ten at least', async () => {
      const engine = await opened({ maxItemsPerMinute: 50 });
      await submitAll(engine, [of('one', '1'), of('one', '2', 30)]);
      await submitAll(engine, [of('one', '3', 9)]);
      const refusal: unknown = await engine.submission.submit(of('one', '4')).catch((error: unknown) => error);
      expect(refusal).toEqual(refused('TooManyOrders'));
      const { retryAfterSeconds = 0 } = refusal as GatewayError; // as expected above
      expect([retryAfterSeconds > 30, retryAfterSeconds <= 60]).toEqual([true, true]);
      await engine.submission.submit(of('one', '1', 50, 'other'));
      await engine.passTime(retryAfterSeconds * 1_000);
      await engine.submission.submit(of('one', '4', 50));
      await expect(engine.submission.submit(of('one', '5'))).rejects.toEqual(refused('TooManyOrders'));
    });

    it('of one user are bounded to half as soon as another user has ordered', async () => {
      const engine = await opened({ maxItemsPerMinute: 100 });
      await submitAll(engine, [of('one', '1', 60), of('two', '2', 10)]);
      await expect(engine.submission.submit(of('one', '3'))).rejects.toEqual(refused('TooManyOrders'));
      await engine.submission.submit(of('two', '4', 30));
      await expect(engine.submission.submit(of('two', '5', 20))).rejects.toEqual(refused('TooManyOrders'));
    });

    it('are counted before any of those that come at the same moment is accepted, and not if they are refused', async () => {
      const engine = await opened({ maxItemsPerMinute: 50, maxOpen: 4 });
      const submit = (first: number): Promise<PromiseSettledResult<unknown>[]> =>
        Promise.allSettled(Array.from({ length: 20 }, (_, at) => engine.submission.submit(of('one', `${first + at}`))));
      const accepted = (await submit(0)).flatMap(({ status }, at) => (status === 'fulfilled' ? [`${at}`] : []));
      expect(accepted).toHaveLength(4);
      for (const id of accepted) await engine.store.finish(of('one', id), await claimed(engine, of('one', id)), OK);
      const reasons = (await submit(100)).map((end) => (end.status === 'rejected' ? String(end.reason) : 'accepted'));
      expect(reasons.filter((reason) => reason === 'accepted')).toHaveLength(1);
    });
  });

  describe('running ones', () => {
    it('of a lone organisation are bounded by nothing', async () => {
      const engine = await opened({ maxRunning: 1 });
      await submitAll(engine, [message('1'), message('2'), message('3')]);
      for (const id of ['1', '2', '3']) await claimed(engine, message(id));
      expect(await engine.organisations.jobsToPreempt('acme')).toEqual([]);
    });

    it('are bounded while another organisation has an open job: nothing beyond is claimed', async () => {
      const engine = await opened({ maxRunning: 1 });
      await submitAll(engine, [message('1'), message('2'), message('1', 'other')]);
      const token = await claimed(engine, message('1'));
      expect(await claim(engine, message('2'))).toEqual({ outcome: 'must wait', retryAfterMs: 1_000 });
      expect(await engine.store.read(message('2'))).toMatchObject({ state: 'pending', attempt: 0 });
      expect(await claim(engine, message('1'))).toMatchObject({ outcome: 'running' });
      expect(await engine.organisations.waitMs(message('2'))).toBe(1_000);
      expect(await engine.organisations.waitMs({ ...message('2'), jobId: undefined })).toBe(1_000);
      expect(await engine.organisations.waitMs(message('1', 'other'))).toBe(0);
      await engine.store.finish(message('1'), token, OK);
      expect(await engine.organisations.waitMs(message('2'))).toBe(0);
      await claimed(engine, message('2'));
    });

    it('are bounded while another organisation runs a job that was never submitted', async () => {
      const engine = await opened({ maxRunning: 1 });
      const token = await claimed(engine, message('1', 'other'));
      await claimed(engine, message('1'));
      expect(await claim(engine, message('2'))).toMatchObject({ outcome: 'must wait' });
      await engine.store.finish(message('1', 'other'), token, OK);
      await claimed(engine, message('2'));
    });

    it.each([
      ['finish', (engine: EngineUnderTest, token: string) => engine.store.finish(message('1'), token, OK)],
      ['release', (engine: EngineUnderTest, token: string) => engine.store.release(message('1'), token)],
      ['crash', (engine: EngineUnderTest) => engine.passTime(LEASE_MS + 10)],
    ])('free their places when they %s', async (_, end) => {
      const engine = await opened({ maxRunning: 1 });
      await submitAll(engine, [message('1'), message('2'), message('1', 'other')]);
      await end(engine, await claimed(engine, message('1')));
      await claimed(engine, message('2'));
    });

    it('are counted for as long as they are renewed', async () => {
      const engine = await opened({ maxRunning: 1 });
      await submitAll(engine, [message('1'), message('2'), message('1', 'other')]);
      const token = await claimed(engine, message('1'));
      await engine.passTime(LEASE_MS - 5_000);
      await engine.store.renew(message('1'), token, LEASE_MS);
      await engine.passTime(LEASE_MS - 5_000);
      expect(await claim(engine, message('2'))).toMatchObject({ outcome: 'must wait' });
    });

    it('do not hold up the replay of a job that was handled', async () => {
      const engine = await opened({ maxRunning: 1 });
      await submitAll(engine, [message('1'), message('2'), message('1', 'other')]);
      await engine.store.finish(message('1'), await claimed(engine, message('1')), OK);
      expect(await claim(engine, message('1'))).toMatchObject({ outcome: 'finished' });
      await claimed(engine, message('2'));
    });

    it('beyond the bound, those claimed last, should give way when a job of another organisation waits', async () => {
      const engine = await opened({ maxRunning: 2 });
      for (const id of ['1', '2', '3', '4']) {
        await claimed(engine, message(id));
        await engine.passTime(5);
      }
      expect(await engine.organisations.jobsToPreempt('acme')).toEqual([]);
      await engine.submission.submit(message('1', 'other'));
      const jobsToPreempt = ['3', '4'].map((jobId) => ({ kind: 'mobiles', org: 'acme', jobId }));
      expect(await engine.organisations.jobsToPreempt('acme')).toEqual(jobsToPreempt);
      expect(await engine.organisations.jobsToPreempt('other')).toEqual([]);
      await claimed(engine, message('1', 'other'));
      expect(await engine.organisations.jobsToPreempt('acme')).toEqual([]);
    });

    it('let the longest waiting come again first', async () => {
      const engine = await opened({ maxRunning: 1 });
      await engine.submission.submit(message('1', 'other'));
      for (let index = 0; index < 40; index += 1) {
        await engine.submission.submit(message(`${index}`));
        await engine.passTime(5);
      }
      await claimed(engine, message('0'));
      const waits = [];
      for (const id of ['1', '11', '12', '39']) waits.push(await engine.organisations.waitMs(message(id)));
      expect(waits).toEqual([1_000, 1_000, 2_000, 4_000]);
    });

    it('do not count what only bars the way', async () => {
      const engine = await opened({ maxRunning: 1 });
      await submitAll(engine, [message('1'), message('1', 'other')]);
      await claimedJob(engine.store, message('bar'), { isPlaceholder: true });
      await claimed(engine, message('1'));
    });
  });

  describe('are listed', () => {
    it('newest first, page by page, of some kinds or all', async () => {
      const engine = await opened({});
      for (let index = 0; index < 9; index += 1) {
        await engine.submission.submit(message(`job-${index}`, 'acme', { kind: kindOf(index) }));
        await engine.passTime(5);
      }
      await engine.submission.submit(message('hidden', 'other'));
      const [first, second, ...rest] = await pages(engine, { limit: 4 });
      expect(first).toEqual(['job-8', 'job-7', 'job-6', 'job-5']);
      expect(second).toEqual(['job-4', 'job-3', 'job-2', 'job-1']);
      expect(rest).toEqual([['job-0']]);
      expect(await pages(engine, { limit: 2, kinds: ['driving-reports'] })).toEqual([['job-7', 'job-4'], ['job-1']]);
      expect(await pages(engine, { limit: 3, kinds: ['driving-reports'] })).toEqual([['job-7', 'job-4', 'job-1']]);
      expect(await pages(engine, { limit: 9 })).toHaveLength(1);
      expect(await engine.organisations.list('nobody', { limit: 10 })).toEqual({ jobs: [] });
    });

    it('each for as long as its own record is kept, which its leases and its end prolong', async () => {
      const engine = await opened({});
      const kept = (jobId: string, retentionMs: number): JobMessage =>
        message(jobId, 'acme', { described: { ...message(jobId).described, retentionMs } });
      const [ended, running, left] = [kept('ended', 60_000), kept('running', 60_000), kept('left', 60_000)];
      await submitAll(engine, [kept('short', 60_000), kept('long', 600_000), ended, running, left]);
      const tokens = [await claimed(engine, ended), await claimed(engine, running)] as const;
      await claimed(engine, left);
      await engine.passTime(20_000);
      await engine.store.finish(ended, tokens[0], OK);
      await engine.store.renew(running, tokens[1], 60_000);
      await engine.passTime(50_000);
      await engine.submission.submit(message('next'));
      expect((await pages(engine, { limit: 9 })).flat().sort()).toEqual(['ended', 'left', 'long', 'next', 'running']);
      expect(await engine.store.read(kept('short', 0))).toBeUndefined();
      await engine.passTime(531_000);
      await engine.submission.submit(message('last'));
      expect((await pages(engine, { limit: 9 })).flat()).toEqual(['last', 'next']);
      expect(await engine.store.read(running)).toBeUndefined();
    });

    it('are listed for a user without those of others, of which few are read for a page', async () => {
      const engine = await opened({});
      const of = (jobId: string, BackendUser: string): JobMessage => {
        const { described } = message(jobId);
        return message(jobId, 'acme', { described: { ...described, orderedBy: { BackendUser } } });
      };
      // The end of an id is left out of a position, and all may have the same time.
      const idOf = (index: number): string => `job-${index}-0123456789ab`;
      const users = ['利用者 1', 'other', 'other', '利用者 1', 'other'];
      await submitAll(
        engine,
        users.map((user, index) => of(idOf(index), user)),
      );
      const own = { limit: 1, orderer: '利用者 1' };
      expect((await pages(engine, own)).flat()).toEqual([3, 0].map(idOf));
      expect((await pages(engine, { limit: 2, orderer: 'other' })).flat()).toEqual([4, 2, 1].map(idOf));
      expect((await pages(engine, { limit: 9, orderer: 'nobody' })).flat()).toEqual([]);
      // The index does not know the orderer of a job of 0.1.0, which its record tells.
      await submitAll(engine, [message('unknown')]);
      expect((await pages(engine, own)).flat()).toEqual(['unknown', ...[3, 0].map(idOf)]);
    });
  });
}
