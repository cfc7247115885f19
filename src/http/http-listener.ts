import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { isIP, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeError } from '../errors.js';
import type { HeaderList } from './security-headers.js';

/** Requests that may wait on a connection for the replies before theirs. */
const MAX_WAITING = 100;

/**
 * Answers the requests of a connection one after another, however many were sent ahead (pipelining, RFC 9112, section
 * 9.3.2): nothing is run or opened for one whose reply could not be sent yet, and nothing at all once its connection is
 * gone, or closes behind a reply (section 9.6). A connection with more requests waiting is closed, and so is one whose
 * peer takes nothing of a reply.
 *
 * @param server its time-outs are set
 * @param writeTimeoutMs longest time without a byte taken, as far as the operating system tells
 */
export function answerInTurn(server: Server, answer: RequestListener, writeTimeoutMs: number): void {
  const waiting = new WeakMap<Socket, number>();
  const latest = new WeakMap<Socket, ServerResponse>();

  const begin: RequestListener = (request, response) => {
    if (!request.socket.writable) return;
    latest.set(request.socket, response);
    answer(request, response);
  };

  server.setTimeout(writeTimeoutMs, (socket) => {
    const response = latest.get(socket);
    // With nothing to be written it is us who take long, or the first request is still on its way; else nothing is.
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
export interface HttpListener {
  /** Starts listening. @throws {Error} saying which address cannot be had, and what sets it */
  listen(): Promise<void>;
  /** Takes a connection that was made within this process, whether it listens or not. */
  connect(socket: Duplex): void;
  /** URL under which this process reaches itself; only while it listens. */
  readonly ownUrl: string;
  /** Lets replies under way end; after `graceMs` the connections are cut. */
  close(graceMs: number): Promise<void>;
}

export interface HttpListenerOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** What sets the port, for the error; `PORT` by default. */
  readonly portVariable?: string;
  /** Longest time to receive a request, and to wait for the client to take something of the reply. */
  readonly requestTimeoutMs: number;
  /** How long a client may leave its connection unused; 65 s by default. */
  readonly keepAliveMs?: number | undefined;
  /** Headers of answers to requests that cannot be handed on. */
  readonly headers: HeaderList;
  /** Is told their status. */
  readonly onRefused?: ((status: number) => void) | undefined;
  /** Is told of each connection when it is accepted. */
  readonly onConnection?: (() => void) | undefined;
}

/** Connections that may wait to be accepted while the process is busy; the operating system may allow fewer. */
const MAX_UNACCEPTED = 4_096;

/** Connections are kept for longer than load balancers usually keep them, so that these close first. */
const KEEP_ALIVE_MS = 65_000;

/** How often connections that have become idle are closed while the server closes. */
const IDLE_CHECK_MS = 50;

/** How often requests that are still being received are held against their time-out. */
const TIMEOUT_CHECK_MS = 1_000;

/** Creates the server; it does not listen yet. */
export function createHttpListener(answer: RequestListener, options: HttpListenerOptions): HttpListener {
  const { host, port, requestTimeoutMs, portVariable = 'PORT', keepAliveMs = KEEP_ALIVE_MS } = options;
  // A request without a Host is the application's to refuse, with a reason.
  const server = createServer({ connectionsCheckingInterval: TIMEOUT_CHECK_MS, requireHostHeader: false });
  if (options.onConnection) server.on('connection', options.onConnection);
  answerInTurn(server, answer, requestTimeoutMs);
  answerRefusedRequests(server, options.headers, options.onRefused);
  const closeUnusedSockets = followUnusedSockets(server);
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveMs;
  return {
    listen: () => listenOn(server, host, port, portVariable),
    connect: (socket) => void server.emit('connection', socket),
    get ownUrl() {
      const address = server.address() as AddressInfo; // a TCP server that listens has such an address
      const anyAddress = ['0.0.0.0', '::', 'localhost'].includes(host);
      const reachable = anyAddress ? '127.0.0.1' : isIP(host) === 6 ? `[${host}]` : host;
      return `http://${reachable}:${address.port}`;
    },
    close(graceMs) {
      closeUnusedSockets();
      return closeServer(server, graceMs);
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

/** What to do about a port that cannot be had. */
function adviceOn(error: unknown, portVariable: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `End what listens there, or set ${portVariable} to a port that is free.`;
  if (code === 'EACCES') return `Set ${portVariable} to 1024 or more, or allow this user to use lower ones.`;
  return `Set HOST to an address of this machine, and ${portVariable} to a port that is free.`;
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  // A connection that is busy now becomes idle with its reply, and its client may keep it open for ever.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

/**
 * Follows connections that have not sent a request yet, as browsers and load balancers open them ahead. Node
 * counts them neither as idle nor as busy, so a server that closes would wait for them.
 *
 * @returns closes those that are open now
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

/** What Node itself answers to each fault of a request, by its code; to all others 400. */
export const STATUS_OF_FAULT: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Status of a request that expects something nobody knows (RFC 9110, section 15.5.18). */
export const EXPECTATION_FAILED = 417;

/**
 * Answers what Node refuses by itself, before any route sees it, with Node's own statuses and with these headers:
 * requests that are no HTTP, that are too large or late, and expectations nobody knows.
 *
 * @param onRefused is told the status of each
 */
export function answerRefusedRequests(server: Server, headers: HeaderList, onRefused?: (status: number) => void): void {
  const lines = [...headers, ['Connection', 'close'] as const].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Within a reply that has begun, another status line would be taken for a part of it.
    if (!socket.writable || hasBegunReply(socket)) {
      socket.destroy();
      return;
    }
    const status = STATUS_OF_FAULT[error.code ?? ''] ?? 400;
    onRefused?.(status);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`, () => socket.destroy());
  });
  server.on('checkExpectation', (_request, response) => {
    onRefused?.(EXPECTATION_FAILED);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.writeHead(EXPECTATION_FAILED, { Connection: 'close' }).end();
  });
}

/** As Node's own handler asks; there is no other way to know. */
function hasBegunReply(socket: object): boolean {
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: { _headerSent?: boolean } | null }; // set by Node
  return reply?._headerSent === true;
}
