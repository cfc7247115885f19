import { offsetText } from '../day/report-date.js';
import type { Canvas, Dash } from './canvas.js';
import type { DriverLayout } from './driver-layout.js';
import { down } from './path.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, PAGE } from './theme.js';
import type { WallClock } from './wall-clock.js';

const MINUTE = 60_000;
const TIME_STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * MINUTE);
const MAX_TIME_STEPS = 9;
/** Minimum distance of two labels, as a part of a step. */
const MIN_TIME_STEP = 0.6;
const WORKING_DAY = [8, 17] as const;

export interface TimeAxis {
  readonly start: number;
  readonly end: number;
  readonly ticks: readonly number[];
}

/** Returns a time axis with round ends around all of `times`; without times, around a working day. */
export function timeAxis(times: readonly number[], clock: WallClock): TimeAxis {
  const [midnight] = clock.midnights;
  const known = times.length > 0 ? times : WORKING_DAY.map((hour) => midnight + hour * 60 * MINUTE);
  const first = known.reduce((a, b) => Math.min(a, b));
  const last = known.reduce((a, b) => Math.max(a, b));
  const fits = (step: number): boolean =>
    (last - first) / step <= MAX_TIME_STEPS && ticksAround(first, last, step, clock).length <= MAX_TIME_STEPS + 1;
  const ticks = ticksAround(first, last, TIME_STEPS.find(fits) ?? 720 * MINUTE, clock);
  return { start: ticks[0] ?? first, end: ticks.at(-1) ?? last, ticks };
}

/** Returns times from before `first` to after `last` at which clocks show multiples of a step that divides a day. */
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

export type Plot = DriverLayout['plot'];

const LABEL = { size: 6.5 } as const;
const SPEED_WIDTH = 18;
/** Line and words of the limit below the axis. */
const LIMIT = { dash: [3, 2], baseline: 19, length: 13, gap: 3 } as const;
/** Words beside midnights and beside changes of the clocks; the latter are lower if both are near. */
const DATE = { width: 32, gap: 3, baseline: 6, below: 14 } as const;

export function acrossOf({ left, right }: Plot, { start, end }: TimeAxis, time: number): number {
  return left + ((time - start) / (end - start)) * (right - left);
}

/** Draws the lines and figures of the speeds. */
export function drawGrid(page: ReportPage, plot: Plot, axis: { top: number; step: number }, scaleY: number): void {
  page.artwork(`speed axis ${axis.top} by ${axis.step} down to ${plot.bottom}`, (canvas) => {
    for (let kmh = 0; kmh <= axis.top; kmh += axis.step) {
      const y = plot.bottom - kmh * scaleY;
      const stroke = kmh === 0 ? { width: 0.8, colour: COLOURS.muted } : { width: 0.4, colour: COLOURS.hairline };
      canvas.line([plot.left, y], [plot.right, y], stroke);
      canvas.text(String(kmh), PAGE.left, y + 2.3, { ...LABEL, align: 'right', width: SPEED_WIDTH });
    }
  });
}

/** Draws the speed limit, and its legend below the axis: beside the line, the words would cover speeds. */
export function drawLimit({ labels, options }: ReportDocument, canvas: Canvas, plot: Plot, y: number): void {
  const stroke = { width: 0.7, colour: COLOURS.red };
  canvas.line([plot.left, y], [plot.right, y], stroke, LIMIT.dash);
  const text = labels.limit(options.speedLimitKmh);
  const baseline = plot.bottom + LIMIT.baseline;
  const left = plot.right - canvas.typesetter.width(text, 'regular', LABEL.size);
  canvas.text(text, left, baseline, { ...LABEL, colour: COLOURS.red });
  const line = left - LIMIT.gap;
  canvas.line([line - LIMIT.length, baseline - 2.3], [line, baseline - 2.3], stroke, LIMIT.dash);
}

/** Draws the marks and figures of the times, midnights and changes of the clocks. */
export function drawTimes(report: ReportDocument, canvas: Canvas, plot: Plot, times: TimeAxis): void {
  const places = times.ticks.map((time) => acrossOf(plot, times, time));
  const marks = places.map((x) => down(x, plot.bottom, plot.bottom + 2.5));
  canvas.polylines(marks, { width: 0.5, colour: COLOURS.muted });
  times.ticks.forEach((time, index) => {
    const style = { ...LABEL, align: 'centre', width: 40 } as const;
    canvas.text(report.clock.time(time), (places[index] ?? 0) - 20, plot.bottom + 10, style);
  });
  drawMidnights(report, canvas, plot, times);
}

/** Draws midnights and changes of the clocks, with the dates or offsets on both sides. */
function drawMidnights({ day, clock, labels }: ReportDocument, canvas: Canvas, plot: Plot, times: TimeAxis): void {
  const drawn = (moments: readonly number[]): readonly number[] =>
    moments.filter((moment) => moment > times.start && moment < times.end);
  const draw = (moments: readonly number[], label: (time: number) => string, baseline: number, dash?: Dash): void => {
    for (const moment of drawn(moments)) {
      const x = acrossOf(plot, times, moment);
      canvas.line([x, plot.top], [x, plot.bottom], { width: 0.8, colour: COLOURS.ink }, dash);
      const { width, gap } = DATE;
      canvas.text(label(moment - 1), x - gap - width, plot.top + baseline, { ...LABEL, width, align: 'right' });
      canvas.text(label(moment), x + gap, plot.top + baseline, { ...LABEL, width });
    }
  };
  draw(clock.midnights, (time) => labels.shortDate(clock.date(time)), DATE.baseline);
  const all = drawn([...clock.midnights, ...day.changes]).map((moment) => acrossOf(plot, times, moment));
  const areNear = all.some((x, index) => all.some((other, at) => at > index && Math.abs(other - x) < 2 * DATE.width));
  draw(day.changes, (time) => offsetText(day.offsetAt(time)), areNear ? DATE.below : DATE.baseline, [1, 2]);
}
