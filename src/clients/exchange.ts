import { BACKEND_OPERATIONS, type BackendOperation } from '../../generated/backend-operations.js';
import { jsonIn } from '../base/wire/json-content.js';
import type { CurrentTrace } from '../base/wire/trace-headers.js';
import { CallError, type BackendName, type CallEnd, type CallName } from './call-error.js';
import type { CallLimits, Connections } from './connections.js';
import { outgoing, PlainRequest, PlainResponse, targetOf, type Fetch } from './plain-exchange.js';
import type { OnBreach, ReplyReader } from './read-reply.js';
import { retryAfterMs } from './retry.js';

/** Sends one request through `fetch`, with openapi-fetch or without. */
export type Send = (via: { readonly fetch: Fetch }) => Promise<unknown>;

/** A call: its name, the reader of its reply, and the function that sends its request. */
export interface BackendCall<T> {
  readonly call: CallName;
  readonly reply: ReplyReader<T>;
  readonly send: Send;
  /** True if it carries a user's token, which the gateway has verified. */
  readonly withToken?: true;
}

export interface Route extends CallLimits {
  readonly backend: BackendName;
  readonly connections: Connections;
  readonly currentTrace?: CurrentTrace | undefined;
  readonly onBreach?: OnBreach | undefined;
}

/** Reply for openapi-fetch, which has nothing to do then. */
const READ_ALREADY = new PlainResponse(204, {}, new Uint8Array()) as unknown as Response; // it reads nothing else

/** Sends a call once. @throws {CallError} */
export async function exchange<T>({ call, reply, send }: BackendCall<T>, route: Route): Promise<T> {
  let value: T | undefined;
  const fetch: Fetch = async (input) => {
    const request = outgoing(input);
    const received = await sendOver(route, request);
    value = readReply(received, reply, route, call, 'x-api-key' in request.headers);
    return READ_ALREADY;
  };
  await send({ fetch });
  return value as T; // each call sends one request
}

/** Sends a request without openapi-fetch, which takes a fifth of the time of a short call. */
export function sending(request: PlainRequest): Send {
  return ({ fetch }) => fetch(request as never); // clients created with PLAIN_REQUESTS pass on the same
}

/**
 * Makes a function that requests a resource that is needed often and seldom changes. Requests are conditional (RFC
 * 9110, section 13.1.2); text is parsed only after a change, and the value is identical until then.
 */
export function conditionalFetch<T>(call: CallName, url: string, read: ReplyReader<T>): (route: Route) => Promise<T> {
  const target = targetOf(url);
  let last: { readonly text: string; readonly value: T; readonly etag: string | null } | undefined;
  return async (route) => {
    const known = last;
    const headers = known?.etag == null ? {} : { 'if-none-match': known.etag };
    const received = await sendOver(route, new PlainRequest(url, { target, headers }));
    if (known !== undefined && received.status === 304) return known.value;
    const reader: ReplyReader<T> = (text, ...how) => {
      const value = known?.text === text ? known.value : read(text, ...how);
      last = { text, value, etag: received.headers.get('etag') };
      return value;
    };
    return readReply(received, reader, route, call, false);
  };
}

function sendOver(route: Route, request: PlainRequest): Promise<PlainResponse> {
  const trace = route.currentTrace?.();
  return route.connections.send(trace === undefined ? request : request.with({ ...trace }), route);
}

/** Statuses that servers and proxies answer for paths that they do not know. */
const OF_PATHS: ReadonlySet<number> = new Set([404, 405]);
/** Refusals that need no words. */
const CLEAR_WITHOUT_BODY: ReadonlySet<number> = new Set([400, 401, 403, 409, 422]);
/** "Too slow", "too early" and "too much" (RFC 9110, 15.5.9; RFC 8470; RFC 6585): refusals only for now. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);
/** Maximum length of a header in the log, in characters. */
const MAX_HEADER = 100;

/**
 * Reads a reply, and decides whether it is the backend's own. Every reply of every backend is read here.
 *
 * @param withKey true if the request had our key
 * @throws {CallError} for any reply but a readable 2xx
 */
function readReply<T>(
  received: PlainResponse,
  reply: ReplyReader<T>,
  { backend, onBreach }: Route,
  call: CallName,
  withKey: boolean,
): T {
  const { status: httpStatus, ok, headers, body } = received;
  if (ok) return reply(body, backend, onBreach);
  if (httpStatus < 400) {
    const rule = `status ${httpStatus}`;
    throw new CallError(backend, 'redirected', `broke its contract: ${rule}`, { breach: { rule, path: '' } });
  }
  const said = `answered ${httpStatus}`;
  const details = { httpStatus, retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()) };
  if (httpStatus === 500) throw new CallError(backend, 'answered 500', said, details);
  if (httpStatus > 500) throw new CallError(backend, 'failed', said, details);
  const words = messageIn(body);
  const listed: Readonly<Partial<Record<CallName, BackendOperation>>> = BACKEND_OPERATIONS[backend];
  const isItsWord = isRefusalForm(httpStatus, words !== undefined, body === '', listed[call]?.refusals ?? []);
  if (httpStatus === 401 && withKey && (isItsWord || backend === 'backend-api')) {
    throw new CallError(backend, 'key refused', said, details);
  }
  const isBusy = BUSY.has(httpStatus);
  if (isItsWord) {
    const answer = words ?? `the request was refused with status ${httpStatus}`;
    throw new CallError(backend, isBusy ? 'busy' : 'refused', said, { ...details, answer });
  }
  const headerOf = (name: string): string => (headers.get(name) ?? 'none').slice(0, MAX_HEADER);
  const sender = { contentType: headerOf('content-type'), server: headerOf('server') };
  const end: CallEnd = isBusy ? 'foreign busy' : 'foreign';
  const bySomebodyElse = `did not answer; something in front of it did, with ${httpStatus}`;
  throw new CallError(backend, end, bySomebodyElse, { ...details, sender });
}

/** Returns true if a 4xx has the form of the contract. @param listed refusals that the contract has for the call */
function isRefusalForm(status: number, hasMessage: boolean, hasNoBody: boolean, listed: readonly string[]): boolean {
  const isListed = listed.includes(String(status));
  if (OF_PATHS.has(status)) return isListed && hasMessage;
  if (!isListed && !listed.includes('4XX') && !listed.includes('default')) return false;
  return hasMessage || (hasNoBody && CLEAR_WITHOUT_BODY.has(status));
}

/** Returns the message of a failure in the form of the contract; undefined for any other body. */
function messageIn(text: string): string | undefined {
  const { message } = Object(jsonIn(text)) as { readonly message?: unknown }; // of any object
  return typeof message === 'string' && message !== '' ? message : undefined;
}
