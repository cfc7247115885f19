import { setMaxListeners } from 'node:events';
import { hasCode } from '../base/errors.js';
import { onAbort } from '../base/waits.js';
import { CallError, contractBreach, type BackendName } from './call-error.js';
import {
  ConnectionShares,
  type ConnectionSharesOptions,
  type ConnectionUse,
  type PartyPath,
} from './connection-shares.js';
import type { PlainRequest, PlainResponse } from './plain-exchange.js';
import { AgingConnections, KEEP_ALIVE_MS, transfer, type EndSignal } from './transport.js';

/** Time limits of clients that are not configurable, in milliseconds. */
export interface BackendWaits {
  /** Maximum wait for a TCP connection; 2,000 by default. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum wait for the public keys; by default 2,000, or the maximum time of any call if that is less. */
  readonly keyFetchTimeoutMs?: number | undefined;
}

/** Party and limits of one request. */
export interface CallLimits {
  readonly party: PartyPath;
  /** Maximum time, from now to the end of the reply. */
  readonly timeoutMs: number;
  /** Ends the request earlier, as too late if its reason is a `TimeoutError`. No listener stays on it. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConnectionsOptions extends ConnectionSharesOptions, Pick<BackendWaits, 'connectTimeoutMs'> {
  readonly backend: BackendName;
  /** Maximum size of a reply's body, in bytes. */
  readonly maxReplyBytes?: number;
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

/**
 * Connections to one backend for one purpose, opened when needed, with their queue. Requests wait outside of undici's
 * own queue, because a request there cannot be aborted before it has a connection.
 */
export class Connections {
  readonly #backend: BackendName;
  readonly #maxReplyBytes: number;
  readonly #shares: ConnectionShares;
  readonly #pool: AgingConnections;

  constructor(options: ConnectionsOptions) {
    const { backend, connections, maxReplyBytes = MAX_REPLY_BYTES, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
    this.#backend = backend;
    this.#maxReplyBytes = maxReplyBytes;
    this.#shares = new ConnectionShares(options);
    this.#pool = new AgingConnections({
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

  get use(): ConnectionUse {
    return this.#shares.use;
  }

  /** Sends a request once its party may have a connection, and receives the whole reply. @throws {CallError} */
  async send(request: PlainRequest, { party, timeoutMs, signal }: CallLimits): Promise<PlainResponse> {
    const ending = new EndOfCall();
    let stage: Stage = 'held back';
    const run = async (): Promise<PlainResponse> => {
      let giveBack: (() => void) | undefined;
      try {
        giveBack = this.#shares.take(party) ?? (await this.#shares.acquire(party, ending));
        // The limit may have passed while the call waited for a connection.
        ending.throwIfAborted();
        stage = 'unsent';
        return await transfer(this.#pool.current, request, ending, () => (stage = 'failed'));
      } catch (cause) {
        throw cause === ending.reason ? cause : this.#errorOf(cause, request, stage);
      } finally {
        giveBack?.();
      }
    };
    const late = (): Error => this.#errorOf(new Error(`no answer within ${timeoutMs} ms`), request, stage);
    const timer = setTimeout(() => ending.end(late()), timeoutMs);
    // The number of concurrent calls is unlimited; each removes its listener.
    if (signal !== undefined) setMaxListeners(0, signal);
    const cutOff = (): void => {
      const reason: unknown = signal?.reason;
      const isLate = hasCode(reason, 'TimeoutError');
      ending.end(isLate ? this.#errorOf(reason, request, stage) : new CallError(this.#backend, 'cut off', reason));
    };
    const unfollow = onAbort(signal, cutOff);
    try {
      ending.throwIfAborted();
      // The limit also holds for a connection that is being opened, which cannot be aborted.
      return await new Promise<PlainResponse>((resolve, reject) => {
        ending.addEventListener('abort', () => reject(ending.reason ?? late()));
        run().then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      unfollow();
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #errorOf(cause: unknown, request: PlainRequest, stage: Stage): Error {
    const fault = cause as Error; // undici rejects with nothing else
    // An invalid request is a fault of the gateway, and was not sent.
    if (hasCode(fault, 'UND_ERR_INVALID_ARG')) return fault;
    if (hasCode(fault, 'UND_ERR_RES_EXCEEDED_MAX_SIZE')) {
      return contractBreach(this.#backend, `more than ${this.#maxReplyBytes} bytes`);
    }
    if (hasCode(fault, ...HANG_UPS) && isLarge(request)) {
      return new CallError(this.#backend, 'hung up', new Error('it hung up on a large request', { cause }));
    }
    return new CallError(this.#backend, stage, stage === 'held back' ? `was not asked: ${fault.message}` : fault);
  }
}

/** End of one request, as a signal. An AbortSignal would cost a tenth of the time of a call. */
class EndOfCall implements EndSignal {
  reason: Error | undefined;
  readonly #listeners = new Set<() => void>();

  get aborted(): boolean {
    return this.reason !== undefined;
  }

  throwIfAborted(): void {
    if (this.reason !== undefined) throw this.reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  end(reason: Error): void {
    this.reason ??= reason;
    for (const listener of [...this.#listeners]) listener();
  }
}

function isLarge({ target: { path }, headers, body }: PlainRequest): boolean {
  const lines = Object.entries(headers).map(([name, value]) => name.length + value.length);
  const head = lines.reduce((sum, length) => sum + length, path.length);
  return head > MAX_USUAL_HEAD || (body !== null && Buffer.byteLength(body) > MAX_USUAL_BODY);
}
