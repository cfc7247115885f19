import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Follows connections that have not sent a request yet, as browsers and load balancers open them ahead. Node
 * counts them neither as idle nor as busy, so a server that closes would wait for them.
 *
 * @returns closes those that are open now
 */
export function followUnusedSockets(server: Server): () => void {
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
