import { textString, type PdfDictionary } from '../pdf/pdf-object.js';
import { spokenAs, type StructureElement } from '../pdf/structure.js';
import type { Canvas, Rectangle } from './canvas.js';
import { CELL_TEXT_SIZE, type Cell, type CellLink } from './cell.js';
import type { ReportPage } from './report-page.js';
import { spokenLines } from './spoken.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE, type Colour } from './theme.js';

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
  /** Names of the headings over its cells, its own first, in a table whose cells are to name them. */
  readonly names?: readonly string[];
}

/** Heights of a table's head, of a row with one line, of every further line, and the space beside a text. */
export const TABLE = { headHeight: 25, row: 15.5, lineHeight: 8.4, padding: 4 } as const;

/** A row as it is drawn: its cells stand in the columns of the table or in its own. */
export interface TableRow {
  readonly cells: readonly Cell[];
  readonly background: Colour | undefined;
  readonly columns: readonly Column[] | undefined;
  /** Name of the cell that names the row, for the other cells to refer to. */
  readonly name: string | undefined;
}

/** A row whose cells stand in the columns of the table, unless it has its own. */
export function tableRow(cells: readonly Cell[], background?: Colour, columns?: readonly Column[]): TableRow {
  return { cells, background, columns, name: undefined };
}

/** How high a row is: as high as its cell of most lines asks for. */
export function rowHeight(cells: readonly Cell[]): number {
  let lines = 1;
  for (const cell of cells) lines = Math.max(lines, cell.lines.length);
  return TABLE.row + (lines - 1) * TABLE.lineHeight;
}

/** Draws the column headings with their rules; repeated headings are decoration to a screen reader. */
export function drawTableHead(
  page: ReportPage,
  table: StructureElement | undefined,
  columns: readonly Column[],
  top: number,
  isRepeated: boolean,
): void {
  const key = `${columns.map(({ heading }) => heading).join()} at ${top}`;
  page.artwork(`rules of ${key}`, (canvas) => {
    const bottom = top + TABLE.headHeight;
    canvas.line([PAGE.margin, top], [RIGHT_EDGE, top], { width: 0.4, colour: COLOURS.hairline });
    canvas.line([PAGE.margin, bottom], [RIGHT_EDGE, bottom], { width: 0.8, colour: COLOURS.navy });
  });
  if (isRepeated) {
    page.artwork(key, (canvas) => eachColumn(columns, (column, left) => drawHeading(canvas, column, left, top)));
    return;
  }
  const row = table?.child('TR');
  page.fixture(key, row, (fixed) =>
    eachColumn(columns, (column, left) => {
      if (column.heading === '') return;
      const [name] = column.names ?? [];
      fixed.content('TH', row, () => drawHeading(fixed.canvas, column, left, top), headingTags(column), name);
    }),
  );
  row?.end();
}

function drawHeading(canvas: Canvas, column: Column, left: number, top: number): void {
  const { heading, unit = '', width, align } = column;
  const room = { align, width: width - 2 * TABLE.padding, colour: COLOURS.muted } as const;
  canvas.text(heading, left, top + 10.5, { ...room, size: 7.5, weight: 'bold' });
  canvas.text(unit, left, top + 19.5, { ...room, size: 6.5 });
}

/** What a screen reader is told of a heading: the columns it is for, and its two lines as one. */
function headingTags({ heading, unit, headingSpan = 1 }: Column): PdfDictionary {
  const attributes = { O: 'Table', Scope: 'Column', ...(headingSpan > 1 && { ColSpan: headingSpan }) };
  return { A: attributes, ...(unit !== undefined && spokenAs([heading, unit])) };
}

/** What a screen reader is told of a cell: what it heads, or which headings it belongs to, and its lines as one. */
function cellTags({ isHeader, lines }: Cell, { span = 1, names }: Column, row: string | undefined): PdfDictionary {
  const headers = isHeader || names === undefined ? [] : [...names, ...(row === undefined ? [] : [row])];
  const attributes = {
    ...(isHeader && { Scope: 'Row' }),
    ...(span > 1 && { ColSpan: span }),
    ...(headers.length > 0 && { Headers: headers.map(textString) }),
  };
  return {
    ...(Object.keys(attributes).length > 0 && { A: { O: 'Table', ...attributes } }),
    ...spokenLines(lines.map(({ text }) => text)),
  };
}

/** Draws rows from `top` downwards; @returns where they end */
export function drawRows(
  page: ReportPage,
  table: StructureElement | undefined,
  columns: readonly Column[],
  rows: readonly TableRow[],
  top: number,
): number {
  drawBackgrounds(page, rows, top);
  let y = top;
  for (const row of rows) {
    const height = rowHeight(row.cells);
    const element = table?.child('TR');
    eachColumn(row.columns ?? columns, (column, left, index) => {
      const cell = row.cells[index];
      if (cell === undefined) return;
      const tags = element === undefined ? undefined : cellTags(cell, column, row.name);
      const type = cell.isHeader ? 'TH' : 'TD';
      const draw = (): void => drawCell(page, column, cell, left, y, height);
      if (cell.link === undefined) {
        page.content(type, element, draw, tags, cell.isHeader ? row.name : undefined);
      } else {
        const parent = element?.child(type, tags);
        page.link(parent, draw, linkOfRow(cell.link, y, height));
        parent?.end();
      }
    });
    element?.end();
    y += height;
  }
  return y;
}

/** Makes a row lead to a page, wherever it is touched. */
function linkOfRow({ page, contents }: CellLink, top: number, height: number): PdfDictionary {
  return {
    Rect: [PAGE.margin, PAGE.height - top - height, RIGHT_EDGE, PAGE.height - top],
    Contents: textString(contents),
    Dest: [page, 'Fit'],
  };
}

/** All at once and before the texts, which then follow each other without a break. */
function drawBackgrounds(page: ReportPage, rows: readonly TableRow[], top: number): void {
  const areas = new Map<Colour, Rectangle[]>();
  let y = top;
  for (const { cells, background } of rows) {
    const height = rowHeight(cells);
    if (background !== undefined) {
      const area = { x: PAGE.margin, y, width: CONTENT_WIDTH, height };
      const others = areas.get(background);
      if (others === undefined) areas.set(background, [area]);
      else others.push(area);
    }
    y += height;
  }
  if (areas.size === 0) return;
  page.decoration(() => areas.forEach((rectangles, colour) => page.canvas.fillRectangles(rectangles, colour)));
}

function drawCell(page: ReportPage, column: Column, cell: Cell, left: number, top: number, height: number): void {
  const { lines, weight, colour } = cell;
  const width = column.width - 2 * TABLE.padding;
  // Lines stand around the middle of the row; a capital is about 0.73 of the size high.
  const first = top + height / 2 + CELL_TEXT_SIZE * 0.365 - ((lines.length - 1) * TABLE.lineHeight) / 2;
  for (const [index, { text, size }] of lines.entries()) {
    const baseline = first + index * TABLE.lineHeight;
    page.canvas.text(text, left, baseline, { size, weight, colour, align: column.align, width });
  }
}

function eachColumn(columns: readonly Column[], visit: (column: Column, left: number, index: number) => void): void {
  let left = PAGE.margin + TABLE.padding;
  columns.forEach((column, index) => {
    visit(column, left, index);
    left += column.width;
  });
}
