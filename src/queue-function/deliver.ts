import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import { validate as isUuid, version } from 'uuid';
import type { paths } from '../../generated/gateway.js';
import { PLAIN_REQUESTS } from '../clients/plain-exchange.js';
import { retryAfterMs } from '../clients/retry-after.js';
import { createTransport, type Transport } from '../clients/transport.js';
import { describeError } from '../errors.js';
import type { KeyRing } from '../config/key-ring.js';
import type { SigningSecrets } from '../config/signing-secrets.js';
import type { Logger } from '../logging/log-events.js';
import type { CurrentTrace } from '../wire/trace-headers.js';
import { encodeOrgHeader, ORG_HEADER } from '../wire/organisation-code.js';
import { signCallback } from '../job-record/callback-signature.js';
import { MAX_KEY_WAIT_MS } from '../job-record/fingerprint-key.js';
import type { JobMessage } from '../job-record/job-queue.js';
import { openPayload, UnknownKeyError } from '../job-record/payload-encryption.js';
import { CALLBACK_PATHS } from '../job-record/job-kinds.js';
import type { DeliveryOutcome } from './delivery-outcome.js';

export type { DeliveryOutcome } from './delivery-outcome.js';

/**
 * Calls the callback of a job. Never throws: every failure is an outcome.
 *
 * @param requestId id of this call in the logs of both sides, sent as `x-request-id`; a random one by default
 */
export type Deliver = (message: DeliverableMessage, requestId?: string) => Promise<DeliveryOutcome>;

/** What of a message is needed to deliver it. */
export type DeliverableMessage = Pick<JobMessage, 'kind' | 'org' | 'jobId' | 'payload' | 'traceparent'>;

/** Status that stands for a gateway that did not reply at all. */
export const NO_REPLY_STATUS = 503;

/** Status that stands for a payload that cannot be decrypted, so that no callback was called. */
export const UNREADABLE_PAYLOAD_STATUS = 500;

/** When to look again for the key. */
const KEY_PAUSE_MS = 10_000;

/** How jobs are delivered. */
export interface DeliverOptions {
  /** Where the gateway is, its base path included. */
  readonly gatewayUrl: string;
  /** Sent as `x-api-key`. */
  readonly apiKey: string;
  /** Each call is signed with all of them; undefined: none is. */
  readonly signingSecrets?: SigningSecrets | undefined;
  readonly keyRing: KeyRing;
  /** Longest time a callback may run, in milliseconds; the call waits longer than that. */
  readonly deadlineMs: number;
  readonly logger: Logger;
  /** The network; by default a connection pool of its own. Its time-outs must be longer than the deadline. */
  readonly transport?: Transport;
  /** Once aborted, calls under way end: their messages come back, and no attempt is used up. */
  readonly stopping?: AbortSignal;
  /** The trace that the gateway goes on with; that of the message by default. */
  readonly currentTrace?: CurrentTrace | undefined;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
}

/** How much longer than the deadline the reply is waited for, so that the gateway is the one that ends it. */
const GRACE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** When a message whose call was ended may come to another queue function; the gateway goes on with its job. */
const HAND_OVER_MS = 1_000;

/** A transport that waits for longer than a job may take; to be closed by whoever creates it. */
export function createDeliveryTransport(deadlineMs: number): Transport {
  return createTransport({ timeoutMs: deadlineMs + GRACE_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS });
}

