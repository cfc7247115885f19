import { randomUUID } from 'node:crypto';
import {
  MAX_LOOKED_AT,
  type DeadLetter,
  type Delivery,
  type JobMessage,
  type QueueLoad,
  type QueuedMessage,
} from '../../record/job-queue.js';
import { isBulkKind, JOB_KINDS } from '../../record/job-kinds.js';
import type { JobIdentity } from '../../record/job-record.js';
import { DamagedError } from '../../record/stored-fields.js';
import { parseMessage, storedMessage } from '../../record/message-fields.js';
import { jsonIn } from '../../../base/wire/json-content.js';
import type { SqliteDatabase } from './database.js';
import { keyOf } from './query.js';
import { jobOfMember } from '../../record/organisation-jobs.js';

export interface DueMessage {
  readonly job: JobIdentity;
  readonly attempts: number;
  /** Time when the message was added or revived, milliseconds since 1970. */
  readonly since: number;
}

export interface LeasedMessage extends Delivery {
  /** Unique to this delivery. A consumer whose message was taken over cannot settle it. */
  readonly token: string;
}

/** Condition that a message `m` is of a kind whose jobs come one at a time, as their work is large. */
const comesAlone = (m: string): string =>
  JOB_KINDS.filter((kind) => !isBulkKind(kind))
    .map((kind) => `${m}.id BETWEEN '${kind}:' AND '${kind};'`)
    .join(' OR ');

/** End of a query for the message that comes due next. ARGV: time. Another report of its organisation may be held. */
const NEXT = `FROM messages AS m WHERE died_at IS NULL AND NOT ((${comesAlone('m')}) AND EXISTS (
  SELECT 1 FROM messages AS held WHERE held.org = m.org AND held.id <> m.id AND (${comesAlone('held')})
  AND held.token IS NOT NULL AND held.due_at > ?)) ORDER BY due_at, rowid LIMIT 1`;

/**
 * Reader and writer of messages and dead letters. Taking a message moves its due time to the end of its
 * lease, so that the message of a consumer that died comes due again by itself. The methods are synchronous: call
 * them within a transaction or a read of the database.
 */
export class SqliteMessages {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  stateOf(job: JobIdentity): 'queued' | 'dead' | undefined {
    const row = this.#database.query('SELECT died_at FROM messages WHERE org = ? AND id = ?').first(...keyOf(job));
    if (row === undefined) return undefined;
    return row[0] === null ? 'queued' : 'dead';
  }

  add(message: JobMessage, now: number): void {
    const { payload, ...rest } = message;
    const key = keyOf(message);
    // This also removes the payload of a message that is replaced.
    this.#database
      .query(
        `INSERT OR REPLACE INTO messages (org, id, body, attempts, due_at, is_open, opened_at, bytes)
         VALUES (?1, ?2, ?3, 0, ?4, 1, ?4, ?5)`,
      )
      .run(...key, JSON.stringify(storedMessage({ ...rest, payload: '' })), now, payload.length);
    this.#database.query('INSERT INTO payloads (org, id, payload) VALUES (?, ?, ?)').run(...key, payload);
  }

  /** Returns the message of a job, queued or dead. @throws {DamagedError} when it cannot be read */
  read(job: JobIdentity): JobMessage {
    const row = this.#database
      .query('SELECT body, payload FROM messages JOIN payloads USING (org, id) WHERE org = ? AND id = ?')
      .first(...keyOf(job));
    if (row === undefined) throw new DamagedError('A stored message is damaged: its payload is missing.');
    return { ...parseMessage(jsonIn(String(row[0]))), payload: String(row[1]) };
  }

  nextDueAt(now: number): number | undefined {
    const dueAt = this.#database.query(`SELECT due_at ${NEXT}`).first(now)?.[0];
    return typeof dueAt === 'number' ? dueAt : undefined;
  }

  /** Returns the message that is due for the longest time; undefined without one. */
  nextDue(now: number): DueMessage | undefined {
    const [org, id, attempts, since, dueAt] =
      this.#database.query(`SELECT org, id, attempts, opened_at, due_at ${NEXT}`).first(now) ?? [];
    const job = Number(dueAt) <= now ? jobOfMember(String(org), String(id)) : undefined;
    return job && { job, attempts: Number(attempts), since: Number(since) };
  }

