import { causeOf, describeError } from '../errors.js';
import type { Logger } from '../logging/log-events.js';
import { NewerFormatError } from './format.js';
import type { Disposition, JobMessage } from './job-queue.js';
import {
  readSqsMessage,
  revived,
  wholeSeconds,
  writeSqsMessage,
  type SqsDeath,
  type SqsMessage,
} from './sqs-message.js';

/*
 * One delivery of a message of Amazon SQS, by the queue function or by a function that SQS calls (AWS Lambda).
 *
 * SQS keeps the message, hides it while it is handled and counts its receives. Attempts are counted in the message: one
 * that failed is sent anew, with one attempt more, before the old one is deleted. A crash between the two leaves both,
 * which costs nothing, because the gateway runs a job once whoever asks for it.
 */

/** A message that was received; times in milliseconds since 1970. */
export interface SqsReceived {
  readonly body: string;
  /** How often it was received, this time included. */
  readonly receiveCount: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** What is done with a message that was received, and with what belongs to it. Each may reject: then it comes again. */
export interface SqsSteps {
  /** Lets it be received again after so many seconds. */
  hide(seconds: number): Promise<void>;
  delete(): Promise<void>;
  /** Sends a message to the same queue. */
  send(body: string, kind: string, delaySeconds: number): Promise<void>;
  /** Sends a message to the dead-letter queue. */
  bury(body: string): Promise<void>;
  /** Reads a body that was too large for its message; undefined when it is gone. */
  readBody(key: string): Promise<string | undefined>;
  removeBody(key: string): Promise<void>;
}

/** How messages are delivered; times in milliseconds. */
export interface SqsRules {
  /** Attempts before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Receives after which a message that is put off is sent anew; half of what its queue allows, or less. */
  readonly maxReceives: number;
  /** Age at which it is; half of the time that its queue keeps a message, or less. */
  readonly maxAgeMs: number;
  /** Wait after the given failed attempt, counted from 1. */
  readonly backOffMs: (attempt: number) => number;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What became of the job; `status` is that of its callback, where its record has not ended with it. */
export type SqsOutcome = Disposition & { readonly status?: number };

/** Delivers one attempt. @param attempt from 1; delays are not counted */
export type SqsHandler = (job: JobMessage, attempt: number, message: SqsMessage) => Promise<SqsOutcome>;

/**
 * Half of the least that `--check-config` accepts of a queue, which is 100 receives and 7 days: where nobody asks how
 * the queue is set up, this holds for each.
 */
export const MAX_RECEIVES = 50;
export const MAX_AGE_MS = 3.5 * 24 * 60 * 60 * 1000;

/** Longest DelaySeconds of SQS (Amazon SQS message quotas, "Message timer"). */
const MAX_DELAY_SECONDS = 15 * 60;

/** Longest time in all that a message may be kept from others after it was received ("Message visibility timeout"). */
const MAX_VISIBILITY_SECONDS = 12 * 60 * 60;

/** When a message that a newer version has written may be looked at again. */
const NEWER_FORMAT_PAUSE_MS = 60_000;

/** How much too early a message may come that waits in whole seconds. */
const EARLY_MS = 1_000;

const BODY_GONE = 'The body of the job message is not in the object store any more.';

/** Status of a job whose body is gone, so that no callback was called. */
const BODY_GONE_STATUS = 500;

/** What of a reason goes along with a dead letter. */
const MAX_REASON_LENGTH = 1_000;

/** What became of a message; one that could not be settled comes again when its time to be hidden is over. */
export type SqsFate = 'gone' | 'comes again' | 'not settled';

/** Delivers a message and settles it. Never rejects: what cannot be settled is a line of the log. */
export async function deliverSqsMessage(
  received: SqsReceived,
  steps: SqsSteps,
  rules: SqsRules,
  handle: SqsHandler,
): Promise<SqsFate> {
  try {
    return await new SqsDelivery(received, steps, rules).settle(handle);
  } catch (error) {
    rules.logger.event('queue.message_not_settled', { ...jobIn(received.body), reason: describeError(causeOf(error)) });
    return 'not settled';
  }
}

class SqsDelivery {
  readonly #received: SqsReceived;
  readonly #steps: SqsSteps;
  readonly #rules: SqsRules;

  constructor(received: SqsReceived, steps: SqsSteps, rules: SqsRules) {
    this.#received = received;
    this.#steps = steps;
    this.#rules = rules;
  }

