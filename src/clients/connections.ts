import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher } from 'undici';
import { hasCode, type Dependency } from '../base/errors.js';
import { LATE, onAbort, withinTime } from '../base/waits.js';
import { CallError, contractBreach } from './call-error.js';
import {
  ConnectionShares,
  type ConnectionSharesOptions,
  type ConnectionUse,
  type PartyPath,
} from './connection-shares.js';
import { PlainResponse, type PlainRequest } from './plain-exchange.js';

/** Time limits of clients that are not configurable, in milliseconds. */
export interface BackendWaits {
  /** Maximum wait for a TCP connection; 2,000 by default. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum wait for the public keys; by default 2,000, or the maximum time of any call if that is less. */
  readonly keyFetchTimeoutMs?: number | undefined;
}

export interface CallLimits {
  readonly party: PartyPath;
  /** Maximum time, from now to the end of the reply. */
  readonly timeoutMs: number;
  /** Ends the request earlier, as too late if its reason is a `TimeoutError`. No listener stays on it. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConnectionsOptions extends ConnectionSharesOptions, Pick<BackendWaits, 'connectTimeoutMs'> {
  readonly backend: Dependency;
  readonly maxReplyBytes?: number;
  readonly maxAgeMs?: number;
}

const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Maximum size of a reply's body: twice the trips of a day with a fix each second. A report of 64 MiB of trips used up
 * the memory of the drawing thread, and so ended other reports in it.
 */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** Sizes of the head and of the body of a request, in bytes, that servers accept by default. */
const MAX_USUAL_HEAD = 8 * 1024;
const MAX_USUAL_BODY = 1024 * 1024;

/** Codes of errors on a connection that was closed; they do not show which side closed it, nor when. */
const HANG_UPS = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** End of a request by how far it came: it waits for a connection, that is not open yet, or the first byte is sent. */
type Stage = 'held back' | 'unsent' | 'failed';

const KEEP_ALIVE_MS = 10_000;

/** Greatest age of connections, because the address of a name is only looked up for a new one; in milliseconds. */
const MAX_AGE_MS = 5 * 60_000;

/** Time at the end for requests that nobody waits for, such as a refresh whose client has gone, in milliseconds. */
const LAST_REQUESTS_MS = 2_000;

/**
 * Connections to one server for one purpose, opened when needed, with their queue. Requests wait outside of undici's
 * own queue, because a request there cannot be aborted before it has a connection.
 */
export class Connections {
  readonly #options: ConnectionsOptions & { readonly maxReplyBytes: number };
  readonly #shares: ConnectionShares;
  #agent: Agent;
  #openedAt = performance.now();
  /** Old connections, on which requests under way end. */
  readonly #former = new Set<Agent>();

  constructor(options: ConnectionsOptions) {
    this.#options = { maxReplyBytes: MAX_REPLY_BYTES, ...options };
    this.#shares = new ConnectionShares(options);
    this.#agent = this.#open();
  }

  get use(): ConnectionUse {
    return this.#shares.use;
  }

