import type { Logger } from '../logging/logger.js';
import { KeyRefusedError } from './call-errors.js';

/** How the service key stands with a backend, as far as it was refused lately. */
export interface KeyStanding {
  /** Organisations whose calls were refused. */
  readonly organisations: number;
  /** Whether it was also refused when it was shown for no organisation. */
  readonly everywhere: boolean;
}

/** How long a refusal counts, and how long nobody is told again; in milliseconds. */
const COUNTS_MS = 5 * 60_000;
const REPEAT_MS = 60_000;

/** Organisations that are remembered. */
const MAX_ORGANISATIONS = 1_000;

/**
 * Refusals of the service key. A backend may refuse it for one organisation or for all: a harmless call for none, made
 * once a minute at most while calls are refused, tells the two apart.
 */
export class KeyRefusals {
  readonly #logger: Logger;
  readonly #isAccepted: () => Promise<boolean>;
  readonly #now: () => number;
  readonly #refusedAt = new Map<string, number>();
  #everywhereAt = -Infinity;
  #toldAt = -Infinity;

  /**
   * @param isAccepted shows the key for no organisation
   * @param now milliseconds that only grow; the system's by default
   */
  constructor(logger: Logger, isAccepted: () => Promise<boolean>, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#isAccepted = isAccepted;
    this.#now = now;
  }

  /** A call was refused. @param org for whom it was @returns what to throw */
  noted(backend: string, org: string | undefined): KeyRefusedError {
    const now = this.#now();
    const key = org ?? '';
    this.#refusedAt.delete(key);
    this.#refusedAt.set(key, now);
    const [oldest] = this.#refusedAt.keys();
    if (oldest !== undefined && this.#refusedAt.size > MAX_ORGANISATIONS) this.#refusedAt.delete(oldest);
    if (now - this.#toldAt >= REPEAT_MS) {
      this.#toldAt = now;
      void this.#tell(backend, org);
    }
    return new KeyRefusedError(backend);
  }

  /** How it stands now. */
  get standing(): KeyStanding {
    const since = this.#now() - COUNTS_MS;
    const organisations = [...this.#refusedAt.values()].filter((at) => at > since).length;
    return { organisations, everywhere: this.#everywhereAt > since };
  }

  async #tell(backend: string, org: string | undefined): Promise<void> {
    // One that does not answer has accepted nothing, and refused nothing either.
    const isRefused = await this.#isAccepted().then(
      (accepted) => !accepted,
      () => false,
    );
    this.#everywhereAt = isRefused ? this.#now() : -Infinity;
    const scope = isRefused ? 'everybody' : 'one organisation';
    this.#logger.event('backend.key_refused', { backend, scope, ...(org !== undefined && { org }) });
  }
}
