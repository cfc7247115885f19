import createClient, { type Client } from 'openapi-fetch';

import type { components, paths } from '../../generated/gateway.js';
import { createTransport, type Transport } from '../clients/transport.js';
import { describeError } from '../errors.js';
import type { KeyRing } from '../config/key-ring.js';
import type { Logger } from '../logger.js';
import { encodeOrgHeader } from '../organisation.js';
import type { JobMessage } from '../job-record/job-queue.js';
import { openPayload } from '../job-record/payload-encryption.js';
import type { JobKind } from '../job-record/job-record.js';
import { parseRetryAfter } from './retry-after.js';

/** What became of one call of a callback. */
export type DeliveryOutcome =
  /** 200: the job was handled. */
  | { readonly kind: 'done' }
  /** The gateway asked to come again later. */
  | { readonly kind: 'delay'; readonly delayMs: number; readonly status: number; readonly reason: string }
  /** It may work next time. `status` is the last one, {@link NO_REPLY_STATUS} when there was none. */
  | { readonly kind: 'retry'; readonly status: number; readonly reason: string }
  /** It will never work. */
  | { readonly kind: 'final'; readonly status: number; readonly reason: string };

/** Calls the callback of a job. Never throws: every failure is an outcome. */
export type Deliver = (message: JobMessage) => Promise<DeliveryOutcome>;

/** Status that stands for a gateway that did not reply at all. */
export const NO_REPLY_STATUS = 503;

/** Status that stands for a payload that cannot be decrypted, so that no callback was called. */
export const UNREADABLE_PAYLOAD_STATUS = 500;

/** How jobs are delivered. */
export interface DeliverOptions {
  /** Where the gateway is, its base path included. */
  readonly gatewayUrl: string;
  /** Sent as `x-api-key`. */
  readonly apiKey: string;
  readonly keyRing: KeyRing;
  /** Longest time a callback may run, in milliseconds; the call waits longer than that. */
  readonly deadlineMs: number;
  readonly logger: Logger;
  /** The network; by default a connection pool of its own. Its time-outs must be longer than the deadline. */
  readonly transport?: Transport;
  /** Once aborted, calls under way are given up: their messages come back, and no attempt is used up. */
  readonly stopping?: AbortSignal;
}

/** How much longer than the deadline the reply is waited for, so that the gateway is the one to give up. */
const GRACE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** When a message that was given up may come to another queue function; the gateway goes on with its job. */
const HAND_OVER_MS = 1_000;

/** A transport that waits for longer than a job may take; to be closed by whoever creates it. */
export function createDeliveryTransport(deadlineMs: number): Transport {
  return createTransport({ timeoutMs: deadlineMs + GRACE_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS });
}

/** Creates the function that decrypts a message and calls its callback. */
export function createDeliver(options: DeliverOptions): Deliver {
  const { gatewayUrl, apiKey, keyRing, deadlineMs, logger, stopping } = options;
  const transport = options.transport ?? createDeliveryTransport(deadlineMs);
  const client = createClient<paths>({ baseUrl: gatewayUrl, fetch: transport.fetch, headers: { 'x-api-key': apiKey } });

  return async (message) => {
    const { kind, org, jobId } = message;
    const log = logger.child({ jobId, kind });
    const body = await openPayload(keyRing, message, message.payload).catch((error: unknown) => {
      log.error({ reason: describeError(error) }, 'A job message cannot be decrypted; check JOB_ENCRYPTION_KEY');
      return undefined;
    });
    if (body === undefined) {
      return { kind: 'final', status: UNREADABLE_PAYLOAD_STATUS, reason: 'The job message cannot be decrypted.' };
    }
    try {
      const reply = await CALLBACKS[kind](client, {
        params: { header: { 'x-job-id': jobId, ...(org !== undefined && { 'x-org-id': encodeOrgHeader(org) }) } },
        body,
        ...(stopping !== undefined && { signal: stopping }),
      });
      return judge(reply, Date.now());
    } catch (error) {
      if (stopping?.aborted) {
        const reason = 'The queue function is shutting down.';
        return { kind: 'delay', delayMs: HAND_OVER_MS, status: NO_REPLY_STATUS, reason };
      }
      log.warn({ reason: describeError(error) }, 'No usable reply came from the gateway');
      return { kind: 'retry', status: NO_REPLY_STATUS, reason: 'No usable reply came from the gateway.' };
    }
  };
}

interface Call {
  readonly params: { readonly header: { readonly 'x-job-id': string; readonly 'x-org-id'?: string } };
  /** JSON text. */
  readonly body: string;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

interface Reply {
  readonly response: Response;
  readonly error?: unknown;
}

type Schemas = components['schemas'];

/**
 * The callback of each kind of job. The casts: what was sealed had been validated, and the gateway validates it
 * again.
 */
const CALLBACKS: Readonly<Record<JobKind, (client: Client<paths>, call: Call) => Promise<Reply>>> = {
  'driving-reports': (client, { body, ...call }) =>
    client.POST('/api/v1/DrivingReport/GenerateCallback', {
      ...call,
      body: JSON.parse(body) as Schemas['DrivingReportRequest'],
    }),
  'user-accounts': (client, { body, ...call }) =>
    client.POST('/api/v1/UserAccount/BulkOperationCallback', {
      ...call,
      body: JSON.parse(body) as Schemas['BulkUserAccountRequest'],
    }),
  mobiles: (client, { body, ...call }) =>
    client.POST('/api/v1/Mobile/BulkUpdateCallback', {
      ...call,
      body: JSON.parse(body) as Schemas['BulkMobileRequest'],
    }),
};

/** Statuses by which the gateway asks to come again; nothing is wrong with the job. */
const COME_AGAIN: ReadonlySet<number> = new Set([409, 503]);

function judge({ response, error }: Reply, now: number): DeliveryOutcome {
  const { status } = response;
  if (status === 200) return { kind: 'done' };
  const reason = `The callback answered ${status}${explanation(status, error)}.`;
  if (COME_AGAIN.has(status)) {
    return { kind: 'delay', delayMs: parseRetryAfter(response.headers.get('Retry-After'), now), status, reason };
  }
  return { kind: status >= 400 && status < 500 ? 'final' : 'retry', status, reason };
}

/** What the gateway said about the caller's fault; the texts of its own faults are not for the job's record. */
function explanation(status: number, error: unknown): string {
  if (status >= 500 || typeof error !== 'object' || error === null || !('message' in error)) return '';
  return typeof error.message === 'string' ? ` (${error.message.slice(0, 500)})` : '';
}
