import type { components } from '../../generated/gateway.js';
import { causeOf, describeError } from '../errors.js';
import type { Logger } from '../logging/logger.js';
import type { StoreProbe } from '../objects/store-probe.js';
import { LATE, SharedAnswer, withinTime } from '../waits.js';

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

  /**
   * Checks the store.
   *
   * @param timeoutMs longest wait, in milliseconds
   * @throws {Error} the store is unusable or does not answer in time; the message names the reason
   */
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
type Dependency = keyof Readiness['Items'];
type Store = keyof Readiness['Stores'];

/** Results of the checks. */
export type Findings = Pick<Readiness, 'Items' | 'Stores'>;

/** Health check of each dependency; resolves if healthy. */
export type Probes = Readonly<Record<Dependency, (timeoutMs: number) => Promise<void>>>;

/** Health check of each store. */
type StoreProbes = Readonly<Record<Store, StoreProbe>>;

/** Settings of the checks. */
export interface DependencyChecksOptions {
  readonly probes: Probes;
  readonly storeProbes: StoreProbes;
  /** Time for which all callers share the results of one round of checks, in milliseconds. */
  readonly sharedMs: number;
  /** Time limit of each check, in milliseconds; 800 by default. */
  readonly probeTimeoutMs?: number | undefined;
}

const PROBE_TIMEOUT_MS = 800;

/** Checks dependencies and stores, at most one round at a time for any number of callers. */
export class DependencyChecks {
  readonly #probes: Probes;
  readonly #stores: Readonly<Record<Store, (timeoutMs: number) => Promise<void>>>;
  readonly #shared: SharedAnswer<Findings>;
  readonly #probeTimeoutMs: number;

  constructor({ probes, storeProbes, sharedMs, probeTimeoutMs = PROBE_TIMEOUT_MS }: DependencyChecksOptions) {
    this.#probes = probes;
    const healthOf = (probe: StoreProbe): ((timeoutMs: number) => Promise<void>) => {
      const health = new StoreHealth(probe);
      return (timeoutMs) => health.check(timeoutMs);
    };
    this.#stores = {
      'job-store': healthOf(storeProbes['job-store']),
      queue: healthOf(storeProbes.queue),
      'object-store': healthOf(storeProbes['object-store']),
    };
    this.#shared = new SharedAnswer(sharedMs);
    this.#probeTimeoutMs = probeTimeoutMs;
  }

  /** Returns the results of all checks. @param log receives failed checks, unless the results are shared */
  findings(log: Logger): Promise<Findings> {
    return this.#shared.get(() => this.#checkAll(log));
  }

  async #checkAll(log: Logger): Promise<Findings> {
    const check = async (name: Dependency | Store, ask: (timeoutMs: number) => Promise<void>): Promise<'OK' | 'NG'> => {
      try {
        await ask(this.#probeTimeoutMs);
        return 'OK';
      } catch (error) {
        log.event('readiness.not_ready', { dependency: name, reason: describeError(causeOf(error)) });
        return 'NG';
      }
    };
    const checkEach = async <Name extends Dependency | Store>(
      probes: Readonly<Record<Name, (timeoutMs: number) => Promise<void>>>,
    ): Promise<Record<Name, 'OK' | 'NG'>> => {
      const names = Object.keys(probes) as Name[]; // of a complete table
      const results = await Promise.all(names.map(async (name) => [name, await check(name, probes[name])]));
      return Object.fromEntries(results) as Record<Name, 'OK' | 'NG'>; // fromEntries loses the names
    };
    const [Items, Stores] = await Promise.all([checkEach(this.#probes), checkEach(this.#stores)]);
    return { Items, Stores };
  }
}
