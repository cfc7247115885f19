const DEFAULT_MS = 5_000;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 300_000;

/**
 * Reads a `Retry-After` header (RFC 9110, section 10.2.3): seconds or an HTTP date.
 *
 * @param header null when absent
 * @param now milliseconds since 1970
 * @returns milliseconds to wait, from 1 s to 5 minutes; 5 s when the header is absent or malformed
 */
export function parseRetryAfter(header: string | null, now: number): number {
  const wanted = wantedDelay(header?.trim() ?? '', now);
  if (Number.isNaN(wanted)) return DEFAULT_MS;
  return Math.min(Math.max(wanted, SHORTEST_MS), LONGEST_MS);
}

function wantedDelay(text: string, now: number): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // The date parser would also take bare numbers such as "-1" or "1.5" for dates; HTTP dates start with a day.
  return /^[A-Z]/i.test(text) ? Date.parse(text) - now : NaN;
}
