import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SigningSecrets } from '../../base/config/key-ring.js';
import { describeError } from '../../base/errors.js';
import type { Delivery, Disposition, JobMessage, JobQueue, QueueConsumer } from '../record/job-queue.js';
import { organisationTag, type OrganisationJobs } from '../record/organisation-jobs.js';
import type { JobRecord } from '../record/job-record.js';
import type { JobStore } from '../record/job-store.js';
import { isHandled, isOlder, queuedAtOf } from '../record/transitions.js';
import type { Logger } from '../../base/logging/logger.js';
import { observed, type Observer, type Settled } from '../../base/observation.js';
import { connectToGateway, createMessageDelivery, type DeliverMessage, type DeliverOptions } from './deliver.js';
import type { DeliveryCode } from '../record/delivery-outcome.js';

/** Outcomes by that of the message. `held_back`: delayed without a call, because its organisation runs enough jobs. */
const ENDS = { done: 'done', delay: 'delayed', retry: 'failed', dead: 'dead' } as const;

interface EndedDelivery {
  readonly outcome: (typeof ENDS)[Disposition['kind']] | 'held_back';
  /** Code of the reason, from the table of outcomes; absent without a call. */
  readonly reason?: DeliveryCode;
}

declare module '../../base/observation.js' {
  interface ObservedWork {
    delivery: Observed<Pick<Delivery, 'message' | 'attempt'>, EndedDelivery>;
  }
}

export interface ConsumeJobsOptions {
  readonly queue: Pick<JobQueue, 'consume'>;
  readonly jobStore: JobStore;
  /** If absent, no message is held back here. The gateway refuses jobs that have to wait. */
  readonly organisations?: Pick<OrganisationJobs, 'waitMs'>;
  readonly deliver: DeliverMessage;
  readonly concurrency: number;
  readonly logger: Logger;
  readonly observer?: Observer | undefined;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
}

export interface DeliveriesOptions
  extends
    Omit<ConsumeJobsOptions, 'deliver' | 'clock'>,
    Omit<DeliverOptions, 'connections' | 'stopping' | 'now' | 'monotonicNow'> {
  readonly signingSecrets: SigningSecrets | undefined;
}

export interface Deliveries {
  /** Stops taking messages and waits until the held ones are settled, or leaves them to others after `drainMs`. */
  close(drainMs: number): Promise<void>;
}

/**
 * Organisations with a job that had to wait. The store is asked for their turn, as a call of the gateway costs more;
 * for others, the gateway asks alone.
 */
type Busy = LRUCache<string, true>;
const MAX_BUSY = 1_000;

/** Pause before a record whose end could not be written is tried again. */
const STORE_PAUSE_MS = 5_000;
const MIN_WAIT_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** Delivers the messages of a queue to the gateway's callbacks, over separate connections. */
export function startDeliveries(options: DeliveriesOptions): Deliveries {
  const stopping = new AbortController();
  const connections = connectToGateway();
  const deliver = createMessageDelivery({ ...options, connections, stopping: stopping.signal });
  const consumer = consumeJobs({ ...options, deliver });
  return {
    async close(drainMs) {
      const timer = setTimeout(() => stopping.abort(), drainMs);
      await consumer.close();
      clearTimeout(timer);
      await connections.close();
    },
  };
}

/**
 * Consumes the queue: every message is delivered to its callback. Before a message goes to the dead letters, its record
 * ends as a failure, so that polling ends. If the job is still running, the message comes back when the lease has
 * expired; if the job was handled meanwhile, the message is done.
 */
export function consumeJobs(options: ConsumeJobsOptions): QueueConsumer {
  const { queue, observer, concurrency } = options;
  const busy: Busy = new LRUCache({ max: MAX_BUSY });
  return queue.consume(
    async (delivery) => {
      const handling = (): Promise<Handled> => handle(delivery, { ...options, busy });
      return (await observed(observer, 'delivery', delivery, handling, endOfDelivery)).disposition;
    },
    { concurrency },
  );
}

/** Outcome of a message, and the code of its reason; undefined without a call. */
interface Handled {
  readonly disposition: Disposition;
  readonly code?: DeliveryCode;
}

function endOfDelivery(settled: Settled<Handled>): EndedDelivery {
  if ('error' in settled) return { outcome: 'failed' };
  const { disposition, code } = settled.value;
  return code === undefined ? { outcome: 'held_back' } : { outcome: ENDS[disposition.kind], reason: code };
}

