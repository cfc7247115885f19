import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isCounted } from '../../../src/reports/day/day-trip.js';
import { readDriverDay } from '../../../src/reports/day/driver-day.js';
import { drivingDay } from '../../../src/reports/day/report-date.js';
import type { DriverOutcome, ReportTrip } from '../../../src/reports/model.js';
import { dayOf, draw, read, trip, type PlacedText } from './drawn.js';

const DATES = ['2024-05-17T09:00:00+09:00', '2024-02-29T00:00:00Z', '2024-12-31T23:59:59-03:30'];
const LIMIT = 80;

/** Days as backends hand them over: in order or not, to the millisecond, over midnight, and some of it nonsense. */
function anyDay(dayStart: number): fc.Arbitrary<ReportTrip[]> {
  const aTrip = fc
    .record({
      gap: fc.integer({ min: -200_000, max: 5_400_000 }),
      length: fc.integer({ min: 0, max: 7_200_000 }),
      share: fc.double({ min: 0, max: 1.05, noNaN: true }),
      metersPerSecond: fc.double({ min: 0, max: 25, noNaN: true }),
      stopCount: fc.integer({ min: 0, max: 9 }),
      maxSpeedKmh: fc.oneof(fc.double({ min: 0, max: 120, noNaN: true }), fc.constant(80.4), fc.constant(80.04)),
      speeds: fc.array(fc.double({ min: 0, max: 110, noNaN: true }), { maxLength: 12 }),
      isRepeated: fc.boolean(),
      flaw: fc.constantFrom('', '', '', '', '', '', 'far', 'reversed', 'no distance', 'no time'),
    })
    .map((made) => made);
  return fc
    .tuple(fc.integer({ min: -3_600_000, max: 70_000_000 }), fc.array(aTrip, { maxLength: 12 }))
    .map(([first, made]) => {
      const trips: ReportTrip[] = [];
      let time = dayStart + first;
      for (const { gap, length, share, metersPerSecond, stopCount, maxSpeedKmh, speeds, isRepeated, flaw } of made) {
        const at = (after: number): string => new Date(Math.round(time + after)).toISOString();
        const next = trip({
          start: { ...trip().start, time: flaw === 'no time' ? 'soon' : at(flaw === 'reversed' ? length : 0) },
          end: { ...trip().end, time: at(flaw === 'reversed' ? 0 : length) },
          distanceMeters: flaw === 'no distance' ? NaN : flaw === 'far' ? 900_000 : (metersPerSecond * length) / 1000,
          idleSeconds: (share * length) / 1000,
          stopCount,
          maxSpeedKmh,
          track: speeds.map((speedKmh, index) => ({
            time: at((length * index) / speeds.length),
            lat: 35.65,
            lng: 139.75,
            speedKmh,
          })),
        });
        trips.push(next, ...(isRepeated && stopCount === 9 ? [next] : []));
        time += length + gap;
      }
      return trips;
    });
}

const anyDatedDay = fc
  .constantFrom(...DATES)
  .chain((date) => fc.record({ date: fc.constant(date), trips: anyDay(Date.parse(drivingDay(date).from)) }));

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);

