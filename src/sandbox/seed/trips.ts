import { LRUCache } from 'lru-cache';
import type { components } from '../../../generated/backend-api.js';
import { drive, TRACK_INTERVAL_SECONDS } from './drive.js';
import { TOKYO_PLACES } from './places.js';
import { randomFrom, type Random } from './random.js';

type Trip = components['schemas']['Trip'];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Offset of Japan from UTC; there is no daylight saving time. */
const JAPAN_OFFSET = 9 * HOUR;
const SHIFT_BEGIN = 7 * HOUR;
const SHIFT_LENGTH = 13 * HOUR;
const MIN_POINTS = 60;
const MAX_POINTS = 140;

/** Limit of cached days, because reports repeat them; up to 200 kB each. */
const MAX_DAYS = 50;
const days = new LRUCache<string, readonly Trip[]>({ max: MAX_DAYS });

/**
 * Returns the trips of a mobile that start in [from, to), oldest first. They depend only on the mobile and the day in
 * Japan: 4 to 12 on a working day, up to 5 at a weekend. Mobiles with an id that is a multiple of 25 never drive; the
 * others, except the first ten, have days without a trip.
 *
 * @param from inclusive, milliseconds since 1970
 * @param to exclusive, milliseconds since 1970
 */
export function tripsBetween(mobileId: number, from: number, to: number): Trip[] {
  const trips: Trip[] = [];
  for (let day = dayOf(from); day <= dayOf(to - 1); day += 1) trips.push(...tripsOfDay(mobileId, day));
  return trips.filter(({ start }) => {
    const time = Date.parse(start.time);
    return from <= time && time < to;
  });
}

/** Returns the number of the day in Japan since 1970. */
function dayOf(time: number): number {
  return Math.floor((time + JAPAN_OFFSET) / DAY);
}

function tripsOfDay(mobileId: number, day: number): readonly Trip[] {
  const seed = `trips/${mobileId}/${day}`;
  const known = days.get(seed);
  if (known !== undefined) return known;
  const made = makeTrips(seed, mobileId, day);
  days.set(seed, made);
  return made;
}

function makeTrips(seed: string, mobileId: number, day: number): Trip[] {
  const random = randomFrom(seed);
  const count = tripCount(random, mobileId, day);
  const slot = SHIFT_LENGTH / Math.max(count, 1);
  const begin = day * DAY - JAPAN_OFFSET + SHIFT_BEGIN;
  let { lat, lng } = random.pick(TOKYO_PLACES);
  return Array.from({ length: count }, (_, index) => {
    const points = random.integer(MIN_POINTS, MAX_POINTS);
    const slack = slot - points * TRACK_INTERVAL_SECONDS * 1000;
    const time = begin + index * slot + random.between(0.1, 0.9) * slack;
    const trip = drive(random, { lat, lng, time: Math.floor(time / 1000) * 1000 }, points);
    ({ lat, lng } = trip.end);
    return trip;
  });
}

function tripCount(random: Random, mobileId: number, day: number): number {
  if (mobileId % 25 === 0) return 0;
  const always = mobileId <= 10;
  // Day 0 of 1970 was a Thursday.
  const weekday = (day + 4) % 7;
  const weekend = weekday === 0 || weekday === 6;
  if (!always && random.chance(weekend ? 0.6 : 0.08)) return 0;
  return weekend ? random.integer(1, 5) : random.integer(4, 12);
}
