import { drivingDay, type DrivingDay } from '../day/report-date.js';
import type { ReportDriver, ReportOptions } from '../model.js';
import { ByteWriter } from '../pdf/byte-writer.js';
import { Outline } from '../pdf/outline.js';
import { PdfFile } from '../pdf/pdf-file.js';
import type { PdfDictionary, PdfObject } from '../pdf/pdf-object.js';
import { StructureTree } from '../pdf/structure.js';
import { cleanText, truncate } from '../text/clean-text.js';
import { fitLine } from '../text/fit-text.js';
import type { FontLibrary } from '../text/font-library.js';
import { Typesetter } from '../text/typesetter.js';
import { Canvas } from './canvas.js';
import type { Cell } from './cell.js';
import { offsetName } from './number-format.js';
import { ENGLISH } from './labels-en.js';
import { JAPANESE } from './labels-ja.js';
import type { Labels } from './labels.js';
import { ReportPage, type PageLink } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { WallClock } from './wall-clock.js';

/** How the file is written. */
export interface ReportDocumentOptions {
  readonly isTagged: boolean;
  readonly compress: boolean;
}

const LABELS: Readonly<Record<ReportOptions['locale'], Labels>> = { en: ENGLISH, ja: JAPANESE };
const FOOTER = { line: PAGE.height - 40, baseline: PAGE.height - 28, size: 7 } as const;
const PAGE_NUMBER = { size: 8, colour: COLOURS.muted } as const;
/** Between the words of the page number. */
const NUMBER_GAP = 2;
const TOTAL_FORM = 'Total';
const MAX_TITLE_LENGTH = 100;
const MAX_ADDRESSES = 4_000;

/** The file under the report: pages with their footer, bookmarks, structure, and what all pages share. */
export class ReportDocument {
  readonly labels: Labels;
  readonly day: DrivingDay;
  readonly clock: WallClock;
  readonly typesetter: Typesetter;
  readonly structure: StructureTree | undefined;
  readonly file: PdfFile;
  readonly #outline: Outline;
  readonly #countedOnPage = new Map<string, number>();
  readonly #addresses = new Map<string, Cell>();
  readonly #artwork = new Map<string, string>();
  /** Moves the page number to the left by the width of the total, which is known when all is drawn. */
  readonly #shiftForTotal: PdfObject;

  constructor(
    readonly options: ReportOptions,
    library: FontLibrary,
    { isTagged, compress }: ReportDocumentOptions,
  ) {
    this.labels = LABELS[options.locale];
    this.day = drivingDay(options.date);
    this.clock = new WallClock(this.day);
    this.file = new PdfFile({
      title: `${this.labels.title} ${this.day.day}`,
      author: options.org === undefined ? undefined : truncate(cleanText(options.org), MAX_TITLE_LENGTH),
      language: options.locale,
      keywords: options.jobId,
      createdAt: options.createdAt,
      compress,
      pageSize: [PAGE.width, PAGE.height],
    });
    this.typesetter = new Typesetter(this.file, library);
    this.structure = isTagged ? new StructureTree(this.file) : undefined;
    this.#outline = new Outline(this.file);
    this.#shiftForTotal = this.file.object({});
  }

  /** The offset in which all times are shown. */
  get offset(): string {
    return offsetName(this.day.offsetMinutes);
  }

  /** An empty page. It is nowhere in the file until `append` or `fillFrontMatter` writes it. */
  newPage(): ReportPage {
    return new ReportPage(new Canvas(this.typesetter), this, this.structure !== undefined);
  }

