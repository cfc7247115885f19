/**
 * Longest interlude while connections arrive, in milliseconds. It equals the slice in which operations begin, so that
 * neither many connections nor many operations take much more than half of the time.
 */
const CONNECTIONS_MS = 4;

/** Longest interlude while jobs progress, in milliseconds: a third of the time, as a job's item takes several turns. */
const JOBS_MS = 2;

/** Time without progress after which a job counts as waiting for I/O, in milliseconds; turns do not help it. */
const NOWHERE_MS = 300;

/**
 * Time between operations in which the event loop turns without them. Node.js accepts one connection per turn. With
 * operations in each turn, many clients that reconnect for each request would wait unseen in the backlog, health probes
 * behind them. Refusals would come too late, and operations run that their clients gave up long ago. A job waits for a
 * backend and its store turn by turn, and would slow down by the operations' share of each turn.
 */
export class Interlude {
  readonly #jobsProgressedAt: () => number;
  #haveCome = false;
  #since: number | undefined;

  /** @param jobsProgressedAt returns `performance.now()` of the last progress of a job */
  constructor(jobsProgressedAt: () => number) {
    this.#jobsProgressedAt = jobsProgressedAt;
  }

  /** Call when a connection is accepted. */
  accepted(): void {
    this.#haveCome = true;
  }

  /** True during an interlude, or if one follows the current turn; closed connections become known in it. */
  get isOn(): boolean {
    return this.#haveCome || this.#since !== undefined;
  }

  /**
   * Call at the end of each turn.
   *
   * @param doOperationsWait if false, jobs have enough turns
   * @returns true if the event loop should turn once more before the next operations begin
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
