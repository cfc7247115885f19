import { createHash } from 'node:crypto';
import type { JobMessage } from '../../job-record/job-queue.js';
import { jobRecordKey } from '../../job-record/job-record.js';
import { writeSqsMessage, type SqsMessage } from '../../job-record/sqs-message.js';
import type { BodyStore } from '../../objects/body-store.js';
import { BODY_PREFIX } from '../../objects/retention.js';

/**
 * Largest message in bytes, attributes included, that every queue takes: all there was until August 2025, and still
 * what queues from before have as their MaximumMessageSize (Amazon SQS, "Message quotas"; 1,048,576 since then).
 */
export const MAX_MESSAGE_BYTES = 262_144;

/** Kept free for attributes, and for why a message becomes a dead letter. */
const RESERVED_BYTES = 8_192;

/** A message ready to be sent; its payload goes to the store of large bodies when it is too large for the queue. */
export async function packMessage(
  { payload, ...job }: JobMessage,
  own: Pick<SqsMessage, 'generation' | 'acceptedAt'>,
  bodies: BodyStore,
): Promise<SqsMessage> {
  const message = { job, attempts: 0, ...own };
  const whole: SqsMessage = { ...message, payload: { sealed: payload } };
  if (writeSqsMessage(whole).length <= MAX_MESSAGE_BYTES - RESERVED_BYTES) return whole;
  const key = bodyKey(job, own.generation);
  await bodies.put(key, payload);
  return { ...message, payload: { key } };
}

/** The message of a job, its payload included; undefined when that is not in the store of large bodies any more. */
export async function unpackMessage({ job, payload }: SqsMessage, bodies: BodyStore): Promise<JobMessage | undefined> {
  if ('sealed' in payload) return { ...job, payload: payload.sealed };
  const sealed = await bodies.get(payload.key);
  return sealed === undefined ? undefined : { ...job, payload: sealed };
}

/** Identities may be longer than the keys of a store. */
function bodyKey(job: SqsMessage['job'], generation: number): string {
  return `${BODY_PREFIX}${createHash('sha256').update(jobRecordKey(job)).digest('hex')}/${generation}`;
}
