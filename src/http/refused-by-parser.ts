import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderList } from './security-headers.js';

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
