import { createHash } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Middleware } from 'koa';
import type { components } from '../../../generated/gateway.js';
import type { KeySource, VerificationKey } from '../../auth/public-keys.js';
import { describeError } from '../../errors.js';
import type { GatewayState } from '../request-log.js';

type Jwks = components['schemas']['Jwks'];
type Jwk = components['schemas']['Jwk'];

/**
 * The public key set (specification, "GET /.well-known/jwks.json"). While backend-api is down or
 * refuses, the last set that was had is served; without one the answer is 503.
 */
export function jwks(keys: KeySource): Middleware<GatewayState> {
  let lastGood: Jwks | undefined;
  return async (ctx) => {
    // Browsers of any origin may see every answer, failures included.
    ctx.set('Access-Control-Allow-Origin', '*');
    const current = await keys
      .fetchKeys()
      .then(toJwks)
      .catch((error: unknown) => {
        if (lastGood === undefined) throw error;
        ctx.state.log.event('jwks.last_good_served', { reason: describeError(error) });
        return lastGood;
      });
    lastGood = current;
    const body = JSON.stringify(current);
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.set('ETag', `"${createHash('sha256').update(body).digest('base64url')}"`);
    ctx.type = 'application/json';
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = body;
  };
}

async function toJwks(keys: readonly VerificationKey[]): Promise<Jwks> {
  return { keys: await Promise.all(keys.map(toJwk)) };
}

/** Public members only; without a `kid` of its own a key is named by its thumbprint (RFC 7638). */
async function toJwk({ kid, key }: VerificationKey): Promise<Jwk> {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const named = kid ?? (await calculateJwkThumbprint({ kty: 'RSA', n, e }));
  return { alg: 'RS256', kty: 'RSA', use: 'sig', kid: named, n, e };
}
