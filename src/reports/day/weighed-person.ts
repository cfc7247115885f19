import type { DrivingRules } from '../../base/config/config.js';
import type { DayFacts, PersonMobile, ReportedTrip } from '../model.js';
import { breaksOf, type DriverDay, driverDay, readTrips } from './driver-day.js';
import { isCounted } from './day-trip.js';
import { distanceBetween } from './earth.js';
import { type Limit, type RuledFigure, RULES } from './driving-rules.js';
import {
  DIVIDED_REST,
  drivingOf,
  type Duty,
  dutiesOf,
  isDriving,
  isWork,
  partsOf,
  restBefore,
  spanOf,
} from './duties.js';
import type { DrivingDay } from './report-date.js';
import { type DrivingPeriod, longestDriving, longestOf } from './rules-breaks.js';
import { type Activity, choicesOf, Timeline, type WeighedRecord } from './rules-timeline.js';
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
  const { limits, breaks, rest, hasRestWithinDuty, isDivided } = RULES[rules];
  const midnights = { from: Date.parse(day.from) / MINUTE_MS, to: Date.parse(day.to) / MINUTE_MS };
  const { from: midnight } = midnights;
  const mobiles = weighed?.mobiles ?? [];
  const others = mobiles.slice(1);
  const isBeforeFetched = mobiles.every(({ before }) => before !== undefined);
  const isBeforeKnown = mobiles.length > 0 && isBeforeFetched;
  const idsOf = (isFetched: boolean): readonly string[] =>
    others.flatMap(({ mobileId, trips }) => ((trips !== undefined) === isFetched ? [mobileId] : []));
  const otherUnknown = idsOf(false);
  const knownFrom = isBeforeKnown ? midnight - DAY : midnight;
  const knownTo = Math.min(midnights.to, Math.floor(day.fetchedAt / MINUTE_MS));
  const isRecorded = isBeforeFetched && otherUnknown.length === 0;
  const isRestKnown = isRecorded && isBeforeKnown;

  const weigh = (records: readonly WeighedRecord[]) => {
    const { choices, overlap } = choicesOf(records, midnight);
    const scenarios = choices.map((chosen) => new Timeline(records, chosen, midnight, RULES[rules]).activities());
    type Measure = (activities: readonly Activity[], duty: Duty) => number;
    const periodsOf = (isActive: typeof isWork, restOf: number, measure: Measure) =>
      scenarios.map((each) =>
        dutiesOf(each, isActive, restOf).map((duty) => ({ ...duty, minutes: measure(each, duty) })),
      );
    const ofDay = (periods: readonly DrivingPeriod[]) => periods.filter(({ to }) => to > midnight);
    const rangeOf = (least: Measure, greatest: Measure): readonly [number, DrivingPeriod] => [
      Math.min(...periodsOf(isDriving, rest.possible, least).map((periods) => longestOf(ofDay(periods)).minutes)),
      longestOf(ofDay(periodsOf(isWork, rest.certain, greatest).flat())),
    ];
    const driving: Measure = (each, duty) => drivingOf(each, duty, false);
    // All scenarios have the same first and last minute.
    const duties = periodsOf(isWork, rest.certain, driving);
    const [first, ...further] = ofDay(duties[0] ?? []);
    if (first === undefined) return undefined;
    const last = further.at(-1) ?? first;
    const parts = scenarios.map((each) => partsOf(each, breaks.shortest));
    const values = {
      continuous: longestDriving(parts, breaks, midnight),
      duty: rangeOf(
        (each, duty) => spanOf(each, duty, hasRestWithinDuty),
        (_, { from, to }) => to - from,
      ),
      daily: rangeOf((each, duty) => drivingOf(each, duty, true), driving),
    };
    const isNoneBefore = isRestKnown && first.from >= midnight && mobiles.every(({ before }) => before?.length === 0);
    const before = duties.flat().filter(({ from, to }) => isRestKnown && from > knownFrom && to <= midnight);
    const figures = limits.flatMap((each): RuledFigure[] => {
      const { kind, usual, longest } = each;
      if (kind === 'rest') {
        const { least, most, possible } = isNoneBefore
          ? { least: first.from - knownFrom, most: Infinity, possible: Infinity }
          : restBefore(scenarios, midnights, isDivided);
        const mark = least >= usual ? '' : possible < longest ? '▲' : possible < usual ? '△' : '?';
        const figure = { ...each, least, most, from: 0, to: 0, isOpen: false, isOfGap: false, mark } as const;
        return isRestKnown && (most >= DIVIDED_REST || mark === '▲') ? [figure] : [];
      }
      const [least, { from, to, minutes: most }] = values[kind];
      const ending = kind === 'continuous' ? breaks.whole : rest.certain;
      const isOpen = !isRecorded || first.from - knownFrom < ending || knownTo - last.to < ending;
      // Beyond twice the limit, no other day makes up for it.
      const hasMean = longest === 2 * usual && before.length > 0;
      const mean = hasMean ? Math.ceil((most + longestOf(before).minutes) / 2) : undefined;
      const mark = mean !== undefined && mean <= usual ? '' : markOf(least, most, each);
      return [{ ...each, least, most, from, to, isOpen, isOfGap: false, mark, mean }];
    });
    return { figures, overlap, isNoneBefore };
  };

  const [own, ...records] = recordsOf(mobiles, isShared, shown, day, limit);
  const found = own && weigh([own, ...records]);
  if (own === undefined || found === undefined) return undefined;
  const departure = shown.trips.find(isCounted)?.start;
  const gapBefore = own.breaks.find(({ gap, to }) => gap !== undefined && to === departure);
  const withoutGap = { ...own, breaks: own.breaks.filter((each) => each !== gapBefore) };
  const without = gapBefore && weigh([withoutGap, ...records]);
  const [begin, end] = [shown.places[0]?.start, shown.places.at(-1)?.end];
  return {
    rules,
    figures: found.figures.map((figure): RuledFigure => {
      const other = without?.figures.find(({ kind }) => kind === figure.kind);
      return { ...figure, isOfGap: figure.mark === '?' && other?.mark === '' };
    }),
    /** Distance of the day, and of its end from its begin in meters, if that is known. */
    way: { totals: shown.totals, away: begin && end && distanceBetween(begin, end) },
    /** Gap in the record before the first trip of the day. */
    gapBefore,
    /** Shortest pause that can count as a break, in minutes. */
    shortestBreak: breaks.shortest,
    /** Other mobiles of the person that are weighed, and those whose record is missing. */
    otherMobiles: idsOf(true),
    otherUnknown,
    /** Minute at which trips on two mobiles overlap first: one person cannot have driven both. */
    overlap: found.overlap,
    isNoPerson: weighed?.isNoPerson ?? false,
    isBeforeKnown,
    /** True if the record is known to have no trip in the 24 hours before 00:00. */
    isNoneBefore: found.isNoneBefore,
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
