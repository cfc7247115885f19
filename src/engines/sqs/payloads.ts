import { randomUUID } from 'node:crypto';
import type { JobMessage } from '../../job-record/job-queue.js';
import { writeSqsMessage, type SqsMessage } from '../../job-record/sqs-message.js';
import type { BodyStore } from '../../objects/object-store.js';
import { BODY_PREFIX } from '../../objects/retention.js';

/**
 * Maximum message size in bytes, attributes included, that every queue takes: the limit until August 2025, and still
 * the MaximumMessageSize of queues from before (Amazon SQS, "Message quotas"; 1,048,576 since then).
 */
export const MAX_MESSAGE_BYTES = 262_144;

/** Reserve for attributes, and for the reason of a dead letter. */
const RESERVED_BYTES = 8_192;

/** Serialises a new message; a payload too large for the queue goes to the store of large bodies. */
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

/** Returns the message of a job with its payload; undefined if that is gone from the store of large bodies. */
export async function unpackMessage({ job, payload }: SqsMessage, bodies: BodyStore): Promise<JobMessage | undefined> {
  const sealed = 'sealed' in payload ? payload.sealed : await bodies.get(payload.key);
  return sealed === undefined ? undefined : { ...job, payload: sealed };
}
