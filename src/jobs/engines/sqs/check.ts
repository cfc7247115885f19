import { LONGEST_RECORD_DAYS } from '../../../base/config/longest-record.js';
import type { StoreProbe } from '../../../objects/store-probe.js';
import { faultsOf } from '../job-engine.js';
import type { SqsClient } from './queue-client.js';
import { NO_DEAD_LETTER_QUEUE, redrivePolicy } from './queue-facts.js';

/**
 * Maximum size of a message that every queue takes, in bytes, attributes included. It was the limit until August 2025
 * and is still the MaximumMessageSize of older queues; new ones take 1,048,576 (Amazon SQS, "Message quotas").
 */
export const MAX_MESSAGE_BYTES = 262_144;

/** Minimum number of receives that a queue should allow before it makes a dead letter by itself. */
const MIN_RECEIVES = 100;

/** Minimum retention of messages: that of a record whose job waits. */
const MIN_RETENTION_SECONDS = LONGEST_RECORD_DAYS * 24 * 60 * 60;

/** Checks at start-up that the queue can be used. @returns one line per fault, with the remedy */
export async function checkSqs(client: SqsClient, queueUrl: string): Promise<readonly string[]> {
  try {
    const names = ['RedrivePolicy', 'MaximumMessageSize', 'MessageRetentionPeriod'] as const;
    const { RedrivePolicy, MaximumMessageSize, MessageRetentionPeriod } = await client.attributes(queueUrl, ...names);
    const faults: string[] = [];
    const policy = redrivePolicy(RedrivePolicy);
    if (policy === undefined) faults.push(NO_DEAD_LETTER_QUEUE);
    else if (policy.maxReceives < MIN_RECEIVES) {
      faults.push(
        `The queue makes dead letters after ${policy.maxReceives} receives, while QUEUE_MAX_ATTEMPTS says when a job is ` +
          `one. Set maxReceiveCount in its redrive policy to 1000.`,
      );
    }
    if (Number(MaximumMessageSize ?? Infinity) < MAX_MESSAGE_BYTES) {
      faults.push(
        `The queue takes messages of ${MaximumMessageSize} bytes. Set MaximumMessageSize to ${MAX_MESSAGE_BYTES} or more.`,
      );
    }
    faults.push(...retentionFaults('queue', MessageRetentionPeriod));
    if (policy === undefined) return faults;
    // This rejects if the queue does not exist, or access to it is denied.
    const dead = await client.attributes(await client.urlOf(policy.target), 'MessageRetentionPeriod');
    return [...faults, ...retentionFaults('dead-letter queue', dead.MessageRetentionPeriod)];
  } catch (error) {
    return faultsOf(error);
  }
}

function retentionFaults(queue: string, seconds: string | undefined): readonly string[] {
  if (Number(seconds ?? Infinity) >= MIN_RETENTION_SECONDS) return [];
  return [
    `The ${queue} forgets messages after ${seconds} s. Set its MessageRetentionPeriod to 1209600 (14 days), ` +
      `or to ${MIN_RETENTION_SECONDS} at least.`,
  ];
}

/**
 * Creates the probe of the queue and of the records of its jobs. A write to SQS would leave a message behind, so the
 * queue is only checked for an answer.
 */
export function sqsProbe(client: SqsClient, queueUrl: string, records: StoreProbe): StoreProbe {
  const checkBoth = (check: 'ping' | 'write') => async (): Promise<void> => {
    await Promise.all([client.attributes(queueUrl, 'QueueArn'), records[check]()]);
  };
  return { ping: checkBoth('ping'), write: checkBoth('write'), isInDoubt: () => records.isInDoubt() };
}
