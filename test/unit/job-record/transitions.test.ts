/** The life of a record, to the millisecond; stores only apply it. */
import { describe, expect, it } from '@jest/globals';
import { GIVEN_UP } from '../../../src/jobs/record/job-ends.js';
import { leaseLeftMs, type JobRecord } from '../../../src/jobs/record/job-record.js';
import type { ClaimRequest, Ending, NewJob } from '../../../src/jobs/record/job-store.js';
import {
  cancel,
  cancelledOf,
  checkpoint,
  claim,
  noteDrop,
  queuedAtOf,
  enqueue,
  fail,
  finish,
  leaseStateOf,
  refuse,
  release,
  renew,
  replay,
  startedOf,
  wait,
} from '../../../src/jobs/record/transitions.js';
import { jobMessage } from '../../support/stored-jobs.js';

const NOW = 1_000_000;
const HOUR_MS = 3_600_000;
const LEASE_MS = 500;
const JOB: NewJob = { total: 3, fingerprint: 'kid.print', retentionMs: 10_000 };
const REQUEST: ClaimRequest = { ...JOB, fingerprints: ['kid.print'], leaseMs: LEASE_MS, nonce: 'n' };

const OK = { status: 200, body: '{}' };
const DEAD_LETTER = { status: 503, body: '{"message":"The gateway did not reply."}' };
const OTHER: ClaimRequest = { ...REQUEST, nonce: 'other' };

const pending = enqueue(undefined, JOB, NOW) ?? fault();
const running = claim(pending, REQUEST, NOW + 1).next ?? fault();
/** End of the lease of {@link running}. */
const END = NOW + 1 + LEASE_MS;
const progressed = checkpoint(running, '1.n', { done: 2, checkpoint: '[2]' }) ?? fault();
const released = release(progressed, '1.n', NOW + 9) ?? fault();
const takenOver = claim(progressed, OTHER, END).next ?? fault();
const ended = finish(progressed, '1.n', OK, NOW + 9) ?? fault();

function fault(): never {
  throw new Error('It is allowed.');
}

describe('a job that is accepted', () => {
  it('is pending, for as long as its retention, and is not accepted twice', () => {
    const times = { createdAt: NOW, expiresAt: NOW + 10_000 };
    expect(enqueue(undefined, JOB, NOW)).toStrictEqual({ ...JOB, state: 'pending', done: 0, attempt: 0, ...times });
    const orderedBy = { BackendUser: 'user' };
    expect(enqueue(undefined, { ...JOB, orderedBy }, NOW)).toMatchObject({ orderedBy });
    expect(enqueue(pending, JOB, NOW)).toBeUndefined();
  });
});

