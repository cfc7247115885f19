import { ServiceUnavailableError } from '../errors.js';
import { FaultLog, type Use } from '../logging/fault-log.js';
import type { Logger } from '../logging/logger.js';

/** Name of the port in errors and in the log. */
export const OBJECT_STORE = 'the object store';

/** Logs the faults of an object store and converts them to the errors of the port. */
export class WatchedStore {
  readonly #log: FaultLog;
  readonly #faultOf: (error: unknown) => string;

  /** @param faultOf describes an error of this store: what to change, in one line without secrets */
  constructor(logger: Logger, faultOf: (error: unknown) => string) {
    this.#log = new FaultLog(logger, OBJECT_STORE);
    this.#faultOf = faultOf;
  }

  /**
   * Runs an operation of the store.
   *
   * @throws {ServiceUnavailableError} if it does not serve
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

  /** Returns whether a use failed and has not succeeded since. */
  isInDoubt(): boolean {
    return this.#log.isInDoubt;
  }

  /** Reports a success of the store. */
  served(use: Use): void {
    this.#log.served(use);
  }

  /** Reports a failure of the store. @returns the error to throw */
  failed(use: Use, error: unknown): ServiceUnavailableError {
    const text = this.#faultOf(error);
    this.#log.failed(use, text);
    return new ServiceUnavailableError(OBJECT_STORE, { cause: new Error(text, { cause: error }) });
  }
}