  /** Starts an attempt. @throws {DamagedError} when the message cannot be read */
  take({ job, attempts, since }: DueMessage, leasedUntil: number, maxAttempts: number): LeasedMessage {
    const message = this.read(job);
    const token = randomUUID();
    const attempt = attempts + 1;
    this.schedule(job, attempt, leasedUntil, token);
    return { message, attempt, lastAttempt: attempt >= maxAttempts, since, copy: 'only', token };
  }

  holds({ message, token }: LeasedMessage): boolean {
    const held = this.#database.query('SELECT 1 FROM messages WHERE org = ? AND id = ? AND token = ?');
    return held.first(...keyOf(message), token) !== undefined;
  }

  /** Sets the time when a message comes due; with a token, this is the end of the lease of its holder. */
  schedule(job: JobIdentity, attempts: number, dueAt: number, token: string | null = null): void {
    this.#database
      .query('UPDATE messages SET attempts = ?, due_at = ?, token = ? WHERE org = ? AND id = ?')
      .run(attempts, dueAt, token, ...keyOf(job));
  }

  /** Ends the leases of consumers that have died. The record counts the attempts of jobs that they ran. */
  endLeases(now: number): void {
    this.#database
      .query(
        `UPDATE messages SET due_at = ?1, token = NULL, attempts = attempts - EXISTS (SELECT 1 FROM jobs
         WHERE org = messages.org AND id = messages.id AND leased_until IS NOT NULL)
         WHERE token IS NOT NULL AND died_at IS NULL`,
      )
      .run(now);
  }

  /** Lengthens the leases of consumers after the clock was put forward. */
  lengthenLeases(leapMs: number): void {
    this.#database
      .query('UPDATE messages SET due_at = due_at + ? WHERE token IS NOT NULL AND died_at IS NULL')
      .run(leapMs);
  }

  remove(job: JobIdentity): void {
    this.#database.query('DELETE FROM messages WHERE org = ? AND id = ?').run(...keyOf(job));
  }

  bury(job: JobIdentity, reason: string, now: number): void {
    this.#database
      .query('UPDATE messages SET died_at = ?, reason = ?, token = NULL, is_open = 0 WHERE org = ? AND id = ?')
      .run(now, reason, ...keyOf(job));
  }

  /** Puts the dead letter of a job back into the queue, as if new. */
  revive(job: JobIdentity, now: number, since: number): void {
    this.#database
      .query(
        `UPDATE messages SET died_at = NULL, reason = NULL, attempts = 0, due_at = ?1, is_open = 1, opened_at = ?2,
         bytes = 0 WHERE org = ?3 AND id = ?4`,
      )
      .run(now, since, ...keyOf(job));
  }

  deadLetters(): readonly DeadLetter[] {
    return this.#database
      .query(
        'SELECT org, id, reason, attempts, died_at FROM messages WHERE died_at IS NOT NULL ORDER BY died_at, rowid',
      )
      .jobs([], (message, [, , reason, attempts, diedAt]) => {
        return { message, reason: String(reason), attempts: Number(attempts), diedAt: Number(diedAt) };
      });
  }

  load(): QueueLoad {
    const [waiting, inHand, deadLetters, oldest] =
      this.#database
        .query(
          `SELECT (SELECT count(*) FROM messages WHERE died_at IS NULL AND token IS NULL),
           (SELECT count(*) FROM messages WHERE died_at IS NULL AND token IS NOT NULL),
           (SELECT count(*) FROM messages WHERE died_at IS NOT NULL),
           (SELECT min(opened_at) FROM (SELECT opened_at FROM messages WHERE died_at IS NULL AND token IS NULL
            ORDER BY due_at LIMIT ${MAX_LOOKED_AT}))`,
        )
        .first() ?? [];
    return {
      waiting: Number(waiting),
      inHand: Number(inHand),
      deadLetters: Number(deadLetters),
      oldestSince: typeof oldest === 'number' ? oldest : undefined,
    };
  }

  queued(now: number): readonly QueuedMessage[] {
    return this.#database
      .query('SELECT org, id, attempts, due_at, token, opened_at FROM messages WHERE died_at IS NULL')
      .jobs([], (job, [, , attempts, due, token, opened]) => {
        const dueAt = Number(due);
        // A message whose lease has expired may be taken: its consumer died.
        const state = dueAt <= now ? 'waiting' : token === null ? 'delayed' : 'in hand';
        const acceptedAt = Number(opened);
        return { ...job, state, attempts: Number(attempts), acceptedAt, ...(state === 'delayed' && { dueAt }) };
      });
  }
}
