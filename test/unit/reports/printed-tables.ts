import { breakColumns, tripColumns } from '../../../src/reports/page/driver-layout.js';
import { coverColumns } from '../../../src/reports/page/cover-layout.js';
import { LABELS } from '../../../src/reports/page/labels.js';
import { eachColumn, TABLE, type Column } from '../../../src/reports/page/table.js';
import { PAGE } from '../../../src/reports/page/theme.js';
import type { PlacedText } from './drawn.js';

export type TableName = 'trips' | 'breaks' | 'cover';

/** A row as it is printed: the texts of each column by its heading, in the order in which they are read. */
export interface PrintedRow {
  readonly table: TableName;
  /** The text of its first column: a number, or the name of sums. */
  readonly name: string;
  readonly cells: Readonly<Record<string, readonly string[]>>;
  readonly texts: readonly PlacedText[];
}

export interface Place {
  readonly heading: string;
  readonly left: number;
  readonly right: number;
}

const FIRST_CELL = PAGE.left + TABLE.padding;
/** Texts are placed to a hundredth of a point, and read to a tenth. */
const CLOSE = 0.15;
/** Looked up for each text, and looking up a global is slow inside the test runner. */
const { abs } = Math;

/** The places of a table's columns. Places that share a column stand in it once, under the heading of the upper one. */
function placesOf(columns: readonly Column[]): readonly Place[] {
  const places: Place[] = [];
  let previous = '';
  eachColumn(columns, FIRST_CELL, (column, left) => {
    const { heading, width, level } = column;
    // The place of an address has no heading of its own.
    const name = heading === '' ? `${previous} place` : heading;
    previous = heading;
    if (level !== 'lower') places.push({ heading: name, left, right: left + width - 2 * TABLE.padding });
  });
  return places;
}

/** The columns of each table of a report of so many drivers. */
export function tablesOf(locale: 'en' | 'ja', drivers: number): Readonly<Record<TableName, readonly Place[]>> {
  const key = `${locale} ${drivers}`;
  let tables = TABLES.get(key);
  if (tables === undefined) {
    const labels = LABELS[locale];
    tables = {
      trips: placesOf(tripColumns(labels)),
      breaks: placesOf(breakColumns(labels)),
      cover: placesOf(coverColumns(labels, drivers, false)),
    };
    TABLES.set(key, tables);
  }
  return tables;
}

/** Asked for again for each text of a page. */
const TABLES = new Map<string, Readonly<Record<TableName, readonly Place[]>>>();

/** The rows of the tables of a page, read as a person reads them: from heading to heading, and by their columns. */
export function rowsOf(page: readonly PlacedText[], locale: 'en' | 'ja', drivers: number): readonly PrintedRow[] {
  const labels = LABELS[locale];
  const tables = tablesOf(locale, drivers);
  const begins: Readonly<Record<string, TableName>> = {
    [labels.tripTime]: 'trips',
    [labels.breakKind]: 'breaks',
    [labels.excluded]: 'cover',
  };
  const rows: { table: TableName; name: string; cells: Record<string, string[]>; texts: PlacedText[] }[] = [];
  let table: TableName | undefined;
  let isOpen = false;
  for (const text of page) {
    if (text.size === 7 && begins[text.text] !== undefined) {
      table = begins[text.text];
      isOpen = false;
      continue;
    }
    if (table === undefined) continue;
    const isName = abs(text.x - FIRST_CELL) < CLOSE && text.size === 8;
    if (isName) {
      rows.push({ table, name: text.text, cells: {}, texts: [text] });
      isOpen = true;
      continue;
    }
    const row = rows.at(-1);
    if (row === undefined) continue;
    // Sums are a line or two, and what stands below them is no table any more; notes begin at the edge.
    const isSums = !/\d/.test(row.name);
    if (isSums && text.y > (row.texts[0]?.y ?? 0) + 10) isOpen = false;
    if (text.x < FIRST_CELL - CLOSE || ![7, 8].includes(text.size)) isOpen = false;
    if (!isOpen) continue;
    row.texts.push(text);
    const place = tables[table].find(({ left, right }) => text.x >= left - CLOSE && text.x < right);
    if (place !== undefined) (row.cells[place.heading] ??= []).push(text.text);
  }
  return rows;
}
