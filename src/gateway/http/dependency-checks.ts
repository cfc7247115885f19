import type { components } from '../../../generated/gateway.js';
import { causeOf, describeError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';
import type { StoreProbe } from '../../objects/store-probe.js';
import { LATE, SharedAnswer, withinTime } from '../../base/waits.js';

/** Interval of write checks of a healthy store, in milliseconds; the checks between them only ping it. */
const WRITE_EVERY_MS = 15_000;

/**
 * Checks if a store can be used. After a failure of a call or of a write check, each check writes until the store has
 * recovered. All callers share a check that is under way, so a store that hangs has only one.
 */
export class StoreHealth {
  readonly #probe: StoreProbe;
  /** Check under way. */
  readonly #underWay = new SharedAnswer<void>(0);
  #writtenAt = -Infinity;

  constructor(probe: StoreProbe) {
    this.#probe = probe;
  }

  /** Checks the store. @throws {Error} it is unusable, or does not answer in `timeoutMs`; the message says why */
  async check(timeoutMs: number): Promise<void> {
    const asked = this.#underWay.get(() => this.#ask());
    if ((await withinTime(asked, timeoutMs)) === LATE) throw new Error(`no answer within ${timeoutMs} ms`);
  }

  async #ask(): Promise<void> {
    if (!this.#probe.isInDoubt() && performance.now() < this.#writtenAt + WRITE_EVERY_MS) {
      await this.#probe.ping();
      return;
    }
    this.#writtenAt = -Infinity;
    await this.#probe.write();
    this.#writtenAt = performance.now();
  }
}

type Readiness = components['schemas']['Readiness'];
type CheckedItem = keyof Readiness['Items'];
type Store = keyof Readiness['Stores'];

type ReadinessFindings = Pick<Readiness, 'Items' | 'Stores'>;

/** Health checks; each resolves if healthy. */
type Checks<Name extends string> = Readonly<Record<Name, (timeoutMs: number) => Promise<void>>>;

/** Health check of each dependency. */
type Probes = Checks<CheckedItem>;

/** Settings of the checks. */
export interface DependencyChecksOptions {
  readonly probes: Probes;
  readonly storeProbes: Readonly<Record<Store, StoreProbe>>;
  /** Time for which all callers share the results of one round of checks, in milliseconds. */
  readonly sharedMs: number;
  /** Time limit of each check, in milliseconds; 800 by default. */
  readonly probeTimeoutMs?: number | undefined;
}

const PROBE_TIMEOUT_MS = 800;

/** Checks of dependencies and stores, at most one round at a time for any number of callers. */
export class DependencyChecks {
  readonly #probes: Probes;
  readonly #stores: Checks<Store>;
  readonly #timeoutMs: number;
  readonly #shared: SharedAnswer<ReadinessFindings>;

  constructor({ probes, storeProbes, sharedMs, probeTimeoutMs = PROBE_TIMEOUT_MS }: DependencyChecksOptions) {
    this.#probes = probes;
    this.#stores = {
      'job-store': checkOf(storeProbes['job-store']),
      queue: checkOf(storeProbes.queue),
      'object-store': checkOf(storeProbes['object-store']),
    };
    this.#timeoutMs = probeTimeoutMs;
    this.#shared = new SharedAnswer(sharedMs);
  }

  /** Returns the results of all checks. @param log receives failed checks, unless the results are shared */
  findings(log: Logger): Promise<ReadinessFindings> {
    return this.#shared.get(async () => {
      const [Items, Stores] = await Promise.all([
        checkEach(this.#probes, this.#timeoutMs, log),
        checkEach(this.#stores, this.#timeoutMs, log),
      ]);
      return { Items, Stores };
    });
  }
}

function checkOf(probe: StoreProbe): Checks<Store>[Store] {
  const health = new StoreHealth(probe);
  return (timeoutMs) => health.check(timeoutMs);
}

async function checkEach<Name extends CheckedItem | Store>(
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
