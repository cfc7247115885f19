import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceUnavailableError, type Dependency } from '../base/errors.js';
import { FaultLog, type Use } from '../base/logging/fault-log.js';
import type { Logger } from '../base/logging/logger.js';

/** Health checks of a store. `ping` and `write` throw an error with the reason if it is unusable. */
export interface StoreProbe {
  /** Resolves if the store answers. */
  ping(): Promise<void>;
  /** Writes a small object and removes it. */
  write(): Promise<void>;
  /** Returns whether a use failed and has not succeeded since. */
  isInDoubt(): boolean;
}

/** Size of a typical block of a file system, so that writing to a full disk fails. */
const PROBE_BYTES = 4_096;

/** Writes a small file to an existing directory, with a sync, and removes it. @throws {Error} of the system */
export async function writeProbeFile(directory: string): Promise<void> {
  // The name is always the same, so that killed processes leave at most one file.
  const file = join(directory, 'probe');
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

/** Logs the faults of a store and converts them to the errors of the port. */
export class WatchedStore {
  readonly #log: FaultLog;
  readonly #faultOf: (error: unknown) => string;
  readonly #name: Dependency;

  /**
   * @param faultOf describes an error of this store: what to change, in one line without secrets
   * @param name its name in errors and in the log
   */
  constructor(logger: Logger, faultOf: (error: unknown) => string, name: Dependency = 'the object store') {
    this.#log = new FaultLog(logger, name);
    this.#faultOf = faultOf;
    this.#name = name;
  }

  /** Runs an operation of the store. @throws {ServiceUnavailableError} if it does not serve */
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

  /** Runs a check of the store. @returns one line per fault, with the change to make; one for an error */
  check(work: () => Promise<readonly string[]>): Promise<readonly string[]> {
    return work().catch((error: unknown) => [this.#faultOf(error)]);
  }

  served(use: Use): void {
    this.#log.served(use);
  }

  /** Reports a failure. @returns the error to throw */
  failed(use: Use, error: unknown): ServiceUnavailableError {
    const text = this.#faultOf(error);
    this.#log.failed(use, text);
    return new ServiceUnavailableError(this.#name, { cause: new Error(text, { cause: error }) });
  }
}
