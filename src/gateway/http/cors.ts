import cors from '@koa/cors';
import type { Middleware } from 'koa';
import { toLine } from '../../base/errors.js';
import { OnceInAWhile } from '../../base/once-in-a-while.js';
import type { GatewayState, HttpContext } from './request-log.js';

/** Origins whose pages may call. */
export interface AllowedOrigins {
  readonly origins: readonly string[];
  /** True if pages of any server on this machine may call, for front ends in development. */
  readonly loopback: boolean;
}

/** Headers that scripts may read, to report a request, to schedule a retry and to name a file. */
const EXPOSED_HEADERS = ['X-Request-Id', 'Retry-After', 'Content-Disposition'];

/** Time for which a browser may cache a preflight, in seconds. */
const MAX_AGE_SECONDS = 600;

/** Creates CORS middleware; an empty list if no other origin may call. */
export function allowOrigins({ origins, loopback }: AllowedOrigins, methods: string[]): Middleware<GatewayState>[] {
  if (origins.length === 0 && !loopback) return [];
  return [
    cors({
      origin: (ctx) => {
        const origin = ctx.get('Origin');
        return origins.includes(origin) || (loopback && LOOPBACK.test(origin)) ? origin : '';
      },
      allowMethods: methods,
      exposeHeaders: EXPOSED_HEADERS,
      maxAge: MAX_AGE_SECONDS,
    }),
  ];
}

/** Shortest time between two log lines about the same origin, in milliseconds. */
const REPEAT_MS = 60_000;

/** Maximum number of origins that are logged in that time, because a client may invent any number. */
const MAX_ORIGINS = 100;

/** Creates the log of preflights that got no permission; their pages see no more than that a request has failed. */
export function refusedPreflights(): (ctx: HttpContext) => void {
  const logged = new OnceInAWhile({ everyMs: REPEAT_MS, max: MAX_ORIGINS });
  return (ctx) => {
    const origin = toLine(ctx.get('Origin'));
    if (origin === '' || ctx.get('Access-Control-Request-Method') === '' || !logged.isDue(origin)) return;
    ctx.state.log.event('cors.origin_refused', { origin, variable: 'CORS_ORIGINS' });
  };
}

/** Names of this machine, under which no other machine can serve a page (RFC 6761, section 6.3). */
const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;
