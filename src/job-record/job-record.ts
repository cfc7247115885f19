import { isJobKind, type JobKind } from './job-kinds.js';
import type { Orderer } from './orderer.js';

/** What identifies a job. A job without an organisation is handled but belongs to no user. */
export interface JobIdentity {
  readonly kind: JobKind;
  readonly org: string | undefined;
  readonly jobId: string;
}

/** Reply of a callback, kept so that a second delivery gets the same one. */
export interface JobResult {
  /** HTTP status replied; 200, or the last status of a dead letter. */
  readonly status: number;
  /** The exact JSON text replied. */
  readonly body: string;
  /** Indexes, from 0, of the items that failed; absent when the job never ran to its end. */
  readonly failedItems?: readonly number[];
  /** What its users should know besides; none when absent. */
  readonly warnings?: readonly JobWarning[];
}

/** Something about a job that is no failure. */
export interface JobWarning {
  /** One of the words that `schema/jobs.graphql` lists. */
  readonly code: string;
  readonly message: string;
}

/** State of one job (specification, "Job status record"). Points in time are milliseconds since 1970. */
export interface JobRecord {
  readonly state: 'pending' | 'running' | 'finished';
  /** Number of items. */
  readonly total: number;
  /** Items handled so far. */
  readonly done: number;
  /** Who ordered it; absent of a job that no user did. */
  readonly orderedBy?: Orderer;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** When it was asked to end with what was done until then; absent: nobody asked before its end. */
  readonly cancelledAt?: number;
  /** Why it cannot be delivered, in the word for it, and since when; absent: it can, as far as anybody knows. */
  readonly waiting?: { readonly reason: string; readonly since: number };
  /** How many times the job was claimed. */
  readonly attempt: number;
  /** Keyed hash of the request body, behind the name of its key: the same id with another body is another job. */
  readonly fingerprint: string;
  /** Present while somebody runs the job. */
  readonly lease?: Lease;
  /** What the runner needs besides the outcomes to go on where it stopped; opaque JSON text without input data. */
  readonly checkpoint?: string;
  /** Present when finished. */
  readonly result?: JobResult;
  /** How long the record is kept after its lease or its end. */
  readonly retentionMs: number;
  /** When the record disappears. */
  readonly expiresAt: number;
}

/** The right to run a job for a while. */
export interface Lease {
  /** Unique to one claim; every write of the owner carries it, and a stale one is refused. */
  readonly fencingToken: string;
  readonly expiresAt: number;
}

/** How long a record is kept by default: 7 days. */
export const RECORD_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Key of a record, literally with the braces: in Redis Cluster they make everything of one job share a slot.
 *
 * @returns `job:{kind:org:jobId}`, organisation and id percent-encoded, no organisation as the empty string
 */
export function jobRecordKey({ kind, org, jobId }: JobIdentity): string {
  return `job:{${kind}:${org === undefined ? '' : encodeKeyPart(org)}:${encodeKeyPart(jobId)}}`;
}

const RECORD_KEY = /^job:\{([^:]*):([^:]*):([^:}]*)\}$/;

/** The job that a key of {@link jobRecordKey} was made of; undefined for any other text. */
export function parseJobRecordKey(key: string): JobIdentity | undefined {
  const [, kind = '', org = '', jobId = ''] = RECORD_KEY.exec(key) ?? [];
  if (!isJobKind(kind)) return undefined;
  try {
    return { kind, org: org === '' ? undefined : decodeURIComponent(org), jobId: decodeURIComponent(jobId) };
  } catch {
    return undefined;
  }
}

/** `encodeURIComponent` with `.` escaped too, so that no part can be `.` or `..` in a path. */
export function encodeKeyPart(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text).replaceAll('.', '%2E');
}

/** What nearly every id consists of, and stands for itself. */
const PLAIN = /^[\w-]*$/;
