import { isOfUnknownKey, mayBeOfBody } from './fingerprint.js';
import { GIVEN_UP } from './job-ends.js';
import { DEAD_LETTER_RETENTION_MS, type Delivery, type SubmittedJob } from './job-queue.js';
import { isLeased, owns, type JobRecord, type JobResult } from './job-record.js';
import type { Cancelled, ClaimOutcome, ClaimRequest, Ending, LeaseState, NewJob, Progress } from './job-store.js';

/*
 * Life cycle of a job record, as pure functions from a record to the next one. A store applies each of them
 * atomically and adds nothing of its own; time comes from the store's clock.
 *
 *   enqueue          claim            renew ... renew      checkpoint ...       finish
 *      |               |                |         |            |                  |
 *      v               v                v         v            v                  v
 *   PENDING ------> RUNNING =====================================================> FINISHED ---> (gone)
 *      |               |<-- lease -->|<-- lease -->|<-- lease -->|                 |            ^
 *      |               |                                                           |            |
 *      |<-- record lifetime: always the end of the lease, or now, plus retention --|-retention--|
 *
 *   An expired lease does not end the job: the next claim takes it over with a new fencing token and the last
 *   checkpoint. Nothing that the old owner writes afterwards counts, because its token no longer matches. Clocks
 *   decide only when a take-over is allowed.
 */

/** Result of a claim that the record alone decides. */
export type ClaimDecision =
  | Exclude<ClaimOutcome, { outcome: 'claimed' | 'must wait' }>
  | Omit<Extract<ClaimOutcome, { outcome: 'claimed' }>, 'items'>;

/** Next record; undefined if the transition is not allowed and must not be written. */
export type Transition = JobRecord | undefined;

/** Accepts a job. Refused if a record exists already, unless it is the note of a refused start. */
export function enqueue(record: JobRecord | undefined, job: NewJob, now: number): Transition {
  return startedOf(record) === undefined ? accepted(job, now) : undefined;
}

/** Returns the result of a submission. @param next record after it, undefined if one existed before */
export function submittedOf(record: JobRecord | undefined, next: Transition): SubmittedJob {
  const submitted = next ?? record;
  if (submitted === undefined) throw new Error('A submission was refused without a record.');
  return { record: submitted, isNew: next !== undefined };
}

/**
 * Notes that the start of a job was refused, for as long as its message may live. The message cannot have been sent, so
 * this is refused once the job was claimed.
 */
export function refuse(record: JobRecord | undefined, job: NewJob, result: JobResult, now: number): Transition {
  const { state, ...pending } = record ?? accepted(job, now);
  if (state !== 'pending') return undefined;
  const kept = { ...pending, state, retentionMs: DEAD_LETTER_RETENTION_MS };
  return { ...finished(kept, result, now), refused: true };
}

/** Returns the record of a job that was started; undefined for the note of a refused start. */
export function startedOf(record: JobRecord | undefined): JobRecord | undefined {
  return record?.refused ? undefined : record;
}

/**
 * Claims a job for one owner. A dead letter was never handled, so a newer message continues at its checkpoint. The
 * holder of a lease gets the lease again under the same nonce, because the reply to a claim can be lost. A job whose
 * owners keep losing their leases is given up, which also takes the token from an owner that was only paused.
 */
export function claim(
  record: JobRecord | undefined,
  request: ClaimRequest,
  now: number,
): { readonly outcome: ClaimDecision; readonly next: Transition } {
  const unchanged = (outcome: ClaimDecision) => ({ outcome, next: undefined });
  if (record?.refused) return unchanged({ outcome: 'refused' });
  if (record !== undefined) {
    if (!request.fingerprints.includes(record.fingerprint)) {
      // The claimer may know the key of the record later.
      const mayBeTheSame = isOfUnknownKey(record.fingerprint, request.fingerprints);
      return unchanged({ outcome: mayBeTheSame ? 'unknown key' : 'conflict' });
    }
    if (isHandled(record)) return unchanged({ outcome: 'finished', result: record.result });
    if (isLeased(record, now)) {
      const { fencingToken, expiresAt } = record.lease;
      if (fencingToken === tokenOf(record.attempt, request)) {
        return unchanged({ outcome: 'claimed', fencingToken, record });
      }
      const { leaseMs } = request;
      const retryAfterMs = Math.min(expiresAt - now, leaseMs);
      return { outcome: { outcome: 'running', retryAfterMs }, next: shortenLease(record, leaseMs, now) };
    }
  }
  const lostLeases = record === undefined ? 0 : lostLeasesOf(record, request);
  if (record !== undefined && lostLeases >= (request.maxLostLeases ?? Infinity)) {
    const { lease, ...ownerless } = record;
    const next = { ...ownerless, lostLeases };
    return { outcome: { outcome: 'given up', record: next }, next: lease && next };
  }
  if (isOlder(record, request.queuedAt)) return unchanged({ outcome: 'outdated' });
  const kept = withoutEnd(record ?? accepted({ ...request, fingerprint: request.fingerprints[0] }, now));
  const attempt = kept.attempt + 1;
  const keyPrefix = kept.attempt === 0 ? request.keyPrefixAt?.(kept.createdAt) : undefined;
  const fencingToken = tokenOf(attempt, request);
  const next: JobRecord = {
    ...kept,
    state: 'running',
    total: request.total,
    attempt,
    startedAt: kept.startedAt ?? now,
    ...(request.isFetching && { fetchedAt: kept.fetchedAt ?? now }),
    ...(keyPrefix !== undefined && { keyPrefix }),
    ...(lostLeases > 0 && { lostLeases }),
    ...leased(kept, fencingToken, request.leaseMs, now),
  };
  return { outcome: { outcome: 'claimed', fencingToken, record: next }, next };
}

