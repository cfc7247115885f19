import { describeError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Delivery, Disposition, JobQueue, QueueConsumer } from '../job-record/job-queue.js';
import type { JobStore } from '../job-record/job-store.js';
import type { Deliver } from './deliver.js';

/** What jobs are consumed with. */
export interface ConsumeJobsOptions {
  readonly queue: JobQueue;
  readonly jobStore: JobStore;
  readonly deliver: Deliver;
  /** Most jobs in hand at the same time. */
  readonly concurrency: number;
  readonly logger: Logger;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
}

/** Wait before a record is ended that could not be ended now. */
const STORE_PAUSE_MS = 5_000;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Consumes the queue: every message is delivered to its callback. When delivery is given up, the job's record
 * is ended before the message is buried, so that nobody polls forever. While somebody still runs the job, the
 * message comes back when that lease has run out; a job that is handled meanwhile is done.
 */
export function consumeJobs(options: ConsumeJobsOptions): QueueConsumer {
  const { queue, deliver, logger, concurrency } = options;
  return queue.consume(
    async (delivery) => {
      const { message, attempt, lastAttempt } = delivery;
      const log = logger.child({ jobId: message.jobId, kind: message.kind, attempt });
      const outcome = await deliver(message);
      switch (outcome.kind) {
        case 'done':
          log.info('Job delivered');
          return { kind: 'done' };
        case 'delay':
          log.info({ status: outcome.status, delayMs: outcome.delayMs }, 'Job delayed');
          return { kind: 'delay', delayMs: outcome.delayMs };
        case 'retry':
          log.warn({ status: outcome.status, reason: outcome.reason }, 'Job not delivered');
          return lastAttempt ? giveUp(delivery, outcome, options, log) : { kind: 'retry', reason: outcome.reason };
        case 'final':
          log.error({ status: outcome.status, reason: outcome.reason }, 'Job cannot be delivered');
          return giveUp(delivery, outcome, options, log);
      }
    },
    { concurrency },
  );
}

async function giveUp(
  { message }: Delivery,
  { status, reason }: { readonly status: number; readonly reason: string },
  { jobStore, clock = Date.now }: ConsumeJobsOptions,
  log: Logger,
): Promise<Disposition> {
  const dead: Disposition = { kind: 'dead', reason };
  try {
    const result = { status, body: JSON.stringify({ message: reason }) };
    const ended = await jobStore.abandon(message, message.described, result);
    if (ended) {
      log.error({ status, reason }, 'Job given up');
      return dead;
    }
    const record = await jobStore.read(message);
    if (record?.result?.status === 200) return { kind: 'done' };
    if (record?.lease === undefined) return dead;
    const untilLeaseEnds = record.lease.expiresAt - clock();
    return { kind: 'delay', delayMs: Math.min(Math.max(untilLeaseEnds, SHORTEST_WAIT_MS), LONGEST_WAIT_MS) };
  } catch (error) {
    log.warn({ reason: describeError(error) }, 'The record of a job cannot be ended; trying again');
    return { kind: 'delay', delayMs: STORE_PAUSE_MS };
  }
}
