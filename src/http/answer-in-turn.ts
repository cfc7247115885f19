import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
