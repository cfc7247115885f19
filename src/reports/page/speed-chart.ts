import { isCounted, isDrawn } from '../day/day-trip.js';
import type { DriverDay } from '../day/driver-day.js';
import { type SpeedReading, type SpeedStretch, thin } from '../day/speed-series.js';
import { type Canvas, type Dash, lineFrom, type Point } from './canvas.js';
import { CHART_RIGHT, type DriverLayout } from './driver-layout.js';
import { shownOffset } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import { HEADING_SIZE, type ReportPage } from './report-page.js';
import { COLOURS, PAGE } from './theme.js';
import { timesOver } from './day-rows.js';
import type { WallClock } from './wall-clock.js';

/** Widths of the line: for dense readings, a thinner one keeps the area visible. */
const LINE = { clear: 1, dense: 0.5 } as const;
/** Minimum distance of distinguishable readings on paper, in points. */
const MIN_STEP = 0.5;

/** Draws the speeds of a day as an area, with the limit and the parts above it. */
export function drawSpeedChart(report: ReportDocument, page: ReportPage, day: DriverDay, layout: DriverLayout): void {
  const { labels, options } = report;
  const { plot } = layout;
  drawHeading(report, page, day, layout.heading);
  const counted = day.trips.filter(isCounted);
  const stretches = counted.flatMap((trip) => trip.stretches);
  const aside = day.trips.flatMap((trip) => (isDrawn(trip) && !isCounted(trip) ? trip.stretches : []));
  let maxKmh = options.speedLimitKmh;
  for (const stretch of [...stretches, ...aside]) for (const { kmh } of stretch) if (kmh > maxKmh) maxKmh = kmh;
  const axis = speedAxis(maxKmh);
  const scaleY = (plot.bottom - plot.top) / axis.top;
  const times = timeAxis(timesOf(day), report.clock, plot);
  drawGrid(page, plot, axis, scaleY);
  const draw = (): void => {
    const { canvas } = page;
    if (stretches.length + aside.length === 0) {
      const style = { size: 8, align: 'centre', width: plot.right - plot.left } as const;
      // Between two lines of the grid, and not where the limit is.
      const half = Math.floor(axis.top / axis.step / 2);
      const below = half - (Math.floor(options.speedLimitKmh / axis.step) === half ? 1 : 0);
      canvas.text(labels.noSpeeds, plot.left, plot.bottom - (below + 0.5) * axis.step * scaleY + 3, style);
    }
    const place = ({ time, kmh }: SpeedReading): Point => [times.xOf(time), plot.bottom - kmh * scaleY];
    const slot = (MIN_STEP * (times.end - times.start)) / (plot.right - plot.left);
    const thinned = (parts: readonly SpeedStretch[]): readonly SpeedStretch[] => parts.map((part) => thin(part, slot));
    const linesOf = (parts: readonly SpeedStretch[]): readonly Polyline[] => parts.map((part) => part.map(place));
    const shown = thinned(stretches);
    const isDense = shown.some((stretch, index) => stretch !== stretches[index]);
    drawAside(canvas, linesOf(thinned(aside)));
    drawStretches(canvas, linesOf(shown), isDense ? LINE.dense : LINE.clear, plot.bottom);
    const limit = plot.bottom - options.speedLimitKmh * scaleY;
    canvas.line([plot.left, limit], [plot.right, limit], LIMIT.stroke, LIMIT.dash);
    const over = counted.flatMap(({ partsOverLimit }) => partsOverLimit);
    drawAboveLimit(canvas, linesOf(thinned(over)));
    drawTimes(report, canvas, plot, times);
  };
  page.figure(draw, () => labels.chartAlternative(day.totals, options.speedLimitKmh));
}

/** Draws the heading, and in its line the legend of the limit: beside the line, the words would cover speeds. */
function drawHeading(report: ReportDocument, page: ReportPage, day: DriverDay, baseline: number): void {
  const { labels, options } = report;
  const { typesetter } = page.canvas;
  const unit = PAGE.left + typesetter.width(labels.chart, 'bold', HEADING_SIZE) + 6;
  const [line, limit] = [unit + 24, labels.limit(options.speedLimitKmh)];
  const words = line + LIMIT.length + LIMIT.gap;
  page.fixture(
    'chart heading',
    (fixed, top) => {
      const at = top + HEADING_SIZE;
      fixed.heading(labels.chart, PAGE.left, at, 100);
      fixed.paragraph('km/h', unit, at, { size: 7, width: 24 });
      fixed.decoration(() =>
        fixed.canvas.line([line, at - 2.3], [line + LIMIT.length, at - 2.3], LIMIT.stroke, LIMIT.dash),
      );
      fixed.paragraph(limit, words, at, { ...LABEL, colour: COLOURS.red, width: 60 });
    },
    baseline - HEADING_SIZE,
  );
  const left = words + typesetter.width(limit, 'regular', LABEL.size) + 2 * LIMIT.gap;
  drawTimesOverLimit(report, page, day, left, baseline);
}

