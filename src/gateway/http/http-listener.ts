import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { isIP, type AddressInfo, type Socket } from 'node:net';
import { describeError, hasCode } from '../../base/errors.js';
import { ERRORS } from '../../base/error-table.js';
import { type HeaderList, closesConnection } from './answer-headers.js';

/** Limit of requests on a connection that wait for earlier replies. */
const MAX_WAITING = 100;

/**
 * Answers pipelined requests of a connection one after another (RFC 9112, section 9.3.2). Work on a request starts
 * only when its reply can be sent, and not if the connection is closed or closes after an earlier reply (section 9.6).
 * Connections with too many waiting requests are closed, and so are those whose peer reads nothing of a reply.
 *
 * @param server its time-outs are set
 * @param writeTimeoutMs longest time in milliseconds without a byte read by the peer, as the operating system sees it
 */
function answerInTurn(server: Server, answer: RequestListener, writeTimeoutMs: number): void {
  const waiting = new WeakMap<Socket, number>();
  const latest = new WeakMap<Socket, ServerResponse>();

  const begin: RequestListener = (request, response) => {
    if (!request.socket.writable) return;
    latest.set(request.socket, response);
    answer(request, response);
  };

  server.setTimeout(writeTimeoutMs, (socket) => {
    const response = latest.get(socket);
    // This connection is stalled or idle. Others wait for the gateway, or are sending their first request.
    if (socket.writableLength > 0 || response?.writableFinished === true) socket.destroy();
  });
  server.on('request', (request, response) => {
    if (response.socket !== null) {
      begin(request, response);
      return;
    }
    const { socket } = request;
    const count = waiting.get(socket) ?? 0;
    if (count === MAX_WAITING) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count + 1);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      begin(request, response);
    });
  });
}

/** An HTTP server that can be started and stopped once. */
export type HttpListener = ReturnType<typeof createHttpListener>;

export interface HttpListenerOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Variable that sets the port, for the error; `PORT` by default. */
  readonly portVariable?: string;
  /** Longest time to receive a request, and without progress of a reply, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Time for which a client may leave its connection unused, in milliseconds. */
  readonly keepAliveMs: number;
  /** Headers of answers to requests that Node refuses. */
  readonly headers: HeaderList;
  /** Called with the status of each of these. */
  readonly onRefused: ((status: number) => void) | undefined;
  readonly onConnection?: (() => void) | undefined;
  /** Limit of open connections; no limit by default. */
  readonly maxConnections?: number | undefined;
}

/** Limit of connections in the backlog while the process is busy; the operating system may allow fewer. */
const MAX_UNACCEPTED = 4_096;

/** Time for the first request of a connection that was accepted just before the server closes, in milliseconds. */
const FIRST_REQUEST_MS = 500;

/** Interval at which a closing server closes idle connections, in milliseconds. */
const IDLE_CHECK_MS = 50;

/** Interval of time-out checks of incomplete requests, in milliseconds. */
const TIMEOUT_CHECK_MS = 1_000;

/** Creates the server; it does not listen yet. */
export function createHttpListener(answer: RequestListener, options: HttpListenerOptions) {
  const { host, port, requestTimeoutMs, keepAliveMs, portVariable = 'PORT' } = options;
  const server = createServer({
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    // The application itself refuses requests without Host, with a reason.
    requireHostHeader: false,
  });
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  if (options.onConnection) server.on('connection', options.onConnection);
  answerInTurn(server, answer, requestTimeoutMs);
  answerRefusedRequests(server, options.headers, options.onRefused);
  const closeUnusedSockets = followUnusedSockets(server);
  return {
    /** Starts listening. @throws {Error} naming the unavailable address and its variables */
    listen: (): Promise<void> => listenOn(server, host, port, portVariable),
    /** URL under which this process reaches itself; valid only while it listens. */
    get ownUrl(): string {
      const address = server.address() as AddressInfo; // type for a listening TCP server
      const anyAddress = ['0.0.0.0', '::', 'localhost'].includes(host);
      const reachable = anyAddress ? '127.0.0.1' : isIP(host) === 6 ? `[${host}]` : host;
      return `http://${reachable}:${address.port}`;
    },
    /** Waits for replies under way; cuts the connections after `graceMs` milliseconds. */
    async close(graceMs: number): Promise<void> {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      // A proxy without health checks uses new connections until none is accepted, and does not repeat a POST.
      const unused = setTimeout(closeUnusedSockets, Math.min(graceMs, FIRST_REQUEST_MS));
      // A busy connection becomes idle after its reply, and its client may keep it open forever.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const rest = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      for (const timer of [unused, idle, rest]) clearTimeout(timer);
    },
  };
}