describe('a claim', () => {
  it('begins with a lease, after which the record is kept on', () => {
    const times = { startedAt: NOW + 1, lease: { fencingToken: '1.n', expiresAt: END }, expiresAt: END + 10_000 };
    const { next } = claim(pending, REQUEST, NOW + 1);
    expect(next).toStrictEqual({ ...pending, state: 'running', attempt: 1, ...times });
  });

  it('makes a record of a job that was not accepted before', () => {
    const { next } = claim(undefined, { ...REQUEST, retentionMs: 70 }, NOW);
    const { total, fingerprint } = JOB;
    expect(next).toMatchObject({ state: 'running', total, createdAt: NOW, retentionMs: 70, fingerprint });
  });

  it('waits for the lease of another claim to the millisecond', () => {
    const outcome = { outcome: 'running', retryAfterMs: 1 };
    expect(claim(running, OTHER, END - 1)).toEqual({ outcome, next: undefined });
    expect(claim(running, OTHER, NOW + 1).next).toBeUndefined();
    expect([leaseLeftMs(running, END - 1), leaseLeftMs(running, END), leaseLeftMs(pending, NOW)]).toEqual([1, 0, 0]);
    expect(leaseLeftMs(undefined, NOW)).toBe(0);
  });

  it('takes a job over at its checkpoint once its lease is over or was given back', () => {
    for (const next of [takenOver, claim(released, OTHER, NOW + 9).next]) {
      const kept = { done: 2, checkpoint: '[2]', startedAt: NOW + 1 };
      expect(next).toMatchObject({ ...kept, attempt: 2, lease: { fencingToken: '2.other' } });
    }
  });

  it('gets the same lease again under the same nonce, because the reply may have been lost', () => {
    const outcome = { outcome: 'claimed', fencingToken: '1.n', record: running };
    expect(claim(running, REQUEST, END - 1)).toEqual({ outcome, next: undefined });
  });

  it('of a job that has ended well is answered with its reply, and runs nothing', () => {
    const outcome = { outcome: 'finished', result: OK };
    for (const request of [REQUEST, OTHER]) expect(claim(ended, request, END)).toEqual({ outcome, next: undefined });
  });

  it('goes on with a job behind the dead letters, which has no end any more', () => {
    const dead = fail(released, JOB, DEAD_LETTER, NOW + 9) ?? fault();
    const { next = fault() } = claim(dead, OTHER, NOW + 10);
    expect(next).toMatchObject({ state: 'running', attempt: 2, done: 2, checkpoint: '[2]' });
    expect([next.result, next.finishedAt]).toEqual([undefined, undefined]);
  });

  it('of a job that ended as a dead letter runs it only for a newer message, or one whose time is not known', () => {
    const dead = fail(released, JOB, DEAD_LETTER, NOW + 9) ?? fault();
    const dropped = noteDrop(dead, 'why', NOW + 20) ?? fault();
    const outcomeOf = (record: JobRecord, queuedAt?: number) =>
      claim(record, { ...OTHER, ...(queuedAt !== undefined && { queuedAt }) }, NOW + 30).outcome.outcome;
    expect([NOW, NOW + 9, NOW + 10, undefined].map((at) => outcomeOf(dead, at))).toEqual([
      ...['outdated', 'outdated'],
      ...['claimed', 'claimed'],
    ]);
    expect([NOW + 10, NOW + 20, NOW + 21].map((at) => outcomeOf(dropped, at))).toEqual([
      ...['outdated', 'outdated', 'claimed'],
    ]);
    expect(outcomeOf(ended, NOW)).toBe('finished');
  });

  it('of the only message of a job, which comes after its end, is newer unless the job was dropped or given up', () => {
    const dead = fail(released, JOB, DEAD_LETTER, NOW + 9) ?? fault();
    const given = fail(released, JOB, GIVEN_UP, NOW + 9) ?? fault();
    const only = { message: jobMessage('job'), attempt: 1, lastAttempt: false, since: NOW, copy: 'only' } as const;
    const { copy: _only, ...copied } = only;
    expect([pending, dead, given, noteDrop(dead, 'why', NOW + 20)].map((record) => queuedAtOf(record, only))).toEqual([
      ...[NOW, NOW + 10, NOW, NOW],
    ]);
    expect(queuedAtOf(dead, copied)).toBe(NOW);
  });

  it('keeps who ordered the job and that it was cancelled, and no reason why it could not be delivered', () => {
    const ordered = { ...pending, orderedBy: { BackendUser: 'user' }, cancelledAt: NOW };
    const { next = fault() } = claim({ ...ordered, waiting: { reason: 'not_reached', since: NOW } }, REQUEST, NOW);
    expect(next).toMatchObject({ orderedBy: { BackendUser: 'user' }, cancelledAt: NOW });
    expect(next).not.toHaveProperty('waiting');
  });

  it('cuts a lease that ends later than one taken now', () => {
    const { outcome, next } = claim(running, OTHER, NOW);
    expect(outcome).toEqual({ outcome: 'running', retryAfterMs: LEASE_MS });
    expect(next?.lease).toEqual({ fencingToken: '1.n', expiresAt: NOW + LEASE_MS });
  });

  it('under a key that is not known is no conflict', () => {
    const unknown: ClaimRequest = { ...REQUEST, fingerprints: ['other.print'] };
    expect(claim(pending, unknown, NOW + HOUR_MS).outcome.outcome).toBe('unknown key');
  });

  it('with another body is a conflict, before the job, while it runs and after its end', () => {
    const other: ClaimRequest = { ...REQUEST, fingerprints: ['kid.other'] };
    for (const record of [pending, running, ended]) {
      expect(claim(record, other, NOW)).toEqual({ outcome: { outcome: 'conflict' }, next: undefined });
    }
  });

  it.each([['of the key it was made with, among those of others', 'kid.print', ['new.mark', 'kid.print']]] as const)(
    'recognises the fingerprint %s',
    (_what, fingerprint, [first, ...others]) => {
      const request: ClaimRequest = { ...REQUEST, fingerprints: [first, ...others] };
      expect(claim({ ...pending, fingerprint }, request, NOW).outcome.outcome).toBe('claimed');
    },
  );
});

