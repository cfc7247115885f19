import type { components } from '../../../generated/backend-api.js';
import { TOKYO_PLACES } from './places.js';
import type { Random } from './random.js';

/** Point on the earth, in degrees, WGS 84. */
interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** Offset along the two axes of the street grid, in meters. */
interface GridOffset {
  readonly first: number;
  readonly second: number;
}

const METERS_PER_DEGREE = 111_195;
/** Tokyo's street grid is not aligned with the meridian. */
const GRID_RADIANS = (17 * Math.PI) / 180;

/** Returns the offset from one point to another, for distances within a city. */
function gridOffset(from: Point, to: Point): GridOffset {
  const north = (to.lat - from.lat) * METERS_PER_DEGREE;
  const east = (to.lng - from.lng) * METERS_PER_DEGREE * shrinkAt(from);
  return {
    first: north * Math.cos(GRID_RADIANS) + east * Math.sin(GRID_RADIANS),
    second: east * Math.cos(GRID_RADIANS) - north * Math.sin(GRID_RADIANS),
  };
}

/** Returns the point at an offset. */
function movedBy(from: Point, { first, second }: GridOffset): Point {
  const north = first * Math.cos(GRID_RADIANS) - second * Math.sin(GRID_RADIANS);
  const east = first * Math.sin(GRID_RADIANS) + second * Math.cos(GRID_RADIANS);
  return { lat: from.lat + north / METERS_PER_DEGREE, lng: from.lng + east / (METERS_PER_DEGREE * shrinkAt(from)) };
}

/** Returns the straight distance in meters. */
function distanceBetween(from: Point, to: Point): number {
  const { first, second } = gridOffset(from, to);
  return Math.hypot(first, second);
}

/** Returns the length of a degree of longitude relative to the equator. */
function shrinkAt({ lat }: Point): number {
  return Math.cos((lat * Math.PI) / 180);
}

type Trip = components['schemas']['Trip'];
type TrackPoint = components['schemas']['TrackPoint'];

/** Seconds between two points of a track. */
export const TRACK_INTERVAL_SECONDS = 15;

/** Shortest and longest halt at a customer's door with the engine on, in track intervals. */
const DELIVERY = [8, 20] as const;
/** Distance from its destination at which a van chooses the next one. */
const ARRIVED_METERS = 600;

/** Speeds in km/h, and the probabilities of a red light or a delivery in each interval. */
const STREET = { minKmh: 20, maxKmh: 45, light: 0.14, delivery: 0.03 };
const ARTERY = { minKmh: 40, maxKmh: 62, light: 0.06, delivery: 0 };
const EXPRESSWAY = { minKmh: 70, maxKmh: 104, light: 0, delivery: 0 };
type Road = typeof STREET;
const ROADS: readonly [Road, ...Road[]] = [STREET, STREET, ARTERY, ARTERY, EXPRESSWAY];

/** Start of a drive; `time` in milliseconds since 1970. */
export interface Departure extends Point {
  readonly time: number;
}

/**
 * Simulates a trip of `points` track points: along a street grid towards one place after another, on streets, arteries
 * and expressways, with halts at traffic lights and doors. The first and the last speed are 0.
 */
export function drive(random: Random, departure: Departure, points: number): Trip {
  const speeds = speedsOf(random, points);
  const positions = positionsOf(random, departure, speeds);
  const track = positions.map((position, index): TrackPoint => ({
    time: new Date(departure.time + index * TRACK_INTERVAL_SECONDS * 1000).toISOString(),
    lat: rounded(position.lat, 6),
    lng: rounded(position.lng, 6),
    speedKmh: speeds[index] ?? 0,
  }));
  return { ...endsOf(track), ...totalsOf(track), track };
}

/** Returns speeds that change no faster than a loaded van can. */
function speedsOf(random: Random, points: number): number[] {
  let road = random.pick(ROADS);
  let speed = 0;
  let standingFor = 0;
  return Array.from({ length: points }, (_, index) => {
    if (index === 0 || index === points - 1) return 0;
    if (random.chance(0.08)) road = random.pick(ROADS);
    if (standingFor === 0 && random.chance(road.delivery)) standingFor = random.integer(...DELIVERY);
    standingFor = Math.max(0, standingFor - 1);
    const red = speed < 65 && random.chance(speed === 0 ? 0.3 : road.light);
    const wanted = random.between(road.minKmh, road.maxKmh);
    speed = standingFor > 0 || red ? 0 : rounded(speed + Math.max(-40, Math.min(45, wanted - speed)), 1);
    return speed;
  });
}

function positionsOf(random: Random, departure: Point, speeds: readonly number[]): Point[] {
  let aim = random.pick(TOKYO_PLACES);
  let alongFirst = random.chance(0.5);
  let position = departure;
  return speeds.map((speed, index) => {
    const before = speeds[index - 1];
    if (before === undefined) return position;
    if (distanceBetween(position, aim) < ARRIVED_METERS) aim = random.pick(TOKYO_PLACES);
    const meters = ((before + speed) / 2 / 3.6) * TRACK_INTERVAL_SECONDS;
    const ahead = gridOffset(position, aim);
    const overshoots = Math.abs(alongFirst ? ahead.first : ahead.second) < meters;
    if (overshoots || random.chance(0.2)) alongFirst = !alongFirst;
    position = movedBy(position, stepTowards(ahead, alongFirst, meters));
    return position;
  });
}

function stepTowards(ahead: GridOffset, alongFirst: boolean, meters: number): GridOffset {
  return alongFirst
    ? { first: Math.sign(ahead.first) * meters, second: 0 }
    : { first: 0, second: Math.sign(ahead.second) * meters };
}

function endsOf(track: readonly TrackPoint[]): Pick<Trip, 'start' | 'end'> {
  const [first] = track;
  const last = track.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('A drive needs at least one point.');
  return {
    start: { time: first.time, lat: first.lat, lng: first.lng },
    end: { time: last.time, lat: last.lat, lng: last.lng },
  };
}

function totalsOf(
  track: readonly TrackPoint[],
): Pick<Trip, 'distanceMeters' | 'stopCount' | 'maxSpeedKmh' | 'idleSeconds'> {
  const pairs = track.slice(1).map((point, index) => ({ before: track[index] ?? point, point }));
  // The standstill at the start and the end is neither a stop nor idling.
  const standing = pairs.slice(0, -1).filter(({ point }) => point.speedKmh === 0);
  const meters = pairs.reduce((sum, { before, point }) => sum + distanceBetween(before, point), 0);
  return {
    distanceMeters: Math.round(meters),
    stopCount: standing.filter(({ before }) => before.speedKmh > 0).length,
    maxSpeedKmh: Math.max(...track.map(({ speedKmh }) => speedKmh)),
    idleSeconds: standing.length * TRACK_INTERVAL_SECONDS,
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
