import type { DriverDay } from '../day/driver-day.js';
import { METERS_PER_DEGREE, nearestLongitude } from '../day/earth.js';
import type { Position } from '../day/plausible.js';
import type { TripPart } from '../day/trip-positions.js';
import { type Canvas, lineFrom, type Point } from './canvas.js';
import type { DriverLayout } from './driver-layout.js';
import type { ReportDocument } from './report-document.js';
import { HEADING_SIZE, type ReportPage } from './report-page.js';
import { COLOURS } from './theme.js';

type Panel = DriverLayout['route'];

/** Margins of the route for the marks at its ends, the words above and the scale bar below; less in a low panel. */
const MARGIN = { side: 16, top: 17, bottom: 24, part: 0.2 } as const;
/** Height of a panel from which scale and north have space below the route. */
const LEAST_HEIGHT = 60;
const LABEL = { size: 6.5 } as const;
/** Ring at a stop, in points. */
const STOP = { outer: 4.2, inner: 2.6, length: 0.1 } as const;
const MARK_DISTANCE = 12;
/** Dash pattern of an unknown way. It begins within a gap, so that a very short line does not look measured. */
const UNKNOWN = [3, 3, 4.5] as const;

/** Draws the route of the day: the line of all trips, start and end, a scale bar and north. */
export function drawRouteSketch(report: ReportDocument, page: ReportPage, day: DriverDay, layout: DriverLayout): void {
  const { labels } = report;
  const { heading, route: panel } = layout;
  const { left, top, width, height } = panel;
  page.fixture(
    'route heading',
    (fixed, y) => fixed.heading(labels.route, left, y + HEADING_SIZE, width),
    heading - HEADING_SIZE,
  );
  page.artwork(`route panel of ${height} at ${top}`, (canvas) => {
    const edge = { width: 0.5, colour: COLOURS.hairline };
    canvas.roundedRectangle({ x: left, y: top, width, height }, 4, COLOURS.panel, edge);
  });
  const draw = (): void => {
    const { canvas } = page;
    const [above, below] = [MARGIN.top, MARGIN.bottom].map((margin) => Math.min(margin, height * MARGIN.part)) as [
      number,
      number,
    ]; // of two
    const route = projectRoute(day.positions, {
      left: left + MARGIN.side,
      top: top + above,
      width: width - 2 * MARGIN.side,
      height: height - above - below,
    });
    if (route === undefined) {
      const style = { size: 7, align: 'centre', width } as const;
      canvas.text(labels.noPositions, left, top + height / 2 + 3, style);
      return;
    }
    drawLines(canvas, route.lines);
    drawEnds(report, canvas, route.lines);
    if (height >= LEAST_HEIGHT) {
      drawScale(canvas, panel, route.metersPerPoint);
      drawNorth(canvas, panel);
    }
    if (route.lines.some(({ isMeasured }) => !isMeasured)) {
      canvas.text(labels.straightLine, left + 6, top + 10, LABEL);
    }
  };
  page.figure(draw, () => labels.routeAlternative(day.totals));
}

function drawLines(canvas: Canvas, lines: readonly RouteLine[]): void {
  const pathsOf = (isMeasured: boolean): (readonly Point[])[] =>
    lines.filter((line) => line.isMeasured === isMeasured).map(({ points }) => points);
  canvas.rounded(() => canvas.polylines(pathsOf(true), { width: 1.2, colour: COLOURS.blue }));
  canvas.polylines(pathsOf(false), { width: 1, colour: COLOURS.blue }, UNKNOWN);
  const stops = lines.slice(0, -1).flatMap(({ points, isEnd }) => (isEnd ? points.slice(-1) : []));
  // Very short lines with round ends take a third of the bytes of circles; pdf.js does not paint lines of no length.
  const dots = stops.map(([x, y]) => lineFrom(x, y, [0, 0], [STOP.length, 0]));
  canvas.rounded(() => {
    canvas.polylines(dots, { width: STOP.outer, colour: COLOURS.blue });
    canvas.polylines(dots, { width: STOP.inner, colour: COLOURS.white });
  });
}

function drawEnds({ labels }: ReportDocument, canvas: Canvas, lines: readonly RouteLine[]): void {
  const first = lines[0]?.points[0];
  const last = lines.at(-1)?.points.at(-1);
  if (first === undefined || last === undefined) return;
  const [start, end] = apart(first, last);
  const edge = { width: 1.2, colour: COLOURS.white };
  canvas.discs([start], 10.4, COLOURS.green, edge);
  const box = { x: end[0] - 5, y: end[1] - 5, width: 10, height: 10 };
  canvas.roundedRectangle(box, 1.2, COLOURS.red, edge);
  const letter = { size: 6.5, weight: 'bold', colour: COLOURS.white, align: 'centre', width: 10 } as const;
  canvas.text(labels.startMark, start[0] - 5, start[1] + 2.4, letter);
  canvas.text(labels.endMark, end[0] - 5, end[1] + 2.4, letter);
}

