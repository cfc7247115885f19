import { randomUUID } from 'node:crypto';
import type { JobMessage } from '../../job-record/job-queue.js';
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

/** The text of a new message; its payload goes to the store of large bodies when it is too large for the queue. */
export async function packMessage(
  { payload, ...job }: JobMessage,
  acceptedAt: number,
  bodies: BodyStore,
): Promise<string> {
  const message = { job, attempts: 0, acceptedAt };
  const whole = writeSqsMessage({ ...message, payload: { sealed: payload } });
  if (whole.length <= MAX_MESSAGE_BYTES - RESERVED_BYTES) return whole;
  const key = `${BODY_PREFIX}${randomUUID()}`;
  await bodies.put(key, payload);
  return writeSqsMessage({ ...message, payload: { key } });
}

/** The message of a job, its payload included; undefined when that is not in the store of large bodies any more. */
export async function unpackMessage({ job, payload }: SqsMessage, bodies: BodyStore): Promise<JobMessage | undefined> {
  const sealed = 'sealed' in payload ? payload.sealed : await bodies.get(payload.key);
  return sealed === undefined ? undefined : { ...job, payload: sealed };
}
