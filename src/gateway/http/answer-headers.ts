import type { OutgoingHttpHeader, ServerResponse, IncomingMessage } from 'node:http';

/** Headers by name, in order of output. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Creates the default headers of all answers; routes can override them. Answers are data, not pages: browsers must not
 * load resources for them, frame, sniff or store them.
 *
 * @param production true if TLS is in front, which browsers then must require (RFC 6797)
 */
export function securityHeaders(production: boolean): HeaderList {
  return [
    ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
    ['Referrer-Policy', 'no-referrer'],
    ...(production ? [['Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`] as const] : []),
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
  ];
}

/** Headers common to the answers of all routes. */
export class AnswerHeaders {
  readonly #common: HeaderList;
  readonly #flat: readonly OutgoingHttpHeader[];
  readonly #isDraining: () => boolean;

  /** @param isDraining true if the process is about to end and must close kept-alive connections */
  constructor(common: HeaderList, isDraining: () => boolean) {
    this.#common = common;
    this.#flat = common.flat();
    this.#isDraining = isDraining;
  }

  /** Returns all headers for `writeHead`, alternating names and values; setting each costs twice as much. */
  with(response: ServerResponse, requestId: string, more: readonly string[], length: number): OutgoingHttpHeader[] {
    const all = [...this.#flat, ...more, 'x-request-id', requestId, 'content-length', length];
    if (closesConnection(response, this.#isDraining())) all.push('Connection', 'close');
    return all;
  }

  /** Adds headers to an unsent answer; values set by the route stay. */
  complete(response: ServerResponse, requestId: string): void {
    if (response.headersSent) return;
    response.setHeader('x-request-id', requestId);
    for (const [name, value] of this.#common) if (!response.hasHeader(name)) response.setHeader(name, value);
    const isClosing = this.#isDraining() || response.getHeader('Connection') === 'close';
    if (closesConnection(response, isClosing)) response.setHeader('Connection', 'close');
  }
}

/** Largest declared body that is read on after its refusal, so that its connection serves further requests. */
const MAX_READ_ON_BYTES = 64 * 1024;

/** Limits of reading from a connection that closes: bytes, and time in milliseconds. */
const [MAX_CLOSING_BYTES, MAX_CLOSING_MS] = [16 * 1024 * 1024, 5_000];

/**
 * Prepares the connection for an answer that may come before the end of the request's body (RFC 9112, section 9.3).
 * Call it before the head of the answer is sent. A small declared body is read on. Otherwise the connection closes, but
 * only after the client has had time to read the answer (section 9.6): a reset would take it from the client.
 *
 * @param isClosing true if the connection closes anyway
 * @returns true if the answer must say `Connection: close`
 */
export function closesConnection(response: ServerResponse, isClosing: boolean): boolean {
  const { req: request } = response;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (request.complete || (coding === undefined && Number(length ?? 0) === 0)) return isClosing;
  const isSmall = coding === undefined && Number(length) <= MAX_READ_ON_BYTES;
  if (isSmall && !isClosing && response.shouldKeepAlive) {
    response.once('finish', () => readOn(request));
    return false;
  }
  // Node.js calls this after the answer, and would cut off a client that is still sending.
  request.socket.destroySoon = () => closeInOrder(request);
  return true;
}

/** Sends the end, and reads on until the client closes as well. */
function closeInOrder(request: IncomingMessage): void {
  const { socket } = request;
  let left = MAX_CLOSING_BYTES;
  const timer = setTimeout(() => socket.destroy(), MAX_CLOSING_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  readOn(request, ({ length }) => {
    left -= length;
    if (left < 0) socket.destroy();
  });
}

/** Reads the rest of a body, which its first reader has given up. */
function readOn(request: IncomingMessage, onData: (chunk: Buffer) => void = () => undefined): void {
  for (const event of ['readable', 'data']) request.removeAllListeners(event);
  request.on('data', onData).resume();
}
