import { once } from 'node:events';
import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
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

/** An HTTP server on loopback. */
export type LoopbackServer = Awaited<ReturnType<typeof serveOnLoopback>>;

export async function serveOnLoopback(listener: RequestListener) {
  const server = createServer(listener);
  const port = await listenOnLoopback(server);
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    /** Cuts every connection, and resolves when it listens no more. */
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
