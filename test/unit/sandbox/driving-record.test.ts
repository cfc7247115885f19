import { describe, expect, it } from '@jest/globals';
import type { DrivingRecord } from '../../../src/clients/backend-api.js';
import { distanceBetween } from '../../../src/reports/day/earth.js';
import { useSandbox, withAnother, type OwnSandbox } from './sandbox-client.js';

type Trip = DrivingRecord['trips'][number];

const own = useSandbox();

const span = (from: string, to: string) => ({ from, to });
const FRIDAY = span('2026-11-20T00:00:00+09:00', '2026-11-21T00:00:00+09:00');

const request = (id: number, query: { from: string; to: string }, ask: OwnSandbox['ask'] = own.ask) =>
  ask<DrivingRecord>(`GET /v1/mobiles/${id}/driving-record?${new URLSearchParams(query).toString()}`);
async function trips(id: number, query = FRIDAY, ask?: OwnSandbox['ask']): Promise<readonly Trip[]> {
  const { body } = await request(id, query, ask);
  expect(body.mobileId).toBe(String(id));
  return body.trips;
}
/** Ids of mobiles, some of which do not drive on each day. */
const FIFTY = Array.from({ length: 50 }, (_, index) => 101 + index);
/** The trips of the mobiles that drive every day. */
const friday = async () => (await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => trips(id)))).flat();

const placeOf = (fix: Trip['start'] | undefined) => fix && { lat: fix.lat, lng: fix.lng };
/** Lengths of the stretches above 80 km/h, in seconds. */
const speedingsOf = (record: readonly Trip[]): number[] =>
  record
    .map(({ track }) => track.map(({ speedKmh }) => (speedKmh > 80 ? '+' : ' ')).join(''))
    .flatMap((speeds) => speeds.match(/\++/g) ?? [])
    .map(({ length }) => length * 10);

