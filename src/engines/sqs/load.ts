import { NewerFormatError } from '../../job-record/format.js';
import type { QueueLoad } from '../../job-record/job-queue.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { SqsParts } from './sqs-parts.js';

/**
 * How much there is in the queue: what SQS counts, and, of what is hidden, how much only waits. How old the oldest is
 * SQS does not say; the ledger knows when jobs were accepted, and their records whether somebody else has handled them.
 */
export async function sqsLoad({ known, ledger, overview, store }: SqsParts): Promise<QueueLoad> {
  const [{ visible, hidden, delayed }, figures] = await Promise.all([known.counts(), overview.figures()]);
  const putOff = Math.min(hidden, Math.max(0, figures.delayed - delayed));
  return {
    waiting: visible + delayed + putOff,
    inHand: hidden - putOff,
    deadLetters: figures.dead,
    oldestSince: await oldestOf(figures.oldest, { ledger, store }),
  };
}

async function oldestOf(
  messages: Awaited<ReturnType<SqsParts['overview']['figures']>>['oldest'],
  { ledger, store }: Pick<SqsParts, 'ledger' | 'store'>,
): Promise<number | undefined> {
  for (const { job, acceptedAt } of messages) {
    if (!(await isHandled(job, store))) return acceptedAt;
    // Somebody handled it who keeps no ledger.
    await ledger.forget([job]);
  }
  return undefined;
}

async function isHandled(job: JobIdentity, store: SqsParts['store']): Promise<boolean> {
  try {
    return (await store.read(job))?.result?.status === 200;
  } catch (error) {
    // It waits for somebody who can read it.
    if (error instanceof NewerFormatError) return false;
    throw error;
  }
}
