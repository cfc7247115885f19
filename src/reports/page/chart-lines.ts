import type { Canvas } from './canvas.js';
import type { Point } from './path.js';
import { COLOURS } from './theme.js';

/** Points of consecutive readings. */
type Line = readonly Point[];

/** Minimum distance of the marks over peaks, so that they do not merge into a bar. */
const MARK_DISTANCE = 9;

/** Draws speeds as an area under a line. @param bottom y of speed zero */
export function drawStretches(canvas: Canvas, stretches: readonly Line[], width: number, bottom: number): void {
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
export function drawAside(canvas: Canvas, stretches: readonly Line[]): void {
  canvas.polylines(
    stretches.filter((points) => points.length > 1),
    { width: 0.6, colour: COLOURS.muted },
    [2, 1.5],
  );
}

/** Draws speeds above the limit in red, thicker, and with marks over the peaks: colour alone is not enough. */
export function drawAboveLimit(canvas: Canvas, parts: readonly Line[]): void {
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