describe('a job whose owners lose their leases', () => {
  const LIMITED: ClaimRequest = { ...REQUEST, maxLostLeases: 3 };

  /** Claims a job, each time when the lease of the claim before is over. */
  function lose(record: JobRecord, times: number): JobRecord {
    const at = (record.lease?.expiresAt ?? NOW) + 1;
    return times === 0 ? record : lose(claim(record, LIMITED, at).next ?? fault(), times - 1);
  }

  it('counts them, and not those that were given back', () => {
    expect(claim(running, LIMITED, END).next?.lostLeases).toBe(1);
    expect(lose(running, 2).lostLeases).toBe(2);
    expect(claim(released, LIMITED, NOW + 10).next).not.toHaveProperty('lostLeases');
    const given = release(lose(running, 2), '3.n', NOW) ?? fault();
    expect(claim(given, LIMITED, NOW).next?.lostLeases).toBe(2);
  });

  it('counts anew when it got further, which nothing but more done items is', () => {
    const twice = lose(progressed, 2);
    const same = checkpoint(twice, '3.n', { done: 2, checkpoint: 'again' });
    expect(same).toMatchObject({ lostLeases: 2, checkpoint: 'again' });
    expect(checkpoint(twice, '3.n', { done: 3, checkpoint: '[3]' })).not.toHaveProperty('lostLeases');
  });

  it('is given up at the limit, once its lease is over, and its last owner cannot write any more', () => {
    const last = lose(running, 2);
    const over = last.lease?.expiresAt ?? fault();
    expect(claim(last, { ...LIMITED, nonce: 'o' }, over - 1).outcome.outcome).toBe('running');
    const { outcome, next = fault() } = claim(last, LIMITED, over);
    expect(outcome).toEqual({ outcome: 'given up', record: next });
    expect(next).toMatchObject({ state: 'running', lostLeases: 3, attempt: 3 });
    expect(next).not.toHaveProperty('lease');
    expect([finish(next, '3.n', OK, over), renew(next, '3.n', 1, over)]).toEqual([undefined, undefined]);
    // Its claimer died before it ended the record.
    expect(claim(next, LIMITED, over + 1)).toEqual({ outcome: { outcome: 'given up', record: next }, next: undefined });
  });

  it('is refused after its end until it is replayed, and then begins anew', () => {
    const given = claim(lose(running, 2), LIMITED, NOW + HOUR_MS).next ?? fault();
    const dead = fail(given, JOB, DEAD_LETTER, NOW + HOUR_MS) ?? fault();
    for (const queuedAt of [undefined, NOW, NOW + HOUR_MS]) {
      const request = { ...LIMITED, ...(queuedAt !== undefined && { queuedAt }) };
      const outcome = { outcome: 'given up', record: dead };
      expect(claim(dead, request, NOW + 2 * HOUR_MS)).toEqual({ outcome, next: undefined });
    }
    const replayed = claim(dead, { ...LIMITED, queuedAt: NOW + HOUR_MS + 1 }, NOW + 2 * HOUR_MS).next;
    expect(replayed).toMatchObject({ state: 'running', attempt: 4 });
    expect(replayed).not.toHaveProperty('lostLeases');
  });

  it('that became a dead letter for another reason counts anew', () => {
    const dead = fail(release(lose(running, 2), '3.n', NOW), JOB, DEAD_LETTER, NOW) ?? fault();
    expect(claim(dead, LIMITED, NOW).next).not.toHaveProperty('lostLeases');
  });

  it('counts nothing for a record that only keeps others from running it', () => {
    expect(claim(running, { ...LIMITED, isPlaceholder: true }, END).next).not.toHaveProperty('lostLeases');
  });
});

