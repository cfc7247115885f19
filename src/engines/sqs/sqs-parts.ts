import type { BodyStore } from '../../objects/object-store.js';
import type { Logger } from '../../logging/logger.js';
import type { RedisJobStore } from '../redis/job-store.js';
import type { SqsClient } from './queue-client.js';
import type { KnownQueue } from './queue-facts.js';

export interface SqsParts {
  readonly client: SqsClient;
  readonly queueUrl: string;
  readonly known: KnownQueue;
  readonly bodies: BodyStore;
  readonly store: RedisJobStore;
  readonly logger: Logger;
  readonly delivery: SqsDeliverySettings;
}

export interface SqsDeliverySettings {
  /** Maximum number of deliveries before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Time after its deadline for which a job may wait unseen before its message counts as lost. */
  readonly patienceMs: number;
  /** Returns the wait after the given failed attempt, counted from 1; by default that of every queue. */
  readonly backOffMs?: (attempt: number) => number;
  /**
   * Time after which a silent consumer loses its message; 60,000 by default. A live consumer renews it every third of
   * that.
   */
  readonly leaseMs?: number;
  /** Length of an empty poll, in seconds, from 1 to 4; 3 by default. Closing waits for it. */
  readonly waitSeconds?: number;
}
