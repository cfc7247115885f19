import { randomUUID } from 'node:crypto';
import { MAX_LOOKED_AT, type DeadLetter, type JobMessage, type QueueLoad } from '../../job-record/job-queue.js';
import type { QueuedMessage } from '../../job-record/job-inspection.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import { DamagedMessageError, parseMessage, storedMessage } from '../../job-record/stored-message.js';
import type { SqliteDatabase } from './database.js';
import { jobIn, keyOf, numberIn, textIn, type Row } from './query.js';

/** A message that may be taken. */
export interface DueMessage {
  readonly job: JobIdentity;
  /** Attempts started. */
  readonly attempts: number;
  /** When it was added, or revived. */
  readonly since: number;
}

/** A message in the hand of one consumer. */
export interface LeasedMessage {
  readonly message: JobMessage;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly since: number;
  /** Unique to this delivery; a consumer whose message went to another one cannot settle it any more. */
  readonly token: string;
}

/**
 * The messages of the queue and its dead letters. Taking one only moves its due time behind the lease, so that of a
 * consumer that died comes due again by itself. Methods are synchronous: for a transaction or a read of the database.
 */
export class SqliteMessages {
  readonly #standing;
  readonly #read;
  readonly #remove;
  readonly #add;
  readonly #addPayload;
  readonly #nextDueAt;
  readonly #due;
  readonly #place;
  readonly #kill;
  readonly #revive;
  readonly #dead;
  readonly #removeDead;
  readonly #cap;
  readonly #load;
  readonly #oldest;
  readonly #queued;

