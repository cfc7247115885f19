import { ServiceUnavailableError, type GatewayError } from '../errors.js';
import { FaultLog, type Use } from '../logging/fault-log.js';
import type { Logger } from '../logging/logger.js';
import { ObjectStoreRefusal } from './object-store.js';

/** Name of the port in errors and in the log. */
export const OBJECT_STORE = 'the object store';

/** What is wrong with an object store. */
export interface StoreFault {
  /** What is wrong and what to change, in one line, free of secrets. */
  readonly text: string;
  /** Whether it stays until somebody changes the configuration of the gateway or of the store. */
  readonly refusal: boolean;
}

/** Watches how an object store serves: faults are logged, and become the errors of the port. */
export class WatchedStore {
  readonly #log: FaultLog;
  readonly #faultOf: (error: unknown) => StoreFault;

  /** @param faultOf what an error of this store says of it */
  constructor(logger: Logger, faultOf: (error: unknown) => StoreFault) {
    this.#log = new FaultLog(logger, OBJECT_STORE);
    this.#faultOf = faultOf;
  }

  /**
   * Asks the store for something.
   *
   * @throws {ObjectStoreRefusal} when it refuses until somebody changes something
   * @throws {ServiceUnavailableError} when it does not serve now
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
  failed(use: Use, error: unknown): GatewayError {
    const { text, refusal } = this.#faultOf(error);
    this.#log.failed(use, text);
    const cause = new Error(text, { cause: error });
    return refusal ? new ObjectStoreRefusal({ cause }) : new ServiceUnavailableError(OBJECT_STORE, { cause });
  }
}
