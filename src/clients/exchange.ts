import type { ValidateFunction } from 'ajv';
import { ServiceUnavailableError, type ErrorCode } from '../errors.js';
import { retryAfterMs } from './retry-after.js';
import { BackendOutage, BackendRefusal, CallCutOffError } from './call-errors.js';
import type { Resilience } from './resilience.js';

/** What openapi-fetch resolves to, as far as it is read here. */
export interface Exchange {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** One call to a backend. */
export interface Call<T> {
  /** Who is called, e.g. `backend-api`. */
  readonly backend: string;
  /** Longest time for the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * `read` changes nothing and is repeated when it fails; `write` is not; `probe` is neither repeated nor held
   * back while other calls fail.
   */
  readonly mode: 'read' | 'write' | 'probe';
  readonly resilience: Resilience;
  /** Aborts the call early. */
  readonly signal?: AbortSignal | undefined;
  /** Sends the request. */
  readonly send: (signal: AbortSignal) => Promise<Exchange>;
  /** What a successful reply must look like; absent when the reply has no body. */
  readonly reply?: ValidateFunction<T>;
}

/**
 * Sends a request and returns the reply's body.
 *
 * @throws {BackendRefusal} the backend answered 4xx
 * @throws {ServiceUnavailableError} no answer in time, a 5xx status, or a reply that does not match the
 *   backend's OpenAPI file
 */
export async function exchange<T = undefined>(call: Call<T>): Promise<T> {
  switch (call.mode) {
    case 'read':
      return call.resilience.read(() => attempt(call), call.signal);
    case 'write':
      return call.resilience.write(() => attempt(call));
    case 'probe':
      return attempt(call);
  }
}

async function attempt<T>(call: Call<T>): Promise<T> {
  const { data, error, response } = await send(call);
  const pause = retryAfterMs(response.headers.get('retry-after'), Date.now());
  if (response.status >= 500)
    throw new BackendOutage(call.backend, { httpStatus: response.status, retryAfterMs: pause });
  if (!response.ok) throw refusal(call.backend, response.status, error, pause);
  if (call.reply === undefined) return data as T; // no reply schema: T is undefined and so is the body
  if (!call.reply(data)) {
    const [fault] = call.reply.errors ?? [];
    throw unavailable(call.backend, `reply does not match: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`);
  }
  return data;
}

async function send(call: Call<never> | Call<unknown>): Promise<Exchange> {
  const timeout = AbortSignal.timeout(call.timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
  try {
    return await call.send(signal);
  } catch (cause) {
    if (call.signal?.aborted) throw new CallCutOffError(call.backend, { cause });
    throw new BackendOutage(call.backend, { cause });
  }
}

function unavailable(backend: string, what: string): ServiceUnavailableError {
  return new ServiceUnavailableError(backend, { cause: new Error(`${backend} ${what}`) });
}

const REFUSAL_CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'UnAuthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
};

function refusal(backend: string, status: number, body: unknown, pause: number | undefined): BackendRefusal {
  const message = messageOf(body) ?? `${backend} refused the request with status ${status}`;
  return new BackendRefusal(backend, status, REFUSAL_CODES[status] ?? 'BadInput', message, pause);
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
}
