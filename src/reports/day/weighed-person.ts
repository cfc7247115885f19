import type { DayFacts, PersonMobile, ReportedTrip } from '../model.js';
import { breaksOf, type DriverDay, driverDay, readTrips } from './driver-day.js';
import { type DrivingRules, type Limit, type RuledDay, type RuledFigure, RULES } from './driving-rules.js';
import { drivingOf, type Duty, dutiesOf, partsOf, restBefore, spanOf } from './duties.js';
import type { DrivingDay } from './report-date.js';
import { type DrivingPeriod, longestDriving } from './rules-breaks.js';
import { activitiesOf, DRIVE, STAND, type WeighedRecord } from './rules-timeline.js';
import type { SpeedLimit } from './speed-series.js';

/** Result of the rules for the person of a page, and the facts that limit it. */
export type WeighedPerson = NonNullable<ReturnType<typeof weighPerson>>;

const MINUTE_MS = 60_000;
const DAY = 24 * 60;

/**
 * Weighs the duties of the person of a page that reach into a day. Each figure has its least and its greatest value
 * over all choices of which stands and gaps were breaks or rest. @returns undefined without rules or driving
 */
export function weighPerson(
  rules: DrivingRules,
  { isShared = false, weighed }: DayFacts,
  shown: DriverDay,
  day: DrivingDay,
  limit: SpeedLimit,
) {
  if (rules === 'off') return undefined;
  const { limits, breaks, rest, hasRestWithinDuty } = RULES[rules];
  const midnights = { from: Date.parse(day.from) / MINUTE_MS, to: Date.parse(day.to) / MINUTE_MS };
  const { from: midnight } = midnights;
  const mobiles = weighed?.mobiles ?? [];
  const others = mobiles.slice(1);
  const isBeforeFetched = mobiles.every(({ before }) => before !== undefined);
  const isBeforeKnown = isBeforeFetched && mobiles.some(({ before }) => before?.length !== 0);
  const idsOf = (isFetched: boolean): readonly string[] =>
    others.flatMap(({ mobileId, trips }) => ((trips !== undefined) === isFetched ? [mobileId] : []));
  const otherUnknown = idsOf(false);

  const activities = activitiesOf(recordsOf(mobiles, isShared, shown, day, limit), midnight, breaks.shortest);
  const most = dutiesOf(activities, STAND, rest.certain).filter(({ to }) => to > midnight);
  const [first, last] = [most[0], most.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const least = dutiesOf(activities, DRIVE, rest.possible).filter(({ to }) => to > midnight);
  const leastOf = (measure: (duty: Duty) => number): number => Math.max(0, ...least.map(measure));
  const mostOf = (measure: (duty: Duty) => number): DrivingPeriod =>
    most
      .map((duty) => ({ from: duty.from, to: duty.to, minutes: measure(duty) }))
      .reduce((longest, each) => (each.minutes > longest.minutes ? each : longest));
  const continuous = longestDriving(partsOf(activities, breaks.shortest), breaks, midnight);
  const values: Record<Limit['kind'], readonly [least: number, most: DrivingPeriod]> = {
    continuous: [continuous[0].minutes, continuous[1]],
    duty: [leastOf((duty) => spanOf(activities, duty, hasRestWithinDuty)), mostOf(({ from, to }) => to - from)],
    daily: [leastOf((duty) => drivingOf(activities, duty, true)), mostOf((duty) => drivingOf(activities, duty, false))],
  };
  const knownFrom = isBeforeKnown ? midnight - DAY : midnight;
  const figures = limits.map((each): RuledFigure => {
    const [minutes, { from, to, minutes: greater }] = values[each.kind];
    const ending = each.kind === 'continuous' ? breaks.whole : rest.certain;
    const isRecorded = isBeforeFetched && otherUnknown.length === 0;
    const isOpen = !isRecorded || first.from - knownFrom < ending || midnights.to - last.to < ending;
    return { ...each, least: minutes, most: greater, from, to, isOpen, mark: markOf(minutes, greater, each) };
  });
  const longestRest = isBeforeKnown && otherUnknown.length === 0 ? restBefore(activities, midnights) : undefined;
  const ruled: RuledDay = { rules, figures, rest: longestRest, shortestBreak: breaks.shortest };
  return {
    ruled,
    /** Other mobiles of the person that are weighed, and those whose record is missing. */
    otherMobiles: idsOf(true),
    otherUnknown,
    isNoPerson: weighed?.isNoPerson ?? false,
    isBeforeKnown,
  };
}

/** Returns the records of the mobiles of a person; the first mobile is that of the page. */
function recordsOf(
  mobiles: readonly PersonMobile[],
  isShared: boolean,
  shown: DriverDay,
  day: DrivingDay,
  limit: SpeedLimit,
): readonly WeighedRecord[] {
  const from = new Date(Date.parse(day.from) - DAY * MINUTE_MS);
  const dayBefore = { ...day, from: from.toISOString(), to: day.from, beforeFrom: from.getTime() - DAY * MINUTE_MS };
  const read = (trips: readonly ReportedTrip[] = [], of: DrivingDay): DriverDay =>
    driverDay(readTrips(trips, of, limit), [], of);
  const recordOf = (before: DriverDay, of: DriverDay, isOfOneDriver: boolean): WeighedRecord => {
    const trips = [...before.trips, ...of.trips];
    return { trips, breaks: breaksOf(trips, [...before.places, ...of.places]), isOfOneDriver };
  };
  const [own, ...others] = mobiles;
  return [
    recordOf(read(own?.before, dayBefore), shown, !isShared),
    ...others.map((other) => recordOf(read(other.before, dayBefore), read(other.trips, day), !other.isShared)),
  ];
}

function markOf(least: number, most: number, { usual, longest }: Limit): RuledFigure['mark'] {
  if (least > longest) return '▲';
  if (least > usual) return '△';
  return most > usual ? '?' : '';
}
