import { isCounted, isDrawnAside, type DayTrip } from '../day/day-trip.js';
import type { DriverDay } from '../day/driver-day.js';
import { splitAtSilence, thin, type SpeedReading, type SpeedStretch } from '../day/speed-series.js';
import { alternative, type StructureElement } from '../pdf/structure.js';
import { timeAxis, speedAxis, type TimeAxis } from './axes.js';
import type { Canvas } from './canvas.js';
import { FIGURE_HEADING, SPEED_PLOT as PLOT } from './driver-layout.js';
import type { Point } from './path.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { paragraph } from './section-frame.js';
import { COLOURS, PAGE } from './theme.js';

const LABEL = { size: 6.5, colour: COLOURS.muted } as const;
/** Widths of the line: where readings stand close together a thinner one lets the area be seen. */
const LINE = { clear: 1, dense: 0.5 } as const;
/** Readings closer than this on paper, in points, cannot be told apart. */
const MIN_STEP = 0.5;
/** Marks over peaks stay this far apart, so that they do not become a bar. */
const MARK_DISTANCE = 9;

/** Draws the speeds of a day as an area, with the limit and what lies above it. */
export function drawSpeedChart(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  day: DriverDay,
): void {
  const { labels, options } = report;
  drawHeading(report, page, section, day);
  const counted = day.trips.filter(isCounted);
  const stretches = stretchesOf(counted);
  const aside = stretchesOf(day.trips.filter(isDrawnAside));
  const maxKmh = [...stretches, ...aside].reduce((top, stretch) => maxOf(stretch, top), 0);
  const axis = speedAxis(Math.max(maxKmh, options.speedLimitKmh));
  const scaleY = (PLOT.bottom - PLOT.top) / axis.top;
  const times = timeAxis(timesOf(day), report.clock);
  drawGrid(page, axis, scaleY);
  const draw = (): void => {
    const { canvas } = page;
    if (stretches.length + aside.length === 0) {
      const style = { size: 9, colour: COLOURS.muted, align: 'centre', width: PLOT.right - PLOT.left } as const;
      canvas.text(labels.noSpeeds, PLOT.left, (PLOT.top + PLOT.bottom) / 2 + 3, style);
    }
    const place = ({ time, kmh }: SpeedReading): Point => [acrossOf(times, time), PLOT.bottom - kmh * scaleY];
    const slot = (MIN_STEP * (times.end - times.start)) / (PLOT.right - PLOT.left);
    const thinned = stretches.map((stretch) => thin(stretch, slot));
    const isDense = thinned.some((stretch, index) => stretch !== stretches[index]);
    drawAside(
      canvas,
      aside.map((stretch) => thin(stretch, slot).map(place)),
    );
    drawStretches(
      canvas,
      thinned.map((stretch) => stretch.map(place)),
      isDense ? LINE.dense : LINE.clear,
    );
    drawLimit(report, canvas, PLOT.bottom - options.speedLimitKmh * scaleY);
    const over = counted.flatMap(({ partsOverLimit }) => partsOverLimit);
    drawAboveLimit(
      canvas,
      over.map((part) => thin(part, slot).map(place)),
    );
    drawTimes(canvas, times);
    drawMidnights(report, canvas, times);
  };
  page.content('Figure', section, draw, alternative(labels.chartAlternative(day.totals, options.speedLimitKmh)));
}

function drawHeading(
  { labels }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  { totals }: DriverDay,
): void {
  page.fixture('chart heading', section, (fixed) => {
    const heading = { size: 10, weight: 'bold', colour: COLOURS.navy, width: 150 } as const;
    paragraph(fixed, section, 'H2', labels.chart, PAGE.margin, FIGURE_HEADING, heading);
    const width = fixed.canvas.typesetter.width(labels.chart, 'bold', 10);
    const unit = { size: 7, colour: COLOURS.muted, width: 40 };
    paragraph(fixed, section, 'P', 'km/h', PAGE.margin + width + 6, FIGURE_HEADING, unit);
  });
  if (totals.tripsOverLimit > 0) {
    const warning = { size: 7.5, weight: 'bold', colour: COLOURS.red, align: 'right', width: 200 } as const;
    paragraph(page, section, 'P', labels.tripsOverLimit(totals), PLOT.right - 200, FIGURE_HEADING, warning);
  }
}

function drawGrid(page: ReportPage, axis: { top: number; step: number }, scaleY: number): void {
  page.artwork(`speed axis ${axis.top} by ${axis.step}`, (canvas) => {
    for (let kmh = 0; kmh <= axis.top; kmh += axis.step) {
      const y = PLOT.bottom - kmh * scaleY;
      const stroke = kmh === 0 ? { width: 0.8, colour: COLOURS.muted } : { width: 0.4, colour: COLOURS.hairline };
      canvas.line([PLOT.left, y], [PLOT.right, y], stroke);
      canvas.text(String(kmh), PAGE.margin, y + 2.3, { ...LABEL, align: 'right', width: 20 });
    }
  });
}

