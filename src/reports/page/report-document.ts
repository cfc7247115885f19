import { drivingDay, isUnfinished, type DrivingDay } from '../day/report-date.js';
import { DEFAULT_FORM, type FormBlock, type FormLabel } from '../report-form.js';
import { type CountedPage, personOf, type ReportDriver, type ReportOptions } from '../model.js';
import { outlineOf } from '../pdf/page-tree.js';
import { PdfFile } from '../pdf/pdf-file.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import { type StructureElement, type StructureTree, structureTree } from '../pdf/structure.js';
import { cleanText, RecentTexts, truncate } from '../text/clean-text.js';
import { wrapText } from '../text/fit-text.js';
import type { FontLibrary } from '../text/font-library.js';
import { Typesetter } from '../text/typesetter.js';
import { Canvas } from './canvas.js';
import { LABELS, type Labels } from './labels.js';
import { offsetName } from './number-format.js';
import { ReportPage } from './report-page.js';
import type { Cell } from './table.js';
import { COLOURS, PAGE, RIGHT_EDGE } from './theme.js';
import { WallClock } from './wall-clock.js';

const MAX_TITLE_LENGTH = 100;
const FOOTER = { line: PAGE.height - 40, baseline: PAGE.height - 28.5, size: 6.5, lineHeight: 7, maxLines: 3 } as const;
/** Areas of creation time and orderer, and of the job between them and the page number. */
const ORIGIN = { x: PAGE.left, width: 200 } as const;
const JOB = { x: PAGE.left + 210, width: 220 } as const;
const PAGE_NUMBER = { size: 8 } as const;
const NUMBER_GAP = 2;
/** Form that shows the total number of pages, which is known at the end, and the image of the organisation. */
const TOTAL_FORM = 'Total';
export const LOGO_IMAGE = 'Logo';

/** File of a report: pages with their footer, bookmarks, structure, and content shared by all pages. */
export class ReportDocument {
  readonly labels: Labels;
  readonly blocks: readonly FormBlock[];
  readonly words: Readonly<Record<FormLabel, string>>;
  readonly stamps: readonly string[];
  /** Name or code of the organisation; empty without one. */
  readonly organisation: string;
  readonly day: DrivingDay;
  readonly clock: WallClock;
  readonly typesetter: Typesetter;
  readonly structure: StructureTree | undefined;
  readonly file: PdfFile;
  /** Cells of addresses, and whether a part is missing: a fleet drives to the same addresses repeatedly. */
  readonly addresses = new RecentTexts<{ readonly cell: Cell; readonly isCut: boolean }>();
  readonly #isInEra: boolean;
  readonly #outline: ReturnType<typeof outlineOf>;
  /** Shifts the page number left by the width of the total. */
  readonly #shiftForTotal: PdfObject;
  readonly #artwork = new Map<string, string>();
  readonly #countedOnPage = new Map<string, { readonly page: number; readonly person: string }>();

  constructor(
    readonly options: ReportOptions,
    library: FontLibrary,
    { isTagged, compress }: { readonly isTagged: boolean; readonly compress: boolean },
  ) {
    this.labels = LABELS[options.locale];
    const { blocks, labels, stamps, era } = options.form ?? DEFAULT_FORM;
    this.blocks = blocks;
    this.words = { ...this.labels.form, ...labels };
    this.stamps = stamps ?? (blocks.length === 0 ? [] : this.labels.stamps);
    this.#isInEra = era;
    this.organisation = options.organisation ?? options.org ?? '';
    this.day = drivingDay(options.date, options.timeZone, options.fetchedAt);
    this.clock = new WallClock(this.day);
    this.file = new PdfFile({
      title: `${this.labels.title} ${this.day.day}`,
      author: this.organisation === '' ? undefined : truncate(cleanText(this.organisation), MAX_TITLE_LENGTH),
      language: options.locale,
      keywords: options.jobId,
      createdAt: options.createdAt,
      compress,
      pageSize: [PAGE.width, PAGE.height],
    });
    const { logo } = options;
    if (logo) {
      const size = { Width: logo.width, Height: logo.height };
      this.file.image(LOGO_IMAGE, { ...logo.entries, ...size }, logo.samples, logo.opacity);
    }
    this.typesetter = new Typesetter(this.file, library);
    this.structure = isTagged ? structureTree(this.file) : undefined;
    this.#outline = outlineOf(this.file);
    this.#shiftForTotal = this.file.object({});
  }

  /** Offset of all shown times; several, each with the time until which it holds, on a day on which clocks change. */
  get offset(): string {
    const nameAt = (epoch: number): string => offsetName(this.day.offsetAt(epoch));
    return this.day.changes.reduce(
      (before, change) => this.labels.offsetUntil(before, this.clock.timeBefore(change), nameAt(change)),
      nameAt(this.clock.midnights[0]),
    );
  }

  /** Says that the day was not over when its trips were fetched; empty if it was. */
  get notOver(): string {
    const { fetchedAt } = this.day;
    const time = (): string => this.clock.timeOfMinute(Math.floor(fetchedAt / 60_000), this.labels.shortDate);
    return isUnfinished(this.day) ? this.labels.notOver(time()) : '';
  }