describe('A driving record', () => {
  it.each([
    FRIDAY,
    span('1999-12-31T00:00:00+09:00', '2000-01-01T00:00:00+09:00'),
    span('2024-02-29T00:00:00+09:00', '2024-03-01T00:00:00+09:00'),
  ])('is a tour of 6 to 8 trips from the depot and back with a lunch break on the working day %j', async (day) => {
    for (const id of [1, 2, 3]) {
      const record = await trips(id, day);
      expect(record.length).toBeGreaterThanOrEqual(6);
      expect(record.length).toBeLessThanOrEqual(8);
      expect(placeOf(record[0]?.start)).toEqual(placeOf(record.at(-1)?.end));
      const halts = record.slice(1).map(({ start }, index) => {
        const before = record[index]?.end;
        expect(placeOf(start)).toEqual(placeOf(before));
        return (Date.parse(start.time) - Date.parse(before?.time ?? '')) / 60_000;
      });
      expect(Math.min(...halts)).toBeGreaterThanOrEqual(25);
      expect(Math.max(...halts)).toBeGreaterThanOrEqual(45);
      expect(Math.max(...halts)).toBeLessThanOrEqual(70);
      const [begin, end] = [record[0]?.start.time ?? '', record.at(-1)?.end.time ?? ''].map(Date.parse);
      expect((begin ?? 0) - Date.parse(day.from)).toBeGreaterThanOrEqual(7.5 * 3_600_000);
      expect((end ?? 0) - (begin ?? 0)).toBeLessThan(12 * 3_600_000);
    }
  });

  it('begins and ends at one depot for all of an organisation, which has its own address', async () => {
    const starts = (await Promise.all([1, 2, 3, 4, 5].map((id) => trips(id)))).map(([first]) => placeOf(first?.start));
    expect(new Set(starts.map((place) => JSON.stringify(place))).size).toBe(1);
    const points = { points: starts.slice(0, 1) };
    const { body } = await own.ask<{ addresses: string[] }>('POST /v1/reverse-geocode', points, { of: 'geo-api' });
    expect(body.addresses).toEqual([expect.stringMatching(/^東京都足立区入谷4丁目/)]);
  });

  it('depends on nothing but the mobile and the day', async () => {
    const first = await trips(7);
    await withAnother({ now: () => new Date('2100-01-01') }, async (ask) => {
      expect(await trips(7, FRIDAY, ask)).toEqual(first);
    });
    expect(await trips(7)).not.toEqual(await trips(8));
    const thursday = span('2026-11-19T00:00:00+09:00', '2026-11-20T00:00:00+09:00');
    expect(await trips(7)).not.toEqual(await trips(7, thursday));
  });

  it('holds the trips that start in the span, its beginning included and its end excluded', async () => {
    const [first, second, third] = await trips(1);
    const from = first?.start.time ?? '';
    const to = third?.start.time ?? '';
    expect(await trips(1, span(from, to))).toEqual([first, second]);
    const whole = await trips(1, span('2026-11-16T00:00:00+09:00', '2026-11-21T00:00:00+09:00'));
    expect(whole.slice(-1)).toEqual((await trips(1)).slice(-1));
    const perDay = await Promise.all(
      [16, 17, 18, 19, 20].map((day) =>
        trips(1, span(`2026-11-${day}T00:00:00+09:00`, `2026-11-${day + 1}T00:00:00+09:00`)),
      ),
    );
    expect(whole).toEqual(perDay.flat());
  });

  it('holds no trip that has not ended yet', async () => {
    const whole = await trips(1);
    const end = Date.parse(whole[2]?.end.time ?? '');
    for (const [late, count] of [
      [-1, 2],
      [0, 3],
    ] as const) {
      await withAnother({ now: () => new Date(end + late) }, async (ask) => {
        expect(await trips(1, FRIDAY, ask)).toEqual(whole.slice(0, count));
      });
    }
  });

  it('has tracks around Tokyo whose points, speeds and totals agree', async () => {
    for (const trip of await friday()) {
      const { track, start, end } = trip;
      expect(track[0]).toEqual({ ...start, speedKmh: 0 });
      expect(track.at(-1)).toEqual({ ...end, speedKmh: 0 });
      const legs = track.slice(1).map((point, index) => {
        const before = track[index] ?? point;
        const seconds = (Date.parse(point.time) - Date.parse(before.time)) / 1000;
        const kmhPerSecond = Math.abs(point.speedKmh - before.speedKmh) / seconds;
        const maxMeters = ((Math.max(point.speedKmh, before.speedKmh) + 30) / 3.6) * seconds;
        return { seconds, kmhPerSecond, maxMeters, meters: distanceBetween(before, point) };
      });
      const isOdd = ({ seconds, kmhPerSecond, maxMeters, meters }: (typeof legs)[number]): boolean =>
        !(seconds === 10 && kmhPerSecond < 10 && meters < maxMeters);
      expect(legs.filter(isOdd)).toEqual([]);
      const meters = legs.reduce((sum, leg) => sum + leg.meters, 0);
      // Between two points the way may bend.
      expect(meters / trip.distanceMeters).toBeGreaterThan(0.95);
      expect(meters / trip.distanceMeters).toBeLessThan(1.005);
      expect(meters / distanceBetween(start, end)).toBeGreaterThan(1.02);
      expect(trip.maxSpeedKmh).toBe(Math.max(...track.map(({ speedKmh }) => speedKmh)));
      const standing = track.slice(1, -1).filter(({ speedKmh }) => speedKmh === 0).length * 10;
      expect(Math.abs(trip.idleSeconds - standing)).toBeLessThanOrEqual(10 * (trip.stopCount + 1));
      const isNear = ({ lat, lng }: Trip['start']): boolean => lat > 35.5 && lat < 35.85 && lng > 139.5 && lng < 139.95;
      expect(track.filter((point) => !isNear(point))).toEqual([]);
    }
  });

  it('has stops and idling in most trips, and above 80 km/h two stretches of at most three minutes', async () => {
    const record = await friday();
    const share = (test: (trip: Trip) => boolean): number => record.filter(test).length / record.length;
    expect(share(({ stopCount }) => stopCount > 0)).toBeGreaterThan(0.5);
    expect(share(({ idleSeconds }) => idleSeconds >= 120)).toBeGreaterThan(0.2);
    const stretches = await Promise.all(FIFTY.map(async (id) => speedingsOf(await trips(id))));
    expect(stretches.filter(({ length }) => length === 0).length).toBeGreaterThan(20);
    expect(stretches.filter(({ length }) => length > 0).length).toBeGreaterThan(8);
    expect(Math.max(...stretches.map(({ length }) => length))).toBe(2);
    expect(Math.max(...stretches.flat())).toBeLessThanOrEqual(180);
    for (const { maxSpeedKmh, stopCount, idleSeconds } of record) {
      expect(maxSpeedKmh).toBeLessThan(93);
      expect(idleSeconds).toBeGreaterThanOrEqual(stopCount * 10);
    }
  });

  it('is empty for mobiles that do not drive, always or that day', async () => {
    expect(await trips(25)).toEqual([]);
    const counts = await Promise.all(FIFTY.map(async (id) => (await trips(id)).length));
    expect(counts.filter((count) => count === 0).length).toBeGreaterThan(2);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(37);
  });

  it.each([
    [999, FRIDAY, 404, 'mobile not found'],
    [1001, FRIDAY, 404, 'mobile not found'],
    [1, span('2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z'), 422, 'to must be later than from.'],
    [1, span('2026-01-01T00:00:00Z', '2026-02-01T00:00:01Z'), 422, 'At most 31 days at a time.'],
  ])('of %i in %j is refused with %i: %s', async (id, query, status, message) => {
    expect(await request(id, query)).toMatchObject({ status, body: { message } });
  });
});
