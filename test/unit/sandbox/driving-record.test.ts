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
/** The trips of the mobiles that drive every day. */
const friday = async () => (await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => trips(id)))).flat();

describe('A driving record', () => {
  it.each([
    FRIDAY,
    span('1999-12-31T00:00:00+09:00', '2000-01-01T00:00:00+09:00'),
    span('2099-07-01T00:00:00+09:00', '2099-07-02T00:00:00+09:00'),
  ])('has 4 to 12 trips of at least 60 points on the working day %j', async (day) => {
    for (const id of [1, 2, 3]) {
      const record = await trips(id, day);
      expect(record.length).toBeGreaterThanOrEqual(4);
      expect(record.length).toBeLessThanOrEqual(12);
      record.forEach(({ track, start }, index) => {
        expect(track.length).toBeGreaterThanOrEqual(60);
        // In order, and from where the one before ended.
        const before = record[index - 1]?.end;
        if (before === undefined) return;
        expect(Date.parse(start.time)).toBeGreaterThan(Date.parse(before.time));
        expect([start.lat, start.lng]).toEqual([before.lat, before.lng]);
      });
    }
  });

  it('depends on nothing but the mobile and the day', async () => {
    const first = await trips(7);
    // Two months, so that the day is made anew and not remembered.
    for (const month of [
      span('2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z'),
      span('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'),
    ]) {
      await trips(7, month);
    }
    await withAnother({ now: () => new Date('2001-01-01') }, async (ask) => {
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

  it('has tracks around Tokyo whose points, speeds and totals agree', async () => {
    for (const trip of await friday()) {
      const { track, start, end } = trip;
      expect(track[0]).toEqual({ ...start, speedKmh: 0 });
      expect(track.at(-1)).toEqual({ ...end, speedKmh: 0 });
      const legs = track.slice(1).map((point, index) => {
        const before = track[index] ?? point;
        const seconds = (Date.parse(point.time) - Date.parse(before.time)) / 1000;
        expect(seconds).toBe(15);
        const expected = ((before.speedKmh + point.speedKmh) / 7.2) * seconds;
        expect(Math.abs(distanceBetween(before, point) - expected)).toBeLessThan(5);
        expect(Math.abs(point.speedKmh - before.speedKmh)).toBeLessThanOrEqual(104);
        return distanceBetween(before, point);
      });
      const meters = legs.reduce((sum, leg) => sum + leg, 0);
      expect(Math.abs(trip.distanceMeters - meters) / meters).toBeLessThan(0.01);
      expect(trip.maxSpeedKmh).toBe(Math.max(...track.map(({ speedKmh }) => speedKmh)));
      expect(trip.idleSeconds).toBe(track.slice(1, -1).filter(({ speedKmh }) => speedKmh === 0).length * 15);
      for (const { lat, lng } of track) {
        expect(lat > 35.5 && lat < 35.85 && lng > 139.5 && lng < 139.95).toBe(true);
      }
    }
  });

  it('has stops, idling and speeds over 80 km/h, none of them in every trip', async () => {
    const record = await friday();
    const share = (test: (trip: Trip) => boolean): number => record.filter(test).length / record.length;
    expect(share(({ stopCount }) => stopCount > 0)).toBeGreaterThan(0.5);
    expect(share(({ idleSeconds }) => idleSeconds >= 120)).toBeGreaterThan(0.2);
    const fast = share(({ maxSpeedKmh }) => maxSpeedKmh > 80);
    expect(fast).toBeGreaterThan(0.1);
    expect(fast).toBeLessThan(1);
    for (const { maxSpeedKmh, stopCount, idleSeconds } of record) {
      expect(maxSpeedKmh).toBeLessThan(110);
      expect(idleSeconds).toBeGreaterThanOrEqual(stopCount * 15);
    }
  });

  it('is empty for mobiles that do not drive, always or that day', async () => {
    expect(await trips(25)).toEqual([]);
    const ids = Array.from({ length: 100 }, (_, index) => 101 + index);
    const counts = await Promise.all(ids.map(async (id) => (await trips(id)).length));
    expect(counts.filter((count) => count === 0).length).toBeGreaterThan(2);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(75);
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
