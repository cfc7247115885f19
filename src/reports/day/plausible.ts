/** Degrees, WGS 84. */
export interface Position {
  readonly lat: number;
  readonly lng: number;
}

/** No road vehicle is faster: a higher reading is a fault of the receiver, not a speed. */
export const MAX_PLAUSIBLE_KMH = 300;
/** Nobody keeps up more from the start of a trip to its end, idling left out. */
export const MAX_PLAUSIBLE_AVERAGE_KMH = 160;
/** What would be driven in 24 hours at the highest speed. */
const MAX_PLAUSIBLE_METERS = MAX_PLAUSIBLE_KMH * 24 * 1000;
const MAX_PLAUSIBLE_SECONDS = 48 * 3600;
const MAX_PLAUSIBLE_COUNT = 99_999;

/** What was left out of a report because it cannot be true; the report says so. */
export class LeftOut {
  positions = 0;
  speeds = 0;
  times = 0;
  figures = 0;

  get total(): number {
    return this.positions + this.speeds + this.times + this.figures;
  }
}

/** Whether a vehicle can be so fast; NaN is not plausible, here and below. */
export function isPlausibleSpeed(kmh: number): boolean {
  return kmh >= 0 && kmh <= MAX_PLAUSIBLE_KMH;
}

/** Whether a position is on earth. Receivers without a fix report 0, 0, a point in the sea. */
export function isPlausiblePosition({ lat, lng }: Position): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && !(lat === 0 && lng === 0);
}

/** Whether a distance can be driven in a day. */
export function isPlausibleDistance(meters: number): boolean {
  return meters >= 0 && meters <= MAX_PLAUSIBLE_METERS;
}

/** Whether a trip can take so long. */
export function isPlausibleDuration(seconds: number): boolean {
  return seconds >= 0 && seconds <= MAX_PLAUSIBLE_SECONDS;
}

/** Whether a trip can have so many stops. */
export function isPlausibleCount(count: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= MAX_PLAUSIBLE_COUNT;
}
