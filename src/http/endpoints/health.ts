import type { Middleware } from 'koa';
import type { components } from '../../../generated/gateway.js';
import { causeOf, describeError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { GatewayState } from '../request-log.js';
import type { StoreProbe } from '../../store-probe.js';
import { CoalescedAnswer } from '../coalesced-answer.js';
import { StoreHealth } from './store-health.js';

type Readiness = components['schemas']['Readiness'];
type Liveness = components['schemas']['Liveness'];
type Dependency = keyof Readiness['Items'];
type Store = keyof Readiness['Stores'];
type Findings = Pick<Readiness, 'Items' | 'Stores'>;

/** How each dependency is asked; resolves when it is healthy. */
export type Probes = Readonly<Record<Dependency, (timeoutMs: number) => Promise<void>>>;

/** How each store is asked. */
export type StoreProbes = Readonly<Record<Store, StoreProbe>>;

/** Longest wait for a dependency or a store. */
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
  readonly storeProbes: StoreProbes;
  readonly isDraining: () => boolean;
  /** How long everybody is answered with what the checks for the first who asked have found. */
  readonly sharedMs: number;
}

/**
 * Health including the dependencies (specification, "GET /health/ready") and, beside them, the stores: always 200,
 * except that `?strict=true` turns `NG` into 503, and so does shutting down.
 */
export function readiness({ probes, storeProbes, isDraining, sharedMs }: ReadinessOptions): Middleware<GatewayState> {
  const shared = new CoalescedAnswer<Findings>(sharedMs);
  const stores = {
    'job-store': new StoreHealth(storeProbes['job-store']),
    queue: new StoreHealth(storeProbes.queue),
    'object-store': new StoreHealth(storeProbes['object-store']),
  };
  return async (ctx) => {
    const findings = await shared.get(() => checkAll(probes, stores, ctx.state.log));
    const all = [...Object.values(findings.Items), ...Object.values(findings.Stores)];
    const allOk = all.every((status) => status === 'OK') && !isDraining();
    const body: Readiness = { Status: allOk ? 'OK' : 'NG', ...findings };
    ctx.status = isDraining() || (!allOk && ctx.query['strict'] === 'true') ? 503 : 200;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = body;
  };
}

async function checkAll(probes: Probes, stores: Readonly<Record<Store, StoreHealth>>, log: Logger): Promise<Findings> {
  const check = async (name: Dependency | Store, ask: (timeoutMs: number) => Promise<void>): Promise<'OK' | 'NG'> => {
    try {
      await ask(PROBE_TIMEOUT_MS);
      return 'OK';
    } catch (error) {
      log.event('readiness.not_ready', { dependency: name, reason: describeError(causeOf(error)) });
      return 'NG';
    }
  };
  const ofBackend = (name: Dependency): Promise<'OK' | 'NG'> => check(name, probes[name]);
  const ofStore = (name: Store): Promise<'OK' | 'NG'> => check(name, (timeoutMs) => stores[name].check(timeoutMs));
  const [geo, backend, voip, jobStore, queue, objectStore] = await Promise.all([
    ofBackend('geo-api'),
    ofBackend('backend-api'),
    ofBackend('voip-api'),
    ofStore('job-store'),
    ofStore('queue'),
    ofStore('object-store'),
  ]);
  return {
    Items: { 'geo-api': geo, 'backend-api': backend, 'voip-api': voip },
    Stores: { 'job-store': jobStore, queue, 'object-store': objectStore },
  };
}