/** Returns the number of lost leases up to a claim now. It starts anew after the end of a job that is brought back. */
function lostLeasesOf(record: JobRecord, request: ClaimRequest): number {
  const { isPlaceholder, queuedAt = 0, maxLostLeases = Infinity } = request;
  const { lostLeases = 0, lease, finishedAt } = record;
  if (finishedAt === undefined) return lostLeases + (lease === undefined || isPlaceholder ? 0 : 1);
  // Only a replay, whose message is newer than the end, brings back a job that was given up.
  return lostLeases >= maxLostLeases && queuedAt <= finishedAt ? lostLeases : 0;
}

/** Returns true if a message is no newer than the end of its job, which it does not run again then. */
export function isOlder(record: JobRecord | undefined, queuedAt: number | undefined): boolean {
  if (record?.finishedAt === undefined || queuedAt === undefined) return false;
  return !isHandled(record) && queuedAt <= Math.max(record.finishedAt, record.dropped?.at ?? 0);
}

/**
 * Returns the time of a message for a claim. The only message of a job that comes after the end of the job was revived
 * by somebody, such as a dashboard, so it is newer than the end, unless the job was dropped or given up.
 */
export function queuedAtOf(record: JobRecord | undefined, { since, copy }: Delivery): number | undefined {
  const mayBeRevived = copy === 'only' && record?.dropped === undefined && record?.result?.body !== GIVEN_UP.body;
  return mayBeRevived && since !== undefined ? replayTime(record, since) : since;
}

/** Returns the time of a replay, which is after the end of the record although clocks differ. */
export function replayTime(record: JobRecord | undefined, now: number): number {
  return Math.max(now, (record?.finishedAt ?? 0) + 1);
}

/**
 * Makes the job of a dead letter pending again before its message is put back; its progress is kept. Refused if the job
 * was handled, is running or has no record.
 */
export function replay(record: JobRecord | undefined, now: number): Transition {
  if (record === undefined || record.refused || isHandled(record) || isLeased(record, now)) return undefined;
  const { lease: _ended, ...kept } = withoutEnd(record);
  return { ...kept, state: 'pending', replayedAt: replayTime(record, now), expiresAt: now + record.retentionMs };
}

/** Renews the lease. Refused if another process has taken the job over. */
export function renew(record: JobRecord | undefined, fencingToken: string, leaseMs: number, now: number): Transition {
  if (!owns(record, fencingToken)) return undefined;
  return { ...record, ...leased(record, fencingToken, leaseMs, now) };
}

/** Saves progress; if the job got further, lost leases are forgotten. Refused if another process has taken it over. */
export function checkpoint(record: JobRecord | undefined, fencingToken: string, progress: Progress): Transition {
  if (!owns(record, fencingToken)) return undefined;
  const { done, checkpoint: text } = progress;
  const { lostLeases, ...kept } = record;
  return { ...kept, ...(lostLeases !== undefined && done <= record.done && { lostLeases }), done, checkpoint: text };
}

/** Ends the job with its reply and drops its checkpoint. Refused if another process has taken it over. */
export function finish(record: JobRecord | undefined, token: string, result: JobResult, now: number): Transition {
  if (!owns(record, token)) return undefined;
  const { checkpoint: _done, ...kept } = finished(record, result, now);
  return kept;
}

/** Releases the lease without ending the job, so that the next claim need not wait for the end of the lease. */
export function release(record: JobRecord | undefined, fencingToken: string, now: number): Transition {
  if (!owns(record, fencingToken)) return undefined;
  const { lease: _given, ...kept } = record;
  return { ...kept, expiresAt: now + record.retentionMs };
}

/**
 * Ends a job that goes to the dead letters. Refused if it has ended or is running; then its owner ends it. Refused as
 * well for a message with another body, which belongs to an earlier start under the same key of a user.
 */
export function fail(record: JobRecord | undefined, job: NewJob, result: JobResult, now: number): Transition {
  if (record?.state === 'finished') return undefined;
  if (record !== undefined && (isLeased(record, now) || !mayBeOfBody(record.fingerprint, job.fingerprint))) {
    return undefined;
  }
  return finished(record ?? accepted(job, now), result, now);
}

