import type { DayTrip, Stand } from './day-trip.js';
import { METERS_PER_DEGREE, nearestLongitude } from './earth.js';
import { isPlausible, MAX_PLAUSIBLE_KMH, type Position } from './plausible.js';
import type { TrackReading } from './trip-positions.js';

/** State of a minute, or of the time before a reading; of several mobiles the greatest counts. */
export const PAUSE = 0;
/** The vehicle stood by speed and place: a break or other work. */
export const HALT = 1;
/** Speed or place says that the vehicle stood: driving, a break, or neither. */
export const STAND = 2;
/** Trip that somebody else may have driven: the same. */
export const TRIP = 3;
/** Nothing is recorded: driving or a break. */
export const GAP = 4;
export const DRIVE = 5;

/** Slower readings are a vehicle that stands: receivers report a little speed then. */
export const STANDS_KMH = 5;
/** Extent of a place, and least time at one. */
const PLACE = { meters: 100, milliseconds: 3 * 60_000 } as const;
/** Extent beyond which places move: receivers without a view of the sky report less. */
const MOVES_METERS = 1_000;
/** Speed of a trip whose own is not known, and driving too short to doubt, in minutes. */
const SLOW = { usualKmh: 90, minutes: 5 } as const;

/** Returns a function for squares of distances of some kilometers near a latitude, in meters. */
export function squaresNear(lat = 0): (one: Position, other: Position) => number {
  const north = METERS_PER_DEGREE;
  const east = north * Math.cos((lat * Math.PI) / 180);
  return (one, other) =>
    ((other.lat - one.lat) * north) ** 2 + ((nearestLongitude(other.lng, one.lng) - one.lng) * east) ** 2;
}

/** True if a reading says that the vehicle stands; not if its speed is not known. */
export function saysStand({ kmh }: TrackReading): boolean {
  return kmh >= 0 && kmh < STANDS_KMH;
}

/** True if each possible speed is 0 and the places move: the speed was not measured. */
export function isWithoutSpeed(track: readonly TrackReading[]): boolean {
  const [first] = track;
  const has = (isMeant: (kmh: number) => boolean): boolean => track.some(({ kmh }) => isMeant(kmh));
  if (first === undefined || !has((kmh) => kmh === 0)) return false;
  if (has((kmh) => kmh !== 0 && isPlausible(kmh, MAX_PLAUSIBLE_KMH))) return false;
  const square = squaresNear(first.lat);
  return track.some((each) => square(first, each) > MOVES_METERS ** 2);
}

/**
 * Returns the state of the time before each reading, by speeds and places. Two readings that stand are a halt as far as
 * the vehicle stays within 100 m for three minutes, and a possible stand elsewhere, as are speeds at one place.
 *
 * @param track in order; places that are not known are NaN
 * @param longestKnown longer times are silent, in milliseconds
 * @param isolated time beside one reading that stands from which it is a stand, in milliseconds
 */
export function statesOf(track: readonly TrackReading[], longestKnown: number, isolated: number): Uint8Array {
  const states = new Uint8Array(track.length).fill(DRIVE);
  markPlaces(track, longestKnown, states);
  let before = track[0];
  for (let index = 0; index < track.length; index += 1) {
    const reading = track[index];
    if (before === undefined || reading === undefined) break;
    const elapsed = reading.time - before.time;
    const [is, was] = [saysStand(reading), saysStand(before)];
    if (elapsed > longestKnown) states[index] = GAP;
    else if (is && was) states[index] = states[index] === STAND ? HALT : STAND;
    else if ((is || was) && elapsed >= isolated) states[index] = STAND;
    before = reading;
  }
  // Shorter halts are lights, or a jam.
  for (let [from, to] = [1, 1]; from < track.length; from = to += 1) {
    while (states[to + 1] === states[from]) to += 1;
    const length = (track[to]?.time ?? 0) - (track[from - 1]?.time ?? 0);
    if (states[from] === HALT && length < PLACE.milliseconds) states.fill(STAND, from, to + 1);
  }
  return states;
}

/** Returns the times of a track that are no driving, from three minutes on. */
export function standsOf(track: readonly TrackReading[], states: Uint8Array): readonly Stand[] {
  const stands: Stand[] = [];
  for (let [from, to] = [1, 1]; from < track.length; from = to += 1) {
    const state = states[from] ?? DRIVE;
    while (states[to + 1] === state) to += 1;
    const [begin, end] = [track[from - 1]?.time ?? 0, track[to]?.time ?? 0];
    if (state !== DRIVE && end - begin >= PLACE.milliseconds) stands.push({ state, from: begin, to: end });
  }
  return stands;
}

/** Marks the time at each place as a stand: as long as readings stay within 100 m of its first. */
function markPlaces(track: readonly TrackReading[], longestKnown: number, states: Uint8Array): void {
  const square = squaresNear(track.find(({ lat }) => !Number.isNaN(lat))?.lat);
  for (let from = 0; from < track.length - 1;) {
    const first = track[from];
    if (first === undefined) break;
    let to = from;
    let latest = first.time;
    for (let next = from + 1; next < track.length && !Number.isNaN(first.lat); next += 1) {
      const reading = track[next];
      if (reading === undefined || reading.time - latest > longestKnown) break;
      latest = reading.time;
      const away = square(first, reading);
      if (away > PLACE.meters ** 2) break;
      if (away >= 0) to = next;
    }
    const last = track[to]?.time ?? 0;
    if (last - first.time >= PLACE.milliseconds) states.fill(STAND, from + 1, to + 1);
    // The next place may begin within this one. Steps keep the time short for any number of readings in a minute.
    from += 1 + ((to - from) >> 4);
    while (from < to && last - (track[from]?.time ?? last) > PLACE.milliseconds) from += 1;
  }
}

/**
 * Returns the least driving of a trip without speeds that is too slow to have been driven all the time: its distance at
 * its top speed, in minutes. Undefined of any other trip.
 */
export function leastDriving({ stretches, hectometers, minutes, idleMinutes, top }: SlowTrip): number | undefined {
  const driving = (minutes ?? 0) - (idleMinutes ?? 0);
  if (stretches.length > 0 || hectometers === null || driving < SLOW.minutes) return undefined;
  const atSpeed = (kmh: number): number => Math.floor((hectometers * 6) / kmh);
  return hectometers * 6 < STANDS_KMH * driving ? Math.min(driving, atSpeed(top?.kmh || SLOW.usualKmh)) : undefined;
}

/** Figures of a trip by which it is too slow. */
export type SlowTrip = Pick<DayTrip, 'stretches' | 'hectometers' | 'minutes' | 'idleMinutes' | 'top'>;
