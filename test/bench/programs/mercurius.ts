import { randomUUID } from 'node:crypto';
import Fastify, { LogController } from 'fastify';
import mercurius from 'mercurius';
import { authenticate, required, type AuthUser } from './peer-auth.js';
import { connectionOf, getPresence, listMobiles, reverseGeocode, type Mobile, type Point } from './peer-backends.js';
import { TYPE_DEFS } from './peer-schema.js';
import { LISTEN, setting } from './serve.js';

/** Mercurius with `jit`, its context function and its loaders. `ACCESS_LOG=1` adds a line with an id for each request. */
const accessLog = process.env['ACCESS_LOG'] === '1';
const app = accessLog
  ? Fastify({
      logger: true,
      logController: new LogController({ disableRequestLogging: true }),
      genReqId: () => randomUUID(),
    })
  : Fastify();

if (accessLog) {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    request.log.info(
      { method, path: url, status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) },
      'handled',
    );
    done();
  });
}

interface Context {
  readonly authorization: string | undefined;
  readonly user: AuthUser | undefined;
}

await app.register(mercurius, {
  schema: TYPE_DEFS,
  jit: 1,
  graphiql: false,
  context: async ({ headers: { authorization } }): Promise<Context> => ({
    authorization,
    user: authorization === undefined ? undefined : await authenticate(authorization),
  }),
  resolvers: {
    Query: {
      serviceVersion: () => setting('VERSION'),
      me: (_root: unknown, _args: unknown, context: unknown) => required(own(context).user),
      mobiles: async (_root: unknown, { first }: { first: number }, context: unknown) => {
        const { user, authorization = '' } = own(context);
        required(user);
        return connectionOf(await listMobiles(first, authorization));
      },
    },
    Position: { latitude: ({ lat }: Point) => lat, longitude: ({ lng }: Point) => lng },
  },
  loaders: {
    Mobile: { voice: async (queries: { obj: Mobile }[]) => [...(await getPresence(queries.map(({ obj }) => obj.id)))] },
    Position: {
      address: async (queries: { obj: Point }[]) => [...(await reverseGeocode(queries.map(({ obj }) => obj)))],
    },
  },
});
await app.listen(LISTEN);

/** Mercurius types the context for everybody; this one was made above. */
function own(context: unknown): Context {
  return context as Context;
}
