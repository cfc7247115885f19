/**
 * Where bodies of jobs are kept that are too large for their queue, encrypted as they lie in it. Every method throws
 * `ServiceUnavailableError` when the store does not serve.
 */
export interface BodyStore {
  /** Stores a text under a key, whole or not at all, and replaces what was there. */
  put(key: string, text: string): Promise<void>;
  /** The text under a key; undefined when there is none. */
  get(key: string): Promise<string | undefined>;
  /** Removes what there is under a key. */
  remove(key: string): Promise<void>;
  /** What is wrong with the store, one line per fault, with what to change; empty when all is well. */
  check(): Promise<readonly string[]>;
  /** Closes idle connections. */
  close(): void;
}

/** What they are: compact JWE (RFC 7515, section 9.2.1, for both JOSE serialisations). */
export const BODY_CONTENT_TYPE = 'application/jose';
