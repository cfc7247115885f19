import { once } from 'node:events';
import { KeyRing } from '../../../src/config/key-ring.js';
import type { RedisConnection } from '../../../src/engines/redis/connection.js';
import type { RedisJobStore } from '../../../src/engines/redis/job-store.js';
import type { SharedQueue } from '../../../src/engines/redis/shared-queue.js';
import type { Logger } from '../../../src/logging/logger.js';
import { startDeliveries } from '../../../src/queue-function/consume.js';

/** What a queue function of the tests has opened, and whom it calls. */
export interface ConsumedQueue {
  readonly redis: RedisConnection;
  readonly jobStore: RedisJobStore;
  readonly queue: SharedQueue;
  readonly logger: Logger;
  readonly gatewayUrl: string;
  readonly apiKey: string;
  /** As `JOB_ENCRYPTION_KEY` has it. */
  readonly masterKey: string;
}

/** Delivers one message after another until SIGTERM, as the program does; writes a line when it begins. */
export async function consumeUntilStopped({ redis, masterKey, ...options }: ConsumedQueue): Promise<void> {
  const keyRing = new KeyRing([Buffer.from(masterKey, 'base64url')]);
  const settings = { keyRing, signingSecrets: undefined, deadlineMs: 60_000, concurrency: 1 };
  const deliveries = startDeliveries({ ...options, ...settings });
  process.stdout.write('consuming\n');
  await once(process, 'SIGTERM');
  await deliveries.close(0);
  await options.queue.close();
  await redis.close();
}
