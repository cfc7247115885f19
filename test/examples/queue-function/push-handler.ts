/**
 * A queue function for platforms that hand it one message after the other and count a throw as an attempt, as most do
 * (Amazon SQS with Lambda, Azure Queue Storage, Google Cloud Tasks): what is no failure must not be thrown.
 */
import type { Deliver, JobMessage } from 'vehicle-location-gateway-deliver';

/** What lies in the platform's queue. */
export interface Envelope {
  readonly job: JobMessage;
  /** Attempts that failed before the message was put back: its copies are new messages to the platform. */
  readonly failedBefore: number;
}

/** What the handler needs of the platform. */
export interface Platform {
  /** Puts a message into the queue, to be delivered after the delay; in parts where the platform knows a longest one. */
  sendLater(envelope: Envelope, delayMs: number): Promise<void>;
  sendToDeadLetters(envelope: Envelope, reason: string): Promise<void>;
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
    const outcome = await deliver(envelope.job);
    switch (outcome.kind) {
      case 'done':
        return;
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
