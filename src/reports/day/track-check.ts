import type { Stand, Unsupported } from './day-trip.js';
import { distanceBetween } from './earth.js';
import { isPlausible, MAX_PLAUSIBLE_KMH } from './plausible.js';
import type { SpeedReading } from './speed-series.js';
import {
  DRIVE,
  HALT,
  leastDriving,
  saysStand,
  type SlowTrip,
  squaresNear,
  STAND,
  STANDS_KMH,
  standsOf,
  statesOf,
} from './standing.js';
import type { TrackReading, TripFixes, TripPlaces } from './trip-positions.js';

/** Largest ratio of two figures for one thing; units that are mixed up differ by more. */
const MAX_RATIO = 1.5;
/** Largest ratio of a straight line to itself as it was measured, on an earth that is no sphere. */
const MAX_ERROR = 1.01;
const TOLERANCE = { lineMeters: 200, meters: 1_000, minutes: 30 } as const;
/** Time without readings that is marked. */
const MARKED_SILENCE = 60;
/** Time with speeds at one place that is marked; in less, a vehicle turns around. */
const MARKED_STAND = 15;
/** Longest interval of a track that shows each bend, and usual one of speeds that make its way, in milliseconds. */
const DENSE = { ways: 120_000, speeds: 30_000 } as const;
/** Number of intervals from which speeds between bends and lights have a mean. */
const MANY = 20;

/**
 * Returns the figures of a trip that its track does not support, none if track and figures agree, and the times of its
 * stands and silences.
 *
 * @param others impossible readings of the trip, and whether any trip of the day has readings
 */
export function unsupported(
  trip: SlowTrip,
  { startTime, endTime, longestKnown }: TripFixes,
  { track, start, end }: TripPlaces,
  others: { readonly doubted: readonly SpeedReading[]; readonly isTracked: boolean },
): { readonly unsupported: readonly Unsupported[]; readonly stands: readonly Stand[] } {
  const { doubted, isTracked } = others;
  const { hectometers, minutes, idleMinutes } = trip;
  const way = wayOf(track, longestKnown, [startTime, endTime]);
  const { stood, stands } = way;
  const line = start === undefined || end === undefined ? 0 : distanceBetween(start, end);
  const found: Unsupported[] = [];
  if (hectometers !== null) {
    const meters = hectometers * 100;
    const isComplete = way.intervals > 1 && way.longest <= DENSE.ways;
    if (exceeds(way.meters, meters) || (isComplete && exceeds(meters, way.meters))) {
      found.push({ figure: 'distance', way: Math.round(way.meters / 100), isLine: false });
    } else if (line > MAX_ERROR * meters + TOLERANCE.lineMeters) {
      found.push({ figure: 'distance', way: Math.round(line / 100), isLine: true });
    }
  }
  const slowest = leastDriving(trip);
  if (slowest !== undefined) found.push({ figure: 'slow', moving: slowest });
  if (minutes !== null && idleMinutes !== null && track.length > 1) {
    const driving = minutes - idleMinutes;
    const [least, most] = [Math.round(way.moving / 60_000), minutes - Math.round(stood.halts / 60_000)];
    const isMost = driving > MAX_RATIO * most + TOLERANCE.minutes;
    if (isMost || least > MAX_RATIO * driving + TOLERANCE.minutes)
      found.push({ figure: 'driving', moving: isMost ? most : least, isMost });
  }
  const [parked, carried] = [Math.floor(stood.parked / 60_000), Math.floor(stood.carried / 60_000)];
  if (parked >= MARKED_STAND)
    found.push({ figure: 'parked', minutes: parked, kmh: kmh(stood.parkedMeters, stood.parked) });
  if (stood.carriedMeters > TOLERANCE.meters + (STANDS_KMH / 3_600) * stood.carried) {
    found.push({ figure: 'carried', minutes: carried, way: Math.round(stood.carriedMeters / 100) });
  }
  // A day without any track says so at its chart.
  const silence = Math.floor(way.silence / 60_000);
  if (silence >= MARKED_SILENCE && isTracked) found.push({ figure: 'silence', minutes: silence });
  if (doubted.length > 0) {
    const highest = Math.round(Math.max(...doubted.map((reading) => reading.kmh)));
    found.push({ figure: 'top', readings: doubted.length, kmh: highest });
    return { unsupported: found, stands };
  }
  const isSlow = way.intervals >= MANY && exceeds(way.knownMeters, way.speedMeters);
  const isFast = way.known <= DENSE.speeds * way.intervals && exceeds(way.speedMeters, way.knownMeters);
  if (isSlow || isFast) {
    const [measured, ofWay] = [kmh(way.speedMeters, way.known), kmh(way.knownMeters, way.known)];
    found.push({ figure: 'speeds', measured, ofWay });
  }
  return { unsupported: found, stands };
}

