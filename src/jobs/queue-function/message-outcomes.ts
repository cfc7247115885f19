import type { Logger } from '../../base/logging/log-events.js';
import { OnceInAWhile } from '../../base/once-in-a-while.js';
import { DELIVERY_OUTCOMES, type DeliveryCode, type DeliveryOutcome } from '../record/delivery-outcome.js';
import type { JobMessage } from '../record/job-queue.js';
import { jobRecordKey, type JobIdentity } from '../record/job-record.js';
import { present } from '../record/stored-fields.js';

export interface MessageOutcomesOptions {
  /** Time for which a message waits for faults outside of it to end, in milliseconds. */
  readonly patienceMs: number;
  readonly logger: Logger;
  /** Milliseconds of the monotonic clock; for tests. */
  readonly monotonicNow?: () => number;
}

export interface DeliveryAnswer {
  readonly code: DeliveryCode;
  readonly status: number;
  readonly reason: string;
  /** Pause that the gateway asked for; undefined if it sent none. */
  readonly retryAfterMs?: number | undefined;
  /** Media type of a foreign answer. */
  readonly contentType?: string;
}

/** Reasons that are not logged: the job is running, or the gateway itself says why it cannot run. */
const ORDINARY: ReadonlySet<DeliveryCode> = new Set(['running', 'stopping', 'come_again']);

/** Reasons that end by themselves, for which a message may wait without a limit. */
const ENDLESS: ReadonlySet<DeliveryCode> = new Set(['running', 'stopping']);

const MIN_DELAY_MS = 1_000;
/** Maximum back-off, and maximum pause that a gateway can ask for. */
const MAX_BACK_OFF_MS = 60_000;
const MAX_PAUSE_MS = 300_000;

/** Pause before the same reason is logged again, in milliseconds. */
const REPEAT_MS = 60_000;

/** Maximum number of remembered messages. Beyond it the back-off of the oldest one begins again. */
const MAX_REMEMBERED = 10_000;

/** Minimum time from the first lost reply to one that uses up an attempt, and between two of them, in milliseconds. */
const LOST_REPLIES_MS = 10 * 60_000;

const IMPATIENT = 'It was turned away until QUEUE_PATIENCE_SECONDS were over';

/** Times of a delayed message, in milliseconds of the monotonic clock. */
interface Delayed {
  readonly since: number;
  /** Time of the first lost reply, or of the last one that used up an attempt. */
  lostAt?: number;
}

/** Decides the outcome of a message. @param times of day in milliseconds; `since` when it was put into its queue */
export type OutcomeOf = (
  job: JobIdentity & Pick<JobMessage, 'failedAt'>,
  answer: DeliveryAnswer,
  times: { readonly since: number | undefined; readonly now: number },
) => DeliveryOutcome;

/** Creates the function that decides outcomes, and remembers since when each message was delayed. */
export function messageOutcomes(options: MessageOutcomesOptions): OutcomeOf {
  const { patienceMs, logger, monotonicNow = () => performance.now() } = options;
  /** At most `MAX_REMEMBERED`, the oldest first. */
  const remembered = new Map<string, Delayed>();
  const logged = new OnceInAWhile({ everyMs: REPEAT_MS, now: monotonicNow });
  return (job, { code, status, reason, retryAfterMs, contentType }, { since, now }) => {
    const { outcome } = DELIVERY_OUTCOMES[code];
    const key = jobRecordKey(job);
    if (outcome !== 'delay') {
      remembered.delete(key);
      return outcome === 'done' ? { kind: outcome } : { kind: outcome, code, status, reason };
    }
    const clock = monotonicNow();
    const delayed: Delayed = remembered.get(key) ?? { since: clock };
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size >= MAX_REMEMBERED && !remembered.has(key)) remembered.delete(oldest);
    remembered.set(key, delayed);
    const sinceFailedMs = now - (job.failedAt ?? -Infinity);
    if (code === 'no_reply' && countsLost(delayed, sinceFailedMs, clock))
      return { kind: 'retry', code, status, reason };
    const delayedMs = clock - delayed.since;
    const isOld = (since === undefined ? delayedMs : now - since) >= patienceMs;
    // A message that waited in the queue for most of that time gets some tries.
    if (!ENDLESS.has(code) && isOld && delayedMs >= Math.min(patienceMs, MAX_BACK_OFF_MS)) {
      remembered.delete(key);
      return { kind: 'final', code, status, reason: `${IMPATIENT} (${code}). ${reason}` };
    }
    if (!ORDINARY.has(code) && logged.isDue(code)) {
      const event = code === 'key_unknown' ? 'delivery.key_unknown' : 'delivery.turned_away';
      logger.event(event, { code, status, reason, ...present({ contentType }) });
    }
    const ms = retryAfterMs === undefined ? backOffOf(delayedMs) : Math.min(retryAfterMs, MAX_PAUSE_MS);
    return { kind: 'delay', delayMs: Math.max(ms, MIN_DELAY_MS), code, status, reason };
  };
}

/**
 * Returns the wait after a time without success, in whole milliseconds: between half of it and the whole, so that
 * messages which were turned away together come back apart. One of them may end the gateway that the others need.
 */
function backOffOf(elapsedMs: number): number {
  return Math.round((Math.min(elapsedMs, MAX_BACK_OFF_MS) * (1 + Math.random())) / 2);
}

/**
 * Returns true if a lost reply uses up an attempt. Another deliverer may have counted the last one.
 *
 * @param sinceFailedMs time since that one by the clock of the day, which may have been set back
 */
function countsLost(delayed: Delayed, sinceFailedMs: number, now: number): boolean {
  delayed.lostAt ??= now;
  if (now - delayed.lostAt < LOST_REPLIES_MS || Math.abs(sinceFailedMs) < LOST_REPLIES_MS) return false;
  delayed.lostAt = now;
  return true;
}
