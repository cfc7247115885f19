/** Position in degrees, WGS 84. */
export interface Position {
  readonly lat: number;
  readonly lng: number;
}

/** Maximum speed of a road vehicle: a higher reading is a receiver fault. */
export const MAX_PLAUSIBLE_KMH = 300;
/** Maximum mean speed of a trip, without idling. */
export const MAX_PLAUSIBLE_AVERAGE_KMH = 160;
/** Distance of 24 hours at the maximum speed. */
export const MAX_PLAUSIBLE_METERS = MAX_PLAUSIBLE_KMH * 24 * 1000;
export const MAX_PLAUSIBLE_SECONDS = 48 * 3600;
export const MAX_PLAUSIBLE_COUNT = 99_999;

/** Counts of impossible data left out of a report; the report shows them. */
export class LeftOut {
  positions = 0;
  speeds = 0;
  times = 0;
  figures = 0;

  get total(): number {
    return this.positions + this.speeds + this.times + this.figures;
  }
}

/** True for a figure from 0 to `most`; false for NaN. */
export function isPlausible(figure: number, most: number): boolean {
  return figure >= 0 && figure <= most;
}

/** True for a position on earth. Receivers without a fix report 0, 0, a point in the sea. */
export function isPlausiblePosition({ lat, lng }: Position): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && !(lat === 0 && lng === 0);
}
