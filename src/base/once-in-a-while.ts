export interface OnceInAWhileOptions {
  /** Time after which the same subject is due again, in milliseconds. */
  readonly everyMs: number;
  /** Number of subjects that are due within that time, as others may send any number; 1,000 by default. */
  readonly max?: number;
  /** Monotonic clock in milliseconds; `performance.now()` by default. */
  readonly now?: () => number;
}

const MAX_SUBJECTS = 1_000;

/** Limit of how often the same thing is logged or done. Changes of the system's clock do not affect it. */
export class OnceInAWhile {
  readonly #options: Required<OnceInAWhileOptions>;
  /** Time when each subject was last due, the earliest first; those of the last `everyMs`. */
  readonly #dueAt = new Map<string, number>();

  constructor(options: OnceInAWhileOptions) {
    this.#options = { max: MAX_SUBJECTS, now: () => performance.now(), ...options };
  }

  /** Returns true for the first call with a subject, and for the next one after `everyMs`. */
  isDue(subject = ''): boolean {
    const { everyMs, max, now } = this.#options;
    const at = now();
    for (const [earlier, dueAt] of this.#dueAt) {
      if (at - dueAt < everyMs) break;
      this.#dueAt.delete(earlier);
    }
    if (this.#dueAt.has(subject) || this.#dueAt.size >= max) return false;
    this.#dueAt.set(subject, at);
    return true;
  }
}
