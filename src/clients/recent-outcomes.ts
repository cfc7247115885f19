/** Time for which a call counts, in seconds. */
const SECONDS = 10;

interface Second {
  /** Number of the second since the clock's start; seconds older than ten do not count. */
  at: number;
  served: number;
  failed: number;
}

/** Numbers of calls. */
export interface OutcomeTotals {
  readonly served: number;
  readonly failed: number;
}

/** Outcomes of the calls of the last ten seconds. */
export class RecentOutcomes {
  readonly #seconds: Second[] = Array.from({ length: SECONDS }, () => ({ at: -SECONDS, served: 0, failed: 0 }));

  /** Counts a call. @param now milliseconds of a monotonic clock */
  count(outcome: 'served' | 'failed', now: number): void {
    const at = Math.floor(now / 1000);
    const second = this.#seconds[at % SECONDS];
    if (second === undefined) return;
    if (second.at !== at) Object.assign(second, { at, served: 0, failed: 0 });
    second[outcome] += 1;
  }

  /** Returns the numbers of calls that count now. */
  totals(now: number): OutcomeTotals {
    const oldest = Math.floor(now / 1000) - SECONDS;
    let served = 0;
    let failed = 0;
    for (const second of this.#seconds) {
      if (second.at <= oldest) continue;
      served += second.served;
      failed += second.failed;
    }
    return { served, failed };
  }

  clear(): void {
    for (const second of this.#seconds) second.at = -SECONDS;
  }
}
