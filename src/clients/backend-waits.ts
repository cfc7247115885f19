/** Time limits of clients that are not configurable, in milliseconds. */
export interface BackendWaits {
  /** Maximum wait for a TCP connection; 2,000 by default. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum wait for the public keys; by default 2,000, or the maximum time of any call if that is less. */
  readonly keyFetchTimeoutMs?: number | undefined;
}
