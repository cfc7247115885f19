import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readingEnds } from '../../support/sample-report.js';
import type { ReportTrip } from '../../../src/reports/model.js';
import { REASONS } from './worst-days.js';
import { dayOf, draw, read, trip, words } from './drawn.js';

async function pageOf(trips: readonly ReportTrip[]): Promise<string> {
  const { bytes } = await draw([dayOf(trips)]);
  expect(/\b(NaN|Infinity|undefined)\b/.test(Buffer.from(bytes).toString('latin1'))).toBe(false);
  return words((await read(bytes)).pages[0]);
}

const EIGHT = Date.parse('2024-05-17T08:00:00+09:00');

describe('data that cannot be true', () => {
  it('in a track is left out and counted', async () => {
    const { track } = trip();
    const page = await pageOf([
      trip({
        track: [
          ...track,
          { time: '2024-05-17T08:31:00+09:00', lat: NaN, lng: 139, speedKmh: 40 },
          { time: '2024-05-17T08:32:00+09:00', lat: 91, lng: 139, speedKmh: 4_000 },
          { time: '2024-05-17T08:33:00+09:00', lat: 0, lng: 0, speedKmh: -1 },
          { time: '1980-01-06T00:00:00Z', lat: 35, lng: 139, speedKmh: 40 },
          { time: 'yesterday', lat: 35, lng: 139, speedKmh: 40 },
        ],
      }),
    ]);
    expect(page).toPrint('Left out because they cannot be true: 3 positions, 2 speed readings, 2 times.');
  });

  it.each([
    ['in the middle', [3]],
    ['at the start', [0]],
    ['at the end', [6]],
    ['one after the other', [2, 3]],
    ['at both ends and in the middle', [0, 3, 6]],
  ])(
    'such as places out of reach by road, %s, are left out and leave the route as large as it was',
    async (_, wild) => {
      const track = trip().track.map((fix, at) => (wild.includes(at) ? { ...fix, lat: 43.06, lng: 141.35 } : fix));
      const page = await pageOf([trip({ track })]);
      expect(page).toPrint(
        `Left out because they cannot be true: ${wild.length} position${wild.length === 1 ? '' : 's'}.`,
      );
      expect(page).toPrint(/^[12] km$/m);
    },
  );

  it('such as a track that began with stale places is put right by the other trips and by its own end', async () => {
    const stale = { lat: 43.06, lng: 141.35 };
    const behind = trip().track.map((point, index) => (index < 4 ? { ...point, ...stale } : point));
    const alone = await pageOf([trip({ track: behind })]);
    expect(alone).toPrint('4 positions.');
    expect(alone).toPrint(/^[12] km$/m);
    expect(alone).toPrint('Dashed: no track, straight line');
    const short = await pageOf([
      trip({ track: [{ ...behind[0], speedKmh: 5, time: minute(2), ...stale }, ...trip().track.slice(6)] }),
    ]);
    expect(short).toPrint('1 position.');
    expect(short).toPrint(/^[12] km$/m);
  });

  it('such as one of two ends of a trip without a track is left out, by what the rest of the day says', async () => {
    const far = { time: minute(30), lat: 43.06, lng: 141.35 };
    const page = await pageOf([
      trip(),
      trip({ start: { ...far, time: minute(31) }, end: { ...trip().end, time: minute(61) }, track: [] }),
    ]);
    expect(page).toPrint('1 position.');
    expect(page).toPrint(/^[12] km$/m);
    expect(await pageOf([trip({ end: far, track: [] })])).toPrint('1 position.');
  });

  it('such as a whole trip elsewhere, a minute after the last one, is left out', async () => {
    const elsewhere = { lat: 43.06, lng: 141.35 };
    const track = [31, 33, 35].map((at) => ({ time: minute(at), speedKmh: 20, ...elsewhere }));
    const start = { time: minute(31), ...elsewhere };
    const page = await pageOf([trip(), trip({ start, end: { ...start, time: minute(35) }, track })]);
    expect(page).toPrint('5 positions, 1 figure.');
    expect(page).toPrint(/^[12] km$/m);
  });

  it.each([
    ['in another city a minute after the last reading', { lat: 43.06, lng: 141.35 }],
    ['at 0, 0', { lat: 0, lng: 0 }],
  ])('such as an end %s is not looked up, no arrival, and no place of a break', async (_, place) => {
    const end = { ...trip().end, ...place, time: minute(31) };
    const trips = [
      trip({ end, endAddress: 'Sapporo', track: [...trip().track] }),
      trip({ start: { ...trip().end, time: minute(60) }, end: { ...trip().end, time: minute(70) }, track: [] }),
    ];
    const page = await pageOf(trips);
    expect(page).not.toPrint('Sapporo');
    expect(page).toPrint(/\n08:31\n—\n/);
    expect(page).toPrint(/\nKind\n1\n—\n08:31\n09:00\n/);
    expect(page).toPrint('1 position.');
    const day = { from: '2024-05-17T00:00:00+09:00', to: '2024-05-18T00:00:00+09:00' };
    const { ends } = await readingEnds(day, 1)(trips);
    expect(ends).toHaveLength(3);
    expect(ends).not.toContainEqual(expect.objectContaining(place));
  });

  it('such as a distance shorter than a straight line between the ends is marked', async () => {
    const mark = '‡ The record does not support the figure: No. 1: distance 5.0 km, straight line 7.2 km.';
    const page = await pageOf([trip({ distanceMeters: 5_000 })]);
    expect(page).toPrint('\n5.0‡\n');
    expect(page).toPrint(mark);
    expect(await pageOf([trip()])).not.toPrint(mark);
  });

  it('is not what a receiver says that jumps between houses, nor a drive on after a long silence', async () => {
    const at = (time: string, lat: number, lng: number) => ({
      time: `2024-05-17T${time}+09:00`,
      lat,
      lng,
      speedKmh: 20,
    });
    const jumps = [at('08:05:00', 35.65, 139.75), at('08:05:00', 35.658, 139.75), at('08:05:01', 35.65, 139.752)];
    const page = await pageOf([trip({ track: [...jumps, at('16:00:00', 43.06, 141.35)] })]);
    expect(page).not.toPrint('Left out');
    expect(page).toPrint(/^[125]00 km$/m);
  });

  it('in the figures of a trip prints as a dash and stays out of the totals', async () => {
    const broken = trip({ distanceMeters: -5, maxSpeedKmh: 9_999, idleSeconds: NaN, stopCount: 1.5 });
    const page = await pageOf([trip(), broken]);
    expect(page).toPrint('Left out because they cannot be true: 4 figures.');
    expect(page.split('\n').filter((word) => word === '15.3')).toHaveLength(3);
    expect(page).not.toPrint('9999');
  });
});

