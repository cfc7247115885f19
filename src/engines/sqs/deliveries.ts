import { randomUUID } from 'node:crypto';
import { causeOf, describeError } from '../../errors.js';
import { NewerFormatError } from '../../job-record/format.js';
import { backOffMs, type Delivery, type Disposition, type JobMessage } from '../../job-record/job-queue.js';
import {
  MAX_VISIBILITY_SECONDS,
  readSqsMessage,
  revived,
  wholeSeconds,
  type SqsMessage,
} from '../../job-record/sqs-message.js';
import { SqsDeadLetters } from './dead-letters.js';
import { unpackMessage } from './payloads.js';
import { postpone, type MessageInHand } from './postpone.js';
import type { ReceivedMessage } from './queue-client.js';
import { Renewal } from './renewal.js';
import { LEASE_MS, type SqsParts } from './sqs-parts.js';

/** When a message that a newer version has written may be looked at again. */
const NEWER_FORMAT_PAUSE_MS = 60_000;

/** When a store that could not be read is asked again. */
const STORE_PAUSE_MS = 5_000;

/** When a job that somebody runs is looked at again. */
const RUNNING_PAUSE_MS = 60_000;

/** What a message is put off by that nobody here can read: an operator may look at it meanwhile. */
const UNREADABLE_PAUSE_MS = 60 * 60 * 1000;

type Handler = (delivery: Delivery) => Promise<Disposition>;

/** A message that was taken, with the job it carries. */
interface Taken extends MessageInHand {
  readonly attempt: number;
  readonly holder: string;
}

/** What becomes of the messages that a consumer receives. */
export class SqsDeliveries {
  readonly #parts: SqsParts;
  readonly #handler: Handler;
  readonly #deadLetters: SqsDeadLetters;
  readonly #leaseMs: number;

  constructor(parts: SqsParts, handler: Handler) {
    this.#parts = parts;
    this.#handler = handler;
    this.#deadLetters = new SqsDeadLetters(parts);
    this.#leaseMs = parts.delivery.leaseMs ?? LEASE_MS;
  }

  /** Leaves a message to others. */
  async leave(received: ReceivedMessage): Promise<void> {
    await this.#hide(received, 0);
  }

