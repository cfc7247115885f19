import { LRUCache } from 'lru-cache';
import { LONGEST_RECORD_DAYS } from '../../../base/config/config.js';
import type { StoreProbe } from '../../../objects/store-probe.js';
import { faultsOf } from '../job-engine.js';
import type { Attempts } from '../../record/job-queue.js';
import { MAX_MESSAGE_AGE_MS, MAX_RECEIVES, type SqsRules } from '../../record/sqs-delivery.js';
import { isObject } from '../../record/stored-fields.js';
import type { Logger } from '../../../base/logging/logger.js';
import type { BodyStore } from '../../../objects/object-store.js';
import type { RedisJobStore } from '../redis/job-store.js';
import type { SqsClient } from './queue-client.js';

export interface SqsParts {
  readonly client: SqsClient;
  readonly queueUrl: string;
  readonly facts: () => Promise<QueueFacts>;
  readonly bodies: BodyStore;
  readonly store: RedisJobStore;
  readonly logger: Logger;
  readonly delivery: SqsDeliverySettings;
}

export interface SqsDeliverySettings extends Attempts {
  /** Time for which a job may stay unseen after its deadline before its message counts as lost, in milliseconds. */
  readonly patienceMs: number;
  /** Time after which a silent consumer loses its message; 60,000 by default. A live one extends it in each third. */
  readonly leaseMs?: number;
  /** Length of an empty poll, in seconds, from 1 to 4; 3 by default. Closing waits for it. */
  readonly waitSeconds?: number;
}

export interface QueueFacts extends Pick<SqsRules, 'maxReceives' | 'maxAgeMs'> {
  readonly deadLetterUrl: string | undefined;
}

export const NO_DEAD_LETTER_QUEUE =
  'The queue names no dead-letter queue. Set RedrivePolicy, with maxReceiveCount 1000 and the ARN of one.';

/** Time for which the settings of the queue are cached, in milliseconds. They may change while the process runs. */
const FRESH_MS = 5 * 60 * 1000;

/** Returns a function that finds the settings of a queue, which are cached for a while. */
export function createQueueFacts(client: SqsClient, url: string): () => Promise<QueueFacts> {
  // After a failure the next caller queries them again.
  const fetchMethod = (): Promise<QueueFacts> => askFacts(client, url);
  const cache = new LRUCache<string, QueueFacts>({ max: 1, ttl: FRESH_MS, fetchMethod });
  return () => cache.forceFetch(url);
}

async function askFacts(client: SqsClient, url: string): Promise<QueueFacts> {
  const { RedrivePolicy, MessageRetentionPeriod } = await client.attributes(
    url,
    'RedrivePolicy',
    'MessageRetentionPeriod',
  );
  const policy = redrivePolicy(RedrivePolicy);
  return {
    deadLetterUrl: policy && (await client.urlOf(policy.target)),
    maxReceives: policy ? Math.max(1, Math.min(MAX_RECEIVES, Math.floor(policy.maxReceives / 2))) : MAX_RECEIVES,
    maxAgeMs: Math.min(MAX_MESSAGE_AGE_MS, (Number(MessageRetentionPeriod ?? Infinity) * 1000) / 2),
  };
}

/** Parses a queue's rule for messages that were received too often; undefined without one. */
function redrivePolicy(
  text: string | undefined,
): { readonly target: string; readonly maxReceives: number } | undefined {
  if (text === undefined || text === '') return undefined;
  const policy: unknown = JSON.parse(text);
  if (!isObject(policy) || typeof policy['deadLetterTargetArn'] !== 'string') return undefined;
  // Both spellings of the number are in use: 5 and "5".
  return { target: policy['deadLetterTargetArn'], maxReceives: Number(policy['maxReceiveCount']) };
}

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
