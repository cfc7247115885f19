import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';

import type { JobIdentity, JobRecord } from '../../src/job-record/job-record.js';
import type { JobStore, ClaimOutcome, ClaimRequest, NewJob } from '../../src/job-record/job-store.js';
import { forEachTest } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';
import { ChildProcess, type OtherProcess } from './child-process.js';

/** A job store that holds nothing yet, of one test. */
export interface JobStoreUnderTest {
  readonly store: JobStore;
  /** Lets time pass for the store: by its clock when that can be set, by waiting otherwise. */
  passTime(ms: number): Promise<void>;
  /** How child processes open the same store; the module exports `openJobStoreAt(location)`. */
  readonly otherProcess: OtherProcess;
  close(): Promise<void>;
}

const JOB: JobIdentity = { kind: 'user-accounts', org: 'acme', jobId: 'job-1' };
const DESCRIBED: NewJob = { total: 7, fingerprint: 'print', retentionMs: 60_000 };
const LEASE_MS = 30_000;
const OK = { status: 200, body: '{"status":"Success"}' };
const DEAD_LETTER = { status: 503, body: '{"message":"The gateway did not reply."}' };

function request(changes: Partial<ClaimRequest> = {}): ClaimRequest {
  return { fingerprints: ['print'], total: 7, leaseMs: 60_000, retentionMs: 60_000, nonce: randomUUID(), ...changes };
}

