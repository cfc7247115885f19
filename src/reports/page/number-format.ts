import type { DayTotals } from '../day/day-totals.js';
import { offsetText } from '../day/report-date.js';
import { NO_VALUE } from '../text/clean-text.js';

/** Groups thousands: `12,345`. */
export function grouped(value: number): string {
  if (value < 1000) return String(value);
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns a formatter that prints a missing value as `NO_VALUE`. */
function orNoValue(format: (value: number) => string): (value: number | null) => string {
  return (value) => (value === null ? NO_VALUE : format(value));
}

function tenths(value: number): string {
  return `${grouped(Math.floor(value / 10))}.${value % 10}`;
}

export const count = orNoValue(grouped);
/** Formats hundreds of metres as kilometers with one decimal. */
export const kilometers = orNoValue(tenths);
/** Formats a mean speed, given in tenths of km/h. */
export const average = orNoValue(tenths);
/** Formats a shown speed in km/h. */
export const speed = orNoValue(String);
/** Formats minutes as hours and minutes: `7:05`. */
export const hoursAndMinutes = orNoValue(
  (minutes) => `${grouped(Math.floor(minutes / 60))}:${String(minutes % 60).padStart(2, '0')}`,
);

/** Sums of a day or of many; the distances and the idling of some trips may be missing in them. */
type Sums<Figure extends keyof DayTotals> = Pick<DayTotals, Figure | 'lacking'>;

/** Returns the mark of a figure that the record does not support, of so many trips. */
export function doubtMark(trips: number): string {
  return trips > 0 ? '‡' : '';
}

/** Formats a sum of distances; marked as a lower bound if one is missing, and as doubtful if one is. */
export function distanceOf({ hectometers, lacking }: Sums<'hectometers'>): string {
  return `${lacking.distances > 0 ? '≥' : ''}${kilometers(hectometers)}${doubtMark(lacking.doubtfulDistances)}`;
}

/** Formats a sum of idling; marked as a lower bound if a trip lacks it. */
export function idlingOf({ idleMinutes, lacking }: Sums<'idleMinutes'>): string {
  return `${lacking.idlings > 0 ? '≥' : ''}${hoursAndMinutes(idleMinutes)}`;
}

/** Formats a sum of driving; marked as an upper bound if a trip may have less, and as doubtful if one is. */
export function drivingText({ drivingMinutes, lacking }: Sums<'drivingMinutes'>): string {
  const bound = lacking.idlings + lacking.drivings > 0 ? '≤' : '';
  return `${bound}${hoursAndMinutes(drivingMinutes)}${doubtMark(lacking.doubtfulDrivings)}`;
}

/** Formats seconds in units, largest first: `3 min 33 s`. @param units of hours, minutes and seconds */
export function inUnits(seconds: number, units: readonly [string, string, string], gap: string): string {
  const figures = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = figures.flatMap((figure, index) => (figure === 0 ? [] : [`${grouped(figure)}${units[index] ?? ''}`]));
  return parts.length === 0 ? `0${units[2]}` : parts.join(gap);
}

/** Formats an offset for printing below a time: `+09:00`, and with a minus sign `−03:30`. */
export function shownOffset(offsetMinutes: number): string {
  return offsetText(offsetMinutes).replace('-', '−');
}

/** Formats an offset for printing behind a time: `UTC+09:00`. */
export function offsetName(offsetMinutes: number): string {
  return offsetMinutes === 0 ? 'UTC' : `UTC${shownOffset(offsetMinutes)}`;
}
