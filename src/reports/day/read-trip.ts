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
import {
  shownAverage,
  shownDistance,
  shownIdling,
  shownMinute,
  shownOverLimit,
  shownSpeed,
  shownTop,
} from './shown-figures.js';
import { partsAbove, splitAtSilence, type SpeedReading } from './speed-series.js';
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
  readonly speedLimitKmh: number;
  readonly leftOut: LeftOut;
}

/** A trip as it is judged, printed and drawn; it is not known yet whether it counts. */
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
  const { leftOut, speedLimitKmh, near } = reading;
  const start = timeOf(trip.start, reading.shown, leftOut);
  const end = timeOf(trip.end, reading.shown, leftOut);
  const track = readTrack(trip, near, leftOut);
  const speeds = track.filter(({ kmh }) => isPlausibleSpeed(kmh));
  leftOut.speeds += track.length - speeds.length;
  const figure = (value: number, isPlausible: (value: number) => boolean): number | null => {
    if (isPlausible(value)) return value;
    leftOut.figures += 1;
    return null;
  };
  const seconds = start === null || end === null ? null : figure((end - start) / 1000, isPlausibleDuration);
  const meters = figure(trip.distanceMeters, isPlausibleDistance);
  const idleSeconds = figure(trip.idleSeconds, isPlausibleDuration);
  const stops = figure(trip.stopCount, isPlausibleCount);
  const reported = figure(trip.maxSpeedKmh, isPlausibleSpeed);
  const shownStart = start === null ? null : shownMinute(start);
  const shownEnd = end === null ? null : shownMinute(end);
  const hectometers = meters === null ? null : shownDistance(meters);
  const minutes = seconds === null || shownStart === null || shownEnd === null ? null : shownEnd - shownStart;
  // What is longer than the trip does not count, and is shown as it came.
  const maxIdling = idleSeconds !== null && seconds !== null && idleSeconds > Math.ceil(seconds) ? Infinity : minutes;
  const idleMinutes = idleSeconds === null || maxIdling === null ? null : shownIdling(idleSeconds, maxIdling);
  const ofSpeeds = overLimit(speeds, speedLimitKmh);
  const top = shownTop(reported === null ? null : shownSpeed(reported, speedLimitKmh), ofSpeeds.top);
  return {
    facts: { start, end, seconds, meters, idleSeconds, shown: { start: shownStart, end: shownEnd } },
    // Each by its name: V8 makes a slow object of a copy to which so much is added.
    trip: {
      start: shownStart,
      end: shownEnd,
      hectometers,
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
      isOverLimit: top !== null && top.kmh > speedLimitKmh,
      overLimit: ofSpeeds.overLimit,
      speeds,
      partsOverLimit: ofSpeeds.parts,
    },
    fixes: { start: trip.start, end: trip.end, startTime: within(start, near), endTime: within(end, near), track },
  };
}

/** What the readings of a trip say about the limit; the chart draws these very parts. */
function overLimit(
  speeds: readonly SpeedReading[],
  limitKmh: number,
): {
  readonly top: number | null;
  readonly parts: DayTrip['partsOverLimit'];
  readonly overLimit: DayTrip['overLimit'];
} {
  let top = -1;
  for (const { kmh } of speeds) if (kmh > top) top = kmh;
  if (top <= limitKmh) {
    return { top: top < 0 ? null : shownSpeed(top, limitKmh), parts: [], overLimit: { stretches: 0, minutes: 0 } };
  }
  const parts = splitAtSilence(speeds).flatMap((stretch) => partsAbove(stretch, limitKmh));
  const milliseconds = parts.reduce((sum, part) => sum + (part.at(-1)?.time ?? 0) - (part[0]?.time ?? 0), 0);
  return {
    top: shownSpeed(top, limitKmh),
    parts,
    overLimit: { stretches: parts.length, minutes: shownOverLimit(milliseconds) },
  };
}

function readTrack(trip: ReportTrip, near: Span, leftOut: LeftOut): readonly TrackReading[] {
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
