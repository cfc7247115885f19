import type { Fix, ReportTrip } from '../model.js';
import type { DayTrip } from './day-trip.js';
import {
  isPlausibleCount,
  isPlausibleDistance,
  isPlausibleDuration,
  isPlausibleSpeed,
  MAX_PLAUSIBLE_KMH,
  type LeftOut,
} from './plausible.js';
import { readInstant } from './instant.js';
import type { TimedPosition } from './reachable.js';
import { shownAverage, shownDistance, shownIdling, shownMinute, shownSpeed, shownTop } from './shown-figures.js';
import { longestKnown } from './silence.js';
import {
  isSpike,
  NEVER_OVER,
  overLimitOf,
  partsAbove,
  splitAtSilence,
  type SpeedLimit,
  type SpeedReading,
  type SpeedStretch,
} from './speed-series.js';
import type { TripFacts } from './standing.js';
import type { TripFixes } from './trip-positions.js';

/** The moments between which a report can show a time or a position; epoch milliseconds. */
export interface Span {
  readonly earliest: number;
  readonly latest: number;
}

/** What a report is read with. */
export interface Reading {
  /** Readings of a track lie between these. */
  readonly near: Span;
  /** Ends of trips are shown between these, so that one of another day can be told. */
  readonly shown: Span;
  readonly limit: SpeedLimit;
  readonly leftOut: LeftOut;
}

/** A trip as it is judged, printed and drawn; it is not known yet whether it counts, and where it led. */
export interface ReadTrip {
  readonly facts: TripFacts;
  readonly trip: Omit<DayTrip, 'standing'>;
  readonly fixes: TripFixes;
}

/** A class: V8 takes literals that outlive a collection for long-lived ones, and these are gone a page later. */
class TrackReading implements SpeedReading, TimedPosition {
  constructor(
    readonly time: number,
    readonly kmh: number,
    readonly lat: number,
    readonly lng: number,
  ) {}
}

/** Reads a trip of the backend. Never throws: what cannot be true is left out and counted. */
export function readTrip(trip: ReportTrip, reading: Reading): ReadTrip {
  const { leftOut, limit } = reading;
  const start = timeOf(trip.start, reading.shown, leftOut);
  const end = timeOf(trip.end, reading.shown, leftOut);
  const fixes = readFixes(trip, reading.near, leftOut);
  const speeds = readSpeeds(fixes.track, limit.limitKmh);
  leftOut.speeds += fixes.track.length - speeds.count;
  const figure = (value: number, isPlausible: (value: number) => boolean): number | null => {
    if (isPlausible(value)) return value;
    leftOut.figures += 1;
    return null;
  };
  const seconds = start === null || end === null ? null : figure((end - start) / 1000, isPlausibleDuration);
  const meters = figure(trip.distanceMeters, isPlausibleDistance);
  const idleSeconds = figure(trip.idleSeconds, isPlausibleDuration);
  const stops = figure(trip.stopCount, isPlausibleCount);
  const maxSpeed = figure(trip.maxSpeedKmh, isPlausibleSpeed);
  // The vehicle's own maximum may be the very reading that cannot be true.
  const isOfSpike = speeds.spikes.some((kmh) => maxSpeed !== null && Math.abs(kmh - maxSpeed) <= 1);
  const reported = maxSpeed === null || isOfSpike ? null : shownSpeed(maxSpeed, limit.limitKmh);
  const shownStart = start === null ? null : shownMinute(start);
  const shownEnd = end === null ? null : shownMinute(end);
  const hectometers = meters === null ? null : shownDistance(meters);
  const minutes = seconds === null || shownStart === null || shownEnd === null ? null : shownEnd - shownStart;
  // What is longer than the trip does not count, and is shown as it came.
  const maxIdling = idleSeconds !== null && seconds !== null && idleSeconds > Math.ceil(seconds) ? Infinity : minutes;
  const idleMinutes = idleSeconds === null || maxIdling === null ? null : shownIdling(idleSeconds, maxIdling);
  const highest = shownTop(reported, speeds.top);
  // Nobody gets anywhere at 0 km/h: nothing measured the speed.
  const top = highest?.kmh === 0 && (hectometers ?? 0) > 0 ? null : highest;
  const partsOverLimit =
    (speeds.top ?? 0) > limit.limitKmh ? speeds.stretches.flatMap((each) => partsAbove(each, limit.limitKmh)) : [];
  return {
    facts: { start, end, seconds, meters, idleSeconds, shown: { start: shownStart, end: shownEnd } },
    // Each by its name: V8 makes a slow object of a copy to which so much is added.
    trip: {
      start: shownStart,
      end: shownEnd,
      hectometers,
      isShort: false,
      startAddress: trip.startAddress,
      endAddress: trip.endAddress,
      minutes,
      idleMinutes,
      stops,
      top,
      average:
        hectometers === null || minutes === null || idleMinutes === null
          ? null
          : shownAverage(hectometers, minutes - idleMinutes, top?.kmh ?? MAX_PLAUSIBLE_KMH),
      isOverLimit: top !== null && top.kmh > limit.limitKmh,
      overLimit: partsOverLimit.length === 0 ? NEVER_OVER : overLimitOf(partsOverLimit, limit),
      stretches: speeds.stretches,
      partsOverLimit,
    },
    fixes,
  };
}

