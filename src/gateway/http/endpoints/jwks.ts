import { hash } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Middleware } from 'koa';
import type { components } from '../../../../generated/gateway.js';
import type { KeySource, VerificationKey } from '../../auth/public-keys.js';
import { describeError } from '../../../base/errors.js';
import type { Logger } from '../../../base/logging/logger.js';
import type { GatewayState } from '../request-log.js';
import { sharedAnswer } from '../../../base/waits.js';

type Jwk = components['schemas']['Jwk'];

/** Serialized key set, with the `performance.now()` of its fetch. */
interface KeySet {
  readonly body: string;
  readonly fetchedAt: number;
  readonly etag: string;
}

/** Times for which caches may keep the newest key set and an earlier one, in seconds. */
const [MAX_AGE_SECONDS, STALE_MAX_AGE_SECONDS] = [300, 30];

/**
 * Serves the public key set (specification, "GET /.well-known/jwks.json"), which all callers share for `sharedMs`. If
 * backend-api is down or refuses, the last fetched set is served; without one the answer is 503.
 */
export function jwks(keys: KeySource, sharedMs: number): Middleware<GatewayState> {
  const shared = sharedAnswer<KeySet & { readonly isNewest: boolean }>(sharedMs);
  let lastGood: KeySet | undefined;
  const current = async (log: Logger): Promise<KeySet & { readonly isNewest: boolean }> => {
    try {
      const fetchedAt = performance.now();
      const set: components['schemas']['Jwks'] = { keys: await Promise.all((await keys.fetchKeys()).map(toJwk)) };
      const body = JSON.stringify(set);
      lastGood = { body, fetchedAt, etag: `"${hash('sha256', body, 'base64url')}"` };
      return { ...lastGood, isNewest: true };
    } catch (error) {
      if (lastGood === undefined) throw error;
      log.event('jwks.last_good_served', { reason: describeError(error) });
      return { ...lastGood, isNewest: false };
    }
  };
  return async (ctx) => {
    // Pages of any origin may read every answer, failures included.
    ctx.set('Access-Control-Allow-Origin', '*');
    const { body, etag, fetchedAt, isNewest } = await shared(() => current(ctx.state.log));
    ctx.set('Cache-Control', `public, max-age=${isNewest ? MAX_AGE_SECONDS : STALE_MAX_AGE_SECONDS}`);
    if (!isNewest) ctx.set('Age', String(Math.floor((performance.now() - fetchedAt) / 1000)));
    ctx.set('ETag', etag);
    ctx.type = 'application/json';
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = body;
  };
}

/** Exports public members only; a key without `kid` is named by its thumbprint (RFC 7638). */
async function toJwk({ kid, key }: VerificationKey): Promise<Jwk> {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const named = kid ?? (await calculateJwkThumbprint({ kty: 'RSA', n, e }));
  return { alg: 'RS256', kty: 'RSA', use: 'sig', kid: named, n, e };
}
