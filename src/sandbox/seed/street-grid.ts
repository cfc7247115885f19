/** A point on the earth, in degrees, WGS 84. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** A way along the two axes of the street grid, in meters. */
export interface GridOffset {
  readonly first: number;
  readonly second: number;
}

const METERS_PER_DEGREE = 111_195;
/** Tokyo's street grid is not aligned with the meridian. */
const GRID_RADIANS = (17 * Math.PI) / 180;

/** The way from one point to another, for distances within a city. */
export function gridOffset(from: Point, to: Point): GridOffset {
  const north = (to.lat - from.lat) * METERS_PER_DEGREE;
  const east = (to.lng - from.lng) * METERS_PER_DEGREE * shrinkAt(from);
  return {
    first: north * Math.cos(GRID_RADIANS) + east * Math.sin(GRID_RADIANS),
    second: east * Math.cos(GRID_RADIANS) - north * Math.sin(GRID_RADIANS),
  };
}

/** Where a way leads. */
export function movedBy(from: Point, { first, second }: GridOffset): Point {
  const north = first * Math.cos(GRID_RADIANS) - second * Math.sin(GRID_RADIANS);
  const east = first * Math.sin(GRID_RADIANS) + second * Math.cos(GRID_RADIANS);
  return { lat: from.lat + north / METERS_PER_DEGREE, lng: from.lng + east / (METERS_PER_DEGREE * shrinkAt(from)) };
}

/** Straight distance in meters. */
export function distanceBetween(from: Point, to: Point): number {
  const { first, second } = gridOffset(from, to);
  return Math.hypot(first, second);
}

/** Degrees of longitude are shorter away from the equator. */
function shrinkAt({ lat }: Point): number {
  return Math.cos((lat * Math.PI) / 180);
}
