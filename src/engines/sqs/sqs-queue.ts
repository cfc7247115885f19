import type { ConsumeOptions, Delivery, Disposition } from '../../job-record/job-queue.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import { RecordedJobs } from '../redis/recorded-jobs.js';
import type { RedisConnection } from '../redis/connection.js';
import type { SharedQueue } from '../redis/shared-queue.js';
import { collectDeadLetters } from './collect-dead-letters.js';
import { SqsConsumer } from './consumer.js';
import { SqsDeadLetters } from './dead-letters.js';
import { SqsLedger } from './ledger.js';
import { SqsLedgerOverview } from './ledger-overview.js';
import { sqsLoad } from './load.js';
import { packMessage } from './payloads.js';
import { KnownQueue } from './queue-facts.js';
import { sendNoted } from './send.js';
import type { SqsParts } from './sqs-parts.js';

/** A message that SQS has not mentioned for so long may be gone, where the queue says that it is empty. */
const SILENCE_MS = 5 * 60 * 1000;

/** What the queue is opened with; the rest it makes itself of that. */
export interface SqsQueueOptions extends Omit<SqsParts, 'known' | 'ledger' | 'overview'> {
  /** Where the ledger is, beside the records. */
  readonly redis: RedisConnection;
}

/**
 * The queue on Amazon SQS. SQS keeps the messages and says when they are delivered; records, attempts and dead letters
 * are in Redis. Records and messages cannot be written in one transaction; a failed enqueue ends the record, and a
 * sweep ends what a crash left behind.
 */
export function createSqsQueue({ redis, ...given }: SqsQueueOptions): SharedQueue {
  const { store, logger, client, queueUrl, bodies } = given;
  const ledger = new SqsLedger(redis);
  const overview = new SqsLedgerOverview(redis);
  const parts: SqsParts = { ...given, known: new KnownQueue(client, queueUrl), ledger, overview };
  const deadLetters = new SqsDeadLetters(parts);
  const recorded = new RecordedJobs({
    redis,
    store,
    logger,
    isDeliverable: (job) => isDeliverable(job, parts),
    forget: (jobs) => ledger.forget(jobs),
  });

  return {
    submit: (message) =>
      recorded.submit(message, async () => {
        const acceptedAt = Date.now();
        await sendNoted(message, parts, false, ({ generation }) =>
          packMessage(message, { generation, acceptedAt }, bodies),
        );
      }),
    consume: (handler: (delivery: Delivery) => Promise<Disposition>, options: ConsumeOptions) =>
      new SqsConsumer(parts, handler, options),
    deadLetters: () => deadLetters.list(),
    deadMessage: (job) => deadLetters.message(job),
    replay: (job) => deadLetters.replay(job, () => recorded.reopen(job)),
    queued: () => overview.queued(),
    load: () => sqsLoad(parts),
    sweepOrphans: (options) => recorded.sweep(options, () => collectDeadLetters(parts)),
    close: () => {
      client.close();
      bodies.close();
      return Promise.resolve();
    },
  };
}

/**
 * Whether SQS will deliver a job, as far as that can be known: it cannot be asked for a message. One is there for as
 * long as the queue keeps messages, unless the queue is empty and nobody has seen it for minutes.
 */
async function isDeliverable(job: JobIdentity, { ledger, known }: SqsParts): Promise<boolean> {
  const standing = await ledger.look(job);
  if (standing === undefined || standing.fate === 'dead' || standing.fate === 'done') return false;
  if (standing.fate === 'in hand') return true;
  const silentFor = Date.now() - standing.seenAt;
  if (silentFor < SILENCE_MS) return true;
  const { retentionMs } = await known.facts();
  if (retentionMs > 0 && silentFor > retentionMs) return false;
  const { visible, hidden, delayed } = await known.counts();
  return visible + hidden + delayed > 0;
}
