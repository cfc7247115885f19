import type { Job, Queue } from 'bullmq';
import { describeError } from '../../errors.js';
import type { DeadLetter, JobMessage } from '../../job-record/job-queue.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { Logger } from '../../logging/logger.js';
import { parseMessage, storedMessage } from '../../job-record/stored-message.js';
import type { RedisClient } from './clients.js';
import { identityOf, queueEntryId } from './queue-entry-id.js';

/** What BullMQ keeps of an entry besides its data: reason, attempts that failed, consumers that died, times. */
const FIELDS = ['failedReason', 'atm', 'stc', 'finishedOn', 'timestamp'] as const;

/** Dead letters asked for at once. */
const BATCH = 500;

/** The entries of BullMQ that failed for good. */
export class BullMqDeadLetters {
  readonly #queue: Queue<unknown>;
  readonly #client: RedisClient;
  readonly #logger: Logger;

  constructor(queue: Queue<unknown>, client: RedisClient, logger: Logger) {
    this.#queue = queue;
    this.#client = client;
    this.#logger = logger;
  }

  /** All of them, oldest first, without what their messages carry. */
  async list(): Promise<readonly DeadLetter[]> {
    const ids = await this.#queue.getRanges(['failed'], 0, -1, true);
    const letters: DeadLetter[] = [];
    for (let from = 0; from < ids.length; from += BATCH) {
      // Sent one after the other without waiting: one round trip.
      const batch = await Promise.all(ids.slice(from, from + BATCH).map((id) => this.#letter(id)));
      letters.push(...batch.flatMap((letter) => letter ?? []));
    }
    return letters;
  }

  async has(job: JobIdentity): Promise<boolean> {
    return (await this.#queue.getJobState(queueEntryId(job))) === 'failed';
  }

  /** The message of a dead letter; undefined when there is none of that job, or none that can be read. */
  async message(job: JobIdentity): Promise<JobMessage | undefined> {
    const entry = await this.#entry(job);
    if (entry === undefined) return undefined;
    try {
      return parseMessage(entry.data);
    } catch (error) {
      this.#unreadable(entry.id, describeError(error));
      return undefined;
    }
  }

  /**
   * Lets a dead letter be delivered again, from its first attempt.
   *
   * @param message what it carries from now on, where that is something new
   * @returns false when there is none of that job
   */
  async revive(job: JobIdentity, message?: JobMessage): Promise<boolean> {
    const entry = await this.#entry(job);
    if (entry === undefined) return false;
    if (message !== undefined) await entry.updateData(storedMessage(message));
    // BullMQ resets the attempts that failed, and never the consumers that died; both count here. It waits anew, too.
    const key = this.#queue.toKey(queueEntryId(job));
    await Promise.all([this.#client.hdel(key, 'stc'), this.#client.hset(key, 'timestamp', Date.now())]);
    try {
      await entry.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
      return true;
    } catch (error) {
      // Somebody else did so meanwhile.
      if (!(await entry.isFailed())) return false;
      throw error;
    }
  }

  async #entry(job: JobIdentity): Promise<Job<unknown> | undefined> {
    const entry = await this.#queue.getJob(queueEntryId(job));
    return entry !== undefined && (await entry.isFailed()) ? entry : undefined;
  }

  async #letter(id: string): Promise<DeadLetter | undefined> {
    const [reason, failed, died, finishedOn, timestamp] = await this.#client.hmget(this.#queue.toKey(id), ...FIELDS);
    const message = identityOf(id);
    // It may have expired since its id was read.
    if (reason === undefined || reason === null) return undefined;
    if (message === undefined) {
      this.#unreadable(id, 'The id names no job.');
      return undefined;
    }
    return {
      message,
      reason,
      attempts: Number(failed ?? 0) + Number(died ?? 0),
      diedAt: Number(finishedOn ?? timestamp),
    };
  }

  #unreadable(entry: string | undefined, reason: string): void {
    this.#logger.event('queue.dead_letter_unreadable', { entry, reason });
  }
}
