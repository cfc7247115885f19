import { describe, expect, it } from '@jest/globals';
import type { DriverDay } from '../../../src/reports/day/driver-day.js';
import { readDriverDay } from '../../support/sample-report.js';
import { drivingDay } from '../../../src/reports/day/report-date.js';
import type { ReportTrip } from '../../../src/reports/model.js';
import { randomFrom, type Random } from '../../../src/sandbox/seed/random.js';

/** Days shaped like those of real trackers, each held against a second program that counts minutes and seconds. */
const LIMIT = 80;
const MIN_SECONDS = 10;
/** Seconds between two readings up to which times over the limit are measured in seconds. */
const MAX_COUNTED = 30;
const DAY = drivingDay('2024-05-17T09:00:00+09:00');
const DAY_START = Date.parse(DAY.from);
const MINUTE = 60_000;
/** One degree of latitude, in meters. */
const DEGREE = 111_320;

interface Shape {
  readonly trips: number;
  /** Seconds between two readings. */
  readonly interval: number;
  readonly kmh: number;
  /** Minutes of a trip and of a pause, at most. */
  readonly tripMinutes: number;
  readonly pauseMinutes: number;
  /** Minutes after midnight. */
  readonly from?: number;
  readonly faults?: Readonly<Record<number, Fault>>;
}
type Fault = 'abroad' | 'spike' | 'jump' | 'null island' | 'unplugged' | 'idling' | 'no distance' | 'no end' | 'twice';

const USUAL = { trips: 8, interval: 60, kmh: 70, tripMinutes: 60, pauseMinutes: 45, from: 360 } as const;
const SHAPES: Readonly<Record<string, Shape>> = {
  'a taxi, 1 Hz': { ...USUAL, trips: 12, interval: 1, tripMinutes: 15, pauseMinutes: 20 },
  'a motorway, 1 Hz': { ...USUAL, trips: 2, interval: 1, kmh: 95, tripMinutes: 90 },
  'a bus': { ...USUAL, trips: 20, interval: 20, tripMinutes: 30, pauseMinutes: 8 },
  'a parcel round': { ...USUAL, trips: 120, interval: 15, kmh: 40, tripMinutes: 4, pauseMinutes: 5, from: 300 },
  'a fix a minute': { ...USUAL, kmh: 85 },
  'a fix in five minutes': { ...USUAL, interval: 300, kmh: 90, trips: 3, tripMinutes: 200 },
  'a fix a little more seldom': { ...USUAL, interval: 303, kmh: 90, trips: 3, tripMinutes: 200 },
  'a fix in ten minutes': { ...USUAL, interval: 600, kmh: 95, trips: 3, tripMinutes: 240 },
  spikes: { ...USUAL, interval: 1, trips: 4, tripMinutes: 20, faults: { 0: 'spike', 2: 'spike' } },
  jumps: { ...USUAL, faults: { 1: 'jump', 5: 'jump' } },
  'null island': { ...USUAL, faults: { 2: 'null island' } },
  'unplugged on the way': { ...USUAL, interval: 10, kmh: 90, faults: { 1: 'unplugged' } },
  'driven without a record': { ...USUAL, faults: { 2: 'abroad', 4: 'abroad' } },
  'a trip that idles too long': { ...USUAL, faults: { 3: 'idling' } },
  'a trip without a distance': { ...USUAL, faults: { 1: 'no distance' } },
  'a trip without an end': { ...USUAL, faults: { 4: 'no end' } },
  'a trip that came twice': { ...USUAL, faults: { 0: 'twice' } },
  'past midnight': { ...USUAL, trips: 2, from: 1_285, tripMinutes: 130, pauseMinutes: 20 },
  'hardly a pause': { ...USUAL, trips: 12, tripMinutes: 80, pauseMinutes: 9, from: 60 },
  'everything at once': {
    ...USUAL,
    trips: 10,
    interval: 5,
    kmh: 88,
    faults: { 1: 'spike', 2: 'abroad', 3: 'idling', 5: 'unplugged', 6: 'null island', 7: 'no distance', 8: 'jump' },
  },
};

