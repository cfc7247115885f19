/** Claims of jobs, by their id and, while keys are rolled, by their content. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { DERIVED_ID_RETENTION_MS as OUTCOME_KEPT_MS, derivedJobIds } from '../../../src/jobs/record/fingerprint.js';
import type { ClaimOutcome } from '../../../src/jobs/record/job-store.js';
import type { JobIdentity } from '../../../src/jobs/record/job-record.js';
import { Claims } from '../../../src/jobs/run/claims.js';
import type { Job, Work } from '../../../src/jobs/job.js';
import { captureLog } from '../../support/captured-log.js';
import { createMemoryJobStore, type MemoryJobStore } from './memory-job-store.js';

const LEASE_MS = 60_000;
const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
/** The key rings of gateways before, while and after a key is rolled. */
const BEFORE = new KeyRing([OLD]);
const READS_BOTH = new KeyRing([OLD, NEW]);
const WRITES_NEW = new KeyRing([NEW, OLD]);
const AFTER = new KeyRing([NEW]);
const ONE_KEY = [
  ['an old key', BEFORE],
  ['a new key', AFTER],
] as const;

const job: Job = { kind: 'mobiles', itemsAt: [], accept: () => ({ kind: 'faults', faults: [] }) };
const work: Work = { total: 1, resumes: true, run: () => Promise.reject(new Error('Nothing is run here.')) };

let store: MemoryJobStore;
let deadlineMs: number;
beforeEach(() => {
  store = createMemoryJobStore();
  deadlineMs = 0;
});

type Claimed = Promise<{ readonly job: JobIdentity; readonly claim: ClaimOutcome }>;

function claimsOf(keyRing: KeyRing): Claims {
  return new Claims({ jobStore: store, keyRing, leaseMs: LEASE_MS, deadlineMs, maxAttempts: 5 });
}

function claim(keyRing: KeyRing, body: unknown = ['a'], jobId?: string, claims = claimsOf(keyRing)): Claimed {
  return claims.claim({ job, org: 'acme', jobId, body, work, log: captureLog().logger });
}

async function finish({ job: identity, claim: outcome }: Awaited<Claimed>): Promise<void> {
  if (outcome.outcome !== 'claimed') throw new Error(`The claim ended in ${outcome.outcome}.`);
  expect(await store.finish(identity, outcome.fencingToken, { status: 200, body: '{}' })).toBe(true);
}

