import { describeError, ServiceUnavailableError } from '../../errors.js';
import { NewerFormatError } from '../../job-record/format.js';
import { readSqsMessage, type SqsMessage } from '../../job-record/sqs-message.js';
import type { ReceivedMessage } from './queue-client.js';
import type { SqsParts } from './sqs-parts.js';

/** How long messages are hidden while they are looked at. */
const HIDDEN_SECONDS = 60;

/** Messages looked at in one go; the next one goes on. */
const MAX_MESSAGES = 1_000;

/** Why a message is in the dead-letter queue that says nothing of it: SQS itself has put it there. */
const NOT_SETTLED = 'SQS delivered it as often as the queue allows, and nobody settled it.';

/**
 * Looks through the dead-letter queue, which others fill as well: SQS itself, and functions that it calls. What died
 * there is noted as a dead letter and its record ends as a failure; copies of what was replayed, or handled after all,
 * are deleted.
 */
export async function collectDeadLetters(parts: SqsParts): Promise<void> {
  const { client, known } = parts;
  const { deadLetterUrl } = await known.facts();
  if (deadLetterUrl === undefined) return;
  const kept: ReceivedMessage[] = [];
  let looked = 0;
  while (looked < MAX_MESSAGES) {
    // A short wait asks all servers of SQS; without one, only some of them.
    const batch = await client.receive(deadLetterUrl, { max: 10, waitSeconds: 1, visibilitySeconds: HIDDEN_SECONDS });
    if (batch.length === 0) break;
    looked += batch.length;
    for (const received of batch) {
      if (await isKept(received, parts)) kept.push(received);
      else await client.delete(deadLetterUrl, received);
    }
  }
  // For everybody else who looks at it.
  for (const received of kept) await client.setVisibility(deadLetterUrl, received, 0);
}

async function isKept(received: ReceivedMessage, parts: SqsParts): Promise<boolean> {
  try {
    return await isDead(readSqsMessage(received.body), received, parts);
  } catch (error) {
    // Of the message, or of its record: for somebody who can read it.
    if (error instanceof NewerFormatError) return true;
    if (error instanceof ServiceUnavailableError) throw error;
    parts.logger.event('queue.dead_letter_unreadable', { reason: describeError(error) });
    return true;
  }
}

/** Whether a message is a dead letter, or is left alone for now; one that nobody has noted is noted. */
async function isDead(message: SqsMessage, { body }: ReceivedMessage, parts: SqsParts): Promise<boolean> {
  const { ledger, store, logger } = parts;
  const { job, generation } = message;
  const standing = await ledger.look(job);
  if (standing !== undefined && standing.generation > generation) return false;
  if (standing?.generation === generation && standing.fate !== 'queued') return standing.fate !== 'done';
  const { reason, status = 503, attempts } = message.death ?? { reason: NOT_SETTLED, attempts: message.attempts + 1 };
  const result = { status, body: JSON.stringify({ message: reason }) };
  const ended = await store.fail(job, job.described, result);
  const record = ended ? undefined : await store.read(job);
  if (record?.result?.status === 200) {
    await ledger.done(job, generation);
    return false;
  }
  // Its own end is the one that counts, and is seen next time.
  if (record?.state === 'running') return true;
  const died = await ledger.die(job, { generation, reason, attempts, body }, true);
  if (died && ended) {
    const { jobId, kind, org } = job;
    logger.event('delivery.dead_letter', { jobId, kind, org, status, reason });
  }
  return true;
}
