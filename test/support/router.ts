import { once } from 'node:events';
import { request as send, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { hasCode } from '../../src/base/errors.js';
import { serveOnLoopback } from './loopback.js';

/** An answer of the router itself. */
export interface RouterAnswer {
  readonly status: number;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: string;
}

/**
 * The treatment of a request: it goes on to the server, and its reply is passed on, is lost, or is kept from the caller,
 * who goes on waiting; or the router answers it, cuts it off without an answer, or never answers it.
 */
export type Treatment = 'forward' | 'forward-and-cut' | 'forward-and-hold' | 'cut' | 'hold' | RouterAnswer;

/** Decides over a request, such as `DELETE /v1/user-accounts/tanaka`, whose headers it may change, and its body. */
type Treating = (request: string, body: string, incoming: IncomingMessage) => Treatment;

/** A reply of the server, whether or not it reached the caller. */
interface RoutedReply {
  readonly request: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answer as nginx gives it. */
export function ofNginx(status: number): RouterAnswer {
  const headers = { 'content-type': 'text/html', server: 'nginx' };
  return { status, headers, body: `<html><center><h1>${status}</h1></center><hr>nginx</html>` };
}

export type Router = Awaited<ReturnType<typeof startRouter>>;

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Interval at which replicas are asked whether they are ready. */
const HEALTH_CHECK_MS = 1_000;

/**
 * Starts a router in front of a server, such as an ingress, or of replicas, as a load balancer, on loopback. Requests go
 * to one ready replica after another. A request that was refused a connection has reached no replica and goes to the
 * next one; one that was cut off does so only when its method is safe.
 *
 * @param target URL of the server; or a list of those of replicas, which may change while it runs
 */
export async function startRouter(target: string | readonly string[]) {
  const replicas = typeof target === 'string' ? undefined : target;
  const unready = new Set<string>();
  let treating: Treating = () => 'forward';
  let [answered, turn] = [0, 0];
  const replies: RoutedReply[] = [];

  const checks = setInterval(() => {
    for (const each of replicas ?? []) {
      void fetch(`${each}/health/ready`).then(
        ({ ok }) => (ok ? unready.delete(each) : unready.add(each)),
        () => unready.add(each),
      );
    }
  }, HEALTH_CHECK_MS);

  /** Returns the reply of the next server that gives one; undefined without any. */
  async function forward(incoming: IncomingMessage, body: Buffer, response: ServerResponse) {
    const { method = '', url: path = '', headers, socket } = incoming;
    turn += 1;
    const [servers, next] = [replicas ?? [target as string], turn % (replicas?.length ?? 1)]; // one, or a list
    const inTurn = [...servers.slice(next), ...servers.slice(0, next)];
    for (const server of inTurn.toSorted((one, other) => Number(unready.has(one)) - Number(unready.has(other)))) {
      const from = replicas && { 'x-forwarded-for': socket.remoteAddress };
      const onward = send(`${server}${path}`, { method, headers: { ...headers, ...from }, agent: false });
      onward.on('error', () => undefined).end(body);
      // A client that went away waits for nothing.
      if (replicas) response.once('close', () => onward.destroy());
      try {
        const [reply] = (await once(onward, 'response')) as [IncomingMessage]; // as the event is documented
        const { connection: _own, ...given } = reply.headers;
        return { status: reply.statusCode ?? 502, headers: given, text: await buffer(reply) };
      } catch (error) {
        if (!replicas) throw error;
        if (!hasCode(error, 'ECONNREFUSED') && !SAFE.has(method)) return undefined;
      }
    }
    return undefined;
  }

  const { url, close } = await serveOnLoopback((incoming, response) => {
    const handle = async (): Promise<void> => {
      const body = await buffer(incoming);
      const request = `${incoming.method ?? ''} ${incoming.url ?? ''}`;
      const treatment = treating(request, body.toString(), incoming);
      if (treatment === 'cut') response.destroy();
      if (treatment === 'cut' || treatment === 'hold') return;
      if (typeof treatment !== 'string') {
        answered += 1;
        response.writeHead(treatment.status, treatment.headers).end(treatment.body);
        return;
      }
      const reply = await forward(incoming, body, response);
      if (reply === undefined) {
        response.writeHead(502, { 'content-type': 'text/plain' }).end('Bad gateway');
        return;
      }
      const { status, headers, text } = reply;
      if (!replicas) replies.push({ request, status, headers, body: text.toString() });
      if (treatment === 'forward-and-cut') response.destroy();
      if (treatment === 'forward') response.writeHead(status, headers).end(text);
    };
    handle().catch(() => response.destroy());
  });
  return {
    url,
    /** In the order in which the server gave them; none of replicas. */
    replies: replies as readonly RoutedReply[],
    /** Number of requests that it answered itself. */
    get answered() {
      return answered;
    },
    /** Decides over each request from now on; by default all are forwarded. */
    answer: (next: Treating): void => void (treating = next),
    close: async () => {
      clearInterval(checks);
      await close();
    },
  };
}
