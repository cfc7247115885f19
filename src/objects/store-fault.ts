import { ServiceUnavailableError } from '../errors.js';
import { FaultLog, type Use } from '../logging/fault-log.js';
import type { Logger } from '../logging/logger.js';

/** Name of the port in errors and in the log. */
export const OBJECT_STORE = 'the object store';

/** Watches how an object store serves: faults are logged, and become the errors of the port. */
export class WatchedStore {
  readonly #log: FaultLog;
  readonly #faultOf: (error: unknown) => string;

  /** @param faultOf what an error of this store says of it: what to change, in one line, free of secrets */
  constructor(logger: Logger, faultOf: (error: unknown) => string) {
    this.#log = new FaultLog(logger, OBJECT_STORE);
    this.#faultOf = faultOf;
  }

  /**
   * Asks the store for something.
   *
   * @throws {ServiceUnavailableError} when it does not serve
   */
  async ask<T>(use: Use, work: () => Promise<T>): Promise<T> {
    try {
      const reply = await work();
      this.served(use);
      return reply;
    } catch (error) {
      throw this.failed(use, error);
    }
  }

  /** Whether it failed at something, and has not served that since. */
  isInDoubt(): boolean {
    return this.#log.isInDoubt;
  }

  /** The store served. */
  served(use: Use): void {
    this.#log.served(use);
  }

  /** The store did not serve. @returns what to throw */
  failed(use: Use, error: unknown): ServiceUnavailableError {
    const text = this.#faultOf(error);
    this.#log.failed(use, text);
    return new ServiceUnavailableError(OBJECT_STORE, { cause: new Error(text, { cause: error }) });
  }
}
