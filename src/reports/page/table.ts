import type { PdfObject } from '../pdf/pdf-object.js';
import type { FontWeight } from '../text/font-families.js';
import type { Typesetter } from '../text/typesetter.js';
import { wrapText, type WrappedText } from '../text/fit-text.js';
import { type Colour, COLOURS } from './theme.js';

/** Heights of a table's head with and without a second line and of a line; space beside a text and at a rule. */
export const TABLE = { headHeight: 22, lowHeadHeight: 15, lineHeight: 8.2, padding: 3, gap: 1.4 } as const;

/** Content of a column in a row. Every cell has every property, so that hundreds of them are quick to read. */
export interface Cell {
  readonly lines: readonly string[];
  readonly lineHeight: number;
  readonly size: number;
  readonly weight: FontWeight;
  readonly colour: Colour;
  /** True if the cell names its row to a screen reader. */
  readonly isHeader: boolean;
  /** Link to a page that covers the row of the cell, with its words for screen readers. */
  readonly link: { readonly page: PdfObject; readonly contents: string } | undefined;
}

/** Sizes of figures and of texts in tables, in points; texts are smaller because they are longer. */
export const CELL_TEXT_SIZE = 8;
const CELL_PROSE_SIZE = 7;

/** Makes a cell of words in fitting lines, without a spread, which takes several times as long. */
export function prose(
  lines: readonly string[],
  lineHeight: number = TABLE.lineHeight,
  size: number = CELL_PROSE_SIZE,
): Cell {
  return { lines, lineHeight, size, weight: 'regular', colour: COLOURS.ink, isHeader: false, link: undefined };
}

/** Makes a cell of figures in fitting lines. */
export function plain(...lines: readonly string[]): Cell {
  return prose(lines, TABLE.lineHeight, CELL_TEXT_SIZE);
}

/** Wraps words into the lines of a column. @param width of the column in points */
export function wrapInto(
  typesetter: Typesetter,
  text: string,
  width: number,
  maxLines: number,
  weight: FontWeight = 'regular',
): WrappedText & { readonly lineHeight: number } {
  const { lines, isCut } = wrapText(typesetter, text, weight, CELL_PROSE_SIZE, width - 2 * TABLE.padding, maxLines);
  const { lineHeight } = TABLE;
  if (lines.length === 1) return { lines, isCut, lineHeight };
  return { lines, isCut, lineHeight: typesetter.lineHeight(text, CELL_PROSE_SIZE, lineHeight) };
}

export const BOLD = { weight: 'bold', colour: COLOURS.navy } as const;

export function bold(text: string): Cell {
  return { ...plain(text), ...BOLD };
}

/** Makes a warning of a cell: bold and dark, to stand out in black and white too. */
export function warning(cell: Cell): Cell {
  return { ...cell, weight: 'bold', colour: COLOURS.red };
}

export const EMPTY_CELL = plain();

export interface Column {
  readonly heading: string;
  /** Second line of the heading: the unit of the figures below. */
  readonly unit?: string | undefined;
  readonly width: number;
  readonly align: 'left' | 'right';
  /** Number of columns under the heading; 1 if absent. */
  readonly headingSpan?: number;
  /** Number of columns of the table that a cell spans; 1 if absent. */
  readonly span?: number;
  /** Columns that share their place: cells of lower ones are printed below those of upper ones. */
  readonly level?: 'upper' | 'lower';
  /** Names of the headings over its cells, its own heading first, in a table whose cells refer to their headings. */
  readonly names?: readonly string[];
}

/** Joins the columns from an index to before another into one wide column. Lower columns add no width. */
export function joined(columns: readonly Column[], from: number, to = columns.length): readonly Column[] {
  const parts = columns.slice(from, to);
  const width = parts.reduce((sum, column) => (column.level === 'lower' ? sum : sum + column.width), 0);
  const names = parts.flatMap((column) => column.names ?? []);
  const wide: Column = { heading: '', width, align: 'left', span: parts.length, names };
  return [...columns.slice(0, from), wide, ...columns.slice(to)];
}

export interface TableRow {
  readonly cells: readonly Cell[];
  readonly background: Colour | undefined;
  /** Columns of the cells: those of the table, some of them perhaps joined. */
  readonly columns: readonly Column[];
  /** Height in usual lines. */
  readonly lines: number;
  readonly upperLines: number;
  /** Name of the row's header cell, for references by the other cells. */
  readonly name: string | undefined;
}

export function tableRow(
  columns: readonly Column[],
  cells: readonly Cell[],
  { background, name }: { readonly background?: Colour | undefined; readonly name?: string } = {},
): TableRow {
  let single = 1;
  let upper = 0;
  let lower = 0;
  cells.forEach((cell, index) => {
    const level = columns[index]?.level;
    const length = (cell.lines.length * cell.lineHeight) / TABLE.lineHeight;
    if (level === 'upper') upper = Math.max(upper, length);
    else if (level === 'lower') lower = Math.max(lower, length);
    else single = Math.max(single, length);
  });
  return { cells, background, columns, lines: Math.max(single, upper + lower), upperLines: upper, name };
}

/** Makes a row of sums, whose label replaces the first `labelled` columns. @param name for references by its cells */
export function sumsRow(columns: readonly Column[], labelled: number, cells: readonly Cell[], name?: string): TableRow {
  const [label = EMPTY_CELL, ...sums] = cells;
  return tableRow(
    joined(columns, 0, labelled),
    [{ ...label, isHeader: true }, ...sums],
    name === undefined ? {} : { name },
  );
}

export function rowHeight({ lines }: TableRow, padding: number): number {
  return lines * TABLE.lineHeight + padding;
}

export function rowsHeight(entries: readonly (readonly TableRow[])[], padding: number): number {
  let height = 0;
  for (const rows of entries) for (const row of rows) height += rowHeight(row, padding);
  return height;
}

/** Calls `visit` with every column and its left edge. @param left edge of the first column */
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

/** Minimum number of entries on the last page. */
const MIN_ENTRIES = 3;

/**
 * Divides entries among a first page and further ones, of these heights. @param ending height of the content below the
 * last entry; never alone on a page
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
