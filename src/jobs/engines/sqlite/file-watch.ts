import { statSync } from 'node:fs';
import type Database from 'libsql';
import BackgroundDatabase from 'libsql/promise';
import { describeError, hasCode } from '../../../base/errors.js';
import { damaged, isDamage } from './database-file.js';
import { Query } from './query.js';

/** Interval of checks that the file is in place, in milliseconds. */
const WATCH_MS = 5_000;

/** Statements that fail if `quick_check` finds a fault. A background statement returns no rows. */
const CHECK = `CREATE TEMP TABLE verdict (text CHECK (text = 'ok'));
  INSERT INTO verdict SELECT quick_check FROM pragma_quick_check(1)`;

/**
 * Connection whose statements run in a separate thread of SQLite. Rows would be read in the main thread, so only
 * statements without rows are used.
 */
export interface BackgroundConnection {
  exec(sql: string): Promise<unknown>;
  interrupt(): void;
  close(): void;
}

/** Watches an open file, which must stay in place and undamaged. */
export class FileWatch {
  /** Resolves when the whole file has been checked. */
  readonly checked: Promise<void>;
  #isChecking = true;
  #fault: { readonly text: string; readonly isGone: boolean } | undefined;
  readonly #file: string;
  readonly #connection: Database.Database;
  readonly #checker: BackgroundConnection;
  readonly #identity: string;
  readonly #timer: NodeJS.Timeout;
  readonly #found: (fault: string) => void;

  /** @param found called with each fault */
  constructor(file: string, connection: Database.Database, busyMs: number, found: (fault: string) => void) {
    this.#file = file;
    this.#connection = connection;
    this.#found = found;
    this.#checker = new BackgroundDatabase(file, { timeout: busyMs });
    this.#identity = inodeOf(file);
    this.checked = this.#check();
    this.#timer = setInterval(() => this.checkFile(), WATCH_MS).unref();
  }

  /** Reason why the file cannot be used until the next start: it is damaged or missing. */
  get fault(): string | undefined {
    return this.#fault?.text;
  }

  /** Reason why even reading makes no sense: the file was deleted or replaced. */
  get lost(): string | undefined {
    return this.#fault?.isGone === true ? this.#fault.text : undefined;
  }

  /** Checks that the file at its path is still the open one. */
  checkFile(): void {
    let found: string;
    try {
      found = inodeOf(this.#file);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) return;
      found = '';
    }
    if (found === this.#identity) return;
    const what = found === '' ? 'was deleted' : 'is another file now';
    const advice = 'Nothing is accepted until the gateway is restarted. deploy/backup.md says what is lost.';
    this.#note(`${this.#file} ${what} while jobs were kept in it. ${advice}`, true);
  }

  /** Notes damage. @returns its description */
  isDamaged(what: string): string {
    const text = damaged(this.#file, what);
    this.#note(text, false);
    return text;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // The check must end before its connection is closed.
    if (this.#isChecking) this.#checker.interrupt();
    await this.checked;
  }

  async #check(): Promise<void> {
    try {
      await this.#checker.exec(CHECK);
    } catch (error) {
      if (hasCode(error, 'SQLITE_CONSTRAINT_CHECK')) this.isDamaged(this.#firstDamage());
      else if (isDamage(error)) this.isDamaged(describeError(error));
      // An interrupted statement ends only when another one has run.
      else await this.#checker.exec('SELECT 1').catch(() => undefined);
    } finally {
      this.#isChecking = false;
      this.#checker.close();
    }
  }

  #firstDamage(): string {
    try {
      const [verdict] = new Query(this.#connection, 'PRAGMA quick_check(1)').first() ?? [];
      return String(verdict).replace(/^\*\*\* in database main \*\*\*\n/, '');
    } catch (error) {
      return describeError(error);
    }
  }

  #note(text: string, isGone: boolean): void {
    if (this.#fault?.isGone !== true) this.#fault = { text, isGone };
    this.#found(text);
  }
}

function inodeOf(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev}:${ino}`;
}