function drawStretches(canvas: Canvas, stretches: readonly (readonly Point[])[], width: number): void {
  const lines = stretches.filter((points) => points.length > 1);
  const single = stretches.flatMap((points) => (points.length === 1 ? points : []));
  canvas.fillPolygons(lines.map(downToZero), COLOURS.wash);
  canvas.rounded(() => canvas.polylines(lines, { width, colour: COLOURS.blue }));
  canvas.dots(single, 3, COLOURS.blue);
}

/** What does not count is drawn as well, thin and without its area. */
function drawAside(canvas: Canvas, stretches: readonly (readonly Point[])[]): void {
  canvas.polylines(
    stretches.filter((points) => points.length > 1),
    { width: 0.6, colour: COLOURS.muted },
    [2, 1.5],
  );
}

/** The area under a line. */
function downToZero(points: readonly Point[]): readonly Point[] {
  const [left, right] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  return [...points, [right, PLOT.bottom], [left, PLOT.bottom]];
}

function drawLimit({ labels, options }: ReportDocument, canvas: Canvas, y: number): void {
  canvas.line([PLOT.left, y], [PLOT.right, y], { width: 0.7, colour: COLOURS.red }, [3, 2]);
  const style = { ...LABEL, colour: COLOURS.red, align: 'right', width: 100 } as const;
  canvas.text(labels.limit(options.speedLimitKmh), PLOT.right - 100, y - 2.5, style);
}

/** Above the limit the line is red, thicker, and has marks over its peaks: colour alone is not enough. */
function drawAboveLimit(canvas: Canvas, parts: readonly (readonly Point[])[]): void {
  if (parts.length === 0) return;
  const peaks = parts.map((points) => points.reduce((peak, point) => (point[1] < peak[1] ? point : peak)));
  const marks: Point[][] = [];
  const marked: number[] = [];
  // Of peaks that stand close together the highest is marked.
  for (const [x, y] of peaks.toSorted((a, b) => a[1] - b[1])) {
    if (marked.some((other) => Math.abs(x - other) < MARK_DISTANCE)) continue;
    marked.push(x);
    marks.push([
      [x - 2.6, y - 3],
      [x + 2.6, y - 3],
      [x, y - 7.4],
    ]);
  }
  canvas.rounded(() => canvas.polylines(parts, { width: 1.7, colour: COLOURS.red }));
  canvas.dots(
    parts.flatMap((points) => (points.length === 1 ? points : [])),
    3.4,
    COLOURS.red,
  );
  canvas.fillPolygons(marks, COLOURS.red);
}

function drawTimes(canvas: Canvas, times: TimeAxis): void {
  const ticks = times.ticks.map(({ time, label }) => ({ x: acrossOf(times, time), label }));
  const lines = ticks.map(({ x }): Point[] => [
    [x, PLOT.bottom],
    [x, PLOT.bottom + 2.5],
  ]);
  canvas.polylines(lines, { width: 0.5, colour: COLOURS.muted });
  for (const { x, label } of ticks) {
    canvas.text(label, x - 20, PLOT.bottom + 10.5, { ...LABEL, align: 'centre', width: 40 });
  }
}

/** Where one day becomes the next, with the date on either side. */
function drawMidnights({ clock, labels }: ReportDocument, canvas: Canvas, times: TimeAxis): void {
  for (const midnight of clock.midnightsBetween(times.start, times.end)) {
    const x = acrossOf(times, midnight);
    canvas.line([x, PLOT.top], [x, PLOT.bottom], { width: 0.8, colour: COLOURS.ink });
    const dates = { size: 6.5, colour: COLOURS.ink, width: 50 } as const;
    canvas.text(labels.shortDate(clock.date(midnight - 1)), x - 53, PLOT.top + 6, { ...dates, align: 'right' });
    canvas.text(labels.shortDate(clock.date(midnight)), x + 3, PLOT.top + 6, dates);
  }
}

function stretchesOf(trips: readonly DayTrip[]): readonly SpeedStretch[] {
  return trips.flatMap(({ speeds }) => splitAtSilence(speeds));
}

function maxOf(stretch: SpeedStretch, top: number): number {
  let max = top;
  for (const { kmh } of stretch) if (kmh > max) max = kmh;
  return max;
}

function acrossOf({ start, end }: TimeAxis, time: number): number {
  return PLOT.left + ((time - start) / (end - start)) * (PLOT.right - PLOT.left);
}

/** The times between which the chart reaches: of the trips it draws and of their readings. */
function timesOf(day: DriverDay): readonly number[] {
  const times: number[] = [];
  for (const trip of day.trips) {
    if (!isCounted(trip) && !isDrawnAside(trip)) continue;
    const { standing, start, end, speeds } = trip;
    // The ends of what cannot be true may lie anywhere.
    const ends = standing.kind === 'impossible' ? [] : [start, end];
    for (const minute of ends) if (minute !== null) times.push(minute * 60_000);
    for (const reading of [speeds[0], speeds.at(-1)]) if (reading !== undefined) times.push(reading.time);
  }
  return times;
}