  /** Delivers a message and does with it what the handler says. @throws when that could not be noted */
  async deliver(received: ReceivedMessage): Promise<void> {
    const { client, queueUrl, ledger } = this.#parts;
    const receivedAt = Date.now();
    const message = await this.#read(received);
    if (message === undefined) return;
    const holder = randomUUID();
    const inHand = { received, message, receivedAt };
    const taken = await ledger.take({ ...takenMessage(message), holder, leaseMs: this.#leaseMs });
    switch (taken.kind) {
      case 'stale':
        await client.delete(queueUrl, received);
        break;
      case 'wait':
        await postpone(inHand, taken.ms, message.attempts, this.#parts);
        break;
      case 'dead':
        // A crash came between its death and its removal.
        if (!(await this.#deadLetters.moveToDeadLetterQueue(received, received.body))) {
          await client.delete(queueUrl, received);
        }
        break;
      case 'taken':
        await this.#handle({ ...inHand, attempt: taken.attempt, holder });
        break;
    }
  }

  /** @returns undefined when it is none that can be read; then nothing more is to be done with it */
  async #read(received: ReceivedMessage): Promise<SqsMessage | undefined> {
    try {
      return readSqsMessage(received.body);
    } catch (error) {
      if (error instanceof NewerFormatError) {
        await this.#hide(received, NEWER_FORMAT_PAUSE_MS);
        return undefined;
      }
      this.#parts.logger.event('queue.dead_letter_unreadable', { reason: describeError(error) });
      const moved = await this.#deadLetters.moveToDeadLetterQueue(received, received.body);
      if (!moved) await this.#hide(received, UNREADABLE_PAUSE_MS);
      return undefined;
    }
  }

  async #handle(taken: Taken): Promise<void> {
    const renewal = new Renewal(() => this.#renew(taken), this.#leaseMs / 3);
    try {
      const job = await this.#unpack(taken);
      const disposition = typeof job === 'object' ? await this.#ask(taken, job) : undefined;
      await renewal.stop();
      if (job === 'later') await this.#putOff(taken, STORE_PAUSE_MS, false);
      else if (job === 'gone') await this.#endWithoutBody(taken);
      else if (disposition !== undefined) await this.#settle(taken, job, disposition);
    } finally {
      await renewal.stop();
    }
  }

  async #unpack(taken: Taken): Promise<JobMessage | 'later' | 'gone'> {
    try {
      return (await unpackMessage(taken.message, this.#parts.bodies)) ?? 'gone';
    } catch (error) {
      this.#parts.logger.event('queue.unreadable', { ...aboutOf(taken), reason: describeError(causeOf(error)) });
      return 'later';
    }
  }

  async #ask(taken: Taken, message: JobMessage): Promise<Disposition> {
    const { attempt } = taken;
    try {
      return await this.#handler({ message, attempt, lastAttempt: this.#isLast(attempt) });
    } catch (error) {
      const reason = describeError(error);
      this.#parts.logger.event('queue.handler_failed', { ...aboutOf(taken), reason });
      return { kind: 'retry', reason };
    }
  }

  async #settle(taken: Taken, job: JobMessage, disposition: Disposition): Promise<void> {
    const { delivery } = this.#parts;
    switch (disposition.kind) {
      case 'done':
        await this.#finish(taken);
        break;
      case 'delay':
        await this.#putOff(taken, disposition.delayMs, false);
        break;
      case 'retry':
        if (this.#isLast(taken.attempt)) await this.#die(taken, job, disposition.reason);
        else await this.#putOff(taken, (delivery.backOffMs ?? backOffMs)(taken.attempt), true);
        break;
      case 'dead':
        await this.#die(taken, job, disposition.reason);
        break;
    }
  }

  /** The message goes before the body: one without the other could not be delivered any more. */
  async #finish({ received, message }: Taken): Promise<void> {
    const { client, queueUrl, ledger, bodies } = this.#parts;
    await client.delete(queueUrl, received);
    await ledger.done(message.job, message.generation);
    if ('key' in message.payload) await bodies.remove(message.payload.key);
  }

  async #putOff(taken: Taken, delayMs: number, counts: boolean): Promise<void> {
    const { message, attempt, holder } = taken;
    // Noted first: should the process die in between, the message comes again when it has been hidden for long enough.
    const held = await this.#parts.ledger.putOff(message.job, holder, delayMs, counts);
    if (!held) this.#parts.logger.event('queue.message_taken_over', aboutOf(taken));
    else await postpone(taken, delayMs, counts ? attempt : attempt - 1, this.#parts);
  }

  async #die(taken: Taken, { payload }: JobMessage, reason: string): Promise<void> {
    const { bodies } = this.#parts;
    // It is kept for as long as what was written last.
    if ('key' in taken.message.payload) await bodies.put(taken.message.payload.key, payload);
    await this.#deadLetters.add(taken, { reason, attempts: taken.attempt });
  }

  /** A job whose body is gone cannot be run: it is done already, or ends here. */
  async #endWithoutBody(taken: Taken): Promise<void> {
    const { store } = this.#parts;
    const { job } = taken.message;
    const reason = 'The body of the job message is not in the object store any more.';
    const ended = await store.fail(job, job.described, { status: 500, body: JSON.stringify({ message: reason }) });
    const record = ended ? undefined : await store.read(job);
    if (record?.result?.status === 200) await this.#finish(taken);
    // Its own end is the one that counts.
    else if (record?.state === 'running') await this.#putOff(taken, RUNNING_PAUSE_MS, false);
    else await this.#deadLetters.add(taken, { reason, attempts: taken.attempt });
  }

  /**
   * Keeps a message hidden from others while it is handled, for as long as SQS lets us: after that it comes again, and
   * its callback says that the job runs.
   */
  async #renew(taken: Taken): Promise<void> {
    const { client, queueUrl, ledger, logger } = this.#parts;
    const { received, message, holder, receivedAt } = taken;
    const seconds = wholeSeconds(this.#leaseMs);
    if (wholeSeconds(Date.now() - receivedAt) + seconds > MAX_VISIBILITY_SECONDS) return;
    try {
      const held =
        (await ledger.keep(message.job, holder, this.#leaseMs)) &&
        (await client.setVisibility(queueUrl, received, seconds));
      if (!held) logger.event('queue.message_taken_over', aboutOf(taken));
    } catch (error) {
      logger.event('queue.message_not_renewed', { ...aboutOf(taken), reason: describeError(causeOf(error)) });
    }
  }

  #isLast(attempt: number): boolean {
    return attempt >= this.#parts.delivery.maxAttempts;
  }

  async #hide(received: ReceivedMessage, ms: number): Promise<void> {
    const { client, queueUrl } = this.#parts;
    await client.setVisibility(queueUrl, received, wholeSeconds(ms));
  }
}

/** One that somebody moved back from the dead-letter queue begins with its first attempt. */
function takenMessage(message: SqsMessage) {
  const { job, generation, attempts, acceptedAt } = message.death === undefined ? message : revived(message);
  return { job, generation, attempts, acceptedAt, movedBack: message.death !== undefined };
}

function aboutOf({ message: { job }, attempt }: Taken): object {
  return { jobId: job.jobId, kind: job.kind, attempt };
}

/** Which job a message is of, for the log; nothing when it cannot be read. */
export function jobOf({ body }: ReceivedMessage): { readonly jobId?: string; readonly kind?: string } {
  try {
    const { jobId, kind } = readSqsMessage(body).job;
    return { jobId, kind };
  } catch {
    return {};
  }
}
