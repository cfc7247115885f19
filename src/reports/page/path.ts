import { flip, format, formatTenths } from './lengths.js';
import { PAGE } from './theme.js';

export type Point = readonly [x: number, y: number];

/** Paths of more points are rounded to tenths of a point. */
const FEW_POINTS = 4;

/** Lines from point to point (ISO 32000-1, section 8.5.2), written once and painted as often as needed. */
export class Path {
  readonly operators: string;

  /** @param begun a path that goes on through the points */
  constructor(points: readonly Point[], begun?: Path) {
    const digits = points.length > FEW_POINTS ? formatTenths : format;
    let operators = begun?.operators ?? '';
    let operator = begun === undefined ? 'm' : 'l';
    for (const [x, y] of points) {
      operators += `${digits(x)} ${digits(PAGE.height - y)} ${operator} `;
      operator = 'l';
    }
    this.operators = operators;
  }

  /** This path and its way on through the points. */
  through(...points: readonly Point[]): Path {
    return new Path(points, this);
  }
}

/** How far a Bézier control point lies from the corner for a quarter circle of radius 1. */
const CORNER = 0.4477;

/** The outline of a rectangle with rounded corners, still open. */
export function roundedPath(x: number, y: number, width: number, height: number, radius: number): string {
  const near = radius * CORNER;
  const right = x + width;
  const bottom = y + height;
  const curve = (...points: readonly Point[]): string =>
    `${points.map(([px, py]) => `${format(px)} ${flip(py)}`).join(' ')} c `;
  const to = ([px, py]: Point, operator: 'm' | 'l'): string => `${format(px)} ${flip(py)} ${operator} `;
  return (
    to([x + radius, y], 'm') +
    to([right - radius, y], 'l') +
    curve([right - near, y], [right, y + near], [right, y + radius]) +
    to([right, bottom - radius], 'l') +
    curve([right, bottom - near], [right - near, bottom], [right - radius, bottom]) +
    to([x + radius, bottom], 'l') +
    curve([x + near, bottom], [x, bottom - near], [x, bottom - radius]) +
    to([x, y + radius], 'l') +
    curve([x, y + near], [x + near, y], [x + radius, y])
  );
}
