import { redisProbes } from '../redis/check.js';
import type { OpenQueue } from '../redis/open-redis.js';
import { checkSqs, sqsProbe } from './check.js';
import { SqsClient } from './queue-client.js';
import type { SqsParts } from './sqs-parts.js';
import { createSqsQueue } from './sqs-queue.js';

/** Queue, and store of bodies that are too large for it; both are closed with it. */
export interface SqsOptions extends Pick<SqsParts, 'queueUrl' | 'bodies' | 'logger'> {
  /** Time after its deadline for which a job may wait unseen before its message counts as lost, in milliseconds. */
  readonly patienceMs: number;
}

/** Returns a function that opens a queue on SQS, beside job records in Redis. */
export function openSqsQueue({ queueUrl, bodies, logger, patienceMs }: SqsOptions): OpenQueue {
  return ({ redis, store, maxAttempts }) => {
    const client = new SqsClient(queueUrl, logger);
    const delivery = { maxAttempts, patienceMs };
    return {
      queue: createSqsQueue({ redis, store, client, queueUrl, bodies, logger, delivery }),
      probe: sqsProbe(client, queueUrl, redisProbes(redis).queue),
      check: async () => [...(await checkSqs(client, queueUrl)), ...(await bodies.check())],
    };
  };
}
