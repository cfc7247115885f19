import { describe, expect, it } from '@jest/globals';
import type { JobIdentity, JobRecord } from '../../src/jobs/record/job-record.js';
import type { ClaimRequest } from '../../src/jobs/record/job-store.js';
import { forEachTest } from '../support/resources.js';
import { claimed as claimedJob, claimRequest } from '../support/stored-jobs.js';
import { waitFor } from '../support/wait-for.js';
import { ChildProcess } from './child-process.js';
import type { EngineUnderTest } from './engine-under-test.js';

const JOB: JobIdentity = { kind: 'user-accounts', org: 'acme', jobId: 'job-1' };
const LEASE_MS = 30_000;
const OK = { status: 200, body: '{"status":"Success"}' };

function request(changes: Partial<ClaimRequest> = {}): ClaimRequest {
  return claimRequest({ total: 7, retentionMs: 60_000, ...changes });
}

/**
 * Registers the tests of what a job store adds to the transitions of `transitions.ts`, within the `describe` of the
 * caller. `test/property/job-store-histories.ts` shows that it applies them.
 */
export function jobStoreContract(open: () => Promise<EngineUnderTest>): void {
  const subject = forEachTest(open);
  const store = forEachTest(() => subject.store);

  const claimed = (job = JOB, changes: Partial<ClaimRequest> = {}) => claimedJob(store, job, request(changes));

  async function existing(job = JOB): Promise<JobRecord> {
    const record = await store.read(job);
    if (record === undefined) throw new Error('There is no record.');
    return record;
  }

  describe('a claim', () => {
    it('is won by one of many that come at the same time', async () => {
      const claims = Array.from({ length: 50 }, (_, index) =>
        store.claim(JOB, request({ nonce: `n${String(index)}` })),
      );
      const outcomes = (await Promise.all(claims)).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'claimed')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'running')).toHaveLength(49);
    });

    it('is won by one of several processes, for each of many jobs', async () => {
      const ids = Array.from({ length: 200 }, (_, index) => `job-${index}`);
      const child = ChildProcess.start('claim-jobs.ts', subject.otherProcess, ...ids);
      expect(await child.nextLine()).toBe('ready');
      child.send('go');
      expect(await child.nextLine()).toBe('claiming');
      // Backwards, so that the two meet, however fast one of them is.
      const claims = ids.toReversed().map(async (jobId) => {
        const job = { kind: 'mobiles', org: 'acme', jobId } as const;
        const { outcome } = await store.claim(job, claimRequest());
        return outcome === 'claimed' ? [jobId] : [];
      });
      const won = (await Promise.all(claims)).flat();
      const wonByTheOther: unknown = JSON.parse(await child.nextLine());
      await child.end();
      expect([...won, ...(wonByTheOther as string[])].toSorted()).toEqual(ids.toSorted()); // as the script writes
    });
  });

  it('keeps what the owner of a cancelled job has done, and tells it soon, also with repeatable progress', async () => {
    const { fencingToken } = await claimed();
    let done = 0;
    const note = () =>
      store.checkpoint(JOB, fencingToken, { done: (done += 1), checkpoint: `[${done}]`, repeatable: true });
    expect(await note()).toBe('held');
    await store.cancel(JOB);
    expect(await existing()).toMatchObject({ state: 'running', done, checkpoint: '[1]', lease: { fencingToken } });
    await waitFor('the owner to learn of it', async () => (await note()) === 'cancelled');
    expect(await existing()).toMatchObject({ done, checkpoint: `[${done}]` });
  });

  describe('an end by somebody else', () => {
    const DEAD = { status: 503, body: '{"message":"nobody came"}' };
    const endsAt = (next: number) => ({ done: next, checkpoint: JSON.stringify({ next }) });
    const begun = async () => {
      const { fencingToken, record } = await claimed(JOB, { leaseMs: LEASE_MS });
      const items = [
        { index: 0, createdId: 100 },
        { index: 1, createdId: 101 },
      ];
      expect(await store.checkpoint(JOB, fencingToken, { ...endsAt(2), items })).toBe('held');
      return { fencingToken, record };
    };

    it('of a job that was begun tells its created ids, and which items are not known or not begun', async () => {
      const { record } = await begun();
      await subject.passTime(LEASE_MS + 10);
      expect(await store.fail(JOB, record, DEAD)).toBe(true);
      const { result } = await existing();
      const [code, message] = ['InternalError', expect.any(String)];
      const failures = [
        { from: 2, code, reason: 'NotKnownGivenUp', message },
        { from: 3, to: 6, code, reason: 'NotBegunGivenUp', message },
      ];
      expect(result).toEqual({ ...DEAD, failures, unsentReply: expect.any(String) });
      expect(JSON.parse(result?.unsentReply ?? '')).toEqual({
        status: 'Failure',
        data: { created_user_account_id: [100, 101] },
        errors: [
          '[2] not known to be done, the job was given up',
          ...[3, 4, 5, 6].map((index) => `[${index}] not done, the job was given up`),
        ],
      });
    });

    it('of a job that no delivery ever began tells its delivery alone', async () => {
      expect(await store.fail(JOB, { total: 7, fingerprint: 'print', retentionMs: 60_000 }, DEAD)).toBe(true);
      expect((await existing()).result).toEqual(DEAD);
    });

    it('is made again if its former owner has saved progress since it was read', async () => {
      const { fencingToken, record } = await begun();
      await subject.passTime(LEASE_MS + 10);
      const ending = { attempt: 1, done: 2, result: OK };
      // Until another process claims the job, its owner may save progress although its lease is over.
      const items = [{ index: 2, createdId: 102 }];
      expect(await store.checkpoint(JOB, fencingToken, { ...endsAt(3), items })).toBe('held');
      expect(await store.cancel(JOB, ending)).toMatchObject({ state: 'running', cancelled: true });
      const late = { ...endsAt(4), items: [{ index: 3, createdId: 103 }] };
      const [isEnded, saved] = await Promise.all([
        store.fail(JOB, record, DEAD),
        store.checkpoint(JOB, fencingToken, late),
      ]);
      expect(isEnded).toBe(true);
      const { unsentReply = '' } = (await existing()).result ?? {};
      const ids = [100, 101, 102, ...(saved !== 'lost' ? [103] : [])];
      expect(JSON.parse(unsentReply)).toMatchObject({ data: { created_user_account_id: ids } });
    });
  });

  describe('an owner', () => {
    it('notes progress that may be forgotten when the machine fails, and the next runner goes on from it', async () => {
      const first = await claimed(JOB, { leaseMs: LEASE_MS });
      for (const done of [1, 2, 3]) {
        const progress = { done, checkpoint: `[${done}]`, repeatable: true };
        expect(await store.checkpoint(JOB, first.fencingToken, progress)).toBe('held');
      }
      expect(await store.read(JOB)).toEqual({ ...first.record, done: 3, checkpoint: '[3]' });
      expect(await store.renew(JOB, first.fencingToken, LEASE_MS)).toBe('held');
      expect(await existing()).toMatchObject({ done: 3, checkpoint: '[3]' });
      await subject.passTime(LEASE_MS + 10);
      const second = await claimed();
      expect(second.record).toMatchObject({ attempt: 2, done: 3, checkpoint: '[3]' });
      const late = { done: 4, checkpoint: '[4]', repeatable: true };
      expect(await store.checkpoint(JOB, first.fencingToken, late)).toBe('lost');
      expect(await existing()).toMatchObject({ done: 3, checkpoint: '[3]' });
      expect(await store.finish(JOB, second.fencingToken, OK)).toBe(true);
      expect(await store.checkpoint(JOB, second.fencingToken, late)).toBe('lost');
      expect(await existing()).toMatchObject({ done: 3 });
    });
  });

  describe('a record', () => {
    it('keeps replies of 5 MiB, checkpoints of 1 MiB and any text exactly', async () => {
      const { fencingToken } = await claimed();
      const checkpoint = JSON.stringify('運'.repeat(350_000));
      const items = [{ index: 0, failure: '運 "\\ refused' }];
      await store.checkpoint(JOB, fencingToken, { done: 1, checkpoint, items });
      expect(await store.readItems(JOB)).toEqual(items);
      const body = JSON.stringify({ errors: ['"\\ \n 運転 🚚', 'x'.repeat(5 * 1024 * 1024)] });
      expect((await existing()).checkpoint === checkpoint).toBe(true);
      await store.finish(JOB, fencingToken, { status: 200, body });
      const record = await existing();
      expect(record.result?.body === body).toBe(true);
      expect(await store.claim(JOB, request())).toEqual({ outcome: 'finished', result: { status: 200, body } });
    });

    it('keeps texts that look like numbers as texts', async () => {
      const { fencingToken } = await claimed(JOB, { fingerprints: ['0012'], nonce: '7' });
      await store.checkpoint(JOB, fencingToken, { done: 0, checkpoint: '12' });
      expect(await existing()).toMatchObject({ fingerprint: '0012', checkpoint: '12' });
      await store.finish(JOB, fencingToken, { status: 200, body: '1e3' });
      expect(await existing()).toMatchObject({ result: { status: 200, body: '1e3' } });
    });
  });

  it('keeps jobs apart, whatever their organisations and ids are', async () => {
    const jobs: readonly JobIdentity[] = [
      { kind: 'mobiles', org: undefined, jobId: 'a' },
      { kind: 'driving-reports', org: undefined, jobId: 'a' },
      { kind: 'mobiles', org: 'a', jobId: 'a' },
      { kind: 'mobiles', org: 'A', jobId: 'a' },
      { kind: 'mobiles', org: 'a:b', jobId: 'c' },
      { kind: 'mobiles', org: 'a', jobId: 'b:c' },
      { kind: 'mobiles', org: 'a%3Ab', jobId: 'c' },
      { kind: 'mobiles', org: '}{', jobId: '..' },
      { kind: 'mobiles', org: '../x', jobId: '.' },
      { kind: 'mobiles', org: ' ', jobId: '-' },
      { kind: 'mobiles', org: '株式会社🚚', jobId: '_' },
      { kind: 'mobiles', org: '株式会社', jobId: 'x'.repeat(128) },
      { kind: 'mobiles', org: '社'.repeat(255) + 'あ', jobId: '1' },
      { kind: 'mobiles', org: '社'.repeat(255) + 'い', jobId: '1' },
      { kind: 'mobiles', org: '社'.repeat(255) + 'い', jobId: '2' },
    ];
    for (const [index, job] of jobs.entries()) {
      const { fencingToken } = await claimed(job, { total: index });
      await store.finish(job, fencingToken, { status: 200, body: JSON.stringify(index) });
    }
    const bodies = await Promise.all(jobs.map(async (job) => (await existing(job)).result?.body));
    expect(bodies).toEqual(jobs.map((_, index) => JSON.stringify(index)));
  });
}
