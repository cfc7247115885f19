import type { JobIdentity } from '../../job-record/job-record.js';
import type { JobMessage } from '../../job-record/job-queue.js';
import { revived, writeSqsMessage } from '../../job-record/sqs-message.js';
import { createRecordedJobs, type Acceptance } from '../redis/recorded-jobs.js';
import type { RedisConnection } from '../redis/connection.js';
import type { SharedQueue } from '../redis/recorded-jobs.js';
import { startSqsConsumer } from './consumer.js';
import { SqsDeadLetters } from './dead-letters.js';
import { packMessage } from './payloads.js';
import { KnownQueue } from './queue-facts.js';
import type { SqsParts } from './sqs-parts.js';

/** Options of the queue; it creates the other parts itself. */
export interface SqsQueueOptions extends Omit<SqsParts, 'known'> {
  readonly redis: RedisConnection;
}

/**
 * Creates the queue on Amazon SQS, which keeps messages and dead letters, hides held ones and counts receives; attempts
 * are in the messages. Records are in Redis. The two cannot share a transaction; a failed enqueue ends the record, and
 * a sweep ends orphans of a crash.
 */
export function createSqsQueue({ redis, ...given }: SqsQueueOptions): SharedQueue {
  const { store, logger, client, queueUrl, bodies, delivery } = given;
  const parts: SqsParts = { ...given, known: new KnownQueue(client, queueUrl) };
  const deadLetters = new SqsDeadLetters(parts);
  // SQS cannot be queried for a message: one unseen for long enough counts as lost.
  const isDeliverable = (): Promise<boolean> => Promise.resolve(false);
  const recorded = createRecordedJobs({ redis, store, logger, isDeliverable });

  /** The message of a job with a record may be in the queue, or among the dead letters, which it then replaces. */
  async function enqueue(message: JobMessage, { isNew, acceptedAt }: Acceptance): Promise<void> {
    const send = async (): Promise<void> =>
      client.send(queueUrl, await packMessage(message, acceptedAt, bodies), message.kind);
    if (isNew) return send();
    const isDead = await deadLetters.take(message, send);
    if (!isDead && (await store.read(message))?.state === 'finished') await send();
  }

  return {
    submit: (message) => recorded.submit(message, (acceptance) => enqueue(message, acceptance)),
    consume: (handler, options) => startSqsConsumer(parts, handler, options, (job) => recorded.seen(job)),
    deadLetters: () => deadLetters.list(),
    deadMessage: (job) => deadLetters.message(job),
    replay: (job: JobIdentity) =>
      deadLetters.take(job, async (dead) => {
        await recorded.reopen(job);
        await client.send(queueUrl, writeSqsMessage(revived(dead, Date.now())), job.kind);
      }),
    queued: () => Promise.resolve(undefined),
    async load() {
      const [{ waiting, hidden }, dead] = await Promise.all([client.counts(queueUrl), deadLetters.count()]);
      const oldestSince = waiting + hidden > 0 ? await recorded.oldestWaiting() : undefined;
      return { waiting, inHand: hidden, deadLetters: dead, oldestSince };
    },
    sweepOrphans: ({ olderThanMs, ...options }) =>
      recorded.sweep({ ...options, olderThanMs: olderThanMs + delivery.patienceMs }, () => deadLetters.collect()),
    close: () => {
      client.close();
      bodies.close();
      return Promise.resolve();
    },
  };
}
