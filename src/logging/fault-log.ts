import type { Logger } from './logger.js';

/** The same fault is not logged again within this time. */
const REPEAT_MS = 30_000;

/** Faults that are remembered; texts of servers may differ without end. */
const MAX_FAULTS = 100;

/** What an error itself says; one outage shows in several ways. */
const DETAIL = / \([^)]*\)/;

/** What somebody wanted of a dependency: what can be read may refuse to be written. */
export type Use = 'reading' | 'writing';

/** Logs what is wrong with a dependency now and then, not once per command. */
export class FaultLog {
  readonly #logger: Logger;
  readonly #dependency: string;
  readonly #loggedAt = new Map<string, number>();
  /** What did not work; undefined when all is well, as far as is known. */
  #broken: Use | undefined;

  /** @param dependency its name in the log, such as `Redis` */
  constructor(logger: Logger, dependency: string) {
    this.#logger = logger;
    this.#dependency = dependency;
  }

  /** Whether it failed at something, and has not served that since. */
  get isInDoubt(): boolean {
    return this.#broken !== undefined;
  }

  /**
   * The dependency did not serve.
   *
   * @param use what it was asked for, or what its answer says that it refuses
   * @param fault one line: what is wrong (details in parentheses) and what to change
   */
  failed(use: Use, fault: string): void {
    if (this.#broken !== 'writing') this.#broken = use;
    const now = Date.now();
    const advice = fault.replace(DETAIL, '');
    if (now - (this.#loggedAt.get(advice) ?? 0) < REPEAT_MS) return;
    if (this.#loggedAt.size >= MAX_FAULTS) this.#loggedAt.clear();
    this.#loggedAt.set(advice, now);
    this.#logger.event('dependency.failed', { dependency: this.#dependency, fault });
  }

  /** The dependency served. After it was not written, only something written says that it is well again. */
  served(use: Use): void {
    if (this.#broken === undefined || (this.#broken === 'writing' && use === 'reading')) return;
    this.#broken = undefined;
    this.#logger.event('dependency.recovered', { dependency: this.#dependency });
  }
}
