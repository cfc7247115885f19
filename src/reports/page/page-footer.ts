import { ByteWriter } from '../pdf/byte-writer.js';
import type { ReportOptions } from '../model.js';
import type { PdfFile } from '../pdf/pdf-file.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import type { Typesetter } from '../text/typesetter.js';
import { wrapText } from '../text/fit-text.js';
import { Canvas } from './canvas.js';
import type { Labels } from './labels-en.js';
import { offsetName } from './number-format.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, PAGE, RIGHT_EDGE } from './theme.js';
import type { WallClock } from './wall-clock.js';

const FOOTER = { line: PAGE.height - 40, baseline: PAGE.height - 28.5, size: 6.5, lineHeight: 7 } as const;
/** Area of the job, between creation time and page number. */
const JOB = { x: PAGE.left + 150, width: 270, maxLines: 3 } as const;
const PAGE_NUMBER = { size: 8 } as const;
/** Gap between the words of the page number. */
const NUMBER_GAP = 2;
const TOTAL_FORM = 'Total';

/** Parts of a document that its footer needs. */
export interface FooterContext {
  readonly options: ReportOptions;
  readonly labels: Labels;
  readonly clock: WallClock;
  readonly isInEra: boolean;
  readonly typesetter: Typesetter;
  readonly file: PdfFile;
  dateOf(day: string): string;
}

/** Footer of every page: creation time, job, and page number with the total. */
export class PageFooter {
  readonly #report: FooterContext;
  /** Shifts the page number left by the width of the total, which is known after drawing. */
  readonly shiftForTotal: PdfObject;

  constructor(report: FooterContext) {
    this.#report = report;
    this.shiftForTotal = report.file.object({});
  }

  /** Draws the part common to all pages. */
  draw(page: ReportPage): void {
    page.artwork('footer', (canvas) => this.#drawOrigin(canvas));
  }

  /** Draws the number of a page, moved left by the shift for the total. */
  drawNumber(page: ReportPage, pageNumber: number): void {
    const { labels, typesetter } = this.#report;
    page.decoration(() => {
      const words = labels.pageNumber(pageNumber);
      // Word by word, because words are cached from the page before, and figures need no shaping.
      const widths = words.map((word) => typesetter.width(word, 'regular', PAGE_NUMBER.size) + NUMBER_GAP);
      let x = RIGHT_EDGE + NUMBER_GAP - widths.reduce((sum, width) => sum + width, 0);
      words.forEach((word, index) => {
        page.canvas.text(word, x, FOOTER.baseline, PAGE_NUMBER);
        x += widths[index] ?? 0;
      });
      page.canvas.raw(`/${TOTAL_FORM} Do`);
    });
    page.canvas.raw('Q');
  }

  /** Writes the parts that depend on the total number of pages. */
  end(): void {
    const { file, typesetter } = this.#report;
    const total = String(file.pages.count);
    const canvas = new Canvas(typesetter);
    canvas.text(total, RIGHT_EDGE + NUMBER_GAP, FOOTER.baseline, PAGE_NUMBER);
    file.form(TOTAL_FORM, canvas.end(), [PAGE.width * 2, PAGE.height]);
    const width = typesetter.width(total, 'regular', PAGE_NUMBER.size);
    const shift = new ByteWriter();
    shift.write('q 1 0 0 1 ');
    shift.length(-width - NUMBER_GAP);
    shift.write('0 cm');
    this.shiftForTotal.end(shift.bytes);
  }

  #drawOrigin(canvas: Canvas): void {
    const { labels, clock, options, typesetter } = this.#report;
    const { size, baseline, line, lineHeight } = FOOTER;
    const created = options.createdAt.getTime();
    const day = clock.date(created);
    const moment = `${this.#report.isInEra ? this.#report.dateOf(day) : day} ${clock.time(created)} ${offsetName(clock.offset(created))}`;
    canvas.line([PAGE.left, line], [RIGHT_EDGE, line], { width: 0.5, colour: COLOURS.hairline });
    canvas.text(`${labels.created} ${moment}`, PAGE.left, baseline, { size });
    const wrapping = { weight: 'regular', size, maxWidth: JOB.width, maxLines: JOB.maxLines } as const;
    const { lines } = wrapText(typesetter, options.jobId, wrapping);
    const first = baseline - ((lines.length - 1) * lineHeight) / 2;
    lines.forEach((text, index) =>
      canvas.text(text, JOB.x, first + index * lineHeight, { size, align: 'centre', width: JOB.width }),
    );
  }
}
