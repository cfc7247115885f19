import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { createPeerContext, PEER_RESOLVERS, type PeerContext } from './peer-resolvers.js';
import { TYPE_DEFS } from './peer-schema.js';
import { LISTEN } from './serve.js';

/** Apollo Server on Express, as documented. */
const server = new ApolloServer<PeerContext>({ typeDefs: TYPE_DEFS, resolvers: PEER_RESOLVERS });
await server.start();

const app = express();
app.use(
  '/graphql',
  express.json(),
  expressMiddleware(server, { context: ({ req }) => createPeerContext(req.headers.authorization) }),
);
app.listen(LISTEN.port, LISTEN.host);
