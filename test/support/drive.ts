import type { components } from '../../generated/backend-api.js';
import type { Random } from '../../src/sandbox/seed/random.js';

type Trip = components['schemas']['Trip'];
type TrackPoint = components['schemas']['TrackPoint'];

/** Point on the earth, in degrees, WGS 84. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** Point on a plane with the axes of the street grid, in meters. */
interface GridPoint {
  readonly x: number;
  readonly y: number;
}

const METERS_PER_DEGREE = 111_195;
/** Middle of the plane, which is true to scale within a city. */
const CENTRE: Point = { lat: 35.68, lng: 139.75 };
const METERS_PER_DEGREE_EAST = METERS_PER_DEGREE * Math.cos((CENTRE.lat * Math.PI) / 180);
/** Rotation of the street grid of Tokyo against the meridian. */
const GRID = { cos: Math.cos((17 * Math.PI) / 180), sin: Math.sin((17 * Math.PI) / 180) };

function onGrid({ lat, lng }: Point): GridPoint {
  const north = (lat - CENTRE.lat) * METERS_PER_DEGREE;
  const east = (lng - CENTRE.lng) * METERS_PER_DEGREE_EAST;
  return { x: east * GRID.cos - north * GRID.sin, y: east * GRID.sin + north * GRID.cos };
}

function onEarth({ x, y }: GridPoint): Point {
  const north = y * GRID.cos - x * GRID.sin;
  const east = x * GRID.cos + y * GRID.sin;
  return {
    lat: rounded(CENTRE.lat + north / METERS_PER_DEGREE, 6),
    lng: rounded(CENTRE.lng + east / METERS_PER_DEGREE_EAST, 6),
  };
}

/** Returns the distance in meters, within a city. */
export function distanceBetween(one: Point, other: Point): number {
  return distance(onGrid(one), onGrid(other));
}

const distance = (one: GridPoint, other: GridPoint): number => Math.hypot(other.x - one.x, other.y - one.y);

/** Drive to simulate. */
export interface Drive {
  readonly from: Point;
  readonly to: Point;
  /** Departure, in milliseconds since 1970. */
  readonly time: number;
  /** True if the driver exceeds 80 km/h once, where the way has an expressway. */
  readonly speeds: boolean;
  /** Number of track points, from 2; absent: one each {@link TRACK_INTERVAL_SECONDS}. */
  readonly points?: number;
}

/** Seconds between two points of a track. */
const TRACK_INTERVAL_SECONDS = 10;

/**
 * Simulates a trip along streets, main roads and, if it is long, an expressway, with bends, traffic lights and
 * deliveries with the engine on. The first and the last speed are 0.
 */
export function drive(random: Random, { from, to, time, speeds, points }: Drive): Trip {
  const way = wayBetween(random, onGrid(from), onGrid(to));
  const limits = limitsOf(random, way, speeds);
  const driven = driveAlong(limits);
  const seconds = driven.meters.length - 1;
  const count = points ?? Math.floor(seconds / TRACK_INTERVAL_SECONDS) + 1;
  const place = placesAlong(way);
  const track = Array.from({ length: count }, (_, index): TrackPoint => {
    const second = Math.round((index * seconds) / Math.max(1, count - 1));
    const { lat, lng } = onEarth(place(driven.meters[second] ?? 0));
    const speedKmh = rounded((driven.speeds[second] ?? 0) * 3.6, 1);
    return { time: new Date(time + second * 1000).toISOString(), lat, lng, speedKmh };
  });
  const fixAt = (index: number): Trip['start'] => {
    const { time: at = '', lat = from.lat, lng = from.lng } = track.at(index) ?? {};
    return { time: at, lat, lng };
  };
  const halts = limits.filter(({ halt }) => halt > 0);
  return {
    start: fixAt(0),
    end: fixAt(-1),
    distanceMeters: Math.round(driven.meters.at(-1) ?? 0),
    stopCount: halts.length,
    maxSpeedKmh: track.reduce((top, { speedKmh }) => Math.max(top, speedKmh), 0),
    idleSeconds: halts.reduce((sum, { halt }) => sum + halt, 0),
    track,
  };
}

/** Corner of a way, with its distance from the start in meters. */
interface Corner extends GridPoint {
  readonly meters: number;
}

/** Length of the streets at both ends of a way, on each axis; the main road between them winds. */
const STREETS_METERS = 450;

function wayBetween(random: Random, from: GridPoint, to: GridPoint): readonly Corner[] {
  const corners = [from, ...streets(random, from, to), ...streets(random, to, from).reverse(), to];
  corners.splice(3, 0, ...winding(random, corners[2] ?? from, corners[3] ?? to));
  let before = from;
  let meters = 0;
  return corners.map((corner) => {
    meters += distance(before, corner);
    before = corner;
    return { x: corner.x, y: corner.y, meters };
  });
}

/** Returns the two corners after the start of a way: around a block, in the direction of its end. */
function streets(random: Random, { x, y }: GridPoint, end: GridPoint): GridPoint[] {
  const step = (from: number, to: number): number =>
    from + Math.sign(to - from) * Math.min(Math.abs(to - from) / 4, STREETS_METERS * random.between(0.5, 1.5));
  const corner = { x: step(x, end.x), y: step(y, end.y) };
  return [random.chance(0.5) ? { x: corner.x, y } : { x, y: corner.y }, corner];
}

