import { randomUUID } from 'node:crypto';
import createClient, { type Client } from 'openapi-fetch';
import { validate as isUuid, version } from 'uuid';
import type { paths } from '../../../generated/gateway.js';
import { PLAIN_REQUESTS } from '../../clients/plain-exchange.js';
import { retryAfterMs } from '../../clients/retry.js';
import { createTransport, NotSentError, type Transport } from '../../clients/transport.js';
import { describeError } from '../../base/errors.js';
import type { KeyRing, SigningSecrets } from '../../base/config/key-ring.js';
import type { Logger } from '../../base/logging/log-events.js';
import { OnceInAWhile } from '../../base/once-in-a-while.js';
import type { CurrentTrace } from '../../base/wire/trace-headers.js';
import { encodeOrgHeader, ORG_HEADER } from '../../base/wire/organisation-code.js';
import { signCallback } from '../record/callback-signature.js';
import type { JobMessage } from '../record/job-queue.js';
import { openPayload, UnknownKeyError } from '../record/payload-encryption.js';
import { CALLBACK_PATHS } from '../record/job-kinds.js';
import { isObject, present } from '../record/stored-fields.js';
import {
  codeOfAnswer,
  DELIVERY_OUTCOMES,
  type DeliveryCode,
  type DeliveryOutcome,
} from '../record/delivery-outcome.js';
import { jobRecordKey, type JobIdentity } from '../record/job-record.js';

export type { DeliveryOutcome } from '../record/delivery-outcome.js';

interface DeliveryParticulars {
  /** Id of the call in the logs of both sides, sent as `x-request-id`; a random one by default. */
  readonly requestId?: string;
  /** Time when the message was put into its queue, milliseconds since 1970; by default that in the job's id. */
  readonly since?: number | undefined;
}

/** Calls the callback of a job. Never throws: every failure is an outcome. */
export type DeliverMessage = (
  message: DeliverableMessage,
  particulars?: DeliveryParticulars,
) => Promise<DeliveryOutcome>;

/** Part of a message that its delivery needs. */
export type DeliverableMessage = Pick<JobMessage, 'kind' | 'org' | 'jobId' | 'payload' | 'traceparent' | 'failedAt'>;

/** Status of a call without a reply from the gateway, and of an unreadable payload, for which no call was made. */
const NO_REPLY_STATUS = 503;
const UNREADABLE_PAYLOAD_STATUS = 500;

export interface DeliverOptions {
  /** URL of the gateway, its base path included. */
  readonly gatewayUrl: string;
  /** Sent as `x-api-key`. */
  readonly apiKey: string;
  /** Secrets with which each call is signed; unsigned if undefined. */
  readonly signingSecrets?: SigningSecrets | undefined;
  readonly keyRing: KeyRing;
  /** Maximum run time of a callback, in milliseconds. The call waits longer. */
  readonly deadlineMs: number;
  /** Time for which a message waits for faults outside of it to end, in milliseconds. */
  readonly patienceMs: number;
  readonly logger: Logger;
  /** Transport; a separate connection pool by default. Its time-outs must be longer than the deadline. */
  readonly transport?: Transport;
  /** When aborted, running calls end. Their messages come back, and no attempt is used up. */
  readonly stopping?: AbortSignal;
  /** Trace that the gateway continues; that of the message by default. */
  readonly currentTrace?: CurrentTrace | undefined;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
  /** Milliseconds of the monotonic clock; for tests. */
  readonly monotonicNow?: () => number;
}

/** Time for which a call waits beyond the deadline, so that the gateway ends the job before. */
const GRACE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Pause before a message whose call was ended may come to another queue function. The gateway continues the job. */
const HAND_OVER_MS = 1_000;

/** Creates a transport that waits for longer than a job may take; the caller has to close it. */
export function createDeliveryTransport(deadlineMs: number): Transport {
  return createTransport({ timeoutMs: deadlineMs + GRACE_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS });
}

