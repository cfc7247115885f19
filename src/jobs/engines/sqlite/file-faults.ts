import { statSync } from 'node:fs';
import { UnusableDataError } from '../../../base/config/config.js';
import { codesOf, describeError, hasCode, isDiskFull, ServiceUnavailableError } from '../../../base/errors.js';
import { FaultLog } from '../../../base/logging/fault-log.js';
import type { Logger } from '../../../base/logging/logger.js';

const DEPENDENCY = 'job store';
const LOCKED = 'Find the other program that has jobs.db open, such as sqlite3, and end it.';

export interface FileFaultsOptions {
  readonly directory: string;
  /** Logs when the file cannot be written or read. */
  readonly logger: Logger;
  /** Told once that a flush has failed: nothing can be kept until the next start. */
  readonly onLost?: (() => void) | undefined;
}

/** Faults of the file of jobs in use. Each is logged once in a while; some last until the next start. */
export class FileFaults {
  readonly #file: string;
  /** Undefined if the system does not say. */
  readonly #identity: string | undefined;
  readonly #onLost: (() => void) | undefined;
  readonly #log: FaultLog;
  /** Damage that was found: the rest is still served. */
  #damage: string | undefined;
  /** Reason why nothing is read or written until the next start. */
  #end: string | undefined;

  constructor(file: string, { directory, logger, onLost }: FileFaultsOptions) {
    this.#file = file;
    this.#identity = inodeOf(file);
    this.#onLost = onLost;
    this.#log = new FaultLog(logger, DEPENDENCY, (error) => writeFault(directory, error));
  }

  /** True after a failed write, until the next success. */
  get isInDoubt(): boolean {
    return (this.#end ?? this.#damage) !== undefined || this.#log.isInDoubt;
  }

  /** Refuses all use from now on. @returns false if the file cannot be used any more */
  close(): boolean {
    const isSound = (this.#end ?? this.#damage) === undefined;
    this.#end ??= 'The job store is closed.';
    return isSound;
  }

  requireOpen(): void {
    if (this.#end) throw new ServiceUnavailableError(DEPENDENCY, this.#end);
  }

  /** Requires that the file at its path is still the open one. */
  requireInPlace(): void {
    this.requireOpen();
    const found = inodeOf(this.#file);
    if (found === this.#identity || found === undefined) return;
    const what = found === GONE ? 'was deleted' : 'is another file now';
    const advice = 'Nothing is accepted until the gateway is restarted. deploy/backup.md says what is lost.';
    this.#end = `${this.#file} ${what} while jobs were kept in it. ${advice}`;
    throw this.failed(this.#end);
  }

  requireUndamaged(): void {
    if (this.#damage) throw new ServiceUnavailableError(DEPENDENCY, this.#damage);
  }

  written(): void {
    this.requireUndamaged();
    this.#log.served('writing');
  }

  /** Notes a failed flush, after which nothing is written. @returns the error to throw */
  lost(error: unknown): Error {
    const advice = 'What was written last may be lost. Check the disk, and start the gateway again.';
    this.#end ??= `${this.#file} could not be flushed (${describeError(error)}). ${advice}`;
    this.#onLost?.();
    return this.failed(this.#end);
  }

  /** Explains an error of SQLite; that of an action stays as it is. */
  explained(error: unknown): unknown {
    if (!isDamage(error)) return isPassing(error) ? this.failed(error) : error;
    this.#damage ??= damaged(this.#file, describeError(error));
    return this.failed(this.#damage);
  }

  /** Logs a fault. @param error or its text @returns the error to throw */
  failed(error: unknown): Error {
    return this.#log.failed('writing', error);
  }
}

function writeFault(directory: string, error: unknown): string {
  const advice = hasCode(error, 'SQLITE_BUSY')
    ? `${LOCKED} The gateway and its commands hold the lock for milliseconds.`
    : 'Free space on its disk, and let the gateway write there.';
  return `Jobs cannot be kept in ${directory} (${describeError(error)}). ${advice}`;
}

/** Creates the error for a file that cannot be opened, with the remedy. @param advice remedy for other faults */
export function unusable(what: string, file: string, error: unknown, advice?: string): UnusableDataError {
  const reason = describeError(error).replace(/ConnectionFailed\("(.*)"\)/, '$1');
  let remedy = advice ?? 'It must be a writable directory on a local disk.';
  if (hasCode(error, 'SQLITE_BUSY')) remedy = LOCKED;
  if (isDiskFull(error)) remedy = 'Free space on its disk; deploy/backup.md says more.';
  return new UnusableDataError(`${what} cannot be kept in ${file}: ${reason}. ${remedy}`, { cause: error });
}

export function damaged(file: string, what: string): string {
  return `${file} is damaged (${what}). deploy/backup.md says how to go on.`;
}

/** Returns true if SQLite reports a corrupt file. */
export function isDamage(error: unknown): boolean {
  return codesOf(error).some((code) => /^SQLITE_(CORRUPT|NOTADB)/.test(code));
}

/** Codes of transient faults: limits, disk, other processes. */
const PASSING = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOLFS|NOMEM|PERM|READONLY|AUTH|PROTOCOL)/;

export function isPassing(error: unknown): boolean {
  return codesOf(error).some((code) => PASSING.test(code));
}

const GONE = 'gone';

/** Returns device and inode of a file, or {@link GONE}; undefined if the system does not say. */
function inodeOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ENOTDIR') ? GONE : undefined;
  }
}
