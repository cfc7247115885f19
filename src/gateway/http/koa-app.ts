import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { isIP } from 'node:net';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from '../../base/logging/logger.js';
import type { Observer } from '../../base/observation.js';
import type { AnswerHeaders } from './answer-headers.js';
import { errorHandler } from './error-handler.js';
import { requestLog, type GatewayState } from './request-log.js';
import { headerCount, isHost } from './request-target.js';
import { HttpProblem } from './http-problem.js';

/**
 * Table of routes: method and path below the base path, with the middleware that answers. Routes for `ANY` method come
 * before all others, because nearly all requests are for GraphQL.
 */
export type Routes = Readonly<
  Record<`${'ANY' | 'GET' | 'POST' | 'OPTIONS'} ${string}`, readonly Middleware<GatewayState>[]>
>;

/** Dependencies and settings of the HTTP application. */
export interface HttpAppOptions {
  readonly routes: Routes;
  readonly basePath: string;
  readonly logger: Logger;
  /** Number of proxies in front whose `X-Forwarded-For` entries are trusted. */
  readonly trustedProxies: number;
  /** Names of the gateway; if absent, it answers under every name. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** Headers of every answer. */
  readonly answerHeaders: AnswerHeaders;
  readonly observer?: Observer | undefined;
  /** Middleware for paths that no route has. */
  readonly onUnknownPath: readonly Middleware<GatewayState>[];
}

/** Creates the HTTP application: request id and log, errors, and the route table. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { logger, trustedProxies, answerHeaders, basePath } = options;
  const app = new DirectKoa<GatewayState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const log = requestLog(logger, options.observer);
  const noteProxy = trustedProxies === 0 ? proxyHint(logger) : undefined;
  app.use((ctx, next) => {
    noteProxy?.(ctx.req.headers);
    return log(ctx, next);
  });
  app.use(errorHandler(({ res, state }) => answerHeaders.complete(res, state.requestId)));
  app.use(requireTarget(options.hosts));
  const router = new Router<GatewayState>({ prefix: basePath, sensitive: true, strict: true });
  for (const [route, middleware] of Object.entries(options.routes)) {
    const [method = '', path = ''] = route.split(' ');
    if (method === 'ANY') for (const each of middleware) app.use(mount(`${basePath}${path}`, path, each));
    else if (middleware.length > 0) router.register(path, [method], [noteRoute(path), ...middleware]);
  }
  app.use(router.routes());
  app.use(router.allowedMethods());
  // A page may read that it asks at a wrong path; at a known one, it gets no more than its route allows.
  const isUnknown = ({ path, method }: Context): boolean => router.match(path, method).path.length === 0;
  for (const each of options.onUnknownPath)
    app.use((ctx, next): unknown => (isUnknown(ctx) ? each(ctx, next) : next()));
  // Errors after the start of a reply, such as a client that has disconnected.
  app.on('error', (err: unknown, ctx?: { readonly state: GatewayState }) => {
    (ctx?.state.log ?? logger).event('connection.failed', { err });
  });
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}

/** Time for which requests are counted, and the number of them from which the hint may follow. */
const [HINT_MS, HINT_REQUESTS] = [60_000, 100];

/** Creates a function that tells once, by the headers of requests, that a proxy in front is not trusted. */
function proxyHint(logger: Logger): (headers: IncomingHttpHeaders) => void {
  let counts = { since: -Infinity, requests: 0, forwarded: 0 };
  let isTold = false;
  return ({ 'x-forwarded-for': forwardedFor }) => {
    if (isTold) return;
    const now = performance.now();
    if (now - counts.since >= HINT_MS) counts = { since: now, requests: 0, forwarded: 0 };
    counts.requests += 1;
    if (forwardedFor !== undefined) counts.forwarded += 1;
    if (counts.requests < HINT_REQUESTS || counts.forwarded * 2 <= counts.requests) return;
    isTold = true;
    logger.event('config.doubtful', {
      reason:
        'Most requests have X-Forwarded-For, but TRUSTED_PROXIES is 0, so all clients behind the proxy count as one. ' +
        'Set it to the number of proxies in front.',
    });
  };
}

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

/** The composed middleware. */
type Run = (ctx: Context) => Promise<void>;

/** Koa's handling of a request. The cast is needed because its types leave it out; a test fails if its name changes. */
const KOA = Koa.prototype as unknown as { handleRequest(this: Koa, ctx: Context, run: Run): Promise<void> };

/**
 * Koa that ends its work on a request once middleware has answered it directly (`ctx.respond = false`). Koa itself
 * would listen to each response and its connection, which takes up to a sixth of the time of a small operation.
 */
export class DirectKoa<State = Koa.DefaultState> extends Koa<State> {
  /** Handles a request; Koa calls it. */
  handleRequest(ctx: Context, run: Run): Promise<void> {
    // Koa's default: unanswered requests are not found.
    ctx.res.statusCode = 404;
    const ran = run(ctx);
    const send = (): Promise<void> => this.#send(ctx, ran);
    return ran.then(() => (ctx.respond === false ? undefined : send()), send);
  }

  /** Lets Koa send answers that middleware left to it, errors included. */
  #send(ctx: Context, ran: Promise<void>): Promise<void> {
    const { statusCode } = ctx.res;
    return KOA.handleRequest.call(this, ctx, () => {
      ctx.res.statusCode = statusCode;
      return ran;
    });
  }
}

/**
 * Creates middleware that admits requests with a valid target and `Host` and at most one `Authorization`, and passes
 * the target on as path and query (RFC 9112, section 3.2). All other requests are 400, on every route, and 501 with a
 * transfer coding besides `chunked` (section 6.1).
 *
 * @param hosts names that are answered besides loopback names and numeric addresses; other names, through which a page
 *   elsewhere could reach a development gateway, are 421. All names are answered if absent
 */
function requireTarget(hosts: ReadonlySet<string> | undefined): Middleware<GatewayState> {
  // Usually all requests name the same host, or none.
  let lastHost = '';
  return (ctx, next) => {
    const { req, res } = ctx;
    const { target } = ctx.state;
    if (target === undefined) throw new HttpProblem('InvalidTarget');
    // The header is empty if the client knows no name, and may be absent in HTTP/1.0.
    const { host = '' } = req.headers;
    const isMissing = req.headers.host === undefined && req.httpVersion === '1.1';
    if (isMissing || (host !== '' && host !== lastHost && !isHost(host)) || headerCount(req, 'host') > 1) {
      // Such a client is not trusted to mark where its next request begins.
      res.setHeader('Connection', 'close');
      throw new HttpProblem('InvalidHost');
    }
    if (hosts !== undefined && host !== '' && host !== lastHost && !isOwn(host, hosts)) {
      throw new HttpProblem('UnknownHost');
    }
    const { 'transfer-encoding': coding = 'chunked' } = req.headers;
    if (coding.toLowerCase() !== 'chunked') {
      res.setHeader('Connection', 'close');
      throw new HttpProblem('TransferCodingUnknown');
    }
    // Node passes on the first one only, and a proxy may have judged another one.
    if (headerCount(req, 'authorization') > 1) {
      throw new HttpProblem('InvalidHeader', { name: 'Authorization', fault: 'must be given once' });
    }
    lastHost = host;
    req.url = target;
    return next();
  };
}

function isOwn(host: string, hosts: ReadonlySet<string>): boolean {
  // In lower case, and without the port.
  const { hostname: name } = new URL(`http://${host}`);
  return /(?:^|\.)localhost\.?$/.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || hosts.has(name);
}
