import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import DataLoader from 'dataloader';
import express from 'express';
import { authenticate, required, type AuthUser } from './peer-auth.js';
import {
  connectionOf,
  getPresence,
  listMobiles,
  reverseGeocode,
  type Mobile,
  type Point,
  type Presence,
} from './peer-backends.js';
import { TYPE_DEFS } from './peer-schema.js';
import { LISTEN, setting } from './serve.js';

/** The context of Apollo: the user, and DataLoaders that live as long as the request. */
interface PeerContext {
  readonly authorization: string | undefined;
  readonly user: AuthUser | undefined;
  readonly addresses: DataLoader<Point, string | null>;
  readonly presences: DataLoader<number, Presence | null>;
}

async function createPeerContext(authorization: string | undefined): Promise<PeerContext> {
  return {
    authorization,
    user: authorization === undefined ? undefined : await authenticate(authorization),
    addresses: new DataLoader(reverseGeocode),
    presences: new DataLoader(getPresence),
  };
}

/** Resolvers over DataLoaders, as its documentation recommends. */
const PEER_RESOLVERS = {
  Query: {
    serviceVersion: () => setting('VERSION'),
    me: (_root: unknown, _args: unknown, { user }: PeerContext) => required(user),
    mobiles: async (_root: unknown, { first }: { first: number }, { user, authorization = '' }: PeerContext) => {
      required(user);
      return connectionOf(await listMobiles(first, authorization));
    },
  },
  Mobile: { voice: ({ id }: Mobile, _args: unknown, { presences }: PeerContext) => presences.load(id) },
  Position: {
    latitude: ({ lat }: Point) => lat,
    longitude: ({ lng }: Point) => lng,
    address: (point: Point, _args: unknown, { addresses }: PeerContext) => addresses.load(point),
  },
};

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
