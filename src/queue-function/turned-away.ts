import { jobRecordKey, type JobIdentity } from '../job-record/job-record.js';
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

/** Decides the outcome of messages, and remembers since when each one was delayed. */
export class TurnedAway {
  readonly #patienceMs: number;
  readonly #logger: Logger;
  readonly #since = new Map<string, number>();
  readonly #toldAt = new Map<DeliveryCode, number>();

  /** @param patienceMs time for which a message may be delayed after it was put into its queue */
  constructor(patienceMs: number, logger: Logger) {
    this.#patienceMs = patienceMs;
    this.#logger = logger;
  }

  /**
   * Returns the outcome of a message.
   *
   * @param times.since time when the message was put into its queue; undefined if unknown
   */
  outcomeOf(
    job: JobIdentity,
    { code, status, reason, retryAfterMs }: Answer,
    { since, now }: { readonly since: number | undefined; readonly now: number },
  ): DeliveryOutcome {
    const { outcome } = DELIVERY_OUTCOMES[code];
    const key = jobRecordKey(job);
    if (outcome !== 'delay') {
      this.#since.delete(key);
      return outcome === 'done' ? { kind: outcome } : { kind: outcome, code, status, reason };
    }
    const first = this.#firstTurnedAway(key, now);
    if (!ENDLESS.has(code) && this.#isSpent(now - (since ?? first), now - first)) {
      this.#since.delete(key);
      return { kind: 'final', code, status, reason: `${IMPATIENT} (${code}). ${reason}` };
    }
    if (!ORDINARY.has(code)) this.#tell(code, { status, reason }, now);
    const delayMs =
      retryAfterMs === undefined ? between(now - first, MAX_BACK_OFF_MS) : between(retryAfterMs, MAX_PAUSE_MS);
    return { kind: 'delay', delayMs, code, status, reason };
  }

  /**
   * Returns true if a message has waited long enough. One that waited in the queue for most of that time gets some
   * tries.
   */
  #isSpent(queuedMs: number, turnedAwayMs: number): boolean {
    return queuedMs >= this.#patienceMs && turnedAwayMs >= Math.min(this.#patienceMs, MAX_BACK_OFF_MS);
  }

  #firstTurnedAway(key: string, now: number): number {
    const first = this.#since.get(key);
    if (first !== undefined) return first;
    const [oldest] = this.#since.keys();
    if (oldest !== undefined && this.#since.size >= MAX_REMEMBERED) this.#since.delete(oldest);
    this.#since.set(key, now);
    return now;
  }

  #tell(code: DeliveryCode, particulars: object, now: number): void {
    if (now - (this.#toldAt.get(code) ?? -Infinity) < REPEAT_MS) return;
    this.#toldAt.set(code, now);
    const event = code === 'key_unknown' ? 'delivery.key_unknown' : 'delivery.turned_away';
    this.#logger.event(event, { code, ...particulars });
  }
}

const IMPATIENT = 'It was turned away until QUEUE_PATIENCE_SECONDS were over';

function between(ms: number, maxMs: number): number {
  return Math.min(Math.max(ms, MIN_DELAY_MS), maxMs);
}
