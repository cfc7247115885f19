import { LRUCache } from 'lru-cache';
import { MAX_MESSAGE_AGE_MS, MAX_RECEIVES } from '../../record/sqs-delivery.js';
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

export interface SqsDeliverySettings {
  /** Maximum number of deliveries before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Time for which a job may stay unseen after its deadline before its message counts as lost, in milliseconds. */
  readonly patienceMs: number;
  /** Returns the wait after the given failed attempt, counted from 1; by default that of every queue. */
  readonly backOffMs?: (attempt: number) => number;
  /** Time after which a silent consumer loses its message; 60,000 by default. A live one extends it in each third. */
  readonly leaseMs?: number;
  /** Length of an empty poll, in seconds, from 1 to 4; 3 by default. Closing waits for it. */
  readonly waitSeconds?: number;
}

export interface QueueFacts {
  /** URL of the dead-letter queue; undefined if the queue names none. */
  readonly deadLetterUrl: string | undefined;
  /** Number of receives after which a delayed message is sent again as a new one. */
  readonly maxReceives: number;
  /** Age at which a delayed message is sent again as a new one, in milliseconds. */
  readonly maxAgeMs: number;
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
export function redrivePolicy(
  text: string | undefined,
): { readonly target: string; readonly maxReceives: number } | undefined {
  if (text === undefined || text === '') return undefined;
  const policy: unknown = JSON.parse(text);
  if (!isObject(policy) || typeof policy['deadLetterTargetArn'] !== 'string') return undefined;
  // Both spellings of the number are in use: 5 and "5".
  return { target: policy['deadLetterTargetArn'], maxReceives: Number(policy['maxReceiveCount']) };
}