  /** Formats a day for printing. @param day `yyyy-mm-dd` */
  dateOf(day: string): string {
    return this.labels.date(day, this.#isInEra);
  }

  /** Creates an empty page, which `write` adds to the file. @param section parent of its texts */
  newPage(section?: StructureElement): ReportPage {
    return new ReportPage(new Canvas(this.typesetter), this, section);
  }

  /** Writes a page after all others, or in a place reserved in the front matter. @returns its object */
  write(page: ReportPage, pageNumber = this.file.pages.count + 1, reserved?: PdfObject): PdfObject {
    page.artwork('footer', (canvas) => this.#drawOrigin(canvas));
    const number = this.#drawPageNumber(pageNumber);
    const { annotations, leaves } = page;
    for (const annotation of annotations) annotation.end();
    const entries = { ...(annotations.length > 0 && { Annots: annotations }), ...this.structure?.registerPage(leaves) };
    const content = Buffer.concat([number, page.canvas.end()]);
    const place = reserved ?? this.file.pages.reserve();
    this.file.pages.fill(place, content, [this.#shiftForTotal], entries);
    page.endElements(place);
    return place;
  }

  /** Records a page of a driver. @returns the page on which the mobile already counts: it counts once */
  countDriver(driver: ReportDriver, page: number): CountedPage | undefined {
    const [mobile, person] = [driver.mobileId.trim(), personOf(driver)];
    const counted = this.#countedOnPage.get(mobile);
    if (counted === undefined) this.#countedOnPage.set(mobile, { page, person });
    return counted && { page: counted.page, isSame: counted.person === person };
  }

  bookmark(title: string, page: PdfObject): void {
    this.#outline.add(truncate(cleanText(title), MAX_TITLE_LENGTH), page);
  }

  /** Draws content shared by many pages once, at the first use of its key; returns the operator that shows it. */
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

  /** Writes everything that depends on the last page; the last bytes of the file are then available. */
  end(): void {
    this.#endPageNumbers();
    this.#outline.end();
    this.structure?.end();
    this.file.end();
  }

  /** Draws the part of the footer that is common to all pages: creation time, orderer and job. */
  #drawOrigin(canvas: Canvas): void {
    const { labels, clock, options, typesetter } = this;
    const { size, baseline, line, lineHeight, maxLines } = FOOTER;
    const created = options.createdAt.getTime();
    const day = clock.date(created);
    const offset = offsetName(this.day.offsetAt(created));
    const moment = `${this.#isInEra ? this.dateOf(day) : day} ${clock.time(created)} ${offset}`;
    canvas.line([PAGE.left, line], [RIGHT_EDGE, line], { width: 0.5, colour: COLOURS.hairline });
    const wrap = (text: string, width: number, most: number): readonly string[] =>
      wrapText(typesetter, text, 'regular', size, width, most).lines;
    const draw = (
      lines: readonly string[],
      { x, width }: typeof ORIGIN | typeof JOB,
      align: 'left' | 'centre',
    ): void => {
      const first = Math.max(baseline - ((lines.length - 1) * lineHeight) / 2, line + lineHeight);
      lines.forEach((text, index) => canvas.text(text, x, first + index * lineHeight, { size, align, width }));
    };
    const { orderedBy, jobId } = options;
    const orderer = orderedBy === undefined ? [] : wrap(labels.orderedBy(orderedBy), ORIGIN.width, maxLines - 1);
    draw([`${labels.created} ${moment}`, ...orderer], ORIGIN, 'left');
    draw(wrap(jobId, JOB.width, maxLines), JOB, 'centre');
  }

  /** Draws the number of a page, which `#shiftForTotal` moves left by the width of the total. */
  #drawPageNumber(pageNumber: number): Uint8Array {
    const number = this.newPage();
    number.decoration(() => {
      const words = this.labels.pageNumber(pageNumber);
      // Word by word, because words are cached from the page before, and figures need no shaping.
      const widths = words.map((word) => this.typesetter.width(word, 'regular', PAGE_NUMBER.size) + NUMBER_GAP);
      let x = RIGHT_EDGE + NUMBER_GAP - widths.reduce((sum, width) => sum + width, 0);
      words.forEach((word, index) => {
        number.canvas.text(word, x, FOOTER.baseline, PAGE_NUMBER);
        x += widths[index] ?? 0;
      });
      number.canvas.raw(`/${TOTAL_FORM} Do`);
    });
    number.canvas.raw('Q');
    return number.canvas.end();
  }

  /** Writes the total number of pages, and the shift for its width. */
  #endPageNumbers(): void {
    const total = String(this.file.pages.count);
    const canvas = new Canvas(this.typesetter);
    canvas.text(total, RIGHT_EDGE + NUMBER_GAP, FOOTER.baseline, PAGE_NUMBER);
    this.file.form(TOTAL_FORM, canvas.end(), [PAGE.width * 2, PAGE.height]);
    const shift = -this.typesetter.width(total, 'regular', PAGE_NUMBER.size) - NUMBER_GAP;
    this.#shiftForTotal.end(Buffer.from(`q 1 0 0 1 ${shift.toFixed(2)} 0 cm`));
  }
}
