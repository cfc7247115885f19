import { describe, expect, it } from '@jest/globals';
import type { DrivingRecord } from '../../../src/clients/backend-api.js';
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
const placeOf = (fix: Trip['start'] | undefined) => fix && { lat: fix.lat, lng: fix.lng };
describe('A driving record', () => {
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