/** Creates the function that decrypts a message and calls its callback. */
export function createDeliver(options: DeliverOptions): Deliver {
  const {
    gatewayUrl,
    apiKey,
    signingSecrets,
    keyRing,
    deadlineMs,
    logger,
    stopping,
    currentTrace,
    now = Date.now,
  } = options;
  const transport = options.transport ?? createDeliveryTransport(deadlineMs);
  const client = createClient<paths>({
    ...PLAIN_REQUESTS,
    baseUrl: gatewayUrl,
    fetch: transport.fetch,
    headers: { 'x-api-key': apiKey },
  });

  return async (message, requestId = randomUUID()) => {
    const { kind, org, jobId, traceparent } = message;
    const log = logger.child({ requestId, jobId, kind, org });
    let body: string;
    try {
      body = await openPayload(keyRing, message, message.payload);
    } catch (error) {
      return judgeUnreadable(error, message, now(), log);
    }
    try {
      const reply = await client.POST(CALLBACK_PATHS[kind], {
        headers: { 'x-request-id': requestId, ...(currentTrace?.() ?? (traceparent !== undefined && { traceparent })) },
        params: {
          header: {
            'x-job-id': jobId,
            ...(org !== undefined && { [ORG_HEADER]: encodeOrgHeader(org) }),
            // Anew for each attempt: what came before is refused.
            ...(signingSecrets && signCallback(signingSecrets, message, body, now())),
          },
        },
        // What was sealed had been validated, and the gateway validates it again: the text goes on as it is.
        body: body as never,
        bodySerializer: () => body,
        ...(stopping && { signal: stopping }),
      });
      return judge(reply, now());
    } catch (error) {
      if (stopping?.aborted) {
        const reason = 'The queue function is shutting down.';
        return { kind: 'delay', delayMs: HAND_OVER_MS, status: NO_REPLY_STATUS, reason, interrupted: true };
      }
      log.event('delivery.no_reply', { reason: describeError(error) });
      return { kind: 'retry', status: NO_REPLY_STATUS, reason: 'No usable reply came from the gateway.' };
    }
  };
}

/** A key may still come, for a while; anything else is no message, and never will be. */
function judgeUnreadable(error: unknown, { jobId }: DeliverableMessage, now: number, log: Logger): DeliveryOutcome {
  const status = UNREADABLE_PAYLOAD_STATUS;
  if (!(error instanceof UnknownKeyError)) {
    log.event('delivery.payload_unreadable', { reason: describeError(error) });
    return { kind: 'final', status, reason: 'The job message cannot be decrypted.' };
  }
  log.event('delivery.key_unknown', { reason: error.message });
  const reason = 'The key of the job message is not known yet.';
  // Earlier builds did not note when they sealed.
  const since = error.sealedAt ?? mintedAt(jobId);
  // When its time cannot be told, its attempts say when to stop.
  if (since === undefined) return { kind: 'retry', status, reason };
  // The time is not vouched for, so one in the future is no reason to wait for ever.
  if (Math.abs(now - since) < MAX_KEY_WAIT_MS) return { kind: 'delay', delayMs: KEY_PAUSE_MS, status, reason };
  return { kind: 'final', status, reason: 'The job message cannot be decrypted: its key was not known for an hour.' };
}

/** When a job was given its id, milliseconds since 1970; undefined when the id holds no time (RFC 9562, 5.7). */
function mintedAt(jobId: string): number | undefined {
  if (!isUuid(jobId) || version(jobId) !== 7) return undefined;
  return Number.parseInt(jobId.slice(0, 8) + jobId.slice(9, 13), 16);
}

interface Reply {
  readonly response: Response;
  readonly error?: unknown;
}

/** Statuses by which the gateway asks to come again; nothing is wrong with the job. */
const COME_AGAIN: ReadonlySet<number> = new Set([409, 503]);

function judge({ response, error }: Reply, now: number): DeliveryOutcome {
  const { status } = response;
  if (status === 200) return { kind: 'done' };
  const reason = `The callback answered ${status}${explanation(status, error)}.`;
  if (COME_AGAIN.has(status)) {
    return { kind: 'delay', delayMs: redeliveryDelayMs(response.headers.get('Retry-After'), now), status, reason };
  }
  return { kind: status >= 400 && status < 500 ? 'final' : 'retry', status, reason };
}

/**
 * How long to wait before a job is delivered again.
 *
 * @param header `Retry-After`, null when absent
 * @param now milliseconds since 1970
 * @returns milliseconds to wait, from 1 s to 5 minutes; 5 s when the header is absent or malformed
 */
export function redeliveryDelayMs(header: string | null, now: number): number {
  const wanted = retryAfterMs(header, now) ?? DEFAULT_DELAY_MS;
  return Math.min(Math.max(wanted, MIN_DELAY_MS), MAX_DELAY_MS);
}

const DEFAULT_DELAY_MS = 5_000;
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 300_000;

/** What the gateway said about the caller's fault; the texts of its own faults are not for the job's record. */
function explanation(status: number, error: unknown): string {
  if (status >= 500 || typeof error !== 'object' || error === null || !('message' in error)) return '';
  return typeof error.message === 'string' ? ` (${error.message.slice(0, 500)})` : '';
}
