import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { open, type Database, type Key, type RootDatabase } from 'lmdb';

import { describeError, ServiceUnavailableError } from '../../errors.js';
import { makeDirectory } from '../../config/make-directory.js';
import { FaultLog } from '../../logging/fault-log.js';
import type { Logger } from '../../logging/logger.js';
import { writeProbeFile } from '../../objects/store-probe.js';
import { lackOfRoom } from './room.js';

/** A synchronous piece of work on the tables; must not return a promise, or the transaction would stay open. */
type Action<T> = () => T extends PromiseLike<unknown> ? never : T;

/** The environment, below the directory of jobs. */
export const DATABASE_FILE = 'jobs.lmdb';

/** Its name in errors and in the log. */
const DEPENDENCY = 'job store';

/** Where the environment lies. */
export interface LmdbDatabaseOptions {
  /** Created when missing. */
  readonly directory: string;
  /** Is told when it cannot be written or read. */
  readonly logger: Logger;
}

/** How long nothing is written after the disk failed: each failure may leave the memory of LMDB in disorder. */
const PAUSE_MS = 1_000;

interface Waiting {
  readonly run: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * One LMDB environment: a memory-mapped file with transactions that several processes may use at the same time.
 *
 * Everything asked for within one turn of the event loop is committed together: one write, one `fdatasync`.
 * Each action is a transaction of its own inside it, so that one that fails takes nothing with it. The
 * asynchronous transactions of lmdb are not used: when the disk is full they never settle; synchronous ones
 * throw.
 *
 * The file must not lie on a network file system, whose locks and memory maps do not work across machines.
 */
export class LmdbDatabase {
  #waiting: Waiting[] = [];
  #closed = false;

  readonly #environment: RootDatabase;
  readonly #directory: string;
  readonly #faults: FaultLog;
  #diskFailedAt = -Infinity;

  private constructor(environment: RootDatabase, { directory, logger }: LmdbDatabaseOptions) {
    this.#environment = environment;
    this.#directory = directory;
    this.#faults = new FaultLog(logger, DEPENDENCY);
  }

  /**
   * Opens or creates the environment in a directory, which is created when missing.
   *
   * @throws {Error} naming the directory, when it cannot be used
   */
  static async open(options: LmdbDatabaseOptions): Promise<LmdbDatabase> {
    const { directory } = options;
    try {
      await makeDirectory(directory, 0o700);
      // Without overlapping syncs a commit returns when it is on the disk.
      return new LmdbDatabase(open(join(directory, DATABASE_FILE), { maxDbs: 32, overlappingSync: false }), options);
    } catch (error) {
      const advice = 'It must be a writable directory on a local disk.';
      throw new Error(`Jobs cannot be kept in ${directory}: ${describeError(error)}. ${advice}`, { cause: error });
    }
  }

  /** A named table of the environment. */
  table<V, K extends Key>(name: string): Database<V, K> {
    return this.#environment.openDB<V, K>({ name });
  }

  /**
   * Runs an action in a transaction of its own.
   *
   * @returns what the action returned, once it is on the disk; when the action throws, nothing of it is written
   * @throws {ServiceUnavailableError} when it cannot be written
   */
  transact<T>(action: Action<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => reject(this.#storeError(error));
      let outcome: () => void;
      this.#waiting.push({
        run: () => {
          try {
            // Nested in the transaction of the whole group, this is a child that can fail alone.
            const value = this.#environment.transactionSync<T>(action);
            outcome = () => resolve(value);
          } catch (error) {
            outcome = () => fail(error);
          }
        },
        settle: () => outcome(),
        fail,
      });
      if (this.#waiting.length === 1) setImmediate(() => this.#commit());
    });
  }

  /** As {@link look}, with a promise that is rejected instead of an exception. */
  read<T>(action: Action<T>): Promise<T> {
    return new Promise((resolve) => resolve(this.look(action)));
  }

  /**
   * Runs an action on the newest state, that of other processes included, without writing.
   *
   * @throws {ServiceUnavailableError} when it cannot be read
   */
  look<T>(action: Action<T>): T {
    try {
      this.#refuseClosed();
      this.#environment.resetReadTxn();
      return action();
    } catch (error) {
      throw this.#storeError(error);
    }
  }

  /**
   * Writes a small file, and commits something, which may find its room within the file of the environment.
   *
   * @throws {ServiceUnavailableError} when it cannot be written
   */
  async probeWrite(now: number): Promise<void> {
    await writeProbeFile(this.#directory).catch((error: unknown) => {
      throw this.#failed(error);
    });
    await this.transact(() => {
      this.table('probe').putSync('written-at', now);
    });
    this.#faults.served('writing');
  }

  /** Whether it could not be written, and has not been since. */
  isInDoubt(): boolean {
    return this.#faults.isInDoubt;
  }

  /** Commits what is waiting and closes the environment; afterwards everything is refused. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#commit();
    this.#closed = true;
    await this.#environment.close();
  }

  #commit(): void {
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    try {
      this.#refuseClosed();
      this.#refuseFailingDisk();
      this.#environment.transactionSync(() => {
        for (const { run } of group) run();
      });
    } catch (error) {
      for (const { fail } of group) fail(error);
      return;
    }
    for (const { settle } of group) settle();
  }

  #refuseClosed(): void {
    if (!this.#closed) return;
    throw new ServiceUnavailableError(DEPENDENCY, { cause: new Error('The job store is closed.') });
  }

  #refuseFailingDisk(): void {
    const lack = lackOfRoom(this.#directory);
    if (lack !== undefined) throw this.#failed(new Error(lack));
    if (performance.now() < this.#diskFailedAt + PAUSE_MS) throw this.#failed(new Error('the disk has just failed'));
  }

  #storeError(error: unknown): Error {
    if (isEngineError(error)) {
      // Codes of LMDB itself are negative.
      if (error.code > 0) this.#diskFailedAt = performance.now();
      return this.#failed(error);
    }
    return error instanceof Error ? error : new Error('The job store failed.', { cause: error });
  }

  #failed(error: unknown): ServiceUnavailableError {
    const advice = 'Make room on its disk, and let the gateway write there.';
    const fault = `Jobs cannot be kept in ${this.#directory} (${describeError(error)}). ${advice}`;
    this.#faults.failed('writing', fault);
    return new ServiceUnavailableError(DEPENDENCY, { cause: new Error(fault, { cause: error }) });
  }
}

/** Maximum length of a key that is stored as it is; lmdb takes 1,978 bytes, and indexes put a number in front. */
const MAX_PLAIN_KEY = 1_900;

/** The key itself, or, when lmdb could not take it, as much of it as fits with its SHA-256. Keys are ASCII. */
export function fitKey(key: string, maxLength = MAX_PLAIN_KEY): string {
  if (key.length <= maxLength) return key;
  // Longer than any plain key, so the two can never be mistaken for each other.
  return `${key.slice(0, maxLength)}~${createHash('sha256').update(key).digest('base64url')}`;
}

/** Whether LMDB or the operating system failed, whose errors carry a numeric `code`. */
export function isEngineError(error: unknown): error is { readonly code: number } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number';
}