  /** Sends a request once its party may have a connection, and receives the whole reply. @throws {CallError} */
  async send(request: PlainRequest, { party, timeoutMs, signal }: CallLimits): Promise<PlainResponse> {
    let stage: Stage = 'held back';
    let ended: Error | undefined;
    /** Ends the wait for a connection, or the exchange on it. */
    let cancel = (_reason: Error): void => undefined;
    const run = async (): Promise<PlainResponse> => {
      let giveBack: (() => void) | undefined;
      try {
        giveBack = await this.#shares.acquire(party, (leave) => (cancel = leave));
        // The limit may have passed while the call waited for a connection.
        if (ended !== undefined) throw ended;
        stage = 'unsent';
        return await transfer(this.#current(), request, (abort) => {
          stage = 'failed';
          cancel = abort;
          if (ended !== undefined) abort(ended);
        });
      } catch (cause) {
        throw cause === ended ? cause : this.#errorOf(cause, request, stage);
      } finally {
        giveBack?.();
      }
    };
    let timer: NodeJS.Timeout | undefined;
    let unfollow: (() => void) | undefined;
    // The number of concurrent calls is unlimited; each removes its listener.
    if (signal !== undefined) setMaxListeners(0, signal);
    try {
      // The limit also holds for a connection that is being opened, which cannot be aborted.
      return await new Promise<PlainResponse>((resolve, reject) => {
        const end = (reason: Error): void => {
          ended ??= reason;
          cancel(ended);
          reject(ended);
        };
        const late = (): void => end(this.#errorOf(new Error(`no answer within ${timeoutMs} ms`), request, stage));
        timer = setTimeout(late, timeoutMs);
        unfollow = onAbort(signal, () => {
          const reason: unknown = signal?.reason;
          const isLate = hasCode(reason, 'TimeoutError');
          end(isLate ? this.#errorOf(reason, request, stage) : new CallError(this.#options.backend, 'cut off', reason));
        });
        if (ended === undefined) run().then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      unfollow?.();
    }
  }

  /** Ends the connections, those with requests under way after two seconds at most. */
  async close(): Promise<void> {
    const agents = [...this.#former, this.#agent];
    const closed = Promise.all(agents.map((agent) => agent.close().catch(() => undefined)));
    if ((await withinTime(closed, LAST_REQUESTS_MS)) === LATE)
      await Promise.all(agents.map((agent) => agent.destroy()));
  }

  #open(): Agent {
    const { connections, maxReplyBytes, connectTimeoutMs = CONNECT_TIMEOUT_MS } = this.#options;
    return new Agent({
      connections,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Every call has a time limit of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: maxReplyBytes,
      connect: { timeout: connectTimeoutMs },
    });
  }

  /** Returns connections that are not too old. (`clientTtl` of undici 7 leaves requests waiting for ever.) */
  #current(): Agent {
    const { maxAgeMs = MAX_AGE_MS } = this.#options;
    if (performance.now() - this.#openedAt >= maxAgeMs) {
      const former = this.#agent;
      this.#former.add(former);
      void former.close().finally(() => this.#former.delete(former));
      this.#agent = this.#open();
      this.#openedAt = performance.now();
    }
    return this.#agent;
  }

  #errorOf(cause: unknown, request: PlainRequest, stage: Stage): Error {
    const { backend, maxReplyBytes } = this.#options;
    const fault = cause as Error; // undici rejects with nothing else
    // An invalid request is a fault of the gateway, and was not sent.
    if (hasCode(fault, 'UND_ERR_INVALID_ARG')) return fault;
    if (hasCode(fault, 'UND_ERR_RES_EXCEEDED_MAX_SIZE')) {
      return contractBreach(backend, `more than ${maxReplyBytes} bytes`);
    }
    if (stage === 'failed' && hasCode(fault, ...HANG_UPS) && isLarge(request)) {
      return new CallError(backend, 'hung up', new Error('it hung up on a large request', { cause }));
    }
    return new CallError(backend, stage, stage === 'held back' ? `was not asked: ${fault.message}` : fault);
  }
}

function isLarge({ target: { path }, headers, body }: PlainRequest): boolean {
  const lines = Object.entries(headers).map(([name, value]) => name.length + value.length);
  const head = lines.reduce((sum, length) => sum + length, path.length);
  return head > MAX_USUAL_HEAD || (body !== null && Buffer.byteLength(body) > MAX_USUAL_BODY);
}

/** Highest valid status; a higher one counts as 5xx (RFC 9110, section 15). */
const MAX_STATUS = 599;

/**
 * Sends a request and receives the whole reply. Redirections are not followed, because they could leak a token, and the
 * backends send none.
 *
 * @param onSending called when it has a connection, before the first byte is sent, with what ends the exchange
 */
function transfer(
  dispatcher: Dispatcher,
  { target: { origin, path }, method, headers, body }: PlainRequest,
  onSending: (abort: (reason: Error) => void) => void,
): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    let [status, replied]: [number, IncomingHttpHeaders] = [0, {}];
    /** Body so far, which the client of undici limits (`maxReplyBytes`). */
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => onSending((reason) => controller.abort(reason)),
      onResponseStart(_controller, code, given) {
        [status, replied] = [Math.min(code, MAX_STATUS), given];
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        const [first] = chunks;
        const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
        resolve(new PlainResponse(status, replied, bytes));
      },
      onResponseError: (_controller, error) => reject(error),
    };
    dispatcher.dispatch({ origin, path, method, headers, body }, handler);
  });
}
