/**
 * A queue function for platforms that hand it one message after the other and count a throw as an attempt, as most do
 * (Amazon SQS with Lambda, Azure Queue Storage, Google Cloud Tasks): what is no failure must not be thrown. Bodies that
 * are too large for a message of the platform lie in a store of yours meanwhile, encrypted as they are.
 */
import type { Deliver, JobMessage } from 'vehicle-location-gateway-deliver';

/** Message of the platform's queue. */
export interface Envelope {
  /** Its payload is empty where it lies in the store. */
  readonly job: JobMessage;
  /** Key of the payload in the store; absent where the message holds it. */
  readonly payloadKey?: string;
  /** Attempts that failed before the message was put back: its copies are new messages to the platform. */
  readonly failedBefore: number;
}

/** Functions of the platform that the handler needs. */
export interface Platform {
  /** Puts a message into the queue, to be delivered after the delay; in parts where the platform knows a longest one. */
  sendLater(envelope: Envelope, delayMs: number): Promise<void>;
  sendToDeadLetters(envelope: Envelope, reason: string): Promise<void>;
  /** Largest message in bytes. Azure Queue Storage takes 64 KiB, and 48 KiB of them where its library writes base64. */
  readonly maxMessageBytes: number;
  /** Store of larger payloads, such as a container of blobs. */
  readonly payloads: {
    put(key: string, payload: string): Promise<void>;
    get(key: string): Promise<string | undefined>;
    remove(key: string): Promise<void>;
  };
}

/** Room for what the envelope holds besides the job, in bytes. */
const ENVELOPE_BYTES = 1_024;

/** Puts a message of the gateway's queue (`job.data` of BullMQ) into that of the platform. */
export async function carryOver(job: JobMessage, platform: Platform): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(job)).length;
  if (bytes + ENVELOPE_BYTES <= platform.maxMessageBytes) return platform.sendLater({ job, failedBefore: 0 }, 0);
  const payloadKey = [job.kind, job.org ?? '', job.jobId].map(encodeURIComponent).join('/');
  await platform.payloads.put(payloadKey, job.payload);
  return platform.sendLater({ job: { ...job, payload: '' }, payloadKey, failedBefore: 0 }, 0);
}

/**
 * Creates the handler. When it returns, the platform removes the message; when it throws, the platform delivers it
 * again after its back-off, and counts.
 */
export function createHandler(
  deliver: Deliver,
  platform: Platform,
  maxAttempts = 5,
): (envelope: Envelope, delivered: number) => Promise<void> {
  /** @param delivered how often the platform has delivered this message, this time included */
  return async (envelope, delivered) => {
    const failed = envelope.failedBefore + delivered - 1;
    const { payloadKey } = envelope;
    const payload = payloadKey === undefined ? envelope.job.payload : await platform.payloads.get(payloadKey);
    if (payload === undefined) return platform.sendToDeadLetters(envelope, 'Its payload is not in the store any more.');
    const outcome = await deliver({ ...envelope.job, payload });
    switch (outcome.kind) {
      case 'done':
        // A copy that comes later finds nothing, and its job has ended.
        return payloadKey === undefined ? undefined : platform.payloads.remove(payloadKey);
      case 'delay':
        // Were it thrown, waiting for others would use up the attempts of this job.
        return platform.sendLater({ ...envelope, failedBefore: failed }, outcome.delayMs);
      case 'retry':
        if (failed + 1 < maxAttempts) throw new Error(outcome.reason);
        return platform.sendToDeadLetters(envelope, outcome.reason);
      case 'final':
        // Were it thrown, it would come again and again, in vain.
        return platform.sendToDeadLetters(envelope, outcome.reason);
    }
  };
}