describe('the time of the first fetch', () => {
  const fetching: ClaimRequest = { ...REQUEST, isFetching: true };
  const fetched = claim(pending, fetching, NOW + 1).next ?? fault();

  it('is that of the first claim of a job that only fetches, and a takeover keeps it', () => {
    expect(fetched).toMatchObject({ fetchedAt: NOW + 1 });
    expect(running).not.toHaveProperty('fetchedAt');
    const later = claim(fetched, { ...fetching, nonce: 'other' }, END).next;
    expect(later).toMatchObject({ attempt: 2, fetchedAt: NOW + 1 });
    const stopped = release(fetched, '1.n', NOW + 9);
    expect(claim(stopped, fetching, NOW + HOUR_MS).next).toMatchObject({ attempt: 2, fetchedAt: NOW + 1 });
  });

  it('is new with a replay, and with a message that comes after the end', () => {
    const dead = fail(release(fetched, '1.n', NOW + 9), JOB, DEAD_LETTER, END) ?? fault();
    expect(dead).toMatchObject({ fetchedAt: NOW + 1 });
    const replayed = replay(dead, END + 9);
    expect(replayed).not.toHaveProperty('fetchedAt');
    expect(claim(replayed, fetching, END + HOUR_MS).next).toMatchObject({ fetchedAt: END + HOUR_MS });
    const revived = claim(dead, { ...fetching, queuedAt: END + 20 }, END + 30).next;
    expect(revived).toMatchObject({ fetchedAt: END + 30 });
  });
});

describe('a dead letter that is replayed', () => {
  const dead = noteDrop(fail(progressed, JOB, DEAD_LETTER, END) ?? fault(), 'why', END) ?? fault();

  it('is pending again with all that was done, newer than its end, and claimed by messages of any age', () => {
    const next = replay({ ...dead, lostLeases: 5, waiting: { reason: 'foreign 413', since: 1 } }, END - 100) ?? fault();
    const { lease: _over, ...kept } = progressed;
    const times = { replayedAt: END + 1, expiresAt: END - 100 + 10_000 };
    expect(next).toStrictEqual({ ...kept, ...times, state: 'pending' });
    expect(claim(next, { ...OTHER, queuedAt: NOW }, END).next).toMatchObject({ attempt: 2, checkpoint: '[2]' });
    expect(replay(next, END + 50)).toMatchObject({ state: 'pending', replayedAt: END + 50 });
  });

  it('ends again no earlier than it was replayed, by whichever clock', () => {
    const next = replay(dead, END - 100) ?? fault();
    expect(fail(next, JOB, DEAD_LETTER, END - 50)?.finishedAt).toBe(END + 1);
  });

  it('stays as it is if it was handled, is running, or has no record', () => {
    for (const record of [ended, running, undefined]) expect(replay(record, NOW + 2)).toBeUndefined();
    const refused = refuse(pending, JOB, DEAD_LETTER, NOW);
    expect(replay(refused, NOW + 2)).toBeUndefined();
  });
});

