import { LRUCache } from 'lru-cache';
import type { Logger } from '../base/logging/logger.js';
import { OnceInAWhile } from '../base/once-in-a-while.js';
import { CallError, type BackendName } from './call-error.js';

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
  readonly #refused = new LRUCache<string, true>({ max: MAX_ORGANISATIONS, ttl: COUNTS_MS });
  readonly #logged = new OnceInAWhile({ everyMs: REPEAT_MS });
  #everywhereAt = -Infinity;

  /** @param isAccepted sends the key for no organisation */
  constructor(logger: Logger, isAccepted: () => Promise<boolean>) {
    this.#logger = logger;
    this.#isAccepted = isAccepted;
  }

  /** Notes a refused call. @param org its organisation @returns the error to throw */
  recordRefusal(backend: BackendName, org: string | undefined): CallError {
    this.#refused.set(org ?? '', true);
    if (this.#logged.isDue()) void this.#log(backend, org);
    return new CallError(backend, 'key refused', 'refused the service key');
  }

  status(): KeyStatus {
    this.#refused.purgeStale();
    return { organisations: this.#refused.size, everywhere: this.#everywhereAt > performance.now() - COUNTS_MS };
  }

  async #log(backend: BackendName, org: string | undefined): Promise<void> {
    // A backend that does not answer does not refuse the key.
    const isRefused = !(await this.#isAccepted().catch(() => true));
    this.#everywhereAt = isRefused ? performance.now() : -Infinity;
    const scope = isRefused ? 'everybody' : 'one organisation';
    this.#logger.event('backend.key_refused', { backend, scope, ...(org !== undefined && { org }) });
  }
}
