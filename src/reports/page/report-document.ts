import { drivingDay, type DrivingDay } from '../day/report-date.js';
import { DEFAULT_FORM, type FormBlock, type FormLabel } from '../form/report-form.js';
import type { CountedPage, ReportDriver, ReportOptions } from '../model.js';
import { Outline } from '../pdf/page-tree.js';
import { PdfFile } from '../pdf/pdf-file.js';
import type { PdfDictionary, PdfObject } from '../pdf/pdf-object.js';
import { type StructureElement, StructureTree } from '../pdf/structure.js';
import { cleanText, truncate } from '../text/clean-text.js';
import type { FontLibrary } from '../text/font-library.js';
import { Typesetter } from '../text/typesetter.js';
import { Canvas } from './canvas.js';
import { ENGLISH, type Labels } from './labels-en.js';
import { JAPANESE } from './labels-ja.js';
import { offsetName } from './number-format.js';
import { PageFooter } from './page-footer.js';
import { type PageLink, ReportPage } from './report-page.js';
import type { Cell } from './table.js';
import { PAGE } from './theme.js';
import { WallClock } from './wall-clock.js';

/** Cell with an address. */
export interface AddressCell {
  readonly cell: Cell;
  /** True if a part of the address is missing. */
  readonly isCut: boolean;
  /** True if it has characters that no font has. */
  readonly usesStandIn: boolean;
}

const LABELS: Readonly<Record<ReportOptions['locale'], Labels>> = { en: ENGLISH, ja: JAPANESE };
const MAX_TITLE_LENGTH = 100;
const MAX_ADDRESSES = 4_000;

/** File of a report: pages with their footer, bookmarks, structure, and content shared by all pages. */
export class ReportDocument {
  readonly labels: Labels;
  /** Parts to fill in by hand, in order. */
  readonly blocks: readonly FormBlock[];
  /** Labels of the parts to fill in by hand. */
  readonly words: Readonly<Record<FormLabel, string>>;
  /** Names of the stamp boxes. */
  readonly stamps: readonly string[];
  /** Prints dates in Japanese eras. */
  readonly isInEra: boolean;
  readonly day: DrivingDay;
  readonly clock: WallClock;
  readonly typesetter: Typesetter;
  readonly structure: StructureTree | undefined;
  readonly file: PdfFile;
  readonly isTagged: boolean;
  readonly #outline: Outline;
  readonly #footer: PageFooter;
  readonly #addresses = new Map<string, AddressCell>();
  readonly #artwork = new Map<string, string>();
  readonly #countedOnPage = new Map<string, { readonly page: number; readonly person: string }>();

  constructor(
    readonly options: ReportOptions,
    library: FontLibrary,
    { isTagged, compress }: { readonly isTagged: boolean; readonly compress: boolean },
  ) {
    this.isTagged = isTagged;
    this.labels = LABELS[options.locale];
    const { blocks, labels, stamps, era } = options.form ?? DEFAULT_FORM;
    this.blocks = blocks;
    this.words = { ...this.labels.form, ...labels };
    this.stamps = stamps ?? (blocks.length === 0 ? [] : this.labels.stamps);
    this.isInEra = era;
    this.day = drivingDay(options.date, options.timeZone);
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
    this.#footer = new PageFooter(this);
  }

  /** Offset of all shown times; several, each with the time until which it holds, on a day on which clocks change. */
  get offset(): string {
    const { clock, labels } = this;
    const nameAt = (epoch: number): string => offsetName(clock.offset(epoch));
    return clock.changes.reduce(
      (before, change) => labels.offsetUntil(before, clock.timeBefore(change), nameAt(change)),
      nameAt(clock.midnights[0]),
    );
  }

  /** Formats a day for printing. @param day `yyyy-mm-dd` */
  dateOf(day: string): string {
    return this.labels.date(day, this.isInEra);
  }

  /** Creates an empty page. `append` or `fillFrontMatter` adds it to the file. @param section parent of its texts */
  newPage(section?: StructureElement): ReportPage {
    return new ReportPage(new Canvas(this.typesetter), this, section);
  }

  /** Writes a page after all others. */
  append(page: ReportPage, pageNumber: number): PdfObject {
    const written = this.file.pages.append(...this.#complete(page, pageNumber));
    page.endElements(written);
    return written;
  }

  /** Writes a page in a place reserved by `file.pages.reserveFrontMatter`. */
  fillFrontMatter(place: PdfObject, page: ReportPage, pageNumber: number): void {
    this.file.pages.fill(place, ...this.#complete(page, pageNumber));
    page.endElements(place);
  }

  /**
   * Records a page of a driver. A mobile counts once, even if the request lists it again.
   *
   * @returns the page on which the mobile already counts, if any
   */
  countDriver({ employeeCode, employeeName, mobileId }: ReportDriver, pageNumber: number): CountedPage | undefined {
    const person = employeeCode.trim() === '' ? `name ${employeeName.trim()}` : `code ${employeeCode.trim()}`;
    const counted = this.#countedOnPage.get(mobileId.trim());
    if (counted === undefined) this.#countedOnPage.set(mobileId.trim(), { page: pageNumber, person });
    return counted && { page: counted.page, isSame: counted.person === person };
  }

  /** Returns the cached cell of an address: a fleet drives to the same addresses repeatedly. */
  rememberAddress(address: string, make: () => AddressCell): AddressCell {
    let cell = this.#addresses.get(address);
    if (cell === undefined) {
      if (this.#addresses.size >= MAX_ADDRESSES) this.#addresses.clear();
      this.#addresses.set(address, (cell = make()));
    }
    return cell;
  }

  /** Adds a bookmark after the others. */
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
    this.#footer.end();
    this.#outline.end();
    this.structure?.end();
    this.file.end();
  }

  #complete(page: ReportPage, pageNumber: number): [Uint8Array, PdfObject[], PdfDictionary] {
    this.#footer.draw(page);
    const number = this.newPage();
    this.#footer.drawNumber(number, pageNumber);
    const entries = {
      ...(page.links.length === 0 ? {} : { Annots: page.links.map((link) => this.#endLink(link)) }),
      ...this.structure?.registerPage(page.leaves),
    };
    const content = Buffer.concat([number.canvas.end(), page.canvas.end()]);
    return [content, [this.#footer.shiftForTotal], entries];
  }

  #endLink({ annotation, element }: PageLink): PdfObject {
    if (element !== undefined) Object.assign(annotation.data, this.structure?.registerAnnotation(element));
    annotation.end();
    return annotation;
  }
}
