import type { DayTrip, Unsupported } from './day-trip.js';
import { distanceBetween, METERS_PER_DEGREE, nearestLongitude } from './earth.js';
import { isPlausible, MAX_PLAUSIBLE_KMH } from './plausible.js';
import type { SpeedReading } from './speed-series.js';
import type { TrackReading, TripFixes, TripPlaces } from './trip-positions.js';

/** Largest ratio of two figures for one thing; units that are mixed up differ by more. */
const MAX_RATIO = 1.5;
const TOLERANCE = { lineMeters: 200, meters: 1_000, minutes: 30 } as const;
/** Time without readings that is marked. */
const MARKED_SILENCE = 60;
/** Longest interval of a track that shows each bend, and usual one of speeds that make its way, in milliseconds. */
const DENSE = { ways: 120_000, speeds: 30_000 } as const;
/** Number of intervals from which speeds between bends and lights have a mean. */
const MANY = 20;

/**
 * Returns the figures of a trip that its track does not support; none if track and figures agree.
 *
 * @param others impossible readings of the trip, and whether any trip of the day has readings
 */
export function unsupported(
  { hectometers, minutes, idleMinutes }: Pick<DayTrip, 'hectometers' | 'minutes' | 'idleMinutes'>,
  { startTime, endTime, longestKnown }: TripFixes,
  { track, start, end }: TripPlaces,
  others: { readonly doubted: readonly SpeedReading[]; readonly isTracked: boolean },
): readonly Unsupported[] {
  const { doubted, isTracked } = others;
  const way = wayOf(track, longestKnown, [startTime, endTime]);
  const line = start === undefined || end === undefined ? 0 : distanceBetween(start, end);
  const found: Unsupported[] = [];
  if (hectometers !== null) {
    const meters = hectometers * 100;
    const isComplete = way.intervals > 1 && way.longest <= DENSE.ways;
    if (exceeds(way.meters, meters) || (isComplete && exceeds(meters, way.meters))) {
      found.push({ figure: 'distance', way: Math.round(way.meters / 100), isLine: false });
    } else if (line > meters + TOLERANCE.lineMeters) {
      found.push({ figure: 'distance', way: Math.round(line / 100), isLine: true });
    }
  }
  if (minutes !== null && idleMinutes !== null && track.length > 1) {
    const driving = minutes - idleMinutes;
    const [least, most] = [Math.round(way.moving / 60_000), minutes - Math.round(way.halts / 60_000)];
    const isMost = driving > MAX_RATIO * most + TOLERANCE.minutes;
    if (isMost || least > MAX_RATIO * driving + TOLERANCE.minutes)
      found.push({ figure: 'driving', moving: isMost ? most : least, isMost });
  }
  // A day without any track says so at its chart.
  const silence = Math.floor(way.silence / 60_000);
  if (silence >= MARKED_SILENCE && isTracked) found.push({ figure: 'silence', minutes: silence });
  if (doubted.length > 0) {
    const kmh = Math.round(Math.max(...doubted.map((reading) => reading.kmh)));
    return [...found, { figure: 'top', readings: doubted.length, kmh }];
  }
  const isSlow = way.intervals >= MANY && exceeds(way.knownMeters, way.speedMeters);
  const isFast = way.known <= DENSE.speeds * way.intervals && exceeds(way.speedMeters, way.knownMeters);
  if (isSlow || isFast) {
    const kmh = (meters: number): number => Math.round((meters / way.known) * 3_600);
    found.push({ figure: 'speeds', measured: kmh(way.speedMeters), ofWay: kmh(way.knownMeters) });
  }
  return found;
}

function exceeds(meters: number, other: number): boolean {
  return meters > MAX_RATIO * other + TOLERANCE.meters;
}

/** Way between two places below which a receiver that stands reports movement. */
const STEP_METERS = 30;
/** Largest extent and least time of a halt, and highest speed of a vehicle that stands. */
const HALT = { meters: 100, milliseconds: 5 * 60_000, kmh: 5 } as const;

