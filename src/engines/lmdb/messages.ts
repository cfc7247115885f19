import { randomUUID } from 'node:crypto';
import { MAX_LOOKED_AT, type DeadLetter, type JobMessage } from '../../job-record/job-queue.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import { parseMessage, storedMessage } from '../stored-message.js';
import type { DamagedEntries } from './damaged-entries.js';
import type { LmdbDatabase } from './database.js';
import { LmdbDeadLetters } from './dead-letters.js';
import { identityOf, messageIdOf } from './message-id.js';
import { parseStanding, type Standing } from './standing.js';
import { DamagedEntryError, isTimed, LAST, Table, type TimedKey } from './table.js';

/** Why a message ends of which an entry is damaged. */
export const DAMAGED = 'The queue entry of this job is damaged. See what the job did before starting it again.';

/** A message in the hand of one consumer. */
export interface LeasedMessage {
  readonly id: string;
  readonly message: JobMessage;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Unique to this delivery; a consumer whose message went to another one cannot settle it any more. */
  readonly token: string;
}

/** How much there is in the queue. */
export interface MessageLoad {
  /** Messages, those in hand included. */
  readonly total: number;
  /** Of those that come up next. */
  readonly inHand: number;
  readonly deadLetters: number;
  /** Jobs whose messages wait, the next one first; not all of them when there are many. */
  readonly next: readonly JobIdentity[];
}

/**
 * The tables of the queue. Taking a message only moves its due time behind the lease, so a message whose consumer died
 * comes due again by itself. Methods are synchronous: to be called within a transaction. Those that read an entry throw
 * {@link DamagedEntryError} when it is damaged; {@link setAside} then takes it out of the way.
 */
export class LmdbMessages {
  /** What is sent, and what was: messages of dead letters stay here. */
  readonly #messages: Table<JobMessage, string>;
  /** Of messages in the queue. */
  readonly #standings: Table<Standing, string>;
  /** The same by due time. */
  readonly #byDueTime: Table<unknown, TimedKey>;
  readonly #dead: LmdbDeadLetters;
  readonly #damaged: DamagedEntries;

  constructor(database: LmdbDatabase, damaged: DamagedEntries) {
    this.#messages = new Table(database, 'queue-messages', parseMessage, storedMessage);
    this.#standings = new Table(database, 'queue-standings', parseStanding);
    this.#byDueTime = new Table(database, 'queue-by-due-time', (stored) => stored);
    this.#dead = new LmdbDeadLetters(database, damaged);
    this.#damaged = damaged;
  }

