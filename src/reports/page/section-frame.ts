import { spokenAs, type StructureElement } from '../pdf/structure.js';
import { fitLine } from '../text/fit-text.js';
import type { TextStyle } from './canvas.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { spokenLines } from './spoken.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

const TOP_BAR = { x: 0, y: 0, width: PAGE.width, height: 6 } as const;
const APPROVAL = { top: 26, width: 50, height: 60, label: 12 } as const;

/** Puts fitted text on a page as an element of its own. */
export function paragraph(
  page: ReportPage,
  parent: StructureElement | undefined,
  type: 'H1' | 'H2' | 'P' | 'TD' | 'TH',
  value: string,
  x: number,
  baseline: number,
  style: TextStyle & { readonly width: number },
): void {
  const { text, size } = fitLine(page.canvas.typesetter, value, style.weight ?? 'regular', style.size, style.width);
  const tags = parent === undefined ? undefined : spokenLines([text]);
  page.content(type, parent, () => page.canvas.text(text, x, baseline, { ...style, size }), tags);
}

/** The head of the first page of a section: title, organisation, day and the boxes for stamps. */
export function drawSectionHead(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  title: string,
): void {
  const { labels, day, options } = report;
  const boxesLeft = RIGHT_EDGE - APPROVAL.width * labels.approvals.length;
  page.artwork('section head', (canvas) => {
    canvas.fillRectangles([TOP_BAR], COLOURS.navy);
    const stroke = { width: 0.6, colour: COLOURS.muted };
    labels.approvals.forEach((_, index) => {
      const left = boxesLeft + index * APPROVAL.width;
      const rule = APPROVAL.top + APPROVAL.label;
      const { top: y, width, height } = APPROVAL;
      canvas.strokeRectangle({ x: left, y, width, height }, stroke);
      canvas.line([left, rule], [left + APPROVAL.width, rule], stroke);
    });
    canvas.line([PAGE.margin, 100], [RIGHT_EDGE, 100], { width: 0.8, colour: COLOURS.navy });
  });
  page.fixture(`head of ${title}`, section, (fixed) => {
    const width = boxesLeft - PAGE.margin - 16;
    const titleStyle = { size: 22, weight: 'bold', colour: COLOURS.navy, width } as const;
    paragraph(fixed, section, 'H1', title, PAGE.margin, 50, titleStyle);
    if (options.org !== undefined) {
      paragraph(fixed, section, 'P', options.org, PAGE.margin, 68, { size: 9, colour: COLOURS.muted, width });
    }
    const date = labels.date(day.day);
    paragraph(fixed, section, 'P', date, PAGE.margin, 86, { size: 10, weight: 'bold', width });
    const dateWidth = fixed.canvas.typesetter.width(date, 'bold', 10);
    paragraph(fixed, section, 'P', labels.timesIn(report.offset), PAGE.margin + dateWidth + 8, 86, {
      size: 7,
      colour: COLOURS.muted,
      width: width - dateWidth - 8,
    });
    labels.approvals.forEach((label, index) => {
      const style = { size: 7, colour: COLOURS.muted, align: 'centre', width: APPROVAL.width } as const;
      paragraph(fixed, section, 'P', label, boxesLeft + index * APPROVAL.width, APPROVAL.top + 8.6, style);
    });
  });
}

/** The head of a continuation page: what was begun, and whose it is. All of it repeats the first page. */
export function drawContinuationHead(report: ReportDocument, page: ReportPage, title: string, subject: string): void {
  page.decoration(() => {
    const { canvas } = page;
    canvas.fillRectangles([TOP_BAR], COLOURS.navy);
    canvas.line([PAGE.margin, 66], [RIGHT_EDGE, 66], { width: 0.8, colour: COLOURS.navy });
    canvas.text(title, PAGE.margin, 42, { size: 14, weight: 'bold', colour: COLOURS.navy });
    const titleWidth = canvas.typesetter.width(title, 'bold', 14);
    canvas.text(report.labels.continued, PAGE.margin + titleWidth + 8, 42, { size: 9, colour: COLOURS.muted });
    const fitted = fitLine(canvas.typesetter, subject, 'regular', 9, CONTENT_WIDTH - 150);
    canvas.text(fitted.text, PAGE.margin, 58, { size: fitted.size });
    const right = { size: 9, align: 'right', width: CONTENT_WIDTH } as const;
    canvas.text(report.labels.date(report.day.day), PAGE.margin, 58, right);
  });
}

/** A figure that is read first, with its name and unit. */
export interface Tile {
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly isWarning?: boolean;
}

const WARNING_MARK = '▲';
const TILE = { gap: 6, height: 46, minScale: 0.75 } as const;

/** A row of figures that are read first. A warning has a mark, not only a colour. */
export function drawTiles(
  page: ReportPage,
  section: StructureElement | undefined,
  tiles: readonly Tile[],
  top: number,
): void {
  const step = (CONTENT_WIDTH + TILE.gap) / tiles.length;
  page.artwork(`tiles ${tiles.length} at ${top}`, (canvas) => {
    const frames = tiles.map((_, index) => ({ x: PAGE.margin + index * step, y: top, height: TILE.height }));
    canvas.fillRectangles(
      frames.map((frame) => ({ ...frame, width: step - TILE.gap })),
      COLOURS.panel,
    );
    canvas.fillRectangles(
      frames.map((frame) => ({ ...frame, width: 2 })),
      COLOURS.blue,
    );
  });
  const width = step - TILE.gap - 13;
  tiles.forEach(({ label, value, unit = '', isWarning = false }, index) => {
    const x = PAGE.margin + index * step + 9;
    const { typesetter } = page.canvas;
    page.fixture(`tile ${label} at ${top}`, section, (fixed) =>
      paragraph(fixed, section, 'P', label, x, top + 14, { size: 7, colour: COLOURS.muted, width }),
    );
    const markWidth = isWarning ? typesetter.width(WARNING_MARK, 'bold', 10) + 3 : 0;
    const wholeUnit = unit === '' ? 0 : typesetter.width(unit, 'regular', 7.5) + 3;
    // A figure is never cut: its unit makes room for it.
    const hasUnit = typesetter.width(value, 'bold', 16) * TILE.minScale <= width - wholeUnit - markWidth;
    const unitWidth = hasUnit ? wholeUnit : 0;
    const fitted = fitLine(typesetter, value, 'bold', 16, width - unitWidth - markWidth);
    const colour = isWarning ? COLOURS.red : COLOURS.navy;
    const draw = (): void => {
      const { canvas } = page;
      if (isWarning) canvas.text(WARNING_MARK, x, top + 34, { size: 10, weight: 'bold', colour });
      canvas.text(fitted.text, x + markWidth, top + 35, { size: fitted.size, weight: 'bold', colour });
      const valueWidth = typesetter.width(fitted.text, 'bold', fitted.size);
      if (hasUnit) canvas.text(unit, x + markWidth + valueWidth + 3, top + 35, { size: 7.5, colour: COLOURS.muted });
    };
    const spoken = [isWarning ? WARNING_MARK : '', value, unit].filter((part) => part !== '');
    page.content('P', section, draw, spoken.length > 1 ? spokenAs(spoken) : undefined);
  });
}
