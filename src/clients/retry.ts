import { setTimeout as delay } from 'node:timers/promises';
import { CallError, meaningOf } from './call-error.js';

/**
 * Parses a `Retry-After` header (RFC 9110 section 10.2.3): seconds or an HTTP date.
 *
 * @returns milliseconds to wait from `now` (since 1970), 0 or more; undefined when the header is absent or malformed
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes numbers such as "-1" or "1.5" for dates, but an HTTP date starts with the name of a day.
  const at = /^[A-Z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const RETRIES = 2;
const MIN_CEILING_MS = 100;
const MAX_CEILING_MS = 1_000;
/** Longest requested pause after which a call is repeated. */
const MAX_RETRY_AFTER_MS = 5_000;

/**
 * Repeats an attempt after a transient failure: an outage, or a busy backend. @throws the last attempt's error
 *
 * @param signal ends the pause before the next one; the attempt checks it itself
 */
export async function withRetries<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = failures > RETRIES ? undefined : pauseAfter(error, failures);
      if (pauseMs === undefined) throw error;
      await delay(pauseMs, undefined, signal && { signal }).catch(() => undefined);
    }
  }
}

/** Returns the pause that the backend requested, else a random one up to a ceiling that doubles from 100 ms to 1 s. */
function pauseAfter(error: unknown, failures: number): number | undefined {
  if (!(error instanceof CallError) || !meaningOf(error).isTransient) return undefined;
  // The open circuit spares the backend, and would hold the next call back too.
  if (error.end === 'held back') return undefined;
  const asked = error.details.retryAfterMs;
  if (asked !== undefined) return asked <= MAX_RETRY_AFTER_MS ? asked : undefined;
  return Math.random() * Math.min(MAX_CEILING_MS, MIN_CEILING_MS * 2 ** (failures - 1));
}