/** Registers the tests that every job store must pass, within the `describe` of the caller. */
export function jobStoreContract(open: () => Promise<JobStoreUnderTest>): void {
  const subject = forEachTest(open);
  const store = forEachTest(() => subject.store);

  async function claimed(
    job = JOB,
    changes: Partial<ClaimRequest> = {},
  ): Promise<Extract<ClaimOutcome, { outcome: 'claimed' }>> {
    const outcome = await store.claim(job, request(changes));
    if (outcome.outcome !== 'claimed') throw new Error(`The claim ended in ${outcome.outcome}.`);
    return outcome;
  }

  async function existing(job = JOB): Promise<JobRecord> {
    const record = await store.read(job);
    if (record === undefined) throw new Error('There is no record.');
    return record;
  }

  it('answers a ping', async () => {
    await expect(store.ping()).resolves.toBeUndefined();
  });

  it('has no record of a job nobody claimed', async () => {
    expect(await store.read(JOB)).toBeUndefined();
  });

  describe('a claim', () => {
    it('keeps who ordered the job, until it has ended and afterwards', async () => {
      await store.fail(JOB, { ...DESCRIBED, orderedBy: { BackendUser: 'user' } }, DEAD_LETTER);
      expect(await existing()).toMatchObject({ state: 'finished', orderedBy: { BackendUser: 'user' } });
      const { fencingToken, record } = await claimed();
      expect(record).toMatchObject({ state: 'running', orderedBy: { BackendUser: 'user' } });
      await store.finish(JOB, fencingToken, OK);
      expect(await existing()).toMatchObject({ state: 'finished', orderedBy: { BackendUser: 'user' } });
    });

    it('makes a running record of a new job', async () => {
      const { fencingToken, record } = await claimed();
      expect(record).toMatchObject({
        state: 'running',
        total: 7,
        done: 0,
        attempt: 1,
        fingerprint: 'print',
        lease: { fencingToken },
      });
      expect(record.startedAt).toBe(record.createdAt);
      expect(record.lease?.expiresAt).toBe(record.createdAt + 60_000);
      expect(await store.read(JOB)).toEqual(record);
    });

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
        const { outcome } = await store.claim(job, request({ fingerprints: ['same'] }));
        return outcome === 'claimed' ? [jobId] : [];
      });
      const won = (await Promise.all(claims)).flat();
      const wonByTheOther: unknown = JSON.parse(await child.nextLine());
      await child.end();
      expect([...won, ...(wonByTheOther as string[])].toSorted()).toEqual(ids.toSorted()); // as the script writes
    });

    it('is told how long the lease of the owner still runs', async () => {
      await claimed();
      const outcome = await store.claim(JOB, request());
      if (outcome.outcome !== 'running') throw new Error(`The claim ended in ${outcome.outcome}.`);
      const left = await store.leaseLeftMs(JOB);
      for (const ms of [outcome.retryAfterMs, left]) {
        expect(ms).toBeGreaterThan(0);
        expect(ms).toBeLessThanOrEqual(60_000);
      }
      expect(await store.leaseLeftMs({ ...JOB, jobId: 'nobody runs it' })).toBe(0);
      await subject.passTime(60_010);
      expect(await store.leaseLeftMs(JOB)).toBe(0);
    });

    it('gets the same lease again under the same nonce, because the reply may have been lost', async () => {
      const first = await claimed(JOB, { nonce: 'of-this-delivery' });
      expect(await claimed(JOB, { nonce: 'of-this-delivery' })).toEqual(first);
      expect(await store.claim(JOB, request({ nonce: 'of-another' }))).toMatchObject({ outcome: 'running' });
      await store.finish(JOB, first.fencingToken, OK);
      expect(await store.claim(JOB, request({ nonce: 'of-this-delivery' }))).toMatchObject({ outcome: 'finished' });
    });

    it('with another body is a conflict, while the job runs and after it finished', async () => {
      const { fencingToken } = await claimed();
      const other = request({ fingerprints: ['other'] });
      expect(await store.claim(JOB, other)).toEqual({ outcome: 'conflict' });
      await store.finish(JOB, fencingToken, OK);
      expect(await store.claim(JOB, other)).toEqual({ outcome: 'conflict' });
    });

    it('recognises the body under the fingerprint of a former key', async () => {
      const { fencingToken } = await claimed();
      await store.finish(JOB, fencingToken, OK);
      const outcome = await store.claim(JOB, request({ fingerprints: ['new-key', 'print'] }));
      expect(outcome).toEqual({ outcome: 'finished', result: OK });
    });
  });

  describe('fingerprints that name their key', () => {
    const LONG = 3 * 3_600_000;
    const under = (...fingerprints: [string, ...string[]]): ClaimRequest =>
      request({ fingerprints, retentionMs: LONG, leaseMs: LONG });

    it('are kept, and recognised among those of several keys', async () => {
      const { fencingToken } = await claimed(JOB, under('new.print'));
      expect(await existing()).toMatchObject({ fingerprint: 'new.print' });
      await store.finish(JOB, fencingToken, OK);
      expect(await store.claim(JOB, under('newer.mark', 'new.print', 'mark', 'print'))).toMatchObject({
        outcome: 'finished',
      });
    });

    it('of one key tell another body from a key that is not known yet, for an hour', async () => {
      await claimed(JOB, under('new.print'));
      const [known, unknown] = [under('old.mark', 'new.mark', 'mark'), under('old.mark', 'mark')];
      expect(await store.claim(JOB, known)).toEqual({ outcome: 'conflict' });
      expect(await store.claim(JOB, unknown)).toEqual({ outcome: 'unknown key' });
      expect(await store.claim(JOB, under('old.print', 'print'))).toEqual({ outcome: 'unknown key' });
    });

    it('recognise a record that an earlier build made without the name', async () => {
      const { fencingToken } = await claimed(JOB, under('print'));
      expect(await existing()).toMatchObject({ fingerprint: 'print' });
      await store.finish(JOB, fencingToken, OK);
      expect(await store.claim(JOB, under('new.print', 'print'))).toMatchObject({ outcome: 'finished' });
      expect(await store.claim(JOB, under('new.mark', 'mark'))).toEqual({ outcome: 'conflict' });
    });

    it('are those of a dead letter whose record is gone', async () => {
      await store.fail(JOB, { ...DESCRIBED, fingerprint: 'new.print' }, DEAD_LETTER);
      expect(await existing()).toMatchObject({ fingerprint: 'new.print' });
      expect(await store.claim(JOB, under('old.mark'))).toEqual({ outcome: 'unknown key' });
    });
  });

  describe('a lease', () => {
    it('that ran out lets the next claim take the job over at its checkpoint', async () => {
      const first = await claimed(JOB, { leaseMs: LEASE_MS });
      await store.checkpoint(JOB, first.fencingToken, { done: 3, checkpoint: '{"ids":[1,2,3]}' });
      await subject.passTime(LEASE_MS + 10);
      const second = await claimed();
      expect(second.fencingToken).not.toBe(first.fencingToken);
      expect(second.record).toMatchObject({
        attempt: 2,
        done: 3,
        checkpoint: '{"ids":[1,2,3]}',
        startedAt: first.record.startedAt,
      });
    });

    it('that lasts longer than one taken now, as a wrong clock writes it, ends like that one', async () => {
      const { fencingToken } = await claimed(JOB, { leaseMs: 40 * LEASE_MS });
      const waiting = request({ leaseMs: LEASE_MS });
      expect(await store.claim(JOB, waiting)).toEqual({ outcome: 'running', retryAfterMs: LEASE_MS });
      await subject.passTime(LEASE_MS + 10);
      expect(await store.claim(JOB, waiting)).toMatchObject({ outcome: 'claimed', record: { attempt: 2 } });
      expect(await store.renew(JOB, fencingToken, LEASE_MS)).toBe('lost');
    });

    it('that ran out lets the owner go on as long as nobody took the job over', async () => {
      const { fencingToken } = await claimed(JOB, { leaseMs: LEASE_MS });
      await subject.passTime(LEASE_MS + 10);
      expect(await store.renew(JOB, fencingToken, 60_000)).toBe('held');
      expect(await store.claim(JOB, request())).toMatchObject({ outcome: 'running' });
    });

    it('is prolonged by a renewal', async () => {
      const { fencingToken } = await claimed(JOB, { leaseMs: LEASE_MS });
      const before = await existing();
      expect(await store.renew(JOB, fencingToken, 60_000)).toBe('held');
      await subject.passTime(LEASE_MS + 10);
      expect(await store.claim(JOB, request())).toMatchObject({ outcome: 'running' });
      expect((await existing()).expiresAt).toBeGreaterThan(before.expiresAt);
    });

    it('that is given back lets the next claim go on at once', async () => {
      const { fencingToken } = await claimed();
      await store.checkpoint(JOB, fencingToken, { done: 2, checkpoint: '[2]' });
      expect(await store.release(JOB, fencingToken)).toBe(true);
      expect((await existing()).lease).toBeUndefined();
      expect((await claimed()).record).toMatchObject({ attempt: 2, done: 2, checkpoint: '[2]' });
    });
  });

  describe('a job that cannot be delivered', () => {
    it('says why and since when, until somebody claims it or it ends', async () => {
      const { fencingToken } = await claimed();
      expect(await store.wait(JOB, 'not_reached')).toBe(false);
      await store.release(JOB, fencingToken);
      expect(await store.wait(JOB, 'not_reached')).toBe(true);
      expect(await store.wait(JOB, 'not_reached')).toBe(false);
      const { waiting } = await existing();
      expect(await store.wait(JOB, 'wrong_address')).toBe(true);
      expect((await existing()).waiting).toEqual({ reason: 'wrong_address', since: waiting?.since });
      const again = await claimed();
      expect(again.record.waiting).toBeUndefined();
      await store.release(JOB, again.fencingToken);
      await store.wait(JOB, 'key_unknown');
      await store.fail(JOB, DESCRIBED, DEAD_LETTER);
      expect((await existing()).waiting).toBeUndefined();
      expect(await store.wait(JOB, 'key_unknown')).toBe(false);
    });
  });

  describe('a job that is cancelled', () => {
    it('says so to everybody, and to its owner with the next write', async () => {
      const { fencingToken, record } = await claimed();
      expect(await store.isCancelled(JOB)).toBe(false);
      expect(await store.cancel(JOB)).toMatchObject({ createdAt: record.createdAt, changed: true });
      expect(await store.isCancelled(JOB)).toBe(true);
      const { cancelledAt } = await existing();
      expect(cancelledAt).toBeGreaterThanOrEqual(record.createdAt);
      expect(await store.read(JOB)).toEqual({ ...record, cancelledAt });
      expect(await store.renew(JOB, fencingToken, 60_000)).toBe('cancelled');
      expect(await store.checkpoint(JOB, fencingToken, { done: 1, checkpoint: '[1]' })).toBe('cancelled');
      expect(await store.finish(JOB, fencingToken, OK)).toBe(true);
      expect(await existing()).toMatchObject({ state: 'finished', cancelledAt, result: OK });
    });

    it('says so soon where progress may be forgotten when the machine fails', async () => {
      const { fencingToken } = await claimed();
      await store.cancel(JOB);
      let done = 0;
      await waitFor('the owner to learn of it', async () => {
        done += 1;
        const progress = { done, checkpoint: `[${done}]`, repeatable: true };
        return (await store.checkpoint(JOB, fencingToken, progress)) === 'cancelled';
      });
      expect(await existing()).toMatchObject({ done, checkpoint: `[${done}]` });
    });

    it('keeps what its owner has done, and the claim of the owner', async () => {
      const { fencingToken } = await claimed();
      await store.checkpoint(JOB, fencingToken, { done: 1, checkpoint: '[1]', repeatable: true });
      await store.checkpoint(JOB, fencingToken, { done: 2, checkpoint: '[2]', repeatable: true });
      await store.cancel(JOB);
      expect(await existing()).toMatchObject({ state: 'running', done: 2, checkpoint: '[2]', lease: { fencingToken } });
      expect(await store.claim(JOB, request())).toMatchObject({ outcome: 'running' });
    });

    it('while nobody runs it ends at once, if its ending was made of what it is', async () => {
      const { fencingToken, record } = await claimed();
      const ending = { attempt: record.attempt, result: { ...OK, failedItems: [0] } };
      expect(await store.cancel(JOB, ending)).toMatchObject({ state: 'running', cancelled: true, changed: true });
      await store.checkpoint(JOB, fencingToken, { done: 1, checkpoint: '[1]', items: [{ index: 0, createdId: 7 }] });
      await store.release(JOB, fencingToken);
      expect(await store.cancel(JOB, { ...ending, attempt: 0 })).toMatchObject({ state: 'running', changed: false });
      expect(await store.cancel(JOB, ending)).toMatchObject({ state: 'finished', cancelled: true, changed: false });
      const ended = await existing();
      expect(ended).toMatchObject({ state: 'finished', cancelledAt: expect.any(Number), result: ending.result });
      expect([ended.lease, ended.checkpoint, await store.readItems(JOB)]).toEqual([undefined, undefined, []]);
      expect(await store.claim(JOB, request())).toMatchObject({ outcome: 'finished' });
    });

    it('is cancelled for whoever takes it over, and an owner from before still writes nothing', async () => {
      const first = await claimed(JOB, { leaseMs: LEASE_MS });
      await store.cancel(JOB);
      await subject.passTime(LEASE_MS + 10);
      const second = await claimed();
      expect(second.record).toMatchObject({ attempt: 2, cancelledAt: expect.any(Number) });
      expect(await store.renew(JOB, first.fencingToken, 60_000)).toBe('lost');
      expect(await store.release(JOB, second.fencingToken)).toBe(true);
      expect((await claimed()).record).toMatchObject({ attempt: 3, cancelledAt: expect.any(Number) });
    });

    it('before it was claimed is cancelled for whoever claims it, also behind the dead letters', async () => {
      await store.fail(JOB, DESCRIBED, DEAD_LETTER);
      const { fencingToken } = await claimed();
      await store.release(JOB, fencingToken);
      expect(await store.cancel(JOB)).toMatchObject({ changed: true });
      await store.fail(JOB, DESCRIBED, DEAD_LETTER);
      expect((await claimed()).record).toMatchObject({ cancelledAt: expect.any(Number) });
    });

    it('a second time, or after its end, stays as it is', async () => {
      const { fencingToken, record } = await claimed();
      const { createdAt } = record;
      await store.cancel(JOB);
      const before = await existing();
      await subject.passTime(5);
      expect(await store.cancel(JOB)).toMatchObject({ createdAt, changed: false });
      expect(await store.read(JOB)).toEqual(before);
      const other = { ...JOB, jobId: 'finished' };
      await store.finish(other, (await claimed(other)).fencingToken, OK);
      const finished = await existing(other);
      expect(await store.cancel(other)).toMatchObject({ createdAt: finished.createdAt, changed: false });
      expect(await store.read(other)).toEqual(finished);
      expect(await store.isCancelled(other)).toBe(false);
      expect(await store.finish(JOB, fencingToken, OK)).toBe(true);
    });

    it('must exist', async () => {
      expect(await store.cancel(JOB)).toBeUndefined();
      expect(await store.isCancelled(JOB)).toBe(false);
      expect(await store.read(JOB)).toBeUndefined();
      await store.claim(JOB, request({ retentionMs: 1_000, leaseMs: 1 }));
      await subject.passTime(1_100);
      expect(await store.cancel(JOB)).toBeUndefined();
    });
  });

  describe('an owner', () => {
    it('notes its progress', async () => {
      const { fencingToken, record } = await claimed();
      expect(await store.checkpoint(JOB, fencingToken, { done: 4, checkpoint: '[4]' })).toBe('held');
      expect(await store.read(JOB)).toEqual({ ...record, done: 4, checkpoint: '[4]' });
    });

    it('notes progress that may be forgotten when the machine fails, and whoever takes the job over goes on from it', async () => {
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

    it('notes the outcomes of items one after another, and whoever takes the job over gets them all', async () => {
      const first = await claimed(JOB, { leaseMs: LEASE_MS });
      const [created, refused, another] = [
        { index: 0, createdId: 17 },
        { index: 1, failure: '運 "\\ refused' },
        { index: 3, createdId: 18 },
      ];
      expect(first.items).toEqual([]);
      await store.checkpoint(JOB, first.fencingToken, { done: 2, checkpoint: '2', items: [created, refused] });
      await store.checkpoint(JOB, first.fencingToken, { done: 3, checkpoint: '3' });
      await store.checkpoint(JOB, first.fencingToken, { done: 4, checkpoint: '4', items: [another] });
      expect(await store.readItems(JOB)).toEqual([created, refused, another]);
      await subject.passTime(LEASE_MS + 10);
      const second = await claimed();
      expect(second.items).toEqual([created, refused, another]);
      await store.checkpoint(JOB, first.fencingToken, {
        done: 5,
        checkpoint: '5',
        items: [{ index: 4, failure: 'x' }],
      });
      expect(await store.readItems(JOB)).toEqual([created, refused, another]);
    });

    it('leaves behind which items failed, and neither checkpoint nor outcomes', async () => {
      const { fencingToken } = await claimed();
      const items = [{ index: 1, failure: 'no' }];
      await store.checkpoint(JOB, fencingToken, { done: 7, checkpoint: '7', items });
      await store.finish(JOB, fencingToken, { ...OK, failedItems: [1] });
      const { checkpoint, result } = await existing();
      expect({ checkpoint, result }).toEqual({ checkpoint: undefined, result: { ...OK, failedItems: [1] } });
      expect(await store.readItems(JOB)).toEqual([]);
      expect(await store.claim(JOB, request())).toEqual({ outcome: 'finished', result: { ...OK, failedItems: [1] } });
    });

    it('ends the job once, and its reply is replayed', async () => {
      const { fencingToken } = await claimed();
      expect(await store.finish(JOB, fencingToken, OK)).toBe(true);
      const record = await existing();
      expect(record).toMatchObject({ state: 'finished', result: OK, attempt: 1 });
      expect(record.lease).toBeUndefined();
      expect(record.finishedAt).toBeGreaterThanOrEqual(record.createdAt);
      expect(await store.claim(JOB, request())).toEqual({ outcome: 'finished', result: OK });
      expect(await store.finish(JOB, fencingToken, { status: 200, body: '{}' })).toBe(false);
      expect(await store.read(JOB)).toEqual(record);
    });

    it('cannot write any more when somebody took the job over', async () => {
      const stale = await claimed(JOB, { leaseMs: LEASE_MS });
      await subject.passTime(LEASE_MS + 10);
      await claimed();
      const record = await existing();
      expect(await store.renew(JOB, stale.fencingToken, 60_000)).toBe('lost');
      expect(await store.checkpoint(JOB, stale.fencingToken, { done: 6, checkpoint: '[]' })).toBe('lost');
      expect(await store.finish(JOB, stale.fencingToken, OK)).toBe(false);
      expect(await store.release(JOB, stale.fencingToken)).toBe(false);
      expect(await store.read(JOB)).toEqual(record);
    });

    it('cannot write any more when it gave the lease back', async () => {
      const { fencingToken } = await claimed();
      await store.release(JOB, fencingToken);
      expect(await store.renew(JOB, fencingToken, 60_000)).toBe('lost');
      expect(await store.finish(JOB, fencingToken, OK)).toBe(false);
    });

    it('cannot write to a job that does not exist', async () => {
      expect(await store.renew(JOB, '1.nonce', 60_000)).toBe('lost');
      expect(await store.checkpoint(JOB, '1.nonce', { done: 1, checkpoint: '' })).toBe('lost');
      expect(await store.finish(JOB, '1.nonce', OK)).toBe(false);
      expect(await store.release(JOB, '1.nonce')).toBe(false);
      expect(await store.read(JOB)).toBeUndefined();
    });
  });

  describe('the end of a dead letter', () => {
    it('makes a finished record when there is none', async () => {
      expect(await store.fail(JOB, DESCRIBED, DEAD_LETTER)).toBe(true);
      const record = await existing();
      expect(record).toMatchObject({ state: 'finished', total: 7, done: 0, attempt: 0, result: DEAD_LETTER });
      expect(record.finishedAt).toBe(record.createdAt);
    });

    it('ends a job that nobody runs, and keeps what was done', async () => {
      const { fencingToken } = await claimed();
      await store.checkpoint(JOB, fencingToken, { done: 2, checkpoint: '[2]' });
      await store.release(JOB, fencingToken);
      expect(await store.fail(JOB, DESCRIBED, DEAD_LETTER)).toBe(true);
      expect(await existing()).toMatchObject({ state: 'finished', done: 2, result: DEAD_LETTER });
    });

    it('is refused while somebody runs the job', async () => {
      const { record } = await claimed();
      expect(await store.fail(JOB, DESCRIBED, DEAD_LETTER)).toBe(false);
      expect(await store.read(JOB)).toEqual(record);
    });

    it('is refused when the job has ended', async () => {
      const { fencingToken } = await claimed();
      await store.finish(JOB, fencingToken, OK);
      expect(await store.fail(JOB, DESCRIBED, DEAD_LETTER)).toBe(false);
      expect((await existing()).result).toEqual(OK);
    });

    it('takes the pen from an owner whose lease ran out', async () => {
      const { fencingToken } = await claimed(JOB, { leaseMs: LEASE_MS });
      await subject.passTime(LEASE_MS + 10);
      expect(await store.fail(JOB, DESCRIBED, DEAD_LETTER)).toBe(true);
      expect(await store.finish(JOB, fencingToken, OK)).toBe(false);
      expect((await existing()).result).toEqual(DEAD_LETTER);
    });

    it('does not keep a new delivery from going on and finishing the job', async () => {
      const first = await claimed();
      await store.checkpoint(JOB, first.fencingToken, { done: 5, checkpoint: '[5]' });
      await store.release(JOB, first.fencingToken);
      await store.fail(JOB, DESCRIBED, DEAD_LETTER);
      const second = await claimed();
      expect(second.record).toMatchObject({ state: 'running', attempt: 2, done: 5, checkpoint: '[5]' });
      expect(second.record.result).toBeUndefined();
      expect(second.record.finishedAt).toBeUndefined();
      expect(await store.read(JOB)).toEqual(second.record);
      await store.finish(JOB, second.fencingToken, OK);
      expect(await store.claim(JOB, request())).toEqual({ outcome: 'finished', result: OK });
    });
  });

  describe('a record', () => {
    it('is gone when its retention has passed after the end of the job', async () => {
      const { fencingToken } = await claimed(JOB, { retentionMs: LEASE_MS });
      await store.finish(JOB, fencingToken, OK);
      expect(await existing()).toMatchObject({ state: 'finished' });
      await subject.passTime(LEASE_MS + 10);
      expect(await store.read(JOB)).toBeUndefined();
      expect((await claimed(JOB, { fingerprints: ['other'] })).record).toMatchObject({
        attempt: 1,
        fingerprint: 'other',
      });
    });

    it('outlives its retention while the job runs', async () => {
      await claimed(JOB, { retentionMs: 100 });
      await subject.passTime(200);
      expect(await existing()).toMatchObject({ state: 'running' });
    });

    it('of a dead letter is kept as long as the job says', async () => {
      await store.fail(JOB, { ...DESCRIBED, retentionMs: LEASE_MS }, DEAD_LETTER);
      expect(await existing()).toMatchObject({ state: 'finished' });
      await subject.passTime(LEASE_MS + 10);
      expect(await store.read(JOB)).toBeUndefined();
    });

    it('keeps replies of 5 MiB, checkpoints of 1 MiB and any text exactly', async () => {
      const { fencingToken } = await claimed();
      const checkpoint = JSON.stringify('運'.repeat(350_000));
      await store.checkpoint(JOB, fencingToken, { done: 1, checkpoint });
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
