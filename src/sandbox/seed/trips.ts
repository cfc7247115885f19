import { LRUCache } from 'lru-cache';
import type { components } from '../../../generated/backend-api.js';
import { distanceBetween, drive, type Point } from './drive.js';
import { TOKYO_PLACES, type Place } from './places.js';
import { randomFrom, type Random } from './random.js';

type Trip = components['schemas']['Trip'];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Offset of Japan from UTC; there is no daylight saving time. */
const JAPAN_OFFSET = 9 * HOUR;
/** Earliest and latest first departure, and time from which a halt is the lunch break; since midnight. */
const DEPARTURE = [7.5 * HOUR, 9.5 * HOUR] as const;
const NOON = 11.4 * HOUR;
/** Lengths of the lunch break and of other halts with the engine off, in minutes. */
const LUNCH = [45, 70] as const;
const UNLOADING = [25, 65] as const;
/** Largest distance of a customer from the place on the list, in degrees on each axis. */
const AROUND_PLACE = 0.003;

/** Limit of cached days of up to 150 kB each, which reports request repeatedly. */
const MAX_DAYS = 50;
const days = new LRUCache<string, readonly Trip[]>({ max: MAX_DAYS });

export interface StationedMobile {
  readonly id: number;
  readonly depot: Point;
}

/**
 * Returns the trips of a mobile that start in [from, to), oldest first. They depend only on the mobile and the day in
 * Japan: a tour from its depot to neighbouring customers and back, with a lunch break; 6 to 8 trips on a working day, 2
 * to 4 at a weekend, and at most two stretches above 80 km/h. Mobiles with an id that is a multiple of 25 never
 * drive; the others, except the first ten, have days without a trip.
 *
 * @param from inclusive, milliseconds since 1970
 * @param to exclusive, milliseconds since 1970
 */
export function tripsBetween(mobile: StationedMobile, from: number, to: number): Trip[] {
  const trips: Trip[] = [];
  for (let day = dayOf(from); day <= dayOf(to - 1); day += 1) trips.push(...tripsOfDay(mobile, day));
  return trips.filter(({ start }) => {
    const time = Date.parse(start.time);
    return from <= time && time < to;
  });
}

/** Returns the number of the day in Japan since 1970. */
function dayOf(time: number): number {
  return Math.floor((time + JAPAN_OFFSET) / DAY);
}

function tripsOfDay(mobile: StationedMobile, day: number): readonly Trip[] {
  const seed = `trips/${mobile.id}/${day}`;
  const known = days.get(seed);
  if (known !== undefined) return known;
  const made = makeTrips(randomFrom(seed), mobile, day);
  days.set(seed, made);
  return made;
}

function makeTrips(random: Random, { id, depot }: StationedMobile, day: number): Trip[] {
  const count = tripCount(random, id, day);
  if (count === 0) return [];
  const midnight = day * DAY - JAPAN_OFFSET;
  const customers = tour(random, count - 1).map(({ lat, lng }) => ({
    lat: lat + random.between(-AROUND_PLACE, AROUND_PLACE),
    lng: lng + random.between(-AROUND_PLACE, AROUND_PLACE),
  }));
  const isHasty = random.chance(0.5);
  let hadLunch = false;
  let from: Point = depot;
  let time = midnight + Math.floor(random.between(...DEPARTURE) / 1000) * 1000;
  return [...customers, depot].map((to, index) => {
    // The first and the last way are long enough for an expressway.
    const speeds = isHasty && (index === 0 || index === count - 1) && random.chance(0.7);
    const trip = drive(random, { from, to, time, speeds });
    from = to;
    time = Date.parse(trip.end.time);
    const isLunch = !hadLunch && time - midnight >= NOON;
    hadLunch ||= isLunch;
    const [shortest, longest] = isLunch ? LUNCH : UNLOADING;
    time += random.integer(shortest, longest) * MINUTE;
    return trip;
  });
}

/** Returns neighbouring places, each once. */
function tour(random: Random, count: number): readonly Place[] {
  let last = random.pick(TOKYO_PLACES);
  const visited = [last];
  while (visited.length < count) {
    const from = last;
    const [nearest = from, ...next] = TOKYO_PLACES.filter((place) => !visited.includes(place))
      .map((place) => ({ place, meters: distanceBetween(from, place) }))
      .sort((one, other) => one.meters - other.meters)
      .slice(0, 10)
      .map(({ place }) => place);
    last = random.pick([nearest, ...next]);
    visited.push(last);
  }
  return visited;
}

function tripCount(random: Random, mobileId: number, day: number): number {
  if (mobileId % 25 === 0) return 0;
  const always = mobileId <= 10;
  // Day 0 of 1970 was a Thursday.
  const weekday = (day + 4) % 7;
  const weekend = weekday === 0 || weekday === 6;
  if (!always && random.chance(weekend ? 0.6 : 0.08)) return 0;
  return weekend ? random.integer(2, 4) : random.integer(6, 8);
}
