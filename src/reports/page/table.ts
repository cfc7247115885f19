import type { Cell } from './cell.js';
import { COLOURS, type Colour } from './theme.js';

/** A column of a table; its width is points. */
export interface Column {
  readonly heading: string;
  /** Second line of the heading: the unit of the figures below. */
  readonly unit?: string;
  readonly width: number;
  readonly align: 'left' | 'right';
  /** How many columns the heading stands over; 1 when absent. */
  readonly headingSpan?: number;
  /** In how many columns of the table the cells of this one stand; 1 when absent. */
  readonly span?: number;
  /** Columns that share their place: the cells of the lower ones stand below those of the upper ones. */
  readonly level?: 'upper' | 'lower';
  /** Names of the headings over its cells, its own first, in a table whose cells are to name them. */
  readonly names?: readonly string[];
}

/** Heights of a table's head with and without a second line, of a line, and the space beside a text. */
export const TABLE = { headHeight: 24, lowHeadHeight: 15, lineHeight: 8.8, padding: 3 } as const;

/** A row as it is drawn: its cells stand in the columns of the table or in its own. */
export interface TableRow {
  readonly cells: readonly Cell[];
  readonly background: Colour | undefined;
  readonly columns: readonly Column[] | undefined;
  /** Lines of the row, one above the other. */
  readonly lines: number;
  /** Lines in the upper columns, where there are such. */
  readonly upperLines: number;
  /** Name of the cell that names the row, for the other cells to refer to. */
  readonly name: string | undefined;
}

/** What is not said by the cells of a row. */
interface RowOptions {
  readonly background?: Colour | undefined;
  readonly hasOwnColumns?: boolean;
  readonly name?: string | undefined;
}

/** A row whose cells stand in the columns of its table, or below some of them in its own. */
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

/** How high a row is. @param padding above and below its lines together */
export function rowHeight({ lines }: Pick<TableRow, 'lines'>, padding: number): number {
  return lines * TABLE.lineHeight + padding;
}

/** How high rows are together. */
export function rowsHeight(rows: readonly TableRow[], padding: number): number {
  let height = 0;
  for (const row of rows) height += rowHeight(row, padding);
  return height;
}

/** Whether a row is one that warns. */
export function isWarningRow({ background }: TableRow): boolean {
  return background === COLOURS.redWash;
}

/** Calls with every column and where it begins. @param left where the first one does */
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