/**
 * Cancels a job. It ends now if it is not running and the ending was made from its current state. Refused if it has
 * ended, or was cancelled before and still runs.
 */
export function cancel(record: JobRecord | undefined, ending: Ending | undefined, now: number): Transition {
  if (record === undefined || record.state === 'finished') return undefined;
  const cancelled = { ...record, cancelledAt: record.cancelledAt ?? now };
  if (ending === undefined || isLeased(record, now) || isOutdated(ending, record)) {
    return record.cancelledAt === undefined ? cancelled : undefined;
  }
  const { checkpoint: _done, ...kept } = finished(cancelled, ending.result, now);
  return kept;
}

/** Returns true if a job got further since its end was made. */
export function isOutdated({ attempt, done }: Ending, record: Pick<JobRecord, 'attempt' | 'done'>): boolean {
  return record.attempt !== attempt || record.done !== done;
}

/** Returns the result of a cancellation. @param next record after it */
export function cancelledOf(record: JobRecord, next: Transition): Cancelled {
  const { createdAt, state, cancelledAt } = next ?? record;
  const changed = next !== undefined && record.cancelledAt === undefined;
  return { createdAt, state, cancelled: cancelledAt !== undefined, changed };
}

/** Notes the reason why a job cannot be delivered. Refused if it has ended or is running. */
export function wait(record: JobRecord | undefined, reason: string, now: number): Transition {
  if (record === undefined || record.state === 'finished' || isLeased(record, now)) return undefined;
  const { waiting } = record;
  return waiting?.reason === reason ? undefined : { ...record, waiting: { reason, since: waiting?.since ?? now } };
}

/** Notes the reason of a dead letter that was dropped. Refused unless the job ended as a dead letter. */
export function noteDrop(record: JobRecord | undefined, reason: string, now: number): Transition {
  return record?.state === 'finished' && !isHandled(record) ? { ...record, dropped: { reason, at: now } } : undefined;
}

/** Lengthens a lease whose owner lives, after the clock was put forward. */
export function lengthenLease(record: JobRecord, leapMs: number): Transition {
  const { lease } = record;
  if (lease === undefined) return undefined;
  const expiresAt = lease.expiresAt + leapMs;
  return { ...record, lease: { ...lease, expiresAt }, expiresAt: record.expiresAt + leapMs };
}

/** Shortens a lease that ends later than a new one would: a wrong clock wrote it. Other leases need no write. */
export function shortenLease(record: JobRecord, maxLeaseMs: number, now: number): Transition {
  const { lease } = record;
  if (lease === undefined || lease.expiresAt <= now + maxLeaseMs) return undefined;
  return { ...record, lease: { ...lease, expiresAt: now + maxLeaseMs } };
}

/**
 * Returns true if a job has ended with 200. It is not run again, and the write of its end removes the outcomes of its
 * items, which its reply holds. Those of a dead letter stay, because a new delivery continues with them.
 */
export function isHandled(record: JobRecord | undefined): record is JobRecord & { result: JobResult } {
  return record?.result?.status === 200;
}

/** Returns the result of a transition for the owner. */
export function leaseStateOf(next: Transition): LeaseState {
  if (next === undefined) return 'lost';
  return next.cancelledAt === undefined ? 'held' : 'cancelled';
}

function accepted({ total, fingerprint, retentionMs, orderedBy }: NewJob, now: number): JobRecord {
  return {
    state: 'pending',
    total,
    done: 0,
    ...(orderedBy && { orderedBy }),
    createdAt: now,
    attempt: 0,
    fingerprint,
    retentionMs,
    expiresAt: now + retentionMs,
  };
}

/** Returns the lease of an owner from now on, and the end of the record, which outlives it. */
function leased({ retentionMs }: Pick<JobRecord, 'retentionMs'>, fencingToken: string, leaseMs: number, now: number) {
  const expiresAt = now + leaseMs;
  return { lease: { fencingToken, expiresAt }, expiresAt: expiresAt + retentionMs };
}

/** Returns a record without its end, and without what was noted of its way there. */
function withoutEnd({ fetchedAt, ...record }: JobRecord): JobRecord {
  const isKept = fetchedAt !== undefined && record.finishedAt === undefined;
  const { result: _result, finishedAt: _end, waiting: _over, lostLeases: _before, dropped: _dropped, ...kept } = record;
  return { ...kept, ...(isKept && { fetchedAt }) };
}

function finished(record: JobRecord, result: JobResult, now: number): JobRecord {
  const { lease: _ended, waiting: _over, ...kept } = record;
  // An end is no older than the replay before it, by whichever clock.
  const finishedAt = Math.max(now, record.replayedAt ?? 0);
  return { ...kept, state: 'finished', result, finishedAt, expiresAt: now + record.retentionMs };
}

/** The number of the attempt is not sufficient: a record may expire and begin anew while a former owner is paused. */
function tokenOf(attempt: number, { nonce }: ClaimRequest): string {
  return `${attempt}.${nonce}`;
}
