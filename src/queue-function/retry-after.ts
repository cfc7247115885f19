import { retryAfterMs } from '../clients/retry-after.js';

const DEFAULT_MS = 5_000;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 300_000;

/**
 * How long to wait before a job is delivered again.
 *
 * @param header `Retry-After`, null when absent
 * @param now milliseconds since 1970
 * @returns milliseconds to wait, from 1 s to 5 minutes; 5 s when the header is absent or malformed
 */
export function parseRetryAfter(header: string | null, now: number): number {
  const wanted = retryAfterMs(header, now) ?? DEFAULT_MS;
  return Math.min(Math.max(wanted, SHORTEST_MS), LONGEST_MS);
}
