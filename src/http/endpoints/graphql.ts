import type { Middleware } from 'koa';
import type { GraphQLAnswers } from '../../graphql/loaded-later.js';
import type { GatewayState } from '../request-log.js';

/**
 * Hands the request over to the GraphQL server, which reads the body itself. Its reply is sent from here: the server's
 * own way to send one answers what it did not expect with a stack.
 */
export function graphqlMount(server: GraphQLAnswers): Middleware<GatewayState> {
  return async (ctx) => {
    const { requestId, log } = ctx.state;
    const { authorization = null } = ctx.req.headers;
    const context = { requestId, log, authorization, address: ctx.ip };
    const reply = await server.handleNodeRequestAndResponse(ctx.req, ctx.res, context);
    ctx.status = reply.status;
    reply.headers.forEach((value, name) => ctx.set(name, value));
    const body = await reply.text();
    // Without one it does not take the path for its own.
    if (body !== '') ctx.body = body;
  };
}
