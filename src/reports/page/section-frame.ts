import { wrapText } from '../text/fit-text.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

const TOP_BAR = { x: PAGE.left, y: PAGE.top, width: CONTENT_WIDTH, height: 3 } as const;
const STAMPS = { top: 31, width: 50, height: 54, label: 18, size: 6.5, lineHeight: 7.4, maxLines: 2 } as const;
const TITLE = { baseline: 47, size: 18 } as const;
const ORGANISATION = { baseline: 60, size: 8, lineHeight: 9, maxLines: 2 } as const;
const DATE = { baseline: 81, size: 10 } as const;
/** Position of the line below a head. */
const HEAD_RULE = 89;

const CONTINUED = { title: 44, first: 57, lineHeight: 10, size: 8, maxLines: 12 } as const;

/** Draws the head of the first page of a section: title, organisation, day and stamp boxes. */
export function drawSectionHead(report: ReportDocument, page: ReportPage, title: string): void {
  const { labels, options, stamps } = report;
  const boxesLeft = RIGHT_EDGE - STAMPS.width * stamps.length;
  const lefts = stamps.map((_, index) => boxesLeft + index * STAMPS.width);
  page.artwork('section head', (canvas) => {
    canvas.fillRectangles([TOP_BAR], COLOURS.navy);
    const stroke = { width: 0.6, colour: COLOURS.muted };
    const { top: y, width, height } = STAMPS;
    const rule = y + STAMPS.label;
    for (const x of lefts) {
      canvas.strokeRectangle({ x, y, width, height }, stroke);
      canvas.line([x, rule], [x + width, rule], stroke);
    }
    canvas.line([PAGE.left, HEAD_RULE], [RIGHT_EDGE, HEAD_RULE], { width: 0.8, colour: COLOURS.navy });
  });
  page.fixture(`head of ${title}`, (fixed) => {
    const width = boxesLeft - PAGE.left - 12;
    const { typesetter } = fixed.canvas;
    const titleStyle = { size: TITLE.size, weight: 'bold', colour: COLOURS.navy, width } as const;
    fixed.paragraph(title, PAGE.left, TITLE.baseline, titleStyle, 'H1');
    if (options.org !== undefined) {
      const { baseline, size, lineHeight, maxLines } = ORGANISATION;
      const { lines } = wrapText(typesetter, options.org, { weight: 'regular', size, maxWidth: width, maxLines });
      fixed.lines(lines, { x: PAGE.left, baseline, lineHeight }, { size });
    }
    const date = report.dateOf(report.day.day);
    fixed.paragraph(date, PAGE.left, DATE.baseline, { size: DATE.size, weight: 'bold', width });
    const dateWidth = typesetter.width(date, 'bold', DATE.size) + 8;
    const times = { size: 7, width: width - dateWidth };
    fixed.paragraph(labels.timesIn(report.offset), PAGE.left + dateWidth, DATE.baseline, times);
    stamps.forEach((label, index) => {
      const { size, lineHeight, maxLines } = STAMPS;
      const maxWidth = STAMPS.width - 6;
      const { lines } = wrapText(typesetter, label, { weight: 'regular', size, maxWidth, maxLines });
      const baseline = STAMPS.top + STAMPS.label / 2 + 2.5 - ((lines.length - 1) * lineHeight) / 2;
      const place = { x: (lefts[index] ?? 0) + 3, baseline, lineHeight };
      fixed.lines(lines, place, { size, align: 'centre', width: maxWidth });
    });
  });
}

/** True if the head of a section cuts a long name of the organisation; it is then printed elsewhere. */
export function isOrganisationCut({ options: { org = '' }, stamps, typesetter }: ReportDocument): boolean {
  const { size, maxLines } = ORGANISATION;
  const maxWidth = CONTENT_WIDTH - STAMPS.width * stamps.length - 12;
  return wrapText(typesetter, org, { weight: 'regular', size, maxWidth, maxLines }).isCut;
}

/** Head of the continuation pages of a section. */
export interface ContinuationHead {
  readonly title: string;
  readonly lines: readonly string[];
  /** Top of the content below it. */
  readonly bottom: number;
}

/** Returns the top of the content below the head of a continuation page. */
export function continuedBelow(lines: number): number {
  return CONTINUED.first + lines * CONTINUED.lineHeight + 6;
}

/** Prepares the head of continuation pages: title and subject, in as many lines as needed. */
export function continuationHead(
  report: ReportDocument,
  title: string,
  subjects: readonly string[],
  maxLines: number = CONTINUED.maxLines,
): ContinuationHead {
  const { size } = CONTINUED;
  const wrapping = { weight: 'regular', size, maxWidth: CONTENT_WIDTH, maxLines } as const;
  const lines = subjects.flatMap((subject) => wrapText(report.typesetter, subject, wrapping).lines);
  return { title, lines, bottom: continuedBelow(lines.length) };
}

/** Draws the head of a continuation page, which repeats that of the first page. @param place page of the section */
export function drawContinuationHead(
  report: ReportDocument,
  page: ReportPage,
  { title, lines, bottom }: ContinuationHead,
  place: string,
): void {
  page.decoration(() => {
    const { canvas } = page;
    canvas.fillRectangles([TOP_BAR], COLOURS.navy);
    canvas.line([PAGE.left, bottom - 8], [RIGHT_EDGE, bottom - 8], { width: 0.8, colour: COLOURS.navy });
    canvas.text(title, PAGE.left, CONTINUED.title, { size: 13, weight: 'bold', colour: COLOURS.navy });
    const titleWidth = canvas.typesetter.width(title, 'bold', 13);
    canvas.text(report.labels.continued, PAGE.left + titleWidth + 8, CONTINUED.title, { size: 9 });
    const right = { size: 9, weight: 'bold', align: 'right', width: CONTENT_WIDTH } as const;
    canvas.text(place, PAGE.left, CONTINUED.title, right);
    lines.forEach((line, index) =>
      canvas.text(line, PAGE.left, CONTINUED.first + index * CONTINUED.lineHeight, { size: CONTINUED.size }),
    );
  });
}

const NOTICE_HEIGHT = 62;

/** Draws a panel that explains in words an otherwise empty page. */
export function drawNotice(page: ReportPage, text: string, detail: string, top: number): void {
  page.decoration(() => {
    const paint = { fill: COLOURS.panel, stroke: { width: 0.5, colour: COLOURS.hairline } };
    const panel = { x: PAGE.left, y: top, width: CONTENT_WIDTH, height: NOTICE_HEIGHT };
    page.canvas.roundedRectangle(panel, 4, paint);
  });
  const centred = { align: 'centre', width: CONTENT_WIDTH - 24 } as const;
  const left = PAGE.left + 12;
  page.paragraph(text, left, top + 28, { ...centred, size: 12, weight: 'bold', colour: COLOURS.navy });
  page.paragraph(detail, left, top + 45, { ...centred, size: 8.5 });
}
