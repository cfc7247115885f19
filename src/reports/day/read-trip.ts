import type { Fix, ReportTrip } from '../model.js';
import type { DayTrip } from './day-trip.js';
import {
  isPlausible,
  type LeftOut,
  MAX_PLAUSIBLE_AVERAGE_KMH,
  MAX_PLAUSIBLE_COUNT,
  MAX_PLAUSIBLE_KMH,
  MAX_PLAUSIBLE_METERS,
  MAX_PLAUSIBLE_SECONDS,
} from './plausible.js';
import { shownAverage, shownDistance, shownIdling, shownMinute, shownSpeed, shownTop } from './shown-figures.js';
import {
  isSpike,
  NEVER_OVER,
  overLimitOf,
  partsAbove,
  splitAtSilence,
  type SpeedLimit,
  type SpeedReading,
} from './speed-series.js';
import type { TripFacts } from './verdict.js';
import { isExcluded } from './track-check.js';
import { TrackReading, type TripFixes } from './trip-positions.js';

/** Time range in which a report can show a time or a position; epoch milliseconds. */
export interface Span {
  readonly earliest: number;
  readonly latest: number;
}

/** Settings and counters for reading a report. */
export interface Reading {
  /** Range of valid readings of a track. */
  readonly near: Span;
  /** Range in which ends of trips are shown, so that readers can identify another day. */
  readonly shown: Span;
  readonly limit: SpeedLimit;
  readonly leftOut: LeftOut;
}

/** Trip as read, before the decisions whether it counts and which of its places are true. */
export interface ReadTrip {
  readonly facts: TripFacts;
  /** Readings whose speeds the places beside them exclude. */
  readonly doubted: readonly SpeedReading[];
  readonly trip: Omit<DayTrip, 'verdict'>;
  readonly fixes: TripFixes;
}

/** Measurement error of distances, which proves nothing about a trip of a few seconds. */
const TOLERANCE_METERS = 1_000;

/** Reads a trip of the backend. Never throws: leaves out impossible data and counts it. */
export function readTrip(trip: ReportTrip, reading: Reading): ReadTrip {
  const { leftOut, limit } = reading;
  const start = timeOf(trip.start, reading.shown, leftOut);
  const end = timeOf(trip.end, reading.shown, leftOut);
  const fixes = readFixes(trip, reading.near, leftOut, [start ?? NaN, end ?? NaN]);
  const speeds = readSpeeds(fixes, limit.limitKmh);
  leftOut.speeds += fixes.track.length - speeds.count;
  const figure = (value: number, most: number): number | null => {
    if (isPlausible(value, most)) return value;
    leftOut.figures += 1;
    return null;
  };
  const seconds = start === null || end === null ? null : figure((end - start) / 1000, MAX_PLAUSIBLE_SECONDS);
  const idleSeconds = figure(trip.idleSeconds, seconds === null ? MAX_PLAUSIBLE_SECONDS : Math.ceil(seconds));
  const meters = figure(
    trip.distanceMeters,
    seconds === null ? MAX_PLAUSIBLE_METERS : reach(seconds, idleSeconds ?? 0),
  );
  const stops = figure(Number.isInteger(trip.stopCount) ? trip.stopCount : NaN, MAX_PLAUSIBLE_COUNT);
  const maxSpeed = figure(trip.maxSpeedKmh, MAX_PLAUSIBLE_KMH);
  // The reported maximum may be the impossible reading itself.
  const isOfWrong = [...speeds.wrong].some(({ kmh }) => maxSpeed !== null && Math.abs(kmh - maxSpeed) <= 1);
  const reported = maxSpeed === null || isOfWrong ? null : shownSpeed(maxSpeed, limit.limitKmh);
  const shownStart = start === null ? null : shownMinute(start);
  const shownEnd = end === null ? null : shownMinute(end);
  const hectometers = meters === null ? null : shownDistance(meters);
  const minutes = seconds === null || shownStart === null || shownEnd === null ? null : shownEnd - shownStart;
  const idleMinutes = idleSeconds === null || minutes === null ? null : shownIdling(idleSeconds, minutes);
  const highest = shownTop(reported, speeds.top);
  // A top speed of 0 km/h over a distance means that the speed was not measured.
  const top = highest?.kmh === 0 && (hectometers ?? 0) > 0 ? null : highest;
  const partsOverLimit =
    (speeds.top ?? 0) > limit.limitKmh ? speeds.stretches.flatMap((each) => partsAbove(each, limit.limitKmh)) : [];
  return {
    doubted: speeds.doubted,
    facts: { start, end, isPossible: seconds !== null, shown: { start: shownStart, end: shownEnd } },
    // Each property by name: V8 turns a spread with so many additions into a slow object.
    trip: {
      start: shownStart,
      end: shownEnd,
      hectometers,
      unsupported: [],
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
      overLimit: partsOverLimit.length === 0 ? NEVER_OVER : overLimitOf(speeds.stretches, limit),
      stretches: speeds.stretches,
      partsOverLimit,
    },
    fixes,
  };
}