describe('what is printed', () => {
  it('is what is summed, on thousands of days', () => {
    fc.assert(
      fc.property(anyDatedDay, ({ date, trips }) => {
        const day = drivingDay(date);
        const { trips: rows, breaks, totals } = readDriverDay(trips, day, LIMIT);
        const counted = rows.filter(isCounted);
        expect(rows).toHaveLength(trips.length);
        expect(counted.length + totals.carriedOver + totals.impossible).toBe(rows.length);
        for (const { start, end, minutes, idleMinutes } of counted) {
          expect(minutes).toBe((end ?? NaN) - (start ?? NaN));
          expect(idleMinutes ?? NaN).toBeLessThanOrEqual(minutes ?? NaN);
          expect((start ?? NaN) * 60_000).toBeGreaterThanOrEqual(Date.parse(day.from));
          expect((start ?? NaN) * 60_000).toBeLessThan(Date.parse(day.to));
        }
        counted.forEach(({ start }, index) => {
          expect(start ?? NaN).toBeGreaterThanOrEqual(counted[index - 1]?.end ?? 0);
        });
        expect(totals).toMatchObject({
          trips: counted.length,
          hectometers: sum(counted.map(({ hectometers }) => hectometers)),
          tripMinutes: sum(counted.map(({ minutes }) => minutes)),
          idleMinutes: sum(counted.map(({ idleMinutes }) => idleMinutes)),
          stops: sum(counted.map(({ stops }) => stops)),
          breakMinutes: sum(breaks.map(({ minutes }) => minutes)),
          tripsOverLimit: counted.filter(({ top }) => (top?.kmh ?? 0) > LIMIT).length,
          overLimit: {
            stretches: sum(counted.map(({ overLimit }) => overLimit.stretches)),
            minutes: sum(counted.map(({ overLimit }) => overLimit.minutes)),
          },
        });
        expect(totals.drivingMinutes + totals.idleMinutes).toBe(totals.tripMinutes);
        expect(totals.dutyMinutes).toBe(totals.tripMinutes + totals.breakMinutes);
        expect(totals.dutyMinutes).toBe((counted.at(-1)?.end ?? 0) - (counted[0]?.start ?? 0));
        for (const { top, isOverLimit, partsOverLimit, overLimit } of rows) {
          // A marked speed is printed above the limit, and what the chart draws red is what is counted.
          expect(isOverLimit).toBe(Number(String(top?.kmh ?? 0)) > LIMIT);
          expect(overLimit.stretches).toBe(partsOverLimit.length);
          expect(overLimit.minutes > 0).toBe(overLimit.stretches > 0);
          if (overLimit.stretches > 0) expect(isOverLimit).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('adds up on paper, cell by cell, for whoever has a calculator', async () => {
    for (const date of DATES) {
      const days = fc.sample(anyDay(Date.parse(drivingDay(date).from)), { numRuns: DAYS_PER_DATE });
      const outcomes = days.map((trips, index): DriverOutcome => dayOf(trips, { employeeCode: `E${index}` }));
      const { bytes } = await draw(outcomes, { date });
      const { pages } = await read(bytes);
      const sections = sectionsOf(pages);
      expect(sections).toHaveLength(days.length);
      sections.forEach((section, index) => checkSection(section, days[index]?.length ?? 0));
      checkCover(pages, sections);
    }
  });
});

const DAYS_PER_DATE = 170;
type Page = readonly PlacedText[];

/** The rows of a table: texts of one baseline, from left to right; lines below the first are left out by their size. */
function rowsOf(page: Page): string[][] {
  const rows = new Map<number, PlacedText[]>();
  for (const text of page) {
    if (text.size !== 8 || text.y > 800) continue;
    const key = Math.round(text.y);
    const row = [...rows].find(([y]) => Math.abs(y - key) <= 5)?.[1];
    if (row === undefined) rows.set(key, [text]);
    else row.push(text);
  }
  return [...rows.values()].map((row) => row.toSorted((a, b) => a.x - b.x).map(({ text }) => text));
}

interface Section {
  readonly code: string;
  readonly tiles: Readonly<Record<string, string>>;
  readonly rows: string[][];
  /** Smaller lines below a speed: `2× 0:04`, with the number of their row's kind. */
  readonly overLimit: string[];
}

function sectionsOf(pages: readonly Page[]): Section[] {
  const sections: Section[] = [];
  for (const page of pages) {
    if (page.some(({ text }) => text === 'Daily driving reports')) continue;
    const code = page.find(({ y, size }) => y === 127 && size === 11)?.text;
    const open = sections.at(-1);
    const rows = rowsOf(page).filter(([first = '']) => /^(\d+|\(\d+\)|Total)$/.test(first));
    if (code === undefined) open?.rows.push(...rows);
    else sections.push({ code, tiles: tilesOf(page), rows, overLimit: [] });
  }
  return sections;
}

function tilesOf(page: Page): Record<string, string> {
  const labels = page.filter(({ y, size }) => y === 156 && size === 7);
  const values = page.filter(({ y, size, text }) => y === 177 && size > 8 && text !== '▲');
  return Object.fromEntries(
    labels.map(({ text, x }, index) => {
      const right = labels[index + 1]?.x ?? Infinity;
      return [text, values.find((value) => value.x >= x && value.x < right)?.text ?? ''];
    }),
  );
}

const minutesOf = (text: string): number => {
  const [, hours = 'NaN', minutes = 'NaN'] = /^(?:▲ )?([\d,]+):(\d\d)$/.exec(text) ?? [];
  return Number(hours.replaceAll(',', '')) * 60 + Number(minutes);
};
const tenthsOf = (text: string): number => Math.round(Number(text.replaceAll(',', '')) * 10);
const speedOf = (text: string): number => Number(/^(?:▲ )?([\d.]+)[*†]?$/.exec(text)?.[1] ?? NaN);

function checkSection({ rows, tiles }: Section, trips: number): void {
  if (trips === 0) {
    expect(tiles).toMatchObject({ Distance: '0.0', 'Duty span': '0:00', Driving: '0:00' });
    return;
  }
  const total = rows.at(-1) ?? [];
  expect(total[0]).toBe('Total');
  expect(rows).toHaveLength(trips + 1);
  const counted = rows.slice(0, -1).filter(([number = '']) => !number.startsWith('('));
  // No., start, end, distance, trip time, idling, stops, average, top; addresses are printed in other sizes.
  const column = (index: number): string[] => counted.map((row) => row[index] ?? '');
  const spans = counted.map((row) => (((minutesOf(row[2] ?? '') - minutesOf(row[1] ?? '')) % 1440) + 1440) % 1440);
  expect(column(4).map((text) => minutesOf(text) % 1440)).toEqual(spans);
  const [distance = '', tripTime = '', idling = '', , average = '', top = ''] = total.slice(1);
  expect(tenthsOf(distance)).toBe(sum(column(3).map(tenthsOf)));
  expect(minutesOf(tripTime)).toBe(sum(column(4).map(minutesOf)));
  expect(minutesOf(idling)).toBe(sum(column(5).map(minutesOf)));
  expect(tiles['Distance']).toBe(distance);
  expect(minutesOf(tiles['Idling'] ?? '')).toBe(minutesOf(idling));
  const driving = minutesOf(tripTime) - minutesOf(idling);
  expect(minutesOf(tiles['Driving'] ?? '')).toBe(driving);
  expect(minutesOf(tiles['Duty span'] ?? '')).toBe(minutesOf(tripTime) + minutesOf(tiles['Breaks'] ?? ''));
  expect(tiles['Average']).toBe(average);
  if (average !== '—') expect(tenthsOf(average)).toBe(Math.round((tenthsOf(distance) * 60) / driving));
  const tops = column(8).map(speedOf);
  if (tops.length > 0) expect(speedOf(top)).toBe(Math.max(...tops));
  for (const row of rows.slice(0, -1)) {
    const speed = row[8] ?? '';
    if (speed !== '—') expect(speed.startsWith('▲')).toBe(speedOf(speed) > LIMIT);
  }
}

function checkCover(pages: readonly Page[], sections: readonly Section[]): void {
  const covers = pages.filter((page) => page.some(({ text }) => text === 'Daily driving reports'));
  const rows = covers.flatMap(rowsOf);
  const total = rows.find((row) => row[0] === 'Total') ?? [];
  const lines = rows.filter((row) => /^\d+$/.test(row[0] ?? ''));
  // No., driver, code, mobile, trips, distance, driving.
  expect(lines).toHaveLength(sections.length);
  for (const { code, tiles } of sections) {
    const line = lines.find((row) => row[2] === code) ?? [];
    expect([line[5], minutesOf(line[6] ?? '')]).toEqual([tiles['Distance'], minutesOf(tiles['Driving'] ?? '')]);
  }
  expect(tenthsOf(total[2] ?? '')).toBe(sum(lines.map((row) => tenthsOf(row[5] ?? ''))));
  expect(minutesOf(total[3] ?? '')).toBe(sum(lines.map((row) => minutesOf(row[6] ?? ''))));
  expect(Number(total[1])).toBe(sum(lines.map((row) => Number(row[4]))));
}
