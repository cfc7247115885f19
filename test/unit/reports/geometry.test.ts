import { describe, expect, it } from '@jest/globals';
import { FORM_BLOCKS, FORM_LABELS } from '../../../src/reports/report-form.js';
import type { DriverOutcome, ReportOptions } from '../../../src/reports/model.js';
import { CONTENT_WIDTH, PAGE, RIGHT_EDGE } from '../../../src/reports/page/theme.js';
import { TILE } from '../../../src/reports/page/tiles.js';
import { coverColumns } from '../../../src/reports/page/cover-layout.js';
import { breakColumns, TILES_TOP, tripColumns } from '../../../src/reports/page/driver-layout.js';
import { LABELS, type Labels } from '../../../src/reports/page/labels.js';
import { joined, TABLE } from '../../../src/reports/page/table.js';
import { sampleOutcome } from '../../support/sample-report.js';
import { draw, read, trip, tripsInARow, dayOf, type PlacedText } from './drawn.js';
import { rowsOf, tablesOf, type PrintedRow } from './printed-tables.js';
import { worstDay, worstReport } from './worst-days.js';

const LOCALES = ['en', 'ja'] as const;
/** The rounding error of a PDF reader. */
const CLOSE = 0.3;
/** Where office printers print nothing: 5 mm. */
const UNPRINTABLE = 14.2;
/** Labels as long as they may be. */
const LONG_FORM = {
  blocks: FORM_BLOCKS,
  labels: Object.fromEntries(FORM_LABELS.map((label) => [label, `${label} `.padEnd(24, '語')])),
  stamps: ['運行管理者代務者代理人', 'Operations manager, HQ', 'a', 'b', '運転者'],
  era: false,
};

const REPORTS: Readonly<Record<string, readonly DriverOutcome[]>> = {
  'the worst days': worstReport(),
  'one worst day': [worstDay()],
  'many trips': [dayOf(tripsInARow(60))],
  'many drivers': Array.from({ length: 42 }, (_, index) => sampleOutcome(index, { locale: 'ja', tripsPerDriver: 3 })),
};

/** Columns of each table of a report, by its name. */
const COLUMNS_OF = {
  'the table of trips': tripColumns,
  'the table of breaks': breakColumns,
  'the cover of few drivers': (labels: Labels) => coverColumns(labels, 2, false),
  'the cover with rest of few drivers': (labels: Labels) => coverColumns(labels, 2, true),
  'the cover with rest of many drivers': (labels: Labels) => coverColumns(labels, 10_000, true),
  'the cover of many drivers': (labels: Labels) => coverColumns(labels, 10_000, false),
};

type Pages = readonly (readonly PlacedText[])[];

async function drawPages(outcomes: readonly DriverOutcome[], options: Partial<ReportOptions>): Promise<Pages> {
  const report = { org: 'Tohto Transport Co., Ltd. '.repeat(9), jobId: 'W'.repeat(128), ...options };
  // Tagged: otherwise a reader takes texts of neighbouring cells for one.
  const { bytes } = await draw(outcomes, report);
  return (await read(bytes)).pages;
}

/** Pages that several tests look at. */
const drawn = new Map<string, Promise<Pages>>();

/** The pages of one of the {@link REPORTS} with the form of the language. */
function pagesOf(name: string, locale: (typeof LOCALES)[number]): Promise<Pages> {
  const key = `${name} ${locale}`;
  const pages = drawn.get(key) ?? drawPages(REPORTS[name] ?? [], { locale });
  drawn.set(key, pages);
  return pages;
}