export function drawTimesOverLimit(
  { labels }: ReportDocument,
  page: ReportPage,
  { totals: { tripsOverLimit, overLimit } }: DriverDay,
  left: number,
  baseline: number,
): void {
  if (tripsOverLimit === 0) return;
  const style = { size: 7.5, weight: 'bold', colour: COLOURS.red, align: 'right', width: CHART_RIGHT - left } as const;
  page.paragraph(labels.tripsOverLimit(tripsOverLimit, timesOver(labels, overLimit)), left, baseline, style);
}

/** Returns the times that the chart covers: of its drawn trips and their readings. */
function timesOf(day: DriverDay): readonly number[] {
  return day.trips.filter(isDrawn).flatMap(({ verdict, start, end, stretches }) => {
    // Ends of impossible trips may lie anywhere.
    const minutes = verdict.kind === 'impossible' ? [] : [start, end].filter((minute) => minute !== null);
    const readings = [stretches[0]?.[0], stretches.at(-1)?.at(-1)];
    return [...minutes.map((minute) => minute * MINUTE), ...readings.flatMap((reading) => reading?.time ?? [])];
  });
}

type Polyline = readonly Point[];

/** Minimum distance of the marks over peaks, so that they do not merge into a bar. */
const MARK_DISTANCE = 9;

/** Draws speeds as an area under a line. @param bottom y of speed zero */
function drawStretches(canvas: Canvas, stretches: readonly Polyline[], width: number, bottom: number): void {
  const lines = stretches.filter((points) => points.length > 1);
  const single = stretches.flatMap((points) => (points.length === 1 ? points : []));
  canvas.fillPolygons(
    lines.map((points) => [...points, [points.at(-1)?.[0] ?? 0, bottom], [points[0]?.[0] ?? 0, bottom]]),
    COLOURS.wash,
  );
  canvas.rounded(() => canvas.polylines(lines, { width, colour: COLOURS.blue }));
  canvas.discs(single, 3, COLOURS.blue);
}

/** Draws speeds that do not count, thin and without an area. */
function drawAside(canvas: Canvas, stretches: readonly Polyline[]): void {
  canvas.polylines(
    stretches.filter((points) => points.length > 1),
    { width: 0.6, colour: COLOURS.muted },
    [2, 1.5],
  );
}

/** Draws speeds above the limit in red, thicker, and with marks over the peaks: colour alone is not enough. */
function drawAboveLimit(canvas: Canvas, parts: readonly Polyline[]): void {
  if (parts.length === 0) return;
  const peaks = parts.map((points) => points.reduce((peak, point) => (point[1] < peak[1] ? point : peak)));
  const marks: Polyline[] = [];
  const marked: number[] = [];
  // Only the highest of close peaks is marked.
  for (const [x, y] of peaks.toSorted((a, b) => a[1] - b[1])) {
    if (marked.some((other) => Math.abs(x - other) < MARK_DISTANCE)) continue;
    marked.push(x);
    marks.push(lineFrom(x, y, [-2.6, -3], [2.6, -3], [0, -7.4]));
  }
  canvas.rounded(() => canvas.polylines(parts, { width: 1.9, colour: COLOURS.red }));
  canvas.discs(
    parts.flatMap((points) => (points.length === 1 ? points : [])),
    3.4,
    COLOURS.red,
  );
  canvas.fillPolygons(marks, COLOURS.red);
}

const MINUTE = 60_000;
const TIME_STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * MINUTE);
const MAX_TIME_STEPS = 9;
/** Minimum distance of two labels, as a part of a step. */
const MIN_TIME_STEP = 0.6;
const WORKING_DAY = [8, 17] as const;

type Plot = DriverLayout['plot'];
type TimeAxis = ReturnType<typeof timeAxis>;

