import { Agent, errors, type buildConnector } from 'undici';
import { hasCode } from '../errors.js';
import type { BackendWaits } from './backend-waits.js';
import { ConnectionShares, type ConnectionUse } from './connection-shares.js';
import type { PlainRequest, PlainResponse } from './plain-exchange.js';
import type { EndSignal } from './time-limit.js';
import { KEEP_ALIVE_MS, transfer } from './transport.js';

/** A connection could not be made or broke, or what came over it is no HTTP. */
export class ConnectionError extends Error {}

/** A backend hung up on a request so large that its size is the likely reason. */
export class LargeRequestError extends Error {}

/** A backend sent more than is ever received. */
export class ReplyTooLargeError extends Error {}

/** For whom a request is sent, and until when. */
export interface Errand {
  /** Whose connections it counts among. */
  readonly party: string;
  /** Ends it. */
  readonly signal: EndSignal;
  /** Called when it is sent, which may be some time after it was asked for. */
  readonly onSent: () => void;
}

/** Connections to one backend for one purpose, and the queue for them. */
export interface Connections {
  /**
   * Sends a request as soon as the party may have a connection.
   *
   * @throws {QueueFullError} never sent; the reason of the signal once that is aborted
   * @throws {ConnectionError | ReplyTooLargeError} what the backend did wrong
   * @throws {LargeRequestError} it may have wanted no more of the request
   */
  send(request: PlainRequest, errand: Errand): Promise<PlainResponse>;
  /** How they are used now. */
  readonly use: ConnectionUse;
  /** Closes idle connections and waits for those in use. */
  close(): Promise<void>;
}

/** How connections are made. */
export interface Connecting extends Pick<BackendWaits, 'connectTimeoutMs'> {
  /** Makes one; absent: over the network. */
  readonly connect?: buildConnector.connector | undefined;
}

/** How many connections there are, and of what kind. */
export interface ConnectionsOptions extends Connecting {
  readonly connections: number;
  readonly maxWaiting: number;
  /** Whether every party leaves connections over for the others. */
  readonly fair: boolean;
  /** Largest body of a reply. */
  readonly maxReplyBytes?: number;
}

const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Twice a day of readings each second. What is larger is no day: drawn, 64 MiB of trips took all the memory of the
 * thread, with the reports of others in it.
 */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** Head and body of a request, in bytes, that servers take unless they are told otherwise. */
const MAX_USUAL_HEAD = 8 * 1024;
const MAX_USUAL_BODY = 1024 * 1024;

/** What a connection fails with that was there and was closed: by whom and when does not show. */
const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Opens connections; nothing is connected yet. The pool below has no queue of its own to speak of, because nobody
 * comes to it without a connection to spare: a request there cannot be aborted before it is connected.
 */
export function openConnections(options: ConnectionsOptions): Connections {
  const { connections, maxReplyBytes = MAX_REPLY_BYTES, connectTimeoutMs: timeout = CONNECT_TIMEOUT_MS } = options;
  const shares = new ConnectionShares(options);
  const pool = new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Every call has a limit of its own, which begins when it is made.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxReplyBytes,
    connect: options.connect ?? { timeout },
  });

  const exchange = (request: PlainRequest, signal: EndSignal): Promise<PlainResponse> =>
    transfer(pool, request, signal).catch((cause: unknown) => {
      // Never sent, because no request can look like that: that is our own fault.
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
        // Whoever waits for a connection that is being made has the limit to go by; the connection stays taken.
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
