import type { ItemErrorCode } from '../error-table.js';
import { isJobKind, type JobKind } from './job-kinds.js';
import { present, type StoredFields } from './stored.js';

/** Identity of a job. A job without an organisation is handled but belongs to no user. */
export interface JobIdentity {
  readonly kind: JobKind;
  readonly org: string | undefined;
  readonly jobId: string;
}

/** Reply of a callback, kept so that a second delivery gets the same one. */
export interface JobResult {
  /** HTTP status replied; 200, or the last status of a dead letter. */
  readonly status: number;
  /** Exact JSON text replied. */
  readonly body: string;
  /** Indexes, from 0, of the items that failed; absent if the job never ran to its end. */
  readonly failedItems?: readonly number[];
  /** Label and code of each of them; absent if the body tells them, and in records of earlier versions. */
  readonly itemErrors?: readonly NotedItemError[];
  /** Further warnings for users; none if absent. */
  readonly warnings?: readonly JobWarning[];
}

/** Label, null if unknown, and code of a failed item, whose index and reason stand elsewhere in the result. */
export type NotedItemError = readonly [label: string | null, code: ItemErrorCode];

/** Warning about a job; not a failure. */
export interface JobWarning {
  /** One of the codes in `schema/jobs.graphql`. */
  readonly code: string;
  readonly message: string;
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

/** Outcome of one item. Kept beside the record until the job is handled, and never with input data. */
export interface ItemOutcome {
  /** Place of the item in the body, from 0. */
  readonly index: number;
  readonly createdId?: number;
  /** Reason of its failure, as the caller may see it. */
  readonly failure?: string;
  /** Code of its failure; absent in outcomes of earlier versions. */
  readonly code?: ItemErrorCode;
}

/** State of one job (specification, "Job status record"). Points in time are milliseconds since 1970. */
export interface JobRecord {
  readonly state: 'pending' | 'running' | 'finished';
  readonly total: number;
  /** Number of items handled so far. */
  readonly done: number;
  /** User who ordered it; absent if no user did. */
  readonly orderedBy?: Orderer;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** Time when it was asked to end with its work so far; absent if not cancelled before its end. */
  readonly cancelledAt?: number;
  /** Code of the reason why it cannot be delivered, and since when; absent if no obstacle is known. */
  readonly waiting?: { readonly reason: string; readonly since: number };
  readonly attempt: number;
  /** Keyed hash of the request body, behind the name of its key: the same id with another body is another job. */
  readonly fingerprint: string;
  readonly lease?: Lease;
  /** State that a further attempt needs besides the outcomes to continue; opaque JSON text without input data. */
  readonly checkpoint?: string;
  readonly result?: JobResult;
  /** Time for which the record is kept after its lease or its end, in milliseconds. */
  readonly retentionMs: number;
  /** Time when the record disappears. */
  readonly expiresAt: number;
}

/** Right to run a job for a while. */
export interface Lease {
  /** Unique to one claim; every write of the owner carries it, and a stale one is refused. */
  readonly fencingToken: string;
  readonly expiresAt: number;
}

/** Default time for which a record is kept: 7 days. */
export const RECORD_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the key of a record, including the braces: in Redis Cluster they put all keys of one job into one slot.
 *
 * @returns `job:{kind:org:jobId}`, organisation and id percent-encoded, no organisation as the empty string
 */
export function jobRecordKey({ kind, org, jobId }: JobIdentity): string {
  return `job:{${kind}:${org === undefined ? '' : encodeKeyPart(org)}:${encodeKeyPart(jobId)}}`;
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
