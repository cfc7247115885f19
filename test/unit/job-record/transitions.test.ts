/** The life of a record, to the millisecond; stores only apply it. */
import { describe, expect, it } from '@jest/globals';
import type { JobRecord } from '../../../src/job-record/job-record.js';
import type { ClaimRequest, NewJob } from '../../../src/job-record/job-store.js';
import { claim, enqueue, fail, finish, release, renew } from '../../../src/job-record/transitions.js';

const NOW = 1_000_000;
const HOUR_MS = 3_600_000;
const LEASE_MS = 500;
const JOB: NewJob = { total: 3, fingerprint: 'kid.print', retentionMs: 10_000 };
const REQUEST: ClaimRequest = {
  fingerprints: ['kid.print'],
  total: 3,
  leaseMs: LEASE_MS,
  retentionMs: 10_000,
  nonce: 'n',
};

const pending = enqueue(undefined, JOB, NOW) ?? fault();
const running = claim(pending, REQUEST, NOW + 1).next ?? fault();

function fault(): never {
  throw new Error('It is allowed.');
}

describe('a job that is accepted', () => {
  it('is pending, for as long as its retention', () => {
    expect(enqueue(undefined, JOB, NOW)).toStrictEqual({
      state: 'pending',
      total: 3,
      done: 0,
      createdAt: NOW,
      attempt: 0,
      fingerprint: 'kid.print',
      retentionMs: 10_000,
      expiresAt: NOW + 10_000,
    });
    expect(enqueue(undefined, { ...JOB, orderedBy: { BackendUser: 'user' } }, NOW)).toMatchObject({
      orderedBy: { BackendUser: 'user' },
    });
  });

  it('is not accepted twice', () => {
    expect(enqueue(pending, JOB, NOW)).toBeUndefined();
  });
});

describe('a claim', () => {
  it('begins with a lease, after which the record is kept on', () => {
    expect(claim(pending, REQUEST, NOW + 1).next).toStrictEqual({
      ...pending,
      state: 'running',
      attempt: 1,
      startedAt: NOW + 1,
      lease: { fencingToken: '1.n', expiresAt: NOW + 1 + LEASE_MS },
      expiresAt: NOW + 1 + LEASE_MS + 10_000,
    });
  });

  it('makes a record of a job that nobody accepted', () => {
    const { next } = claim(undefined, { ...REQUEST, retentionMs: 70 }, NOW);
    expect(next).toMatchObject({
      state: 'running',
      total: 3,
      createdAt: NOW,
      retentionMs: 70,
      fingerprint: 'kid.print',
    });
  });

  it('waits for the lease of somebody else to the millisecond', () => {
    const end = NOW + 1 + LEASE_MS;
    const other = { ...REQUEST, nonce: 'other' };
    expect(claim(running, other, end - 1)).toEqual({
      outcome: { outcome: 'running', retryAfterMs: 1 },
      next: undefined,
    });
    expect(claim(running, other, NOW + 1).next).toBeUndefined();
    expect(claim(running, other, end).next).toMatchObject({ attempt: 2, startedAt: NOW + 1 });
  });

  it('cuts a lease that ends later than one taken now', () => {
    const { outcome, next } = claim(running, { ...REQUEST, nonce: 'other' }, NOW);
    expect(outcome).toEqual({ outcome: 'running', retryAfterMs: LEASE_MS });
    expect(next?.lease).toEqual({ fencingToken: '1.n', expiresAt: NOW + LEASE_MS });
  });

  it('under a key that is not known waits for it for an hour', () => {
    const unknown: ClaimRequest = { ...REQUEST, fingerprints: ['other.print'] };
    expect(claim(pending, unknown, NOW + HOUR_MS - 1).outcome.outcome).toBe('unknown key');
    expect(claim(pending, unknown, NOW + HOUR_MS).outcome.outcome).toBe('unknown key');
    expect(claim(pending, { ...REQUEST, fingerprints: ['kid.other'] }, NOW).outcome.outcome).toBe('conflict');
  });
});

describe('whoever holds the lease', () => {
  it('prolongs it from now on', () => {
    const next = renew(running, '1.n', LEASE_MS, NOW + 400);
    expect(next).toMatchObject({
      lease: { fencingToken: '1.n', expiresAt: NOW + 400 + LEASE_MS },
      expiresAt: NOW + 400 + LEASE_MS + 10_000,
    });
    expect(renew(running, '1.m', LEASE_MS, NOW)).toBeUndefined();
  });

  it('gives it back, and the record is kept from now on', () => {
    const next = release(running, '1.n', NOW + 9) as JobRecord; // it is theirs
    expect([next.lease, next.state, next.expiresAt]).toEqual([undefined, 'running', NOW + 10_009]);
  });

  it('ends the job once', () => {
    const result = { status: 200, body: '{}' };
    const next = finish({ ...running, checkpoint: '{}' }, '1.n', result, NOW + 9);
    expect(next).toMatchObject({ state: 'finished', result, finishedAt: NOW + 9, expiresAt: NOW + 10_009 });
    expect(next).not.toHaveProperty('lease');
    expect(next).not.toHaveProperty('checkpoint');
    expect(finish(next, '1.n', result, NOW + 10)).toBeUndefined();
  });
});

describe('a dead letter', () => {
  const result = { status: 503, body: '{}' };

  it('ends a job whose lease is over, and none that is run', () => {
    const end = NOW + 1 + LEASE_MS;
    expect(fail(running, JOB, result, end - 1)).toBeUndefined();
    expect(fail(running, JOB, result, end)).toMatchObject({ state: 'finished', result, finishedAt: end });
  });

  it('makes a record of what it knows when there is none', () => {
    expect(fail(undefined, { ...JOB, orderedBy: { BackendUser: 'user' } }, result, NOW)).toStrictEqual({
      ...pending,
      state: 'finished',
      orderedBy: { BackendUser: 'user' },
      result,
      finishedAt: NOW,
    });
  });
});
