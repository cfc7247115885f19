import type { Middleware } from 'koa';
import type { components } from '../../../generated/gateway.js';
import type { DependencyChecks } from '../dependency-checks.js';
import type { GatewayState } from '../request-log.js';

type Readiness = components['schemas']['Readiness'];
type Liveness = components['schemas']['Liveness'];

/** Health of the service itself, without any I/O (specification, "GET /health/live"). */
export function liveness(): Middleware {
  const body: Liveness = { Status: 'OK' };
  return (ctx) => {
    ctx.body = body;
  };
}

/** What readiness needs. */
export interface ReadinessOptions {
  readonly dependencies: Pick<DependencyChecks, 'findings'>;
  readonly isDraining: () => boolean;
  /** Whether requests are answered as fast as they will be. */
  readonly isWarm: () => boolean;
}

/**
 * Health including the dependencies (specification, "GET /health/ready") and, beside them, the stores: always 200,
 * except that `?strict=true` turns `NG` into 503, and so do shutting down and not being warm yet.
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
