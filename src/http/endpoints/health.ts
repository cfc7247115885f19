import type { Middleware } from 'koa';
import type { components } from '../../../generated/gateway.js';
import { describeError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { GatewayState } from '../request-log.js';
import { CoalescedAnswer } from '../coalesced-answer.js';

type Readiness = components['schemas']['Readiness'];
type Liveness = components['schemas']['Liveness'];
type Dependency = keyof Readiness['Items'];

/** How each dependency is asked; resolves when it is healthy. */
export type Probes = Readonly<Record<Dependency, (timeoutMs: number) => Promise<void>>>;

/** Longest wait for a dependency. */
const PROBE_TIMEOUT_MS = 800;

/** Health of the service itself, without any I/O (specification, "GET /health/live"). */
export function liveness(): Middleware {
  const body: Liveness = { Status: 'OK' };
  return (ctx) => {
    ctx.body = body;
  };
}

/** What readiness needs. */
export interface ReadinessOptions {
  readonly probes: Probes;
  readonly isDraining: () => boolean;
  /** How long everybody is answered with what the checks for the first who asked have found. */
  readonly sharedMs: number;
}

/**
 * Health including the dependencies (specification, "GET /health/ready"): always 200, except that
 * `?strict=true` turns `NG` into 503, and so does shutting down.
 */
export function readiness({ probes, isDraining, sharedMs }: ReadinessOptions): Middleware<GatewayState> {
  const shared = new CoalescedAnswer<Readiness['Items']>(sharedMs);
  return async (ctx) => {
    const items = await shared.get(() => checkAll(probes, ctx.state.log));
    const allOk = Object.values(items).every((status) => status === 'OK') && !isDraining();
    const body: Readiness = { Status: allOk ? 'OK' : 'NG', Items: items };
    ctx.status = isDraining() || (!allOk && ctx.query['strict'] === 'true') ? 503 : 200;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = body;
  };
}

async function checkAll(probes: Probes, log: Logger): Promise<Readiness['Items']> {
  const probe = async (name: Dependency): Promise<'OK' | 'NG'> => {
    try {
      await probes[name](PROBE_TIMEOUT_MS);
      return 'OK';
    } catch (error) {
      log.event('readiness.not_ready', { dependency: name, reason: describeError(error) });
      return 'NG';
    }
  };
  const [geo, backend, voip] = await Promise.all([probe('geo-api'), probe('backend-api'), probe('voip-api')]);
  return { 'geo-api': geo, 'backend-api': backend, 'voip-api': voip };
}