  constructor(database: SqliteDatabase) {
    this.#standing = database.query('SELECT token, died_at FROM messages WHERE org = ? AND id = ?');
    this.#read = database.query(
      'SELECT body, payload FROM messages JOIN payloads USING (org, id) WHERE org = ? AND id = ?',
    );
    this.#remove = database.query('DELETE FROM messages WHERE org = ? AND id = ?');
    this.#add = database.query(
      `INSERT INTO messages (org, id, body, attempts, due_at, is_open, opened_at, bytes)
       VALUES (?1, ?2, ?3, 0, ?4, 1, ?4, ?5)`,
    );
    this.#addPayload = database.query('INSERT INTO payloads (org, id, payload) VALUES (?, ?, ?)');
    this.#nextDueAt = database.query('SELECT min(due_at) FROM messages WHERE died_at IS NULL');
    this.#due = database.query(
      `SELECT org, id, attempts, opened_at FROM messages WHERE died_at IS NULL AND due_at <= ?
       ORDER BY due_at, rowid LIMIT ?`,
    );
    this.#place = database.query('UPDATE messages SET attempts = ?, due_at = ?, token = ? WHERE org = ? AND id = ?');
    this.#kill = database.query(
      'UPDATE messages SET died_at = ?, reason = ?, token = NULL, is_open = 0 WHERE org = ? AND id = ?',
    );
    this.#revive = database.query(
      `UPDATE messages SET died_at = NULL, reason = NULL, attempts = 0, due_at = ?1, is_open = 1, opened_at = ?1,
       bytes = 0 WHERE org = ?2 AND id = ?3 AND died_at IS NOT NULL`,
    );
    this.#dead = database.query(
      'SELECT org, id, reason, attempts, died_at FROM messages WHERE died_at IS NOT NULL ORDER BY died_at, rowid',
    );
    this.#removeDead = database.query(
      'DELETE FROM messages WHERE rowid IN (SELECT rowid FROM messages WHERE died_at < ? LIMIT ?)',
    );
    this.#cap = database.query(
      `UPDATE messages SET due_at = CASE WHEN token IS NULL THEN ?1 ELSE ?2 END WHERE died_at IS NULL
       AND due_at > ?2 AND (token IS NOT NULL OR due_at > ?1)`,
    );
    this.#load = database.query(
      `SELECT (SELECT count(*) FROM messages WHERE died_at IS NULL AND token IS NULL),
       (SELECT count(*) FROM messages WHERE died_at IS NULL AND token IS NOT NULL),
       (SELECT count(*) FROM messages WHERE died_at IS NOT NULL)`,
    );
    this.#oldest = database.query(
      `SELECT min(created_at) FROM (SELECT org, id FROM messages WHERE died_at IS NULL AND token IS NULL
       ORDER BY due_at LIMIT ${MAX_LOOKED_AT}) JOIN jobs USING (org, id)`,
    );
    this.#queued = database.query(
      `SELECT m.org, m.id, attempts, due_at, token, created_at FROM messages AS m
       LEFT JOIN jobs AS j ON j.org = m.org AND j.id = m.id AND j.expires_at > ? WHERE died_at IS NULL`,
    );
  }

  /** Whether the queue has a message of a job, and whether that is a dead letter. */
  standing(job: JobIdentity): 'queued' | 'dead' | undefined {
    const row = this.#standing.first(...keyOf(job));
    if (row === undefined) return undefined;
    return row[1] === null ? 'queued' : 'dead';
  }

  /** Adds a message, in the place of a dead letter of its job. */
  add(message: JobMessage, now: number): void {
    const { payload, ...rest } = message;
    const key = keyOf(message);
    this.#remove.run(...key);
    const body = JSON.stringify(storedMessage({ ...rest, payload: '' }));
    this.#add.run(...key, body, now, payload.length);
    this.#addPayload.run(...key, payload);
  }

  /**
   * The message of a job, in the queue or dead.
   *
   * @throws {DamagedMessageError} when it cannot be read
   */
  read(job: JobIdentity): JobMessage {
    const row = this.#read.first(...keyOf(job));
    if (row === undefined) throw new DamagedMessageError('The stored message is damaged: its payload is missing.');
    return messageIn(row);
  }

  /** When the next message comes due, or undefined when there is none. */
  nextDueAt(): number | undefined {
    const [dueAt] = this.#nextDueAt.first() ?? [];
    return typeof dueAt === 'number' ? dueAt : undefined;
  }

  /** Messages that are due, the longest due first. */
  due(now: number, limit: number): readonly DueMessage[] {
    return this.#due.all(now, limit).flatMap((row) => {
      const job = jobIn(row);
      return job === undefined ? [] : [{ job, attempts: numberIn(row, 2), since: numberIn(row, 3) }];
    });
  }

  /** Starts an attempt. @throws {DamagedMessageError} when the message cannot be read */
  take({ job, attempts, since }: DueMessage, leasedUntil: number): LeasedMessage {
    const message = this.read(job);
    const token = randomUUID();
    this.#place.run(attempts + 1, leasedUntil, token, ...keyOf(job));
    return { message, attempt: attempts + 1, since, token };
  }

  /** Whether the message is still in the hand that took it. */
  holds({ message, token }: LeasedMessage): boolean {
    return this.#standing.first(...keyOf(message))?.[0] === token;
  }

  /** Prolongs the lease of a message in hand. */
  renew({ message, attempt, token }: LeasedMessage, leasedUntil: number): void {
    this.#place.run(attempt, leasedUntil, token, ...keyOf(message));
  }

  /** Puts a message back. */
  putBack(job: JobIdentity, attempts: number, dueAt: number): void {
    this.#place.run(attempts, dueAt, null, ...keyOf(job));
  }

  /** Takes a message out for good. */
  remove(job: JobIdentity): void {
    this.#remove.run(...keyOf(job));
  }

  /** Makes a dead letter of a message. */
  kill(job: JobIdentity, reason: string, now: number): void {
    this.#kill.run(now, reason, ...keyOf(job));
  }

  /** Puts the dead letter of a job back among the messages, as if it were new. @returns false when there is none */
  revive(job: JobIdentity, now: number): boolean {
    return this.#revive.run(now, ...keyOf(job)) > 0;
  }

  /** The dead letters, oldest first. */
  deadLetters(): readonly DeadLetter[] {
    return this.#dead.all().flatMap((row) => {
      const message = jobIn(row);
      if (message === undefined) return [];
      return [{ message, reason: textIn(row, 2), attempts: numberIn(row, 3), diedAt: numberIn(row, 4) }];
    });
  }

  /** Removes dead letters of before a time. @returns how many; `limit` when there may be more */
  removeDeadBefore(time: number, limit: number): number {
    return this.#removeDead.run(time, limit);
  }

  /** Lets messages come due that a wrong clock put further away than a wait, or a lease, can be now. */
  capDueTimes(now: number, { maxWaitMs, leaseMs }: { readonly maxWaitMs: number; readonly leaseMs: number }): number {
    return this.#cap.run(now + maxWaitMs, now + leaseMs);
  }

  /** How much there is in the queue. */
  load(): QueueLoad {
    const [waiting, inHand, deadLetters] = this.#load.first() ?? [];
    const [oldest] = this.#oldest.first() ?? [];
    return {
      waiting: Number(waiting),
      inHand: Number(inHand),
      deadLetters: Number(deadLetters),
      oldestSince: typeof oldest === 'number' ? oldest : undefined,
    };
  }

  /** Every message in the queue, as operators look at them. */
  queued(now: number): readonly QueuedMessage[] {
    return this.#queued.all(now).flatMap((row) => {
      const job = jobIn(row);
      if (job === undefined) return [];
      const [attempts, dueAt] = [numberIn(row, 2), numberIn(row, 3)];
      // The lease of a consumer that died has run out, so its message may be taken.
      const state = dueAt <= now ? 'waiting' : row[4] === null ? 'delayed' : 'in hand';
      const acceptedAt = typeof row[5] === 'number' ? row[5] : undefined;
      return [{ ...job, state, attempts, acceptedAt, ...(state === 'delayed' && { dueAt }) }];
    });
  }
}

function messageIn(row: Row): JobMessage {
  let stored: unknown;
  try {
    stored = JSON.parse(textIn(row, 0));
  } catch (cause) {
    throw new DamagedMessageError('The stored message is damaged: it is no JSON.', { cause });
  }
  return { ...parseMessage(stored), payload: textIn(row, 1) };
}