/** Creates the function that decrypts a message and calls its callback. */
export function createMessageDelivery(options: DeliverOptions): DeliverMessage {
  const { gatewayUrl, apiKey, keyRing, deadlineMs, stopping, logger, now = Date.now } = options;
  const { fetch } = options.transport ?? createDeliveryTransport(deadlineMs);
  const headers = { 'x-api-key': apiKey };
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl: gatewayUrl, fetch, headers });
  const outcomes = new MessageOutcomes(options);
  return async (message, { requestId = randomUUID(), since = mintedAt(message.jobId) } = {}) => {
    const { kind, org, jobId } = message;
    const log = logger.child({ requestId, jobId, kind, org });
    const body = bodyOf(message, keyRing, log);
    const noReply = (error: unknown): Answer => withoutReply(error, stopping, log);
    const answer =
      typeof body === 'string' ? await call(client, message, body, { requestId, since }, options).catch(noReply) : body;
    return outcomes.of(message, answer, { since, now: now() });
  };
}

/** Decrypts the body of a message. @returns the body, or the answer if it cannot be decrypted */
function bodyOf(message: DeliverableMessage, keyRing: KeyRing, log: Logger): string | Answer {
  try {
    return openPayload(keyRing, message, message.payload);
  } catch (error) {
    const status = UNREADABLE_PAYLOAD_STATUS;
    if (error instanceof UnknownKeyError) {
      return { code: 'key_unknown', status, reason: 'The key of the job message is not known yet.' };
    }
    log.event('delivery.payload_unreadable', { reason: describeError(error) });
    return { code: 'unreadable', status, reason: 'The job message cannot be decrypted.' };
  }
}

/** Calls the callback of a job. @throws errors of the transport */
async function call(
  client: Client<paths>,
  message: DeliverableMessage,
  body: string,
  { requestId, since }: Required<DeliveryParticulars>,
  { signingSecrets, stopping, currentTrace, now = Date.now }: DeliverOptions,
): Promise<Answer> {
  const { kind, org, jobId, traceparent } = message;
  const reply = await client.POST(CALLBACK_PATHS[kind], {
    headers: { 'x-request-id': requestId, ...(currentTrace?.() ?? (traceparent !== undefined && { traceparent })) },
    params: {
      header: {
        'x-job-id': jobId,
        ...(org !== undefined && { [ORG_HEADER]: encodeOrgHeader(org) }),
        ...(since !== undefined && { 'x-job-queued-at': new Date(since).toISOString() }),
        // Each attempt is signed anew, because a repeated id is refused.
        ...(signingSecrets && signCallback(signingSecrets, message, body, now())),
      },
    },
    // The text is passed on unchanged: it was validated before it was encrypted, and the gateway validates it again.
    body: body as never,
    bodySerializer: () => body,
    parseAs: 'text',
    ...(stopping && { signal: stopping }),
  });
  return answerIn(reply, jobId, now());
}

/** Returns the answer to a call that had no usable reply. */
function withoutReply(error: unknown, stopping: AbortSignal | undefined, log: Logger): Answer {
  const status = NO_REPLY_STATUS;
  if (stopping?.aborted) {
    return { code: 'stopping', status, reason: 'The queue function is shutting down.', retryAfterMs: HAND_OVER_MS };
  }
  if (error instanceof NotSentError) {
    return { code: 'not_reached', status, reason: `The gateway was not reached: ${describeError(error.cause)}.` };
  }
  log.event('delivery.no_reply', { reason: describeError(error) });
  return { code: 'no_reply', status, reason: 'No usable reply came from the gateway.' };
}

/** Returns the time in the id of a job, milliseconds since 1970; undefined without one (RFC 9562, section 5.7). */
function mintedAt(jobId: string): number | undefined {
  if (!isUuid(jobId) || version(jobId) !== 7) return undefined;
  return Number.parseInt(jobId.slice(0, 8) + jobId.slice(9, 13), 16);
}

interface CallbackReply {
  readonly response: Response;
  /** Text of a successful reply. */
  readonly data?: unknown;
  /** Any other reply, parsed if it is JSON. */
  readonly error?: unknown;
}

