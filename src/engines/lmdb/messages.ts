import { randomUUID } from 'node:crypto';

import type { Database } from 'lmdb';

import { jobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import { fitKey, type LmdbDatabase } from './database.js';
import type { DeadLetter, JobMessage } from '../../job-record/job-queue.js';

/** A message in the hand of one consumer. */
export interface LeasedMessage {
  readonly id: string;
  readonly message: JobMessage;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Unique to this delivery; a consumer that lost its message cannot settle it any more. */
  readonly token: string;
}

/** Where a message stands; kept apart from the message, which may be large, because it changes often. */
interface Standing {
  /** Attempts started, the one in hand included. */
  readonly attempts: number;
  /** When it may be taken: now, after a back-off, or when the lease of its consumer runs out. */
  readonly dueAt: number;
  /** Present while it is in a consumer's hand. */
  readonly token?: string;
}

/**
 * The tables of the queue. Taking a message only moves its due time behind the lease, so a message whose
 * consumer died comes due again by itself. Methods are synchronous: to be called within a transaction.
 */
export class LmdbMessages {
  readonly #messages: Database<JobMessage, string>;
  readonly #standings: Database<Standing, string>;
  /** `[dueAt, id]` of every message. */
  readonly #byDueTime: Database<true, [number, string]>;
  readonly #dead: Database<DeadLetter, [number, string]>;

  constructor(database: LmdbDatabase) {
    this.#messages = database.table('queue-messages');
    this.#standings = database.table('queue-standings');
    this.#byDueTime = database.table('queue-by-due-time');
    this.#dead = database.table('queue-dead-letters');
  }

  /** Adds a message. @returns false when there is one for that job already; nothing is written then */
  add(message: JobMessage, dueAt: number): boolean {
    const id = fitKey(jobRecordKey(message));
    if (this.#standings.get(id) !== undefined) return false;
    this.#messages.putSync(id, message);
    this.#place(id, undefined, { attempts: 0, dueAt });
    return true;
  }

  /** When the next message comes due, or undefined when there is none. */
  nextDueAt(): number | undefined {
    const [first] = this.#byDueTime.getKeys({ limit: 1 });
    return first?.[0];
  }

  /** Ids of messages that are due, the longest due first, with the attempts each has had. */
  due(now: number, limit: number): readonly { readonly id: string; readonly attempts: number }[] {
    return [...this.#byDueTime.getKeys({ end: [now, LAST], limit })].map(([, id]) => ({
      id,
      attempts: this.#standing(id).attempts,
    }));
  }

  /** The message with this id, which is in the queue. */
  message(id: string): JobMessage {
    return present(this.#messages.get(id), id);
  }

  /** Starts an attempt. */
  take(id: string, leasedUntil: number): LeasedMessage {
    const standing = this.#standing(id);
    const attempt = standing.attempts + 1;
    const token = randomUUID();
    this.#place(id, standing, { attempts: attempt, dueAt: leasedUntil, token });
    return { id, message: this.message(id), attempt, token };
  }

  /** Whether the message is still in the hand that took it. */
  holds({ id, token }: LeasedMessage): boolean {
    return this.#standings.get(id)?.token === token;
  }

  /** Prolongs the lease of a message in hand. */
  renew({ id, attempt, token }: LeasedMessage, leasedUntil: number): void {
    this.#place(id, this.#standing(id), { attempts: attempt, dueAt: leasedUntil, token });
  }

  /** Puts a message back. */
  putBack(id: string, attempts: number, dueAt: number): void {
    this.#place(id, this.#standing(id), { attempts, dueAt });
  }

  /** Takes a message out for good. */
  remove(id: string): void {
    this.#byDueTime.removeSync([this.#standing(id).dueAt, id]);
    this.#standings.removeSync(id);
    this.#messages.removeSync(id);
  }

  /** Moves a message to the dead letters. */
  moveToDeadLetters(id: string, death: { readonly reason: string; readonly diedAt: number }): void {
    const { attempts } = this.#standing(id);
    this.#dead.putSync([death.diedAt, id], { message: this.message(id), attempts, ...death });
    this.remove(id);
  }

  /** The dead letters, oldest first. */
  deadLetters(): readonly DeadLetter[] {
    return [...this.#dead.getRange()].map(({ value }) => value);
  }

  /** Puts the dead letter of a job back among the messages, as if it were new. @returns false when there is none */
  takeDeadLetter(job: JobIdentity, dueAt: number): boolean {
    const id = fitKey(jobRecordKey(job));
    const key = [...this.#dead.getKeys()].find(([, deadId]) => deadId === id);
    if (key === undefined) return false;
    const letter = this.#dead.get(key);
    if (letter === undefined || !this.add(letter.message, dueAt)) return false;
    this.#dead.removeSync(key);
    return true;
  }

  #place(id: string, previous: Standing | undefined, next: Standing): void {
    if (previous !== undefined) this.#byDueTime.removeSync([previous.dueAt, id]);
    this.#byDueTime.putSync([next.dueAt, id], true);
    this.#standings.putSync(id, next);
  }

  #standing(id: string): Standing {
    return present(this.#standings.get(id), id);
  }
}

/** Sorts behind every id. */
const LAST = '\uffff';

function present<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new Error(`The queue is damaged: message ${id} is incomplete.`);
  return value;
}