/** Returns the points between two others on a winding road, by bending each half again until it is short. */
function winding(random: Random, from: GridPoint, to: GridPoint): GridPoint[] {
  const length = distance(from, to);
  if (length < 350) return [];
  const bend = random.between(-0.16, 0.16);
  const middle = { x: (from.x + to.x) / 2 - bend * (to.y - from.y), y: (from.y + to.y) / 2 + bend * (to.x - from.x) };
  return [...winding(random, from, middle), middle, ...winding(random, middle, to)];
}

/** Returns a function that returns the place at a distance from the start; distances must not decrease. */
function placesAlong(way: readonly Corner[]): (meters: number) => GridPoint {
  let next = 1;
  return (meters) => {
    while (next < way.length - 1 && (way[next]?.meters ?? Infinity) < meters) next += 1;
    const [before, after] = [way[next - 1], way[next]];
    if (before === undefined || after === undefined) return way[0] ?? { x: 0, y: 0 };
    const length = after.meters - before.meters;
    const share = length === 0 ? 1 : Math.min(1, (meters - before.meters) / length);
    return { x: before.x + (after.x - before.x) * share, y: before.y + (after.y - before.y) * share };
  };
}

/** Point of a way with a limit of the speed there, and the usual speed after it. */
interface Limit {
  readonly meters: number;
  readonly kmh: number;
  /** Length of a halt in seconds; 0 unless `kmh` is 0. */
  readonly halt: number;
  /** Usual speed from here to the next limit, in km/h. */
  readonly cruise: number;
}

/** Roads: usual speeds in km/h, meters between two limits, and the shares of limits that are lights or deliveries. */
const STREET = { kmh: [24, 40], every: 250, lights: 0.4, deliveries: 0.06 } as const;
const MAIN_ROAD = { kmh: [40, 56], every: 500, lights: 0.4, deliveries: 0.03 } as const;
const EXPRESSWAY = { kmh: [66, 77], every: 1_500, lights: 0, deliveries: 0 } as const;
const SPEEDING_KMH = [84, 92] as const;
const CORNER_KMH = 18;
/** Length of a way from which its middle is an expressway, and length of the roads before and after that. */
const EXPRESSWAY_FROM_METERS = 9_000;
const ACCESS_METERS = 2_500;

function limitsOf(random: Random, way: readonly Corner[], speeds: boolean): readonly Limit[] {
  const end = way.at(-1)?.meters ?? 0;
  const streetsUntil = way[2]?.meters ?? 0;
  const streetsFrom = way.at(-3)?.meters ?? end;
  const roadAt = (meters: number): typeof STREET | typeof MAIN_ROAD | typeof EXPRESSWAY => {
    if (meters < streetsUntil || meters >= streetsFrom) return STREET;
    const isAccess = meters < ACCESS_METERS || meters > end - ACCESS_METERS;
    return end < EXPRESSWAY_FROM_METERS || isAccess ? MAIN_ROAD : EXPRESSWAY;
  };
  const limits: Limit[] = [];
  let willSpeed = speeds;
  for (let meters = 0; meters < end;) {
    const road = roadAt(meters);
    const step = road.every * random.between(0.6, 1.4);
    const isDelivery = random.chance(road.deliveries);
    const isHalt = meters > 0 && (isDelivery || random.chance(road.lights));
    const halt = isDelivery ? random.integer(90, 240) : random.integer(10, 55);
    const isSpeeding = willSpeed && road === EXPRESSWAY && roadAt(meters + step) === EXPRESSWAY;
    if (isSpeeding) willSpeed = false;
    const [slowest, fastest] = isSpeeding ? SPEEDING_KMH : road.kmh;
    const cruise = random.between(slowest, fastest);
    limits.push({ meters, kmh: isHalt ? 0 : cruise, halt: isHalt ? halt : 0, cruise });
    meters += step;
  }
  const turns = [way[1], way[2], way.at(-3), way.at(-2)].flatMap((corner) => corner?.meters ?? []);
  for (const meters of turns) limits.push({ meters, kmh: CORNER_KMH, halt: 0, cruise: random.between(...STREET.kmh) });
  limits.push({ meters: end, kmh: 0, halt: 0, cruise: 0 });
  return limits.sort((one, other) => one.meters - other.meters);
}

/** Changes of speed of a loaded van, in m/s². */
const ACCELERATION = 1.1;
const BRAKING = 1.7;

/** Returns the distances from the start in meters, and the speeds in m/s, at each second. */
function driveAlong(limits: readonly Limit[]): Readonly<Record<'meters' | 'speeds', readonly number[]>> {
  const driven: Record<'meters' | 'speeds', number[]> = { meters: [], speeds: [] };
  let meters = 0;
  let speed = 0;
  let cruise = 0;
  const record = (): void => {
    driven.meters.push(meters);
    driven.speeds.push(speed);
  };
  for (const limit of limits) {
    const most = limit.kmh / 3.6;
    while (meters < limit.meters) {
      record();
      const before = speed;
      const ahead = Math.sqrt(most ** 2 + 2 * BRAKING * Math.max(0, limit.meters - meters - before / 2));
      speed = Math.max(1, Math.min(before + ACCELERATION, cruise, ahead), before - 2 * BRAKING);
      meters = Math.min(limit.meters, meters + (before + speed) / 2);
    }
    if (most === 0) speed = 0;
    for (let second = 0; second < limit.halt; second += 1) record();
    cruise = limit.cruise / 3.6;
  }
  // Fixes are in equal intervals, so the vehicle stands until the time of the next one.
  do record();
  while (driven.meters.length % TRACK_INTERVAL_SECONDS !== 1);
  return driven;
}

function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
