import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ClaimOutcome } from '../../../src/job-record/job-store.js';
import { Claims } from '../../../src/jobs/run/claims.js';
import { createMemoryJobStore, type MemoryJobStore } from './memory-job-store.js';

const LEASE_MS = 60_000;
const JOB = { kind: 'mobiles', org: 'acme', jobId: 'job' } as const;

let store: MemoryJobStore;
beforeEach(() => {
  store = createMemoryJobStore();
});

function ask(claims: Claims): Promise<ClaimOutcome> {
  return claims.ask(JOB, { fingerprints: ['print'], total: 1, leaseMs: LEASE_MS, retentionMs: LEASE_MS });
}

describe('a claim', () => {
  it('that fails over what is stored is asked for once, because asking again would bring the same', async () => {
    let asked = 0;
    const damaged = new Error('field state is "nonsense"');
    const claims = new Claims({ claim: () => Promise.reject(((asked += 1), damaged)) }, LEASE_MS);
    await expect(ask(claims)).rejects.toBe(damaged);
    expect(asked).toBe(1);
  });

  it('is one of its own each time, once the one before was answered', async () => {
    const claims = new Claims(store, LEASE_MS);
    expect(await ask(claims)).toMatchObject({ outcome: 'claimed' });
    expect(await ask(claims)).toMatchObject({ outcome: 'running' });
  });
});
