import net from 'node:net';

/** A reply as it came over the wire. */
export type RawReply = NonNullable<ReturnType<typeof readReply>>;

/**
 * Sends bytes that no HTTP client would send and resolves with the first reply, as soon as it is complete, whether
 * or not the request was. Undefined when the connection is closed without one.
 *
 * @param halfClose whether the sending side is ended after the text, so that a body is cut short
 */
export async function sendRaw(
  url: string,
  request: string | Buffer,
  { halfClose = false } = {},
): Promise<RawReply | undefined> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let received = '';
  try {
    return await new Promise((resolve, reject) => {
      socket.setEncoding('latin1');
      socket.once('connect', () => {
        if (halfClose) socket.end(request);
        else socket.write(request);
      });
      socket.on('data', (chunk: string) => {
        received += chunk;
        const reply = readReply(received);
        if (reply !== undefined) resolve(reply);
      });
      socket.once('close', () => resolve(undefined));
      socket.once('error', reject);
    });
  } finally {
    socket.destroy();
  }
}

/** Lines of a request, with the empty line that ends its headers. */
export function rawRequest(requestLine: string, headers: Readonly<Record<string, string | number>>, body = ''): string {
  const lines = Object.entries({ Host: 'gateway.localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [requestLine, ...lines, '', body].join('\r\n');
}

/** The first reply in bytes as they came, which are Latin-1; undefined until it is complete. */
export function readReply(text: string) {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  if (rest.length === 0) return undefined;
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1');
  if (body.length < Number(headers.get('content-length') ?? 0)) return undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString() };
}