/** Returns a time axis with round ends around all of `times`; without times, around a working day. */
function timeAxis(times: readonly number[], clock: WallClock, { left, right }: Plot) {
  const [midnight] = clock.midnights;
  const known = times.length > 0 ? times : WORKING_DAY.map((hour) => midnight + hour * 60 * MINUTE);
  const first = known.reduce((a, b) => Math.min(a, b));
  const last = known.reduce((a, b) => Math.max(a, b));
  const fits = (step: number): boolean =>
    (last - first) / step <= MAX_TIME_STEPS && ticksAround(first, last, step, clock).length <= MAX_TIME_STEPS + 1;
  const ticks = ticksAround(first, last, TIME_STEPS.find(fits) ?? 720 * MINUTE, clock);
  const [start, end] = [ticks[0] ?? first, ticks.at(-1) ?? last];
  const xOf = (time: number): number => left + ((time - start) / (end - start)) * (right - left);
  return { start, end, ticks, xOf };
}

/** Returns times from before `first` to after `last` at which clocks show multiples of a step that divides a day. */
export function ticksAround(first: number, last: number, step: number, clock: WallClock): readonly number[] {
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
function speedAxis(maxKmh: number) {
  const step = maxKmh <= 110 ? 20 : maxKmh <= 180 ? 30 : 50;
  return { top: Math.max(120, Math.ceil((maxKmh * 1.05) / step) * step), step };
}

const LABEL = { size: 6.5 } as const;
const SPEED_WIDTH = 18;
const LIMIT = { stroke: { width: 0.7, colour: COLOURS.red }, dash: [3, 2], length: 13, gap: 3 } as const;
/** Distance of the figures of speeds below which some are left out. */
const SPEEDS_APART = 8;
/** Words beside midnights and beside changes of the clocks; the latter are lower if both are near. */
const DATE = { width: 32, gap: 3, baseline: 6, below: 14 } as const;

function drawGrid(page: ReportPage, plot: Plot, axis: { top: number; step: number }, scaleY: number): void {
  page.artwork(`speed axis ${axis.top} by ${axis.step} from ${plot.top} down to ${plot.bottom}`, (canvas) => {
    for (let kmh = 0; kmh <= axis.top; kmh += axis.step) {
      const y = plot.bottom - kmh * scaleY;
      const stroke = kmh === 0 ? { width: 0.8, colour: COLOURS.muted } : { width: 0.4, colour: COLOURS.hairline };
      canvas.line([plot.left, y], [plot.right, y], stroke);
      if (kmh % (axis.step * Math.ceil(SPEEDS_APART / (axis.step * scaleY))) !== 0) continue;
      canvas.text(String(kmh), PAGE.left, y + 2.3, { ...LABEL, align: 'right', width: SPEED_WIDTH });
    }
  });
}

function drawTimes(report: ReportDocument, canvas: Canvas, plot: Plot, times: TimeAxis): void {
  const marks = times.ticks.map((time) => lineFrom(times.xOf(time), plot.bottom, [0, 0], [0, 2.5]));
  canvas.polylines(marks, { width: 0.5, colour: COLOURS.muted });
  const style = { ...LABEL, align: 'centre', width: 40 } as const;
  for (const time of times.ticks) {
    canvas.text(report.clock.time(time), times.xOf(time) - 20, plot.bottom + 10, style);
  }
  drawMidnights(report, canvas, plot, times);
}

function drawMidnights({ day, clock, labels }: ReportDocument, canvas: Canvas, plot: Plot, times: TimeAxis): void {
  const drawn = (moments: readonly number[]): readonly number[] =>
    moments.filter((moment) => moment > times.start && moment < times.end);
  const draw = (moments: readonly number[], label: (time: number) => string, baseline: number, dash?: Dash): void => {
    for (const moment of drawn(moments)) {
      const x = times.xOf(moment);
      canvas.line([x, plot.top], [x, plot.bottom], { width: 0.8, colour: COLOURS.ink }, dash);
      const { width, gap } = DATE;
      canvas.text(label(moment - 1), x - gap - width, plot.top + baseline, { ...LABEL, width, align: 'right' });
      canvas.text(label(moment), x + gap, plot.top + baseline, { ...LABEL, width });
    }
  };
  draw(clock.midnights, (time) => labels.shortDate(clock.date(time)), DATE.baseline);
  const all = drawn([...clock.midnights, ...day.changes]).map(times.xOf);
  const areNear = all.some((x, index) => all.some((other, at) => at > index && Math.abs(other - x) < 2 * DATE.width));
  draw(day.changes, (time) => shownOffset(day.offsetAt(time)), areNear ? DATE.below : DATE.baseline, [1, 2]);
}
