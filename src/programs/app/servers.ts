import { createAuthenticate, type OtherKind, type TokenRefusedError } from '../../gateway/auth/bearer-token.js';
import { PublicKeys } from '../../gateway/auth/public-keys.js';
import type { Config } from '../../base/config/config.js';
import type { Services } from '../../gateway/graphql/context.js';
import type { PersistedOperationsOptions } from '../../gateway/graphql/documents/persisted-operations.js';
import type { JobRunner } from '../../jobs/run/job-runner.js';
import { LoadShedding } from '../../gateway/graphql/limits/load-shedding.js';
import { allowOrigins } from '../../gateway/http/cors.js';
import { createHttpApp } from '../../gateway/http/koa-app.js';
import { createHttpListener, type HttpListenerOptions } from '../../gateway/http/http-listener.js';
import { AnswerHeaders, securityHeaders } from '../../gateway/http/answer-headers.js';
import type { Logger } from '../../base/logging/logger.js';
import type { Observer } from '../../base/observation.js';
import { OnceInAWhile } from '../../base/once-in-a-while.js';
import { loadOnce, yieldToEventLoop } from '../../base/waits.js';
import type { GraphQLServer } from '../../gateway/graphql/server.js';
import { createRoutes, type RouteParts } from './routes.js';

export interface ServerParts extends Omit<RouteParts, 'answerHeaders' | 'graphql' | 'keys' | 'jobs' | 'runner'> {
  readonly runner: JobRunner;
  readonly logger: Logger;
  readonly observer: Observer | undefined;
  readonly services: Services;
  /** Accepted values of `iss` or `aud` of a token. */
  readonly issuers: readonly string[];
  readonly persistedOperations: PersistedOperationsOptions | undefined;
  readonly onRefused: HttpListenerOptions['onRefused'];
  readonly maxConnections: HttpListenerOptions['maxConnections'];
}

/** Returns the names under which the settings say that a gateway is reached. */
function ownHosts({ listen, publicUrl, gatewayUrl }: Config): ReadonlySet<string> {
  const named = [publicUrl, gatewayUrl].flatMap((url) => (url === undefined ? [] : new URL(url).hostname));
  return new Set([listen.host, ...named]);
}

/** Logs refused tokens, one line a minute for each reason. Anybody may have made a token whose signature is wrong. */
function refusedTokenLog(logger: Logger): (error: TokenRefusedError) => void {
  const told = new OnceInAWhile({ everyMs: 60_000 });
  return ({ refusal: reason, issuer }) => {
    if (!told.isDue(reason)) return;
    logger.event('token.refused', { reason, ...(typeof issuer === 'string' && { issuer: issuer.slice(0, 100) }) });
  };
}

/** Logs tokens of another kind, one line for each issuer. */
function otherKindLog(logger: Logger): (claim: OtherKind, issuer: string) => void {
  const told = new OnceInAWhile({ everyMs: Infinity });
  return (claim, issuer) => {
    if (told.isDue(issuer)) logger.event('token.of_another_kind', { claim, issuer: issuer.slice(0, 100) });
  };
}

/** Creates the HTTP server and the GraphQL server behind it, which do not listen yet. */
export function createServers(parts: ServerParts) {
  const { config, logger, observer, services, issuers, persistedOperations, runner, onRefused } = parts;
  const { basePath, limits } = config;
  const { backendApi, jobs } = services;
  const keys = new PublicKeys(() => backendApi.public.getPublicKeys(), {
    maxAgeMs: config.publicKeyMaxAgeMs,
    now: Date.now,
    observer,
  });
  const onOtherKind = otherKindLog(logger);
  const authenticate = createAuthenticate({ keys, issuers, observer, onRefused: refusedTokenLog(logger), onOtherKind });
  const load = new LoadShedding(config.maxEventLoopDelayMs, logger, () => runner.progressedAt);
  const graphql = lazyGraphQLServer(async () => {
    const { createGatewaySchema } = await import('../../gateway/graphql/schema.js');
    const { PipelineServer } = await import('../../gateway/graphql/server.js');
    return new PipelineServer({
      schema: createGatewaySchema(services),
      persistedOperations,
      services,
      authenticate,
      endpoint: `${basePath}/graphql`,
      limits,
      requestTimeoutMs: config.requestTimeoutMs,
      load,
      observer,
      privateSchema: config.production,
    });
  });
  const headers = securityHeaders(config.production);
  const answerHeaders = new AnswerHeaders(headers, () => parts.phase() === 'DRAINING');
  const answer = createHttpApp({
    logger,
    observer,
    answerHeaders,
    basePath,
    trustedProxies: config.trustedProxies,
    hosts: config.production ? undefined : ownHosts(config),
    routes: createRoutes({ ...parts, answerHeaders, graphql, keys, jobs: Object.values(jobs) }),
    onUnknownPath: allowOrigins({ origins: config.corsOrigins, loopback: !config.production }, ['GET', 'POST']),
  });
  const listener = createHttpListener(answer, {
    ...config.listen,
    requestTimeoutMs: config.requestTimeoutMs,
    keepAliveMs: config.keepAliveMs,
    headers,
    onRefused,
    maxConnections: parts.maxConnections,
    onConnection: () => load.connected(),
  });
  return Object.assign(listener, {
    /** Loads the GraphQL server. @throws {unknown} the error of its creation */
    loadGraphQL: () => graphql.load(),
    /** Stops watching the load. Call after the last connection is closed. */
    stopLoadMonitor: (): void => load.close(),
  });
}

/**
 * Lets a process listen before its GraphQL server is loaded, so that liveness probes need not wait. Loading takes as
 * long as the whole rest of the start.
 */
export function lazyGraphQLServer(create: () => Promise<GraphQLServer>): GraphQLServer & { load(): Promise<unknown> } {
  let server: GraphQLServer | undefined;
  const loaded = loadOnce(async () => {
    const created = await create();
    // Creation blocks the event loop, and load shedding would take that for overload.
    await yieldToEventLoop();
    return (server = created);
  });
  return {
    load: loaded,
    // Requests before the server exists wait for it.
    answer: (request, response, client) =>
      server === undefined
        ? loaded().then((there) => there.answer(request, response, client))
        : server.answer(request, response, client),
  };
}
