import { METERS_PER_DEGREE, nearestLongitude } from './earth.js';
import type { Position } from './plausible.js';
import type { TripPart } from './trip-positions.js';

/** Minimum distance of drawn points on paper, in points. */
const MIN_STEP = 1;
/** Minimum extent of the drawn area, so that the route of a vehicle that never left its yard has a useful scale. */
const MIN_EXTENT_METERS = 200;

/** Area of the route: points from the top left corner of the page. */
type Frame = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;
type RoutePoint = readonly [x: number, y: number];

/** Part of a trip on paper, and whether it is the last one; a straight line if the way is not measured. */
export type RouteLine = NonNullable<ReturnType<typeof projectRoute>>['lines'][number];

/**
 * Places the trips of a day in a frame, north up and true to scale around the middle of the route (equirectangular
 * projection; its error within a day's drive is thinner than the line).
 *
 * @returns lines in the order of the trips, and their scale; undefined without a known position
 */
export function projectRoute(trips: readonly (readonly TripPart[])[], frame: Frame) {
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
