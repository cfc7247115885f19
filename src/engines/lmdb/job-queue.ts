import { jobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import { NO_LIMITS, TooManyOpenJobsError, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import { enqueue, fail } from '../../job-record/transitions.js';
import type { LmdbDatabase } from './database.js';
import type { LmdbJobRecords } from './job-records.js';
import type { Logger } from '../../logging/logger.js';
import {
  backOffMs,
  type ConsumeOptions,
  type DeadLetter,
  type Delivery,
  type Disposition,
  type JobMessage,
  type JobQueue,
  type JobSubmission,
  type QueueLoad,
} from '../../job-record/job-queue.js';
import { DAMAGED } from './messages.js';
import { DamagedEntryError, type TimedKey } from './table.js';
import { LmdbConsumer, type ConsumerTimes, type MessageSource } from './consumer.js';
import type { LeasedMessage, LmdbMessages } from './messages.js';

/**
 * The maximum time until a message comes due, in milliseconds. What would take longer was written while a clock was
 * wrong.
 */
export const MAX_WAIT_MS = 5 * 60 * 1000;

/** What the queue is made of. */
export interface LmdbQueueParts {
  readonly database: LmdbDatabase;
  readonly records: LmdbJobRecords;
  readonly messages: LmdbMessages;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly logger: Logger;
  readonly maxAttempts: number;
  /** What one organisation may have under way; anything by default. */
  readonly limits?: OrganisationLimits;
  readonly times: ConsumerTimes;
}

/** The job queue on LMDB, in the environment of the job records: both change in one transaction. */
export class LmdbJobQueue implements JobQueue, JobSubmission, MessageSource {
  readonly #consumers = new Set<LmdbConsumer>();

  readonly #parts: LmdbQueueParts;

  constructor(parts: LmdbQueueParts) {
    this.#parts = parts;
  }

  /** @throws {Error} when there is a record or a message of that job already; nothing is written then */
  async submit(message: JobMessage): Promise<number> {
    const { database, records, messages, clock } = this.#parts;
    const createdAt = await database.transact(() => {
      const now = clock();
      records.setAsideDamaged(message, now);
      this.#requireRoom(message, now);
      const accepted = records.update(message, now, (record) => enqueue(record, message.described, now));
      const takesItsPlace = messages.isDead(message);
      if (!(accepted || takesItsPlace) || !messages.add(message, now)) {
        throw new Error(`Job ${jobRecordKey(message)} exists already.`);
      }
      records.counts.open(message, message.payload.length, now);
      if (accepted) records.index.add(message, now);
      return records.get(message, now)?.createdAt ?? now;
    });
    this.#wake();
    return createdAt;
  }

  consume(handler: (delivery: Delivery) => Promise<Disposition>, options: ConsumeOptions): LmdbConsumer {
    const consumer = new LmdbConsumer(this, handler, options, this.#parts.times, this.#parts.logger);
    this.#consumers.add(consumer);
    consumer.wake();
    return consumer;
  }

  async deadLetters(): Promise<readonly DeadLetter[]> {
    const { database, messages, clock } = this.#parts;
    const { letters, someDamaged } = await database.read(() => messages.deadLetters());
    if (!someDamaged) return letters;
    await database.transact(() => messages.setAsideDamagedLetters(clock()));
    return database.read(() => messages.deadLetters().letters);
  }

  deadMessage(job: JobIdentity): Promise<JobMessage | undefined> {
    return this.#parts.database.read(() => this.#parts.messages.deadMessage(job));
  }

  async replay(job: JobIdentity): Promise<boolean> {
    const { database, records, messages, clock } = this.#parts;
    const replayed = await database.transact(() => {
      const now = clock();
      const taken = messages.takeDeadLetter(job, now);
      if (taken) records.counts.open(job, 0, now);
      return taken;
    });
    if (replayed) this.#wake();
    return replayed;
  }

  load(): Promise<QueueLoad> {
    const { database, records, messages } = this.#parts;
    return database.read(() => {
      const { total, inHand, deadLetters, next } = messages.load();
      const times = next.flatMap((job) => records.createdAt(job) ?? []);
      const oldestSince = times.length > 0 ? Math.min(...times) : undefined;
      return { waiting: total - inHand, inHand, deadLetters, oldestSince };
    });
  }

  /** Ends all consumers without waiting for the messages in their hands. */
  stop(): void {
    for (const consumer of this.#consumers) consumer.stop();
  }

  untilNextDue(): number | undefined {
    const dueAt = this.#parts.database.look(() => this.#parts.messages.nextDueAt());
    return dueAt === undefined ? undefined : dueAt - this.#parts.clock();
  }

  take(limit: number): Promise<readonly LeasedMessage[]> {
    const { database, messages, clock } = this.#parts;
    return database.transact(() => {
      const now = clock();
      return messages.due(now, limit).flatMap((key) => {
        try {
          return this.#takeOne(key, now) ?? [];
        } catch (error) {
          if (!(error instanceof DamagedEntryError)) throw error;
          this.#setAside(key, error.message, now);
          return [];
        }
      });
    });
  }

  renew(leased: LeasedMessage): Promise<boolean> {
    const { database, messages, clock, times } = this.#parts;
    return database.transact(() => {
      const held = messages.holds(leased);
      if (held) messages.renew(leased, clock() + times.leaseMs);
      return held;
    });
  }

  settle(leased: LeasedMessage, disposition: Disposition): Promise<void> {
    return this.#parts.database.transact(() => {
      if (this.#parts.messages.holds(leased)) this.#apply(leased, disposition, this.#parts.clock());
    });
  }

  isLastAttempt(attempt: number): boolean {
    return attempt >= this.#parts.maxAttempts;
  }

  /** @throws {TooManyOpenJobsError} when the organisation may have no further open job */
  #requireRoom({ org, payload }: JobMessage, now: number): void {
    const { records, limits = NO_LIMITS } = this.#parts;
    const hasRoom = (): boolean => records.counts.hasRoom(org, payload.length, limits);
    if (hasRoom()) return;
    // Jobs may have ended without a record of it: an entry that was damaged, for example.
    records.counts.reconcile(org, (job) => records.get(job, now));
    if (!hasRoom()) throw new TooManyOpenJobsError();
  }

  #wake(): void {
    for (const consumer of this.#consumers) consumer.wake();
  }

  #apply({ id, attempt }: LeasedMessage, disposition: Disposition, now: number): void {
    const { messages } = this.#parts;
    switch (disposition.kind) {
      case 'done':
        messages.remove(id);
        break;
      case 'delay':
        messages.putBack(id, attempt - 1, now + Math.min(disposition.delayMs, MAX_WAIT_MS));
        break;
      case 'dead':
        messages.moveToDeadLetters(id, { reason: disposition.reason, diedAt: now });
        break;
      case 'retry':
        if (this.isLastAttempt(attempt)) messages.moveToDeadLetters(id, { reason: disposition.reason, diedAt: now });
        else messages.putBack(id, attempt, now + backOffMs(attempt));
        break;
    }
  }

  #takeOne(key: TimedKey, now: number): LeasedMessage | undefined {
    const { messages, maxAttempts, times } = this.#parts;
    const [, id] = key;
    const attempts = messages.attempts(key);
    if (attempts < maxAttempts) return messages.take(id, now + times.leaseMs);
    this.#deadLetter(id, attempts, now);
    return undefined;
  }

  /** Takes a damaged message out of the queue, and ends its record, so that nobody polls forever. */
  #setAside(key: TimedKey, reason: string, now: number): void {
    const { messages, records } = this.#parts;
    const job = messages.setAside(key, reason, now);
    if (job === undefined) return;
    records.setAsideDamaged(job, now);
    const result = { status: 500, body: JSON.stringify({ message: DAMAGED }) };
    records.update(job, now, (current) => current && fail(current, current, result, now));
  }

  /**
   * Ends a message whose consumer died in its last attempt. Nobody is left to end the record, so that is done
   * here. While the callback it called still runs, its own end is waited for.
   */
  #deadLetter(id: string, attempts: number, now: number): void {
    const { messages, records } = this.#parts;
    const message = messages.message(id);
    records.setAsideDamaged(message, now);
    const record = records.get(message, now);
    if (record?.result?.status === 200) {
      messages.remove(id);
      return;
    }
    if (record?.lease !== undefined && record.lease.expiresAt > now) {
      messages.putBack(id, attempts, Math.min(record.lease.expiresAt, now + MAX_WAIT_MS));
      return;
    }
    const reason = `Not delivered after ${attempts} attempts; the last one was cut short.`;
    const result = { status: 503, body: JSON.stringify({ message: reason }) };
    records.update(message, now, (current) => fail(current, message.described, result, now));
    messages.moveToDeadLetters(id, { reason, diedAt: now });
  }
}
