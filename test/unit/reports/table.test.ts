/** The table of a report beside its pages: both have the same figures. */
import { describe, expect, it } from '@jest/globals';
import type { DriverOutcome, ReportOptions } from '../../../src/reports/model.js';
import { LABELS } from '../../../src/reports/page/labels.js';
import { grouped, hoursAndMinutes } from '../../../src/reports/page/number-format.js';
import { sampleOutcome } from '../../support/sample-report.js';
import { dayOf, draw, DRIVER, failed, read, trip, tripsInARow, words } from './drawn.js';
import { rowsOf } from './printed-tables.js';
import { worstDay } from './worst-days.js';

type Row = Readonly<Record<string, string>>;

/** Reads CSV as RFC 4180 says, and the byte-order mark before it. */
function readTable(table: string): readonly Row[] {
  expect(table.startsWith('\ufeff')).toBe(true);
  const cells: string[][] = [[]];
  let end = 1;
  for (const [match, quoted, plain, separator] of table
    .slice(1)
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    cells.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (separator === '\r\n') cells.push([]);
    end += match.length;
  }
  // Nothing is left that is no cell.
  expect([end, cells.pop()]).toEqual([table.length, []]);
  const [head = [], ...rows] = cells;
  for (const row of rows) expect(row).toHaveLength(head.length);
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [head[index] ?? '', cell])));
}

/** A figure of the table as the page prints it; empty without a value. */
const kilometers = (value = ''): string =>
  value === '' ? '' : `${grouped(Math.floor(Number(value)))}.${(Math.round(Number(value) * 10) % 10).toString()}`;
const minutes = (value = ''): string => (value === '' ? '' : hoursAndMinutes(Number(value)));
const whole = (value = ''): string => (value === '' ? '' : grouped(Number(value)));
const format = { km: kilometers, kmh: (value = '') => value, minutes, trip: whole } as const;

/** Without marks, and `—` of what is missing. */
const bare = (cell: string): string => cell.replaceAll(/[▲≥≤‡§*†— ]/g, '');
const sorted = (text = ''): string => Array.from(text).sort().join('');
const marks = (cell: string): string => sorted(cell.replaceAll(/[^▲≥≤‡§*†]/g, ''));

const RULES = { drivingRules: 'japan-2024' } as const;
const before = { mobiles: [{ mobileId: DRIVER.mobileId, trips: [], before: [], isShared: false }], isNoPerson: false };
const missing = trip({ distanceMeters: NaN, idleSeconds: NaN });