async function handle(delivery: Delivery, options: ConsumeJobsOptions & { readonly busy: Busy }): Promise<Handled> {
  const { deliver, logger, jobStore } = options;
  const { message, attempt, lastAttempt } = delivery;
  const { jobId, kind, org } = message;
  const requestId = randomUUID();
  const log = logger.child({ requestId, jobId, kind, org, attempt });
  const delayed = (delayMs: number): Handled => {
    log.event('delivery.held_back', { delayMs });
    return { disposition: { kind: 'delay', delayMs } };
  };
  const [waitMs, before] = await Promise.all([
    options.busy.has(organisationTag(org)) ? waitOf(message, options) : 0,
    // The gateway decides if the record cannot be read here.
    jobStore.read(message).catch(() => undefined),
  ]);
  if (waitMs > 0) return delayed(waitMs);
  const since = queuedAtOf(before, delivery);
  if (isOlder(before, since)) return { disposition: withoutCall(delivery, before, log), code: 'outdated' };
  const startedAt = performance.now();
  const outcome = await deliver(message, { requestId, since });
  const durationMs = Math.round(performance.now() - startedAt);
  if (outcome.kind === 'done') {
    log.event('delivery.done', { status: 200, durationMs });
    return { disposition: { kind: 'done' }, code: 'handled' };
  }
  const { code, status, reason } = outcome;
  // Something in front of the gateway says nothing of a job, and the record does.
  const known = code === 'foreign' ? await endedOrRunning(message, options) : undefined;
  if (known !== undefined) return known;
  const turnMs = code === 'come_again' ? await waitOf(message, options) : 0;
  if (turnMs > 0) return delayed(turnMs);
  if (outcome.kind === 'delay') {
    const { delayMs } = outcome;
    if (code === 'stopping') log.event('delivery.interrupted', { durationMs });
    else log.event('delivery.delayed', { status, code, delayMs, durationMs });
    // A running job needs no note. If the store cannot be reached, it is the reason itself, or the next delivery notes
    // the reason.
    const note = code === 'foreign' ? `${code} ${status}` : code;
    if (code !== 'stopping' && code !== 'running') await jobStore.wait(message, note).catch(() => false);
    return { disposition: { kind: 'delay', delayMs }, code };
  }
  const event = outcome.kind === 'retry' ? 'delivery.failed' : 'delivery.refused';
  log.event(event, { status, code, reason, durationMs });
  if (outcome.kind === 'retry' && !lastAttempt) return { disposition: { kind: 'retry', reason }, code };
  return { disposition: await deadLetter(message, outcome, options, log), code };
}

/**
 * Settles a message that is older than the end of its job. One that may have brought about that end, and whose dead
 * letter may not have been written, becomes it; any other is a copy that came late.
 */
function withoutCall({ copy }: Delivery, record: JobRecord | undefined, log: Logger): Disposition {
  const isCopy = copy === undefined || record?.dropped !== undefined;
  if (!isCopy) return { kind: 'dead', reason: 'Its job ended while it was delivered.' };
  log.event('queue.message_given_up');
  return { kind: 'done' };
}

/** Returns the wait for others of the organisation, in milliseconds, and remembers if there is one. */
async function waitOf(
  message: JobMessage,
  { organisations, busy }: ConsumeJobsOptions & { readonly busy: Busy },
): Promise<number> {
  try {
    const waitMs = (await organisations?.waitMs(message)) ?? 0;
    if (waitMs > 0) busy.set(organisationTag(message.org), true);
    else busy.delete(organisationTag(message.org));
    return waitMs;
  } catch {
    return 0;
  }
}

/** Returns the outcome that the record tells: the job was handled, or runs under a lease; undefined if neither. */
async function endedOrRunning(message: JobMessage, options: ConsumeJobsOptions): Promise<Handled | undefined> {
  const record = await options.jobStore.read(message).catch(() => undefined);
  if (isHandled(record)) return { disposition: { kind: 'done' }, code: 'handled' };
  const { expiresAt = -Infinity } = record?.lease ?? {};
  const leftMs = expiresAt - (options.clock ?? Date.now)();
  return leftMs > 0 ? { disposition: { kind: 'delay', delayMs: waitForLease(leftMs) }, code: 'running' } : undefined;
}

function waitForLease(leftMs: number): number {
  return Math.min(Math.max(leftMs, MIN_WAIT_MS), MAX_DELAY_MS);
}

/** Ends the record of a message that cannot be delivered, if it is not handled or running. */
async function deadLetter(
  message: JobMessage,
  { status, reason }: { readonly status: number; readonly reason: string },
  { jobStore, clock = Date.now }: ConsumeJobsOptions,
  log: Logger,
): Promise<Disposition> {
  const dead: Disposition = { kind: 'dead', reason };
  try {
    const result = { status, body: JSON.stringify({ message: reason }) };
    const ended = await jobStore.fail(message, message.described, result);
    if (ended) {
      log.event('delivery.dead_letter', { status, reason });
      return dead;
    }
    const record = await jobStore.read(message);
    if (isHandled(record)) return { kind: 'done' };
    if (record?.lease === undefined) return dead;
    return { kind: 'delay', delayMs: waitForLease(record.lease.expiresAt - clock()) };
  } catch (error) {
    log.event('delivery.record_not_ended', { reason: describeError(error) });
    return { kind: 'delay', delayMs: STORE_PAUSE_MS };
  }
}
