import { statSync } from 'node:fs';
import type Database from 'libsql';
import BackgroundDatabase from 'libsql/promise';
import { describeError, hasCode } from '../../errors.js';
import { damaged, isDamage } from './database-file.js';
import { Query } from './query.js';

/** Interval of checks that the file is in place, in milliseconds. */
const WATCH_MS = 5_000;

/** Fails if `quick_check` finds a fault, because a background statement returns no rows. */
const CHECK = `CREATE TEMP TABLE verdict (text CHECK (text = 'ok'));
  INSERT INTO verdict SELECT quick_check FROM pragma_quick_check(1)`;

/** Connection whose statements run in a separate thread of SQLite; their rows would be read in this one. */
export interface BackgroundConnection {
  exec(sql: string): Promise<unknown>;
  interrupt(): void;
  close(): void;
}

/** Watches an open file: it must be in place and whole. */
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
    this.#identity = identityOf(file);
    this.checked = this.#check();
    this.#timer = setInterval(() => this.look(), WATCH_MS).unref();
  }

  /** Reason why the file cannot be used until the next start: it is damaged, or gone. */
  get fault(): string | undefined {
    return this.#fault?.text;
  }

  /** Reason why nothing of the file can be used: another one, or none, is in its place. */
  get lost(): string | undefined {
    return this.#fault?.isGone === true ? this.#fault.text : undefined;
  }

  /** Checks that the file at its path is still the open one. */
  look(): void {
    let found: string;
    try {
      found = identityOf(this.#file);
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
    // A closed connection must not be used.
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

function identityOf(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev}:${ino}`;
}
