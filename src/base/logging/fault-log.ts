import { OnceInAWhile } from '../once-in-a-while.js';
import type { Logger } from './logger.js';

/** Time within which the same fault is not logged again, in milliseconds. */
const REPEAT_MS = 30_000;

/** Details of an error, which vary within one outage. */
const DETAIL = / \([^)]*\)/;

/** Use of a dependency. Some faults, such as a full disk, affect writing alone. */
export type Use = 'reading' | 'writing';

/** Logs faults of a dependency at intervals, not for each command. */
export class FaultLog {
  readonly #logger: Logger;
  readonly #dependency: string;
  readonly #logged = new OnceInAWhile({ everyMs: REPEAT_MS });
  /** The use that failed; undefined without a known failure. */
  #broken: Use | undefined;

  /** @param dependency its name in the log, such as `Redis` */
  constructor(logger: Logger, dependency: string) {
    this.#logger = logger;
    this.#dependency = dependency;
  }

  /** True after a failure until the same use succeeds. */
  get isInDoubt(): boolean {
    return this.#broken !== undefined;
  }

  /** Notes a failure of a use. @param fault one line with the fault (details in parentheses) and the advice */
  failed(use: Use, fault: string): void {
    if (this.#broken !== 'writing') this.#broken = use;
    if (!this.#logged.isDue(fault.replace(DETAIL, ''))) return;
    this.#logger.event('dependency.failed', { dependency: this.#dependency, fault });
  }

  /** Notes a success. After a failed write, only a successful write ends the fault. */
  served(use: Use): void {
    if (this.#broken === undefined || (this.#broken === 'writing' && use === 'reading')) return;
    this.#broken = undefined;
    this.#logger.event('dependency.recovered', { dependency: this.#dependency });
  }
}
