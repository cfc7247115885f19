import type { Middleware } from 'koa';
import type { components } from '../../../generated/gateway.js';
import type { DependencyChecks } from '../dependency-checks.js';
import type { GatewayState } from '../request-log.js';

type Readiness = components['schemas']['Readiness'];
type Liveness = components['schemas']['Liveness'];

/** Answers the health of the service itself, without I/O (specification, "GET /health/live"). */
export function liveness(): Middleware {
  const body: Liveness = { Status: 'OK' };
  return (ctx) => {
    ctx.body = body;
  };
}

/** Dependencies of readiness. */
export interface ReadinessOptions {
  readonly dependencies: Pick<DependencyChecks, 'findings'>;
  readonly isDraining: () => boolean;
  /** Returns true once requests are answered at full speed. */
  readonly isWarm: () => boolean;
}

/**
 * Answers the health including dependencies (specification, "GET /health/ready") and stores. The status is 200, except
 * 503 for `NG` with `?strict=true`, during shutdown, and before the code is warm.
 */
export function readiness({ dependencies, isDraining, isWarm }: ReadinessOptions): Middleware<GatewayState> {
  return async (ctx) => {
    const findings = await dependencies.findings(ctx.state.log);
    const all = [...Object.values(findings.Items), ...Object.values(findings.Stores)];
    const takesRequests = isWarm() && !isDraining();
    const allOk = all.every((status) => status === 'OK') && takesRequests;
    const body: Readiness = { Status: allOk ? 'OK' : 'NG', ...findings };
    ctx.status = !takesRequests || (!allOk && ctx.query['strict'] === 'true') ? 503 : 200;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = body;
  };
}
