/** Processes that take turns at their waits, and the store as each of them reaches it. */
import type { ItemOutcome, JobIdentity, JobRecord } from '../../src/jobs/record/job-record.js';
import type { ClaimOutcome, ClaimRequest, JobStore, LeaseState, Progress } from '../../src/jobs/record/job-store.js';
import { TransitionStore, type Step, type Transacted } from '../../src/jobs/record/transition-store.js';
import * as transitions from '../../src/jobs/record/transitions.js';
import { deferred } from '../support/wait-for.js';

export interface Turn {
  readonly actor: Actor;
  readonly go: () => void;
  readonly isDue: () => boolean;
}

/** A process: it goes on at a wait when it is its turn, and after a crash never. */
export class Actor {
  readonly #waiting: Set<Turn>;
  readonly crashed = deferred();
  isAlive = true;

  constructor(waiting: Set<Turn>) {
    this.#waiting = waiting;
  }

  turn(isDue = (): boolean => true): Promise<void> {
    return new Promise((go) => this.#waiting.add({ actor: this, go, isDue }));
  }

  crash(): void {
    this.isAlive = false;
    this.crashed.resolve();
  }
}

/** One job with its record and the outcomes of its items. */
interface StoredJob {
  readonly record: JobRecord | undefined;
  readonly outcomes: readonly ItemOutcome[];
  now(): number;
  /** Writes the next record, if any, and returns it. */
  write(next: transitions.Transition, outcomes?: readonly ItemOutcome[]): transitions.Transition;
}

/** The store as one actor reaches it: a wait before each step, and one before its answer. */
export class StoreOfActor extends TransitionStore implements JobStore {
  readonly #world: StoredJob;
  readonly #actor: Actor;

  constructor(world: StoredJob, actor: Actor) {
    super(undefined);
    this.#world = world;
    this.#actor = actor;
  }

  async #asking<T>(ask: () => T): Promise<T> {
    await this.#actor.turn();
    const answer = ask();
    await this.#actor.turn();
    return answer;
  }

  protected find(): ReturnType<TransitionStore['find']> {
    return this.#asking(() => ({ live: this.#world.record, now: this.#world.now() }));
  }

  protected items(): Promise<readonly ItemOutcome[]> {
    return this.#asking(() => this.#world.outcomes);
  }

  protected transact(_job: JobIdentity, step: Step): Promise<Transacted> {
    return this.#asking(() => {
      const live = this.#world.record;
      return { live, next: this.#world.write(step(live, this.#world.now())) };
    });
  }

  claim(_job: JobIdentity, request: ClaimRequest): Promise<ClaimOutcome> {
    return this.#asking(() => {
      const { outcome, next } = transitions.claim(this.#world.record, request, this.#world.now());
      this.#world.write(next);
      return outcome.outcome === 'claimed' ? { ...outcome, items: this.#world.outcomes } : outcome;
    });
  }

  checkpoint(_job: JobIdentity, token: string, progress: Progress): Promise<LeaseState> {
    return this.#asking(() => {
      const next = transitions.checkpoint(this.#world.record, token, progress);
      return transitions.leaseStateOf(this.#world.write(next, [...this.#world.outcomes, ...(progress.items ?? [])]));
    });
  }

  /** As a queue makes it at a replay. */
  async replay(job: JobIdentity): Promise<number> {
    const { live, next } = await this.transact(job, transitions.replay);
    return next?.replayedAt ?? transitions.replayTime(live, this.#world.now());
  }

  isCancelled(): Promise<boolean> {
    return this.#asking(() => this.#world.record?.cancelledAt !== undefined);
  }

  async ping(): Promise<void> {}
}
