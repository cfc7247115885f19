import { LONGEST_RECORD_DAYS } from '../../base/config/config.js';
import { causeOf, describeError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/log-events.js';
import { NewerFormatError, present } from './stored-fields.js';
import type { Attempts, Disposition, JobMessage } from './job-queue.js';
import { readSqsEnvelope, revived, wholeSeconds, writeSqsEnvelope, type SqsEnvelope } from './sqs-envelope.js';

/*
 * Delivery of a message of Amazon SQS, by the queue function or by a function that SQS calls (AWS Lambda).
 *
 * SQS hides the message while it is handled, and counts its receives. After a failed attempt the message is sent again,
 * with one attempt more, before the old one is deleted. A crash between the two steps leaves both, which is harmless:
 * the gateway runs a job once for any number of deliveries.
 */

/** Received message; times in milliseconds since 1970. */
export interface SqsReceived {
  readonly body: string;
  /** Number of receives, including this one. */
  readonly receiveCount: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Operations on a received message and its body. If one rejects, the message comes again. */
export interface SqsSteps {
  hide(seconds: number): Promise<unknown>;
  delete(): Promise<unknown>;
  send(body: string, kind: string, delaySeconds: number): Promise<unknown>;
  bury(body: string): Promise<unknown>;
  /** Reads a body that was too large for its message; undefined if it is gone. */
  readBody(key: string): Promise<string | undefined>;
  removeBody(key: string): Promise<void>;
}

/** Settings of deliveries; times in milliseconds. */
export interface SqsRules extends Required<Attempts> {
  /** Receives after which a delayed message is sent again as a new one: at most half of the limit of its queue. */
  readonly maxReceives: number;
  /** Age at which a delayed message is sent again as a new one: at most half of the retention of its queue. */
  readonly maxAgeMs: number;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Outcome of a delivery. `status` is that of the callback, if the record of the job has not ended with it. */
type SqsOutcome = Disposition & { readonly status?: number };

/** Delivers one attempt. @param attempt from 1; delays are not counted */
export type SqsHandler = (
  job: JobMessage,
  attempt: number,
  sent: Pick<SqsEnvelope, 'acceptedAt'> & Pick<SqsReceived, 'receiveCount'>,
) => Promise<SqsOutcome>;

/** Half of the minimum that `--check-config` accepts for a queue: 100 receives, and the life of a record. */
export const MAX_RECEIVES = 50;
export const MAX_MESSAGE_AGE_MS = (LONGEST_RECORD_DAYS * 24 * 60 * 60 * 1000) / 2;

/** Maximum delay of a new message, and total visibility timeout of a received one (Amazon SQS message quotas). */
const MAX_DELAY_SECONDS = 15 * 60;
const MAX_VISIBILITY_SECONDS = 12 * 60 * 60;

/** Pause before a message of a newer version may be looked at again. */
const NEWER_FORMAT_PAUSE_MS = 60_000;

/** Tolerance for messages that come too early, because waits are whole seconds. */
const EARLY_MS = 1_000;

/** Reason and status of a job whose body is missing, for which no callback was called. */
const BODY_GONE = { reason: 'The body of the job message is not in the object store any more.', status: 500 };

/** Maximum length of a dead letter's reason, in characters. */
const MAX_REASON_LENGTH = 1_000;

/** Outcome of a message; an unsettled one comes again when its visibility timeout is over. */
export type SqsFate = 'gone' | 'comes again' | 'not settled';

type DeathCause = NonNullable<SqsEnvelope['death']>;

interface SqsDelivery {
  readonly received: SqsReceived;
  readonly steps: SqsSteps;
  readonly rules: SqsRules;
}

/** Delivers a message and settles it. Never rejects: a failure to settle is logged. */
export async function deliverSqsMessage(delivery: SqsDelivery, handle: SqsHandler): Promise<SqsFate> {
  try {
    const message = await readMessage(delivery);
    return typeof message === 'string' ? message : await handleMessage(delivery, message, handle);
  } catch (error) {
    const { received, rules } = delivery;
    rules.logger.event('queue.message_not_settled', { ...jobIn(received.body), reason: describeError(causeOf(error)) });
    return 'not settled';
  }
}

/**
 * Reads the message. One that was moved back from the dead-letter queue begins again at its first attempt; an
 * unreadable one goes to the dead-letter queue unchanged.
 */
async function readMessage({ received, steps, rules: { logger } }: SqsDelivery): Promise<SqsEnvelope | SqsFate> {
  try {
    const message = readSqsEnvelope(received.body);
    if (message.death !== undefined) return revived(message, received.sentAt);
    // A message that SQS itself has moved back was sent after it was due, and a copy that waits before.
    const wasMovedBack = received.sentAt > (message.dueAt ?? 0);
    return wasMovedBack ? { ...message, acceptedAt: Math.max(message.acceptedAt, received.sentAt) } : message;
  } catch (error) {
    if (error instanceof NewerFormatError) {
      logger.event('queue.message_of_newer_version', { reason: describeError(error.cause) });
      return hide(steps, NEWER_FORMAT_PAUSE_MS);
    }
    logger.event('queue.dead_letter_unreadable', { reason: describeError(error) });
    return bury(steps, received.body);
  }
}

/** Makes one attempt at a message that is due, and settles the message by the outcome. */
async function handleMessage(delivery: SqsDelivery, message: SqsEnvelope, handle: SqsHandler): Promise<SqsFate> {
  const { received, steps, rules } = delivery;
  const earlyMs = (message.dueAt ?? 0) - rules.now();
  if (earlyMs > EARLY_MS) return delay(delivery, message, earlyMs);
  const { job, payload } = message;
  const attempts = message.attempts + 1;
  const log = rules.logger.child({ jobId: job.jobId, kind: job.kind, attempt: attempts });
  const sealed = 'sealed' in payload ? payload.sealed : await steps.readBody(payload.key);
  if (sealed === undefined) {
    log.event('queue.body_gone');
    // The gateways read the dead-letter queue, and know whether the job was done.
    return deadLetter(steps, message, { ...BODY_GONE, attempts });
  }
  const sent = { ...received, ...message };
  const outcome = await handle({ ...job, payload: sealed }, attempts, sent).catch((error: unknown): SqsOutcome => {
    const reason = describeError(error);
    log.event('queue.handler_failed', { reason });
    return { kind: 'retry', reason };
  });
  if (outcome.kind === 'done') {
    await steps.delete();
    await removeBodyOf(message, steps, log);
    return 'gone';
  }
  if (outcome.kind === 'delay') return delay(delivery, message, outcome.delayMs);
  if (outcome.kind === 'dead' || attempts >= rules.maxAttempts)
    return deadLetter(steps, message, { ...outcome, attempts });
  const failed = { ...message, job: { ...job, failedAt: rules.now() }, attempts };
  return resend(delivery, failed, rules.backOffMs(attempts));
}

/** Delays a message. It is sent again as a new one before its receives, hours or days reach a limit of SQS. */
function delay(delivery: SqsDelivery, message: SqsEnvelope, delayMs: number): Promise<SqsFate> {
  const { receiveCount, sentAt, receivedAt } = delivery.received;
  const { maxReceives, maxAgeMs, now } = delivery.rules;
  const isOld = now() + delayMs - sentAt > maxAgeMs;
  const hiddenFor = wholeSeconds(now() - receivedAt) + wholeSeconds(delayMs);
  const isResent = isOld || receiveCount >= maxReceives || hiddenFor > MAX_VISIBILITY_SECONDS;
  return isResent ? resend(delivery, message, delayMs) : hide(delivery.steps, delayMs);
}

async function hide(steps: SqsSteps, ms: number): Promise<SqsFate> {
  await steps.hide(wholeSeconds(ms));
  return 'comes again';
}

async function resend({ steps, rules }: SqsDelivery, message: SqsEnvelope, delayMs: number): Promise<SqsFate> {
  const anew = writeSqsEnvelope({ ...message, dueAt: rules.now() + delayMs });
  await steps.send(anew, message.job.kind, Math.min(wholeSeconds(delayMs), MAX_DELAY_SECONDS));
  await steps.delete();
  return 'gone';
}

function deadLetter(steps: SqsSteps, message: SqsEnvelope, { reason, status, attempts }: DeathCause): Promise<SqsFate> {
  const death = { reason: reason.slice(0, MAX_REASON_LENGTH), ...present({ status }), attempts };
  return bury(steps, writeSqsEnvelope({ ...message, attempts, death }));
}

async function bury(steps: SqsSteps, dead: string): Promise<SqsFate> {
  await steps.bury(dead);
  await steps.delete();
  return 'gone';
}

/** Returns the job of a message, for the log; an empty object if it cannot be read. */
export function jobIn(body: string): Partial<Pick<JobMessage, 'jobId' | 'kind'>> {
  try {
    const { jobId, kind } = readSqsEnvelope(body).job;
    return { jobId, kind };
  } catch {
    return {};
  }
}

/** Removes the body of a deleted message. If that fails, the clean-up of old reports removes it. */
export async function removeBodyOf(
  { payload }: SqsEnvelope,
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
