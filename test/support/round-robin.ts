import { once } from 'node:events';
import { Agent, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { hasCode } from '../../src/base/errors.js';
import { serveOnLoopback } from './loopback.js';

/** Stands in front of several replicas, as a load balancer does. */
export type RoundRobin = Awaited<ReturnType<typeof startRoundRobin>>;

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** How often replicas are asked whether they are ready. */
const HEALTH_CHECK_MS = 1_000;

/**
 * Starts one on loopback. Requests go to one ready replica after another. A request that was refused a connection
 * has reached no replica and goes to the next one; one that was cut off does so only when its method is safe.
 *
 * @param targets URLs of the replicas, without a path; the list may change while it runs, as replicas come back
 *   elsewhere
 */
export async function startRoundRobin(targets: readonly string[]) {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  let cut: 'calls' | 'replies' | { readonly status: number } | undefined;
  const unready = new Set<string>();

  const checks = setInterval(() => {
    for (const target of targets) {
      void fetch(`${target}/health/ready`)
        .then(
          ({ ok }) => ok,
          () => false,
        )
        .then((ready) => {
          if (ready) unready.delete(target);
          else unready.add(target);
        });
    }
  }, HEALTH_CHECK_MS);

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    if (cut !== undefined && cut !== 'replies' && incoming.url?.startsWith('/api/')) {
      if (cut === 'calls') response.destroy();
      // It lacks the job id that a gateway sends back.
      else response.writeHead(cut.status, { 'content-type': 'application/json' }).end('{"message":"Come back later."}');
      return;
    }
    turn = (turn + 1) % targets.length;
    const order = [...targets.slice(turn), ...targets.slice(0, turn)];
    for (const target of order.toSorted((left, right) => Number(unready.has(left)) - Number(unready.has(right)))) {
      try {
        await forward(target, incoming, body, response);
        return;
      } catch (error) {
        const reachedNobody = hasCode(error, 'ECONNREFUSED');
        if (response.headersSent || !(reachedNobody || SAFE.has(incoming.method ?? ''))) break;
      }
    }
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('Bad gateway');
  }

  /** Resolves when the reply has begun; rejects when there is none. */
  async function forward(
    target: string,
    { method, url, headers, socket }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const onward = send(`${target}${url ?? ''}`, {
      method,
      agent,
      headers: { ...headers, connection: 'keep-alive', 'x-forwarded-for': socket.remoteAddress },
    });
    // A client that went away waits for nothing.
    response.once('close', () => onward.destroy());
    const replied = once(onward, 'response') as Promise<[IncomingMessage]>; // documented event of `node:http`
    onward.end(body);
    const [reply] = await replied;
    onward.on('error', () => response.destroy());
    // Otherwise a client would wait for the rest of what a killed replica had begun to say.
    reply.once('close', () => {
      if (!reply.complete) response.destroy();
    });
    if (cut === 'replies' && url?.startsWith('/api/')) {
      response.destroy();
      return;
    }
    const { connection: _own, ...replyHeaders } = reply.headers;
    response.writeHead(reply.statusCode ?? 502, replyHeaders);
    reply.pipe(response);
  }

  const server = await serveOnLoopback((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  return {
    url: server.url,
    /**
     * Closes connections of callbacks without an answer, before the call or instead of the reply, or answers in place of
     * a gateway, or no longer.
     */
    cutCallbacks: (next: typeof cut): void => void (cut = next),
    async close() {
      clearInterval(checks);
      agent.destroy();
      await server.close();
    },
  };
}
