import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { isIP, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeError, hasCode } from '../errors.js';
import { answerInTurn } from './answer-in-turn.js';
import { answerRefusedRequests } from './refused-by-parser.js';
import type { HeaderList } from './security-headers.js';

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
  if (hasCode(error, 'EADDRINUSE')) return `End what listens there, or set ${portVariable} to a port that is free.`;
  if (hasCode(error, 'EACCES')) return `Set ${portVariable} to 1024 or more, or allow this user to use lower ones.`;
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
