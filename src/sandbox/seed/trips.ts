import type { components } from '../../../generated/backend-api.js';
import { seedFile } from './fleet.js';

type Trip = components['schemas']['Trip'];

/** Trip as it is kept, with the second of its day at which it begins. */
interface RecordedTrip extends Pick<Trip, 'distanceMeters' | 'stopCount' | 'idleSeconds'> {
  readonly second: number;
  /** Three whole numbers for each fix: its way from the last one, in millionths of a degree, and tenths of km/h. */
  readonly track: string;
}

/** Days of vehicles of a depot in Tokyo: tours to customers and back, with a lunch break on workdays. */
const DAYS = seedFile('recorded-days') as Record<'hasty' | 'calm' | 'weekend', readonly RecordedTrip[]>; // by its file

const DAY = 86_400_000;
/** Offset of Japan from UTC; there is no daylight saving time. */
const JAPAN_OFFSET = 9 * 3_600_000;
/** Seconds between two fixes of a track. */
const TRACK_INTERVAL_SECONDS = 10;

/**
 * Returns the trips of a mobile that start in [from, to) and have ended, oldest first. They are those of a recorded
 * day, moved to the asked date and by some minutes, which depend only on the mobile and the day in Japan: 7 trips on a
 * working day, on every second one with two stretches above 80 km/h, and 3 at a weekend. Mobiles with an id that is a
 * multiple of 25 never drive; the others, except the first ten, have days without a trip.
 *
 * @param from inclusive, milliseconds since 1970
 * @param to exclusive, milliseconds since 1970
 * @param now milliseconds since 1970
 */
export function tripsBetween(mobileId: number, from: number, to: number, now: number): Trip[] {
  const trips: Trip[] = [];
  for (let day = dayOf(from); day <= dayOf(Math.min(to, now) - 1); day += 1) trips.push(...tripsOfDay(mobileId, day));
  return trips.filter(({ start, end }) => {
    const time = Date.parse(start.time);
    return from <= time && time < to && Date.parse(end.time) <= now;
  });
}

/** Returns the number of the day in Japan since 1970. */
function dayOf(time: number): number {
  return Math.floor((time + JAPAN_OFFSET) / DAY);
}

function tripsOfDay(mobileId: number, day: number): Trip[] {
  const drivesToday = mobileId <= 10 || (mobileId * 7 + day) % 8 !== 0;
  if (mobileId % 25 === 0 || !drivesToday) return [];
  // Day 0 of 1970 was a Thursday.
  const isWeekend = [0, 6].includes((day + 4) % 7);
  const recorded = DAYS[isWeekend ? 'weekend' : (mobileId + day) % 2 === 0 ? 'calm' : 'hasty'];
  const laterSeconds = ((mobileId * 11 + day * 7) % 24) * 60;
  return recorded.map((trip) => tripAt(day * DAY - JAPAN_OFFSET + (trip.second + laterSeconds) * 1000, trip));
}

function tripAt(departure: number, { distanceMeters, stopCount, idleSeconds, track: kept }: RecordedTrip): Trip {
  const numbers = kept.split(' ').map(Number);
  let [north, east] = [0, 0];
  const fixAt = (index: number): Trip['track'][number] => {
    const [toNorth = 0, toEast = 0, speed = 0] = numbers.slice(3 * index, 3 * index + 3);
    [north, east] = [north + toNorth, east + toEast];
    const time = new Date(departure + index * TRACK_INTERVAL_SECONDS * 1000).toISOString();
    return { time, lat: north / 1e6, lng: east / 1e6, speedKmh: speed / 10 };
  };
  const first = fixAt(0);
  const track = [first, ...Array.from({ length: numbers.length / 3 - 1 }, (_, index) => fixAt(index + 1))];
  const { speedKmh: _start, ...start } = first;
  const { speedKmh: _end, ...end } = track.at(-1) ?? first;
  const maxSpeedKmh = Math.max(...track.map(({ speedKmh }) => speedKmh));
  return { start, end, distanceMeters, stopCount, maxSpeedKmh, idleSeconds, track };
}
