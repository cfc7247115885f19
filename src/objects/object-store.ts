import { observed, successOf, watchedPort, type Observer } from '../base/observation.js';
import type { StoreProbe } from './store-probe.js';

/** Prefix of the keys of reports. */
export const REPORT_PREFIX = 'driving-reports/';

/**
 * Prefix of the keys of bodies that are too large for their queue. Jobs remove their bodies at the end; leftovers are
 * removed like reports.
 */
export const BODY_PREFIX = 'job-bodies/';

/** Lifetime of download links, in milliseconds. */
export const LINK_LIFETIME_MS = 300_000;

/**
 * Store of reports. Keys are paths of non-empty parts without `.` and `..`. Every method throws
 * `ServiceUnavailableError` if the store cannot serve because it is unreachable or full, or because an operator has to
 * change its configuration or rights. The cause says in one line what to change.
 */
export interface ObjectStore {
  /**
   * Stores a stream under a key atomically; replaces an existing object. Rethrows an error of the stream, or the reason
   * of the signal, unchanged.
   *
   * @param signal ends the upload at once when aborted, without leftovers
   * @returns the size in bytes
   */
  put(key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<{ readonly size: number }>;
  /**
   * Makes a link that downloads the object as an attachment, of its content type, until it expires. The link is
   * absolute, or relative to the root of the gateway's own origin.
   */
  downloadUrl(key: string, options: { readonly expiresInMs: number; readonly downloadName: string }): Promise<string>;
}

/** Store of reports, with what readiness and `--check-config` ask of it. */
export interface ReportStore extends ObjectStore {
  readonly probe: StoreProbe;
  /** Returns true if the store shows that a gateway used it before. Never rejects. */
  wasUsed(): Promise<boolean>;
  /** Checks the store. @returns one line per fault, with the change to make */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Store of job bodies that are too large for their queue, encrypted as in the queue. Every method throws
 * `ServiceUnavailableError` if the store does not serve.
 */
export interface BodyStore extends Pick<ReportStore, 'check'> {
  /** Stores a text under a key atomically; replaces an existing one. */
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string | undefined>;
  remove(key: string): Promise<void>;
  /** Closes idle connections. */
  close(): void;
}

/** Maximum length of a key in S3, in bytes of UTF-8. */
const MAX_KEY_BYTES = 1_024;

/** Form of most keys, which needs no further check. */
const PLAIN_KEY = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/**
 * Checks an object key.
 *
 * @throws {TypeError} if the key is not a relative path of segments, none of them empty, `.` or `..`, if it holds a
 *   backslash, a control character or a lone surrogate, or if it is longer than 1,024 bytes
 */
export function requireObjectKey(key: string): void {
  if (key.length <= MAX_KEY_BYTES && PLAIN_KEY.test(key)) return;
  const fault = objectKeyFaultOf(key, key.split('/'));
  if (fault !== undefined) throw new TypeError(`Object key ${JSON.stringify(key.slice(0, 200))} ${fault}.`);
}

function objectKeyFaultOf(key: string, segments: readonly string[]): string | undefined {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} bytes`;
  if (/[\\\p{Cc}\p{Cs}]/u.test(key)) return 'holds a backslash, a control character or half a character';
  if (segments.includes('')) return 'is empty, absolute, or has an empty segment';
  if (segments.includes('.') || segments.includes('..')) return 'has a segment . or ..';
  return undefined;
}

/** Returns the content type of a report: of its table, whose key ends with `.csv`, or of its PDF. */
export function contentTypeOf(key: string): string {
  return key.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'application/pdf';
}

/** Content type of bodies: compact JWE (RFC 7515, section 9.2.1, for both JOSE serialisations). */
export const BODY_CONTENT_TYPE = 'application/jose';

/** Observed operation of an object store. */
export const OBJECT_OPERATIONS = ['put', 'downloadUrl'] as const;
type ObjectOperation = (typeof OBJECT_OPERATIONS)[number];

declare module '../base/observation.js' {
  interface ObservedWork {
    objectStore: Observed<ObjectOperation, Success>;
  }
}

/** Returns the same store, with an observer. */
export function watchedObjectStore(store: ObjectStore, observer: Observer | undefined): ObjectStore {
  return watchedPort(store, (operation, work) => observed(observer, 'objectStore', operation, work, successOf));
}
