import { type PdfDictionary, textString } from '../pdf/pdf-object.js';
import { spokenAs, spokenLines, type StructureElement } from '../pdf/structure.js';
import type { Canvas, Point, Rectangle } from './canvas.js';
import type { ReportPage } from './report-page.js';
import { type Cell, CELL_TEXT_SIZE, type Column, eachColumn, rowHeight, TABLE, type TableRow } from './table.js';
import { type Colour, COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

const FIRST_CELL = PAGE.left + TABLE.padding;
/** Width of the bar beside a warning row, in the margin: in black and white its pale background is not visible. */
const WARNING_BAR = 2.4;
const HEADING = { size: 7, first: 10, second: 18.6, unit: 6.5 } as const;
/** Approximate height of a capital, as a part of the size. */
const CAPITAL = 0.73;
/** Space between rows and the line of their sums, and below these. */
export const SUMS_GAP = TABLE.gap;
const HAIRLINE = { width: 0.4, colour: COLOURS.hairline } as const;
const RULE = { width: 0.8, colour: COLOURS.navy } as const;

interface TableOnPage {
  readonly page: ReportPage;
  /** Undefined in a report without tags. */
  readonly table: StructureElement | undefined;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  readonly top: number;
  /** Vertical padding of a row, both sides together. */
  readonly padding: number;
  readonly isContinued: boolean;
  readonly carried?: TableRow | undefined;
  readonly total?: TableRow | undefined;
  readonly hasClosedSums: boolean;
}

/** Draws the part of a table on a page. @returns y position of its end */
export function drawTable(part: TableOnPage): number {
  const { columns, rows, top, carried, total } = part;
  drawTableHead(part);
  let y = top + headHeight(columns);
  if (carried !== undefined) y = drawSums(part, carried, y);
  y = drawRows(part, rows, y);
  return total === undefined ? y : drawSums(part, total, y);
}

/** Draws the column headings with their rules; repeated headings are decoration for a screen reader. */
function drawTableHead({ page, table, columns, top, isContinued }: TableOnPage): void {
  const key = columns.map(({ heading }) => heading).join();
  const drawRules = (canvas: Canvas): void => {
    const bottom = headHeight(columns) - TABLE.gap;
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

export function headHeight(columns: readonly Column[]): number {
  const hasTwoLines = columns.some(({ unit, level }) => unit !== undefined || level === 'lower');
  return (hasTwoLines ? TABLE.headHeight : TABLE.lowHeadHeight) + TABLE.gap;
}

function drawHeading(canvas: Canvas, column: Column, x: number, top: number): void {
  const { heading, unit = '', width, align, level } = column;
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
function drawSums(part: TableOnPage, sums: TableRow, top: number): number {
  const { page, padding, hasClosedSums } = part;
  const y = top + SUMS_GAP;
  const bottom = y + rowHeight(sums, padding);
  page.decoration(() => {
    page.canvas.line([PAGE.left, y], [RIGHT_EDGE, y], RULE);
    if (hasClosedSums) page.canvas.line([PAGE.left, bottom], [RIGHT_EDGE, bottom], HAIRLINE);
  });
  return drawRows(part, [sums], y) + SUMS_GAP;
}

/** Draws rows from `top` downwards. @returns y position of their end */
function drawRows({ page, table, padding }: TableOnPage, rows: readonly TableRow[], top: number): number {
  drawBackgrounds(page, rows, top, padding);
  let y = top;
  for (const row of rows) {
    const height = rowHeight(row, padding);
    const element = table?.child('TR');
    const first = y + height / 2 + (CELL_TEXT_SIZE * CAPITAL) / 2;
    eachColumn(row.columns, FIRST_CELL, (column, x, index) => {
      const cell = row.cells[index];
      if (cell === undefined) return;
      const baseline = first - (linesAbove(row, column, cell) * TABLE.lineHeight) / 2;
      // A page has hundreds of cells: one without tags and link allocates nothing, not even a closure.
      if (element === undefined && cell.link === undefined) drawCell(page, column, cell, x, baseline);
      else drawMarkedCell(page, element, column, cell, row.name, [x, baseline], [y, height]);
    });
    element?.end();
    y += height;
  }
  return y;
}

/** Draws a cell with tags or a link, which covers its whole row. */
function drawMarkedCell(
  page: ReportPage,
  element: StructureElement | undefined,
  column: Column,
  cell: Cell,
  name: string | undefined,
  [x, baseline]: Point,
  [top, height]: readonly [top: number, height: number],
): void {
  const draw = (): void => drawCell(page, column, cell, x, baseline);
  const tags = element && cellTags(cell, column, name);
  const type = cell.isHeader ? 'TH' : 'TD';
  if (cell.link === undefined) {
    page.content(type, element, draw, tags, cell.isHeader ? name : undefined);
    return;
  }
  const parent = element?.child(type, tags);
  page.link(parent, draw, {
    Rect: [PAGE.left, PAGE.height - top - height, RIGHT_EDGE, PAGE.height - top],
    Contents: textString(cell.link.contents),
    Dest: [cell.link.page, 'Fit'],
  });
  parent?.end();
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
      if (!areas.has(background)) areas.set(background, []);
      areas.get(background)?.push({ x: PAGE.left, y, width: CONTENT_WIDTH, height });
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
