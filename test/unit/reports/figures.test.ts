import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isCounted } from '../../../src/reports/day/day-trip.js';
import { readDriverDay } from '../../support/sample-report.js';
import { drivingDay } from '../../../src/reports/day/report-date.js';
import type { DriverOutcome, ReportTrip } from '../../../src/reports/model.js';
import { IDENTITY, TILES_TOP } from '../../../src/reports/page/driver-layout.js';
import { TILE } from '../../../src/reports/page/tiles.js';
import { dayOf, draw, read, trip, type PlacedText } from './drawn.js';
import { rowsOf, type PrintedRow } from './printed-tables.js';

const DATES = ['2024-05-17T09:00:00+09:00', '2024-02-29T00:00:00Z', '2024-12-31T23:59:59-03:30'];
const LIMIT = 80;
const JUDGEMENT = { limitKmh: LIMIT, minSeconds: 10, rules: 'off' } as const;
/** `npm run test:soak` looks at more. */
const DAYS_PER_DATE = Number(process.env['BAD_REPORTS'] ?? 15);
const SOUND = trip();

/** Days as backends send them: in order or not, to the millisecond, over midnight, and some of it nonsense. */
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
      flaw: fc.constantFrom('', '', '', '', '', '', 'far', 'away', 'reversed', 'no distance', 'no time'),
    })
    .map((made) => made);
  return fc
    .tuple(
      fc.integer({ min: -3_600_000, max: 70_000_000 }),
      fc.oneof(
        { weight: 9, arbitrary: fc.array(aTrip, { maxLength: 12 }) },
        // Tables of several pages.
        { weight: 1, arbitrary: fc.array(aTrip, { minLength: 20, maxLength: 50, size: 'max' }) },
      ),
    )
    .map(([first, made]) => {
      const trips: ReportTrip[] = [];
      let time = dayStart + first;
      for (const { gap, length, share, metersPerSecond, stopCount, maxSpeedKmh, speeds, isRepeated, flaw } of made) {
        const at = (after: number): string => new Date(Math.round(time + after)).toISOString();
        const next = {
          ...SOUND,
          start: { ...SOUND.start, time: flaw === 'no time' ? 'soon' : at(flaw === 'reversed' ? length : 0) },
          end: { ...(flaw === 'away' ? SOUND.end : SOUND.start), time: at(flaw === 'reversed' ? 0 : length) },
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
        };
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
  it('is what is judged, whatever the days', () => {
    fc.assert(
      fc.property(anyDatedDay, ({ date, trips }) => {
        const day = drivingDay(date);
        const { trips: rows, breaks, totals } = readDriverDay(trips, day, JUDGEMENT);
        const counted = rows.filter(isCounted);
        expect(rows).toHaveLength(trips.length);
        expect(counted.length + totals.carriedOver + totals.impossible).toBe(rows.length);
        const [from, to] = [Date.parse(day.from) / 60_000, Date.parse(day.to) / 60_000];
        const unsound = counted.filter((row, index) => {
          const [start, end] = [row.start ?? NaN, row.end ?? NaN];
          const isTimed = row.minutes === end - start && start >= from && start < to;
          const isIdleWithin = (row.idleMinutes ?? 0) <= (row.minutes ?? NaN);
          return !(isTimed && isIdleWithin && start >= (counted[index - 1]?.end ?? 0));
        });
        expect(unsound).toEqual([]);
        expect(totals.unrecordedMinutes).toBeGreaterThanOrEqual(0);
        // Whatever was reported, in no break did anything drive.
        const drove = rows.filter(({ verdict }) => verdict.kind !== 'impossible' || verdict.fault !== 'other day');
        const driven = breaks.filter(({ from, to }) =>
          drove.some(({ start, end }) => {
            const known = [start, end].filter((minute) => minute !== null);
            return Math.min(...known) < to && Math.max(...known) > from;
          }),
        );
        expect(driven).toEqual([]);
        // A marked speed is printed above the limit, and what the chart draws red is what is counted.
        const wronglyMarked = rows.filter(
          ({ top, isOverLimit, partsOverLimit, overLimit: { stretches, seconds, readings } }) =>
            isOverLimit !== (top?.kmh ?? 0) > LIMIT ||
            stretches > partsOverLimit.length ||
            (readings > 0 && partsOverLimit.length === 0) ||
            seconds < 10 * stretches ||
            (partsOverLimit.length > 0 && !isOverLimit),
        );
        expect(wronglyMarked).toEqual([]);
      }),
      { numRuns: 20 * DAYS_PER_DATE },
    );
  });

  it('adds up on paper, cell by cell', async () => {
    for (const date of DATES) {
      const days = fc.sample(anyDay(Date.parse(drivingDay(date).from)), { numRuns: DAYS_PER_DATE });
      const outcomes = days.map((trips, index): DriverOutcome =>
        dayOf(trips, { employeeCode: `E${index}`, mobileId: String(index) }),
      );
      // Tags print nothing, and take half of the time.
      const { bytes } = await draw(outcomes, { date }, { maxTaggedPages: 0 });
      const { pages } = await read(bytes);
      const sections = sectionsOf(pages, days.length);
      expect(sections).toHaveLength(days.length);
      sections.forEach((section, index) => checkSection(section, days[index]?.length ?? 0));
      checkCover(pages, sections);
    }
  });
});

type Page = readonly PlacedText[];

interface Section {
  readonly code: string;
  readonly tiles: Readonly<Record<string, string>>;
  /** The text beside the odometer, if there is space for it. */
  measured: string | undefined;
  readonly trips: PrintedRow[];
  readonly breaks: PrintedRow[];
  /** Over the chart: `▲ 2 trips over the limit, 3× 0:07`. */
  readonly overLimit: string;
  /** Beside the heading of the trips: `× 2 trips excluded`. */
  readonly excluded: string;
  /** Minutes of duty that are neither driving nor break. */
  unrecorded: number;
}

function sectionsOf(pages: readonly Page[], drivers: number): Section[] {
  const sections: Section[] = [];
  for (const page of pages) {
    if (isCover(page)) continue;
    const code = page.find(({ y, size }) => y === IDENTITY.value && size === 9.5)?.text;
    if (code !== undefined) {
      const find = (pattern: RegExp): string => page.find(({ text }) => pattern.test(text))?.text ?? '';
      const overLimit = find(/^▲ \d+ trips? over the limit/);
      const excluded = find(/^× \d+ trips? excluded$/);
      const figures = { overLimit, excluded, unrecorded: 0 };
      sections.push({ code, tiles: tilesOf(page), measured: undefined, trips: [], breaks: [], ...figures });
    }
    const open = sections.at(-1);
    const rows = rowsOf(page, 'en', drivers);
    open?.trips.push(...rows.filter(({ table }) => table === 'trips'));
    open?.breaks.push(...rows.filter(({ table }) => table === 'breaks'));
    const [, unrecorded] =
      /^× Duty span: (\S+) of it/.exec(page.find(({ text }) => text.startsWith('× Duty'))?.text ?? '') ?? [];
    if (open !== undefined && unrecorded !== undefined) open.unrecorded = minutesOf(unrecorded);
    const measured = page.find(({ text, size }) => size === 9 && text.endsWith(' km'))?.text;
    if (open !== undefined && measured !== undefined) open.measured = measured;
  }
  return sections;
}

function isCover(page: Page): boolean {
  return page.some(({ text }) => text === 'Daily driving reports');
}

function tilesOf(page: Page): Record<string, string> {
  const labels = page.filter(({ y, size }) => y === TILES_TOP + TILE.label.baseline && size === TILE.label.size);
  const values = page.filter(({ y, size, text }) => y === TILES_TOP + TILE.value.baseline && size > 8 && text !== '▲');
  return Object.fromEntries(
    labels.map(({ text, x }, index) => {
      const right = labels[index + 1]?.x ?? Infinity;
      return [text, values.find((value) => value.x >= x && value.x < right)?.text ?? ''];
    }),
  );
}

const minutesOf = (text: string): number => {
  const [, hours = 'NaN', minutes = 'NaN'] = /^(?:▲ )?[≥≤]?([\d,]+):(\d\d)‡?$/.exec(text) ?? [];
  return Number(hours.replaceAll(',', '')) * 60 + Number(minutes);
};
const tenthsOf = (text: string): number => Math.round(Number(text.replace(/^≥|,|‡$/g, '')) * 10);
const speedOf = (text: string): number => Number(/^(?:▲ )?([\d.]+)[*†]?‡?$/.exec(text)?.[1] ?? NaN);
const countOf = (text: string): number => Number(text.replaceAll(',', ''));

const cell = ({ cells }: PrintedRow, heading: string, index = 0): string => cells[heading]?.[index] ?? '';
/** The times of a row; a date stands below the time it belongs to. */
const timesOf = ({ cells }: PrintedRow, heading: string): readonly number[] =>
  (cells[heading] ?? []).filter((text) => /^\d\d:\d\d$/.test(text)).map(minutesOf);
const between = (from = NaN, to = NaN): number => (((to - from) % 1440) + 1440) % 1440;

function checkSection(section: Section, tripCount: number): void {
  const { trips, breaks, tiles, measured } = section;
  if (measured !== undefined) expect(measured).toBe(`${tiles['Distance']} km`);
  if (tripCount === 0) {
    expect(tiles).toMatchObject({ Distance: '0.0', 'Duty span': '0:00', Driving: '0:00' });
    expect([trips, breaks]).toEqual([[], []]);
    return;
  }
  const total = trips.at(-1);
  if (total === undefined) throw new Error('There are no sums.');
  expect(total.name).toBe('Total');
  const lines = trips.filter(({ name }) => /^\(?\d+\)?$/.test(name));
  expect(lines).toHaveLength(tripCount);
  const counted = lines.filter(({ name }) => !name.startsWith('('));
  for (const row of counted) {
    const [start, end] = timesOf(row, 'Start');
    expect(minutesOf(cell(row, 'Trip time')) % 1440).toBe(between(start, end));
  }
  const totals = sumsOf(counted);
  expect(figuresOf(total)).toEqual(totals);
  expect(tiles['Distance']).toBe(cell(total, 'Distance'));
  expect(minutesOf(tiles['Idling'] ?? '')).toBe(totals.idling);
  const driving = totals.tripTime - totals.idling;
  expect(minutesOf(tiles['Driving'] ?? '')).toBe(driving);
  expect(minutesOf(tiles['Duty span'] ?? '')).toBe(
    totals.tripTime + minutesOf(tiles['Breaks'] ?? '') + section.unrecorded,
  );
  const average = cell(total, 'Average');
  expect(tiles['Average']).toBe(average);
  if (average !== '—') expect(tenthsOf(average)).toBe(Math.round((totals.distance * 60) / driving));
  const tops = counted.map((row) => speedOf(cell(row, 'Top'))).filter((speed) => !Number.isNaN(speed));
  if (tops.length > 0) expect(speedOf(cell(total, 'Top'))).toBe(Math.max(...tops));
  for (const row of lines) {
    const speed = cell(row, 'Top');
    if (speed !== '—') expect(speed.startsWith('▲')).toBe(speedOf(speed) > LIMIT);
  }
  for (const row of counted) {
    const average = cell(row, 'Average');
    const { distance, tripTime, idling } = figuresOf(row);
    if (average !== '—') expect(tenthsOf(average)).toBe(Math.round((distance * 60) / (tripTime - idling)));
  }
  checkMarks(section, lines, counted);
  checkCarried(trips);
  checkBreaks(breaks, lines, tiles);
}

/** `2× 3 min 33 s`, `40 s` or `2 readings`, wherever it is broken into lines. */
function overLimitOf(text: string): Record<'stretches' | 'seconds' | 'readings', number> {
  const figure = (unit: string): number => countOf(new RegExp(`([\\d,]+)${unit}(?![a-z])`).exec(text)?.[1] ?? '0');
  return {
    stretches: figure('×'),
    seconds: figure(' h') * 3600 + figure(' min') * 60 + figure(' s'),
    readings: figure(' readings?'),
  };
}

/** The figures over the chart and beside the heading are the sums of the rows. */
function checkMarks({ overLimit, excluded }: Section, lines: readonly PrintedRow[], kept: readonly PrintedRow[]): void {
  const over = kept.filter((row) => cell(row, 'Top').startsWith('▲'));
  const times = over.map((row) => overLimitOf((row.cells['Top'] ?? []).slice(1).join(' ')));
  const [, trips = '0', rest = ''] = /^▲ (\d+) trips? over the limit(?:, (.*))?$/.exec(overLimit) ?? [];
  expect({ trips: Number(trips), ...overLimitOf(rest) }).toEqual({
    trips: over.length,
    stretches: sum(times.map(({ stretches }) => stretches)),
    seconds: sum(times.map(({ seconds }) => seconds)),
    readings: sum(times.map(({ readings }) => readings)),
  });
  const flagged = lines.length - kept.length - lines.filter((row) => isCarriedOver(row)).length;
  expect(Number(/\d+/.exec(excluded)?.[0] ?? 0)).toBe(flagged);
}

/** The reason stands below the row, over all columns from that of the times on. */
function isCarriedOver(row: PrintedRow): boolean {
  return (row.cells['Start'] ?? []).some((text) => text.startsWith('Carried over'));
}

interface Figures {
  readonly distance: number;
  readonly tripTime: number;
  readonly idling: number;
  readonly stops: number;
}

function figuresOf(row: PrintedRow): Figures {
  return {
    distance: tenthsOf(cell(row, 'Distance')),
    tripTime: minutesOf(cell(row, 'Trip time')),
    idling: minutesOf(cell(row, 'Idling')),
    stops: countOf(cell(row, 'Stops')),
  };
}

/** The sums of rows; a dash counts as zero. */
function sumsOf(rows: readonly PrintedRow[]): Figures {
  const figures = rows.map(figuresOf);
  const total = (name: keyof Figures): number =>
    sum(figures.map((each) => (Number.isNaN(each[name]) ? 0 : each[name])));
  return { distance: total('distance'), tripTime: total('tripTime'), idling: total('idling'), stops: total('stops') };
}

/** The sums that a page carries forward are those of the rows on the pages before. */
function checkCarried(trips: readonly PrintedRow[]): void {
  trips.forEach((row, index) => {
    if (row.name !== 'Carried forward') return;
    expect(figuresOf(row)).toEqual(sumsOf(trips.slice(0, index).filter(({ name }) => /^\d+$/.test(name))));
  });
}

/** Every pause is the time between two trips, whatever their figures; of the shorter ones the sum is printed. */
function checkBreaks(breaks: readonly PrintedRow[], lines: readonly PrintedRow[], tiles: Section['tiles']): void {
  const total = breaks.at(-1);
  const rows = breaks.slice(0, -1);
  const pauses = rows.filter(({ name }) => /^\(?\d+\)?$/.test(name));
  const shorter = rows.filter((row) => !pauses.includes(row));
  const told = lines.flatMap((row) => timesOf(row, 'Start'));
  for (const row of pauses) {
    const [[from], [to]] = [timesOf(row, 'From'), timesOf(row, 'To')];
    expect([from, to].map((time) => told.includes(time ?? NaN))).toEqual([true, true]);
    const minutes = minutesOf(cell(row, 'Breaks').replace(/[()]/g, ''));
    expect(minutes % 1440).toBe(between(from, to));
    const kind = (row.cells['Kind'] ?? []).join(' ');
    const isGap = row.name.startsWith('(');
    expect(/driving not recorded _+$/.test(kind)).toBe(isGap);
    const place = (row.cells['Place'] ?? []).join(' ');
    const found = [minutes >= 10, kind.startsWith('●'), kind.includes('□'), place.includes('□')];
    if (!isGap) expect(found).toEqual([true, true, true, minutes >= 30]);
  }
  const real = [...pauses.filter(({ name }) => !name.startsWith('(')), ...shorter];
  const breakMinutes = sum(real.map((row) => minutesOf(cell(row, 'Breaks'))));
  expect(minutesOf(tiles['Breaks'] ?? '')).toBe(breakMinutes);
  if (total !== undefined) expect([total.name, minutesOf(cell(total, 'Breaks'))]).toEqual(['Total', breakMinutes]);
}

function checkCover(pages: readonly Page[], sections: readonly Section[]): void {
  const rows = pages.filter(isCover).flatMap((page) => rowsOf(page, 'en', sections.length));
  const lines = rows.filter(({ name }) => /^\d+$/.test(name));
  const total = rows.at(-1);
  if (total === undefined) throw new Error('There are no sums.');
  expect(lines).toHaveLength(sections.length);
  for (const { code, tiles } of sections) {
    const line = lines.find((row) => cell(row, 'Employee code') === code);
    expect(line && [cell(line, 'Distance'), minutesOf(cell(line, 'Driving'))]).toEqual([
      tiles['Distance'],
      minutesOf(tiles['Driving'] ?? ''),
    ]);
  }
  for (const { code, excluded, overLimit } of sections) {
    const line = lines.find((row) => cell(row, 'Employee code') === code);
    const [, rest = ''] = /, (.*)$/.exec(overLimit) ?? [];
    expect(overLimitOf((line?.cells['Over limit'] ?? []).join(' '))).toEqual(overLimitOf(rest));
    expect((line && cell(line, 'Excluded')) ?? '').toBe(excluded.replace(/ trips? excluded/, ''));
  }
  rows.forEach((row, index) => {
    if (/^\d+$/.test(row.name)) return;
    expect(row.name).toBe(index === rows.length - 1 ? 'Total' : 'Carried forward');
    const before = rows.slice(0, index).filter(({ name }) => /^\d+$/.test(name));
    expect([countOf(cell(row, 'Trips')), tenthsOf(cell(row, 'Distance')), minutesOf(cell(row, 'Driving'))]).toEqual([
      sum(before.map((each) => countOf(cell(each, 'Trips')))),
      sum(before.map((each) => tenthsOf(cell(each, 'Distance')))),
      sum(before.map((each) => minutesOf(cell(each, 'Driving')))),
    ]);
  });
}
