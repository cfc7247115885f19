import type { ItemErrorCode, JobWarningCode } from '../../base/error-table.js';
import { LONGEST_RECORD_DAYS } from '../../base/config/config.js';
import type { NotedFailure, NotedValues } from './job-failures.js';
import { isJobKind, type JobKind } from './job-kinds.js';
import { present, type StoredFields } from './stored-fields.js';

/** Identity of a job. A job without an organisation is handled but belongs to no user. */
export interface JobIdentity {
  readonly kind: JobKind;
  readonly org: string | undefined;
  readonly jobId: string;
}

/** Reply of a callback, kept so that a second delivery gets the same one. */
export interface JobResult {
  /** HTTP status of the reply: 200, or the last status of a dead letter. */
  readonly status: number;
  /** JSON text of the reply, exactly as it was sent. */
  readonly body: string;
  /** Failed items, in the order of their indexes; absent if none failed, and for a job of which none is known. */
  readonly failures?: readonly NotedFailure[];
  /** Further warnings for users; none if absent. */
  readonly warnings?: readonly JobWarning[];
  /** True if the table of a report lies beside its PDF. */
  readonly hasTable?: true;
  /** Reply that says what became of the items of a job that was given up, which nobody was sent; JSON text. */
  readonly unsentReply?: string;
}

export interface JobWarning {
  readonly code: JobWarningCode;
  readonly message: string;
  readonly values?: NotedValues;
}

/** User who ordered a job (specification, "AuthUser (request context)"; the spelling is the specification's). */
export interface Orderer {
  readonly BackendUser: string;
  readonly LoggedInId?: string;
}

/** Picks the user fields that a job keeps. */
export function ordererOf({ BackendUser, LoggedInId }: Orderer): Orderer {
  return { BackendUser, ...present({ LoggedInId }) };
}

/** Parses stored fields. @throws {DamagedError} */
export function parseOrderer(fields: StoredFields): Orderer {
  return { BackendUser: fields.text('BackendUser'), ...present({ LoggedInId: fields.optionalText('LoggedInId') }) };
}

/** Outcome of one item. It is kept beside the record until the job is handled, and never contains input data. */
export interface ItemOutcome {
  /** Place of the item in the body, from 0. */
  readonly index: number;
  readonly createdId?: number;
  /** Reason of the failure, as the caller may see it. */
  readonly failure?: string;
  /** Code, row of the error table and values of the failure; absent if the stored outcome cannot be read any more. */
  readonly code?: ItemErrorCode;
  readonly reason?: string;
  readonly values?: NotedValues;
}

/** State of one job (specification, "Job status record"). Points in time are milliseconds since 1970. */
export interface JobRecord {
  readonly state: 'pending' | 'running' | 'finished';
  readonly total: number;
  /** Number of items handled so far. */
  readonly done: number;
  readonly orderedBy?: Orderer;
  readonly createdAt: number;
  readonly startedAt?: number;
  /** Claim of a job that only fetches, before its first fetch. A takeover keeps it, and a replay sets it anew. */
  readonly fetchedAt?: number;
  readonly finishedAt?: number;
  readonly cancelledAt?: number;
  /** Code of the obstacle to its delivery, and the time since when it exists; absent without a known obstacle. */
  readonly waiting?: { readonly reason: string; readonly since: number };
  /** Reason and time of the end of a dead letter that an operator dropped; absent if none was. */
  readonly dropped?: { readonly reason: string; readonly at: number };
  /** Time of the last replay, after which the job waits like a new one; absent if it never was replayed. */
  readonly replayedAt?: number;
  readonly attempt: number;
  /** Prefix of the `Idempotency-Key`s of its items; absent before it is begun, and in a job that 0.2.0 began. */
  readonly keyPrefix?: string;
  /** Number of claims after a lease that ended without release, since the job got further; 0 if absent. */
  readonly lostLeases?: number;
  /** Keyed hash of the request body, which shows whether a repeated id came with the same body. */
  readonly fingerprint: string;
  readonly lease?: Lease;
  /** State from which a further attempt continues, besides outcomes of items: opaque JSON text without input data. */
  readonly checkpoint?: string;
  readonly result?: JobResult;
  /** True for a note that the start of the job was refused. To users there is no such job. */
  readonly refused?: true;
  /** Time for which the record is kept after its lease or its end, in milliseconds. */
  readonly retentionMs: number;
  readonly expiresAt: number;
}

/** Right of one process to run a job until a certain time. */
export interface Lease {
  /** Unique to one claim. Every write of the owner carries it, and a write with an older token is refused. */
  readonly fencingToken: string;
  readonly expiresAt: number;
}

export function isLeased(record: JobRecord, now: number): record is JobRecord & { lease: Lease } {
  return record.lease !== undefined && record.lease.expiresAt > now;
}

/** Returns true if a token is that of the last claim. */
export function owns(record: JobRecord | undefined, fencingToken: string): record is JobRecord {
  return record?.lease?.fencingToken === fencingToken;
}

/** Returns the remaining time of a record's lease, in milliseconds; 0 without one. */
export function leaseLeftMs(record: JobRecord | undefined, now: number): number {
  return record !== undefined && isLeased(record, now) ? record.lease.expiresAt - now : 0;
}

/**
 * Returns the time for which the record of a job is kept after its lease or its end, in milliseconds. It depends on
 * kind and organisation at most, and is `LONGEST_RECORD_DAYS` at most, because reports outlive their records.
 */
export function recordRetentionMs(_job: Pick<JobIdentity, 'kind' | 'org'>): number {
  return LONGEST_RECORD_DAYS * 24 * 60 * 60 * 1000;
}

/**
 * Returns the key of a record: `job:{kind:org:jobId}`, percent-encoded, an empty text for no organisation. The braces
 * put all keys of one job into one slot of a Redis Cluster.
 */
export function jobRecordKey({ kind, org, jobId }: JobIdentity): string {
  return `job:{${kind}:${encodeKeyPart(org ?? '')}:${encodeKeyPart(jobId)}}`;
}

const RECORD_KEY = /^job:\{([^:]*):([^:]*):([^:}]*)\}$/;

/** Parses a key of {@link jobRecordKey}; undefined if invalid. */
export function parseJobRecordKey(key: string): JobIdentity | undefined {
  const [, kind = '', org = '', jobId = ''] = RECORD_KEY.exec(key) ?? [];
  if (!isJobKind(kind)) return undefined;
  try {
    return { kind, org: org === '' ? undefined : decodeURIComponent(org), jobId: decodeURIComponent(jobId) };
  } catch {
    return undefined;
  }
}

/** Works like `encodeURIComponent` with `.` escaped too, so that no part can be `.` or `..` in a path. */
export function encodeKeyPart(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text).replaceAll('.', '%2E');
}

/** Characters of nearly every id, which need no encoding. */
const PLAIN = /^[\w-]*$/;
