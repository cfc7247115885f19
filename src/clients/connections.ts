import { Agent, errors, type buildConnector } from 'undici';
import { hasCode } from '../errors.js';
import { ConnectionShares, type ConnectionUse } from './connection-shares.js';
import type { PlainRequest, PlainResponse } from './plain-exchange.js';
import type { EndSignal } from './time-limit.js';
import { KEEP_ALIVE_MS, transfer } from './transport.js';

/** Time limits of clients that are not configurable, in milliseconds. */
export interface BackendWaits {
  /** Maximum wait for a TCP connection; 2,000 by default. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum wait for the public keys; by default 2,000, or the maximum time of any call if that is less. */
  readonly keyFetchTimeoutMs?: number | undefined;
}

/** A connection could not be made or broke, or its data was not HTTP. */
export class ConnectionError extends Error {}

/** A backend hung up on a request so large that its size is the likely reason. */
export class LargeRequestError extends Error {}

/** A reply exceeds the size limit. */
export class ReplyTooLargeError extends Error {}

/** Party and limit of a request. */
export interface Errand {
  /** Party whose connections it counts among. */
  readonly party: string;
  /** Ends it. */
  readonly signal: EndSignal;
  /** Called when it is sent, which may be some time after the call of `send`. */
  readonly onSent: () => void;
}

/** Connections to one backend for one purpose, with their queue. */
export interface Connections {
  /**
   * Sends a request once the party may have a connection.
   *
   * @throws {QueueFullError} never sent; the reason of the signal once that is aborted
   * @throws {ConnectionError | ReplyTooLargeError} the backend's fault
   * @throws {LargeRequestError} the request may be too large for the backend
   */
  send(request: PlainRequest, errand: Errand): Promise<PlainResponse>;
  /** Current use. */
  readonly use: ConnectionUse;
  /** Closes idle connections and waits for those in use. */
  close(): Promise<void>;
}

/** Connection settings. */
export interface Connecting extends Pick<BackendWaits, 'connectTimeoutMs'> {
  /** Makes a connection; over the network if absent. */
  readonly connect?: buildConnector.connector | undefined;
}

/** Number and kind of connections. */
export interface ConnectionsOptions extends Connecting {
  readonly connections: number;
  readonly maxWaiting: number;
  /** True if every party leaves connections over for the others. */
  readonly fair: boolean;
  /** Maximum size of a reply's body, in bytes. */
  readonly maxReplyBytes?: number;
}

const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Twice a day of readings each second. A larger reply is not a day: drawing 64 MiB of trips took all the memory of the
 * thread, with the reports of others in it.
 */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** Head and body of a request, in bytes, that servers take by default. */
const MAX_USUAL_HEAD = 8 * 1024;
const MAX_USUAL_BODY = 1024 * 1024;

/** Errors of an established connection that was closed; they do not show by whom and when. */
const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Opens the pool without connecting. The underlying pool needs no queue, because requests reach it only with a
 * connection to spare: a request there cannot be aborted before it is connected.
 */
export function openConnections(options: ConnectionsOptions): Connections {
  const { connections, maxReplyBytes = MAX_REPLY_BYTES, connectTimeoutMs: timeout = CONNECT_TIMEOUT_MS } = options;
  const shares = new ConnectionShares(options);
  const pool = new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Every call has its own limit, which begins when it is made.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxReplyBytes,
    connect: options.connect ?? { timeout },
  });

  const exchange = (request: PlainRequest, signal: EndSignal): Promise<PlainResponse> =>
    transfer(pool, request, signal).catch((cause: unknown) => {
      // Never sent, because the request is invalid: that is our own fault.
      if (cause instanceof errors.InvalidArgumentError) throw cause;
      if (cause instanceof errors.ResponseExceededMaxSizeError) {
        throw new ReplyTooLargeError(`more than ${maxReplyBytes} bytes`);
      }
      if (isHangUp(cause) && isLarge(request)) throw new LargeRequestError('it hung up on a large request', { cause });
      throw new ConnectionError('the connection failed', { cause });
    });

  return {
    async send(request, { party, signal, onSent }) {
      const giveBack = shares.take(party) ?? (await shares.acquire(party, signal));
      try {
        // The limit ends a wait for a connection that is being made; the connection stays taken.
        signal.throwIfAborted();
        onSent();
        return await exchange(request, signal);
      } finally {
        giveBack();
      }
    },
    get use() {
      return shares.use;
    },
    close: () => pool.close(),
  };
}

function isHangUp(error: unknown): boolean {
  return hasCode(error, ...HANG_UPS);
}

function isLarge({ target: { path }, headers, body }: PlainRequest): boolean {
  const lines = Object.entries(headers).map(([name, value]) => name.length + value.length);
  const head = lines.reduce((sum, length) => sum + length, path.length);
  return head > MAX_USUAL_HEAD || (body !== null && Buffer.byteLength(body) > MAX_USUAL_BODY);
}