describe.each(LOCALES)('in %s', (locale) => {
  describe.each(Object.entries(REPORTS))('%s', (name, outcomes) => {
    const forms = [['as the language has it', undefined] as const];
    const longForms = [['with labels as long as they may be', LONG_FORM] as const];
    // Blocks for handwriting stand beside the first trips, however many there are.
    it.each([...forms, ...(name.includes('worst') ? longForms : [])])(
      'keep every text in its place, %s',
      async (_form, form) => {
        const pages =
          form === undefined
            ? await pagesOf(name, locale)
            : await drawPages(outcomes, { locale, form: { ...form, era: locale === 'ja' } });
        for (const page of pages) {
          const outside = page.filter(
            ({ x, y, width, size }) =>
              x < PAGE.left - CLOSE ||
              x + width > RIGHT_EDGE + CLOSE ||
              y - size < PAGE.top ||
              y > PAGE.height - UNPRINTABLE,
          );
          expect(outside).toEqual([]);
          expect(page.filter(({ size }) => size < 6.5)).toEqual([]);
          expect(overlapping(page)).toEqual([]);
          expect(outsideTiles(page)).toEqual([]);
          const rows = rowsOf(page, locale, outcomes.length);
          expect(rows.flatMap((row) => outsideCells(row, locale, outcomes.length))).toEqual([]);
        }
      },
    );
  });

  it.each(Object.entries(COLUMNS_OF))('have columns as wide together as a page in %s', (_table, columnsOf) => {
    const width = joined(columnsOf(LABELS[locale]), 0)[0]?.width;
    expect(width).toBeCloseTo(CONTENT_WIDTH, 6);
  });

  it('keep sums of many drivers in their columns, with every mark', async () => {
    const at = (time: string) => ({ ...trip().start, time: `2024-05-17T${time}:00+09:00` });
    const long = trip({ start: at('00:00'), end: at('20:00'), distanceMeters: 1_500_000, maxSpeedKmh: 150, track: [] });
    const unsupported = trip({
      start: at('20:10'),
      end: { ...trip().end, time: '2024-05-17T20:40:00+09:00' },
      distanceMeters: 5_000,
      track: [],
    });
    const unknown = trip({ start: at('21:00'), end: at('21:30'), distanceMeters: NaN, idleSeconds: NaN, track: [] });
    const days = Array.from({ length: 120 }, (_, index) =>
      dayOf(index === 0 ? [long, unsupported, unknown] : [long], { mobileId: String(index) }),
    );
    const pages = await drawPages(days, { locale });
    const sums = pages
      .flatMap((page) => rowsOf(page, locale, days.length))
      .filter(({ table, name }) => table === 'cover' && !/\d/.test(name));
    const { tripCount, distance, driving, top } = LABELS[locale];
    expect(sums.at(-1)?.cells).toEqual({
      [tripCount]: ['122'],
      [distance]: ['≥', '180,005.0', '‡'],
      [driving]: ['≤2,394:57'],
      [top]: ['▲ 150'],
    });
    expect(sums.map(({ cells }) => cells[distance]?.join(''))).toEqual(['≥60,005.0‡', '≥124,505.0‡', '≥180,005.0‡']);
    expect(pages.flatMap(overlapping)).toEqual([]);
  });

  it('have one size in each column', async () => {
    const sizes = new Map<string, Set<number>>();
    for (const [name, outcomes] of Object.entries(REPORTS)) {
      for (const page of await pagesOf(name, locale)) {
        for (const { table, texts } of rowsOf(page, locale, outcomes.length)) {
          for (const text of texts) {
            const place = tablesOf(locale, outcomes.length)[table].find(
              ({ left, right }) => text.x >= left - CLOSE && text.x < right,
            );
            if (place === undefined || isSpanning(text, table, place.heading, locale, outcomes.length)) continue;
            const key = `${table} ${place.heading}`;
            sizes.set(key, (sizes.get(key) ?? new Set()).add(text.size));
          }
        }
      }
    }
    expect(sizes.size).toBeGreaterThan(20);
    expect([...sizes].filter(([, found]) => found.size > 1).map(([key]) => key)).toEqual([]);
  });
});

/** Texts that stand over others: of one line, and reaching into each other. */
function overlapping(page: readonly PlacedText[]): readonly string[] {
  const found: string[] = [];
  const fromTop = page.toSorted((one, other) => one.y - other.y);
  fromTop.forEach((one, index) => {
    for (let next = index + 1; next < fromTop.length; next += 1) {
      const other = fromTop[next];
      // Nothing further down is on this line.
      if (other === undefined || other.y - one.y >= 0.7 * one.size) break;
      const isOneLine = other.y - one.y < 0.7 * other.size;
      const isApart = one.x + one.width <= other.x + CLOSE || other.x + other.width <= one.x + CLOSE;
      if (isOneLine && !isApart) found.push(`${one.text} | ${other.text}`);
    }
  });
  return found;
}

function outsideCells(row: PrintedRow, locale: 'en' | 'ja', drivers: number): readonly string[] {
  const places = tablesOf(locale, drivers)[row.table];
  return row.texts
    .slice(1)
    .filter((text) => {
      // A figure may reach into the space between two columns.
      const index = places.findIndex(({ left, right }) => text.x >= left - 2 * TABLE.padding - CLOSE && text.x < right);
      const place = places[index];
      if (place === undefined) return true;
      const isWide = isSpanning(text, row.table, place.heading, locale, drivers);
      const hasPage = row.texts.some(({ x }) => x >= (places.at(-1)?.left ?? Infinity) - CLOSE);
      const right = !isWide ? place.right : row.table === 'cover' && hasPage ? (places.at(-1)?.left ?? 0) : RIGHT_EDGE;
      return text.x + text.width > right + CLOSE;
    })
    .map(({ text }) => text);
}

/** Whether it is a reason, which stands over many columns and begins where the first of them does. */
function isSpanning(text: PlacedText, table: string, heading: string, locale: 'en' | 'ja', drivers: number): boolean {
  const first = tablesOf(locale, drivers)[table === 'cover' ? 'cover' : 'trips'][table === 'cover' ? 4 : 1];
  return table !== 'breaks' && first?.heading === heading && text.size === 7 && Math.abs(text.x - first.left) < CLOSE;
}

/** Figures that reach out of their tile. */
function outsideTiles(page: readonly PlacedText[]): readonly string[] {
  const inTiles = page.filter(({ y }) => y > TILES_TOP && y < TILES_TOP + TILE.height);
  const labels = inTiles.filter(({ y, size }) => y === TILES_TOP + TILE.label.baseline && size === TILE.label.size);
  if (labels.length === 0) return [];
  const step = (CONTENT_WIDTH + TILE.gap) / labels.length;
  return inTiles
    .filter(({ x, width }) => {
      const tile = Math.floor((x - PAGE.left) / step);
      return x + width > PAGE.left + (tile + 1) * step - TILE.gap + CLOSE;
    })
    .map(({ text }) => text);
}
