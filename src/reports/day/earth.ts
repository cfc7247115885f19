import type { Position } from './plausible.js';

const RADIANS = Math.PI / 180;
/** Length of one degree of latitude, and of one degree of longitude on the equator. */
export const METERS_PER_DEGREE = 111_320;
const EARTH_RADIUS = METERS_PER_DEGREE / RADIANS;

/** Returns the great-circle distance between two places in meters. */
export function distanceBetween(from: Position, to: Position): number {
  const chord =
    haversine(to.lat - from.lat) +
    Math.cos(from.lat * RADIANS) * Math.cos(to.lat * RADIANS) * haversine(to.lng - from.lng);
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, chord)));
}

function haversine(degrees: number): number {
  return Math.sin((degrees * RADIANS) / 2) ** 2;
}

/** Returns the longitude, beyond 180 degrees if that is nearer to `origin`: a ferry may cross the date line. */
export function nearestLongitude(lng: number, origin: number): number {
  const distance = lng - origin;
  return distance > 180 ? lng - 360 : distance < -180 ? lng + 360 : lng;
}
