import { LRUCache } from 'lru-cache';
import type { Logger } from '../base/logging/logger.js';
import { CallError, meaningOf, type BackendName } from './call-error.js';
import { partyOf, type Caller } from './caller.js';

/** Time for which the outcome of a call counts, in seconds. */
const SECONDS = 10;

interface OutcomeTotals {
  served: number;
  failed: number;
}

/** Outcomes of the calls of the last ten seconds. */
class RecentOutcomes {
  /** By the number of the second since the clock's start, modulo ten. */
  readonly #seconds = Array.from({ length: SECONDS }, () => ({ at: -SECONDS, served: 0, failed: 0 }));

  count(outcome: 'served' | 'failed', now: number): void {
    const at = Math.floor(now / 1000);
    const second = this.#seconds[at % SECONDS];
    if (second === undefined) return;
    if (second.at !== at) Object.assign(second, { at, served: 0, failed: 0 });
    second[outcome] += 1;
  }

  totals(now: number): OutcomeTotals {
    const oldest = Math.floor(now / 1000) - SECONDS;
    return sumOf(this.#seconds.filter(({ at }) => at > oldest));
  }

  clear(): void {
    for (const second of this.#seconds) second.at = -SECONDS;
  }
}

export interface CircuitOptions {
  readonly backend: BackendName;
  readonly caller: Caller['kind'];
  readonly mode: 'read' | 'write';
  readonly logger: Logger;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

export interface CircuitStatus extends Pick<CircuitOptions, 'caller' | 'mode'> {
  readonly isOpen: boolean;
  /** Number of single parties for which it opened, or stayed open after a trial, within the last minute. */
  readonly openParties: number;
}

/** Time for which an open circuit refuses calls before it lets one through, in milliseconds. */
const OPEN_MS = 5_000;
const FAILURE_SHARE = 0.5;
/** Number of calls within ten seconds from which their share of failures counts. */
const MIN_CALLS = 20;
/** Number of failing parties from which the circuit may open for all. */
const MIN_FAILING_PARTIES = 2;
/** Time without an answered call before the circuit may open for all, in milliseconds. */
const UNANSWERED_MS = 2_000;
/** Time after the opening or the last failed trial from which a party no longer counts as open, in milliseconds. */
const NOTICED_MS = 60_000;
/** Maximum number of remembered parties; the least recent caller is dropped. */
const MAX_PARTIES = 1_000;

/** State of one party: an organisation, or a client address that has not logged in. */
interface Party {
  readonly recent: RecentOutcomes;
  /** Time when it opened, or the last trial failed; undefined while it is closed for this party. */
  openedAt: number | undefined;
  /** Resolves when the current trial call on the open circuit ends; undefined without one. */
  trial: Promise<void> | undefined;
}

/**
 * Circuit breaker that one party cannot open for others. It counts each party separately and opens
 *
 * - for one party, at 50 % failures of at least 20 of its calls within 10 s;
 * - for all, when most parties fail, the others without the worst one reach the same threshold, and no call was
 *   answered for a while. Then one failure is enough for each party; a party without failures is still let through.
 *
 * After 5 s each party may try again with one call at a time. The first answered call closes the circuit for its party,
 * and for all if it was open for all. A party whose calls continue to fail blocks only itself. A caller that bypasses
 * the circuit need not wait for 5 s, but only for the other trials of its party.
 *
 * Which ends of calls count stands in their table (`call-error.ts`); foreign and busy answers and our cut-offs do not.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #now: () => number;
  readonly #parties = new LRUCache<string, Party>({ max: MAX_PARTIES });
  #openedAt: number | undefined;
  #servedAt: number | undefined;

  constructor(options: CircuitOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get status(): CircuitStatus {
    const { caller, mode } = this.#options;
    const since = this.#now() - NOTICED_MS;
    const open = [...this.#parties.values()].filter(({ openedAt = -Infinity }) => openedAt > since);
    return { caller, mode, isOpen: this.#openedAt !== undefined, openParties: open.length };
  }

  /**
   * Runs a call, if the circuit lets it through.
   *
   * @throws {CallError} `held back`, if the call is not let through; otherwise errors of the call
   */
  async run<T>(caller: Caller, call: () => Promise<T>): Promise<T> {
    const party = this.#partyOf(caller);
    const bypassesCircuit = caller.bypassesCircuit?.() === true;
    while (bypassesCircuit && this.#isOpen(party) && party.trial !== undefined) await party.trial;
    if (!this.#isOpen(party)) return this.#count(party, caller, false, call);
    if (!bypassesCircuit) this.#refuseTrial(party);
    const trial = this.#count(party, caller, true, call).finally(() => (party.trial = undefined));
    party.trial = trial.then(ignored, ignored);
    return trial;
  }

  async #count<T>(party: Party, caller: Caller, isTrial: boolean, call: () => Promise<T>): Promise<T> {
    try {
      const result = await call();
      this.#served(party, caller, isTrial);
      return result;
    } catch (error) {
      if (error instanceof CallError) error.servedAt = this.#servedAt;
      const { counts } = meaningOf(error);
      if (counts === 'served') this.#served(party, caller, isTrial);
      if (counts === 'failed') this.#failed(party, caller, isTrial);
      throw error;
    }
  }

  #partyOf(caller: Caller): Party {
    const name = partyOf(caller).join(' ');
    let party = this.#parties.get(name);
    if (party === undefined) {
      party = { recent: new RecentOutcomes(), openedAt: undefined, trial: undefined };
      this.#parties.set(name, party);
    }
    return party;
  }

  #isOpen({ openedAt, recent }: Party): boolean {
    if (openedAt !== undefined || this.#openedAt === undefined) return openedAt !== undefined;
    const totals = recent.totals(this.#now());
    return totals.failed > 0 && fails(totals);
  }

  /** Checks that a call of the party may be a trial now. @throws {CallError} it may not */
  #refuseTrial(party: Party): void {
    const { backend, caller, mode } = this.#options;
    const openedAt = Math.max(party.openedAt ?? -Infinity, this.#openedAt ?? -Infinity);
    if (party.trial === undefined && this.#now() >= openedAt + OPEN_MS) return;
    throw new CallError(backend, 'held back', `was not asked: the circuit for what a ${caller} ${mode}s is open`);
  }

  #served(party: Party, caller: Caller, isTrial: boolean): void {
    const now = this.#now();
    this.#servedAt = now;
    if (isTrial || this.#openedAt !== undefined) this.#close(isTrial ? party : undefined, caller);
    party.recent.count('served', now);
  }

  #failed(party: Party, caller: Caller, isTrial: boolean): void {
    const now = this.#now();
    party.recent.count('failed', now);
    if (isTrial || (party.openedAt === undefined && isOutage(party.recent.totals(now)))) {
      if (party.openedAt === undefined) this.#log('circuit.opened', caller);
      party.openedAt = now;
    }
    if (
      this.#openedAt === undefined &&
      now >= (this.#servedAt ?? -Infinity) + UNANSWERED_MS &&
      this.#failsForMost(now)
    ) {
      this.#openedAt = now;
      this.#log('circuit.opened');
    }
  }

  #failsForMost(now: number): boolean {
    const parties = [...this.#parties.values()]
      .map(({ recent }) => recent.totals(now))
      .filter(({ served, failed }) => served + failed > 0);
    const failing = parties.filter(fails).length;
    if (failing < MIN_FAILING_PARTIES || failing * 2 <= parties.length) return false;
    const [, ...others] = parties.sort((one, another) => another.failed - one.failed);
    return isOutage(sumOf(others));
  }

  /** Closes the circuit. @param trial party whose trial was answered; undefined if the call was no trial */
  #close(trial: Party | undefined, caller: Caller): void {
    if (this.#openedAt !== undefined) {
      this.#openedAt = undefined;
      for (const { recent } of this.#parties.values()) recent.clear();
      this.#log('circuit.closed');
    }
    if (trial?.openedAt !== undefined) {
      trial.openedAt = undefined;
      trial.recent.clear();
      this.#log('circuit.closed', caller);
    }
  }

  /** Logs a change. @param only a caller of the party concerned; absent for all parties */
  #log(event: 'circuit.opened' | 'circuit.closed', only?: Caller): void {
    const { backend, caller, mode, logger } = this.#options;
    const scope = only === undefined ? 'everybody' : 'one party';
    logger.event(event, { backend, caller, mode, scope, ...(only?.org !== undefined && { org: only.org }) });
  }
}

function ignored(): void {}

function sumOf(all: readonly OutcomeTotals[]): OutcomeTotals {
  return all.reduce((sum, each) => ({ served: sum.served + each.served, failed: sum.failed + each.failed }), {
    served: 0,
    failed: 0,
  });
}

function fails({ served, failed }: OutcomeTotals): boolean {
  return failed >= FAILURE_SHARE * (served + failed);
}

function isOutage(totals: OutcomeTotals): boolean {
  return totals.served + totals.failed >= MIN_CALLS && fails(totals);
}
