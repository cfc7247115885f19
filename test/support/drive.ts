import type { components } from '../../generated/backend-api.js';
import type { Random } from '../../src/sandbox/seed/random.js';

type Trip = components['schemas']['Trip'];

/** Point on the earth, in degrees, WGS 84. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

const METERS_PER_DEGREE = 111_195;
const METERS_PER_DEGREE_EAST = METERS_PER_DEGREE * Math.cos((35.68 * Math.PI) / 180);

/** Returns the distance in meters, near Tokyo. */
export function distanceBetween(one: Point, other: Point): number {
  return Math.hypot((other.lat - one.lat) * METERS_PER_DEGREE, (other.lng - one.lng) * METERS_PER_DEGREE_EAST);
}

/** Drive to simulate. */
export interface Drive {
  readonly from: Point;
  readonly to: Point;
  /** Departure, in milliseconds since 1970. */
  readonly time: number;
  /** True if the driver exceeds 80 km/h once. */
  readonly speeds: boolean;
  /** Number of track points, from 2. */
  readonly points: number;
}

/** Simulates a trip around two bends that halts at lights and deliveries. The first and the last speed are 0. */
export function drive(random: Random, { from, to, time, speeds, points }: Drive): Trip {
  const turn = { lat: from.lat, lng: from.lng + (to.lng - from.lng) * random.between(0.2, 0.8) };
  const way = [from, turn, { lat: to.lat, lng: turn.lng }, to];
  const legs = way.slice(1).map((point, index) => distanceBetween(way[index] ?? point, point));
  const length = Math.round(legs.reduce((sum, leg) => sum + leg));
  const { meters, speedsMs, halts } = driveAlong(random, length, speeds);
  const placeAt = (driven: number): Point => {
    let [rest, leg] = [driven, 0];
    while (leg < 2 && rest > (legs[leg] ?? 0)) rest -= legs[leg++] ?? 0;
    const [start = from, end = to] = way.slice(leg);
    const share = Math.min(1, rest / Math.max(1, legs[leg] ?? 1));
    const between = (one: number, other: number): number => Number((one + (other - one) * share).toFixed(6));
    return { lat: between(start.lat, end.lat), lng: between(start.lng, end.lng) };
  };
  const track = Array.from({ length: points }, (_, index) => {
    const second = Math.round((index * (meters.length - 1)) / (points - 1));
    const speedKmh = Number(((speedsMs[second] ?? 0) * 3.6).toFixed(1));
    return { time: new Date(time + second * 1000).toISOString(), ...placeAt(meters[second] ?? 0), speedKmh };
  });
  const fixAt = (index: number): Trip['start'] => {
    const { time: at = '', lat = from.lat, lng = from.lng } = track.at(index) ?? {};
    return { time: at, lat, lng };
  };
  return {
    start: fixAt(0),
    end: fixAt(-1),
    distanceMeters: length,
    stopCount: halts.length,
    maxSpeedKmh: Math.max(...track.map(({ speedKmh }) => speedKmh)),
    idleSeconds: halts.reduce((sum, seconds) => sum + seconds, 0),
    track,
  };
}

/** Returns the meters driven and the speed in m/s at each second, and the seconds of each halt. */
function driveAlong(random: Random, length: number, speeds: boolean) {
  const [meters, speedsMs, halts] = [[0], [0], [] as number[]];
  let [done, speed, willSpeed] = [0, 0, speeds];
  const record = (): void => {
    meters.push(done);
    speedsMs.push(speed);
  };
  while (done < length) {
    const cruise = (willSpeed ? random.between(84, 92) : random.between(40, 72)) / 3.6;
    const end = Math.min(length, done + (willSpeed ? 4_000 : random.between(400, 2_500)));
    willSpeed = false;
    while (done < end) {
      const before = speed;
      // As fast as a loaded van gets, and as slow as it has to be to halt at the end.
      speed = Math.max(1, Math.min(before + 1.1, cruise, Math.sqrt(2 * 1.7 * (end - done))));
      done = Math.min(end, done + (before + speed) / 2);
      record();
    }
    speed = 0;
    const halt = random.chance(0.1) ? random.integer(90, 240) : random.integer(10, 55);
    if (done < length) halts.push(halt);
    for (let second = 0; second < (done < length ? halt : 1); second += 1) record();
  }
  return { meters, speedsMs, halts };
}
