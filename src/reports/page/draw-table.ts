import { type PdfDictionary, textString } from '../pdf/pdf-object.js';
import { spokenAs, spokenLines, type StructureElement } from '../pdf/structure.js';
import type { Canvas, Rectangle } from './canvas.js';
import type { ReportPage } from './report-page.js';
import {
  type Cell,
  CELL_TEXT_SIZE,
  type CellLink,
  type Column,
  eachColumn,
  rowHeight,
  TABLE,
  type TableRow,
} from './table.js';
import { type Colour, COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

const FIRST_CELL = PAGE.left + TABLE.padding;
/** Width of the bar beside a warning row, in the margin: in black and white its pale background is not visible. */
const WARNING_BAR = 2.4;
const HEADING = { size: 7, first: 10, second: 18.6, unit: 6.5 } as const;
/** Approximate height of a capital, as a part of the size. */
const CAPITAL = 0.73;
/** Gap above and below a row of sums. */
export const SUMS_GAP = 1;
const HAIRLINE = { width: 0.4, colour: COLOURS.hairline } as const;
const RULE = { width: 0.8, colour: COLOURS.navy } as const;

/** Part of a table on one page. */
export interface TableOnPage {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  readonly top: number;
  /** Vertical padding of a row, both sides together. */
  readonly padding: number;
  /** True if the table began on an earlier page. */
  readonly isContinued: boolean;
  /** Sums of the pages before, printed above the rows. */
  readonly carried?: TableRow | undefined;
  /** Sums of the whole table, printed below its last row. */
  readonly total?: TableRow | undefined;
  /** True to draw a line below the sums too. */
  readonly hasClosedSums: boolean;
}

/** Draws the part of a table on a page. @returns y position of its end */
export function drawTable(page: ReportPage, table: StructureElement | undefined, part: TableOnPage): number {
  const { columns, rows, top, carried, total } = part;
  drawTableHead(page, table, part);
  let y = top + headHeight(columns);
  if (carried !== undefined) y = drawSums(page, table, carried, y, part);
  y = drawRows(page, table, columns, rows, y, part.padding);
  return total === undefined ? y : drawSums(page, table, total, y, part);
}

/** Draws the column headings with their rules; repeated headings are decoration for a screen reader. */
function drawTableHead(
  page: ReportPage,
  table: StructureElement | undefined,
  { columns, top, isContinued }: TableOnPage,
): void {
  const key = columns.map(({ heading }) => heading).join();
  const drawRules = (canvas: Canvas): void => {
    const bottom = headHeight(columns);
    canvas.line([PAGE.left, 0], [RIGHT_EDGE, 0], HAIRLINE);
    canvas.line([PAGE.left, bottom], [RIGHT_EDGE, bottom], RULE);
  };
  page.artwork(`rules of ${key}`, drawRules, top);
  if (isContinued) {
    const drawAll = (canvas: Canvas): void =>
      eachColumn(columns, FIRST_CELL, (column, x) => drawHeading(canvas, column, x, 0));
    page.artwork(key, drawAll, top);
    return;
  }
  const row = table?.child('TR');
  const draw = (fixed: ReportPage, y: number): void =>
    eachColumn(columns, FIRST_CELL, (column, x) => {
      if (column.heading === '') return;
      const [name] = column.names ?? [];
      fixed.content('TH', row, () => drawHeading(fixed.canvas, column, x, y), headingTags(column), name);
    });
  page.fixture(key, draw, top);
  row?.end();
}

/** Returns the height of the head of a table. */
export function headHeight(columns: readonly Column[]): number {
  const hasTwoLines = columns.some(({ unit, level }) => unit !== undefined || level === 'lower');
  return hasTwoLines ? TABLE.headHeight : TABLE.lowHeadHeight;
}

function drawHeading(
  canvas: Canvas,
  { heading, unit = '', width, align, level }: Column,
  x: number,
  top: number,
): void {
  const area = { align, width: width - 2 * TABLE.padding };
  const baseline = top + (level === 'lower' ? HEADING.second : HEADING.first);
  canvas.text(heading, x, baseline, { ...area, size: HEADING.size, weight: 'bold' });
  canvas.text(unit, x, top + HEADING.second, { ...area, size: HEADING.unit });
}

/** Returns the tags of a heading: its columns, and its two lines as one text. */
function headingTags({ heading, unit, headingSpan = 1 }: Column): PdfDictionary {
  const attributes = { O: 'Table', Scope: 'Column', ...(headingSpan > 1 && { ColSpan: headingSpan }) };
  return { A: attributes, ...(unit !== undefined && spokenAs([heading, unit])) };
}

/** Returns the tags of a cell: its scope if it is a heading, otherwise its headings; and its lines as one text. */
function cellTags({ isHeader, lines }: Cell, { span = 1, names }: Column, row: string | undefined): PdfDictionary {
  const headers = isHeader || names === undefined ? [] : [...names, ...(row === undefined ? [] : [row])];
  const attributes = {
    ...(isHeader && { Scope: 'Row' }),
    ...(span > 1 && { ColSpan: span }),
    ...(headers.length > 0 && { Headers: headers.map(textString) }),
  };
  return { ...(Object.keys(attributes).length > 0 && { A: { O: 'Table', ...attributes } }), ...spokenLines(lines) };
}

/** Draws a row of sums below a line. @returns y position of its end */
function drawSums(
  page: ReportPage,
  table: StructureElement | undefined,
  sums: TableRow,
  top: number,
  { padding, hasClosedSums }: TableOnPage,
): number {
  const y = top + SUMS_GAP;
  const bottom = y + rowHeight(sums, padding);
  page.decoration(() => {
    page.canvas.line([PAGE.left, top], [RIGHT_EDGE, top], RULE);
    if (hasClosedSums) page.canvas.line([PAGE.left, bottom], [RIGHT_EDGE, bottom], HAIRLINE);
  });
  return drawRows(page, table, [], [sums], y, padding) + SUMS_GAP;
}

/** Draws rows from `top` downwards. @returns y position of their end */
function drawRows(
  page: ReportPage,
  table: StructureElement | undefined,
  columns: readonly Column[],
  rows: readonly TableRow[],
  top: number,
  padding: number,
): number {
  drawBackgrounds(page, rows, top, padding);
  let y = top;
  for (const row of rows) {
    const height = rowHeight(row, padding);
    const element = table?.child('TR');
    const first = y + height / 2 + (CELL_TEXT_SIZE * CAPITAL) / 2;
    eachColumn(row.columns ?? columns, FIRST_CELL, (column, x, index) => {
      const cell = row.cells[index];
      if (cell === undefined) return;
      const baseline = first - (linesAbove(row, column, cell) * TABLE.lineHeight) / 2;
      // A page has hundreds of cells: one without tags and link allocates nothing, not even a closure.
      if (element === undefined && cell.link === undefined) drawCell(page, column, cell, x, baseline);
      else drawMarkedCell(page, element, { column, cell, row, x, baseline, y, height });
    });
    element?.end();
    y += height;
  }
  return y;
}

/** Cell with its position; `y` and `height` are those of its row. */
interface PlacedCell {
  readonly column: Column;
  readonly cell: Cell;
  readonly row: TableRow;
  readonly x: number;
  readonly baseline: number;
  readonly y: number;
  readonly height: number;
}

/** Draws a cell with tags or a link. */
function drawMarkedCell(page: ReportPage, element: StructureElement | undefined, placed: PlacedCell): void {
  const { column, cell, row, x, baseline, y, height } = placed;
  const tags = element === undefined ? undefined : cellTags(cell, column, row.name);
  const type = cell.isHeader ? 'TH' : 'TD';
  const draw = (): void => drawCell(page, column, cell, x, baseline);
  if (cell.link === undefined) {
    page.content(type, element, draw, tags, cell.isHeader ? row.name : undefined);
    return;
  }
  const parent = element?.child(type, tags);
  page.link(parent, draw, linkOfRow(cell.link, y, height));
  parent?.end();
}

/** Returns the entries of a link to a page that covers its whole row. */
function linkOfRow({ page, contents }: CellLink, top: number, height: number): PdfDictionary {
  return {
    Rect: [PAGE.left, PAGE.height - top - height, RIGHT_EDGE, PAGE.height - top],
    Contents: textString(contents),
    Dest: [page, 'Fit'],
  };
}

/** Returns the distance of the first line of a cell above the middle of its row, in half lines. */
function linesAbove({ lines, upperLines }: TableRow, { level }: Column, cell: Cell): number {
  if (level === undefined) return ((cell.lines.length - 1) * cell.lineHeight) / TABLE.lineHeight;
  return level === 'upper' ? lines - 1 : lines - 1 - 2 * upperLines;
}

/** Draws all backgrounds before all texts, so that the texts follow each other without a break. */
function drawBackgrounds(page: ReportPage, rows: readonly TableRow[], top: number, padding: number): void {
  const areas = new Map<Colour, Rectangle[]>();
  const bars: Rectangle[] = [];
  let y = top;
  for (const row of rows) {
    const height = rowHeight(row, padding);
    const { background } = row;
    if (background !== undefined) {
      const area = { x: PAGE.left, y, width: CONTENT_WIDTH, height };
      const others = areas.get(background);
      if (others === undefined) areas.set(background, [area]);
      else others.push(area);
    }
    if (background === COLOURS.redWash) bars.push({ x: PAGE.left - WARNING_BAR, y, width: WARNING_BAR, height });
    y += height;
  }
  if (areas.size === 0) return;
  page.decoration(() => {
    areas.forEach((rectangles, colour) => page.canvas.fillRectangles(rectangles, colour));
    page.canvas.fillRectangles(bars, COLOURS.red);
  });
}

function drawCell(page: ReportPage, column: Column, cell: Cell, x: number, first: number): void {
  const { lines, lineHeight, size, weight, colour } = cell;
  const width = column.width - 2 * TABLE.padding;
  let baseline = first;
  for (const text of lines) {
    page.canvas.text(text, x, baseline, { size, weight, colour, align: column.align, width });
    baseline += lineHeight;
  }
}
