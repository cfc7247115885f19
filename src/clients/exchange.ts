import type { ValidateFunction } from 'ajv';
import { GatewayError, ServiceUnavailableError, type ErrorCode } from '../errors.js';

/** A backend understood a request and refused it. The message is the backend's own and is written for people. */
export class BackendRefusal extends GatewayError {
  /**
   * @param backend who refused, e.g. `backend-api`
   * @param httpStatus the 4xx status it answered
   */
  constructor(
    readonly backend: string,
    readonly httpStatus: number,
    code: ErrorCode,
    message: string,
  ) {
    super(code, message);
  }
}

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
  const { data, error, response } = await attempt(call);
  if (response.status >= 500) throw unavailable(call.backend, `answered ${response.status}`);
  if (!response.ok) throw refusal(call.backend, response.status, error);
  if (call.reply === undefined) return data as T; // no reply schema: T is undefined and so is the body
  if (!call.reply(data)) {
    const [fault] = call.reply.errors ?? [];
    throw unavailable(call.backend, `reply does not match: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`);
  }
  return data;
}

async function attempt(call: Call<never> | Call<unknown>): Promise<Exchange> {
  const timeout = AbortSignal.timeout(call.timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
  try {
    return await call.send(signal);
  } catch (cause) {
    throw new ServiceUnavailableError(call.backend, { cause });
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

function refusal(backend: string, status: number, body: unknown): BackendRefusal {
  const message = messageOf(body) ?? `${backend} refused the request with status ${status}`;
  return new BackendRefusal(backend, status, REFUSAL_CODES[status] ?? 'BadInput', message);
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
}
