import type Koa from 'koa';
import { AnswerHeaders } from './answer-headers.js';
import { Application } from './application.js';
import { errorHandler } from './error-handler.js';
import { requestLog, type GatewayState } from './request-log.js';
import type { RequestObserver } from './request-observer.js';
import { requireTarget } from './require-target.js';
import type { HeaderList } from './security-headers.js';
import { createRoutes, type RouteOptions } from './routes.js';
import type { Logger } from '../logging/logger.js';

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

/** The HTTP application: request id and log, errors, then the route table. */
export function createHttpApp(options: HttpAppOptions): Koa<GatewayState> {
  const app = new Application<GatewayState>({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies });
  app.use(requestLog(options.logger, options.requestObserver));
  const headers = new AnswerHeaders(options.headers, options.isDraining);
  app.use(errorHandler(({ res, state }) => headers.complete(res, state.requestId)));
  app.use(requireTarget());
  const { graphql, router } = createRoutes({ ...options, answerHeaders: headers });
  for (const middleware of graphql) app.use(middleware);
  app.use(router.routes());
  app.use(router.allowedMethods());
  // Errors after the reply has begun, such as a client that went away.
  app.on('error', (err: unknown, ctx?: { readonly state: GatewayState }) => {
    (ctx?.state.log ?? options.logger).event('connection.failed', { err });
  });
  return app;
}
