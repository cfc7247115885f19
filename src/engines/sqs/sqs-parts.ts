import type { BodyStore } from '../../objects/body-store.js';
import type { Logger } from '../../logging/logger.js';
import type { RedisJobStore } from '../redis/job-store.js';
import type { SqsClient } from './queue-client.js';
import type { KnownQueue } from './queue-facts.js';

/** What the queue on SQS is made of. */
export interface SqsParts {
  readonly client: SqsClient;
  readonly queueUrl: string;
  readonly known: KnownQueue;
  readonly bodies: BodyStore;
  /** Where the records of its jobs are. */
  readonly store: RedisJobStore;
  readonly logger: Logger;
  readonly delivery: SqsDeliverySettings;
}

/** How messages are delivered again; times in milliseconds. */
export interface SqsDeliverySettings {
  /** Deliveries before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** How long after its deadline a job may wait unseen before its message counts as lost. */
  readonly patienceMs: number;
  /** Wait after the given failed attempt, counted from 1; by default that of every queue. */
  readonly backOffMs?: (attempt: number) => number;
  /**
   * How long a message belongs to a consumer that gives no sign of life; 60,000 by default. A live consumer renews it
   * every third of that.
   */
  readonly leaseMs?: number;
  /** Length of a poll that finds nothing, in seconds, from 1 to 4; 3 by default. Closing waits for it. */
  readonly waitSeconds?: number;
}