describe('the holder of the lease', () => {
  it('prolongs it from now on', () => {
    const expiresAt = NOW + 400 + LEASE_MS;
    const renewed = { lease: { fencingToken: '1.n', expiresAt }, expiresAt: expiresAt + 10_000 };
    expect(renew(running, '1.n', LEASE_MS, NOW + 400)).toMatchObject(renewed);
    expect(renew(running, '1.m', LEASE_MS, NOW)).toBeUndefined();
  });

  it('gives it back, and the record is kept from now on', () => {
    const next = release(running, '1.n', NOW + 9) as JobRecord; // it is theirs
    expect([next.lease, next.state, next.expiresAt]).toEqual([undefined, 'running', NOW + 10_009]);
  });

  it('notes progress, and nothing else', () => {
    expect(progressed).toStrictEqual({ ...running, done: 2, checkpoint: '[2]' });
    expect(leaseStateOf(progressed)).toBe('held');
  });

  it('ends the job once', () => {
    expect(ended).toMatchObject({ state: 'finished', result: OK, finishedAt: NOW + 9, expiresAt: NOW + 10_009 });
    expect(ended).not.toHaveProperty('lease');
    expect(ended).not.toHaveProperty('checkpoint');
    expect(finish(ended, '1.n', OK, NOW + 10)).toBeUndefined();
  });

  it('goes on after its end as long as no other process has taken the job over', () => {
    expect(renew(running, '1.n', LEASE_MS, END + 1)?.lease?.expiresAt).toBe(END + 1 + LEASE_MS);
  });

  it('learns with each write that the job was cancelled', () => {
    const cancelled = cancel(running, undefined, NOW + 2);
    expect(leaseStateOf(renew(cancelled, '1.n', LEASE_MS, NOW + 3))).toBe('cancelled');
    expect(leaseStateOf(checkpoint(cancelled, '1.n', { done: 1, checkpoint: '[1]' }))).toBe('cancelled');
    expect(finish(cancelled, '1.n', OK, NOW + 3)).toMatchObject({
      state: 'finished',
      cancelledAt: NOW + 2,
      result: OK,
    });
  });
});

it.each([
  ['was taken over', takenOver],
  ['was given back', released],
  ['has ended', ended],
  ['does not exist', undefined],
])('a token from before writes nothing to a job that %s', (_what, record) => {
  const writes = [
    renew(record, '1.n', LEASE_MS, END),
    checkpoint(record, '1.n', { done: 3, checkpoint: '[3]' }),
    finish(record, '1.n', OK, END),
    release(record, '1.n', END),
  ];
  expect(writes).toEqual([undefined, undefined, undefined, undefined]);
  expect(leaseStateOf(undefined)).toBe('lost');
});

describe('a job that is cancelled', () => {
  const ending: Ending = { attempt: 1, done: 2, result: { ...OK, failures: [{ from: 2, code: 'NotFound' }] } };

  it('keeps everything else while it runs, and is cancelled once', () => {
    const next = cancel(running, ending, NOW + 5) ?? fault();
    expect(next).toStrictEqual({ ...running, cancelledAt: NOW + 5 });
    expect(cancelledOf(running, next)).toEqual({ createdAt: NOW, state: 'running', cancelled: true, changed: true });
    const again = cancel(next, ending, NOW + 6);
    expect(again).toBeUndefined();
    expect(cancelledOf(next, again)).toMatchObject({ state: 'running', cancelled: true, changed: false });
  });

  it('ends at once while it does not run, if its ending was made of what it is', () => {
    for (const record of [released, { ...released, cancelledAt: NOW + 4 }]) {
      const next = cancel(record, ending, NOW + 9) ?? fault();
      const { cancelledAt = NOW + 9 } = record;
      expect(next).toMatchObject({ state: 'finished', result: ending.result, cancelledAt });
      expect(next).not.toHaveProperty('checkpoint');
      expect(cancelledOf(record, next)).toMatchObject({ state: 'finished', changed: record.cancelledAt === undefined });
    }
    expect(cancel(progressed, ending, END)?.state).toBe('finished');
    expect(cancel(released, { ...ending, attempt: 0 }, NOW + 9)).toStrictEqual({ ...released, cancelledAt: NOW + 9 });
    expect(cancel(released, undefined, NOW + 9)?.state).toBe('running');
  });

  it('must exist, and not have ended', () => {
    expect([cancel(undefined, ending, NOW), cancel(ended, ending, NOW)]).toEqual([undefined, undefined]);
    expect(cancelledOf(ended, undefined)).toMatchObject({ state: 'finished', cancelled: false, changed: false });
  });
});

describe('a job that cannot be delivered', () => {
  it('says why, and since when, as long as it does not run and has not ended', () => {
    const waiting = wait(released, 'not_reached', NOW + 10) ?? fault();
    expect(waiting).toStrictEqual({ ...released, waiting: { reason: 'not_reached', since: NOW + 10 } });
    expect(wait(waiting, 'not_reached', NOW + 20)).toBeUndefined();
    expect(wait(waiting, 'wrong_address', NOW + 20)?.waiting).toEqual({ reason: 'wrong_address', since: NOW + 10 });
    expect(fail(waiting, JOB, DEAD_LETTER, NOW + 20)).not.toHaveProperty('waiting');
    const refused = [running, ended, undefined].map((record) => wait(record, 'key_unknown', NOW + 20));
    expect(refused).toEqual([undefined, undefined, undefined]);
  });
});