describe('a trip', () => {
  it('may have more readings than anybody needs', async () => {
    const track = Array.from({ length: 50_000 }, (_, index) => ({
      time: new Date(EIGHT + index * 240).toISOString(),
      lat: 35.65 + index * 4e-7,
      lng: 139.75,
      speedKmh: index % 60,
    }));
    const page = await pageOf([trip({ track })]);
    expect(page).not.toPrint('Left out');
    expect(page).toPrint(/^(200|500) m$|^1 km$/m);
  });

  it('near a pole is as long as it was', async () => {
    const track = [0, 180, 0].map((lng, index) => ({ time: minute(index * 5), lat: 89.9, lng, speedKmh: 60 }));
    expect(await pageOf([along(track)])).not.toPrint('Left out');
  });

  it.each([50, 70, 80])(
    'without speeds says so between the lines of the grid and of the limit: %i',
    async (speedLimitKmh) => {
      const drawn = await draw([dayOf([trip({ track: [] })])], { speedLimitKmh });
      const [page = []] = (await read(drawn.bytes)).pages;
      const y = page.find(({ text }) => text === 'No speed readings were received.')?.y ?? NaN;
      const heights = page
        .filter(({ text, size }) => /^\d+$/.test(text) && size === 6.5)
        .map((each) => [Number(each.text), each.y - 2.3]);
      const [[, bottom = NaN] = [], [kmh = NaN, next = NaN] = []] = heights;
      const limit = bottom - ((bottom - next) / kmh) * speedLimitKmh;
      expect(heights.length).toBeGreaterThan(5);
      for (const line of [...heights.map(([, height = NaN]) => height), limit])
        expect(line < y - 6 || line > y + 2).toBe(true);
    },
  );

  it('with one point has its speed and a straight line', async () => {
    const page = await pageOf([trip({ track: trip().track.slice(0, 1) })]);
    expect(page).toPrint('Dashed: no track, straight line');
    expect(page).not.toPrint('No speed readings');
  });

  it('without any usable position says so instead of drawing a route', async () => {
    const nowhere = { time: '2024-05-17T08:00:00+09:00', lat: NaN, lng: NaN };
    const page = await pageOf([trip({ track: [], start: nowhere, end: nowhere })]);
    expect(page).toPrint('No usable positions were received.');
  });

  it('over the date line is as short as it was', async () => {
    const at = (minute: number, lng: number) => ({
      time: `2024-05-17T08:${String(minute).padStart(2, '0')}:00+09:00`,
      lat: -16.8,
      lng,
      speedKmh: 30,
    });
    const page = await pageOf([along([at(1, 179.95), at(5, 179.99), at(9, -179.98)])]);
    expect(page).toPrint(/^[125] km$/m);
    expect(page).not.toPrint('Left out');
  });

  it('is printed in the order of its start, whatever order it came in', async () => {
    const at = (time: string) => ({ time: `2024-05-17T${time}:00+09:00`, lat: 35, lng: 139 });
    const later = trip({ start: at('10:00'), end: at('10:20'), track: [] });
    expect(await pageOf([later, trip()])).toPrint(/\n1\n08:00[\s\S]*\n2\n10:00/);
  });
});