/** Moves marks that would overlap side by side around their middle: most days end where they began. */
function apart(start: Point, end: Point): [start: Point, end: Point] {
  const missing = MARK_DISTANCE - Math.hypot(end[0] - start[0], end[1] - start[1]);
  if (missing <= 0) return [start, end];
  const [x, y] = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
  const half = MARK_DISTANCE / 2;
  return [
    [x - half, y],
    [x + half, y],
  ];
}

function drawScale(canvas: Canvas, panel: Panel, metersPerPoint: number): void {
  const meters = roundLength(metersPerPoint * panel.width * 0.3);
  const left = panel.left + 10;
  const y = panel.top + panel.height - 8;
  const length = meters / metersPerPoint;
  const bar = lineFrom(left, y, [0, -3], [0, 0], [length, 0], [length, -3]);
  canvas.polylines([bar], { width: 0.8, colour: COLOURS.muted });
  const label = meters < 1000 ? `${meters} m` : `${meters / 1000} km`;
  canvas.text(label, left + length + 4, y + 1, LABEL);
}

/** Returns the largest round length (1, 2 or 5 times a power of ten) up to `maxLength`. */
function roundLength(maxLength: number): number {
  const power = 10 ** Math.floor(Math.log10(maxLength));
  return power * (maxLength >= 5 * power ? 5 : maxLength >= 2 * power ? 2 : 1);
}

function drawNorth(canvas: Canvas, panel: Panel): void {
  const x = panel.left + panel.width - 12;
  const y = panel.top + panel.height - 8;
  canvas.fillPolygons([lineFrom(x, y, [0, -9], [-3, 0], [0, -2.2], [3, 0])], COLOURS.muted);
  canvas.text('N', x - 16, y, { ...LABEL, align: 'right', width: 11 });
}

/** Minimum distance of drawn points on paper, in points. */
const MIN_STEP = 1;
/** Minimum extent of the drawn area, so that the route of a vehicle that never left its yard has a useful scale. */
const MIN_EXTENT_METERS = 200;

/** Area of the route: points from the top left corner of the page. */
type Frame = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;
type RoutePoint = readonly [x: number, y: number];

/** Part of a trip on paper, and whether it is the last one; a straight line if the way is not measured. */
type RouteLine = NonNullable<ReturnType<typeof projectRoute>>['lines'][number];

/**
 * Places the trips of a day in a frame, north up and true to scale around the middle of the route (equirectangular
 * projection; its error within a day's drive is thinner than the line).
 *
 * @returns lines in the order of the trips, and their scale; undefined without a known position
 */
function projectRoute(trips: readonly (readonly TripPart[])[], frame: Frame) {
  const drawn = trips.flatMap((parts) =>
    parts.map(({ positions, isMeasured }, index) => ({ positions, isMeasured, isEnd: index === parts.length - 1 })),
  );
  const origin = drawn[0]?.positions[0];
  if (origin === undefined) return undefined;
  const box = boundsOf(drawn, origin.lng);
  const middle = { lat: (box.south + box.north) / 2, lng: (box.west + box.east) / 2 };
  // At a pole, a degree of longitude has no length; one hundredth of a degree keeps the division possible.
  const eastward = METERS_PER_DEGREE * Math.max(Math.cos((middle.lat * Math.PI) / 180), 0.0002);
  const metersPerPoint = Math.max(
    ((box.east - box.west) * eastward) / frame.width,
    ((box.north - box.south) * METERS_PER_DEGREE) / frame.height,
    MIN_EXTENT_METERS / frame.width,
  );
  const place = ({ lat, lng }: Position): RoutePoint => [
    frame.left + frame.width / 2 + ((nearestLongitude(lng, origin.lng) - middle.lng) * eastward) / metersPerPoint,
    frame.top + frame.height / 2 - ((lat - middle.lat) * METERS_PER_DEGREE) / metersPerPoint,
  ];
  const lines = drawn.map(({ positions, isMeasured, isEnd }) => ({
    isMeasured,
    isEnd,
    points: withoutCrowding(positions.map(place)),
  }));
  return { lines, metersPerPoint };
}

function boundsOf(parts: readonly TripPart[], origin: number) {
  const bounds = { south: Infinity, north: -Infinity, west: Infinity, east: -Infinity };
  for (const { positions } of parts) {
    for (const position of positions) {
      const lng = nearestLongitude(position.lng, origin);
      bounds.south = Math.min(bounds.south, position.lat);
      bounds.north = Math.max(bounds.north, position.lat);
      bounds.west = Math.min(bounds.west, lng);
      bounds.east = Math.max(bounds.east, lng);
    }
  }
  return bounds;
}

function withoutCrowding(points: readonly RoutePoint[]): readonly RoutePoint[] {
  const kept: RoutePoint[] = [];
  points.forEach((point, index) => {
    const previous = kept.at(-1);
    const isFar =
      previous === undefined || (point[0] - previous[0]) ** 2 + (point[1] - previous[1]) ** 2 >= MIN_STEP ** 2;
    if (isFar) kept.push(point);
    // The line ends at the end of the trip, and keeps two ends if the trip returns to its start.
    else if (index === points.length - 1) kept.splice(kept.length > 1 ? -1 : 1, 1, point);
  });
  return kept;
}
