import type { WallClock } from './wall-clock.js';

const MINUTE = 60_000;
const TIME_STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * MINUTE);
const MAX_TIME_STEPS = 9;
/** Part of a step that separates two labels. */
const MIN_TIME_STEP = 0.6;
const WORKING_DAY = [8, 17] as const;

/** Time axis in epoch milliseconds. */
export interface TimeAxis {
  readonly start: number;
  readonly end: number;
  readonly ticks: readonly { readonly time: number; readonly label: string }[];
}

/** Returns a time axis with round ends around all of `times`; the working day without times. */
export function timeAxis(times: readonly number[], clock: WallClock): TimeAxis {
  const [midnight] = clock.midnights;
  const known = times.length > 0 ? times : WORKING_DAY.map((hour) => midnight + hour * 60 * MINUTE);
  const first = known.reduce((a, b) => Math.min(a, b));
  const last = known.reduce((a, b) => Math.max(a, b));
  const fits = (step: number): boolean =>
    (last - first) / step <= MAX_TIME_STEPS && ticksAround(first, last, step, clock).length <= MAX_TIME_STEPS + 1;
  const ticks = ticksAround(first, last, TIME_STEPS.find(fits) ?? 720 * MINUTE, clock);
  return {
    start: ticks[0] ?? first,
    end: ticks.at(-1) ?? last,
    ticks: ticks.map((time) => ({ time, label: clock.time(time) })),
  };
}

/** Returns times around both, at which clocks show multiples of a step that divides a day. */
function ticksAround(first: number, last: number, step: number, clock: WallClock): readonly number[] {
  const below = (time: number): number => time - (((clock.local(time) % step) + step) % step);
  let tick = below(first);
  const ticks = [tick];
  while (tick < last || ticks.length < 2) {
    const next = below(tick + step);
    // Where clocks change, a tick beside the last one is left out.
    tick = next - tick < MIN_TIME_STEP * step ? below(next + step) : next;
    ticks.push(tick);
  }
  return ticks;
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
