import net from 'node:net';

/**
 * Longest silence. A server waits for the rest of a request for 30 s (`REQUEST_TIMEOUT_SECONDS`), also for that of a
 * body that it has refused already.
 */
const SILENCE_MS = 60_000;

/** Everything that came back over one connection. */
export interface Conversation {
  /** Status of every reply, in order. */
  readonly statuses: readonly number[];
  /** All bytes that were received, as Latin-1. */
  readonly text: string;
}

/**
 * Writes bytes to a server, whatever they are, and reads until the server closes the connection. A request that the
 * server takes as one should therefore ask for `Connection: close`.
 *
 * @param bytes Latin-1
 * @param silenceMs how long a server may wait for the rest of a request before the connection is given up; without it
 *   that is a failure
 * @throws {Error} no program listens, or the connection stays open
 */
export async function converse(url: string, bytes: string, silenceMs?: number): Promise<Conversation> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('latin1');
    socket.setTimeout(silenceMs ?? SILENCE_MS, () => {
      socket.destroy(silenceMs === undefined ? new Error(`The connection stayed open after: ${bytes}`) : undefined);
    });
    socket.once('connect', () => socket.write(bytes, 'latin1'));
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.once('close', () => resolve(received));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A server may close while it still is written to.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  // An interim response, after which a body may be sent, is no reply.
  return { statuses: statuses.filter((status) => status >= 200), text };
}

/** The body of a conversation's only reply. */
export function bodyOf({ text }: Conversation): string {
  return Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1').toString();
}