describe('a job without an id', () => {
  it('runs once however often the same is delivered, and is another one with another body', async () => {
    const first = await claim(BEFORE);
    expect((await claim(BEFORE)).claim.outcome).toBe('running');
    await finish(first);
    expect((await claim(BEFORE)).claim.outcome).toBe('finished');
    expect((await claim(BEFORE, ['b'])).claim.outcome).toBe('claimed');
  });

  it('has the same id for all who know the same keys, whichever writes', async () => {
    const first = await claim(READS_BOTH);
    expect(first.claim.outcome).toBe('claimed');
    const second = await claim(WRITES_NEW);
    expect([second.claim.outcome, second.job]).toEqual(['running', first.job]);
    await finish(first);
    expect((await claim(WRITES_NEW)).claim).toMatchObject({ outcome: 'finished' });
  });

  it.each(ONE_KEY)(
    'that runs where only %s is known runs nowhere else meanwhile, and its outcome is known everywhere',
    async (_which, keys) => {
      const first = await claim(keys);
      for (const others of [READS_BOTH, WRITES_NEW]) {
        const other = await claim(others);
        expect([other.claim.outcome, other.job]).toEqual(['running', first.job]);
      }
      await finish(first);
      for (const others of [READS_BOTH, WRITES_NEW]) expect((await claim(others)).claim.outcome).toBe('finished');
    },
  );

  it('that runs where both keys are known is barred where only one of them is', async () => {
    const first = await claim(READS_BOTH);
    const outcomes = await Promise.all([BEFORE, AFTER].map(async (keys) => (await claim(keys)).claim.outcome));
    // One of them knows the key it runs under; to the other the record is of a key that may still come.
    expect(outcomes.sort()).toEqual(['running', 'unknown key']);
    expect(store.records.size).toBe(2);
    await finish(first);
    const later = await Promise.all([BEFORE, AFTER].map(async (keys) => (await claim(keys)).claim.outcome));
    expect(later.sort()).toEqual(['finished', 'unknown key']);
  });

  it('leaves no lease on what only bars the way', async () => {
    const { job: own } = await claim(WRITES_NEW);
    const leases = [...store.records].map(([key, { lease }]) => key.includes(own.jobId) === (lease !== undefined));
    expect(leases).toEqual([true, true]);
  });

  it('runs under the id of the key that comes first by its name, as everybody has to do it alike', async () => {
    const [own] = READS_BOTH.for('job-fingerprint').toSorted((one, other) => (one.kid < other.kid ? -1 : 1));
    const ids = await derivedJobIds(READS_BOTH, { kind: 'mobiles', org: 'acme', body: ['a'] });
    expect((await claim(READS_BOTH)).job.jobId).toBe(ids.find(({ kid }) => kid === own?.kid)?.jobId);
  });

  it('bars its other ids for as long as it may run and its outcome is kept, which counts as no running job', async () => {
    deadlineMs = 3_600_000;
    const bars: boolean[] = [];
    const stored = store.claim.bind(store);
    store.claim = (identity, request) => {
      bars.push(request.isPlaceholder ?? false);
      return stored(identity, request);
    };
    const { job: own } = await claim(READS_BOTH);
    expect(bars).toEqual([true, false]);
    for (const [key, { retentionMs }] of store.records) {
      expect(retentionMs).toBe(key.includes(own.jobId) ? OUTCOME_KEPT_MS : deadlineMs + OUTCOME_KEPT_MS);
    }
  });

  it.each(ONE_KEY)('that died where only %s is known goes on where both are, as the same job', async (_which, keys) => {
    const first = await claim(keys);
    store.ahead += LEASE_MS;
    const next = await claim(READS_BOTH);
    expect(next.job).toEqual(first.job);
    expect(next.claim).toMatchObject({ outcome: 'claimed', record: { attempt: 2 } });
  });

  it('of two who come at once goes to one', async () => {
    const outcomes = await Promise.all([claim(READS_BOTH), claim(WRITES_NEW), claim(READS_BOTH)]);
    expect(outcomes.filter(({ claim: { outcome } }) => outcome === 'claimed')).toHaveLength(1);
  });
});

it('a job with an id is that one, whatever keys there are, and no other body', async () => {
  const first = await claim(READS_BOTH, ['a'], 'job-1');
  expect([first.claim.outcome, first.job.jobId, store.records.size]).toEqual(['claimed', 'job-1', 1]);
  expect((await claim(WRITES_NEW, ['a'], 'job-1')).claim.outcome).toBe('running');
  expect((await claim(BEFORE, ['a'], 'job-1')).claim.outcome).toBe('running');
  expect((await claim(BEFORE, ['b'], 'job-1')).claim.outcome).toBe('conflict');
  expect((await claim(AFTER, ['a'], 'job-1')).claim.outcome).toBe('unknown key');
});

describe('a claim', () => {
  it('that fails over what is stored is asked for once, because asking again would bring the same', async () => {
    let asked = 0;
    const damaged = new Error('field state is "nonsense"');
    store.claim = () => Promise.reject(((asked += 1), damaged));
    await expect(claim(BEFORE, ['a'], 'job-1')).rejects.toBe(damaged);
    expect(asked).toBe(1);
  });

  it('is one of its own each time, once the one before was answered', async () => {
    const claims = claimsOf(BEFORE);
    expect((await claim(BEFORE, ['a'], 'job-1', claims)).claim.outcome).toBe('claimed');
    expect((await claim(BEFORE, ['a'], 'job-1', claims)).claim.outcome).toBe('running');
  });
});
