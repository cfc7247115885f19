import { NewerFormatError } from '../job-record/format.js';
import { backOffMs, type JobMessage } from '../job-record/job-queue.js';
import {
  MAX_DELAY_SECONDS,
  MAX_RECEIVES,
  MAX_VISIBILITY_SECONDS,
  readSqsMessage,
  revived,
  wholeSeconds,
  writeSqsMessage,
  type SqsDeath,
  type SqsMessage,
} from '../job-record/sqs-message.js';
import type { DeliveryOutcome } from '../job-record/delivery-outcome.js';

/* For a function that Amazon SQS calls with messages of the queue (AWS Lambda with `ReportBatchItemFailures`). */

/** A batch of messages, as AWS Lambda hands it over. */
export interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}

/** One message of it. */
export interface SqsRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

/** Messages that come again; SQS deletes the others. */
export interface SqsBatchResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/** What is asked of SQS; `new SQS({})` of `@aws-sdk/client-sqs` can do it. */
export interface SqsCalls {
  sendMessage(input: {
    readonly QueueUrl: string;
    readonly MessageBody: string;
    readonly DelaySeconds?: number;
    readonly MessageAttributes?: Record<string, { readonly DataType: string; readonly StringValue: string }>;
  }): Promise<unknown>;
  changeMessageVisibility(input: {
    readonly QueueUrl: string;
    readonly ReceiptHandle: string;
    readonly VisibilityTimeout: number;
  }): Promise<unknown>;
}

/** How messages are handled. */
export interface SqsHandlerOptions {
  /** Calls the callback of a job. */
  readonly deliver: (message: JobMessage) => Promise<DeliveryOutcome>;
  readonly sqs: SqsCalls;
  /** `SQS_QUEUE_URL` of the gateway. */
  readonly queueUrl: string;
  /** Where messages go that are not to be tried again; the gateways end their jobs. */
  readonly deadLetterQueueUrl: string;
  /** Reads a body that was too large for its message, by its key in the object store; undefined when it is gone. */
  readonly readBody?: (key: string) => Promise<string | undefined>;
  /** Removes it when its job is done; without this, whatever removes old reports does. */
  readonly removeBody?: (key: string) => Promise<void>;
  /** Attempts before a message goes to the dead letters; 5 by default, like `QUEUE_MAX_ATTEMPTS` of the gateway. */
  readonly maxAttempts?: number;
  /** Receives after which a message that is put off is sent anew; half of the queue's `maxReceiveCount` or less. */
  readonly maxReceives?: number;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
}

const MAX_ATTEMPTS = 5;

/** When a message that a newer version has written may be looked at again. */
const NEWER_FORMAT_PAUSE_MS = 60_000;

/** What becomes of a message: SQS deletes it, or it comes again. */
type Fate = 'settled' | 'comes again';

/**
 * Creates the handler of a function that SQS calls. Attempts are counted in the messages: one that failed is sent anew
 * before the old one is deleted. After a crash between the two there are both, which is harmless, because a job runs
 * once whoever asks for it.
 *
 * The handler never throws: a message that could not be settled comes again.
 */
