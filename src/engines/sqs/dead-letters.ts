import { describeError, ServiceUnavailableError } from '../../errors.js';
import { NewerFormatError } from '../../job-record/format.js';
import type { DeadLetter, JobMessage } from '../../job-record/job-queue.js';
import { jobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import { removeBodyOf } from '../../job-record/sqs-delivery.js';
import { readSqsMessage, type SqsDeath, type SqsMessage } from '../../job-record/sqs-message.js';
import { unpackMessage } from './payloads.js';
import type { MessageInHand } from './queue-client.js';
import type { SqsParts } from './sqs-parts.js';

/** How long messages are hidden while they are looked at. */
const HIDDEN_SECONDS = 60;

/** Messages looked at in one go. */
const MAX_LISTED = 10_000;
const MAX_COLLECTED = 1_000;

/** Polls that find nothing, of a second each, while others look at messages as well. */
const MAX_EMPTY_POLLS = 10;

/** Why a message is in the dead-letter queue that says nothing of it: SQS itself has put it there. */
const NOT_SETTLED = 'SQS delivered it as often as the queue allows, and nobody settled it.';

/** Status of a job whose message says nothing of it. */
const NO_STATUS = 503;

/** A message of the dead-letter queue, which is hidden from others while it is looked at. */
interface Letter {
  readonly message: SqsMessage;
  readonly death: SqsDeath;
  readonly diedAt: number;
  /** Deletes it. */
  remove(): Promise<void>;
}

/** The dead letters: what lies in the dead-letter queue of SQS, whoever has put it there. */
export class SqsDeadLetters {
  readonly #parts: SqsParts;

  constructor(parts: SqsParts) {
    this.#parts = parts;
  }

  /** How many there are, about. */
  async count(): Promise<number> {
    const { client, known } = this.#parts;
    const { deadLetterUrl } = await known.facts();
    if (deadLetterUrl === undefined) return 0;
    const { visible, hidden, delayed } = await client.counts(deadLetterUrl);
    return visible + hidden + delayed;
  }

  /** All of them, oldest first; of a job that died several times, its last death. */
  async list(): Promise<readonly DeadLetter[]> {
    const letters = new Map<string, DeadLetter>();
    for await (const { message, death, diedAt } of this.#letters(MAX_LISTED)) {
      const { kind, org, jobId } = message.job;
      const key = jobRecordKey(message.job);
      if ((letters.get(key)?.diedAt ?? 0) > diedAt) continue;
      letters.set(key, { message: { kind, org, jobId }, reason: death.reason, attempts: death.attempts, diedAt });
    }
    return [...letters.values()].sort((a, b) => a.diedAt - b.diedAt);
  }

  /** The message of a dead letter; undefined when there is none of that job, or its body is gone. */
  async message(job: JobIdentity): Promise<JobMessage | undefined> {
    for await (const { message } of this.#letters(MAX_LISTED)) {
      if (isSame(message.job, job)) return unpackMessage(message, this.#parts.bodies);
    }
    return undefined;
  }

  /**
   * Takes a message out of the dead letters.
   *
   * @param send called before, while nobody else has it: sends what takes its place
   * @returns false when there is none of that job, or somebody else takes it
   */
  async take(job: JobIdentity, send: (message: SqsMessage) => Promise<void>): Promise<boolean> {
    for await (const letter of this.#letters(MAX_LISTED)) {
      if (!isSame(letter.message.job, job)) continue;
      await send(letter.message);
      await letter.remove();
      return true;
    }
    return false;
  }

  /**
   * Ends the records of jobs that SQS, or a function that it calls, has put into the dead-letter queue, and deletes
   * messages of jobs that were done all the same.
   */
  async collect(): Promise<void> {
    const { bodies, logger } = this.#parts;
    const removeBody = (key: string): Promise<void> => bodies.remove(key);
    for await (const letter of this.#letters(MAX_COLLECTED)) {
      try {
        if (!(await this.#isDone(letter))) continue;
        await letter.remove();
        await removeBodyOf(letter.message, { removeBody }, logger);
      } catch (error) {
        // Of the record: for somebody who can read it.
        if (error instanceof NewerFormatError) continue;
        if (error instanceof ServiceUnavailableError) throw error;
        logger.event('queue.dead_letter_unreadable', { reason: describeError(error) });
      }
    }
  }

  /** Whether the job of a dead letter was done; a record that has not ended ends with it, unless somebody runs it. */
  async #isDone({ message: { job }, death, diedAt }: Letter): Promise<boolean> {
    const { store, logger } = this.#parts;
    const record = await store.read(job);
    if (record?.state === 'finished') return record.result?.status === 200;
    // One that has expired is not made again.
    if (record === undefined && Date.now() - diedAt > job.described.retentionMs) return false;
    const { reason, status = NO_STATUS } = death;
    const ended = await store.fail(job, job.described, { status, body: JSON.stringify({ message: reason }) });
    const { jobId, kind, org } = job;
    if (ended) logger.event('delivery.dead_letter', { jobId, kind, org, status, reason });
    return false;
  }

  /**
   * Looks at what lies in the dead-letter queue, in any order. Each is hidden from others until the end; where others
   * look as well, what they have in hand is waited for.
   */
  async *#letters(max: number): AsyncGenerator<Letter> {
    const { client, known } = this.#parts;
    const { deadLetterUrl: url } = await known.facts();
    if (url === undefined) return;
    const inHand = new Set<MessageInHand>();
    try {
      let looked = 0;
      for (let emptyPolls = 0; looked < max && emptyPolls < MAX_EMPTY_POLLS;) {
        // A short wait asks all servers of SQS; without one, only some of them.
        const batch = await client.receive(url, { max: 10, waitSeconds: 1, visibilitySeconds: HIDDEN_SECONDS });
        looked += batch.length;
        const hands = batch.map(({ receiptHandle }) => ({ receiptHandle }));
        for (const hand of hands) inHand.add(hand);
        for (const [index, { body, sentAt }] of batch.entries()) {
          const hand = hands[index];
          const message = this.#read(body);
          if (hand === undefined || message === undefined) continue;
          const death = message.death ?? { reason: NOT_SETTLED, attempts: message.attempts + 1 };
          const remove = async (): Promise<void> => {
            await client.delete(url, hand);
            inHand.delete(hand);
          };
          yield { message, death, diedAt: sentAt, remove };
        }
        if (batch.length > 0) continue;
        if ((await this.count()) <= inHand.size) break;
        emptyPolls += 1;
      }
    } finally {
      await client.release(url, [...inHand]);
    }
  }

  /** @returns undefined when it is none that can be read here: it is left for somebody who can */
  #read(body: string): SqsMessage | undefined {
    try {
      return readSqsMessage(body);
    } catch (error) {
      if (!(error instanceof NewerFormatError)) {
        this.#parts.logger.event('queue.dead_letter_unreadable', { reason: describeError(error) });
      }
      return undefined;
    }
  }
}

function isSame(one: JobIdentity, other: JobIdentity): boolean {
  return jobRecordKey(one) === jobRecordKey(other);
}
