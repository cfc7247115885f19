import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import { validate as isUuid, version } from 'uuid';
import type { paths } from '../../generated/gateway.js';
import { PLAIN_REQUESTS } from '../clients/plain-exchange.js';
import { retryAfterMs } from '../clients/retry.js';
import { createTransport, NotSentError, type Transport } from '../clients/transport.js';
import { describeError } from '../errors.js';
import type { KeyRing, SigningSecrets } from '../config/key-ring.js';
import type { Logger } from '../logging/log-events.js';
import type { CurrentTrace } from '../wire/trace-headers.js';
import { encodeOrgHeader, ORG_HEADER } from '../wire/organisation-code.js';
import { signCallback } from '../job-record/callback-signature.js';
import type { JobMessage } from '../job-record/job-queue.js';
import { openPayload, UnknownKeyError } from '../job-record/payload-encryption.js';
import { CALLBACK_PATHS } from '../job-record/job-kinds.js';
import { isObject } from '../job-record/stored.js';
import { codeOfStatus, type DeliveryOutcome } from '../job-record/delivery-outcome.js';
import { Outcomes, type Answer } from './turned-away.js';

export type { DeliveryOutcome } from '../job-record/delivery-outcome.js';

interface DeliveryParticulars {
  /** Id of the call in the logs of both sides, sent as `x-request-id`; a random one by default. */
  readonly requestId?: string;
  /** Time when the message was put into its queue, milliseconds since 1970; by default that in the job's id. */
  readonly since?: number | undefined;
}

/** Calls the callback of a job. Never throws: every failure is an outcome. */
export type Deliver = (message: DeliverableMessage, particulars?: DeliveryParticulars) => Promise<DeliveryOutcome>;

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
export function createDeliver(options: DeliverOptions): Deliver {
  const { gatewayUrl, apiKey, signingSecrets, keyRing, deadlineMs, patienceMs, logger } = options;
  const { stopping, currentTrace, now = Date.now } = options;
  const transport = options.transport ?? createDeliveryTransport(deadlineMs);
  const outcomes = new Outcomes(patienceMs, logger);
  const client = createClient<paths>({
    ...PLAIN_REQUESTS,
    baseUrl: gatewayUrl,
    fetch: transport.fetch,
    headers: { 'x-api-key': apiKey },
  });

  async function call(
    message: DeliverableMessage,
    { requestId, since }: Required<DeliveryParticulars>,
    log: Logger,
  ): Promise<Answer> {
    const { kind, org, jobId, traceparent } = message;
    let body: string;
    try {
      body = await openPayload(keyRing, message, message.payload);
    } catch (error) {
      const status = UNREADABLE_PAYLOAD_STATUS;
      if (error instanceof UnknownKeyError) {
        return { code: 'key_unknown', status, reason: 'The key of the job message is not known yet.' };
      }
      log.event('delivery.payload_unreadable', { reason: describeError(error) });
      return { code: 'unreadable', status, reason: 'The job message cannot be decrypted.' };
    }
    try {
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
        // The text is passed on unchanged: it was validated before it was encrypted, and the gateway validates it
        // again.
        body: body as never,
        bodySerializer: () => body,
        ...(stopping && { signal: stopping }),
      });
      return answerIn(reply, now());
    } catch (error) {
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
  }

  return async (message, { requestId = randomUUID(), since = mintedAt(message.jobId) } = {}) => {
    const { kind, org, jobId } = message;
    const log = logger.child({ requestId, jobId, kind, org });
    return outcomes.of(message, await call(message, { requestId, since }, log), { since, now: now() });
  };
}

/** Returns the time in the id of a job, milliseconds since 1970; undefined without one (RFC 9562, section 5.7). */
function mintedAt(jobId: string): number | undefined {
  if (!isUuid(jobId) || version(jobId) !== 7) return undefined;
  return Number.parseInt(jobId.slice(0, 8) + jobId.slice(9, 13), 16);
}

function answerIn({ response, error }: { readonly response: Response; readonly error?: unknown }, now: number): Answer {
  const { status } = response;
  const pauseMs = retryAfterMs(response.headers.get('Retry-After'), now);
  // Texts of the gateway about its own faults do not belong in the record.
  const text = status < 500 && isObject(error) ? error['message'] : undefined;
  const explanation = typeof text === 'string' ? ` (${text.slice(0, 500)})` : '';
  const reason = `The callback answered ${status}${explanation}.`;
  return { code: codeOfStatus(status, pauseMs !== undefined), status, reason, retryAfterMs: pauseMs };
}
