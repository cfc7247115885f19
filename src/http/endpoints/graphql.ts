import type { Middleware } from 'koa';
import type { GraphQLServer } from '../../graphql/server.js';
import type { GatewayState } from '../request-log.js';

/**
 * Hands the request over to the GraphQL server, which reads the body and writes the reply itself. Koa must
 * neither answer nor have its default 404 left in the response.
 */
export function graphqlMount(server: GraphQLServer): Middleware<GatewayState> {
  return async (ctx) => {
    ctx.respond = false;
    ctx.res.statusCode = 200;
    const { requestId, log } = ctx.state;
    const { authorization = null } = ctx.req.headers;
    await server.handle(ctx.req, ctx.res, { requestId, log, authorization, address: ctx.ip });
  };
}