describe('a dead letter', () => {
  it('ends a job that does not run, keeps what was done, and refuses later writes of its former runner', () => {
    expect(fail(progressed, JOB, DEAD_LETTER, END - 1)).toBeUndefined();
    const next = fail(progressed, JOB, DEAD_LETTER, END) ?? fault();
    const times = { finishedAt: END, expiresAt: END + 10_000 };
    expect(next).toMatchObject({ state: 'finished', done: 2, result: DEAD_LETTER, ...times });
    expect(finish(next, '1.n', OK, END)).toBeUndefined();
    expect(fail(ended, JOB, DEAD_LETTER, END)).toBeUndefined();
  });

  it('that is dropped keeps its reason until the job runs again, and nothing else is dropped', () => {
    const dead = fail(progressed, JOB, DEAD_LETTER, END) ?? fault();
    const dropped = noteDrop(dead, 'no use', END + 10) ?? fault();
    expect(dropped).toStrictEqual({ ...dead, dropped: { reason: 'no use', at: END + 10 } });
    expect(claim(dropped, REQUEST, END + 20).next).not.toHaveProperty('dropped');
    const others = [running, released, ended, undefined].map((record) => noteDrop(record, 'no use', END));
    expect(others).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('makes a record of what it knows when there is none', () => {
    const orderedBy = { BackendUser: 'user' };
    const end = { state: 'finished', result: DEAD_LETTER, finishedAt: NOW };
    expect(fail(undefined, { ...JOB, orderedBy }, DEAD_LETTER, NOW)).toStrictEqual({ ...pending, orderedBy, ...end });
  });
});

describe('a start that was refused', () => {
  const LOST = { status: 503, body: '{"message":"lost"}' };
  const note = refuse(pending, JOB, LOST, NOW + 5) ?? fault();
  const DAY_MS = 24 * HOUR_MS;

  it('leaves a note for as long as its message may live, which is no job to users and ended for earlier versions', () => {
    const times = { finishedAt: NOW + 5, retentionMs: 30 * DAY_MS, expiresAt: NOW + 5 + 30 * DAY_MS };
    expect(note).toStrictEqual({ ...pending, state: 'finished', result: LOST, ...times, refused: true });
    expect([startedOf(note), startedOf(pending)]).toEqual([undefined, pending]);
    expect(refuse(undefined, JOB, LOST, NOW)).toMatchObject({ state: 'finished', refused: true });
  });

  it('keeps its message from being run, and from a failure', () => {
    expect(claim(note, REQUEST, NOW + 6)).toEqual({ outcome: { outcome: 'refused' }, next: undefined });
    const wrote = [fail(note, JOB, DEAD_LETTER, NOW + 6), wait(note, 'why', NOW + 6), cancel(note, undefined, NOW + 6)];
    expect(wrote).toEqual([undefined, undefined, undefined]);
  });

  it('is replaced by a new one, and is none once its job was claimed', () => {
    expect(enqueue(note, JOB, NOW + 7)).toStrictEqual({ ...pending, createdAt: NOW + 7, expiresAt: NOW + 10_007 });
    for (const begun of [running, released, ended, note]) expect(refuse(begun, JOB, LOST, NOW + 10)).toBeUndefined();
  });
});

describe('a dead letter of an earlier start under the same key', () => {
  it.each([
    ['is not the end of a job with another body', 'kid.other', undefined],
    ['is its end when both bodies may be the same', 'rotated.other', 'finished'],
    ['is its end when they are the same', 'kid.print', 'finished'],
  ])('%s', (_what, fingerprint, state) => {
    expect(fail(pending, { ...JOB, fingerprint }, DEAD_LETTER, NOW + 1)?.state).toBe(state);
  });
});
