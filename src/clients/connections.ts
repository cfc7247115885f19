import { errors } from 'undici';
import { hasCode } from '../base/errors.js';
import { ConnectionShares, type ConnectionSharesOptions, type ConnectionUse } from './connection-shares.js';
import type { PlainRequest, PlainResponse } from './plain-exchange.js';
import type { EndSignal } from './time-limit.js';
import { AgingConnections, KEEP_ALIVE_MS, transfer } from './transport.js';

/** Time limits of clients that are not configurable, in milliseconds. */
export interface BackendWaits {
  /** Maximum wait for a TCP connection; 2,000 by default. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum wait for the public keys; by default 2,000, or the maximum time of any call if that is less. */
  readonly keyFetchTimeoutMs?: number | undefined;
}

/** A connection could not be opened, broke, or carried data that is not HTTP. */
export class ConnectionError extends Error {}

/** A backend closed the connection on a request so large that its size is the likely reason. */
export class LargeRequestError extends Error {}

export class ReplyTooLargeError extends Error {}

interface SendOptions {
  readonly party: string;
  readonly signal: EndSignal;
  /** Called when the party gets a connection, which may be still to be opened, and before the first byte is sent. */
  readonly onProgress: (stage: 'admitted' | 'sent') => void;
}

/** Connections to one backend for one purpose, with their queue. */
export interface Connections {
  /**
   * Sends a request once the party may have a connection.
   *
   * @throws {QueueFullError} the request was not sent; the reason of the signal once that is aborted
   * @throws {ConnectionError | ReplyTooLargeError} the backend's fault
   * @throws {LargeRequestError} the request may be too large for the backend
   */
  send(request: PlainRequest, options: SendOptions): Promise<PlainResponse>;
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
    async send(request, { party, signal, onProgress }) {
      const giveBack = shares.take(party) ?? (await shares.acquire(party, signal));
      try {
        // The limit may have passed while the call waited for a connection.
        signal.throwIfAborted();
        onProgress('admitted');
        const transferred = transfer(pool.current, request, signal, () => onProgress('sent'));
        return await transferred.catch((cause: unknown) => {
          throw faultOf(cause, request, maxReplyBytes);
        });
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

/** Returns the error of a transfer that failed. */
function faultOf(cause: unknown, request: PlainRequest, maxReplyBytes: number): unknown {
  // An invalid request is a fault of the gateway, and was not sent.
  if (cause instanceof errors.InvalidArgumentError) return cause;
  if (cause instanceof errors.ResponseExceededMaxSizeError) {
    return new ReplyTooLargeError(`more than ${maxReplyBytes} bytes`);
  }
  const isHangUp = hasCode(cause, ...HANG_UPS) && isLarge(request);
  if (isHangUp) return new LargeRequestError('it hung up on a large request', { cause });
  return new ConnectionError('the connection failed', { cause });
}

function isLarge({ target: { path }, headers, body }: PlainRequest): boolean {
  const lines = Object.entries(headers).map(([name, value]) => name.length + value.length);
  const head = lines.reduce((sum, length) => sum + length, path.length);
  return head > MAX_USUAL_HEAD || (body !== null && Buffer.byteLength(body) > MAX_USUAL_BODY);
}
