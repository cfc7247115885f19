import cors from '@koa/cors';
import type { Middleware } from 'koa';

/** Origins whose pages may call. */
export interface AllowedOrigins {
  readonly origins: readonly string[];
  /** True if pages of any server on this machine may call, for front ends in development. */
  readonly loopback: boolean;
}

/** Headers that scripts may read, to report a request and to schedule a retry. */
const EXPOSED_HEADERS = ['X-Request-Id', 'Retry-After'];

/** Time for which a browser may cache a preflight, in seconds. */
const MAX_AGE_SECONDS = 600;

/** Creates CORS middleware; an empty list if no other origin may call. */
export function allowOrigins({ origins, loopback }: AllowedOrigins, methods: readonly string[]): Middleware[] {
  if (origins.length === 0 && !loopback) return [];
  return [
    cors({
      origin: (ctx) => {
        const origin = ctx.get('Origin');
        return origins.includes(origin) || (loopback && LOOPBACK.test(origin)) ? origin : '';
      },
      allowMethods: [...methods],
      exposeHeaders: EXPOSED_HEADERS,
      maxAge: MAX_AGE_SECONDS,
    }),
  ];
}

/** Names of this machine, under which no other machine can serve a page (RFC 6761, section 6.3). */
const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;
