import { randomUUID } from 'node:crypto';
import type { JobMessage } from '../../record/job-queue.js';
import type { JobIdentity } from '../../record/job-record.js';
import { isKeyedJobId } from '../../record/keyed-job-id.js';
import { removeBodyOf } from '../../record/sqs-delivery.js';
import { revived, writeSqsEnvelope, type SqsEnvelope } from '../../record/sqs-envelope.js';
import { BODY_PREFIX, type BodyStore } from '../../../objects/object-store.js';
import { redisProbes } from '../redis/check.js';
import type { RedisConnection } from '../redis/connection.js';
import type { OpenQueue } from '../redis/open-redis.js';
import { RecordedJobs, type SharedQueue } from '../redis/recorded-jobs.js';
import { SqsConsumer } from './consumer.js';
import * as deadLetters from './dead-letters.js';
import { SendInDoubtError, SqsClient } from './queue-client.js';
import {
  checkSqs,
  createQueueFacts,
  MAX_MESSAGE_BYTES,
  sqsProbe,
  type SqsDeliverySettings,
  type SqsParts,
} from './queue-facts.js';

/** Queue, and store of bodies that are too large for it, which is closed with it. */
export type SqsOptions = Pick<SqsParts, 'queueUrl' | 'bodies' | 'logger'> & Pick<SqsDeliverySettings, 'patienceMs'>;

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

export interface SqsQueueOptions extends Omit<SqsParts, 'facts'> {
  readonly redis: RedisConnection;
}

/**
 * Creates the queue on Amazon SQS, which keeps messages and dead letters, hides held messages and counts receives. The
 * messages contain the number of attempts. Their records are in Redis, in another transaction: a failed enqueue ends
 * the record, and a sweep ends the records of jobs that a crash left without a message.
 */
export function createSqsQueue({ redis, ...given }: SqsQueueOptions): SharedQueue {
  const { store, logger, client, queueUrl, bodies, delivery } = given;
  const parts: SqsParts = { ...given, facts: createQueueFacts(client, queueUrl) };
  // SQS cannot be queried for a message. One that was not seen for long enough counts as lost.
  const isDeliverable = (): Promise<boolean> => Promise.resolve(false);
  const recorded = new RecordedJobs({ redis, store, logger, isDeliverable });
  const seen = (job: JobIdentity): Promise<void> => recorded.seen(job);

  return {
    submit: (message) => recorded.submit(message, (acceptedAt) => enqueueMessage(parts, message, acceptedAt)),
    async submitAgain(message) {
      const wasSent = await store.wasSent(message);
      if (wasSent === true) return;
      await enqueueMessage(parts, message, Date.now()).catch((error: unknown) => {
        // The first message may run, and the job stays accepted.
        if (wasSent === undefined) throw error;
      });
    },
    consume: (handler, { concurrency }) => new SqsConsumer({ ...parts, handler, concurrency, seen }),
    deadLetters: () => deadLetters.list(parts),
    deadMessage: (job) => deadLetters.message(parts, job),
    replay: (job) =>
      deadLetters.takeLetters(parts, job, async (dead) => {
        await client.send(queueUrl, writeSqsEnvelope(revived(dead, await recorded.reopen(job))), job.kind);
      }),
    drop: (job) => deadLetters.dropLetters(parts, job),
    queued: () => Promise.resolve(undefined),
    async load() {
      const [{ waiting, hidden }, dead] = await Promise.all([client.counts(queueUrl), deadLetters.countLetters(parts)]);
      const oldestSince = waiting + hidden > 0 ? await recorded.oldestWaiting() : undefined;
      return { waiting, inHand: hidden, deadLetters: dead, oldestSince };
    },
    sweepOrphans: ({ olderThanMs, ...options }) =>
      recorded.sweep({ ...options, olderThanMs: olderThanMs + delivery.patienceMs }, () => deadLetters.collect(parts)),
    close: () => {
      client.close();
      bodies.close();
      return Promise.resolve();
    },
  };
}

/**
 * Sends a message. If the job can be ordered again under its id, a note says so, which spares the queue further copies.
 *
 * @throws {ServiceUnavailableError} only if the message was surely not sent
 */
async function enqueueMessage(parts: SqsParts, message: JobMessage, acceptedAt: number): Promise<void> {
  const { client, queueUrl, bodies, store, logger } = parts;
  const { jobId, kind, org } = message;
  const packed = await pack(message, acceptedAt, bodies);
  let isSure = true;
  try {
    await client.send(queueUrl, writeSqsEnvelope(packed), kind);
  } catch (error) {
    if (!(error instanceof SendInDoubtError)) {
      await removeBodyOf(packed, { removeBody: (key) => bodies.remove(key) }, logger);
      throw error;
    }
    logger.event('queue.enqueue_in_doubt', { jobId, kind, org });
    isSure = false;
  }
  // Without the note a copy is sent, which is run once like the first one.
  if (isKeyedJobId(jobId)) await store.noteSent(message, isSure).catch(() => undefined);
}

/** Reserve for attributes, and for the reason of a dead letter. */
const RESERVED_BYTES = 8_192;

/** Makes a new message; a payload too large for the queue goes to the store of large bodies. */
async function pack({ payload, ...job }: JobMessage, acceptedAt: number, bodies: BodyStore): Promise<SqsEnvelope> {
  const whole = { job, attempts: 0, acceptedAt, payload: { sealed: payload } };
  if (writeSqsEnvelope(whole).length <= MAX_MESSAGE_BYTES - RESERVED_BYTES) return whole;
  const key = `${BODY_PREFIX}${randomUUID()}`;
  await bodies.put(key, payload);
  return { ...whole, payload: { key } };
}
