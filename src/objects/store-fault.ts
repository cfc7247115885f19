import { ServiceUnavailableError, type GatewayError } from '../errors.js';
import { FaultLog, type Use } from '../logging/fault-log.js';
import type { Logger } from '../logging/logger.js';
import { ObjectStoreRefusal } from './object-store.js';

/** Name of the port in errors and in the log. */
export const OBJECT_STORE = 'the object store';

/** Fault of an object store. */
export interface StoreFault {
  /** Fault and remedy, in one line, without secrets. */
  readonly text: string;
  /** True if it lasts until a change to the configuration of the gateway or of the store. */
  readonly refusal: boolean;
}

/** Logs the faults of an object store and converts them to the errors of the port. */
export class WatchedStore {
  readonly #log: FaultLog;
  readonly #faultOf: (error: unknown) => StoreFault;

  /** @param faultOf converts an error of this store */
  constructor(logger: Logger, faultOf: (error: unknown) => StoreFault) {
    this.#log = new FaultLog(logger, OBJECT_STORE);
    this.#faultOf = faultOf;
  }

  /**
   * Runs an operation of the store.
   *
   * @throws {ObjectStoreRefusal} for a fault that lasts until a change
   * @throws {ServiceUnavailableError} for any other fault
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
  failed(use: Use, error: unknown): GatewayError {
    const { text, refusal } = this.#faultOf(error);
    this.#log.failed(use, text);
    const cause = new Error(text, { cause: error });
    return refusal ? new ObjectStoreRefusal({ cause }) : new ServiceUnavailableError(OBJECT_STORE, { cause });
  }
}
