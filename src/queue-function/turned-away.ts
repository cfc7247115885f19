import { jobRecordKey, type JobIdentity } from '../job-record/job-record.js';
import type { JobMessage } from '../job-record/job-queue.js';
import type { Logger } from '../logging/log-events.js';
import { DELIVERY_OUTCOMES, type DeliveryCode, type DeliveryOutcome } from '../job-record/delivery-outcome.js';

export interface Answer {
  readonly code: DeliveryCode;
  readonly status: number;
  readonly reason: string;
  /** Pause that the gateway asked for; undefined if it sent none. */
  readonly retryAfterMs?: number | undefined;
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

interface Delayed {
  readonly since: number;
  /** Time of the first lost reply, or of the last one that used up an attempt. */
  lostAt?: number;
}

/** Outcomes of messages. It remembers since when each message was delayed. */
export class Outcomes {
  readonly #patienceMs: number;
  readonly #logger: Logger;
  /** At most `MAX_REMEMBERED`, the oldest first. */
  readonly #remembered = new Map<string, Delayed>();
  readonly #loggedAt = new Map<DeliveryCode, number>();

  /** @param patienceMs time for which a message may be delayed after it was put into its queue */
  constructor(patienceMs: number, logger: Logger) {
    this.#patienceMs = patienceMs;
    this.#logger = logger;
  }

  /** Decides the outcome of a message. @param times.since time when it was put into its queue; undefined if unknown */
  of(
    job: JobIdentity & Pick<JobMessage, 'failedAt'>,
    { code, status, reason, retryAfterMs }: Answer,
    { since, now }: { readonly since: number | undefined; readonly now: number },
  ): DeliveryOutcome {
    const { outcome } = DELIVERY_OUTCOMES[code];
    const key = jobRecordKey(job);
    if (outcome !== 'delay') {
      this.#remembered.delete(key);
      return outcome === 'done' ? { kind: outcome } : { kind: outcome, code, status, reason };
    }
    const delayed = this.#remember(key, now);
    if (code === 'no_reply' && countsLost(delayed, job.failedAt ?? 0, now))
      return { kind: 'retry', code, status, reason };
    const { since: first } = delayed;
    const isOld = now - (since ?? first) >= this.#patienceMs;
    // A message that waited in the queue for most of that time gets some tries.
    if (!ENDLESS.has(code) && isOld && now - first >= Math.min(this.#patienceMs, MAX_BACK_OFF_MS)) {
      this.#remembered.delete(key);
      return { kind: 'final', code, status, reason: `${IMPATIENT} (${code}). ${reason}` };
    }
    if (!ORDINARY.has(code)) this.#log(code, { status, reason }, now);
    const [ms, maxMs] = retryAfterMs === undefined ? [now - first, MAX_BACK_OFF_MS] : [retryAfterMs, MAX_PAUSE_MS];
    return { kind: 'delay', delayMs: Math.min(Math.max(ms, MIN_DELAY_MS), maxMs), code, status, reason };
  }

  #remember(key: string, now: number): Delayed {
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined && this.#remembered.size >= MAX_REMEMBERED) this.#remembered.delete(oldest);
    const delayed = { since: now };
    this.#remembered.set(key, delayed);
    return delayed;
  }

  #log(code: DeliveryCode, particulars: object, now: number): void {
    if (now - (this.#loggedAt.get(code) ?? -Infinity) < REPEAT_MS) return;
    this.#loggedAt.set(code, now);
    const event = code === 'key_unknown' ? 'delivery.key_unknown' : 'delivery.turned_away';
    this.#logger.event(event, { code, ...particulars });
  }
}

/** Returns true if a lost reply uses up an attempt. Another deliverer may have counted the last one. */
function countsLost(delayed: Delayed, failedAt: number, now: number): boolean {
  delayed.lostAt ??= now;
  if (now - Math.max(delayed.lostAt, failedAt) < LOST_REPLIES_MS) return false;
  delayed.lostAt = now;
  return true;
}

const IMPATIENT = 'It was turned away until QUEUE_PATIENCE_SECONDS were over';
