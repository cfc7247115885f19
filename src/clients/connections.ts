import { setMaxListeners } from 'node:events';
import { errors } from 'undici';
import { hasCode } from '../base/errors.js';
import { onAbort } from '../base/waits.js';
import {
  BackendOutage,
  CallCutOffError,
  CallRefusedError,
  ContractBreach,
  LargeRequestDroppedError,
  type BackendName,
} from './call-errors.js';
import {
  ConnectionShares,
  QueueFullError,
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

/** Backend, party and limits of one request. */
export interface CallLimits {
  readonly backend: BackendName;
  readonly party: PartyPath;
  /** Maximum time, from now to the end of the reply. */
  readonly timeoutMs: number;
  /** Ends the request earlier; no listener stays on it, as it may live as long as the process. */
  readonly signal?: AbortSignal | undefined;
  /** Time when a call of the same circuit was last answered, for the error. */
  readonly servedAt?: (() => number | undefined) | undefined;
}

/** Connections to one backend for one purpose, with their queue. */
export interface Connections {
  /**
   * Sends a request once its party may have a connection, and receives the whole reply.
   *
   * @throws {BackendOutage} the connection failed, or no answer came in time
   * @throws {ContractBreach} the reply is too large
   * @throws {CallRefusedError} no connection was available, so that no request was sent
   * @throws {LargeRequestDroppedError} the backend hung up on a large request
   * @throws {CallCutOffError} the signal was aborted
   */
  send(request: PlainRequest, limits: CallLimits): Promise<PlainResponse>;
  readonly use: ConnectionUse;
  close(): Promise<void>;
}

export interface ConnectionsOptions extends ConnectionSharesOptions, Pick<BackendWaits, 'connectTimeoutMs'> {
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

/**
 * Creates the pool; connections are opened when needed. Requests wait outside of undici's own queue, because a request
 * there cannot be aborted before it has a connection.
 */
export function openConnections(options: ConnectionsOptions): Connections {
  const { connections, maxReplyBytes = MAX_REPLY_BYTES, connectTimeoutMs: timeout = CONNECT_TIMEOUT_MS } = options;
  const shares = new ConnectionShares(options);
  const pool = new AgingConnections({
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Every call has a time limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxReplyBytes,
    connect: { timeout },
  });

  return {
    send: (request, limits) => new Sending(request, limits).run(shares, pool, maxReplyBytes),
    get use() {
      return shares.use;
    },
    close: () => pool.close(),
  };
}

/** One request, which knows how far it came. It is also the signal of its end. */
class Sending implements EndSignal {
  readonly #request: PlainRequest;
  readonly #limits: CallLimits;
  /** `waiting` for a connection, which may be still to be opened when it is `admitted`; `sent` from the first byte. */
  #stage: 'waiting' | 'admitted' | 'sent' = 'waiting';
  #reason: Error | undefined;
  /** An AbortSignal would cost a tenth of the time of a call. */
  readonly #listeners = new Set<() => void>();

  constructor(request: PlainRequest, limits: CallLimits) {
    this.#request = request;
    this.#limits = limits;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Sends the request. The limit also holds for a connection that is being opened, which cannot be aborted. */
  async run(shares: ConnectionShares, pool: AgingConnections, maxReplyBytes: number): Promise<PlainResponse> {
    const { timeoutMs, signal } = this.#limits;
    if (signal?.aborted) throw this.#cutOff();
    const late = (): Error => this.#failed(new Error(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(() => this.#end(late()), timeoutMs);
    // The number of concurrent calls is unlimited; each removes its listener.
    if (signal !== undefined) setMaxListeners(0, signal);
    const unfollow = onAbort(signal, () => this.#end(this.#cutOff()));
    try {
      return await new Promise<PlainResponse>((resolve, reject) => {
        this.addEventListener('abort', () => reject(this.#reason ?? late()));
        this.#transfer(shares, pool, maxReplyBytes).then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      unfollow();
    }
  }

  async #transfer(shares: ConnectionShares, pool: AgingConnections, maxReplyBytes: number): Promise<PlainResponse> {
    const { party } = this.#limits;
    let giveBack: (() => void) | undefined;
    try {
      giveBack = shares.take(party) ?? (await shares.acquire(party, this));
      // The limit may have passed while the call waited for a connection.
      this.throwIfAborted();
      this.#stage = 'admitted';
      return await transfer(pool.current, this.#request, this, () => (this.#stage = 'sent'));
    } catch (cause) {
      throw this.#faultOf(cause, maxReplyBytes);
    } finally {
      giveBack?.();
    }
  }

  #end(reason: Error): void {
    this.#reason ??= reason;
    for (const listener of [...this.#listeners]) listener();
  }

  #cutOff(): CallCutOffError {
    const { backend, signal } = this.#limits;
    return new CallCutOffError(backend, { cause: signal?.reason });
  }

  /** Returns the error of a request for which no answer came, by how far it came. */
  #failed(cause: Error): CallRefusedError | BackendOutage {
    const { backend, servedAt } = this.#limits;
    if (this.#stage === 'waiting') {
      return new CallRefusedError(backend, { cause: new Error(`${backend} was not asked: ${cause.message}`) });
    }
    return new BackendOutage(backend, { servedAt: servedAt?.(), isSent: this.#stage === 'sent', cause });
  }

  #faultOf(cause: unknown, maxReplyBytes: number): unknown {
    const { backend } = this.#limits;
    // An invalid request is a fault of the gateway, and was not sent.
    if (cause === this.#reason || cause instanceof errors.InvalidArgumentError) return cause;
    if (cause instanceof errors.ResponseExceededMaxSizeError) {
      return new ContractBreach(backend, `more than ${maxReplyBytes} bytes`);
    }
    if (hasCode(cause, ...HANG_UPS) && isLarge(this.#request)) {
      return new LargeRequestDroppedError(backend, { cause: new Error('it hung up on a large request', { cause }) });
    }
    const isFailure = cause instanceof QueueFullError || this.#stage !== 'waiting';
    return isFailure ? this.#failed(cause as Error) : cause; // undici rejects with nothing else
  }
}

function isLarge({ target: { path }, headers, body }: PlainRequest): boolean {
  const lines = Object.entries(headers).map(([name, value]) => name.length + value.length);
  const head = lines.reduce((sum, length) => sum + length, path.length);
  return head > MAX_USUAL_HEAD || (body !== null && Buffer.byteLength(body) > MAX_USUAL_BODY);
}
