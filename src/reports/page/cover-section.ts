import type { PdfObject } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import { wrapText } from '../text/fit-text.js';
import { COVER, coverPages, coverParts, type CoverParts, onPages } from './cover-layout.js';
import { type CoverRow, CoverTable, type CoverTableRow, coverTiles, totalsOf } from './cover-table.js';
import { drawTable } from './draw-table.js';
import { drawNotes, linesOfNotes, type Note, notesHeight } from './driver-notes.js';
import { drawBlocks, placeBlocks } from './hand-blocks.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { ContinuationHead, drawNotice, drawSectionHead } from './section-frame.js';
import { rowHeight } from './table.js';
import { COLOURS, CONTENT_BOTTOM, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { drawTiles } from './tiles.js';

const BLOCKS_GAP = 12;
/** Warnings beside the heading of the table. */
const WARNINGS = { sizes: [8, 7], lineHeight: 9, width: CONTENT_WIDTH - 64, maxLines: 2 } as const;
/** Heading and notes on a page of cut texts, below its head. */
const IN_FULL = { heading: 9, notes: 14 } as const;

/** Divides warnings among lines, each whole on one if smaller letters allow it. */
function warningLines(
  { typesetter }: ReportDocument,
  warnings: readonly string[],
): { readonly lines: readonly string[]; readonly size: number } {
  const { sizes, width, maxLines } = WARNINGS;
  for (const size of sizes) {
    const lines: string[] = [];
    for (const warning of warnings) {
      const longer = [...lines.slice(-1), warning].join('\u3000');
      const fits = lines.length > 0 && typesetter.width(longer, 'bold', size) <= width;
      lines.splice(fits ? -1 : lines.length, 1, fits ? longer : warning);
    }
    if (lines.length <= maxLines) return { lines, size };
  }
  const wrapping = { weight: 'bold', size: sizes[1], maxWidth: width, maxLines } as const;
  return { lines: wrapText(typesetter, warnings.join('\u3000'), wrapping).lines, size: sizes[1] };
}

/**
 * Summary before a report: its figures and a line per driver, those without a report first. Its content is known last,
 * so its pages are reserved at the start and drawn at the end.
 */
export class CoverSection {
  readonly #report: ReportDocument;
  readonly #places: readonly PdfObject[];
  readonly #section: StructureElement | undefined;
  readonly #table: CoverTable;
  readonly #continued: ContinuationHead;

  constructor(report: ReportDocument) {
    this.#report = report;
    const { org, driverCount } = report.options;
    this.#places = Array.from({ length: coverPages(driverCount) }, () => report.file.pages.reserveFrontMatter());
    this.#section = report.structure?.document.child('Sect');
    this.#table = new CoverTable(report);
    const subject = [...(org === undefined ? [] : [org]), report.dateOf(report.day.day)].join(' · ');
    this.#continued = new ContinuationHead(report, report.labels.coverTitle, [subject], 1);
    const [first] = this.#places;
    if (first !== undefined) report.bookmark(report.labels.coverTitle, first);
  }

  /** Draws the pages and pauses after each, to let its bytes be consumed. */
  *draw(rows: readonly CoverRow[]): Generator<void> {
    const report = this.#report;
    const ordered = [...rows.filter(({ kind }) => kind === 'failed'), ...rows.filter(({ kind }) => kind === 'day')];
    report.typesetter.takeStandIn();
    const arrangement = arrange(this.#table, ordered, this.#places.length);
    const notes = arrangement.rows.flatMap((row) => row.inFull ?? []);
    if (report.typesetter.takeStandIn()) notes.push(report.labels.standIn);
    const inFull = linesOfNotes(report, notes);
    let table: StructureElement | undefined;
    let isComplete = true;
    for (const [index, place] of this.#places.entries()) {
      const page = report.newPage(this.#section);
      const pages = this.#places.length;
      if (index === 0) this.#drawHead(page, rows);
      else this.#continued.draw(page, report.labels.pageOfCover(index + 1, pages));
      if (rows.length > 0) {
        // Begun here, so that screen readers read it after the heading.
        table ??= this.#section?.child('Table');
        const y = this.#drawTable(page, table, ordered, arrangement, index);
        if (index === pages - 1) isComplete = this.#drawEnd(page, inFull, y);
      }
      report.fillFrontMatter(place, page, index + 1);
      yield;
    }
    table?.end();
    if (!isComplete) yield* this.#drawInFull(inFull);
    this.#section?.end();
  }

  #drawHead(page: ReportPage, rows: readonly CoverRow[]): void {
    const { labels, options } = this.#report;
    drawSectionHead(this.#report, page, labels.coverTitle);
    drawTiles(page, coverTiles(labels, rows), COVER.tilesTop);
    if (rows.length === 0) {
      drawNotice(page, labels.noDrivers, labels.noDriversDetail, COVER.tableTop);
      return;
    }
    const baseline = COVER.tableTop - 6;
    page.heading(labels.driversHeading, PAGE.left, baseline, 60);
    const totals = totalsOf(rows);
    const rules = options.drivingRules;
    const warnings = [
      ...(rows.length > totals.reports ? [`× ${labels.failedHeading(rows.length - totals.reports)}`] : []),
      ...(totals.listedTwice > 0 ? [labels.driversListedTwice(totals.listedTwice)] : []),
      ...(totals.sharedVehicles > 0 ? [labels.sharedVehicles(totals.sharedVehicles)] : []),
      ...(totals.excluded > 0 ? [labels.tripsExcluded(totals.excluded)] : []),
      ...(totals.gaps > 0 ? [labels.gaps(totals.gaps)] : []),
      ...(totals.driversWithoutAddresses > 0 ? [labels.driversWithoutAddresses(totals.driversWithoutAddresses)] : []),
      ...(rules !== 'off' && totals.driversBeyondRules > 0
        ? [labels.driversBeyondRules(totals.driversBeyondRules, rules)]
        : []),
    ];
    if (warnings.length === 0) return;
    const { lineHeight, width } = WARNINGS;
    const { lines, size } = warningLines(this.#report, warnings);
    const style = { size, weight: 'bold', colour: COLOURS.red, align: 'right', width } as const;
    page.lines(
      lines,
      { x: RIGHT_EDGE - width, baseline: baseline - (lines.length - 1) * lineHeight, lineHeight },
      style,
    );
  }

  /** @returns y position of the end of the table on the page */
  #drawTable(
    page: ReportPage,
    table: StructureElement | undefined,
    ordered: readonly CoverRow[],
    { rows, padding, parts }: Arrangement,
    index: number,
  ): number {
    const { from, to } = parts[index] ?? { from: 0, to: 0 };
    const { labels } = this.#report;
    const isContinued = index > 0;
    const carriedRows = ordered.slice(0, from);
    return drawTable(page, table, {
      columns: this.#table.columns,
      rows: rows.slice(from, to).map(({ row }) => row),
      top: isContinued ? COVER.continuedTop : COVER.tableTop,
      padding,
      isContinued,
      carried: isContinued
        ? this.#table.sumsOf(carriedRows, labels.carriedForward, `carried to page ${index + 1}`)
        : undefined,
      total: to < rows.length ? undefined : this.#table.sumsOf(ordered, labels.total, 'total'),
      hasClosedSums: false,
    });
  }

  /** Draws the content below the table. @returns false if the cut texts did not fit there */
  #drawEnd(page: ReportPage, inFull: readonly Note[], top: number): boolean {
    const fits = top + notesHeight(inFull) <= CONTENT_BOTTOM;
    const bottom = fits ? drawNotes(page, inFull, top) : top;
    const blocks = this.#report.blocks.filter((block) => block === 'remarks');
    const placed = placeBlocks(blocks, bottom + BLOCKS_GAP, CONTENT_BOTTOM);
    drawBlocks(this.#report, page, placed, '');
    return fits;
  }

  /** Draws pages after all others with the texts cut on the cover, and pauses after each. */
  *#drawInFull(notes: readonly Note[]): Generator<void> {
    const report = this.#report;
    const { bottom: below } = this.#continued;
    const top = below + IN_FULL.notes;
    for (let from = 0; from < notes.length;) {
      const page = report.newPage(this.#section);
      this.#continued.draw(page, '');
      page.heading(report.labels.inFullHeading, PAGE.left, below + IN_FULL.heading, CONTENT_WIDTH);
      let to = from + 1;
      while (to < notes.length && top + notesHeight(notes.slice(from, to + 1)) <= CONTENT_BOTTOM) to += 1;
      drawNotes(page, notes.slice(from, to), top);
      from = to;
      report.append(page, report.file.pages.count + 1);
      yield;
    }
  }
}

/** Arrangement of the rows on the cover pages. */
type Arrangement = ReturnType<typeof fit>;

/** Arranges the rows of a cover on its reserved pages, as roomy as they allow; cuts texts only for lack of space. */
function arrange(table: CoverTable, rows: readonly CoverRow[], pages: number): Arrangement {
  const fitted = (isSingle: boolean): Arrangement =>
    fit(
      rows.map((row, index) => table.rowOf(row, index, isSingle)),
      pages,
    );
  const wrapped = fitted(false);
  return wrapped.parts.length <= pages ? wrapped : fitted(true);
}

function fit(rows: readonly CoverTableRow[], pages: number) {
  const { roomy, tight, step } = COVER.padding;
  const partsIn = (padding: number): CoverParts =>
    coverParts(
      rows.map(({ row }) => rowHeight(row, padding)),
      padding,
    );
  let padding: number = roomy;
  let parts = partsIn(padding);
  while (parts.length > pages && padding > tight) {
    padding = Math.max(tight, padding - step);
    parts = partsIn(padding);
  }
  return { rows, padding, parts: onPages(parts, pages) };
}
