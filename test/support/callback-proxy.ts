import { request as send, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePorts } from './child-program.js';
import { serveOnLoopback } from './loopback.js';

/** A callback that was called. */
interface RecordedCall {
  /** When it came, milliseconds since 1970. */
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A reply of the gateway to a callback, whether or not it reached the caller. */
interface RecordedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * The treatment of a call: it goes on to the gateway, and its reply is passed on, is lost, or is kept from the caller, who
 * goes on waiting; or the proxy answers it, cuts it off without an answer, or never answers it.
 */
export type Answer =
  | 'forward'
  | 'forward-and-cut'
  | 'forward-and-hold'
  | 'cut'
  | 'hold'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: object };

/** Stands between the queue function and a gateway; everything but callbacks goes through untouched. */
export interface CallbackProxy {
  /** Makes a test gateway be reached through the proxy, by its queue function and by the test. */
  readonly environment: { readonly PORT: string; readonly GATEWAY_URL: string };
  readonly calls: readonly RecordedCall[];
  /** In the order in which the gateway gave them. */
  readonly replies: readonly RecordedReply[];
  /** The next calls get these answers, in order; the last one is for every call after that. */
  answer(...answers: readonly [Answer, ...Answer[]]): void;
  close(): Promise<void>;
}

/** Starts one on loopback. It forwards by default. */
export async function startCallbackProxy(): Promise<CallbackProxy> {
  const [gatewayPort] = await freePorts(1);
  const calls: RecordedCall[] = [];
  const replies: RecordedReply[] = [];
  let answers: readonly [Answer, ...Answer[]] = ['forward'];

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const { url: path = '', headers } = incoming;
    let answer: Answer = 'forward';
    if (path.startsWith('/api/')) {
      calls.push({ at: Date.now(), path, headers, body: body.toString() });
      const [next, following, ...later] = answers;
      if (following !== undefined) answers = [following, ...later];
      answer = next;
    }
    if (answer === 'hold') return;
    if (answer === 'cut') response.destroy();
    else if (typeof answer === 'string') forward(incoming, body, response, answer);
    else {
      const { status, headers: extra = {}, body: said = { message: `status ${status}` } } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...extra }).end(JSON.stringify(said));
    }
  }

  function forward(
    { method, url = '', headers }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    answer: 'forward' | 'forward-and-cut' | 'forward-and-hold',
  ): void {
    const onward = send({ host: '127.0.0.1', port: gatewayPort, method, path: url, headers, agent: false }, (reply) => {
      const { statusCode: status = 502, headers: given } = reply;
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('end', () => {
        if (url.startsWith('/api/')) replies.push({ status, headers: given, body: Buffer.concat(parts).toString() });
        if (answer === 'forward-and-cut') response.destroy();
      });
      if (answer !== 'forward') return;
      response.writeHead(status, given);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  }

  const { url, close } = await serveOnLoopback((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  return {
    environment: { PORT: String(gatewayPort), GATEWAY_URL: url },
    calls,
    replies,
    answer: (...given) => void (answers = given),
    close,
  };
}