function kmh(meters: number, milliseconds: number): number {
  return Math.round((meters / milliseconds) * 3_600);
}

function exceeds(meters: number, other: number): boolean {
  return meters > MAX_RATIO * other + TOLERANCE.meters;
}

/** Way between two places below which a receiver that stands reports movement. */
const STEP_METERS = 30;
/**
 * Adds up a track. Times are milliseconds: with readings, of them moving at every reading or in halts, without
 * readings, and the longest interval. `meters` is a lower bound of the way; the other lengths leave out silences.
 */
function wayOf(track: readonly TrackReading[], longestKnown: number, [from, to]: readonly (number | null)[]) {
  // Local numbers, because V8 allocates one for each change of a property.
  let [meters, knownMeters, speedMeters, intervals, known] = [0, 0, 0, 0, 0];
  let [moving, halts, silence, longest] = [0, 0, 0, 0];
  let [parked, parkedMeters, carried, carriedMeters] = [0, 0, 0, 0];
  const [first, last] = [track[0], track.at(-1)];
  const edges = [(first?.time ?? to ?? 0) - (from ?? first?.time ?? 0), (to ?? 0) - (last?.time ?? to ?? 0)];
  for (const edge of edges) {
    if (edge > longest) longest = edge;
    if (edge > longestKnown) silence += edge;
  }
  const states = statesOf(track, longestKnown, Infinity);
  const square = squaresNear(first?.lat);
  let previous = first;
  let anchor = first;
  for (let index = 0; index < track.length; index += 1) {
    const reading = track[index];
    if (reading === undefined || previous === undefined || anchor === undefined) break;
    const elapsed = reading.time - previous.time;
    const isSilent = elapsed > longestKnown;
    if (elapsed > longest) longest = elapsed;
    const away = square(anchor, reading);
    const isStep = away >= STEP_METERS ** 2 || isSilent;
    const step = isStep ? Math.sqrt(away) : 0;
    if (isStep) anchor = reading;
    meters += step;
    if (isSilent) silence += elapsed;
    else {
      knownMeters += step;
      if (elapsed > 0) intervals += 1;
      known += elapsed;
      const ofSpeed = ((previous.kmh + reading.kmh) / 7_200) * elapsed;
      speedMeters += isPlausible(reading.kmh, MAX_PLAUSIBLE_KMH) ? ofSpeed : NaN;
      const state = states[index];
      if (state === HALT) halts += elapsed;
      else if (previous.kmh >= STANDS_KMH && reading.kmh >= STANDS_KMH) {
        if (state === DRIVE) moving += elapsed;
        else {
          parked += elapsed;
          parkedMeters += ofSpeed;
        }
      } else if (state === STAND && saysStand(previous) && saysStand(reading)) {
        carried += elapsed;
        carriedMeters += step;
      }
    }
    previous = reading;
  }
  const stood = { halts, parked, parkedMeters, carried, carriedMeters };
  const stands = standsOf(track, states);
  return { meters, knownMeters, speedMeters, intervals, known, moving, silence, longest, stood, stands };
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
