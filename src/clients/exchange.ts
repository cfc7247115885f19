import { REFUSALS } from '../../generated/refusals.js';
import {
  BackendOutage,
  BackendRefusal,
  ForeignAnswer,
  KeyRefusal,
  UnexpectedRedirection,
  type CallName,
  type RefusalCode,
} from './call-errors.js';
import type { CallLimits, Connections } from './connections.js';
import type { OnBreach, ReplyReader } from './read-reply.js';
import type { PlainRequest, PlainResponse } from './plain-exchange.js';
import { retryAfterMs } from './retry.js';
import { jsonIn } from '../base/wire/json-content.js';
import type { CurrentTrace } from '../base/wire/trace-headers.js';
import { asResponse, outgoing, type Fetch } from './transport.js';

/** Part of openapi-fetch's results that is used here. */
export interface RawReply {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Pick<PlainResponse, 'status' | 'ok' | 'headers'>;
}

/** Sends a request with openapi-fetch; the reader of the reply parses the JSON. */
export type Send = (via: { readonly fetch: Fetch; readonly parseAs: 'text' }) => Promise<RawReply>;

/** A call: its name, the reader of its reply, and the function that sends its request. */
export interface BackendCall<T> {
  readonly call: CallName;
  readonly reply: ReplyReader<T>;
  readonly send: Send;
}

/** Connections and limits of a call. */
export interface Route extends CallLimits {
  readonly connections: Connections;
  /** Trace that is sent along; none if absent. */
  readonly currentTrace?: CurrentTrace | undefined;
  /** Called for parts of the reply that break its contract. */
  readonly onBreach?: OnBreach | undefined;
}

/** Sends a call once. @throws errors of {@link readRawReply} and of {@link Connections} */
export async function exchange<T>({ call, reply, send: sendCall }: BackendCall<T>, route: Route): Promise<T> {
  let withKey = false;
  const fetch: Fetch = async (input) => {
    const request = outgoing(input);
    withKey = 'x-api-key' in request.headers;
    return asResponse(await sendOver(route, request));
  };
  return readRawReply(await sendCall({ fetch, parseAs: 'text' }), reply, { ...route, call, withKey });
}

/** Sends a request with the current trace. @throws errors of {@link Connections} */
export function sendOver(route: Route, request: PlainRequest): Promise<PlainResponse> {
  const trace = route.currentTrace?.();
  return route.connections.send(trace === undefined ? request : request.with({ ...trace }), route);
}

/** Sends a request without openapi-fetch, which takes a fifth of the time of a short call. */
export function sending(request: PlainRequest): Send {
  // Clients created with PLAIN_REQUESTS pass on the one and get the other.
  return async ({ fetch }) => receive((await fetch(request as never)) as unknown as PlainResponse);
}

/** Splits a reply as openapi-fetch does. */
export function receive(response: PlainResponse): RawReply {
  const text = response.body;
  return response.ok ? { data: text, response } : { error: jsonIn(text) ?? text, response };
}

type ReplyContext = Pick<Route, 'backend' | 'servedAt' | 'onBreach'> & {
  readonly call: CallName;
  /** True if the request had our key. */
  readonly withKey: boolean;
};

/**
 * Reads a reply, and decides whether it is the backend's own. Every reply of every backend is read here.
 *
 * @throws {BackendRefusal} 4xx in the form of the contract
 * @throws {KeyRefusal} 401 to our key, by backend-api in any form
 * @throws {ForeignAnswer} any other 4xx, which something in front of the backend sent
 * @throws {BackendOutage} 5xx
 * @throws {ContractBreach} 2xx that breaks the contract, or 3xx
 */
export function readRawReply<T>({ data, error, response }: RawReply, reply: ReplyReader<T>, context: ReplyContext): T {
  const { backend, call, servedAt, onBreach, withKey } = context;
  const { status, ok, headers } = response;
  if (ok) return reply(data, backend, onBreach);
  if (status < 400) throw new UnexpectedRedirection(backend, `status ${status}`);
  const pauseMs = retryAfterMs(headers.get('retry-after'), Date.now());
  const outage = { retryAfterMs: pauseMs, servedAt: servedAt?.() };
  if (status >= 500) throw new BackendOutage(backend, { httpStatus: status, ...outage });
  const message = messageOf(error);
  const answer = message ?? `the request was refused with status ${status}`;
  const listed: Readonly<Partial<Record<CallName, readonly string[]>>> = REFUSALS[backend];
  const isItsWord = isRefusal(status, message !== undefined, isEmpty(error), listed[call] ?? []);
  if (status === 401 && withKey && (isItsWord || backend === 'backend-api')) {
    throw new KeyRefusal(backend, status, 'UnAuthenticated', answer, pauseMs);
  }
  if (isItsWord) {
    throw new BackendRefusal(backend, status, REFUSAL_CODES[status] ?? 'BadInput', answer, pauseMs);
  }
  const headerOf = (name: string): string => (headers.get(name) ?? 'none').slice(0, MAX_HEADER);
  const sender = { contentType: headerOf('content-type'), server: headerOf('server') };
  throw new ForeignAnswer(backend, status, sender, outage);
}

/** Maximum length of a header in the log, in characters. */
const MAX_HEADER = 100;

/** Statuses that servers and proxies answer for paths that they do not know. */
const OF_PATHS: ReadonlySet<number> = new Set([404, 405]);

/** Refusals that need no words. */
const CLEAR_WITHOUT_BODY: ReadonlySet<number> = new Set([400, 401, 403, 409, 422]);

/** Returns true if a 4xx has the form of the contract. @param listed refusals that the contract has for the call */
function isRefusal(status: number, hasMessage: boolean, hasNoBody: boolean, listed: readonly string[]): boolean {
  const isListed = listed.includes(String(status));
  if (OF_PATHS.has(status)) return isListed && hasMessage;
  if (!isListed && !listed.includes('4XX') && !listed.includes('default')) return false;
  return hasMessage || (hasNoBody && CLEAR_WITHOUT_BODY.has(status));
}

const REFUSAL_CODES: Readonly<Record<number, RefusalCode>> = {
  401: 'UnAuthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
};

/** Returns the message of a failure in the form of the contract; undefined for any other body. */
function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === '';
}
