import { type DayTrip, isCounted, isDrawn } from '../day/day-trip.js';
import type { DriverDay } from '../day/driver-day.js';
import { type SpeedReading, type SpeedStretch, thin } from '../day/speed-series.js';
import { alternative } from '../pdf/structure.js';
import type { Canvas } from './canvas.js';
import { acrossOf, drawGrid, drawLimit, drawTimes, type Plot, speedAxis, timeAxis } from './chart-axes.js';
import { FIGURE_HEADING } from './driver-layout.js';
import type { Point } from './path.js';
import type { ReportDocument } from './report-document.js';
import { HEADING_SIZE, type ReportPage } from './report-page.js';
import { COLOURS, PAGE } from './theme.js';
import { timesOver } from './trip-table.js';

/** Widths of the line: for dense readings, a thinner one keeps the area visible. */
const LINE = { clear: 1, dense: 0.5 } as const;
/** Minimum distance of distinguishable readings on paper, in points. */
const MIN_STEP = 0.5;

/** Draws the speeds of a day as an area, with the limit and the parts above it. */
export function drawSpeedChart(report: ReportDocument, page: ReportPage, day: DriverDay, plot: Plot): void {
  const { labels, options } = report;
  drawHeading(report, page, day, plot);
  const counted = day.trips.filter(isCounted);
  const stretches = stretchesOf(counted);
  const aside = stretchesOf(day.trips.filter((trip) => isDrawn(trip) && !isCounted(trip)));
  const maxKmh = [...stretches, ...aside].reduce((top, stretch) => maxOf(stretch, top), 0);
  const axis = speedAxis(Math.max(maxKmh, options.speedLimitKmh));
  const scaleY = (plot.bottom - plot.top) / axis.top;
  const times = timeAxis(timesOf(day), report.clock);
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
    const place = ({ time, kmh }: SpeedReading): Point => [acrossOf(plot, times, time), plot.bottom - kmh * scaleY];
    const slot = (MIN_STEP * (times.end - times.start)) / (plot.right - plot.left);
    const thinned = (parts: readonly SpeedStretch[]): readonly SpeedStretch[] => parts.map((part) => thin(part, slot));
    const linesOf = (parts: readonly SpeedStretch[]): readonly Line[] => parts.map((part) => part.map(place));
    const shown = thinned(stretches);
    const isDense = shown.some((stretch, index) => stretch !== stretches[index]);
    drawAside(canvas, linesOf(thinned(aside)));
    drawStretches(canvas, linesOf(shown), isDense ? LINE.dense : LINE.clear, plot.bottom);
    drawLimit(report, canvas, plot, plot.bottom - options.speedLimitKmh * scaleY);
    const over = counted.flatMap(({ partsOverLimit }) => partsOverLimit);
    drawAboveLimit(canvas, linesOf(thinned(over)));
    drawTimes(report, canvas, plot, times);
  };
  page.content('Figure', page.section, draw, alternative(labels.chartAlternative(day.totals, options.speedLimitKmh)));
}

function drawHeading({ labels }: ReportDocument, page: ReportPage, { totals }: DriverDay, plot: Plot): void {
  page.fixture('chart heading', (fixed) => {
    fixed.heading(labels.chart, PAGE.left, FIGURE_HEADING, 100);
    const width = fixed.canvas.typesetter.width(labels.chart, 'bold', HEADING_SIZE);
    fixed.paragraph('km/h', PAGE.left + width + 6, FIGURE_HEADING, { size: 7, width: 24 });
  });
  if (totals.tripsOverLimit > 0) {
    const style = { size: 7.5, weight: 'bold', colour: COLOURS.red, align: 'right', width: 200 } as const;
    const text = labels.tripsOverLimit(totals.tripsOverLimit, timesOver(labels, totals.overLimit));
    page.paragraph(text, plot.right - 200, FIGURE_HEADING, style);
  }
}

function stretchesOf(trips: readonly DayTrip[]): readonly SpeedStretch[] {
  return trips.flatMap(({ stretches }) => stretches);
}

function maxOf(stretch: SpeedStretch, top: number): number {
  let max = top;
  for (const { kmh } of stretch) if (kmh > max) max = kmh;
  return max;
}

/** Returns the times that the chart covers: of its drawn trips and their readings. */
function timesOf(day: DriverDay): readonly number[] {
  const times: number[] = [];
  for (const trip of day.trips) {
    if (!isDrawn(trip)) continue;
    const { verdict, start, end, stretches } = trip;
    // Ends of impossible trips may lie anywhere.
    const ends = verdict.kind === 'impossible' ? [] : [start, end];
    for (const minute of ends) if (minute !== null) times.push(minute * 60_000);
    for (const reading of [stretches[0]?.[0], stretches.at(-1)?.at(-1)])
      if (reading !== undefined) times.push(reading.time);
  }
  return times;
}

type Line = readonly Point[];

/** Minimum distance of the marks over peaks, so that they do not merge into a bar. */
const MARK_DISTANCE = 9;

/** Draws speeds as an area under a line. @param bottom y of speed zero */
function drawStretches(canvas: Canvas, stretches: readonly Line[], width: number, bottom: number): void {
  const lines = stretches.filter((points) => points.length > 1);
  const single = stretches.flatMap((points) => (points.length === 1 ? points : []));
  canvas.fillPolygons(
    lines.map((points) => downTo(bottom, points)),
    COLOURS.wash,
  );
  canvas.rounded(() => canvas.polylines(lines, { width, colour: COLOURS.blue }));
  canvas.discs(single, 3, COLOURS.blue);
}

/** Returns the polygon under a line. */
function downTo(bottom: number, points: Line): Line {
  const [left, right] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  return [...points, [right, bottom], [left, bottom]];
}

/** Draws speeds that do not count, thin and without an area. */
function drawAside(canvas: Canvas, stretches: readonly Line[]): void {
  canvas.polylines(
    stretches.filter((points) => points.length > 1),
    { width: 0.6, colour: COLOURS.muted },
    [2, 1.5],
  );
}

/** Draws speeds above the limit in red, thicker, and with marks over the peaks: colour alone is not enough. */
function drawAboveLimit(canvas: Canvas, parts: readonly Line[]): void {
  if (parts.length === 0) return;
  const peaks = parts.map((points) => points.reduce((peak, point) => (point[1] < peak[1] ? point : peak)));
  const marks: Point[][] = [];
  const marked: number[] = [];
  // Only the highest of close peaks is marked.
  for (const [x, y] of peaks.toSorted((a, b) => a[1] - b[1])) {
    if (marked.some((other) => Math.abs(x - other) < MARK_DISTANCE)) continue;
    marked.push(x);
    marks.push([
      [x - 2.6, y - 3],
      [x + 2.6, y - 3],
      [x, y - 7.4],
    ]);
  }
  canvas.rounded(() => canvas.polylines(parts, { width: 1.9, colour: COLOURS.red }));
  canvas.discs(
    parts.flatMap((points) => (points.length === 1 ? points : [])),
    3.4,
    COLOURS.red,
  );
  canvas.fillPolygons(marks, COLOURS.red);
}
