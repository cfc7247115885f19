import type { DayFacts, PersonMobile, ReportedTrip } from '../model.js';
import { breaksOf, type DriverDay, driverDay, readTrips } from './driver-day.js';
import { type DrivingRules, type Limit, type RuledFigure, RULES } from './driving-rules.js';
import { drivingOf, type Duty, dutiesOf, partsOf, restBefore, spanOf } from './duties.js';
import type { DrivingDay } from './report-date.js';
import { type DrivingPeriod, longestDriving, longestOf } from './rules-breaks.js';
import { type Activity, choicesOf, Timeline, type WeighedRecord } from './rules-timeline.js';
import type { SpeedLimit } from './speed-series.js';
import { DRIVE, HALT } from './standing.js';

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
  const { limits, breaks, rest, hasRestWithinDuty, isHaltDriving } = RULES[rules];
  const midnights = { from: Date.parse(day.from) / MINUTE_MS, to: Date.parse(day.to) / MINUTE_MS };
  const { from: midnight } = midnights;
  const mobiles = weighed?.mobiles ?? [];
  const others = mobiles.slice(1);
  const isBeforeFetched = mobiles.every(({ before }) => before !== undefined);
  const isBeforeKnown = mobiles.length > 0 && isBeforeFetched;
  const idsOf = (isFetched: boolean): readonly string[] =>
    others.flatMap(({ mobileId, trips }) => ((trips !== undefined) === isFetched ? [mobileId] : []));
  const otherUnknown = idsOf(false);

  const records = recordsOf(mobiles, isShared, shown, day, limit);
  const { choices, overlap } = choicesOf(records, midnight);
  const standing = { shortest: breaks.shortest, isHaltDriving };
  const scenarios = choices.map((chosen) => new Timeline(records, chosen, midnight, standing).activities());
  type Measure = (activities: readonly Activity[], duty: Duty) => number;
  const periodsOf = (active: number, restOf: number, measure: Measure): readonly (readonly DrivingPeriod[])[] =>
    scenarios.map((each) =>
      dutiesOf(each, active, restOf).flatMap((duty) =>
        duty.to > midnight ? [{ ...duty, minutes: measure(each, duty) }] : [],
      ),
    );
  const rangeOf = (least: Measure, greatest: Measure): readonly [number, DrivingPeriod] => [
    Math.min(...periodsOf(DRIVE, rest.possible, least).map((periods) => longestOf(periods).minutes)),
    longestOf(periodsOf(HALT, rest.certain, greatest).flat()),
  ];
  // All scenarios have the same first and last minute.
  const [[first, ...further] = []] = periodsOf(HALT, rest.certain, () => 0);
  if (first === undefined) return undefined;
  const last = further.at(-1) ?? first;
  const parts = scenarios.map((each) => partsOf(each, breaks.shortest));
  const values = {
    continuous: longestDriving(parts, breaks, midnight),
    duty: rangeOf(
      (each, duty) => spanOf(each, duty, hasRestWithinDuty),
      (_, { from, to }) => to - from,
    ),
    daily: rangeOf(
      (each, duty) => drivingOf(each, duty, true),
      (each, duty) => drivingOf(each, duty, false),
    ),
  };
  const knownFrom = isBeforeKnown ? midnight - DAY : midnight;
  const isRecorded = isBeforeFetched && otherUnknown.length === 0;
  const isRestKnown = isRecorded && isBeforeKnown;
  const isNoneBefore = isRestKnown && first.from >= midnight && mobiles.every(({ before }) => before?.length === 0);
  const figures = limits.map((each): RuledFigure => {
    const [minutes, { from, to, minutes: greater }] = values[each.kind];
    const ending = each.kind === 'continuous' ? breaks.whole : rest.certain;
    const isOpen = !isRecorded || first.from - knownFrom < ending || midnights.to - last.to < ending;
    return { ...each, least: minutes, most: greater, from, to, isOpen, mark: markOf(minutes, greater, each) };
  });
  return {
    rules,
    figures,
    /** Longest stand before a departure of the day; undefined if the driving before is not known. */
    rest: isNoneBefore
      ? { least: first.from - knownFrom, most: Infinity }
      : isRestKnown
        ? restBefore(scenarios, midnights)
        : undefined,
    /** Shortest pause that can count as a break, in minutes. */
    shortestBreak: breaks.shortest,
    /** Other mobiles of the person that are weighed, and those whose record is missing. */
    otherMobiles: idsOf(true),
    otherUnknown,
    /** Minute at which trips on two mobiles overlap first: one person cannot have driven both. */
    overlap,
    isNoPerson: weighed?.isNoPerson ?? false,
    isBeforeKnown,
    /** True if the record is known to have no trip in the 24 hours before 00:00. */
    isNoneBefore,
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
  const [own, ...others] = mobiles;
  return [
    recordOf(read(own?.before, dayBefore), shown, !isShared),
    ...others.map((other) => recordOf(read(other.before, dayBefore), read(other.trips, day), !other.isShared)),
  ];
}

function recordOf(before: DriverDay, of: DriverDay, isOfOneDriver: boolean): WeighedRecord {
  const trips = [...before.trips, ...of.trips];
  return { trips, breaks: breaksOf(trips, [...before.places, ...of.places]), isOfOneDriver };
}

function markOf(least: number, most: number, { usual, longest }: Limit): RuledFigure['mark'] {
  if (least > longest) return '▲';
  if (least > usual) return '△';
  return most > usual ? '?' : '';
}
