import type { IncomingHttpHeaders } from 'node:http';
import type { ClientOptions } from 'openapi-fetch';
import { Agent, type Dispatcher } from 'undici';
import { LATE, withinTime } from '../base/waits.js';
import { PlainRequest, PlainResponse } from './plain-exchange.js';

/** `fetch` as openapi-fetch calls it. It takes requests of clients created with `PLAIN_REQUESTS`. */
export type Fetch = NonNullable<ClientOptions['fetch']>;

/** Keep-alive connection pool for clients that share it. */
export interface Transport {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** Part of AbortSignal that calls use. */
export interface EndSignal {
  readonly aborted: boolean;
  readonly reason: Error | undefined;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** No connection was available for a request, so that no byte of it was sent. */
export class NotSentError extends Error {}

/** Time at the end for requests that nobody waits for, such as a refresh whose client has gone, in milliseconds. */
const LAST_REQUESTS_MS = 2_000;

/** Greatest age of the connections of one pool, in milliseconds. */
const MAX_AGE_MS = 5 * 60_000;

/**
 * Connections that are replaced when they are old, because the address of a name is only looked up for a new one.
 * Requests under way end on the old connections. (`clientTtl` of undici 7 leaves requests waiting for ever.)
 */
export class AgingConnections {
  readonly #options: Agent.Options;
  readonly #maxAgeMs: number;
  #agent: Agent;
  /** Old connections on which requests are under way. */
  readonly #former = new Set<Agent>();
  #openedAt = performance.now();

  constructor(options: Agent.Options, maxAgeMs = MAX_AGE_MS) {
    this.#options = options;
    this.#maxAgeMs = maxAgeMs;
    this.#agent = new Agent(options);
  }

  get current(): Agent {
    const now = performance.now();
    if (now - this.#openedAt >= this.#maxAgeMs) {
      const former = this.#agent;
      this.#former.add(former);
      void former.close().finally(() => this.#former.delete(former));
      this.#agent = new Agent(this.#options);
      this.#openedAt = now;
    }
    return this.#agent;
  }

  /** Ends the connections, those with requests under way after two seconds at most. */
  async close(): Promise<void> {
    const agents = [...this.#former, this.#agent];
    const closed = Promise.all(agents.map((agent) => agent.close().catch(() => undefined)));
    if ((await withinTime(closed, LAST_REQUESTS_MS)) === LATE)
      await Promise.all(agents.map((agent) => agent.destroy()));
  }
}

/**
 * Creates a transport directly on undici's connections, which costs less than `undici.request` or `fetch`.
 *
 * @param limits maximum wait for the status line and between two chunks of the body, and for a connection
 */
export function createTransport(limits: { readonly timeoutMs: number; readonly connectTimeoutMs: number }): Transport {
  const connections = new AgingConnections({
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: limits.timeoutMs,
    bodyTimeout: limits.timeoutMs,
    connect: { timeout: limits.connectTimeoutMs },
  });
  return {
    fetch: async (input) => {
      const request = outgoing(input);
      const progress = { isSent: false };
      try {
        const reply = await transfer(connections.current, request, request.signal, () => (progress.isSent = true));
        return reply as unknown as Response; // openapi-fetch reads status, `ok`, headers, text and JSON
      } catch (cause) {
        throw progress.isSent ? cause : new NotSentError('The request was not sent.', { cause });
      }
    },
    close: () => connections.close(),
  };
}

/** Time for which an idle connection is kept, in milliseconds. */
export const KEEP_ALIVE_MS = 10_000;

/** Returns a client's request. @throws {TypeError} the client was created without `PLAIN_REQUESTS` */
export function outgoing(input: unknown): PlainRequest {
  if (input instanceof PlainRequest) return input;
  throw new TypeError('A client of this transport has to be created with PLAIN_REQUESTS.');
}

/** Highest valid status; a higher one counts as 5xx (RFC 9110, section 15). */
const MAX_STATUS = 599;

/**
 * Sends a request and receives the whole reply. Redirections are not followed, because they could leak a token, and the
 * backends send none.
 *
 * @param signal ends the exchange, once it has a connection
 * @param onSending called when it has a connection, before the first byte is sent
 */
export function transfer(
  dispatcher: Dispatcher,
  { target: { origin, path }, method, headers, body }: PlainRequest,
  signal: EndSignal | undefined,
  onSending: () => void,
): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let [status, replied]: [number, IncomingHttpHeaders] = [0, {}];
    /** Body so far, which the client of undici limits (`maxReplyBytes`). */
    const chunks: Buffer[] = [];
    const cutOff = (): void => controller?.abort(signal?.reason as Error); // of any type
    signal?.addEventListener('abort', cutOff);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        onSending();
        if (signal?.aborted) cutOff();
      },
      onResponseStart(_controller, code, given) {
        [status, replied] = [Math.min(code, MAX_STATUS), given];
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        signal?.removeEventListener('abort', cutOff);
        const [first] = chunks;
        const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
        resolve(new PlainResponse(status, replied, bytes));
      },
      onResponseError(_controller, error) {
        signal?.removeEventListener('abort', cutOff);
        reject(error);
      },
    };
    dispatcher.dispatch({ origin, path, method, headers, body }, handler);
  });
}
