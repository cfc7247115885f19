import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { generationOf, type OnKeyUsed } from '../config/key-use.js';
import { HttpProblem } from './http-problem.js';

/**
 * Lets requests pass that carry one of the keys in `x-api-key` (specification, "API key (REST callbacks)").
 * Everything else is 401, before the body is read. Keys are compared in constant time.
 *
 * @param onKeyUsed is told which one was carried, the current one being the first
 */
export function requireApiKey(keys: readonly string[], onKeyUsed?: OnKeyUsed): Middleware {
  const digests = keys.map(digest);
  return async (ctx, next) => {
    const given = digest(ctx.get('x-api-key'));
    const index = digests.map((key) => timingSafeEqual(key, given)).indexOf(true);
    if (index < 0) throw new HttpProblem(401, 'Unauthorized');
    onKeyUsed?.('callback', generationOf(index));
    await next();
  };
}

/** Of equal length, as the comparison needs. */
function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