/** What of a trip tells where it led. */
export type TripWay = Pick<ReportTrip, 'start' | 'end' | 'track'>;

/** Where a trip says it led. */
export function readFixes(
  trip: TripWay,
  near: Span,
  leftOut: LeftOut,
): TripFixes & { readonly track: readonly TrackReading[] } {
  const { start, end } = trip;
  return {
    start,
    end,
    startTime: within(readInstant(start.time), near),
    endTime: within(readInstant(end.time), near),
    track: readTrack(trip, near, leftOut),
  };
}

/** The speeds of a track, without those that cannot be true. */
interface TrackSpeeds {
  readonly count: number;
  readonly stretches: readonly SpeedStretch[];
  /** As it is shown; null without a speed. */
  readonly top: number | null;
  /** Speeds of readings that no vehicle can have had, in km/h. */
  readonly spikes: readonly number[];
}

function readSpeeds(track: readonly TrackReading[], limitKmh: number): TrackSpeeds {
  const plausible = track.filter(({ kmh }) => isPlausibleSpeed(kmh));
  const isKept = (reading: SpeedReading, index: number): boolean =>
    !isSpike(plausible[index - 1], reading, plausible[index + 1]);
  const speeds = plausible.every(isKept) ? plausible : plausible.filter(isKept);
  const kept = speeds.length === plausible.length ? undefined : new Set(speeds);
  let top = -1;
  for (const { kmh } of speeds) if (kmh > top) top = kmh;
  return {
    count: speeds.length,
    stretches: splitAtSilence(speeds, longestKnown(track)),
    top: top < 0 ? null : shownSpeed(top, limitKmh),
    spikes: kept === undefined ? [] : plausible.filter((reading) => !kept.has(reading)).map(({ kmh }) => kmh),
  };
}

function readTrack(trip: TripWay, near: Span, leftOut: LeftOut): readonly TrackReading[] {
  const readings: TrackReading[] = [];
  let latest = -Infinity;
  let isInOrder = true;
  for (const point of trip.track) {
    const time = timeOf(point, near, leftOut);
    if (time === null) continue;
    isInOrder &&= time >= latest;
    latest = time;
    readings.push(new TrackReading(time, point.speedKmh, point.lat, point.lng));
  }
  // Most receivers report in order, and sorting what is sorted takes as long as reading it.
  if (!isInOrder) readings.sort((a, b) => a.time - b.time);
  return readings;
}

function timeOf(fix: Fix, span: Span, leftOut: LeftOut): number | null {
  const time = within(readInstant(fix.time), span);
  if (time === null) leftOut.times += 1;
  return time;
}

function within(time: number | null, { earliest, latest }: Span): number | null {
  return time !== null && time >= earliest && time <= latest ? time : null;
}
