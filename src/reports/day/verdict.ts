import type { DayTrip, Fault, Verdict } from './day-trip.js';
import type { DrivingDay } from './report-date.js';

/** Times by which a trip is judged, in epoch milliseconds; null if the backend's time is impossible. */
export interface TripFacts {
  readonly start: number | null;
  readonly end: number | null;
  /** False if the trip ends before its start, or lasts longer than any does. */
  readonly isPossible: boolean;
  /** Printed times. */
  readonly shown: Pick<DayTrip, 'start' | 'end'>;
}

export const COUNTED: Verdict = { kind: 'counted' };
const CARRIED_OVER: Verdict = { kind: 'carried over' };

/**
 * Decides by their times alone which trips of a day count: a wrong figure costs itself. A trip belongs to the day of
 * its start. Among overlapping trips, the largest possible set counts; among equally large sets, the longest.
 *
 * @param trips in order of their shown starts, then ends
 */
export function verdictsOf(trips: readonly TripFacts[], day: DrivingDay): readonly Verdict[] {
  const span = { from: Date.parse(day.from), to: Date.parse(day.to), beforeFrom: day.beforeFrom };
  const verdicts = trips.map((trip) => judge(trip, span));
  flagDuplicates(trips, verdicts);
  flagOverlaps(trips, verdicts);
  return verdicts;
}

function judge(
  trip: TripFacts,
  { from, to, beforeFrom }: { readonly from: number; readonly to: number; readonly beforeFrom: number },
): Verdict {
  const { start, end } = trip;
  if (start !== null && (start < from || start >= to)) {
    const reachesInto = start < from && start >= beforeFrom && end !== null && end > from;
    return reachesInto ? CARRIED_OVER : impossible('other day');
  }
  return start === null || end === null || !trip.isPossible ? impossible('incomplete') : COUNTED;
}

/** Flags trips with the same start and end times as an earlier one, whatever their other figures. */
function flagDuplicates(trips: readonly TripFacts[], verdicts: Verdict[]): void {
  const seen = new Map<string, number>();
  trips.forEach(({ start, end }, index) => {
    const { kind } = verdicts[index] ?? COUNTED;
    if (kind === 'impossible') return;
    const key = `${start} ${end}`;
    const other = seen.get(key);
    if (other === undefined) seen.set(key, index + 1);
    else verdicts[index] = impossible('duplicate', other);
  });
}

function flagOverlaps(trips: readonly TripFacts[], verdicts: Verdict[]): void {
  let carriedUntil = -Infinity;
  let carried = 0;
  const candidates: { readonly index: number; readonly start: number; readonly end: number }[] = [];
  let isOverlapping = false;
  let latest = -Infinity;
  for (const [index, { shown }] of trips.entries()) {
    const { start, end } = shown;
    const kind = verdicts[index]?.kind;
    if (kind === 'impossible' || start === null || end === null) continue;
    if (kind === 'carried over') {
      if (end > carriedUntil) [carriedUntil, carried] = [end, index + 1];
      continue;
    }
    if (start < carriedUntil) {
      verdicts[index] = impossible('overlap', carried);
      continue;
    }
    isOverlapping ||= start < latest;
    latest = Math.max(latest, end);
    candidates.push({ index, start, end });
  }
  if (!isOverlapping) return;
  const kept = mostTrips(candidates);
  const isKept = new Set(kept);
  for (const candidate of candidates) {
    if (isKept.has(candidate)) continue;
    const other = kept.find(({ start, end }) => start < candidate.end && candidate.start < end) ?? kept[0];
    verdicts[candidate.index] = impossible('overlap', (other?.index ?? 0) + 1);
  }
}

function impossible(fault: Fault, other?: number): Verdict {
  return { kind: 'impossible', fault, ...(other !== undefined && { other }) };
}

/** Time span; `end` is not before `start`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the largest set of spans without overlap, and among equally large sets the longest in total (weighted
 * interval scheduling). A span may begin at the instant at which another ends.
 */
function mostTrips<T extends Span>(spans: readonly T[]): readonly T[] {
  const byEnd = spans.toSorted((a, b) => a.end - b.end || a.start - b.start);
  /** Best choice among the first spans; the index is the number of these spans. */
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

/** Returns how many of the first `count` spans, which are in order of their ends, end by an instant. */
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
