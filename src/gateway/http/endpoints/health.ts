import type { Middleware } from 'koa';
import type { components } from '../../../../generated/gateway.js';
import type { FindDependencies } from '../dependency-checks.js';
import type { GatewayState } from '../request-log.js';

type Readiness = components['schemas']['Readiness'];
type Liveness = components['schemas']['Liveness'];
/** Part of the life of a gateway, as readiness names it. */
export type Phase = Readiness['Gateway'];

/** Answers the health of the service itself, without I/O (specification, "GET /health/live"). */
export const liveness: Middleware = (ctx) => {
  ctx.body = { Status: 'OK' } satisfies Liveness;
};

/**
 * Answers the health including dependencies (specification, "GET /health/ready"), stores and the gateway itself. The
 * status is 200, except 503 for `NG` with `?strict=true`, and while the gateway itself is not `OK`.
 *
 * @param phase returns whether the gateway takes requests at full speed, does not yet, or is about to end
 */
export function readiness(findDependencies: FindDependencies, phase: () => Phase): Middleware<GatewayState> {
  return async (ctx) => {
    const findings = await findDependencies(ctx.state.log);
    const Gateway = phase();
    const all = [...Object.values(findings.Items), ...Object.values(findings.Stores), Gateway];
    const allOk = all.every((status) => status === 'OK');
    const body: Readiness = { Status: allOk ? 'OK' : 'NG', ...findings, Gateway };
    ctx.status = Gateway !== 'OK' || (!allOk && ctx.query['strict'] === 'true') ? 503 : 200;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = body;
  };
}