/** Returns the distance beyond which a trip is too fast, in meters. */
function reach(seconds: number, idleSeconds: number): number {
  const driving = Math.max(0, seconds - idleSeconds);
  return Math.min(MAX_PLAUSIBLE_METERS, TOLERANCE_METERS + (driving * MAX_PLAUSIBLE_AVERAGE_KMH) / 3.6);
}

/** Positions of a trip. */
export type TripWay = Pick<ReportTrip, 'start' | 'end' | 'track'>;

/** Reads the reported positions of a trip. @param times of its ends if they are read, epoch milliseconds or NaN */
export function readFixes(
  trip: TripWay,
  near: Span,
  leftOut: LeftOut,
  [from, to] = [Date.parse(trip.start.time), Date.parse(trip.end.time)],
): TripFixes {
  const { start, end } = trip;
  const track = readTrack(trip, near, leftOut);
  const [startTime, endTime] = [within(from, near), within(to, near)];
  return { start, end, startTime, endTime, track, longestKnown: longestKnown(track) };
}

/** Minimum length of a silence; in tunnels and yards, receivers lose the signal for shorter times. */
const MIN_SILENCE_MS = 5 * 60_000;
/** Time without a reading that is a silence at any reporting interval. */
const MAX_SILENCE_MS = 60 * 60_000;
/** Number of usual intervals that make a silence. */
const TIMES_USUAL = 3;
/** Minimum number of intervals for a usual one. */
const MIN_INTERVALS = 3;

/**
 * Returns the longest time between two readings of a track that is not a silence, in milliseconds: three times the
 * usual (median) interval of that track, at least five minutes and at most an hour. A longer one is a gap on the chart
 * and a dashed line on the route.
 *
 * @param readings in order of time, epoch milliseconds
 */
function longestKnown(readings: readonly { readonly time: number }[]): number {
  const intervals: number[] = [];
  for (let index = 1; index < readings.length; index += 1) {
    const interval = (readings[index]?.time ?? 0) - (readings[index - 1]?.time ?? 0);
    if (interval > 0) intervals.push(interval);
  }
  if (intervals.length < MIN_INTERVALS) return MIN_SILENCE_MS;
  // Most tracks are dense, and this check is faster than sorting.
  if (intervals.every((interval) => interval * TIMES_USUAL <= MIN_SILENCE_MS)) return MIN_SILENCE_MS;
  intervals.sort((a, b) => a - b);
  const usual = intervals[(intervals.length - 1) >> 1] ?? 0;
  return Math.min(MAX_SILENCE_MS, Math.max(MIN_SILENCE_MS, TIMES_USUAL * usual));
}

/** Returns the possible speeds of a track; the top speed is null without any. */
function readSpeeds({ track, longestKnown: longest }: TripFixes, limitKmh: number) {
  const plausible = track.filter(({ kmh }) => isPlausible(kmh, MAX_PLAUSIBLE_KMH));
  const doubted: TrackReading[] = [];
  const wrong = new Set<TrackReading>();
  let before: TrackReading | undefined;
  let reading = plausible[0];
  for (let next = 1; reading !== undefined; next += 1) {
    const after = plausible[next];
    const isDoubted = isExcluded(before, reading, after);
    if (isDoubted) doubted.push(reading);
    if (isDoubted || isSpike(before, reading, after)) wrong.add(reading);
    before = reading;
    reading = after;
  }
  const speeds = wrong.size === 0 ? plausible : plausible.filter((reading) => !wrong.has(reading));
  let top = -1;
  for (const { kmh } of speeds) if (kmh > top) top = kmh;
  return {
    count: speeds.length,
    stretches: splitAtSilence(speeds, longest),
    top: top < 0 ? null : shownSpeed(top, limitKmh),
    /** Readings whose speeds the places beside them exclude, and all impossible ones. */
    doubted,
    wrong,
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
  // Most receivers report in order, and sorting sorted readings takes as long as reading them.
  if (!isInOrder) readings.sort((a, b) => a.time - b.time);
  return readings;
}

function timeOf(fix: Fix, span: Span, leftOut: LeftOut): number | null {
  const time = within(Date.parse(fix.time), span);
  if (time === null) leftOut.times += 1;
  return time;
}

function within(time: number | undefined = NaN, { earliest, latest }: Span): number | null {
  return time >= earliest && time <= latest ? time : null;
}
