import { once } from 'node:events';
import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { freePorts } from './child-program.js';

/** Lets a server listen on loopback alone, on a free port. @returns the port */
export async function listenOnLoopback(server: Server): Promise<number> {
  // Clients close connections they do not use. Closed here, one could be gone just when it is used again.
  if (server instanceof HttpServer) server.keepAliveTimeout = 0;
  const [port = 0] = await freePorts(1);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return port;
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
