import cors from '@koa/cors';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { KeySource } from '../auth/public-keys.js';
import type { GraphQLServer } from '../graphql/server.js';
import type { JobRunner } from '../jobs/job-runner.js';
import { CALLBACK_PATHS } from '../job-record/job-kinds.js';
import type { JobTable } from '../jobs/job-table.js';
import type { FileObjectStore } from '../objects/files/file-object-store.js';
import { requireApiKey } from './api-key.js';
import type { DependencyChecks } from './dependency-checks.js';
import { callback } from './endpoints/callback.js';
import { files } from './endpoints/files.js';
import { graphqlMount } from './endpoints/graphql.js';
import { liveness, readiness } from './endpoints/health.js';
import type { OnKeyUsed } from '../key-use.js';
import type { BodyLimit } from './json-body.js';
import { jwks } from './endpoints/jwks.js';
import { playground, type PlaygroundLogin } from './endpoints/playground.js';
import type { GatewayState } from './request-log.js';
import { SignedCallbacks, type SignedCallbacksOptions } from './signed-callbacks.js';

/** What the routes need. */
export interface RouteOptions {
  readonly basePath: string;
  readonly graphql: GraphQLServer;
  readonly corsOrigins: readonly string[];
  readonly keys: KeySource;
  readonly jobs: JobTable;
  readonly runner: JobRunner;
  readonly callbackKeys: readonly string[];
  /** Is told which of them was carried. */
  readonly onKeyUsed?: OnKeyUsed | undefined;
  /** Undefined: callbacks need not be signed. */
  readonly callbackSigning: SignedCallbacksOptions | undefined;
  readonly callbackBodyLimit: BodyLimit;
  readonly dependencies: Pick<DependencyChecks, 'findings'>;
  readonly isDraining: () => boolean;
  /** How long everybody gets the same key set. */
  readonly sharedAnswerMs: number;
  /** The embedded object store; absent when objects are served by somebody else. */
  readonly signedObjects: FileObjectStore | undefined;
  /** Development only; absent where there is no playground. */
  readonly playground: { readonly login: PlaygroundLogin | undefined } | undefined;
}

/** The one route table: every endpoint of the gateway (specification, "Endpoints"). */
export function createRoutes(options: RouteOptions): Routes {
  const router = new Router<GatewayState>({ prefix: options.basePath });
  const graphqlPath = `${options.basePath}${GRAPHQL}`;
  const get = (path: string, endpoint: Middleware<GatewayState>): void =>
    void router.get(path, takenBy(path), endpoint);

  const graphql = [takenBy(GRAPHQL), ...allowOrigins(options.corsOrigins), graphqlMount(options.graphql)];
  if (options.playground) get('/playground', playground(graphqlPath, options.playground.login));

  get('/.well-known/jwks.json', jwks(options.keys, options.sharedAnswerMs));
  get('/health/live', liveness());
  get('/health/ready', readiness(options));

  const authorized = requireApiKey(options.callbackKeys, options.onKeyUsed);
  const signed = options.callbackSigning && new SignedCallbacks(options.callbackSigning);
  for (const job of Object.values(options.jobs)) {
    router.post(
      CALLBACK_PATHS[job.kind],
      takenBy(CALLBACK_PATHS[job.kind]),
      authorized,
      endWhenDraining(options.isDraining),
      callback(job, { runner: options.runner, bodyLimit: options.callbackBodyLimit, signed }),
    );
  }

  if (options.signedObjects) {
    get('/files/*key', files(options.signedObjects, `${options.basePath}/files/`));
  }
  return { graphql: graphql.map((middleware) => at(graphqlPath, middleware)), router };
}

const GRAPHQL = '/graphql';

/** Notes by which route a request was taken. */
function takenBy(route: string): Middleware<GatewayState> {
  return (ctx, next) => {
    ctx.state.route = route;
    return next();
  };
}

/** The endpoints, in the order in which they are looked at. */
export interface Routes {
  /** Nearly every request is for this one, so it is found without asking the router. */
  readonly graphql: readonly Middleware<GatewayState>[];
  readonly router: Router<GatewayState>;
}

/** Hands requests for a path over, whatever their method. */
function at(path: string, middleware: Middleware<GatewayState>): Middleware<GatewayState> {
  return (ctx, next): unknown => (ctx.path === path ? middleware(ctx, next) : next());
}

/** For what takes long: the process may have begun to end in the meantime. */
function endWhenDraining(isDraining: () => boolean): Middleware<GatewayState> {
  return (ctx, next) =>
    next().finally(() => {
      if (isDraining() && !ctx.headerSent) ctx.set('Connection', 'close');
    });
}

/** CORS for browsers on other origins; without a configured origin there is nothing to say to any of them. */
function allowOrigins(origins: readonly string[]): Middleware<GatewayState>[] {
  if (origins.length === 0) return [];
  return [
    cors({
      origin: (ctx) => origins.find((origin) => origin === ctx.get('origin')) ?? '',
      allowMethods: ['GET', 'POST'],
      maxAge: 600,
    }),
  ];
}
