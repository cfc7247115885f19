import type { DriverOutcome, ReportedTrip } from '../model.js';
import { breaksOf, type DriverDay, readDriverDay } from './driver-day.js';
import { type DrivingRules, judgeDuty, type RuledDay } from './driving-rules.js';
import type { DrivingDay } from './report-date.js';
import type { WeighedRecord } from './rules-timeline.js';
import type { SpeedLimit } from './speed-series.js';

/** Result of the rules for the person of a page, and the facts that limit it. */
export interface WeighedPerson {
  readonly ruled: RuledDay;
  /** Other mobiles of the person. */
  readonly otherMobiles: readonly string[];
  readonly isNoPerson: boolean;
  readonly isBeforeKnown: boolean;
  readonly isOtherKnown: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;

/** Weighs the duties of the person of a page by the rules; undefined without rules or driving. */
export function weighPerson(
  rules: DrivingRules,
  { isShared = false, weighed }: Extract<DriverOutcome, { kind: 'day' }>,
  shown: DriverDay,
  day: DrivingDay,
  limit: SpeedLimit,
): WeighedPerson | undefined {
  if (rules === 'off') return undefined;
  const midnight = Date.parse(day.from);
  const dayBefore = {
    ...day,
    from: new Date(midnight - DAY_MS).toISOString(),
    to: day.from,
    beforeFrom: midnight - 2 * DAY_MS,
  };
  const mobiles = weighed?.mobiles ?? [];
  const [own, ...others] = mobiles;
  const read = (trips: readonly ReportedTrip[] | undefined, of: DrivingDay): DriverDay => {
    const addressed = trips?.map((trip) => ({ ...trip, startAddress: null, endAddress: null }));
    return readDriverDay(addressed ?? [], of, limit);
  };
  const recordOf = (before: DriverDay, of: DriverDay, isOfOneDriver: boolean): WeighedRecord => {
    const trips = [...before.trips, ...of.trips];
    return { trips, breaks: breaksOf(trips, [...before.places, ...of.places]), isOfOneDriver };
  };
  const records = [
    recordOf(read(own?.before, dayBefore), shown, !isShared),
    ...others.map((other) => recordOf(read(other.before, dayBefore), read(other.trips, day), !other.isShared)),
  ];
  const isBeforeKnown =
    mobiles.every((each) => each.before !== undefined) && mobiles.some(({ before }) => before?.length !== 0);
  const isOtherKnown = others.every(({ trips }) => trips !== undefined);
  const minutes = { from: midnight / MINUTE_MS, to: Date.parse(day.to) / MINUTE_MS };
  const ruled = judgeDuty(rules, { day: minutes, records, isBeforeKnown, isWhole: isOtherKnown });
  if (ruled === undefined) return undefined;
  return {
    ruled,
    otherMobiles: others.map(({ mobileId }) => mobileId),
    isNoPerson: weighed?.isNoPerson ?? false,
    isBeforeKnown,
    isOtherKnown,
  };
}
