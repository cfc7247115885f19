import type { Fix, ReportedTrip } from '../model.js';
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
import { isSpike, NEVER_OVER, overLimitOf, partsAbove, splitAtSilence, type SpeedLimit } from './speed-series.js';
import { isExcluded } from './track-check.js';
import { TrackReading, type TripFixes } from './trip-positions.js';

/** Day of a report in epoch milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly fetchedAt: number;
}

const DAY = 24 * 3_600_000;
/**
 * Time around the day of a report: a trip may begin on the day before or end on the day after, and a reading farther
 * away is a fault; the ends of trips of another day are shown, so that readers can identify that day.
 */
const MARGIN = { near: DAY, shown: 31 * DAY } as const;
/** Difference of clocks beyond which no trip begins after it was fetched. */
const AHEAD = 3_600_000;

/** Trip as read, before the decisions whether it counts and which of its places are true. */
export type ReadTrip = ReturnType<typeof readTrip>;

/** Measurement error of distances, which proves nothing about a trip of a few seconds. */
const TOLERANCE_METERS = 1_000;

/** Trip that is a move in a yard, or of a receiver. */
const BRIEF = { meters: 100, seconds: 60 } as const;

/** Reads a trip of the backend. Never throws: leaves out impossible data and counts it. */
export function readTrip(trip: ReportedTrip, day: Span, limit: SpeedLimit, leftOut: LeftOut) {
  const isAhead = Date.parse(trip.start.time) > day.fetchedAt + AHEAD;
  const [start, end] = [trip.start, trip.end].map((fix) =>
    timeOf(isAhead ? { ...fix, time: '' } : fix, day, MARGIN.shown, leftOut),
  ) as [number | null, number | null]; // of two times
  const track = readTrack(trip, day, leftOut);
  const fixes = {
    start: trip.start,
    end: trip.end,
    startTime: within(start ?? NaN, day, MARGIN.near),
    endTime: within(end ?? NaN, day, MARGIN.near),
    track,
    longestKnown: longestKnown(track),
  };
  const speeds = readSpeeds(fixes, limit.limitKmh);
  leftOut.speeds += fixes.track.length - speeds.count;
  const figure = (value: number, most: number): number | null => {
    if (isPlausible(value, most)) return value;
    leftOut.figures += 1;
    return null;
  };
  const seconds = start === null || end === null ? null : figure((end - start) / 1000, MAX_PLAUSIBLE_SECONDS);
  const idleSeconds = figure(trip.idleSeconds, Math.ceil(seconds ?? MAX_PLAUSIBLE_SECONDS));
  const farthest = seconds === null ? MAX_PLAUSIBLE_METERS : reach(seconds, idleSeconds ?? 0);
  const meters = figure(trip.distanceMeters, farthest);
  const stops = figure(Number.isInteger(trip.stopCount) ? trip.stopCount : NaN, MAX_PLAUSIBLE_COUNT);
  const maxSpeed = figure(trip.maxSpeedKmh, MAX_PLAUSIBLE_KMH);
  // The reported maximum may be the impossible reading itself.
  const isOfWrong = [...speeds.wrong].some(({ kmh }) => maxSpeed !== null && Math.abs(kmh - maxSpeed) <= 1);
  const reported = maxSpeed === null || isOfWrong ? null : shownSpeed(maxSpeed, limit.limitKmh);
  const shown = (time: number | null): number | null => (time === null ? null : shownMinute(time));
  const hectometers = meters === null ? null : shownDistance(meters);
  const minutes = seconds === null || start === null || end === null ? null : shownMinute(end) - shownMinute(start);
  const idleMinutes = idleSeconds === null || minutes === null ? null : shownIdling(idleSeconds, minutes);
  const highest = shownTop(reported, speeds.top);
  // A top speed of 0 km/h over a distance means that the speed was not measured.
  const top = highest?.kmh === 0 && (hectometers ?? 0) > 0 ? null : highest;
  const partsOverLimit =
    (speeds.top ?? 0) > limit.limitKmh ? speeds.stretches.flatMap((each) => partsAbove(each, limit.limitKmh)) : [];
  return {
    /** Readings whose speeds the places beside them exclude. */
    doubted: speeds.doubted,
    /** Reported times in epoch milliseconds; null if impossible. */
    start,
    end,
    /** Without minutes if it ends before its start or lasts longer than any trip does. */
    // Each property by name: V8 turns a spread with so many additions into a slow object.
    trip: {
      start: shown(start),
      end: shown(end),
      hectometers,
      minutes,
      idleMinutes,
      isBrief: meters !== null && meters < BRIEF.meters && seconds !== null && seconds < BRIEF.seconds,
      stops,
      top,
      average:
        hectometers === null || minutes === null || idleMinutes === null
          ? null
          : shownAverage(hectometers, minutes - idleMinutes, top?.kmh ?? MAX_PLAUSIBLE_KMH),
      isOverLimit: top !== null && top.kmh > limit.limitKmh,
      overLimit: partsOverLimit.length === 0 ? NEVER_OVER : overLimitOf(speeds.stretches, limit),
      stretches: speeds.stretches,
      track: fixes.track,
      longestKnown: fixes.longestKnown,
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

/**
 * Least and greatest limit of a silence in milliseconds: receivers lose the signal for shorter times in tunnels and
 * yards. In between, so many usual (median) intervals are one; fewer intervals have no usual one.
 */
const SILENCE = { least: 5 * 60_000, most: 60 * 60_000, timesUsual: 3, minIntervals: 3 } as const;

/** Returns the longest time between two readings that is no silence: a longer one is a gap on chart and route. */
function longestKnown(readings: readonly TrackReading[]): number {
  const intervals: number[] = [];
  let previous = Infinity;
  for (const { time } of readings) {
    if (time > previous) intervals.push(time - previous);
    previous = time;
  }
  if (intervals.length < SILENCE.minIntervals) return SILENCE.least;
  // Most tracks are dense, and this check is faster than sorting.
  if (intervals.every((interval) => interval * SILENCE.timesUsual <= SILENCE.least)) return SILENCE.least;
  intervals.sort((a, b) => a - b);
  const usual = intervals[(intervals.length - 1) >> 1] ?? 0;
  return Math.min(SILENCE.most, Math.max(SILENCE.least, SILENCE.timesUsual * usual));
}

/** Returns the possible speeds of a track; the top speed is null without any. */
function readSpeeds({ track, longestKnown: longest }: TripFixes, limitKmh: number) {
  const plausible = track.filter(({ kmh }) => isPlausible(kmh, MAX_PLAUSIBLE_KMH));
  const doubted: TrackReading[] = [];
  const wrong = new Set<TrackReading>();
  let before: TrackReading | undefined;
  for (const [index, reading] of plausible.entries()) {
    const after = plausible[index + 1];
    const isDoubted = isExcluded(before, reading, after);
    if (isDoubted) doubted.push(reading);
    if (isDoubted || isSpike(before, reading, after)) wrong.add(reading);
    before = reading;
  }
  const speeds = wrong.size === 0 ? plausible : plausible.filter((reading) => !wrong.has(reading));
  const top = speeds.reduce((greatest, { kmh }) => Math.max(greatest, kmh), -1);
  return {
    count: speeds.length,
    stretches: splitAtSilence(speeds, longest),
    top: top < 0 ? null : shownSpeed(top, limitKmh),
    /** Readings whose speeds the places beside them exclude, and all impossible ones. */
    doubted,
    wrong,
  };
}

function readTrack(trip: ReportedTrip, day: Span, leftOut: LeftOut): readonly TrackReading[] {
  const readings: TrackReading[] = [];
  let latest = -Infinity;
  let isInOrder = true;
  for (const point of trip.track) {
    const time = timeOf(point, day, MARGIN.near, leftOut);
    if (time === null) continue;
    isInOrder &&= time >= latest;
    latest = time;
    readings.push(new TrackReading(time, point.speedKmh, point.lat, point.lng));
  }
  // Most receivers report in order, and sorting sorted readings takes as long as reading them.
  if (!isInOrder) readings.sort((a, b) => a.time - b.time);
  return withoutRepeated(readings);
}

/** Leaves out readings of a time and place that stand before: networks deliver some twice. @param readings by time */
function withoutRepeated(readings: readonly TrackReading[]): readonly TrackReading[] {
  let places = new Set<string>();
  let previous: TrackReading | undefined;
  const isFirst = (reading: TrackReading): boolean => {
    const before = previous;
    previous = reading;
    if (before?.time !== reading.time) {
      if (places.size > 0) places = new Set();
      return true;
    }
    if (places.size === 0) places.add(placeOf(before));
    const { size } = places;
    return places.add(placeOf(reading)).size > size;
  };
  // Most tracks have no time twice, and are not copied.
  const isRepeated = readings.some(({ time }, index) => time === readings[index - 1]?.time);
  return isRepeated ? readings.filter(isFirst) : readings;
}

function placeOf({ lat, lng }: TrackReading): string {
  return `${lat} ${lng}`;
}

function timeOf(fix: Fix, day: Span, margin: number, leftOut: LeftOut): number | null {
  const time = within(Date.parse(fix.time), day, margin);
  if (time === null) leftOut.times += 1;
  return time;
}

function within(time: number, { from, to }: Span, margin: number): number | null {
  return time >= from - margin && time <= to + margin ? time : null;
}
