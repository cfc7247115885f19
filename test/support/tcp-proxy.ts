import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback.js';

/**
 * The treatment of connections: they are passed through, refused, or held up until another treatment is set. Each of them,
 * or only the first one, is cut as soon as it has sent so many bytes towards the server. Or the server gets no more than so
 * many bytes of each, perhaps followed by their end, while its answers come through, or no faster than so many bytes a
 * second; or its answers take so long. Or the proxy answers HTTP requests in
 * place of the server: those whose first line matches, and each line only once.
 */
export type Line =
  | 'open'
  | 'refusing'
  | 'stalling'
  | { readonly cutAfterBytes: number; readonly once?: true }
  | { readonly stallAfterBytes: number; readonly ends?: true }
  | { readonly bytesPerSecond: number }
  | { readonly answersAfterMs: number }
  | { readonly answerOnce: RegExp; readonly reply: string };

/** Stands between a client and a server and is as bad a network as a test needs. */
export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** Starts one on loopback in front of a port of loopback. It passes everything through by default. */
export async function startTcpProxy(targetPort: number) {
  let line: Line = 'open';
  let faults = 0;
  const goOn: (() => void)[] = [];
  const answered = new Set<string>();

  /** The answer of the proxy itself to bytes that begin a request. */
  function replyTo(bytes: Buffer): string | undefined {
    if (typeof line !== 'object' || !('answerOnce' in line)) return undefined;
    const [, request] = line.answerOnce.exec(bytes.toString('latin1')) ?? [];
    if (request === undefined || answered.has(request)) return undefined;
    answered.add(request);
    return line.reply;
  }

  const connections = new Set<{ readonly client: Socket; readonly server: Socket }>();

  const proxy = createServer((client) => {
    const server = connect(targetPort, '127.0.0.1');
    const connection = { client, server };
    connections.add(connection);
    let sent = 0;
    const end = (): void => {
      connections.delete(connection);
      client.destroy();
      server.destroy();
    };
    const fail = (): void => {
      faults += 1;
      end();
    };
    if (line === 'refusing') fail();
    const pass = (bytes: Buffer): void => {
      if (line === 'stalling') {
        faults += 1;
        client.pause();
        goOn.push(() => {
          pass(bytes);
          client.resume();
        });
        return;
      }
      if (line === 'refusing') {
        fail();
        return;
      }
      const reply = replyTo(bytes);
      if (reply !== undefined) {
        faults += 1;
        // Whatever else comes is read and forgotten, so that the reply is heard.
        client.off('data', pass).resume().end(reply);
        return;
      }
      sent += bytes.length;
      if (typeof line === 'object' && 'stallAfterBytes' in line && sent > line.stallAfterBytes) {
        faults += 1;
        const last = bytes.subarray(0, line.stallAfterBytes);
        if (line.ends) server.end(last);
        else server.write(last);
        client.off('data', pass).resume();
        return;
      }
      server.write(bytes);
      if (typeof line === 'object' && 'bytesPerSecond' in line) {
        client.pause();
        setTimeout(() => client.resume(), (bytes.length / line.bytesPerSecond) * 1_000);
      }
      if (typeof line === 'object' && 'cutAfterBytes' in line && sent > line.cutAfterBytes) {
        if (line.once) line = 'open';
        fail();
      }
    };
    client.on('data', pass);
    server.on('data', (bytes: Buffer) => {
      if (typeof line === 'object' && 'answersAfterMs' in line)
        setTimeout(() => client.write(bytes), line.answersAfterMs);
      else client.write(bytes);
    });
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
  });
  const port = await listenOnLoopback(proxy);
  async function shut(): Promise<void> {
    if (!proxy.listening) return;
    const closed = once(proxy, 'close');
    proxy.close();
    for (const { client, server } of connections) {
      client.destroy();
      server.destroy();
    }
    await closed;
  }
  return {
    port,
    /** How often a connection was refused, held up or cut, or a request answered. */
    get faults() {
      return faults;
    },
    /** Holds for connections that are open as well. */
    set(next: Line) {
      line = next;
      for (const each of goOn.splice(0)) each();
    },
    /** Closes the port and every connection: its connections are refused from now on. */
    shut,
    /** Listens again, on the same port; rejects when another process does meanwhile. */
    async reopen() {
      proxy.listen(port, '127.0.0.1');
      await once(proxy, 'listening');
    },
    close: shut,
  };
}
