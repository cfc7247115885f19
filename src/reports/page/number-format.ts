import { NO_VALUE } from '../text/clean-text.js';

/** Thousands in groups of three: `12,345`. */
export function grouped(value: number): string {
  if (value < 1000) return String(value);
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Metres as kilometers with one decimal. */
export function kilometers(meters: number | null): string {
  if (meters === null) return NO_VALUE;
  const tenths = Math.round(meters / 100);
  return `${grouped(Math.floor(tenths / 10))}.${tenths % 10}`;
}

/** Seconds as hours and minutes: `7:05`. */
export function duration(seconds: number | null): string {
  if (seconds === null) return NO_VALUE;
  const minutes = Math.round(seconds / 60);
  return `${grouped(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** A speed in whole km/h. */
export function speed(kmh: number | null): string {
  return kmh === null ? NO_VALUE : String(Math.round(kmh));
}

/** A mean speed in km/h with one decimal. */
export function average(kmh: number | null): string {
  return kmh === null ? NO_VALUE : kmh.toFixed(1);
}

/** A whole number. */
export function count(value: number | null): string {
  return value === null ? NO_VALUE : grouped(value);
}

/** A whole number up to 99 with a leading zero, as in times. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** The offset as it is written behind a time: `UTC+09:00`. */
export function offsetName(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'UTC';
  const size = Math.abs(offsetMinutes);
  return `UTC${offsetMinutes < 0 ? '−' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}
