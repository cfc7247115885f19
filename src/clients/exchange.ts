import {
  BackendOutage,
  BackendRefusal,
  CallCutOffError,
  CallRefusedError,
  ContractBreach,
  LargeRequestDroppedError,
  type BackendName,
  type RefusalCode,
} from './call-errors.js';
import { QueueFullError } from './connection-shares.js';
import { ConnectionError, LargeRequestError, ReplyTooLargeError, type Connections } from './connections.js';
import type { OnBreach, Reading } from './read-reply.js';
import type { PlainRequest, PlainResponse } from './plain-exchange.js';
import { retryAfterMs } from './retry.js';
import type { CurrentTrace } from '../wire/trace-headers.js';
import { CutOffError, TimeLimitError, within } from './time-limit.js';
import { asResponse, outgoing, type Fetch } from './transport.js';

/** Part of openapi-fetch's results that is used here. */
export interface Exchanged {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Pick<PlainResponse, 'status' | 'ok' | 'headers'>;
}

/** Options of a request for openapi-fetch. */
export interface Via {
  readonly fetch: Fetch;
  /** The reader parses the JSON. */
  readonly parseAs: 'text';
}

/** Sends a request with openapi-fetch. */
export type Send = (via: Via) => Promise<Exchanged>;

/** Request of a call, and the reader of its answer. */
export type Question<T> = { readonly reply: Reading<T> } & (
  | { readonly send: Send }
  /** For frequent calls, because it costs less. */
  | { readonly request: PlainRequest }
);

/** Route of a call. */
export interface Route {
  /** Called backend, e.g. `backend-api`. */
  readonly backend: BackendName;
  readonly connections: Connections;
  /** Party that uses the connection. */
  readonly party: string;
  /** Maximum time, from now to the end of the reply. */
  readonly timeoutMs: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
  /** Time when a call of the same circuit was last served, for the error. */
  readonly servedAt?: () => number | undefined;
  /** Trace that is sent along; none if absent. */
  readonly currentTrace?: CurrentTrace | undefined;
  /** Called for parts of the reply that break its contract. */
  readonly onBreach?: OnBreach | undefined;
}

/** Sends a request over the route of a call. @returns the whole reply */
export type SendOnce = (request: PlainRequest) => Promise<PlainResponse>;

/**
 * Sends a call once.
 *
 * @throws {BackendRefusal} the backend answered 4xx; also errors of {@link inTime}
 */
export async function exchange<T>(question: Question<T>, route: Route): Promise<T> {
  return inTime(route, async (send) => {
    const exchanged =
      'request' in question
        ? receive(await send(question.request))
        : await question.send({ fetch: async (input) => asResponse(await send(outgoing(input))), parseAs: 'text' });
    return readExchanged(exchanged, question.reply, route);
  });
}

/**
 * Runs a call within the limits of its route.
 *
 * @throws {BackendOutage} the connection failed, no answer came in time, or the backend answered 5xx
 * @throws {ContractBreach} the reply does not match the backend's OpenAPI file
 * @throws {CallRefusedError} no connection was available, so that no request was sent
 * @throws {LargeRequestDroppedError} the backend hung up on a large request
 * @throws {CallCutOffError} the signal was aborted
 */
export async function inTime<T>(route: Route, call: (send: SendOnce) => Promise<T>): Promise<T> {
  const { backend, connections, party, timeoutMs, signal, servedAt, currentTrace } = route;
  const progress = { sent: false };
  const onSent = (): void => {
    progress.sent = true;
  };
  try {
    return await within(timeoutMs, signal, (limit) =>
      call((request) => connections.send(traced(request, currentTrace), { party, signal: limit, onSent })),
    );
  } catch (error) {
    if (error instanceof CutOffError) throw new CallCutOffError(backend, { cause: error.cause });
    if (error instanceof QueueFullError || (error instanceof TimeLimitError && !progress.sent)) {
      throw new CallRefusedError(backend, { cause: new Error(`${backend} was not asked: ${error.message}`) });
    }
    if (error instanceof TimeLimitError || error instanceof ConnectionError) {
      throw new BackendOutage(backend, { servedAt: servedAt?.(), cause: error.cause ?? error });
    }
    if (error instanceof LargeRequestError) throw new LargeRequestDroppedError(backend, { cause: error });
    if (error instanceof ReplyTooLargeError) throw new ContractBreach(backend, error.message);
    throw error;
  }
}

function traced(request: PlainRequest, currentTrace: CurrentTrace | undefined): PlainRequest {
  const trace = currentTrace?.();
  return trace === undefined ? request : request.with({ ...trace });
}

/** Splits a reply as openapi-fetch does. */
export function receive(response: PlainResponse): Exchanged {
  const text = response.body;
  if (response.ok) return { data: text, response };
  try {
    return { error: JSON.parse(text) as unknown, response };
  } catch {
    return { error: text, response };
  }
}

/** Reads a reply. @throws {BackendRefusal | BackendOutage | ContractBreach} by its status; also errors of `reply` */
export function readExchanged<T>(
  { data, error, response }: Exchanged,
  reply: Reading<T>,
  { backend, servedAt, onBreach }: Pick<Route, 'backend' | 'servedAt' | 'onBreach'>,
): T {
  const { status, ok } = response;
  if (ok) return reply(data, backend, onBreach);
  const pauseMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
  if (status >= 500) {
    throw new BackendOutage(backend, { httpStatus: status, retryAfterMs: pauseMs, servedAt: servedAt?.() });
  }
  if (status < 400) throw new ContractBreach(backend, `status ${status}`);
  const message = messageOf(error) ?? `the request was refused with status ${status}`;
  throw new BackendRefusal(backend, status, REFUSAL_CODES[status] ?? 'BadInput', message, pauseMs);
}

const REFUSAL_CODES: Readonly<Record<number, RefusalCode>> = {
  401: 'UnAuthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
};

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
}
