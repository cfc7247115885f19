import type { Fix, ReportTrip } from '../model.js';
import type { DrivingDay } from './report-date.js';
import { readInstant } from './instant.js';
import { isPlausibleCount, isPlausibleDistance, isPlausibleDuration, isPlausibleSpeed, LeftOut } from './plausible.js';
import type { TimedPosition } from './reachable.js';
import { tripPositions, type TripFixes, type TripPositions } from './trip-positions.js';

/** One trip as it is printed; null where the backend's figure cannot be true. Times are epoch milliseconds. */
export interface DayTrip {
  readonly start: number | null;
  readonly end: number | null;
  readonly startAddress: string | null;
  readonly endAddress: string | null;
  readonly meters: number | null;
  readonly seconds: number | null;
  readonly idleSeconds: number | null;
  readonly stops: number | null;
  readonly topKmh: number | null;
  readonly averageKmh: number | null;
  /** Speeds in order of time. */
  readonly speeds: readonly SpeedReading[];
}

/** A speed and the epoch milliseconds at which it was measured. */
export interface SpeedReading {
  readonly time: number;
  readonly kmh: number;
}

/** The figures of a day, summed over its trips; what is not known of a trip counts nothing. */
export interface DayTotals {
  readonly trips: number;
  readonly meters: number;
  readonly seconds: number;
  readonly idleSeconds: number;
  readonly stops: number;
  readonly topKmh: number | null;
  readonly averageKmh: number | null;
  readonly tripsOverLimit: number;
}

/** A driver's day with everything impossible removed, in order of time. */
export interface DriverDay {
  readonly trips: readonly DayTrip[];
  /** Where each trip is drawn. */
  readonly positions: readonly TripPositions[];
  readonly totals: DayTotals;
  readonly leftOut: LeftOut;
}

/** A trip may begin on the day before or end on the day after; a time farther away is a fault. */
const NEIGHBOURING_DAY = 24 * 3600 * 1000;

/** Checks and totals the trips of a driver. Never throws: what cannot be true is left out and counted. */
export function readDriverDay(trips: readonly ReportTrip[], day: DrivingDay, speedLimitKmh: number): DriverDay {
  const leftOut = new LeftOut();
  const earliest = Date.parse(day.from) - NEIGHBOURING_DAY;
  const latest = Date.parse(day.to) + NEIGHBOURING_DAY;
  const timeOf = (fix: Fix): number | null => {
    const time = readInstant(fix.time);
    if (time >= earliest && time <= latest) return time;
    leftOut.times += 1;
    return null;
  };
  const read = trips
    .map((trip) => readTrip(trip, timeOf, leftOut))
    .sort((a, b) => (a.trip.start ?? Infinity) - (b.trip.start ?? Infinity) || 0);
  const dayTrips = read.map(({ trip }) => trip);
  const positions = tripPositions(
    read.map(({ fixes }) => fixes),
    leftOut,
  );
  return { trips: dayTrips, positions, totals: totalsOf(dayTrips, speedLimitKmh), leftOut };
}

function readTrip(
  trip: ReportTrip,
  timeOf: (fix: Fix) => number | null,
  leftOut: LeftOut,
): { readonly trip: DayTrip; readonly fixes: TripFixes } {
  const start = timeOf(trip.start);
  const end = timeOf(trip.end);
  const track = readTrack(trip, timeOf);
  const speeds = track.filter(({ kmh }) => isPlausibleSpeed(kmh));
  leftOut.speeds += track.length - speeds.length;
  const figure = (value: number, isPlausible: (value: number) => boolean): number | null => {
    if (isPlausible(value)) return value;
    leftOut.figures += 1;
    return null;
  };
  const seconds = start === null || end === null ? null : figure((end - start) / 1000, isPlausibleDuration);
  const meters = figure(trip.distanceMeters, isPlausibleDistance);
  return {
    trip: {
      start,
      end,
      startAddress: trip.startAddress,
      endAddress: trip.endAddress,
      meters,
      seconds,
      idleSeconds: figure(trip.idleSeconds, isPlausibleDuration),
      stops: figure(trip.stopCount, isPlausibleCount),
      topKmh: figure(trip.maxSpeedKmh, isPlausibleSpeed),
      averageKmh: averageOf(meters, seconds),
      speeds,
    },
    fixes: { start: trip.start, end: trip.end, startTime: start, endTime: end, track },
  };
}

function readTrack(trip: ReportTrip, timeOf: (fix: Fix) => number | null): readonly (SpeedReading & TimedPosition)[] {
  const readings: (SpeedReading & TimedPosition)[] = [];
  let latest = -Infinity;
  let isInOrder = true;
  for (const point of trip.track) {
    const time = timeOf(point);
    if (time === null) continue;
    isInOrder &&= time >= latest;
    latest = time;
    readings.push({ time, kmh: point.speedKmh, lat: point.lat, lng: point.lng });
  }
  // Most receivers report in order, and sorting what is sorted takes as long as reading it.
  if (!isInOrder) readings.sort((a, b) => a.time - b.time);
  return readings;
}

function totalsOf(trips: readonly DayTrip[], speedLimitKmh: number): DayTotals {
  const sum = (value: (trip: DayTrip) => number | null): number =>
    trips.reduce((total, trip) => total + (value(trip) ?? 0), 0);
  // A trip of which only one of the two is known would falsify the average.
  const measured = trips.filter(({ meters, seconds }) => meters !== null && seconds !== null);
  const measuredSum = (key: 'meters' | 'seconds'): number =>
    measured.reduce((total, trip) => total + (trip[key] ?? 0), 0);
  const tops = trips.flatMap(({ topKmh }) => (topKmh === null ? [] : [topKmh]));
  return {
    trips: trips.length,
    meters: sum(({ meters }) => meters),
    seconds: sum(({ seconds }) => seconds),
    idleSeconds: sum(({ idleSeconds }) => idleSeconds),
    stops: sum(({ stops }) => stops),
    topKmh: tops.length === 0 ? null : tops.reduce((top, kmh) => Math.max(top, kmh)),
    averageKmh: averageOf(measuredSum('meters'), measuredSum('seconds')),
    tripsOverLimit: tops.filter((kmh) => kmh > speedLimitKmh).length,
  };
}

function averageOf(meters: number | null, seconds: number | null): number | null {
  if (meters === null || seconds === null || seconds === 0) return null;
  const kmh = (meters / seconds) * 3.6;
  return isPlausibleSpeed(kmh) ? kmh : null;
}