/** `npm run test:soak` tries more. */
const RUNS = Number(process.env['BAD_REPORTS'] ?? 5);

it('a report is made of whatever a backend can answer', async () => {
  const number = fc.double();
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constant('字'.repeat(2000)));
  const time = fc.oneof(
    fc
      .date({ min: new Date('2024-05-15'), max: new Date('2024-05-20'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    fc.string(),
  );
  const point = fc.record({ time, lat: number, lng: number, speedKmh: number });
  const anyTrip = fc.record({
    start: point,
    end: point,
    startAddress: fc.option(text),
    endAddress: fc.option(text),
    distanceMeters: number,
    stopCount: number,
    maxSpeedKmh: number,
    idleSeconds: number,
    track: fc.array(point, { maxLength: 30 }),
  });
  const vehicle = fc.option(fc.record({ num: text, name: text }), { nil: undefined });
  const driver = fc.record({ mobileId: text, employeeCode: text, employeeName: text, vehicle });
  const outcome = fc.oneof(
    fc.record({ kind: fc.constant('day' as const), driver, trips: fc.array(anyTrip, { maxLength: 30 }) }),
    fc.record({
      kind: fc.constant('failed' as const),
      driver,
      reason: fc.constantFrom(...REASONS),
      detail: fc.option(text, { nil: undefined }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(outcome, { maxLength: 4 }), async (outcomes) => {
      const { bytes, pages } = await draw(outcomes, { org: 'x' });
      expect(pages).toBeGreaterThan(0);
      const file = Buffer.from(bytes).toString('latin1');
      expect(file.endsWith('%%EOF\n')).toBe(true);
      expect(/[ \n[]-?(NaN|Infinity)[ \n\]]/.test(file)).toBe(false);
      expect((await read(bytes)).pages).toHaveLength(pages);
    }),
    { numRuns: RUNS },
  );
});

/** A time of the day of the report, in minutes after 08:00. */
function minute(after: number): string {
  return new Date(EIGHT + after * 60_000).toISOString();
}

/** A trip that starts and ends where its track does. */
function along(track: ReportTrip['track']): ReportTrip {
  const [first, last] = [track[0], track.at(-1)];
  if (first === undefined || last === undefined) throw new Error('A track has a beginning and an end.');
  return trip({ start: first, end: last, track, distanceMeters: 8_000 });
}