/** Speeds wander around a mean; a place is where the speeds lead, due north and back, so that distances are sums. */
function dayOf(random: Random, shape: Shape): ReportTrip[] {
  const trips: ReportTrip[] = [];
  let at = DAY_START + (shape.from ?? 0) * MINUTE + random.integer(0, 59_999);
  let lat = 35;
  for (let index = 0; index < shape.trips; index += 1) {
    const fault = shape.faults?.[index];
    if (fault === 'abroad') [lat, at] = [lat + 0.2, at + 10 * MINUTE];
    const start = { time: iso(at), lat, lng: 139 };
    const seconds = Math.max(shape.interval * 4, random.integer(60, shape.tripMinutes * 60));
    const heading = index % 2 === 0 ? 1 : -1;
    const track: { time: string; lat: number; lng: number; speedKmh: number }[] = [];
    let meters = 0;
    let kmh = 0;
    for (let second = 0; second <= seconds; second += shape.interval) {
      const isEnd = second === 0 || second + shape.interval > seconds;
      kmh = isEnd
        ? 0
        : Math.max(0, kmh + (shape.kmh - kmh) * 0.3 + random.between(-4, 4) * Math.min(4, Math.sqrt(shape.interval)));
      const step = ((second === 0 ? 0 : kmh) / 3.6) * shape.interval;
      meters += step;
      lat += (heading * step) / DEGREE;
      const isSilent = fault === 'unplugged' && second > seconds * 0.3 && second < seconds * 0.3 + 900;
      if (!isSilent) track.push({ time: iso(at + second * 1000), lat, lng: 139, speedKmh: Math.round(kmh * 10) / 10 });
    }
    const middle = Math.floor(track.length / 2);
    // Between readings that are farther apart a vehicle can have been so fast.
    if (fault === 'spike' && shape.interval <= 10) Object.assign(track[middle] ?? {}, { speedKmh: 279 });
    if (fault === 'null island') Object.assign(track[middle] ?? {}, { lat: 0, lng: 0 });
    const wrong = fault === 'jump' ? { lat: lat + 8 } : {};
    const trip: ReportTrip = {
      start,
      end: { time: fault === 'no end' ? '' : iso(at + seconds * 1000), lat, lng: 139, ...wrong },
      startAddress: null,
      endAddress: `place ${index}`,
      distanceMeters: fault === 'no distance' ? NaN : Math.round(meters),
      stopCount: index,
      maxSpeedKmh: track.reduce((top, { speedKmh }) => Math.max(top, speedKmh), 0),
      idleSeconds: fault === 'idling' ? seconds * 2 : random.integer(0, Math.floor(seconds / 5)),
      track,
    };
    trips.push(trip, ...(fault === 'twice' ? [trip] : []));
    at += seconds * 1000 + random.integer(0, shape.pauseMinutes * 60) * 1000;
  }
  return trips;
}

const iso = (epoch: number): string => new Date(epoch).toISOString();

