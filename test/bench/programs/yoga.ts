import { createSchema, createYoga } from 'graphql-yoga';
import Koa from 'koa';
import { createPeerContext, PEER_RESOLVERS, type PeerContext } from './peer-resolvers.js';
import { TYPE_DEFS } from './peer-schema.js';
import { LISTEN } from './serve.js';

/** GraphQL Yoga on Koa, mounted as its documentation says. */
const yoga = createYoga<Koa.ParameterizedContext, PeerContext>({
  graphiql: false,
  landingPage: false,
  logging: false,
  schema: createSchema<Koa.ParameterizedContext & PeerContext>({ typeDefs: TYPE_DEFS, resolvers: PEER_RESOLVERS }),
  context: ({ request }) => createPeerContext(request.headers.get('authorization') ?? undefined),
});

const app = new Koa();
app.use(async (ctx) => {
  const response = await yoga.handleNodeRequestAndResponse(ctx.req, ctx.res, ctx);
  ctx.status = response.status;
  response.headers.forEach((value, key) => ctx.append(key, value));
  ctx.body = response.body;
});
app.listen(LISTEN.port, LISTEN.host);
