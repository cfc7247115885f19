import type { Cell } from './cell.js';
import { type Colour, COLOURS } from './theme.js';

/** Column of a table; its width is points. */
export interface Column {
  readonly heading: string;
  /** Second line of the heading: the unit of the figures below. */
  readonly unit?: string;
  readonly width: number;
  readonly align: 'left' | 'right';
  /** Number of columns under the heading; 1 if absent. */
  readonly headingSpan?: number;
  /** Number of table columns that its cells span; 1 if absent. */
  readonly span?: number;
  /** Columns with a shared place: cells of the lower ones stand below those of the upper ones. */
  readonly level?: 'upper' | 'lower';
  /** Names of the headings over its cells, its own first, in a table whose cells name them. */
  readonly names?: readonly string[];
}

/** Heights of a table's head with and without a second line, of a line, and the space beside a text. */
export const TABLE = { headHeight: 24, lowHeadHeight: 15, lineHeight: 8.8, padding: 3 } as const;

/** Row to draw: its cells stand in the columns of the table or in its own. */
export interface TableRow {
  readonly cells: readonly Cell[];
  readonly background: Colour | undefined;
  readonly columns: readonly Column[] | undefined;
  /** Number of lines of the row. */
  readonly lines: number;
  /** Number of lines in the upper columns, if any. */
  readonly upperLines: number;
  /** Name of the row's header cell, for references by the other cells. */
  readonly name: string | undefined;
}

/** Properties of a row besides its cells. */
interface RowOptions {
  readonly background?: Colour | undefined;
  readonly hasOwnColumns?: boolean;
  readonly name?: string | undefined;
}

/** Makes a row with cells in the columns of its table, or partly in its own columns. */
export function tableRow(
  columns: readonly Column[],
  cells: readonly Cell[],
  { background, hasOwnColumns = false, name }: RowOptions = {},
): TableRow {
  let single = 1;
  let upper = 0;
  let lower = 0;
  cells.forEach(({ lines: { length } }, index) => {
    const level = columns[index]?.level;
    if (level === 'upper') upper = Math.max(upper, length);
    else if (level === 'lower') lower = Math.max(lower, length);
    else single = Math.max(single, length);
  });
  return {
    cells,
    background,
    columns: hasOwnColumns ? columns : undefined,
    lines: Math.max(single, upper + lower),
    upperLines: upper,
    name,
  };
}

/** Returns the height of a row. @param padding total space above and below its lines */
export function rowHeight({ lines }: Pick<TableRow, 'lines'>, padding: number): number {
  return lines * TABLE.lineHeight + padding;
}

/** Returns the total height of rows. */
export function rowsHeight(rows: readonly TableRow[], padding: number): number {
  let height = 0;
  for (const row of rows) height += rowHeight(row, padding);
  return height;
}

/** True if a row is a warning. */
export function isWarningRow({ background }: TableRow): boolean {
  return background === COLOURS.redWash;
}

/** Calls with every column and its left edge. @param left edge of the first one */
export function eachColumn(
  columns: readonly Column[],
  left: number,
  visit: (column: Column, left: number, index: number) => void,
): void {
  let x = left;
  let upperLeft = left;
  let level: Column['level'];
  columns.forEach((column, index) => {
    if (column.level === 'upper' && level !== 'upper') upperLeft = x;
    if (column.level === 'lower' && level === 'upper') x = upperLeft;
    level = column.level;
    visit(column, x, index);
    x += column.width;
  });
}

/** Minimum entries of a page; fewer look lost there. */
const MIN_ENTRIES = 3;

/**
 * Divides entries among pages.
 *
 * @param ending height of the content below the last entry; never alone on a page
 * @param first height of the first page; @param further height of each other page
 */
export function divideRows(
  heights: readonly number[],
  ending: number,
  first: number,
  further: number,
): readonly { readonly from: number; readonly to: number }[] {
  const parts: { from: number; to: number }[] = [];
  let open = { from: 0, to: 0 };
  parts.push(open);
  let left = first;
  heights.forEach((height, index) => {
    const needed = index === heights.length - 1 ? height + ending : height;
    if (needed > left && (open.to > open.from || left < further)) {
      open = { from: index, to: index };
      parts.push(open);
      left = further;
    }
    open.to = index + 1;
    left -= height;
  });
  const before = parts.at(-2);
  const missing = MIN_ENTRIES - (open.to - open.from);
  if (before === undefined || missing <= 0 || before.to - before.from < 2 * MIN_ENTRIES) return parts;
  before.to -= missing;
  open.from -= missing;
  return parts;
}