/**
 * Reads the answer to a call. The gateway sends the job id back in each answer, once it has read it; any other answer
 * is of something in front of it. @throws {SyntaxError} the gateway's reply was cut short
 */
function answerIn({ response, data, error }: CallbackReply, jobId: string, now: number): Answer {
  const { status } = response;
  const isOwn = response.headers.get('x-job-id') === jobId;
  if (isOwn && typeof data === 'string') JSON.parse(data);
  const pauseMs = retryAfterMs(response.headers.get('Retry-After'), now);
  // Texts of the gateway about its own faults do not belong in the record.
  const text = status < 500 && isObject(error) ? error['message'] : undefined;
  const explanation = typeof text === 'string' ? ` (${text.slice(0, 500)})` : '';
  const code = codeOfAnswer(status, isOwn, pauseMs !== undefined);
  if (code === 'foreign') {
    const contentType = (response.headers.get('Content-Type') ?? 'none').slice(0, MAX_HEADER);
    return { code, status, reason: `${status} from something in front of the gateway.`, contentType };
  }
  return { code, status, reason: `The callback answered ${status}${explanation}.`, retryAfterMs: pauseMs };
}

/** Longest header in the log, in characters. */
const MAX_HEADER = 100;

/** Answer to a delivery. */
interface Answer {
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

/** Outcomes of messages. It remembers since when each message was delayed. */
class MessageOutcomes {
  readonly #patienceMs: number;
  readonly #logger: Logger;
  /** At most `MAX_REMEMBERED`, the oldest first. */
  readonly #remembered = new Map<string, Delayed>();
  readonly #monotonicNow: () => number;
  readonly #logged: OnceInAWhile;

  constructor({ patienceMs, logger, monotonicNow = () => performance.now() }: DeliverOptions) {
    this.#patienceMs = patienceMs;
    this.#logger = logger;
    this.#monotonicNow = monotonicNow;
    this.#logged = new OnceInAWhile({ everyMs: REPEAT_MS, now: monotonicNow });
  }

  /** Decides the outcome of a message. @param times of day in milliseconds; `since` when it was put into its queue */
  of(
    job: JobIdentity & Pick<JobMessage, 'failedAt'>,
    { code, status, reason, retryAfterMs, contentType }: Answer,
    { since, now }: { readonly since: number | undefined; readonly now: number },
  ): DeliveryOutcome {
    const { outcome } = DELIVERY_OUTCOMES[code];
    const key = jobRecordKey(job);
    if (outcome !== 'delay') {
      this.#remembered.delete(key);
      return outcome === 'done' ? { kind: outcome } : { kind: outcome, code, status, reason };
    }
    const monotonicNow = this.#monotonicNow();
    const delayed = this.#remember(key, monotonicNow);
    const sinceFailedMs = now - (job.failedAt ?? -Infinity);
    if (code === 'no_reply' && countsLost(delayed, sinceFailedMs, monotonicNow))
      return { kind: 'retry', code, status, reason };
    const delayedMs = monotonicNow - delayed.since;
    const isOld = (since === undefined ? delayedMs : now - since) >= this.#patienceMs;
    // A message that waited in the queue for most of that time gets some tries.
    if (!ENDLESS.has(code) && isOld && delayedMs >= Math.min(this.#patienceMs, MAX_BACK_OFF_MS)) {
      this.#remembered.delete(key);
      return { kind: 'final', code, status, reason: `${IMPATIENT} (${code}). ${reason}` };
    }
    if (!ORDINARY.has(code) && this.#logged.isDue(code))
      this.#log(code, { status, reason, ...present({ contentType }) });
    const ms = retryAfterMs === undefined ? backOffOf(delayedMs) : Math.min(retryAfterMs, MAX_PAUSE_MS);
    return { kind: 'delay', delayMs: Math.max(ms, MIN_DELAY_MS), code, status, reason };
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

  #log(code: DeliveryCode, particulars: object): void {
    const event = code === 'key_unknown' ? 'delivery.key_unknown' : 'delivery.turned_away';
    this.#logger.event(event, { code, ...particulars });
  }
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