  /**
   * Adds a message, in place of a dead letter of that job.
   *
   * @returns false when the queue has one for that job already; nothing is written then
   */
  add(message: JobMessage, dueAt: number): boolean {
    const id = messageIdOf(message);
    if (this.#standings.has(id)) return false;
    this.#dead.remove(id, dueAt);
    this.#messages.put(id, message);
    this.#place(id, undefined, { attempts: 0, dueAt });
    return true;
  }

  /** When the next message comes due, or undefined when there is none. */
  nextDueAt(): number | undefined {
    const [first] = this.#byDueTime.keys({ limit: 1 });
    // A damaged key is found, and set aside, by whoever looks what is due.
    return first === undefined || isTimed(first) ? first?.[0] : 0;
  }

  /** Messages that are due, the longest due first. */
  due(now: number, limit: number): readonly TimedKey[] {
    return this.#damaged.keys(this.#byDueTime, { end: [now, LAST], limit }, now);
  }

  /** Where every message in the queue stands; those of which an entry is damaged are left out. Only looks. */
  standings(): readonly { readonly id: string; readonly standing: Standing }[] {
    return this.#standings.keys().flatMap((id) => {
      const standing = this.#standings.peek(id);
      return standing === undefined ? [] : [{ id, standing }];
    });
  }

  /** How many there are, and which jobs come up next. Only looks. */
  load(): MessageLoad {
    const keys = this.#byDueTime.keys({ limit: MAX_LOOKED_AT }).filter(isTimed);
    const isInHand = ([, id]: TimedKey): boolean => this.#standings.peek(id)?.token !== undefined;
    const waiting = keys.filter((key) => !isInHand(key));
    return {
      total: this.#byDueTime.size,
      inHand: keys.length - waiting.length,
      deadLetters: this.#dead.count,
      next: waiting.flatMap(([, id]) => identityOf(id) ?? []),
    };
  }

  /** The message with this id, which is in the queue. */
  message(id: string): JobMessage {
    return present(this.#messages.get(id));
  }

  /** Attempts that a message, found by its due time, has had. */
  attempts([dueAt, id]: TimedKey): number {
    const standing = this.#standing(id);
    if (standing.dueAt !== dueAt) throw new DamagedEntryError('The message is due at another time.');
    return standing.attempts;
  }

  /** Starts an attempt. */
  take(id: string, leasedUntil: number): LeasedMessage {
    const standing = this.#standing(id);
    const message = this.message(id);
    const attempt = standing.attempts + 1;
    const token = randomUUID();
    this.#place(id, standing, { attempts: attempt, dueAt: leasedUntil, token });
    return { id, message, attempt, token };
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
    this.#leaveQueue(id);
    this.#messages.remove(id);
  }

  /** Moves a message to the dead letters. */
  moveToDeadLetters(id: string, { reason, diedAt }: Pick<DeadLetter, 'reason' | 'diedAt'>): void {
    const { kind, org, jobId } = this.message(id);
    const { attempts } = this.#standing(id);
    this.#dead.add(id, { message: { kind, org, jobId }, attempts, reason, diedAt });
    this.#leaveQueue(id);
  }

  /** Adds a dead letter with its message, unless the queue has one for that job, or it has died again since. */
  addDeadLetter(message: JobMessage, { reason, attempts, diedAt }: Omit<DeadLetter, 'message'>): void {
    const id = messageIdOf(message);
    if (this.#standings.has(id) || this.#dead.has(id)) return;
    const { kind, org, jobId } = message;
    this.#messages.put(id, message);
    this.#dead.add(id, { message: { kind, org, jobId }, reason, attempts, diedAt });
  }

  /**
   * Takes out of the queue what cannot be delivered because an entry of it is damaged. A message that can still be read
   * becomes a dead letter.
   *
   * @returns which job that was, as far as anything still says it
   */
  setAside(key: TimedKey, reason: string, now: number): JobIdentity | undefined {
    const [, id] = key;
    this.#damaged.setAside(this.#byDueTime, key, reason, now);
    if (this.#standings.has(id)) this.#damaged.setAside(this.#standings, id, reason, now);
    return this.#addDamagedLetter(id, now, now) ?? identityOf(id);
  }

  /** Lets messages that would come due after a time come due then. @returns how many; `limit` when there may be more */
  capDueTimes(max: number, limit: number, now: number): number {
    const keys = this.#damaged.keys(this.#byDueTime, { start: [max, LAST], limit }, now);
    for (const key of keys) {
      const [, id] = key;
      const standing = this.#damaged.read(this.#standings, id, now);
      if (standing === undefined) this.setAside(key, 'Nothing says where the message stands.', now);
      else this.#place(id, standing, { ...standing, dueAt: max });
    }
    return keys.length;
  }

  /** The dead letters that can be read, oldest first, and whether there are others. Only looks. */
  deadLetters(): ReturnType<LmdbDeadLetters['list']> {
    return this.#dead.list();
  }

  /** Takes dead letters that cannot be read out of the way of the others; a message that can be gets a new one. */
  setAsideDamagedLetters(now: number): void {
    for (const [diedAt, id] of this.#dead.setAsideDamaged(now)) {
      this.#dead.remove(id, now);
      if (!this.#standings.has(id)) this.#addDamagedLetter(id, diedAt, now);
    }
  }

  /** Whether there is a dead letter of a job. */
  isDead(job: JobIdentity): boolean {
    return this.#dead.has(messageIdOf(job));
  }

  /** The message of a dead letter; undefined when there is none. */
  deadMessage(job: JobIdentity): JobMessage | undefined {
    return this.isDead(job) ? this.#messages.get(messageIdOf(job)) : undefined;
  }

  /** Puts the dead letter of a job back among the messages, as if it were new. @returns false when there is none */
  takeDeadLetter(job: JobIdentity, dueAt: number): boolean {
    const message = this.deadMessage(job);
    return message !== undefined && this.add(message, dueAt);
  }

  /** Removes dead letters of before a time with their messages. @returns how many; `limit` when there may be more */
  removeDeadLettersBefore(time: number, limit: number, now: number): number {
    const ids = this.#dead.removeBefore(time, limit, now);
    for (const id of ids) if (!this.#standings.has(id) && !this.#dead.has(id)) this.#messages.remove(id);
    return ids.length;
  }

  /** A dead letter of a message that can be read, when nothing else of it can. @returns undefined without one */
  #addDamagedLetter(id: string, diedAt: number, now: number): JobIdentity | undefined {
    const message = this.#damaged.read(this.#messages, id, now);
    if (message === undefined) return undefined;
    const { kind, org, jobId } = message;
    this.#dead.add(id, { message: { kind, org, jobId }, attempts: 0, reason: DAMAGED, diedAt });
    return message;
  }

  #leaveQueue(id: string): void {
    this.#byDueTime.remove([this.#standing(id).dueAt, id]);
    this.#standings.remove(id);
  }

  #place(id: string, previous: Standing | undefined, next: Standing): void {
    if (previous !== undefined) this.#byDueTime.remove([previous.dueAt, id]);
    this.#byDueTime.put([next.dueAt, id], true);
    this.#standings.put(id, next);
  }

  #standing(id: string): Standing {
    return present(this.#standings.get(id));
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new DamagedEntryError('A part of the message is missing.');
  return value;
}