/**
 * Adds up a track. Times are milliseconds: with readings, of them moving at every reading or in halts, without
 * readings, and the longest interval. `meters` is a lower bound of the way; the other lengths leave out silences.
 */
function wayOf(track: readonly TrackReading[], longestKnown: number, [from, to]: readonly (number | null)[]) {
  // Local numbers, because V8 allocates one for each change of a property.
  let [meters, knownMeters, speedMeters, intervals, known] = [0, 0, 0, 0, 0];
  let [moving, halts, silence, longest] = [0, 0, 0, 0];
  const [first, last] = [track[0], track.at(-1)];
  const edges = [(first?.time ?? to ?? 0) - (from ?? first?.time ?? 0), (to ?? 0) - (last?.time ?? to ?? 0)];
  for (const edge of edges) {
    if (edge > longest) longest = edge;
    if (edge > longestKnown) silence += edge;
  }
  const north = METERS_PER_DEGREE;
  const east = north * Math.cos(((first?.lat ?? 0) * Math.PI) / 180);
  const apart = (one: TrackReading, other: TrackReading): number =>
    ((other.lat - one.lat) * north) ** 2 + ((nearestLongitude(other.lng, one.lng) - one.lng) * east) ** 2;
  let previous = first;
  let anchor = first;
  let halt: TrackReading | undefined;
  const endHalt = (): void => {
    const length = halt === undefined || previous === undefined ? 0 : previous.time - halt.time;
    if (length >= HALT.milliseconds) halts += length;
    halt = undefined;
  };
  for (const reading of track) {
    if (previous === undefined || anchor === undefined) break;
    const elapsed = reading.time - previous.time;
    const isSilent = elapsed > longestKnown;
    if (elapsed > longest) longest = elapsed;
    const step = apart(anchor, reading);
    if (step >= STEP_METERS ** 2 || isSilent) {
      meters += Math.sqrt(step);
      if (!isSilent) knownMeters += Math.sqrt(step);
      anchor = reading;
    }
    if (isSilent) silence += elapsed;
    else if (elapsed > 0) {
      known += elapsed;
      intervals += 1;
      speedMeters += ((previous.kmh + reading.kmh) / 7_200) * elapsed;
      if (!isPlausible(reading.kmh, MAX_PLAUSIBLE_KMH)) speedMeters = NaN;
      if (previous.kmh > HALT.kmh && reading.kmh > HALT.kmh) moving += elapsed;
    }
    const stands = reading.kmh <= HALT.kmh && !isSilent;
    if (halt !== undefined && (!stands || apart(halt, reading) > HALT.meters ** 2)) endHalt();
    if (stands) halt ??= reading;
    previous = reading;
  }
  endHalt();
  return { meters, knownMeters, speedMeters, intervals, known, moving, halts, silence, longest };
}

/** Speed below which the way to a neighbour is too short to exclude a reading. */
const DOUBTED_KMH = 100;
/** Strongest braking of a vehicle, in m/s². */
const BRAKING = 4.2;

/**
 * True if the places before and after a reading exclude its speed: even a vehicle that brakes as strongly as it can
 * covers twice the way between them.
 */
export function isExcluded(before: TrackReading | undefined, reading: TrackReading, after?: TrackReading): boolean {
  if (reading.kmh < DOUBTED_KMH || (before === undefined && after === undefined)) return false;
  return [before, after].every((other) => other === undefined || isTooNear(reading, other));
}

function isTooNear(reading: TrackReading, other: TrackReading): boolean {
  const seconds = Math.abs(reading.time - other.time) / 1_000;
  const speed = reading.kmh / 3.6;
  const braking = Math.min(seconds, speed / BRAKING);
  const least = speed * braking - (BRAKING * braking ** 2) / 2;
  return 2 * distanceBetween(reading, other) + Math.min(100, 20 + 20 * seconds) < least;
}
