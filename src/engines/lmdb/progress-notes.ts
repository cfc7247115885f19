import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeDirectorySync } from '../../config/make-directory.js';
import { MAX_AHEAD_MS } from '../../job-record/job-store.js';

/** Progress of the owner of a job. */
export interface NotedProgress {
  readonly fencingToken: string;
  readonly done: number;
  readonly checkpoint: string;
}

/** Where notes are, below the directory of jobs. */
export const PROGRESS_DIRECTORY = 'progress';

interface OwnJob {
  readonly fencingToken: string;
  /** When its record was last written, by a clock that never goes back. */
  recordWrittenAt: number;
  file: number | undefined;
  noted: NotedProgress | undefined;
}

/** A note has this length always, so that a longer one leaves nothing behind a shorter one. */
const NOTE_BYTES = 512;

/**
 * Notes beside the records, for progress that may be forgotten when the power fails: a file a job that is written and
 * never flushed. It outlives the process, as a flushed one does, at a hundredth of the price. A note counts only while
 * the record has the lease under whose token it was written, so one that is left over, or comes late, means nothing.
 */
export class ProgressNotes {
  readonly #directory: string;
  /** Jobs whose record this process has written while they ran, by the key of the record. */
  readonly #own = new Map<string, OwnJob>();

  /** @param directory created when something is noted */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * To be told whenever the record of a running job is written.
   *
   * @param mayBeAhead false when the record has something to tell whoever writes next
   */
  recordWritten(key: string, fencingToken: string, mayBeAhead = true): void {
    const own = this.#own.get(key);
    const recordWrittenAt = mayBeAhead ? performance.now() : -Infinity;
    if (own?.fencingToken === fencingToken) {
      own.recordWrittenAt = recordWrittenAt;
      return;
    }
    this.#forget(key);
    this.#own.set(key, { fencingToken, recordWrittenAt, file: undefined, noted: undefined });
  }

  /**
   * Beyond {@link MAX_AHEAD_MS} progress is written to the record, which also shows whether the job is still owned.
   * Within this process a claim is known at once, and nobody else may claim before a lease of a second at least has run
   * out.
   *
   * @returns false when it belongs into the record: that is too far behind, or the note cannot be written
   */
  write(key: string, noted: NotedProgress): boolean {
    const own = this.#own.get(key);
    if (own?.fencingToken !== noted.fencingToken) return false;
    if (performance.now() - own.recordWrittenAt > MAX_AHEAD_MS) return false;
    const note = format(noted);
    if (note === undefined) return false;
    try {
      own.file ??= this.#open(key);
      if (writeSync(own.file, note, 0, NOTE_BYTES, 0) !== NOTE_BYTES) return false;
    } catch {
      // Whatever is wrong with the disk, the record will say.
      return false;
    }
    own.noted = noted;
    return true;
  }

  /** What was last noted under this token. */
  read(key: string, fencingToken: string): NotedProgress | undefined {
    const own = this.#own.get(key);
    if (own?.fencingToken === fencingToken) return own.noted ?? this.#readFile(key, fencingToken);
    return this.#readFile(key, fencingToken);
  }

  /** Removes the note of a job that has ended or was given back. */
  remove(key: string): void {
    this.#forget(key);
    rmSync(this.#fileOf(key), { force: true });
  }

  /** Closes the files, and leaves them. */
  close(): void {
    for (const key of [...this.#own.keys()]) this.#forget(key);
  }

  #forget(key: string): void {
    const file = this.#own.get(key)?.file;
    if (file !== undefined) closeSync(file);
    this.#own.delete(key);
  }

  #open(key: string): number {
    makeDirectorySync(this.#directory, 0o700);
    return openSync(this.#fileOf(key), 'w', 0o600);
  }

  #readFile(key: string, fencingToken: string): NotedProgress | undefined {
    let text: string;
    try {
      text = readFileSync(this.#fileOf(key), 'utf8');
    } catch {
      return undefined;
    }
    const noted = parse(text);
    return noted?.fencingToken === fencingToken ? noted : undefined;
  }

  #fileOf(key: string): string {
    return join(this.#directory, createHash('sha256').update(key).digest('base64url'));
  }
}

/** Where every note of this process is put together. */
const bytes = Buffer.alloc(NOTE_BYTES);

/** Undefined when it is too long. */
function format(noted: NotedProgress): Buffer | undefined {
  const text = JSON.stringify(noted);
  const line = `${crc32(text)} ${text}`;
  if (Buffer.byteLength(line) > NOTE_BYTES) return undefined;
  bytes.fill(SPACE, bytes.write(line));
  return bytes;
}

const SPACE = 0x20;

/** Undefined when it is not as it was written: the power failed, or it is being written now. */
function parse(text: string): NotedProgress | undefined {
  const line = text.trimEnd();
  const space = line.indexOf(' ');
  const json = line.slice(space + 1);
  if (space < 1 || crc32(json) !== Number(line.slice(0, space))) return undefined;
  // What has its checksum was written by this file.
  return JSON.parse(json) as NotedProgress;
}
