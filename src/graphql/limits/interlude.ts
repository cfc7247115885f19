/**
 * For how long the event loop turns for others at most while connections come, in milliseconds: as long as operations
 * begin in between, so that neither a crowd of connections nor one of operations takes much more than half of the time.
 */
const CONNECTIONS_MS = 4;

/** The same while jobs get on: a third of the time is theirs, and an item of a job takes several turns. */
const JOBS_MS = 2;

/** A job that got nowhere for so long waits for somebody else, in milliseconds: turns would be in vain. */
const NOWHERE_MS = 300;

/**
 * The time between operations, in which the event loop turns for others alone. Node.js accepts one connection in each
 * turn. With operations in each, a crowd that connects anew for each request would wait where nobody sees it, a health
 * probe behind all of it; nothing would be refused in time, and what its clients gave up long ago would be run. And a
 * job, which waits for a backend and for its store in turns, would take as many times longer as operations take.
 */
export class Interlude {
  readonly #jobsProgressedAt: () => number;
  #haveCome = false;
  #since: number | undefined;

  /** @param jobsProgressedAt `performance.now()` when one of them got on last */
  constructor(jobsProgressedAt: () => number) {
    this.#jobsProgressedAt = jobsProgressedAt;
  }

  /** To be told of each connection when it is accepted. */
  accepted(): void {
    this.#haveCome = true;
  }

  /** Whether it is now, or to be as soon as the event loop has turned: who has gone meanwhile is known of then. */
  get isOn(): boolean {
    return this.#haveCome || this.#since !== undefined;
  }

  /**
   * To be asked at the end of each turn.
   *
   * @param doOperationsWait otherwise jobs have turns enough
   * @returns whether the event loop is to turn once more before the next operations begin
   */
  wantsTurn(doOperationsWait: boolean): boolean {
    const now = performance.now();
    const doJobsGetOn = doOperationsWait && now - this.#jobsProgressedAt() < NOWHERE_MS;
    const maxMs = this.#haveCome ? CONNECTIONS_MS : doJobsGetOn ? JOBS_MS : 0;
    this.#haveCome = false;
    if (maxMs > 0) {
      this.#since ??= now;
      if (now - this.#since < maxMs) return true;
    }
    this.#since = undefined;
    return false;
  }
}
