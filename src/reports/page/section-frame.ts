import { fitLine, wrapText, type WrappedText } from '../text/fit-text.js';
import { textString } from '../pdf/pdf-object.js';
import { LOGO_IMAGE, type ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

const TOP_BAR = { x: PAGE.left, y: PAGE.top, width: CONTENT_WIDTH, height: 3 } as const;
const STAMPS = { top: 31, width: 50, height: 54, label: 18, size: 6.5, lineHeight: 7.4, maxLines: 2 } as const;
const TITLE = { baseline: 47, size: 18 } as const;
const ORGANISATION = { x: PAGE.left, baseline: 60, size: 8, lineHeight: 9, maxLines: 2 } as const;
const STAMPS_GAP = 12;
/** Area of the logo, at the right of the texts beside the stamps; the date is below it. */
const LOGO = { top: 31, width: 90, height: 40 } as const;
const DATE = { baseline: 81, size: 10 } as const;
const HEAD_RULE = 89;

const CONTINUED = { title: 44, first: 57, lineHeight: 10, size: 8, maxLines: 12 } as const;

/** Draws the head of the first page of a section: title, organisation and day, with space for the stamps. */
export function drawSectionHead(report: ReportDocument, page: ReportPage, title: string): void {
  const { labels, options } = report;
  page.artwork('section head', (canvas) => {
    canvas.fillRectangles([TOP_BAR], COLOURS.navy);
    canvas.line([PAGE.left, HEAD_RULE], [RIGHT_EDGE, HEAD_RULE], { width: 0.8, colour: COLOURS.navy });
  });
  page.fixture(`head of ${title}`, (fixed) => {
    const width = widthBeside(report);
    const titleWidth = width - logoWidth(report);
    const { typesetter } = fixed.canvas;
    const titleStyle = { size: TITLE.size, weight: 'bold', colour: COLOURS.navy, width: titleWidth } as const;
    fixed.paragraph(title, PAGE.left, TITLE.baseline, titleStyle, 'H1');
    if (report.organisation !== '') fixed.lines(organisation(report).lines, ORGANISATION, { size: ORGANISATION.size });
    const date = report.dateOf(report.day.day);
    fixed.paragraph(date, PAGE.left, DATE.baseline, { size: DATE.size, weight: 'bold', width });
    const dateWidth = typesetter.width(date, 'bold', DATE.size) + 8;
    const times = { size: 7, width: width - dateWidth };
    fixed.paragraph(labels.timesIn(report.offset), PAGE.left + dateWidth, DATE.baseline, times);
  });
  const { logo } = options;
  if (logo === undefined) return;
  // As large as its area allows, at the right of it.
  const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const left = PAGE.left + widthBeside(report) - width;
  const place = [width, 0, 0, height, left, PAGE.height - LOGO.top - height].map((value) => value.toFixed(2));
  const draw = (): void => page.canvas.raw(`q ${place.join(' ')} cm /${LOGO_IMAGE} Do Q`);
  page.content('Figure', page.section, draw, { Alt: textString(logo.alternative) });
}

/** Returns the width that a logo takes from the texts, with the space beside it; 0 without one. */
function logoWidth({ options: { logo } }: ReportDocument): number {
  return logo === undefined ? 0 : LOGO.width + STAMPS_GAP;
}

/** Draws the boxes for stamps at the head of the page that is signed. */
export function drawStamps({ stamps }: ReportDocument, page: ReportPage): void {
  if (stamps.length === 0) return;
  const { top: y, width, height, size, lineHeight, maxLines } = STAMPS;
  const lefts = stamps.map((_, index) => RIGHT_EDGE - STAMPS.width * (stamps.length - index));
  page.artwork('stamps', (canvas) => {
    const stroke = { width: 0.6, colour: COLOURS.muted };
    const rule = y + STAMPS.label;
    for (const x of lefts) {
      canvas.strokeRectangle({ x, y, width, height }, stroke);
      canvas.line([x, rule], [x + width, rule], stroke);
    }
  });
  page.fixture('names of the stamps', (fixed) =>
    stamps.forEach((label, index) => {
      const { lines } = wrapText(fixed.canvas.typesetter, label, 'regular', size, width - 6, maxLines);
      const baseline = y + STAMPS.label / 2 + 2.5 - ((lines.length - 1) * lineHeight) / 2;
      const place = { x: (lefts[index] ?? 0) + 3, baseline, lineHeight };
      fixed.lines(lines, place, { size, align: 'centre', width: width - 6 });
    }),
  );
}

function widthBeside({ stamps }: ReportDocument): number {
  return CONTENT_WIDTH - STAMPS.width * stamps.length - STAMPS_GAP;
}

/** Returns the lines of the organisation in the head of a section; if they cut its name, it is printed elsewhere. */
export function organisation(report: ReportDocument): WrappedText {
  const { size, maxLines } = ORGANISATION;
  const width = widthBeside(report) - logoWidth(report);
  return wrapText(report.typesetter, report.organisation, 'regular', size, width, maxLines);
}

/** Returns the top of the content below the head of a continuation page. @param stamps number beside it */
export function continuedBelow(lines: number, stamps = 0): number {
  return Math.max(CONTINUED.first + lines * CONTINUED.lineHeight + 6, stamps > 0 ? HEAD_RULE + 8 : 0);
}

/**
 * Makes the head of the continuation pages of a section: its title and subject again, in a line on the cover.
 * @param stamps number of those that a driver has beside it
 */
export function continuationHead(report: ReportDocument, title: string, subjects: readonly string[], stamps?: number) {
  const { labels, typesetter } = report;
  const { size, first, lineHeight, title: baseline } = CONTINUED;
  const [width, maxLines] = stamps === undefined ? [CONTENT_WIDTH, 1] : [widthBeside(report), CONTINUED.maxLines];
  const lines = subjects.flatMap((subject) => wrapText(typesetter, subject, 'regular', size, width, maxLines).lines);
  const bottom = continuedBelow(lines.length, stamps);
  return {
    bottom,
    /** Draws the head as decoration, since it repeats the first page. @param place page of the section, in words */
    draw(page: ReportPage, place: string): void {
      const { canvas } = page;
      const rule = bottom - 8;
      page.decoration(() => {
        canvas.fillRectangles([TOP_BAR], COLOURS.navy);
        canvas.line([PAGE.left, rule], [RIGHT_EDGE, rule], { width: 0.8, colour: COLOURS.navy });
        canvas.text(title, PAGE.left, baseline, { size: 13, weight: 'bold', colour: COLOURS.navy });
        const titleWidth = typesetter.width(title, 'bold', 13);
        const after = place === '' ? labels.continued : place;
        const { text, size: fitted } = fitLine(typesetter, after, 'bold', 9, width - titleWidth - 8);
        canvas.text(text, PAGE.left + titleWidth + 8, baseline, { size: fitted, weight: 'bold' });
        lines.forEach((line, index) => canvas.text(line, PAGE.left, first + index * lineHeight, { size }));
      });
    },
  };
}

const NOTICE_HEIGHT = 62;

/** Draws a panel that explains in words an otherwise empty page. */
export function drawNotice(page: ReportPage, text: string, detail: string, top: number): void {
  page.decoration(() => {
    const panel = { x: PAGE.left, y: top, width: CONTENT_WIDTH, height: NOTICE_HEIGHT };
    page.canvas.roundedRectangle(panel, 4, COLOURS.panel, { width: 0.5, colour: COLOURS.hairline });
  });
  const centred = { align: 'centre', width: CONTENT_WIDTH - 24 } as const;
  const left = PAGE.left + 12;
  page.paragraph(text, left, top + 28, { ...centred, size: 12, weight: 'bold', colour: COLOURS.navy });
  page.paragraph(detail, left, top + 45, { ...centred, size: 8.5 });
}
