import type { IncomingHttpHeaders } from 'node:http';
import type { ClientOptions } from 'openapi-fetch';
import { Agent, type Dispatcher } from 'undici';
import { PlainRequest, PlainResponse } from './plain-exchange.js';
import type { EndSignal } from './time-limit.js';

/** A `fetch` as openapi-fetch calls it. It understands what clients make that were created with `PLAIN_REQUESTS`. */
export type Fetch = NonNullable<ClientOptions['fetch']>;

/** A keep-alive connection pool for clients that share it. */
export interface Transport {
  readonly fetch: Fetch;
  /** Closes idle connections and waits for those in use. */
  close(): Promise<void>;
}

/** Limits of a transport, in milliseconds. */
export interface TransportOptions {
  /** Longest wait for the status line, and between two chunks of the body. */
  readonly timeoutMs: number;
  /** Longest wait for a connection. */
  readonly connectTimeoutMs: number;
}

/** There was no connection to send a request over, so that nobody has seen any of it. */
export class NotSentError extends Error {}

/** A transport straight on the connections of undici: a call costs less than with `undici.request`, or with `fetch`. */
export function createTransport({ timeoutMs, connectTimeoutMs }: TransportOptions): Transport {
  const agent = new Agent({
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: connectTimeoutMs },
  });
  return {
    fetch: async (input) => {
      const request = outgoing(input);
      const progress = { isSent: false };
      try {
        return asResponse(await transfer(agent, request, request.signal, () => (progress.isSent = true)));
      } catch (cause) {
        throw progress.isSent ? cause : new NotSentError('The request was not sent.', { cause });
      }
    },
    close: () => agent.close(),
  };
}

/** How long a connection that nobody uses is kept. */
export const KEEP_ALIVE_MS = 10_000;

/** What a client wants to send. @throws {TypeError} the client was created without `PLAIN_REQUESTS` */
export function outgoing(input: unknown): PlainRequest {
  if (input instanceof PlainRequest) return input;
  throw new TypeError('A client of this transport has to make plain requests.');
}

/** A reply as openapi-fetch wants it. */
export function asResponse(reply: PlainResponse): Response {
  // It reads status, `ok`, headers, text and JSON, and passes on what it was given.
  return reply as unknown as Response;
}

/**
 * Sends a request and receives the reply whole. Redirects are not followed: no backend of ours redirects, and a
 * followed one could leak a token.
 *
 * @param signal ends it, as soon as there is a connection that can be ended
 * @param onSending told when there is one, before anything is sent
 */
export function transfer(
  dispatcher: Dispatcher,
  { target: { origin, path }, method, headers, body }: PlainRequest,
  signal: EndSignal | undefined,
  onSending?: () => void,
): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    const receiving = new Receiving(resolve, reject, signal, onSending);
    dispatcher.dispatch({ origin, path, method, headers, body }, receiving);
  });
}

/** What is above counts as a failure of the server (RFC 9110, section 15). */
const MAX_STATUS = 599;

/** One reply on its way. */
class Receiving implements Dispatcher.DispatchHandler {
  readonly #resolve: (reply: PlainResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: EndSignal | undefined;
  readonly #onSending: (() => void) | undefined;
  readonly #cutOff = (): void => this.#controller?.abort(this.#signal?.reason as Error); // whatever its owner gave
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(
    resolve: (reply: PlainResponse) => void,
    reject: (error: unknown) => void,
    signal: EndSignal | undefined,
    onSending: (() => void) | undefined,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#onSending = onSending;
    signal?.addEventListener('abort', this.#cutOff);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#onSending?.();
    if (this.#signal?.aborted) this.#cutOff();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    const [first] = this.#chunks;
    const bytes = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#resolve(new PlainResponse(Math.min(this.#status, MAX_STATUS), this.#headers, bytes));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    this.#signal?.removeEventListener('abort', this.#cutOff);
  }
}
