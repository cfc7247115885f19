/** Time span; `end` is not before `start`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the largest set of spans without overlap, and among equally large sets the longest in total (weighted
 * interval scheduling). A span may begin at the instant at which another ends.
 */
export function mostTrips<T extends Span>(spans: readonly T[]): readonly T[] {
  const byEnd = spans.toSorted((a, b) => a.end - b.end || a.start - b.start);
  /** Best choice among the first spans; the index is their number. */
  const best: { readonly count: number; readonly length: number; readonly takes: boolean; readonly before: number }[] =
    [{ count: 0, length: 0, takes: false, before: 0 }];
  byEnd.forEach((span, index) => {
    const skipped = best[index];
    const before = endingBy(byEnd, span.start, index);
    const rest = best[before];
    if (skipped === undefined || rest === undefined) return;
    const count = rest.count + 1;
    const length = rest.length + span.end - span.start;
    const takes = count > skipped.count || (count === skipped.count && length > skipped.length);
    best.push(takes ? { count, length, takes, before } : { ...skipped, takes, before: index });
  });
  const kept: T[] = [];
  for (let left = byEnd.length; left > 0;) {
    const choice = best[left];
    const span = byEnd[left - 1];
    if (choice === undefined || span === undefined) break;
    if (choice.takes) kept.push(span);
    left = choice.before;
  }
  return kept.reverse();
}

/** Returns how many of the first `count` spans end by an instant; they are in order of their ends. */
function endingBy(byEnd: readonly Span[], instant: number, count: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((byEnd[middle]?.end ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
