import { describeError, ServiceUnavailableError, type Dependency } from '../errors.js';
import { OnceInAWhile } from '../once-in-a-while.js';
import type { Logger } from './logger.js';

/** Time within which the same fault is not logged again, in milliseconds. */
const REPEAT_MS = 30_000;

/** Details of an error, which vary within one outage. */
const DETAIL = / \([^)]*\)/;

/** Use of a dependency. Some faults, such as a full disk, affect writing alone. */
export type Use = 'reading' | 'writing';

/** Runs the operations of a dependency. A fault is explained, logged at intervals, and remembered until a success. */
export class FaultLog {
  readonly #logger: Logger;
  readonly #dependency: Dependency;
  readonly #faultOf: (error: unknown) => string;
  readonly #logged = new OnceInAWhile({ everyMs: REPEAT_MS });
  /** The use that failed; undefined without a known failure. */
  #broken: Use | undefined;

  /**
   * @param dependency its name in errors and in the log
   * @param faultOf describes an error in one line without secrets: the fault (details in parentheses) and the advice
   */
  constructor(logger: Logger, dependency: Dependency, faultOf: (error: unknown) => string = describeError) {
    this.#logger = logger;
    this.#dependency = dependency;
    this.#faultOf = faultOf;
  }

  /** True after a failure until the same use succeeds. */
  get isInDoubt(): boolean {
    return this.#broken !== undefined;
  }

  /** Runs an operation. @throws {ServiceUnavailableError} if it fails */
  async run<T>(use: Use, work: () => Promise<T>): Promise<T> {
    try {
      const reply = await work();
      this.served(use);
      return reply;
    } catch (error) {
      throw this.failed(use, error);
    }
  }

  /** Runs a check. @returns one line per fault, with the change to make; one for an error */
  check(work: () => Promise<readonly string[]>): Promise<readonly string[]> {
    return work().catch((error: unknown) => [this.#faultOf(error)]);
  }

  /** Notes a failure of a use. @param error or the text of its fault @returns the error to throw */
  failed(use: Use, error: unknown): ServiceUnavailableError {
    const fault = typeof error === 'string' ? error : this.#faultOf(error);
    if (this.#broken !== 'writing') this.#broken = use;
    if (this.#logged.isDue(fault.replace(DETAIL, ''))) {
      this.#logger.event('dependency.failed', { dependency: this.#dependency, fault });
    }
    const cause = new Error(fault, error === fault ? undefined : { cause: error });
    return new ServiceUnavailableError(this.#dependency, { cause });
  }

  /** Notes a success. After a failed write, only a successful write ends the fault. */
  served(use: Use): void {
    if (this.#broken === undefined || (this.#broken === 'writing' && use === 'reading')) return;
    this.#broken = undefined;
    this.#logger.event('dependency.recovered', { dependency: this.#dependency });
  }
}