/** The figures of a day by a second algorithm: minutes of a time line, and seconds one by one. */
function counted(trips: readonly ReportTrip[]): Record<string, number> {
  const sound = trips.filter(({ start, end }, index) => {
    const seconds = (Date.parse(end.time) - Date.parse(start.time)) / 1000;
    const isFirst = trips.findIndex((other) => other.start.time === start.time) === index;
    const isToday = Date.parse(start.time) < DAY_START + 1440 * MINUTE;
    return isFirst && isToday && seconds >= 0;
  });
  const minuteOf = (time: string): number => Math.floor((Date.parse(time) - DAY_START) / MINUTE);
  // 0: nothing was reported; 1: a trip that counts; 2: another one.
  const line = new Uint8Array(3 * 1440);
  for (const trip of trips) {
    const [from, to] = [minuteOf(trip.start.time), minuteOf(trip.end.time)];
    line.fill(sound.includes(trip) ? 1 : 2, from, Number.isNaN(to) ? from + 1 : to);
  }
  const isDriven = sound.length > 0;
  const begin = isDriven ? Math.min(...sound.map(({ start }) => minuteOf(start.time))) : 0;
  const end = isDriven ? Math.max(...sound.map((trip) => minuteOf(trip.end.time))) : 0;
  let breakMinutes = 0;
  let gaps = 0;
  for (let minute = begin; minute < end;) {
    let until = minute;
    while (until < end && line[until] === 0) until += 1;
    if (until > minute) {
      const before = trips.filter(({ start }) => minuteOf(start.time) < until).at(-1);
      const next = trips.find(({ start }) => minuteOf(start.time) >= until);
      const away = Math.abs((next?.start.lat ?? 0) - placeAfter(before)) * DEGREE;
      if (away >= 1_000 || before?.end.time === '') gaps += 1;
      else breakMinutes += until - minute;
    }
    minute = Math.max(until, minute + 1);
  }
  const tripMinutes = line.subarray(begin, end).filter((state) => state === 1).length;
  const seconds = sound.map(secondsOver);
  return {
    trips: sound.length,
    hectometers: sound.reduce((sum, { distanceMeters }) => sum + Math.round((distanceMeters || 0) / 100), 0),
    stops: sound.reduce((sum, { stopCount }) => sum + stopCount, 0),
    tripMinutes,
    breakMinutes,
    gaps,
    dutyMinutes: end - begin,
    unrecordedMinutes: end - begin - tripMinutes - breakMinutes,
    secondsOver: seconds.reduce((sum, each) => sum + each.length, 0),
    fewest: seconds.reduce((sum, each) => sum + stretchesIn(each, MIN_SECONDS + 1), 0),
    most: seconds.reduce((sum, each) => sum + stretchesIn(each, MIN_SECONDS - 1), 0),
    // Pauses that are ten seconds to the half second, as this program counts.
    doubtful: seconds.reduce((sum, each) => sum + each.filter((at, next) => isDoubtful(at, each[next + 1])).length, 0),
    readings: sound.reduce((sum, trip) => sum + readingsOver(trip), 0),
  };
}

/** Where a trip ended: an end in another city is none. */
function placeAfter(trip: ReportTrip | undefined): number {
  const [end = 0, last = 0] = [trip?.end.lat, trip?.track.at(-1)?.lat];
  return Math.abs(end - last) > 1 ? last : end;
}

/** The seconds of a trip in which the line between two readings is above the limit. */
function secondsOver({ track }: ReportTrip): readonly number[] {
  const readings = track
    .map(({ time, speedKmh }) => ({ second: Date.parse(time) / 1000, kmh: speedKmh }))
    .filter(({ kmh }) => kmh < 250);
  const least = Math.min(...readings.slice(1).map(({ second }, index) => second - (readings[index]?.second ?? 0)));
  const usual = readings.length < 4 ? 0 : least;
  const over: number[] = [];
  readings.slice(1).forEach(({ second, kmh }, index) => {
    const { second: from, kmh: before } = readings[index] ?? { second, kmh };
    if (second - from > Math.max(300, 3 * usual)) return;
    if (second - from > MAX_COUNTED) return;
    for (let at = from; at < second; at += 0.5) {
      if (before + ((kmh - before) * (at + 0.25 - from)) / (second - from) > LIMIT) over.push(at);
    }
  });
  return over;
}

const isDoubtful = (at: number, next = Infinity): boolean => Math.abs(next - at - 10.5) <= 1;

