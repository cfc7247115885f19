/** How long clients wait where nobody can configure it, in milliseconds. */
export interface BackendWaits {
  /** Longest wait for a TCP connection; 2,000 by default. */
  readonly connectTimeoutMs?: number | undefined;
  /** Longest wait for the public keys; by default 2,000, or the longest time of any call if that is less. */
  readonly keyFetchTimeoutMs?: number | undefined;
}
