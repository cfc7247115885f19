import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { KeySource } from '../auth/public-keys.js';
import type { GraphQLServer } from '../graphql/server.js';
import { CALLBACK_PATHS } from '../../jobs/record/job-kinds.js';
import type { Job } from '../../jobs/job.js';
import type { SignedObjects } from '../../objects/files/file-object-store.js';
import type { OnKeyUsed } from '../../base/config/key-ring.js';
import type { AnswerHeaders } from './answer-headers.js';
import { allowOrigins, type AllowedOrigins } from './cors.js';
import { apiReference } from './endpoints/api-reference.js';
import { publishedContract } from './endpoints/published-contract.js';
import type { DependencyChecks } from './dependency-checks.js';
import { callback, requireApiKey, type CallbackOptions } from './endpoints/callback.js';
import { files } from './endpoints/files.js';
import { graphqlMount } from './endpoints/graphql.js';
import { liveness, type Phase, readiness } from './endpoints/health.js';
import { jwks } from './endpoints/jwks.js';
import { browsersToPlayground, playground, toPlayground } from './endpoints/playground.js';
import type { PlaygroundLogin } from './playground/tabs.js';
import type { GatewayState } from './request-log.js';
import { SignedCallbacks, type SignedCallbacksOptions } from './signed-callbacks.js';

/** Dependencies and settings of the routes. */
export interface RouteOptions {
  readonly basePath: string;
  readonly graphql: GraphQLServer;
  readonly answerHeaders: AnswerHeaders;
  readonly allowedOrigins: AllowedOrigins;
  readonly keys: KeySource;
  readonly jobs: readonly Job[];
  readonly runner: CallbackOptions['runner'];
  readonly callbackKeys: readonly string[];
  readonly onKeyUsed?: OnKeyUsed | undefined;
  /** Undefined: callbacks need not be signed. */
  readonly callbackSigning: SignedCallbacksOptions | undefined;
  /** True if callbacks of accounts need a user's order. */
  readonly orderedOnly: boolean;
  /** Largest size of a callback's body in bytes. */
  readonly callbackBodyLimit: number;
  readonly dependencies: DependencyChecks;
  readonly phase: () => Phase;
  /** Time for which all callers share one key set, in milliseconds. */
  readonly sharedAnswerMs: number;
  /** The embedded object store; undefined if another service serves objects. */
  readonly signedObjects: SignedObjects | undefined;
  readonly publishesSchema: boolean;
  /** Development only. */
  readonly playground: { readonly login: PlaygroundLogin | undefined } | undefined;
}

/**
 * Creates the route table with every endpoint of the gateway (specification, "Endpoints"). The middleware of GraphQL
 * comes before the router, because nearly all requests are for it.
 */
export function createRoutes(options: RouteOptions) {
  const router = new Router<GatewayState>({ prefix: options.basePath, sensitive: true, strict: true });
  const graphqlPath = `${options.basePath}${GRAPHQL}`;
  const get = (path: string, ...endpoint: Middleware<GatewayState>[]): void =>
    void router.get(path, noteRoute(path), ...endpoint);

  const graphql = allowOrigins(options.allowedOrigins, ['GET', 'POST']);
  if (options.playground) {
    const playgroundPath = `${options.basePath}${PLAYGROUND}`;
    const { page, script, style } = playground(playgroundPath, graphqlPath, options.playground.login);
    get(PLAYGROUND, page);
    get(`${PLAYGROUND}/page.js`, script);
    get(`${PLAYGROUND}/page.css`, style);
    // A developer may type the base path without a slash, too.
    get('{/}', toPlayground(playgroundPath));
    graphql.push(browsersToPlayground(playgroundPath));
  }
  graphql.push(graphqlMount(options.graphql, options.answerHeaders));
  if (options.publishesSchema) {
    for (const [path, endpoint] of Object.entries(publishedContract(options.basePath))) get(path, endpoint);
    const reference = apiReference(options.basePath);
    get('/docs', reference.page);
    get('/docs/reference.js', reference.script);
  }

  get('/.well-known/jwks.json', jwks(options.keys, options.sharedAnswerMs));
  get('/health/live', liveness);
  get('/health/ready', readiness(options.dependencies, options.phase));

  const authorized = requireApiKey(options.callbackKeys, options.onKeyUsed);
  const signed = options.callbackSigning && new SignedCallbacks(options.callbackSigning);
  const { runner, callbackBodyLimit: bodyLimit } = options;
  for (const job of options.jobs) {
    const path = CALLBACK_PATHS[job.kind];
    const orderedOnly = options.orderedOnly && job.kind === 'user-accounts';
    router.post(path, noteRoute(path), authorized, callback(job, { runner, bodyLimit, signed, orderedOnly }));
  }

  if (options.signedObjects) {
    const browsers = allowOrigins(options.allowedOrigins, ['GET']);
    get('/files/*key', ...browsers, files(options.signedObjects, `${options.basePath}/files/`));
    for (const middleware of browsers) router.options('/files/*key', noteRoute('/files/*key'), middleware);
  }
  return { graphql: graphql.map((middleware) => mount(graphqlPath, GRAPHQL, middleware)), router };
}

/** Path of GraphQL below the base path. */
const GRAPHQL = '/graphql';
const PLAYGROUND = '/playground';

/** Creates middleware that notes the route of a request. */
function noteRoute(route: string): Middleware<GatewayState> {
  return (ctx, next) => {
    ctx.state.route = route;
    return next();
  };
}

/** Limits middleware to requests for one path, with any method, and notes the route. */
function mount(path: string, route: string, middleware: Middleware<GatewayState>): Middleware<GatewayState> {
  return (ctx, next): unknown => {
    if (ctx.state.path !== path) return next();
    ctx.state.route = route;
    return middleware(ctx, next);
  };
}
