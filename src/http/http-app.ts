import type { RequestListener } from 'node:http';
import Koa, { type Context } from 'koa';
import type { Logger } from '../logging/logger.js';
import { AnswerHeaders } from './answer-headers.js';
import { allowsAnyOrigin } from './cors.js';
import { errorHandler } from './error-handler.js';
import { refusingEarly } from './refused-early.js';
import { RequestLog, requestLog, type GatewayState } from './request-log.js';
import type { RequestObserver } from './request-observer.js';
import { hostCheck, requireTarget } from './require-target.js';
import type { HeaderList } from './security-headers.js';
import { createRoutes, GRAPHQL, type RouteOptions } from './routes.js';

/** What the HTTP application needs. */
export interface HttpAppOptions extends Omit<RouteOptions, 'answerHeaders'> {
  readonly logger: Logger;
  /** Number of proxies in front whose `X-Forwarded-For` entries are believed. */
  readonly trustedProxies: number;
  /** Headers of every answer. */
  readonly headers: HeaderList;
  /** Absent: nobody but the log watches requests. */
  readonly requestObserver?: RequestObserver | undefined;
}

/** The HTTP application: request id and log, errors, then the route table; in front of it, what is refused early. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { logger, basePath, trustedProxies } = options;
  const app = new Application<GatewayState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const log = new RequestLog(logger, options.requestObserver);
  const answerHeaders = new AnswerHeaders(options.headers, options.isDraining);
  const errors = errorHandler(({ res, state }) => answerHeaders.complete(res, state.requestId));
  const namesHost = hostCheck();
  app.use(requestLog(log));
  app.use(errors);
  app.use(requireTarget(namesHost));
  const { graphql, router } = createRoutes({ ...options, answerHeaders });
  for (const middleware of graphql) app.use(middleware);
  app.use(router.routes());
  app.use(router.allowedMethods());
  // Errors after the reply has begun, such as a client that went away.
  app.on('error', (err: unknown, ctx?: { readonly state: GatewayState }) => {
    (ctx?.state.log ?? logger).event('connection.failed', { err });
  });
  const answer = app.callback();
  return refusingEarly((request, response) => void answer(request, response), {
    route: GRAPHQL,
    path: `${basePath}${GRAPHQL}`,
    graphql: options.graphql,
    allowsOrigins: allowsAnyOrigin(options.allowedOrigins),
    addressOf: (request, response) =>
      trustedProxies > 0 ? app.createContext(request, response).ip : (request.socket.remoteAddress ?? ''),
    namesHost,
    log,
    answerHeaders,
    fail: (error, state, [request, response]) => {
      const failing = new Application<GatewayState>();
      failing.use((ctx, next) => {
        ctx.state = state;
        return next();
      });
      failing.use(errors);
      failing.use(() => {
        throw error;
      });
      void failing.callback()(request, response);
    },
  });
}

/** The middleware as one. */
type Run = (ctx: Context) => Promise<void>;

/** What Koa does with a request; its types leave it out. */
interface RequestHandler {
  handleRequest(this: Koa, ctx: Context, run: Run): Promise<void>;
}

const KOA = Koa.prototype as unknown as RequestHandler; // Koa 3 calls it so; a test fails when it does not

/**
 * Koa that is done with a request as soon as its middleware has answered it by itself (`ctx.respond = false`). Koa
 * would listen to each response and its connection nevertheless, which takes up to a sixth of the time of a small
 * operation and is of use only to what Koa sends.
 */
export class Application<State = Koa.DefaultState> extends Koa<State> {
  /** Called by Koa for each request. */
  handleRequest(ctx: Context, run: Run): Promise<void> {
    // As Koa begins: whatever nobody answers is not found.
    ctx.res.statusCode = 404;
    const ran = run(ctx);
    const send = (): Promise<void> => this.#send(ctx, ran);
    return ran.then(() => (ctx.respond === false ? undefined : send()), send);
  }

  /** Has Koa send what the middleware has left to it, errors included. */
  #send(ctx: Context, ran: Promise<void>): Promise<void> {
    const { statusCode } = ctx.res;
    return KOA.handleRequest.call(this, ctx, () => {
      ctx.res.statusCode = statusCode;
      return ran;
    });
  }
}
