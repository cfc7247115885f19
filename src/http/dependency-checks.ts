import type { components } from '../../generated/gateway.js';
import { causeOf, describeError } from '../errors.js';
import type { Logger } from '../logging/logger.js';
import type { StoreProbe } from '../objects/store-probe.js';
import { CoalescedAnswer } from './coalesced-answer.js';

/** Interval of write checks of a healthy store, in milliseconds; other checks only ping it. */
const WRITE_EVERY_MS = 15_000;

/**
 * Checks if a store can be used. A store that failed a caller or a write check gets a write check each time until it
 * recovers. A store that hangs has one check under way, shared by all callers.
 */
export class StoreHealth {
  readonly #probe: StoreProbe;
  #underWay: Promise<void> | undefined;
  #writtenAt = -Infinity;

  constructor(probe: StoreProbe) {
    this.#probe = probe;
  }

  /**
   * @param timeoutMs longest wait, in milliseconds
   * @throws {Error} the store is unusable or does not answer in time; the message names the reason
   */
  async check(timeoutMs: number): Promise<void> {
    const asked = (this.#underWay ??= this.#ask().finally(() => (this.#underWay = undefined)));
    // A failure after the time limit has no other handler.
    asked.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      await Promise.race([asked, tooLate]);
    } finally {
      clearTimeout(timer);
    }
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
export type StoreProbes = Readonly<Record<Store, StoreProbe>>;

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
  readonly #stores: Readonly<Record<Store, StoreHealth>>;
  readonly #shared: CoalescedAnswer<Findings>;
  readonly #probeTimeoutMs: number;

  constructor({ probes, storeProbes, sharedMs, probeTimeoutMs = PROBE_TIMEOUT_MS }: DependencyChecksOptions) {
    this.#probes = probes;
    this.#stores = {
      'job-store': new StoreHealth(storeProbes['job-store']),
      queue: new StoreHealth(storeProbes.queue),
      'object-store': new StoreHealth(storeProbes['object-store']),
    };
    this.#shared = new CoalescedAnswer(sharedMs);
    this.#probeTimeoutMs = probeTimeoutMs;
  }

  /** @param log receives failed checks, unless the results are shared */
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
    const ofBackend = (name: Dependency): Promise<'OK' | 'NG'> => check(name, this.#probes[name]);
    const ofStore = (name: Store): Promise<'OK' | 'NG'> =>
      check(name, (timeoutMs) => this.#stores[name].check(timeoutMs));
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
}
