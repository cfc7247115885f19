import type { Middleware } from 'koa';
import type { Config } from '../../base/config/config.js';
import type { OnKeyUsed } from '../../base/config/key-ring.js';
import type { KeySource } from '../../gateway/auth/public-keys.js';
import type { GraphQLServer } from '../../gateway/graphql/server.js';
import type { AnswerHeaders } from '../../gateway/http/answer-headers.js';
import { allowOrigins } from '../../gateway/http/cors.js';
import type { FindDependencies } from '../../gateway/http/dependency-checks.js';
import { apiReference, publishedContract } from '../../gateway/http/endpoints/published-contract.js';
import { callback, requireApiKey, type CallbackOptions } from '../../gateway/http/endpoints/callback.js';
import { files } from '../../gateway/http/endpoints/files.js';
import { graphqlMount } from '../../gateway/http/endpoints/graphql.js';
import { liveness, readiness, type Phase } from '../../gateway/http/endpoints/health.js';
import { jwks } from '../../gateway/http/endpoints/jwks.js';
import { browsersToPlayground, playground, toPlayground } from '../../gateway/http/endpoints/playground.js';
import type { Routes } from '../../gateway/http/koa-app.js';
import type { PlaygroundLogin } from '../../gateway/http/playground/tabs.js';
import type { GatewayState } from '../../gateway/http/request-log.js';
import type { Job } from '../../jobs/job.js';
import type { JobDefinition } from '../../jobs/job-definition.js';
import type { ReplayMemory } from '../../jobs/record/callback-signature.js';
import { CALLBACK_PATHS } from '../../jobs/record/job-kinds.js';
import type { SignedObjects } from '../../objects/files/file-object-store.js';

export interface RouteParts {
  readonly config: Config;
  readonly answerHeaders: AnswerHeaders;
  readonly graphql: GraphQLServer;
  readonly keys: KeySource;
  readonly jobs: readonly (Job & Pick<JobDefinition, 'administratorsOnly'>)[];
  readonly runner: CallbackOptions['runner'];
  readonly replayMemory: ReplayMemory;
  readonly findDependencies: FindDependencies;
  readonly phase: () => Phase;
  /** Time for which all callers share one key set, in milliseconds. */
  readonly sharedAnswerMs: number;
  /** The embedded object store; undefined if another service serves objects. */
  readonly signedObjects: SignedObjects | undefined;
  readonly playgroundLogin: PlaygroundLogin | undefined;
  readonly onKeyUsed: OnKeyUsed | undefined;
}

/** Returns true in development, unless all operations of the playground would be refused. */
export function servesPlayground({ production, persistedOperations }: Config): boolean {
  return !production && persistedOperations?.only !== true;
}

/** Creates the table of every endpoint of the gateway (specification, "Endpoints"). */
export function createRoutes(parts: RouteParts): Routes {
  const { config, signedObjects } = parts;
  const { basePath, production } = config;
  const browsers = (...methods: string[]): Middleware<GatewayState>[] =>
    allowOrigins({ origins: config.corsOrigins, loopback: !production }, methods);
  const toGraphQL = graphqlMount(parts.graphql, parts.answerHeaders);
  const playgroundPath = servesPlayground(config) ? `${basePath}/playground` : undefined;
  const redirects = playgroundPath === undefined ? [] : [browsersToPlayground(playgroundPath)];
  return {
    'ANY /graphql': [...browsers('GET', 'POST'), ...redirects, toGraphQL],
    ...(playgroundPath !== undefined && playgroundRoutes(playgroundPath, parts)),
    ...(config.publishSchema && contractRoutes(basePath)),
    'GET /.well-known/jwks.json': [jwks(parts.keys, parts.sharedAnswerMs)],
    'GET /health/live': [liveness],
    'GET /health/ready': [readiness(parts.findDependencies, parts.phase)],
    ...callbackRoutes(parts),
    ...(signedObjects && {
      'GET /files/*key': [...browsers('GET'), files(signedObjects, `${basePath}/files/`)],
      'OPTIONS /files/*key': browsers('GET'),
    }),
  };
}

function playgroundRoutes(path: string, { config: { basePath }, playgroundLogin }: RouteParts): Routes {
  const { page, script, style } = playground(path, `${basePath}/graphql`, playgroundLogin);
  return {
    'GET /playground': [page],
    'GET /playground/page.js': [script],
    'GET /playground/page.css': [style],
    // A developer may type the base path without a slash, too.
    'GET {/}': [toPlayground(path)],
  };
}

function contractRoutes(basePath: string): Routes {
  const texts = Object.entries(publishedContract(basePath)).map(([path, text]) => [`GET ${path}`, [text]] as const);
  const { page, script } = apiReference(basePath);
  return { ...Object.fromEntries(texts), 'GET /docs': [page], 'GET /docs/reference.js': [script] };
}

function callbackRoutes({ config, jobs, runner, replayMemory, onKeyUsed }: RouteParts): Routes {
  const { keys, limits, callbacksOrderedOnly } = config;
  const { callbackSigning: secrets } = keys;
  const authorized = requireApiKey(keys.callback, onKeyUsed);
  const signed = secrets && { secrets, replayMemory, onKeyUsed };
  const routes = jobs.map((job) => {
    const orderedOnly = callbacksOrderedOnly ? (job.administratorsOnly ? 'all' : 'keyed') : undefined;
    const options = { runner, maxBodyBytes: limits.callbackMaxBodyBytes, signed, orderedOnly } as const;
    return [`POST ${CALLBACK_PATHS[job.kind]}`, [authorized, callback(job, options)]] as const;
  });
  return Object.fromEntries(routes);
}
