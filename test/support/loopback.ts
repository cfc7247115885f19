import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** Lets a server listen on loopback alone, where the system finds a free port. @returns the port */
export async function listenOnLoopback(server: Server): Promise<number> {
  // Clients close connections they do not use. Closed here, one could be gone just when it is used again.
  if (server instanceof HttpServer) server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}
