import type { components } from '../../../generated/gateway.js';
import { causeOf, describeError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';
import type { StoreProbe } from '../../objects/store-probe.js';
import { LATE, sharedAnswer, withinTime } from '../../base/waits.js';

/** Interval of write checks of a healthy store, in milliseconds; the checks between them only ping it. */
const WRITE_EVERY_MS = 15_000;

type Readiness = components['schemas']['Readiness'];
type Check = (timeoutMs: number) => Promise<void>;
type Checks<Name extends string> = Readonly<Record<Name, Check>>;

/**
 * Returns a check whether a store can be used, which throws the reason if not. After a failure of a call or of a write
 * check, each check writes until the store has recovered. All callers share a check that is under way, so a store that
 * hangs has only one.
 */
export function storeCheck(probe: StoreProbe): Check {
  const underWay = sharedAnswer<unknown>(0);
  let writtenAt = -Infinity;
  const ask = async (): Promise<void> => {
    if (!probe.isInDoubt() && performance.now() < writtenAt + WRITE_EVERY_MS) return probe.ping();
    writtenAt = -Infinity;
    await probe.write();
    writtenAt = performance.now();
  };
  return async (timeoutMs) => {
    if ((await withinTime(underWay(ask), timeoutMs)) === LATE) throw new Error(`no answer within ${timeoutMs} ms`);
  };
}

/** Health checks of dependencies, which throw if one is unusable, and probes of stores. */
export interface DependencyChecksOptions {
  readonly probes: Checks<keyof Readiness['Items']>;
  readonly storeProbes: Readonly<Record<keyof Readiness['Stores'], StoreProbe>>;
  /** Time for which all callers share the results of one round of checks, in milliseconds. */
  readonly sharedMs: number;
  /** Time limit of each check, in milliseconds; 800 by default. */
  readonly probeTimeoutMs?: number | undefined;
}

const PROBE_TIMEOUT_MS = 800;

/** Returns the results of all checks. @param log receives failed checks, unless the results are shared */
export type FindDependencies = (log: Logger) => Promise<Pick<Readiness, 'Items' | 'Stores'>>;

/** Creates checks of dependencies and stores, at most one round at a time for any number of callers. */
export function dependencyChecks(options: DependencyChecksOptions): FindDependencies {
  const { probes, storeProbes, sharedMs, probeTimeoutMs = PROBE_TIMEOUT_MS } = options;
  const stores = {
    'job-store': storeCheck(storeProbes['job-store']),
    queue: storeCheck(storeProbes.queue),
    'object-store': storeCheck(storeProbes['object-store']),
  };
  const shared = sharedAnswer<Awaited<ReturnType<FindDependencies>>>(sharedMs);
  return (log) =>
    shared(async () => {
      const [Items, Stores] = await Promise.all([
        checkEach(probes, probeTimeoutMs, log),
        checkEach(stores, probeTimeoutMs, log),
      ]);
      return { Items, Stores };
    });
}

async function checkEach<Name extends keyof Readiness['Items'] | keyof Readiness['Stores']>(
  checks: Checks<Name>,
  timeoutMs: number,
  log: Logger,
): Promise<Record<Name, 'OK' | 'NG'>> {
  const names = Object.keys(checks) as Name[]; // of a complete table
  const results = names.map(async (dependency) => {
    try {
      await checks[dependency](timeoutMs);
      return [dependency, 'OK'];
    } catch (error) {
      log.event('readiness.not_ready', { dependency, reason: describeError(causeOf(error)) });
      return [dependency, 'NG'];
    }
  });
  return Object.fromEntries(await Promise.all(results)) as Record<Name, 'OK' | 'NG'>; // fromEntries loses the names
}
