import type { JobIdentity } from '../../job-record/job-record.js';
import { writeSqsMessage, type SqsMessage } from '../../job-record/sqs-message.js';
import type { SqsParts } from './sqs-parts.js';

/**
 * Sends a message of a job, once of all who want to, and notes it.
 *
 * A crash between sending and noting loses nothing: whoever receives a message notes it as well. One before sending
 * leaves what there was: a dead letter, or a record that the sweep ends.
 *
 * @param onlyDead whether only a dead letter is to be sent
 * @param pack makes the message, of this generation; `dead` is the dead letter it replaces, empty when there is none
 * @returns false when there was nothing to send
 * @throws {ServiceUnavailableError} when SQS, Redis or the store of large bodies cannot be reached
 */
export async function sendNoted(
  job: JobIdentity,
  { client, queueUrl, ledger }: Pick<SqsParts, 'client' | 'queueUrl' | 'ledger'>,
  onlyDead: boolean,
  pack: (place: { readonly generation: number; readonly dead: string }) => Promise<SqsMessage>,
): Promise<boolean> {
  const place = await ledger.beginSending(job, onlyDead);
  if (place === undefined) return false;
  let message: SqsMessage;
  try {
    message = await pack(place);
    await client.send(queueUrl, writeSqsMessage(message), job.kind);
  } catch (error) {
    // Otherwise the next who tries has to wait, and a request that was only late would run the job.
    await ledger.notSent(job, place.generation).catch(() => undefined);
    throw error;
  }
  // It is on its way, and noted by whoever receives it.
  await ledger.sent(job, place.generation, message.acceptedAt).catch(() => undefined);
  return true;
}
