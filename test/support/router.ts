import { once } from 'node:events';
import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
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

/** Starts a router in front of a server, such as an ingress, on loopback. @param target URL of the server */
export async function startRouter(target: string) {
  let treating: Treating = () => 'forward';
  let answered = 0;
  const replies: RoutedReply[] = [];

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
      const { method, url: path, headers } = incoming;
      const onward = send(`${target}${path}`, { method, headers, agent: false });
      onward.end(body);
      const [reply] = (await once(onward, 'response')) as [IncomingMessage]; // as the event is documented
      const { statusCode: status = 502, headers: given } = reply;
      const text = await buffer(reply);
      replies.push({ request, status, headers: given, body: text.toString() });
      if (treatment === 'forward-and-cut') response.destroy();
      if (treatment === 'forward') response.writeHead(status, given).end(text);
    };
    handle().catch(() => response.destroy());
  });
  return {
    url,
    /** In the order in which the server gave them. */
    replies: replies as readonly RoutedReply[],
    /** Number of requests that it answered itself. */
    get answered() {
      return answered;
    },
    /** Decides over each request from now on; by default all are forwarded. */
    answer: (next: Treating): void => void (treating = next),
    close,
  };
}
