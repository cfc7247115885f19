import type { ByteWriter } from '../pdf/byte-writer.js';
import { PAGE } from './theme.js';

/** Position in points from the left and from the top of the page. */
export type Point = readonly [x: number, y: number];

/** Rectangle in points from the left and from the top of the page. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the points of a line that passes so far to the right of and below a place. */
export function lineFrom(x: number, y: number, ...distances: readonly Point[]): readonly Point[] {
  return distances.map(([right, below]) => [x + right, y + below]);
}

/** Maximum number of points of an exact line; longer ones show measurements, for which tenths of a point are enough. */
const MAX_EXACT_POINTS = 4;

/** Traces lines from point to point (ISO 32000-1, section 8.5.2). */
export function traceLine(content: ByteWriter, points: readonly Point[]): void {
  const parts = points.length > MAX_EXACT_POINTS ? 10 : 100;
  let operator = 'm ';
  for (const point of points) {
    tracePoint(content, point, parts);
    content.write(operator);
    operator = 'l ';
  }
}

function tracePoint(content: ByteWriter, point: Point, parts?: number): void {
  content.length(point[0], parts);
  content.length(PAGE.height - point[1], parts);
}

export function traceRectangle(content: ByteWriter, { x, y, width, height }: Rectangle): void {
  tracePoint(content, [x, y + height]);
  content.length(width);
  content.length(height);
  content.write('re ');
}

/** Distance of a Bézier control point from the corner, for a quarter circle of radius 1. */
const CORNER = 0.4477;

/** Traces a closed rectangle with rounded corners; a square whose corners meet is a disc. */
export function traceRounded(content: ByteWriter, { x, y, width, height }: Rectangle, radius: number): void {
  const near = radius * CORNER;
  const right = x + width;
  const bottom = y + height;
  const to = (operator: 'm ' | 'l ' | 'c ', ...points: readonly Point[]): void => {
    // The sides of a disc have zero length.
    if (operator === 'l ' && 2 * radius >= Math.min(width, height)) return;
    for (const point of points) tracePoint(content, point);
    content.write(operator);
  };
  to('m ', [x + radius, y]);
  to('l ', [right - radius, y]);
  to('c ', [right - near, y], [right, y + near], [right, y + radius]);
  to('l ', [right, bottom - radius]);
  to('c ', [right, bottom - near], [right - near, bottom], [right - radius, bottom]);
  to('l ', [x + radius, bottom]);
  to('c ', [x + near, bottom], [x, bottom - near], [x, bottom - radius]);
  to('l ', [x, y + radius]);
  to('c ', [x, y + near], [x + near, y], [x + radius, y]);
  content.write('h ');
}
