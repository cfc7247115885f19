import cors from '@koa/cors';
import type { Middleware } from 'koa';

/** Which pages of other origins may call. */
export interface AllowedOrigins {
  readonly origins: readonly string[];
  /** Whether pages of any server on this machine may call, as front ends in development do. */
  readonly loopback: boolean;
}

/** What scripts need beyond the body: to report a request, and to know when to try again. */
const EXPOSED_HEADERS = ['X-Request-Id', 'Retry-After'];

/** How long a browser may remember what it was told beforehand, in seconds. */
const MAX_AGE_SECONDS = 600;

/** Whether there is any. */
export function allowsAnyOrigin({ origins, loopback }: AllowedOrigins): boolean {
  return origins.length > 0 || loopback;
}

/** CORS for browsers on other origins; when there is none, there is nothing to say to any of them. */
export function allowOrigins(allowed: AllowedOrigins, methods: readonly string[]): Middleware[] {
  if (!allowsAnyOrigin(allowed)) return [];
  const { origins, loopback } = allowed;
  return [
    cors({
      origin: (ctx) => {
        const origin = ctx.get('Origin');
        return origins.includes(origin) || (loopback && isLoopback(origin)) ? origin : '';
      },
      allowMethods: [...methods],
      exposeHeaders: EXPOSED_HEADERS,
      maxAge: MAX_AGE_SECONDS,
    }),
  ];
}

/** Names of this machine only: nobody else can serve a page under them (RFC 6761, section 6.3). */
const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;

function isLoopback(origin: string): boolean {
  return LOOPBACK.test(origin);
}
