import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { HttpProblem } from './http-problem.js';

/**
 * Lets requests pass that carry one of the keys in `x-api-key` (specification, "API key (REST callbacks)").
 * Everything else is 401, before the body is read. Keys are compared in constant time.
 */
export function requireApiKey(keys: readonly string[]): Middleware {
  const digests = keys.map(digest);
  return async (ctx, next) => {
    const given = digest(ctx.get('x-api-key'));
    const accepted = digests.filter((key) => timingSafeEqual(key, given)).length > 0;
    if (!accepted) throw new HttpProblem(401, 'Unauthorized');
    await next();
  };
}

/** Of equal length, as the comparison needs. */
function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
