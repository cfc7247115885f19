import type { WallClock } from './wall-clock.js';

const MINUTE = 60_000;
const TIME_STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * MINUTE);
const MOST_TIME_STEPS = 9;

export interface TimeAxis {
  readonly start: number;
  readonly end: number;
  readonly ticks: readonly { readonly time: number; readonly label: string }[];
}

/** A time axis that begins and ends on a round time around all of `times`; the working day when there is none. */
export function timeAxis(times: readonly number[], clock: WallClock): TimeAxis {
  const midnight = clock.midnight;
  const first = times.reduce((a, b) => Math.min(a, b), times.length === 0 ? midnight + 8 * 60 * MINUTE : Infinity);
  const last = times.reduce((a, b) => Math.max(a, b), times.length === 0 ? midnight + 17 * 60 * MINUTE : -Infinity);
  const longest = TIME_STEPS.at(-1) ?? MINUTE;
  const step = TIME_STEPS.find((candidate) => stepsBetween(first, last, candidate, midnight) <= MOST_TIME_STEPS) ?? longest;
  const start = midnight + Math.floor((first - midnight) / step) * step;
  const end = Math.max(start + step, midnight + Math.ceil((last - midnight) / step) * step);
  const ticks = [];
  for (let time = start; time <= end; time += step) ticks.push({ time, label: clock.time(time) });
  return { start, end, ticks };
}

function stepsBetween(first: number, last: number, step: number, origin: number): number {
  return Math.ceil((last - origin) / step) - Math.floor((first - origin) / step);
}

/** A speed axis from 0 to a round value with some air above `highest`. */
export function speedAxis(highest: number): { readonly top: number; readonly step: number } {
  const step = highest <= 110 ? 20 : highest <= 180 ? 30 : 50;
  return { top: Math.max(120, Math.ceil((highest * 1.05) / step) * step), step };
}

/** The roundest length of 1, 2 or 5 times a power of ten that is not longer than `longest`. */
export function roundLength(longest: number): number {
  const power = 10 ** Math.floor(Math.log10(longest));
  return power * (longest >= 5 * power ? 5 : longest >= 2 * power ? 2 : 1);
}