/** The readings above the limit that are too far from both neighbours for seconds. */
function readingsOver({ track }: ReportTrip): number {
  const read = track.filter(({ speedKmh }) => speedKmh < 250);
  const seconds = (index: number): number => Date.parse(read[index]?.time ?? '') / 1000;
  const isNear = (index: number): boolean => seconds(index + 1) - seconds(index) <= MAX_COUNTED;
  return read.filter(({ speedKmh }, index) => speedKmh > LIMIT && !isNear(index - 1) && !isNear(index)).length;
}

/** Half seconds, of which those closer than ten seconds are together. */
function stretchesIn(halves: readonly number[], minSeconds: number): number {
  let stretches = 0;
  let length = 0;
  halves.forEach((at, index) => {
    length += 0.5;
    if ((halves[index + 1] ?? Infinity) - at < 10.5) return;
    if (length >= minSeconds) stretches += 1;
    length = 0;
  });
  return stretches;
}

function expectAlike(trips: readonly ReportTrip[]): DriverDay {
  const day = readDriverDay(trips, DAY, { limitKmh: LIMIT, minSeconds: MIN_SECONDS });
  const { secondsOver: halves = 0, fewest = 0, most = 0, doubtful = 0, readings, ...figures } = counted(trips);
  expect(day.totals).toMatchObject(figures);
  expect(day.totals.overLimit.readings).toBe(readings);
  // A piece ends between two half seconds; rounding is by trip.
  const pieces = day.trips.reduce((sum, { partsOverLimit }) => sum + partsOverLimit.length, 0);
  const { seconds, stretches } = day.totals.overLimit;
  expect(Math.abs(seconds - halves / 2)).toBeLessThanOrEqual(1 + pieces / 2);
  expect([stretches >= fewest - doubtful, stretches <= most + doubtful]).toEqual([true, true]);
  return day;
}

describe('a day shaped like a real one', () => {
  it.each(Object.entries(SHAPES))('has the figures that another program finds: %s', (name, shape) => {
    const trips = dayOf(randomFrom(name.length * 7 + shape.interval), shape);
    const day = expectAlike(trips);
    const faults = Object.values(shape.faults ?? {});
    const many = (...kinds: readonly Fault[]): number => faults.filter((fault) => kinds.includes(fault)).length;
    expect(day.totals.impossible).toBe(many('no end', 'twice'));
    expect(day.leftOut).toMatchObject({
      speeds: many('spike'),
      positions: many('null island', 'jump'),
      figures: many('idling', 'no distance'),
    });
    const doubtful = { doubtfulDistances: 0, doubtfulDrivings: 0, doubtfulTops: 0 };
    const missing = { distances: many('no distance'), idlings: many('idling'), drivings: 0 };
    expect(day.totals.lacking).toEqual({ ...missing, ...doubtful });
    expect(day.trips.filter(({ endAddress }) => endAddress === null)).toHaveLength(many('jump'));
    // A distance, an idling or an end that was made wrong contradicts its track; nothing else does.
    const marked = day.trips.flatMap(({ unsupported }, index) => (unsupported.length > 0 ? [index] : []));
    expect(marked.map((index) => day.trips[index]?.unsupported)).toEqual([]);
  });
});

it('five hundred random days have the figures that another program finds', () => {
  const random = randomFrom(561);
  const kinds = ['abroad', 'spike', 'null island', 'unplugged', 'idling', 'no distance', 'twice'] as const;
  for (let round = 0; round < 500; round += 1) {
    const trips = random.integer(1, 14);
    const faults: Record<number, Fault> = {};
    for (let index = 0; index < trips; index += 1) if (random.chance(0.15)) faults[index] = random.pick(kinds);
    expectAlike(
      dayOf(random, {
        trips,
        interval: [5, 15, 30, 60, 300, 303, 600][random.integer(0, 6)] ?? 60,
        kmh: random.integer(30, 100),
        tripMinutes: random.integer(10, 90),
        pauseMinutes: random.integer(1, 60),
        from: random.integer(0, 600),
        faults,
      }),
    );
  }
});
