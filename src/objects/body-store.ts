/**
 * Store of job bodies that are too large for their queue, encrypted as in the queue. Every method throws
 * `ServiceUnavailableError` if the store does not serve.
 */
export interface BodyStore {
  /** Stores a text under a key atomically; replaces an existing one. */
  put(key: string, text: string): Promise<void>;
  /** Returns the text under a key; undefined if there is none. */
  get(key: string): Promise<string | undefined>;
  /** Removes the text under a key, if there is one. */
  remove(key: string): Promise<void>;
  /** Checks the store. @returns one line per fault, with the change to make */
  check(): Promise<readonly string[]>;
  /** Closes idle connections. */
  close(): void;
}

/** Content type of bodies: compact JWE (RFC 7515, section 9.2.1, for both JOSE serialisations). */
export const BODY_CONTENT_TYPE = 'application/jose';
