import type { DeadLetter, JobMessage, JobQueue, JobSubmission, SubmittedJob } from '../../record/job-queue.js';
import type { JobIdentity } from '../../record/job-record.js';
import { limitErrorOf, sharesUsed } from '../../record/organisation-jobs.js';
import { enqueue, replay, replayTime, submittedOf } from '../../record/transitions.js';
import { SqliteConsumer, type SqliteConsumerParts } from './consumer.js';
import type { SqliteOrganisations } from './organisations.js';

/** Parts of the queue, for itself and for its consumers. */
export interface SqliteQueueParts extends SqliteConsumerParts {
  readonly organisations: SqliteOrganisations;
}

/** Job queue on SQLite. It shares the file of the job records, so that both change in one transaction. */
export class SqliteJobQueue implements JobQueue, JobSubmission {
  readonly #parts: SqliteQueueParts;
  /** Those of this process, which starts one. */
  readonly #consumers = new Set<SqliteConsumer>();

  constructor(parts: SqliteQueueParts) {
    this.#parts = parts;
  }

  async submit(message: JobMessage): Promise<SubmittedJob> {
    const { database, records, messages, organisations, limits } = this.#parts;
    const submitted = await database.transact<SubmittedJob>((now) => {
      const live = records.getOrRemove(message, now);
      const next = enqueue(live, message.described, now);
      if (next === undefined) return submittedOf(live, next);
      const load = organisations.load(message, now);
      const shares = sharesUsed(load, message, limits);
      limits.onOrder?.(message.org, shares);
      const refusal = limitErrorOf(shares, load);
      if (refusal !== undefined) throw refusal;
      records.write(message, { live, next, now }, { listed: true });
      messages.add(message, now);
      organisations.noteOrder(message, now);
      return submittedOf(live, next);
    });
    if (submitted.isNew) this.#wake();
    return submitted;
  }

  /** Does nothing: record and message were written in one transaction. */
  submitAgain(): Promise<void> {
    return Promise.resolve();
  }

  consume(...given: Parameters<JobQueue['consume']>): SqliteConsumer {
    const consumer = new SqliteConsumer(this.#parts, ...given);
    this.#consumers.add(consumer);
    return consumer;
  }

  deadLetters(): Promise<readonly DeadLetter[]> {
    return this.#parts.database.read(() => this.#parts.messages.deadLetters());
  }

  deadMessage(job: JobIdentity): Promise<JobMessage | undefined> {
    const { database, messages } = this.#parts;
    return database.read(() => (messages.stateOf(job) === 'dead' ? messages.read(job) : undefined));
  }

  async replay(job: JobIdentity): Promise<boolean> {
    const { database, records, messages } = this.#parts;
    const replayed = await database.transact<boolean>((now) => {
      if (messages.stateOf(job) !== 'dead') return false;
      const { live } = records.update(job, now, replay);
      messages.revive(job, now, replayTime(live, now));
      return true;
    });
    if (replayed) this.#wake();
    return replayed;
  }

  drop(job: JobIdentity): Promise<boolean> {
    const { database, messages } = this.#parts;
    return database.transact<boolean>(() => {
      if (messages.stateOf(job) !== 'dead') return false;
      messages.remove(job);
      return true;
    });
  }

  load(): ReturnType<JobQueue['load']> {
    return this.#parts.database.read(() => this.#parts.messages.load());
  }

  /** Stops all consumers without waiting for their messages. */
  stop(): void {
    this.#consumers.forEach((consumer) => consumer.stop());
  }

  #wake(): void {
    this.#consumers.forEach((consumer) => consumer.wake());
  }
}
