import { randomUUID } from 'node:crypto';
import createClient, { type Client } from 'openapi-fetch';
import { validate as isUuid, version } from 'uuid';
import type { paths } from '../../../generated/gateway.js';
import { endedBy } from '../../clients/call-error.js';
import { Connections } from '../../clients/connections.js';
import { outgoing, PLAIN_REQUESTS, type Fetch } from '../../clients/plain-exchange.js';
import { retryAfterMs } from '../../clients/retry.js';
import { causeOf, describeError } from '../../base/errors.js';
import type { KeyRing, SigningSecrets } from '../../base/config/key-ring.js';
import type { Logger } from '../../base/logging/log-events.js';
import type { CurrentTrace } from '../../base/wire/trace-headers.js';
import { encodeOrgHeader, ORG_HEADER } from '../../base/wire/organisation-code.js';
import { signCallback } from '../record/callback-signature.js';
import type { JobMessage } from '../record/job-queue.js';
import { openPayload, UnknownKeyError } from '../record/payload-encryption.js';
import { CALLBACK_PATHS } from '../record/job-kinds.js';
import { isObject } from '../record/stored-fields.js';
import { codeOfAnswer, type DeliveryOutcome } from '../record/delivery-outcome.js';
import { messageOutcomes, type DeliveryAnswer, type MessageOutcomesOptions } from './message-outcomes.js';

export type { DeliveryOutcome } from '../record/delivery-outcome.js';

interface DeliveryParticulars {
  /** Id of the call in the logs of both sides, sent as `x-request-id`; a random one by default. */
  readonly requestId?: string;
  /** Time when the message was put into its queue, milliseconds since 1970. Without it, patience counts from the id. */
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

export interface DeliverOptions extends MessageOutcomesOptions {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  /** Secrets with which each call is signed; unsigned if undefined. */
  readonly signingSecrets?: SigningSecrets | undefined;
  readonly keyRing: KeyRing;
  /** Maximum run time of a callback, in milliseconds. The call waits longer. */
  readonly deadlineMs: number;
  /** Connections, which the caller has to close; others by default. */
  readonly connections?: Connections;
  /** When aborted, running calls end. Their messages come back, and no attempt is used up. */
  readonly stopping?: AbortSignal;
  /** Trace that the gateway continues; that of the message by default. */
  readonly currentTrace?: CurrentTrace | undefined;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
}

/** Time for which a call waits beyond the deadline, so that the gateway ends the job before. */
const GRACE_MS = 30_000;
/** Pause before a message whose call was ended may come to another queue function. The gateway continues the job. */
const HAND_OVER_MS = 1_000;

/** Limits of the connections to the gateway, whose replies may be as long as their jobs need. */
const CONNECTIONS = { connections: 64, maxWaiting: 4_096, fair: false, connectTimeoutMs: 10_000, maxReplyBytes: -1 };

/** Creates connections to the gateway; the caller has to close them. */
export function connectToGateway(): Connections {
  return new Connections({ backend: 'the gateway', ...CONNECTIONS });
}

/** Creates the function that decrypts a message and calls its callback. */
export function createMessageDelivery(options: DeliverOptions): DeliverMessage {
  const { gatewayUrl, apiKey, keyRing, deadlineMs, stopping, logger, now = Date.now } = options;
  const { connections = connectToGateway() } = options;
  const limits = { party: [''], timeoutMs: deadlineMs + GRACE_MS, signal: stopping };
  // openapi-fetch reads status, `ok`, headers, text and JSON.
  const fetch: Fetch = (input) => connections.send(outgoing(input), limits) as Promise<unknown> as Promise<Response>;
  const headers = { 'x-api-key': apiKey };
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl: gatewayUrl, fetch, headers });
  const outcomeOf = messageOutcomes(options);
  return async (message, { requestId = randomUUID(), since } = {}) => {
    const { kind, org, jobId } = message;
    const log = logger.child({ requestId, jobId, kind, org });
    const body = bodyOf(message, keyRing, log);
    const noReply = (error: unknown): DeliveryAnswer => withoutReply(error, stopping, log);
    const answer =
      typeof body === 'string' ? await call(client, message, body, { requestId, since }, options).catch(noReply) : body;
    return outcomeOf(message, answer, { since: since ?? mintedAt(jobId), now: now() });
  };
}

/** Decrypts the body of a message. @returns the body, or the answer if it cannot be decrypted */
function bodyOf(message: DeliverableMessage, keyRing: KeyRing, log: Logger): string | DeliveryAnswer {
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

/** Calls the callback of a job. @throws {CallError} without a reply */
async function call(
  client: Client<paths>,
  message: DeliverableMessage,
  body: string,
  { requestId, since }: DeliveryParticulars & { readonly requestId: string },
  { signingSecrets, currentTrace, now = Date.now }: DeliverOptions,
): Promise<DeliveryAnswer> {
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
  });
  return answerIn(reply, jobId, now());
}

/** Returns the answer to a call that had no usable reply. */
function withoutReply(error: unknown, stopping: AbortSignal | undefined, log: Logger): DeliveryAnswer {
  const status = NO_REPLY_STATUS;
  if (stopping?.aborted) {
    return { code: 'stopping', status, reason: 'The queue function is shutting down.', retryAfterMs: HAND_OVER_MS };
  }
  if (endedBy(error, 'unsent', 'held back')) {
    return { code: 'not_reached', status, reason: `The gateway was not reached: ${describeError(error.cause)}.` };
  }
  log.event('delivery.no_reply', { reason: describeError(causeOf(error)) });
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
function answerIn({ response, data, error }: CallbackReply, jobId: string, now: number): DeliveryAnswer {
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