export function createSqsHandler(options: SqsHandlerOptions): (event: SqsEvent) => Promise<SqsBatchResponse> {
  return async ({ Records }) => {
    const fates = await Promise.all(Records.map((record) => fateOf(record, options)));
    const comeAgain = Records.filter((_, index) => fates[index] === 'comes again');
    return { batchItemFailures: comeAgain.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

async function fateOf(record: SqsRecord, options: SqsHandlerOptions): Promise<Fate> {
  try {
    return await handle(record, options);
  } catch {
    // When its time to be hidden is over.
    return 'comes again';
  }
}

async function handle(record: SqsRecord, options: SqsHandlerOptions): Promise<Fate> {
  const { deliver, now = Date.now, maxAttempts = MAX_ATTEMPTS } = options;
  const message = await read(record, options);
  if (typeof message === 'string') return message;
  const untilDue = (message.dueAt ?? 0) - now();
  if (untilDue >= 1_000) return putOff(record, message, untilDue, options);
  const job = await unpack(message, options);
  const attempts = message.attempts + 1;
  if (job === undefined) {
    const reason = 'The body of the job message is not in the object store any more.';
    return addDeadLetter(message, { reason, status: 500, attempts }, options);
  }
  const outcome = await deliver(job);
  switch (outcome.kind) {
    case 'done':
      await removeBody(message, options);
      return 'settled';
    case 'delay':
      return putOff(record, message, outcome.delayMs, options);
    case 'retry':
      if (attempts < maxAttempts) return sendAnew({ ...message, attempts }, backOffMs(attempts), options);
      return addDeadLetter(message, { ...outcome, attempts }, options);
    case 'final':
      return addDeadLetter(message, { ...outcome, attempts }, options);
  }
}

/** One that somebody moved back from the dead letters begins anew; what is no message goes there as it is. */
async function read({ body, receiptHandle }: SqsRecord, options: SqsHandlerOptions): Promise<SqsMessage | Fate> {
  try {
    const message = readSqsMessage(body);
    return message.death === undefined ? message : revived(message);
  } catch (error) {
    if (error instanceof NewerFormatError) return hide(receiptHandle, NEWER_FORMAT_PAUSE_MS, options);
    await options.sqs.sendMessage({ QueueUrl: options.deadLetterQueueUrl, MessageBody: body });
    return 'settled';
  }
}

async function unpack({ job, payload }: SqsMessage, { readBody }: SqsHandlerOptions): Promise<JobMessage | undefined> {
  if ('sealed' in payload) return { ...job, payload: payload.sealed };
  if (readBody === undefined) throw new TypeError('The body of a job is in the object store; give readBody.');
  const sealed = await readBody(payload.key);
  return sealed === undefined ? undefined : { ...job, payload: sealed };
}

/** What is left is removed with old reports. */
async function removeBody({ payload }: SqsMessage, { removeBody: remove }: SqsHandlerOptions): Promise<void> {
  if ('key' in payload) await remove?.(payload.key).catch(() => undefined);
}

/** Not now. What SQS counts of receives begins anew now and then, so that it makes no dead letter of patience. */
async function putOff(
  { receiptHandle, attributes }: SqsRecord,
  message: SqsMessage,
  delayMs: number,
  options: SqsHandlerOptions,
): Promise<Fate> {
  const { maxReceives = MAX_RECEIVES } = options;
  if (Number(attributes.ApproximateReceiveCount) >= maxReceives) return sendAnew(message, delayMs, options);
  return hide(receiptHandle, delayMs, options);
}

async function hide(receiptHandle: string, ms: number, { sqs, queueUrl }: SqsHandlerOptions): Promise<Fate> {
  const seconds = Math.min(wholeSeconds(ms), MAX_VISIBILITY_SECONDS);
  await sqs.changeMessageVisibility({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds });
  return 'comes again';
}

async function sendAnew(
  message: SqsMessage,
  delayMs: number,
  { sqs, queueUrl, now = Date.now }: SqsHandlerOptions,
): Promise<Fate> {
  await sqs.sendMessage({
    QueueUrl: queueUrl,
    MessageBody: writeSqsMessage({ ...message, dueAt: now() + delayMs }),
    DelaySeconds: Math.min(wholeSeconds(delayMs), MAX_DELAY_SECONDS),
    MessageAttributes: { kind: { DataType: 'String', StringValue: message.job.kind } },
  });
  return 'settled';
}

async function addDeadLetter(
  message: SqsMessage,
  { reason, status, attempts }: Required<SqsDeath>,
  { sqs, deadLetterQueueUrl }: SqsHandlerOptions,
): Promise<Fate> {
  const body = writeSqsMessage({ ...message, attempts, death: { reason, status, attempts } });
  await sqs.sendMessage({ QueueUrl: deadLetterQueueUrl, MessageBody: body });
  return 'settled';
}
