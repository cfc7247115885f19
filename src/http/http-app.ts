import Koa from 'koa';
import { errorHandler } from './error-handler.js';
import { requestLog, type GatewayState } from './request-log.js';
import { requireTarget } from './require-target.js';
import { createRoutes, type RouteOptions } from './routes.js';
import type { Logger } from '../logger.js';

/** What the HTTP application needs. */
export interface HttpAppOptions extends RouteOptions {
  readonly logger: Logger;
  /** Number of proxies in front whose `X-Forwarded-For` entries are believed. */
  readonly trustedProxies: number;
}

/** The HTTP application: request id and log, errors, then the route table. */
export function createHttpApp(options: HttpAppOptions): Koa<GatewayState> {
  const app = new Koa<GatewayState>({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies });
  const routes = createRoutes(options);
  app.use(requestLog(options.logger));
  app.use(async (ctx, next) => {
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    // Kept-alive connections would bring more requests to a process that is about to end.
    if (options.isDraining()) ctx.set('Connection', 'close');
    await next();
    // Callbacks may have begun long before.
    if (options.isDraining() && !ctx.headerSent) ctx.set('Connection', 'close');
  });
  app.use(errorHandler());
  app.use(requireTarget());
  app.use(routes.routes());
  app.use(routes.allowedMethods());
  // Errors after the reply has begun, such as a client that went away.
  app.on('error', (err: unknown) => options.logger.event('connection.failed', { err }));
  return app;
}
