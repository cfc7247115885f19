import type { BackendWaits } from '../clients/backend-waits.js';

/** Waits that are not configured, in milliseconds; each has its default. */
export interface Waits extends BackendWaits {
  /** Longest one for a dependency that is asked how it is; 800 by default. */
  readonly probeTimeoutMs?: number;
  /** How long a client may leave its connection unused; 65,000 by default. */
  readonly keepAliveMs?: number;
}