  async settle(handle: SqsHandler): Promise<SqsFate> {
    const { now, logger, maxAttempts, backOffMs } = this.#rules;
    const message = await this.#read();
    if (typeof message === 'string') return message;
    const earlyMs = (message.dueAt ?? 0) - now();
    if (earlyMs > EARLY_MS) return this.#putOff(message, earlyMs);
    const { job, payload } = message;
    const attempts = message.attempts + 1;
    const log = logger.child({ jobId: job.jobId, kind: job.kind, attempt: attempts });
    const sealed = 'sealed' in payload ? payload.sealed : await this.#steps.readBody(payload.key);
    if (sealed === undefined) {
      log.event('queue.body_gone');
      // The gateways know whether the job was done; they look through the dead-letter queue.
      return this.#die(message, { reason: BODY_GONE, status: BODY_GONE_STATUS, attempts });
    }
    const outcome = await handle({ ...job, payload: sealed }, attempts, message).catch((error: unknown): SqsOutcome => {
      const reason = describeError(error);
      log.event('queue.handler_failed', { reason });
      return { kind: 'retry', reason };
    });
    switch (outcome.kind) {
      case 'done':
        await this.#steps.delete();
        await removeBodyOf(message, this.#steps, log);
        return 'gone';
      case 'delay':
        return this.#putOff(message, outcome.delayMs);
      case 'retry':
        if (attempts < maxAttempts) return this.#sendAnew({ ...message, attempts }, backOffMs(attempts));
        return this.#die(message, { ...outcome, attempts });
      case 'dead':
        return this.#die(message, { ...outcome, attempts });
    }
  }

  /** One that was moved back from the dead-letter queue begins anew; what is no message goes there as it is. */
  async #read(): Promise<SqsMessage | SqsFate> {
    const { body, sentAt } = this.#received;
    try {
      const message = readSqsMessage(body);
      return message.death === undefined ? message : revived(message, sentAt);
    } catch (error) {
      if (error instanceof NewerFormatError) {
        this.#rules.logger.event('queue.message_of_newer_version', { reason: describeError(error.cause) });
        return this.#hide(NEWER_FORMAT_PAUSE_MS);
      }
      this.#rules.logger.event('queue.dead_letter_unreadable', { reason: describeError(error) });
      return this.#bury(body);
    }
  }

  /** Not now. What SQS counts, receives, hours and days, begins anew with a copy before it is used up. */
  #putOff(message: SqsMessage, delayMs: number): Promise<SqsFate> {
    const { sentAt, receivedAt, receiveCount } = this.#received;
    const { now, maxAgeMs, maxReceives } = this.#rules;
    const isOld = now() + delayMs - sentAt > maxAgeMs;
    const hiddenFor = wholeSeconds(now() - receivedAt) + wholeSeconds(delayMs);
    if (isOld || receiveCount >= maxReceives || hiddenFor > MAX_VISIBILITY_SECONDS) {
      return this.#sendAnew(message, delayMs);
    }
    return this.#hide(delayMs);
  }

  async #hide(ms: number): Promise<SqsFate> {
    await this.#steps.hide(wholeSeconds(ms));
    return 'comes again';
  }

  async #sendAnew(message: SqsMessage, delayMs: number): Promise<SqsFate> {
    const body = writeSqsMessage({ ...message, dueAt: this.#rules.now() + delayMs });
    await this.#steps.send(body, message.job.kind, Math.min(wholeSeconds(delayMs), MAX_DELAY_SECONDS));
    await this.#steps.delete();
    return 'gone';
  }

  #die(message: SqsMessage, { reason, status, attempts }: SqsDeath): Promise<SqsFate> {
    const death = { reason: reason.slice(0, MAX_REASON_LENGTH), ...(status !== undefined && { status }), attempts };
    return this.#bury(writeSqsMessage({ ...message, attempts, death }));
  }

  async #bury(body: string): Promise<SqsFate> {
    await this.#steps.bury(body);
    await this.#steps.delete();
    return 'gone';
  }
}

/** Which job a message is of, for the log; nothing when it cannot be read. */
export function jobIn(body: string): { readonly jobId?: string; readonly kind?: string } {
  try {
    const { jobId, kind } = readSqsMessage(body).job;
    return { jobId, kind };
  } catch {
    return {};
  }
}

/** Removes the body of a message that was deleted. One that is left is removed with old reports. */
export async function removeBodyOf(
  { payload }: SqsMessage,
  { removeBody }: Pick<SqsSteps, 'removeBody'>,
  logger: Logger,
): Promise<void> {
  if (!('key' in payload)) return;
  try {
    await removeBody(payload.key);
  } catch (error) {
    logger.event('queue.body_not_removed', { reason: describeError(causeOf(error)) });
  }
}