describe.each<[string, DriverOutcome, Partial<ReportOptions>]>([
  ['a usual day', sampleOutcome(1, { locale: 'en' }), {}],
  ['a day of many trips', dayOf(tripsInARow(60)), {}],
  ['a day with every fault', worstDay(), { locale: 'ja' }],
  [
    'a day weighed by rules',
    { ...dayOf(tripsInARow(60, 20)), weighed: before } as DriverOutcome,
    { ...RULES, locale: 'ja' },
  ],
  [
    'a day that lacks figures, in a zone',
    dayOf([missing]),
    { timeZone: 'Europe/Berlin', ...RULES, drivingRules: 'eu-561' },
  ],
])('the table of %s', (_of, outcome, options) => {
  it('has each figure that the pages print, with its mark', async () => {
    const { bytes, table } = await draw([outcome], options);
    const { pages } = await read(bytes);
    const { locale = 'en' } = options;
    const labels = LABELS[locale];
    const [driver, ...trips] = readTable(table);
    const printed = pages.flatMap((page) => rowsOf(page, locale, 1)).filter((row) => row.table === 'trips');
    const columns: readonly (readonly [heading: string, figure: string, as: (value?: string) => string])[] = [
      [labels.distance, 'distance_km', format.km],
      [labels.tripTime, 'trip_minutes', format.minutes],
      [labels.idling, 'idling_minutes', format.minutes],
      [labels.stops, 'stops', format.trip],
      [labels.average, 'average_kmh', format.km],
      [labels.top, 'top_kmh', format.kmh],
    ];
    // The words of a mark are those of the page, wherever their lines end.
    const text = pages.map(words).join('').replaceAll(/\s/g, '');
    let compared = 0;
    for (const { name, cells } of printed.filter((row) => row.name !== labels.carriedForward)) {
      const number = /^\(?(\d+)\)?$/.exec(name)?.[1];
      const row = name === labels.total ? driver : trips.find((each) => each['trip'] === number);
      for (const [heading, figure, as] of columns) {
        const [least, most] = [row?.[`${figure}_least`], row?.[`${figure}_most`]];
        const wanted = as(least === '' ? most : least);
        // The widest figures begin left of their columns.
        const cell = cells[heading]?.[0] ?? (text.includes(wanted) ? wanted : '');
        expect([name, heading, bare(cell), marks(cell)]).toEqual([
          name,
          heading,
          wanted,
          sorted(row?.[`${figure}_mark`]),
        ]);
        compared += 1;
      }
      if (row === driver) continue;
      const times = ['start', 'end'].map((end) => row?.[end]?.slice(11, 16) || '—');
      expect(cells[labels.start]).toEqual(expect.arrayContaining(times));
    }
    expect(compared).toBe(6 * (trips.length + 1));

    const reasons = Object.entries(driver ?? {}).filter(
      ([column, value]) => /_rule_.*reason$/.test(column) && value !== '',
    );
    expect(reasons.length > 0).toBe('drivingRules' in options);
    for (const [, reason] of reasons) expect(text).toContain(reason.replaceAll(/\s/g, ''));
    for (const figure of ['duty', 'break', 'driving']) {
      const value = driver?.[`${figure}_minutes_most`] ?? '';
      expect(text).toContain(minutes(value));
    }
  });
});

describe('the table of a report', () => {
  it('is no formula to a spreadsheet, and loses no letter', async () => {
    const names = ['=1+1', '+81', '-1', '@a', '\ta', '\ra', 'a "b", c\r\nd', "'quoted", '髙﨑'];
    const outcomes = names.map((employeeName, index) => dayOf([], { employeeName, mobileId: `m${index}` }));
    const rows = readTable((await draw(outcomes)).table);
    const asText = names.map((name, index) => (index < 6 ? `'${name}` : name));
    expect(rows.map((row) => row['employee_name'])).toEqual(asText);
  });

  it('has a row for each driver and each trip, with times in the offset of the day and reasons of what does not count', async () => {
    const early = trip({ start: { ...trip().start, time: '2024-05-16T23:50:00+09:00' } });
    const { table } = await draw([dayOf([trip()]), failed('gone', { mobileId: '7' }), dayOf([early, trip()])]);
    expect(readTable(table)).toMatchObject([
      {
        ...{ row: 'driver', date: '2024-05-17', number: '1', page: '2', state: 'counted', employee_code: 'E20021' },
        ...{
          vehicle_number: 'TK-1042',
          trip: '',
          start: '2024-05-17T08:00:00+09:00',
          end: '2024-05-17T08:30:00+09:00',
        },
        ...{ distance_km_least: '15.3', distance_km_most: '15.3', driving_minutes_least: '27', trips_most: '1' },
      },
      {
        row: 'trip',
        trip: '1',
        state: 'counted',
        start_address: '東京都江東区豊洲三丁目3番3号',
        idling_minutes_most: '3',
      },
      {
        row: 'driver',
        number: '2',
        page: '',
        state: 'failed',
        state_reason: '× Mobile not found: gone',
        distance_km_least: '',
      },
      { row: 'driver', number: '3', state: 'counted elsewhere', state_reason: expect.stringContaining('page 2') },
      { row: 'trip', state: 'carried over', state_reason: expect.stringContaining('16 May') },
      { row: 'trip', state: 'excluded', state_reason: expect.stringContaining('overlaps') },
    ]);
  });
});
