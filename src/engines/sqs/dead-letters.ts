import type { DeadLetter, JobMessage } from '../../job-record/job-queue.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import { readSqsMessage, revived, writeSqsMessage } from '../../job-record/sqs-message.js';
import { unpackMessage } from './payloads.js';
import type { MessageInHand } from './postpone.js';
import type { ReceivedMessage } from './queue-client.js';
import { sendNoted } from './send.js';
import type { SqsParts } from './sqs-parts.js';

/** What of a reason goes along with the message; all of it is in the ledger. */
const MAX_REASON_LENGTH = 1_000;

/**
 * The dead letters. They are in the ledger, for as long as any queue keeps them; the queue's own dead-letter queue,
 * where it has one, gets a copy of each, for whoever watches it.
 */
export class SqsDeadLetters {
  readonly #parts: SqsParts;

  constructor(parts: SqsParts) {
    this.#parts = parts;
  }

  list(): Promise<readonly DeadLetter[]> {
    return this.#parts.overview.deadLetters();
  }

  /** The message of a dead letter; undefined when there is none of that job, or its body is gone. */
  async message(job: JobIdentity): Promise<JobMessage | undefined> {
    const { ledger, bodies } = this.#parts;
    const body = await ledger.deadBody(job);
    return body === undefined ? undefined : unpackMessage(readSqsMessage(body), bodies);
  }

  /** Makes a dead letter of a message in hand. */
  async add(
    { received, message }: MessageInHand,
    { reason, attempts }: { readonly reason: string; readonly attempts: number },
  ): Promise<void> {
    const { client, queueUrl, ledger } = this.#parts;
    const death = { reason: reason.slice(0, MAX_REASON_LENGTH), attempts };
    const body = writeSqsMessage({ ...message, attempts, death });
    const died = await ledger.die(message.job, { generation: message.generation, reason, attempts, body });
    const moved = died && (await this.moveToDeadLetterQueue(received, body));
    if (!moved) await client.delete(queueUrl, received);
  }

  /** Deletes a message once it is in the dead-letter queue. @returns false when there is no such queue */
  async moveToDeadLetterQueue(received: ReceivedMessage, body: string): Promise<boolean> {
    const { client, queueUrl, known } = this.#parts;
    const { deadLetterUrl } = await known.facts();
    if (deadLetterUrl === undefined) return false;
    await client.send(deadLetterUrl, body, undefined);
    await client.delete(queueUrl, received);
    return true;
  }

  /**
   * Sends a dead letter again.
   *
   * @param reopen called before, once it is certain that nobody else does so
   * @returns false when there is none of that job, or somebody else does so
   */
  async replay(job: JobIdentity, reopen: () => Promise<void>): Promise<boolean> {
    return sendNoted(job, this.#parts, true, async ({ generation, dead }) => {
      await reopen();
      return { ...revived(readSqsMessage(dead)), generation };
    });
  }
}
