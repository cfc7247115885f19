import {
  MAX_DELAY_SECONDS,
  MAX_VISIBILITY_SECONDS,
  wholeSeconds,
  writeSqsMessage,
  type SqsMessage,
} from '../../job-record/sqs-message.js';
import type { ReceivedMessage } from './queue-client.js';
import type { SqsParts } from './sqs-parts.js';

/** A message in hand. */
export interface MessageInHand {
  readonly received: ReceivedMessage;
  readonly message: SqsMessage;
  /** When it was received, milliseconds since 1970. */
  readonly receivedAt: number;
}

/**
 * Lets a message come again later.
 *
 * As a rule it stays where it is and is hidden for so long. What SQS counts against that - receives, hours, the days
 * it keeps a message - begins anew with a copy, which is sent before the old one is deleted: after a crash between the
 * two there are both, and the ledger knows them for one.
 *
 * @param attempts how many it has used up
 */
export async function postpone(
  { received, message, receivedAt }: MessageInHand,
  delayMs: number,
  attempts: number,
  { client, queueUrl, known }: Pick<SqsParts, 'client' | 'queueUrl' | 'known'>,
): Promise<void> {
  const { maxReceives, retentionMs } = await known.facts();
  const now = Date.now();
  const seconds = wholeSeconds(delayMs);
  const hiddenFor = wholeSeconds(now - receivedAt) + seconds;
  const isOld = retentionMs > 0 && now + delayMs - received.sentAt > retentionMs / 2;
  if (received.receiveCount < maxReceives && hiddenFor <= MAX_VISIBILITY_SECONDS && !isOld) {
    await client.setVisibility(queueUrl, received, seconds);
    return;
  }
  const copy = writeSqsMessage({ ...message, attempts, dueAt: now + delayMs });
  await client.send(queueUrl, copy, message.job.kind, Math.min(seconds, MAX_DELAY_SECONDS));
  await client.delete(queueUrl, received);
}
