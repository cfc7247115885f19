import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveOnLoopback } from './loopback.js';

/** An answer of the router itself. */
export interface RouterAnswer {
  readonly status: number;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: string;
}

/** Request at the router: `DELETE /v1/user-accounts/tanaka`, and its body. */
type Answering = (request: string, body: string) => RouterAnswer | 'forward';

/** Router in front of a server, such as an ingress. */
export interface Router {
  readonly url: string;
  /** Number of requests that it answered itself. */
  readonly answered: number;
  /** Decides over each request from now on; by default all are forwarded. */
  answer(answering: Answering): void;
  close(): Promise<void>;
}

/** Answer as nginx gives it. */
export function ofNginx(status: number): RouterAnswer {
  const headers = { 'content-type': 'text/html', server: 'nginx' };
  return { status, headers, body: `<html><center><h1>${status}</h1></center><hr>nginx</html>` };
}

/** Starts one on loopback. @param target URL of the server */
export async function startRouter(target: string): Promise<Router> {
  let answering: Answering = () => 'forward';
  let answered = 0;

  async function forward({ method, url = '', headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const onward = send(`${target}${url}`, { method, headers, agent: false }, resolve);
      onward.on('error', reject);
      onward.end(body);
    });
  }

  const server = await serveOnLoopback((incoming, response) => {
    const handle = async (): Promise<void> => {
      const body = await buffer(incoming);
      const answer = answering(`${incoming.method ?? ''} ${incoming.url ?? ''}`, body.toString());
      if (answer !== 'forward') {
        answered += 1;
        response.writeHead(answer.status, answer.headers).end(answer.body);
        return;
      }
      const reply = await forward(incoming, body);
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    };
    handle().catch(() => response.destroy());
  });
  return {
    url: server.url,
    get answered() {
      return answered;
    },
    answer: (next) => void (answering = next),
    close: server.close,
  };
}
