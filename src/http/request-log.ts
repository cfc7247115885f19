import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from '../logger.js';

/** What every middleware may rely on. */
export interface GatewayState {
  readonly requestId: string;
  /** Logger that carries the request id. */
  readonly log: Logger;
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Gives every request an id, the caller's `x-request-id` when it is well-formed, and logs one line when the
 * reply is complete. Neither headers nor query nor bodies are logged: all of them can hold secrets.
 */
export function requestLog(logger: Logger): Middleware<GatewayState> {
  return async (ctx, next) => {
    const given = ctx.get('x-request-id');
    const requestId = REQUEST_ID.test(given) ? given : randomUUID();
    const log = logger.child({ requestId });
    Object.assign(ctx.state, { requestId, log } satisfies GatewayState);
    ctx.set('x-request-id', requestId);
    const startedAt = performance.now();
    ctx.res.once('close', () => {
      const durationMs = Math.round(performance.now() - startedAt);
      const path = pathOf(ctx);
      const outcome = { method: ctx.method, path, status: ctx.res.statusCode, durationMs };
      log.event(path?.includes('/health/') ? 'request.probed' : 'request.handled', outcome);
    });
    await next();
  };
}

/** Path of a request; undefined when its target has none, such as `http://`, which Koa's type hides. */
export function pathOf(ctx: Context): string | undefined {
  const path: unknown = ctx.path;
  return typeof path === 'string' ? path : undefined;
}
