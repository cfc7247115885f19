import { MINUTES_OF_DAY } from './day-totals.js';
import type { DutyPart } from './rules-breaks.js';
import type { Activity } from './rules-timeline.js';
import { DRIVE, GAP, HALT, PAUSE, STAND, TRIP } from './standing.js';

/** True for an activity that begins or ends a stand. */
type IsActive = (activity: Activity) => boolean;

/** Whatever may be work, and driving of the person. */
export const isWork: IsActive = ({ state }) => state !== PAUSE;
export const isDriving: IsActive = ({ state }) => state >= DRIVE;

interface Span {
  readonly from: number;
  to: number;
}

/** Duty from its first to its last minute of work, exclusive, with the stands within it. */
export interface Duty extends Span {
  readonly stands: Span[];
}

/** Divides some activities into duties, with stands of `rest` minutes between them. */
export function dutiesOf(activities: readonly Activity[], isActive: IsActive, rest: number): readonly Duty[] {
  const duties: Duty[] = [];
  for (const activity of activities) {
    const { from, to } = activity;
    if (!isActive(activity)) continue;
    const duty = duties.at(-1);
    if (duty === undefined || from - duty.to >= rest) duties.push({ from, to, stands: [] });
    else {
      if (from > duty.to) duty.stands.push({ from: duty.to, to: from });
      duty.to = to;
    }
  }
  return duties;
}

/** Shortest part of a rest that is divided. */
export const DIVIDED_REST = 3 * 60;
/** Parts of a divided rest that lie within a duty; the last one follows it. */
const DIVISIONS = 2;

export function spanOf(activities: readonly Activity[], { from, to, stands }: Duty, hasRestWithin: boolean): number {
  if (!hasRestWithin) return to - from;
  // A crossing by ferry is rest however short.
  const ferryOf = (stand: Span): number => sum(within(activities, stand, ({ state }) => state === GAP).map(lengthOf));
  const divided = stands
    .filter((stand) => lengthOf(stand) >= DIVIDED_REST)
    .map((stand) => lengthOf(stand) - ferryOf(stand))
    .sort((a, b) => b - a)
    .slice(0, DIVISIONS);
  return to - from - sum(stands.map(ferryOf)) - sum(divided);
}

/** Returns the driving time of a duty, at least or at most, without idling. */
export function drivingOf(activities: readonly Activity[], duty: Duty, isLeast: boolean): number {
  const driving = within(activities, duty, ({ state }) => state >= (isLeast ? DRIVE : STAND));
  return sum(driving.map((each) => lengthOf(each) - (isLeast ? each.idling : each.still)));
}

/**
 * Returns the longest stand that ends with a departure of the day: at least, and at most if the trips beside it are the
 * person's. `possible` is the longest rest if a trip counts only if it is for certain, up to 24 hours after the first,
 * or infinite if it may be divided.
 */
export function restBefore(
  scenarios: readonly (readonly Activity[])[],
  day: Span,
  isDivided: (stands: readonly number[]) => boolean,
) {
  const isTrip: IsActive = (each) => isDriving(each) || each.state === TRIP;
  // A long one with idling may hold a rest.
  const isCertain: IsActive = (each) => isDriving(each) && each.idling < DIVIDED_REST;
  const all = (isActive: IsActive) => scenarios.flatMap((each) => dutiesOf(each, isActive, Infinity));
  const longest = (duties: readonly Duty[]): number => {
    const stands = duties.flatMap((duty) => duty.stands).filter(({ to }) => to >= day.from && to < day.to);
    return Math.max(0, ...stands.map(lengthOf));
  };
  const rests = ({ from, to, stands }: Duty) => [...stands.map(lengthOf), from + MINUTES_OF_DAY - to];
  const [least, trips, certain] = [longest(all(isWork)), all(isTrip), all(isCertain)];
  const mayDivide = [...trips, ...certain].some((duty) =>
    isDivided(rests(duty).filter((rest) => rest >= DIVIDED_REST)),
  );
  const possible = mayDivide || certain.length === 0 ? Infinity : Math.max(...certain.flatMap(rests));
  return { least, most: Math.max(least, longest(trips)), possible };
}

/** Makes each activity a part with one choice. Stands too short for a break join the driving around them. */
export function partsOf(activities: readonly Activity[], shortest: number): readonly DutyPart[] {
  const active = activities.slice(activities.findIndex(isWork), activities.findLastIndex(isWork) + 1);
  const parts: DutyPart[] = [];
  active.forEach((activity, index) => {
    const { from, to, state, idling, still } = activity;
    const length = lengthOf(activity);
    const isWithin = [active[index - 1], active[index + 1]].every((each) => each !== undefined && each.state >= DRIVE);
    const canRest = state < DRIVE && !(state !== PAUSE && state < GAP && isWithin && length < shortest);
    const least = state < GAP ? 0 : length - idling;
    const most = state === HALT ? 0 : length - still;
    const driving = state === PAUSE ? undefined : ([least, most] as const);
    const last = parts.at(-1);
    const joins = !canRest && idling < shortest && last?.canRest === false && (last.idling ?? 0) < shortest;
    if (joins && last.driving !== undefined && driving !== undefined) {
      parts[parts.length - 1] = { ...last, to, driving: [last.driving[0] + least, last.driving[1] + most] };
    } else parts.push({ from, to, canRest, driving, idling });
  });
  return parts;
}

function within(all: readonly Activity[], span: Span, isMeant: (activity: Activity) => boolean): readonly Activity[] {
  return all.filter((each) => each.from >= span.from && each.to <= span.to && isMeant(each));
}

function lengthOf({ from, to }: Span): number {
  return to - from;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
