import type { Logger } from '../logging/logger.js';
import { BackendOutage, BackendRefusal, CallRefusedError, ContractBreach } from './call-errors.js';
import { RecentOutcomes, type OutcomeTotals } from './recent-outcomes.js';
import { partyOf, type Caller } from './caller.js';

/** Which calls a circuit is for, and how it behaves; times in milliseconds. */
export interface CircuitOptions {
  /** Who is called, e.g. `backend-api`. */
  readonly backend: string;
  readonly caller: Caller['kind'];
  readonly mode: 'read' | 'write';
  readonly logger: Logger;
  /** How long an open circuit refuses calls before it lets one through; 5,000 by default. */
  readonly openMs?: number;
  /** A clock that never goes back. */
  readonly now?: () => number;
}

/** How a circuit stands. */
export interface CircuitStanding extends Pick<CircuitOptions, 'caller' | 'mode'> {
  /** Whether it is open for everybody. */
  readonly isOpen: boolean;
  /** For how many parties by themselves it was opened, or stayed open after a trial, within the last minute. */
  readonly openParties: number;
}

const OPEN_MS = 5_000;
const FAILURE_SHARE = 0.5;
/** Fewer calls within ten seconds prove nothing. */
const MIN_CALLS = 20;
/** An outage for everybody is seen by more than one party. */
const MIN_FAILING_PARTIES = 2;
/** While somebody is answered now and then, nobody's failures keep out anybody else; in milliseconds. */
const UNANSWERED_MS = 2_000;
/** Longer than this ago nobody tried, so nobody would notice; in milliseconds. */
const NOTICED_MS = 60_000;
/** Parties that are remembered; of those beyond, whoever has not called for longest is forgotten. */
const MAX_PARTIES = 1_000;

/** What is known of one party: an organisation, or an address that has not logged in. */
interface Party {
  readonly recent: RecentOutcomes;
  /** When it opened, or the last trial failed; undefined while it is closed for this party. */
  openedAt: number | undefined;
  /** Resolves when the call ends that is under way and decides about the open circuit; undefined without one. */
  trial: Promise<void> | undefined;
}

/**
 * A circuit breaker that nobody can open for anybody else. It counts each party for itself and opens
 *
 * - for one party, at 50 % failures of at least 20 of its calls within 10 s;
 * - for everybody, when most parties fail, what is left without the one that fails most comes to the same, and
 *   nobody was answered for a while. Then one failure is enough for each; who has none is let through all the same.
 *
 * After 5 s each party may try again with one call at a time. The first call that is answered closes the circuit for
 * its party, and for everybody if it was open for everybody. A party whose calls go on failing keeps out itself alone.
 * Whoever insists may try at once, in turn with the others of the party.
 *
 * Failures are outages ({@link BackendOutage}) and nothing else. Whatever is answered with less than 500 was served,
 * and what we cut off ourselves says nothing.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #openMs: number;
  readonly #now: () => number;
  /** Whoever called last comes last. */
  readonly #parties = new Map<string, Party>();
  #openedAt: number | undefined;
  #servedAt: number | undefined;
  /** The same by the clock that never goes back. */
  #lastServed = -Infinity;

  constructor(options: CircuitOptions) {
    this.#options = options;
    this.#openMs = options.openMs ?? OPEN_MS;
    this.#now = options.now ?? (() => performance.now());
  }

  /** When a call was last answered with less than 500; milliseconds since 1970, undefined when none was yet. */
  get servedAt(): number | undefined {
    return this.#servedAt;
  }

  /** How it stands now. */
  get standing(): CircuitStanding {
    const { caller, mode } = this.#options;
    const since = this.#now() - NOTICED_MS;
    let openParties = 0;
    for (const { openedAt = -Infinity } of this.#parties.values()) if (openedAt > since) openParties += 1;
    return { caller, mode, isOpen: this.#openedAt !== undefined, openParties };
  }

  /**
   * Runs a call, if the circuit lets it through.
   *
   * @throws {CallRefusedError} it does not; else what the call throws
   */
  async run<T>(caller: Caller, call: () => Promise<T>): Promise<T> {
    const party = this.#partyOf(caller);
    const insists = caller.insists?.() === true;
    while (insists && this.#isOpen(party) && party.trial !== undefined) await party.trial;
    if (!this.#isOpen(party)) return this.#count(party, caller, false, call);
    if (!insists) this.#refuseTrial(party);
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
      if (error instanceof BackendOutage) this.#failed(party, caller, isTrial);
      else if (error instanceof BackendRefusal || error instanceof ContractBreach) this.#served(party, caller, isTrial);
      throw error;
    }
  }

  #partyOf(caller: Caller): Party {
    const name = partyOf(caller);
    const party = this.#parties.get(name) ?? { recent: new RecentOutcomes(), openedAt: undefined, trial: undefined };
    this.#parties.delete(name);
    this.#parties.set(name, party);
    if (this.#parties.size > MAX_PARTIES) this.#parties.delete(this.#parties.keys().next().value ?? name);
    return party;
  }

  #isOpen({ openedAt, recent }: Party): boolean {
    if (openedAt !== undefined || this.#openedAt === undefined) return openedAt !== undefined;
    const totals = recent.totals(this.#now());
    return totals.failed > 0 && fails(totals);
  }

  /** @throws {CallRefusedError} when no call of the party may decide about the open circuit now */
  #refuseTrial(party: Party): void {
    const { backend, caller, mode } = this.#options;
    const openedAt = Math.max(party.openedAt ?? -Infinity, this.#openedAt ?? -Infinity);
    if (party.trial === undefined && this.#now() >= openedAt + this.#openMs) return;
    throw new CallRefusedError(backend, {
      cause: new Error(`${backend} was not asked: the circuit for what a ${caller} ${mode}s is open`),
    });
  }

  #served(party: Party, caller: Caller, isTrial: boolean): void {
    this.#servedAt = Date.now();
    this.#lastServed = this.#now();
    if (isTrial || this.#openedAt !== undefined) this.#close(isTrial ? party : undefined, caller);
    party.recent.count('served', this.#lastServed);
  }

  #failed(party: Party, caller: Caller, isTrial: boolean): void {
    const now = this.#now();
    party.recent.count('failed', now);
    if (isTrial || (party.openedAt === undefined && isOutage(party.recent.totals(now)))) {
      if (party.openedAt === undefined) this.#log('circuit.opened', caller);
      party.openedAt = now;
    }
    if (this.#openedAt === undefined && now >= this.#lastServed + UNANSWERED_MS && this.#failsForMost(now)) {
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
    return isOutage({
      served: others.reduce((sum, { served }) => sum + served, 0),
      failed: others.reduce((sum, { failed }) => sum + failed, 0),
    });
  }

  /** @param trial whose trial was answered; undefined when it was no trial */
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

  /** @param only the one party that is meant, unless all are */
  #log(event: 'circuit.opened' | 'circuit.closed', only?: Caller): void {
    const { backend, caller, mode, logger } = this.#options;
    const scope = only === undefined ? 'everybody' : 'one party';
    logger.event(event, { backend, caller, mode, scope, ...(only?.org !== undefined && { org: only.org }) });
  }
}

function ignored(): void {}

function fails({ served, failed }: OutcomeTotals): boolean {
  return failed >= FAILURE_SHARE * (served + failed);
}

function isOutage(totals: OutcomeTotals): boolean {
  return totals.served + totals.failed >= MIN_CALLS && fails(totals);
}
