import type { WallClock } from './wall-clock.js';

const MINUTE = 60_000;
const TIME_STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * MINUTE);
const MAX_TIME_STEPS = 9;
const WORKING_DAY = [8, 17] as const;

/** Time axis in epoch milliseconds. */
export interface TimeAxis {
  readonly start: number;
  readonly end: number;
  readonly ticks: readonly { readonly time: number; readonly label: string }[];
}

/** Returns a time axis with round ends around all of `times`; the working day without times. */
export function timeAxis(times: readonly number[], clock: WallClock): TimeAxis {
  const midnight = clock.midnight;
  const known = times.length > 0 ? times : WORKING_DAY.map((hour) => midnight + hour * 60 * MINUTE);
  const first = known.reduce((a, b) => Math.min(a, b));
  const last = known.reduce((a, b) => Math.max(a, b));
  const fits = (step: number): boolean => stepsBetween(first, last, step, midnight) <= MAX_TIME_STEPS;
  const step = TIME_STEPS.find(fits) ?? 720 * MINUTE;
  const start = midnight + Math.floor((first - midnight) / step) * step;
  const end = Math.max(start + step, midnight + Math.ceil((last - midnight) / step) * step);
  const ticks = [];
  for (let time = start; time <= end; time += step) ticks.push({ time, label: clock.time(time) });
  return { start, end, ticks };
}

function stepsBetween(first: number, last: number, step: number, origin: number): number {
  return Math.ceil((last - origin) / step) - Math.floor((first - origin) / step);
}

/** Returns a speed axis from 0 to a round value with some space above `maxKmh`. */
export function speedAxis(maxKmh: number): { readonly top: number; readonly step: number } {
  const step = maxKmh <= 110 ? 20 : maxKmh <= 180 ? 30 : 50;
  return { top: Math.max(120, Math.ceil((maxKmh * 1.05) / step) * step), step };
}

/** Returns the largest round length (1, 2 or 5 times a power of ten) up to `maxLength`. */
export function roundLength(maxLength: number): number {
  const power = 10 ** Math.floor(Math.log10(maxLength));
  return power * (maxLength >= 5 * power ? 5 : maxLength >= 2 * power ? 2 : 1);
}
