import type { Logger } from '../logging/logger.js';
import { KeyRefusedError, type BackendName } from './call-errors.js';

/** Recent refusals of the service key by a backend. */
export interface KeyStatus {
  readonly organisations: number;
  /** True if the key was also refused for a call without an organisation. */
  readonly everywhere: boolean;
}

export type KeyRefusals = ReturnType<typeof createKeyRefusals>;

/** Time for which a refusal counts, and pause between log lines; in milliseconds. */
const COUNTS_MS = 5 * 60_000;
const REPEAT_MS = 60_000;

const MAX_ORGANISATIONS = 1_000;

/**
 * Notes refusals of the service key. A backend may refuse it for one organisation or for all. A harmless call without
 * an organisation, at most once a minute while calls are refused, shows which.
 *
 * @param isAccepted sends the key for no organisation
 */
export function createKeyRefusals(logger: Logger, isAccepted: () => Promise<boolean>) {
  /** Time of the last refusal by organisation; at most `MAX_ORGANISATIONS`. */
  const refusedAt = new Map<string, number>();
  let everywhereAt = -Infinity;
  let loggedAt = -Infinity;

  async function log(backend: BackendName, org: string | undefined): Promise<void> {
    // A backend that does not answer does not refuse the key.
    const isRefused = !(await isAccepted().catch(() => true));
    everywhereAt = isRefused ? performance.now() : -Infinity;
    const scope = isRefused ? 'everybody' : 'one organisation';
    logger.event('backend.key_refused', { backend, scope, ...(org !== undefined && { org }) });
  }

  return {
    /** Notes a refused call. @param org its organisation @returns the error to throw */
    noted(backend: BackendName, org: string | undefined): KeyRefusedError {
      const now = performance.now();
      const key = org ?? '';
      refusedAt.delete(key);
      refusedAt.set(key, now);
      const [oldest] = refusedAt.keys();
      if (oldest !== undefined && refusedAt.size > MAX_ORGANISATIONS) refusedAt.delete(oldest);
      if (now - loggedAt >= REPEAT_MS) {
        loggedAt = now;
        void log(backend, org);
      }
      return new KeyRefusedError(backend);
    },
    status(): KeyStatus {
      const since = performance.now() - COUNTS_MS;
      const organisations = [...refusedAt.values()].filter((at) => at > since).length;
      return { organisations, everywhere: everywhereAt > since };
    },
  };
}