  /** Writes a page behind all others. */
  append(page: ReportPage, pageNumber: number): PdfObject {
    const [content, entries] = this.#complete(page, pageNumber);
    const written = this.file.pages.append(content, [this.#shiftForTotal], entries);
    page.endElements(written);
    return written;
  }

  /** Writes a page in the place that `file.pages.reserveFrontMatter` kept for it. */
  fillFrontMatter(place: PdfObject, page: ReportPage, pageNumber: number): void {
    const [content, entries] = this.#complete(page, pageNumber);
    this.file.pages.fill(place, content, [this.#shiftForTotal], entries);
    page.endElements(place);
  }

  /** The cell of an address, made at its first use: a fleet drives to the same addresses again and again. */
  rememberAddress(address: string, make: () => Cell): Cell {
    let cell = this.#addresses.get(address);
    if (cell === undefined) {
      if (this.#addresses.size >= MAX_ADDRESSES) this.#addresses.clear();
      this.#addresses.set(address, (cell = make()));
    }
    return cell;
  }

  /**
   * Notes that a driver has a page. The same person with the same mobile counts once, however often the request
   * lists them.
   *
   * @returns the page that counts already, if there is one
   */
  countDriver({ employeeCode, employeeName, mobileId }: ReportDriver, pageNumber: number): number | undefined {
    const person = employeeCode.trim() === '' ? ['name', employeeName.trim()] : ['code', employeeCode.trim()];
    const key = JSON.stringify([...person, mobileId.trim()]);
    const counted = this.#countedOnPage.get(key);
    if (counted === undefined) this.#countedOnPage.set(key, pageNumber);
    return counted;
  }

  /** Adds a bookmark behind the others. */
  bookmark(title: string, page: PdfObject): void {
    this.#outline.add(truncate(cleanText(title), MAX_TITLE_LENGTH), page);
  }

  /** Draws once, at the first use of its key, what many pages show; gives the operator that shows it. */
  artwork(key: string, draw: (canvas: Canvas) => void): string {
    let name = this.#artwork.get(key);
    if (name === undefined) {
      name = `A${this.#artwork.size}`;
      this.#artwork.set(key, name);
      const canvas = new Canvas(this.typesetter);
      draw(canvas);
      this.file.form(name, canvas.end(), [PAGE.width, PAGE.height]);
    }
    return `/${name} Do`;
  }

  /** Writes everything that had to wait for the last page; then the file gives its last bytes. */
  end(): void {
    const total = this.labels.pageTotal(this.file.pages.count);
    const canvas = new Canvas(this.typesetter);
    canvas.text(total, RIGHT_EDGE + NUMBER_GAP, FOOTER.baseline, PAGE_NUMBER);
    this.file.form(TOTAL_FORM, canvas.end(), [PAGE.width * 2, PAGE.height]);
    const width = this.typesetter.width(total, 'regular', PAGE_NUMBER.size);
    const shift = new ByteWriter();
    shift.write('q 1 0 0 1 ');
    shift.length(-width - NUMBER_GAP);
    shift.write('0 cm');
    this.#shiftForTotal.end(shift.bytes);
    this.#outline.end();
    this.structure?.end();
    this.file.end();
  }

  #complete(page: ReportPage, pageNumber: number): [content: Uint8Array, entries: PdfDictionary] {
    page.artwork('footer', (canvas) => this.#footer(canvas));
    const number = this.newPage();
    number.decoration(() => {
      const words = this.labels.pageNumber(pageNumber);
      // Word by word: the words are known from the page before, and figures need no shaping.
      const widths = words.map((word) => this.typesetter.width(word, 'regular', PAGE_NUMBER.size) + NUMBER_GAP);
      let x = RIGHT_EDGE + NUMBER_GAP - widths.reduce((sum, width) => sum + width, 0);
      words.forEach((word, index) => {
        number.canvas.text(word, x, FOOTER.baseline, PAGE_NUMBER);
        x += widths[index] ?? 0;
      });
      number.canvas.raw(`/${TOTAL_FORM} Do`);
    });
    number.canvas.raw('Q');
    const entries = {
      ...(page.links.length === 0 ? {} : { Annots: page.links.map((link) => this.#endLink(link)) }),
      ...this.structure?.registerPage(page.leaves),
    };
    return [Buffer.concat([number.canvas.end(), page.canvas.end()]), entries];
  }

  #endLink({ annotation, element }: PageLink): PdfObject {
    if (element !== undefined) Object.assign(annotation.data, this.structure?.registerAnnotation(element));
    annotation.end();
    return annotation;
  }

  #footer(canvas: Canvas): void {
    const { createdAt, jobId } = this.options;
    const created = `${this.labels.created} ${this.clock.dateAndTime(createdAt.getTime())} ${this.offset}`;
    const style = { size: FOOTER.size, colour: COLOURS.muted } as const;
    canvas.line([PAGE.margin, FOOTER.line], [RIGHT_EDGE, FOOTER.line], { width: 0.5, colour: COLOURS.hairline });
    canvas.text(created, PAGE.margin, FOOTER.baseline, style);
    const job = fitLine(this.typesetter, jobId, 'regular', FOOTER.size, CONTENT_WIDTH - 320);
    canvas.text(job.text, PAGE.margin, FOOTER.baseline, {
      ...style,
      size: job.size,
      align: 'centre',
      width: CONTENT_WIDTH,
    });
  }
}
