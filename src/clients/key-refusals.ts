import type { Logger } from '../base/logging/logger.js';
import { KeyRefusedError, type BackendName } from './call-errors.js';

/** Recent refusals of the service key by a backend. */
export interface KeyStatus {
  readonly organisations: number;
  /** True if the key was also refused for a call without an organisation. */
  readonly everywhere: boolean;
}

/** Time for which a refusal counts, and pause between log lines; in milliseconds. */
const COUNTS_MS = 5 * 60_000;
const REPEAT_MS = 60_000;

const MAX_ORGANISATIONS = 1_000;

/**
 * Refusals of the service key. A backend may refuse it for one organisation or for all. A harmless call without an
 * organisation, at most once a minute while calls are refused, shows which.
 */
export class KeyRefusals {
  readonly #logger: Logger;
  readonly #isAccepted: () => Promise<boolean>;
  /** Time of the last refusal by organisation; at most `MAX_ORGANISATIONS`. */
  readonly #refusedAt = new Map<string, number>();
  #everywhereAt = -Infinity;
  #loggedAt = -Infinity;

  /** @param isAccepted sends the key for no organisation */
  constructor(logger: Logger, isAccepted: () => Promise<boolean>) {
    this.#logger = logger;
    this.#isAccepted = isAccepted;
  }

  /** Notes a refused call. @param org its organisation @returns the error to throw */
  recordRefusal(backend: BackendName, org: string | undefined): KeyRefusedError {
    const now = performance.now();
    const key = org ?? '';
    this.#refusedAt.delete(key);
    this.#refusedAt.set(key, now);
    const [oldest] = this.#refusedAt.keys();
    if (oldest !== undefined && this.#refusedAt.size > MAX_ORGANISATIONS) this.#refusedAt.delete(oldest);
    if (now - this.#loggedAt >= REPEAT_MS) {
      this.#loggedAt = now;
      void this.#log(backend, org);
    }
    return new KeyRefusedError(backend);
  }

  status(): KeyStatus {
    const since = performance.now() - COUNTS_MS;
    const organisations = [...this.#refusedAt.values()].filter((at) => at > since).length;
    return { organisations, everywhere: this.#everywhereAt > since };
  }

  async #log(backend: BackendName, org: string | undefined): Promise<void> {
    // A backend that does not answer does not refuse the key.
    const isRefused = !(await this.#isAccepted().catch(() => true));
    this.#everywhereAt = isRefused ? performance.now() : -Infinity;
    const scope = isRefused ? 'everybody' : 'one organisation';
    this.#logger.event('backend.key_refused', { backend, scope, ...(org !== undefined && { org }) });
  }
}
