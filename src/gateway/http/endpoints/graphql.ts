import { isPromise } from '@envelop/core';
import type { Middleware } from 'koa';
import { clientIn, OperationLog } from '../../graphql/operation-log.js';
import type { GraphQLReply } from '../../graphql/handlers/reply.js';
import type { GraphQLServer } from '../../graphql/server.js';
import type { AnswerHeaders } from '../answer-headers.js';
import { refusedPreflights } from '../cors.js';
import type { GatewayState, HttpContext } from '../request-log.js';
import { countWaitingReplies } from '../slow-readers.js';

/** Passes requests to the GraphQL server, which reads the body itself, and sends its reply. */
export function graphqlMount(server: GraphQLServer, answerHeaders: AnswerHeaders): Middleware<GatewayState> {
  const logPreflight = refusedPreflights();
  const countWaiting = countWaitingReplies();
  return (ctx) => {
    // Those with permission are answered before.
    if (ctx.req.method === 'OPTIONS') logPreflight(ctx);
    const { requestId, log } = ctx.state;
    const operationLog = new OperationLog(clientIn(ctx.req.headers));
    ctx.state.operation = operationLog;
    const { authorization = null } = ctx.req.headers;
    const client = { requestId, log, operationLog, authorization, address: () => ctx.ip };
    const send = (reply: GraphQLReply): void => {
      sendReply(ctx, reply, answerHeaders);
      countWaiting(ctx.res, client.address);
    };
    const answered = server.answer(ctx.req, ctx.res, client);
    if (isPromise(answered)) return answered.then(send);
    send(answered);
    return undefined;
  };
}

/** Sends head and body of a reply in one write. `end(body)` makes two, which take 5 % longer for a small operation. */
function sendReply(
  ctx: HttpContext,
  { status, headers, body, bytes = Buffer.byteLength(body) }: GraphQLReply,
  answerHeaders: AnswerHeaders,
): void {
  // Without a body, the router treats the request as not handled.
  if (body === '') {
    ctx.status = status;
    return;
  }
  // Bypasses Koa, which would process every header and the body again.
  ctx.respond = false;
  const { res: response } = ctx;
  response.writeHead(status, answerHeaders.with(response, ctx.state.requestId, headers, bytes));
  // ASCII has the same bytes in both encodings, and `latin1` copies them without inspection.
  const encoding = bytes === body.length ? 'latin1' : 'utf8';
  const { socket } = response;
  // With `cork`, a reply on a closed connection would count as complete.
  if (socket?.writable !== true) {
    response.end(body, encoding);
    return;
  }
  socket.cork();
  response.write(body, encoding);
  socket.uncork();
  response.end();
}
