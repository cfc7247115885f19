import type { TimeFault, Verdict } from './day-trip.js';
import type { ReadTrip } from './read-trip.js';
import type { DrivingDay } from './report-date.js';

export const COUNTED: Verdict = { kind: 'counted' };
const CARRIED_OVER: Verdict = { kind: 'carried over' };

/**
 * Decides by their times alone which trips of a day count: a wrong figure costs itself. A trip belongs to the day of
 * its start. Among overlapping trips, the largest possible set counts; among equally large sets, the longest.
 *
 * @param trips in order of their shown starts, then ends
 */
export function verdictsOf(trips: readonly ReadTrip[], day: DrivingDay): readonly Verdict[] {
  const [from, to] = [Date.parse(day.from), Date.parse(day.to)];
  /** Numbers of the trips by their times: the same start and end are one trip, whatever the other figures. */
  const seen = new Map<string, number>();
  const verdicts = trips.map(({ start, end, trip }, index): Verdict => {
    const isOfOtherDay = start !== null && (start < from || start >= to);
    const reachesInto = isOfOtherDay && start < from && start >= day.beforeFrom && end !== null && end > from;
    if (isOfOtherDay && !reachesInto) return impossible('other day');
    if (!isOfOtherDay && trip.minutes === null) return impossible('incomplete');
    const key = `${start} ${end}`;
    const other = seen.get(key);
    if (other !== undefined) return impossible('duplicate', other);
    seen.set(key, index + 1);
    return isOfOtherDay ? CARRIED_OVER : COUNTED;
  });
  flagOverlaps(trips, verdicts);
  return verdicts;
}

function flagOverlaps(trips: readonly ReadTrip[], verdicts: Verdict[]): void {
  let carriedUntil = -Infinity;
  let carried = 0;
  const candidates: Candidate[] = [];
  for (const [index, { trip }] of trips.entries()) {
    const { start, end } = trip;
    const kind = verdicts[index]?.kind;
    if (kind === 'impossible' || start === null || end === null) continue;
    if (kind === 'carried over') {
      if (end > carriedUntil) [carriedUntil, carried] = [end, index + 1];
      continue;
    }
    if (start < carriedUntil) verdicts[index] = impossible('overlap', carried);
    else candidates.push({ index, start, end });
  }
  const kept = mostTrips(candidates);
  const isKept = new Set(kept);
  for (const candidate of candidates) {
    if (isKept.has(candidate)) continue;
    const other = kept.find(({ start, end }) => start < candidate.end && candidate.start < end) ?? kept[0];
    verdicts[candidate.index] = impossible('overlap', (other?.index ?? 0) + 1);
  }
}

function impossible(fault: TimeFault, other?: number): Verdict {
  return { kind: 'impossible', fault, ...(other !== undefined && { other }) };
}

/** Trip that may count, with its index; `end` is not before `start`. */
interface Candidate {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** Best choice among the first spans: the last span of it, and the choice before that one. */
interface Choice {
  readonly count: number;
  readonly length: number;
  readonly last?: { readonly span: Candidate; readonly before: Choice };
}

/**
 * Returns the largest set of spans without overlap, and among equally large sets the longest in total (weighted
 * interval scheduling). A span may begin at the instant at which another ends.
 */
function mostTrips(spans: readonly Candidate[]): readonly Candidate[] {
  const byEnd = spans.toSorted((a, b) => a.end - b.end || a.start - b.start);
  let best: Choice = { count: 0, length: 0 };
  const choices = [best]; // by the number of first spans
  byEnd.forEach((span, index) => {
    let [ended, high] = [0, index];
    while (ended < high) {
      const middle = Math.floor((ended + high) / 2);
      if ((byEnd[middle]?.end ?? Infinity) > span.start) high = middle;
      else ended = middle + 1;
    }
    const before = choices[ended] ?? best;
    const [count, length] = [before.count + 1, before.length + span.end - span.start];
    const takes = count > best.count || (count === best.count && length > best.length);
    if (takes) best = { count, length, last: { span, before } };
    choices.push(best);
  });
  const kept: Candidate[] = [];
  for (let { last } = best; last !== undefined; { last } = last.before) kept.push(last.span);
  return kept.reverse();
}
