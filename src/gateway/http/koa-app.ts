import type { RequestListener } from 'node:http';
import Koa, { type Context } from 'koa';
import type { Logger } from '../../base/logging/logger.js';
import type { Observer } from '../../base/observation.js';
import { AnswerHeaders, type HeaderList } from './answer-headers.js';
import { errorHandler } from './error-handler.js';
import { RequestLog, type GatewayState } from './request-log.js';
import { requireTarget } from './require-target.js';
import { createRoutes, type RouteOptions } from './routes.js';

/** Dependencies and settings of the HTTP application. */
export interface HttpAppOptions extends Omit<RouteOptions, 'answerHeaders'> {
  readonly logger: Logger;
  /** Number of proxies in front whose `X-Forwarded-For` entries are trusted. */
  readonly trustedProxies: number;
  /** Names of the gateway; if absent, it answers under every name. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** Headers of every answer. */
  readonly headers: HeaderList;
  readonly observer?: Observer | undefined;
}

/** Creates the HTTP application: request id and log, errors, and the route table. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { logger, trustedProxies } = options;
  const app = new DirectKoa<GatewayState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const answerHeaders = new AnswerHeaders(options.headers, () => options.phase() === 'DRAINING');
  const log = new RequestLog(logger, options.observer);
  app.use((ctx, next) => log.handle(ctx, next));
  app.use(errorHandler(({ res, state }) => answerHeaders.complete(res, state.requestId)));
  app.use(requireTarget(options.hosts));
  const { graphql, router } = createRoutes({ ...options, answerHeaders });
  for (const middleware of graphql) app.use(middleware);
  app.use(router.routes());
  app.use(router.allowedMethods());
  // Errors after the start of a reply, such as a client that has disconnected.
  app.on('error', (err: unknown, ctx?: { readonly state: GatewayState }) => {
    (ctx?.state.log ?? logger).event('connection.failed', { err });
  });
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}

/** The composed middleware. */
type Run = (ctx: Context) => Promise<void>;

/** Koa's handling of a request, absent from its types. A test fails if its name changes. */
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