async function listenOn(server: Server, host: string, port: number, portVariable: string): Promise<void> {
  server.listen({ port, host, backlog: MAX_UNACCEPTED });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const text = `cannot listen on port ${port} of ${host} (set by ${portVariable} and HOST): ${describeError(cause)}`;
    throw new Error(`${text}. ${adviceOn(cause, portVariable)}`, { cause });
  }
}

/** Returns the remedy for an unavailable port. */
function adviceOn(error: unknown, portVariable: string): string {
  if (hasCode(error, 'EADDRINUSE')) return `End what listens there, or set ${portVariable} to a port that is free.`;
  if (hasCode(error, 'EACCES')) return `Set ${portVariable} to 1024 or more, or allow this user to use lower ones.`;
  return `Set HOST to an address of this machine, and ${portVariable} to a port that is free.`;
}

/**
 * Tracks connections that have had no request, such as those that browsers open in advance. Node counts them neither as
 * idle nor as busy, so a closing server would wait for them.
 *
 * @returns a function that closes those open now
 */
function followUnusedSockets(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}

/** Node's own status for each fault of a request, by error code; 400 for all others. */
export const STATUS_OF_FAULT: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  // An incomplete request may be valid as a whole (RFC 9112, section 8), so it may be sent again.
  HPE_INVALID_EOF_STATE: 408,
};

/** Status for an unknown expectation (RFC 9110, section 15.5.18). */
export const EXPECTATION_FAILED = 417;

/** Status of a head that is too large, often because of a token of many roles. Its page may read why. */
const LARGE_HEAD = 431;

/** Answers requests that Node refuses before any route, with Node's own statuses and these headers. */
function answerRefusedRequests(server: Server, headers: HeaderList, onRefused: HttpListenerOptions['onRefused']): void {
  const body = JSON.stringify({ message: ERRORS.HeadTooLarge.text });
  const largeHead =
    `Access-Control-Allow-Origin: *\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const lines = [...headers, ['Connection', 'close'] as const].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // After the start of a reply, the client would take another status line for a part of it.
    if (!socket.writable || hasBegunReply(socket)) {
      socket.destroy();
      return;
    }
    // The same code stands for a second length beside the chunks, which is malformed.
    const isOtherCoding = error.code === 'HPE_INVALID_TRANSFER_ENCODING' && !error.message.includes('Content-Length');
    // RFC 9112, section 6.1
    const status = isOtherCoding ? 501 : (STATUS_OF_FAULT[error.code ?? ''] ?? 400);
    onRefused?.(status);
    const text = status === LARGE_HEAD ? largeHead : '\r\n';
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}${text}`, () => socket.destroy());
  });
  server.on('checkExpectation', (_request, response) => {
    onRefused?.(EXPECTATION_FAILED);
    for (const [name, value] of headers) response.setHeader(name, value);
    closesConnection(response, true);
    response.writeHead(EXPECTATION_FAILED, { Connection: 'close' }).end();
  });
}

/** Reads Node's internal state, because there is no public API; Node's own handler does the same. */
function hasBegunReply(socket: object): boolean {
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: { _headerSent?: boolean } | null }; // set by Node
  return reply?._headerSent === true;
}
