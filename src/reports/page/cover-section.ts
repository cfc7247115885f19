import type { PdfObject } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import { arrange, type Arrangement } from './cover-arrangement.js';
import { COVER_CONTINUED_TOP, COVER_TABLE_TOP, COVER_TILES_TOP, coverPages } from './cover-layout.js';
import { drawInFull } from './cover-in-full.js';
import { coverTiles, totalsOf, type CoverRow } from './cover-rows.js';
import { CoverTable } from './cover-table.js';
import { drawRows, drawTableHead, headHeight } from './draw-table.js';
import { drawNotes, linesOfNotes, notesHeight, type Note } from './driver-notes.js';
import { drawBlocks } from './hand-blocks.js';
import { placeBlocks } from './hand-layout.js';
import { drawNotice } from './notice.js';
import { paragraph } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { continuationHead, drawContinuationHead, drawSectionHead, type ContinuationHead } from './section-frame.js';
import type { TableRow } from './table.js';
import { drawTiles } from './tiles.js';
import { COLOURS, CONTENT_BOTTOM, PAGE, RIGHT_EDGE } from './theme.js';

const BLOCKS_GAP = 12;

/**
 * The summary in front of a report: its figures and a line for every driver, those without a report first.
 * It stands first and is known last, so its pages are reserved at the start and drawn at the end.
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
    this.#continued = continuationHead(report, report.labels.coverTitle, [subject], 1);
    const [first] = this.#places;
    if (first !== undefined) report.bookmark(report.labels.coverTitle, first);
  }

  /** Draws the pages and pauses after each, so that its bytes can be taken. */
  *draw(rows: readonly CoverRow[]): Generator<void> {
    const report = this.#report;
    const ordered = [...rows.filter(({ kind }) => kind === 'failed'), ...rows.filter(({ kind }) => kind === 'day')];
    const arrangement = arrange(this.#table, ordered, this.#places.length);
    const inFull = linesOfNotes(
      report,
      arrangement.rows.flatMap((row) => row.inFull ?? []),
    );
    let table: StructureElement | undefined;
    let isComplete = true;
    for (const [index, place] of this.#places.entries()) {
      const page = report.newPage();
      const pages = this.#places.length;
      if (index === 0) this.#drawHead(page, rows);
      else drawContinuationHead(report, page, this.#continued, report.labels.pageOfCover(index + 1, pages));
      if (rows.length > 0) {
        // Begun here, so that it is read aloud after the heading.
        table ??= this.#section?.child('Table');
        const y = this.#drawTable(page, table, ordered, arrangement, index);
        if (index === pages - 1) isComplete = this.#drawEnd(page, inFull, y);
      }
      report.fillFrontMatter(place, page, index + 1);
      yield;
    }
    table?.end();
    if (!isComplete) yield* drawInFull(report, this.#section, this.#continued, inFull);
    this.#section?.end();
  }

  #drawHead(page: ReportPage, rows: readonly CoverRow[]): void {
    const { labels } = this.#report;
    drawSectionHead(this.#report, page, this.#section, labels.coverTitle);
    drawTiles(page, this.#section, coverTiles(labels, rows), COVER_TILES_TOP);
    if (rows.length === 0) {
      drawNotice(page, this.#section, labels.noDrivers, labels.noDriversDetail, COVER_TABLE_TOP);
      return;
    }
    const heading = { size: 10, weight: 'bold', colour: COLOURS.navy, width: 150 } as const;
    const baseline = COVER_TABLE_TOP - 6;
    paragraph(page, this.#section, 'H2', labels.driversHeading, PAGE.left, baseline, heading);
    const totals = totalsOf(rows);
    const failed = rows.length - totals.reports;
    const warnings = [
      ...(failed > 0 ? [`× ${labels.failedHeading(failed)}`] : []),
      ...(totals.listedTwice > 0 ? [labels.driversListedTwice(totals.listedTwice)] : []),
      ...(totals.excluded > 0 ? [labels.tripsExcluded(totals.excluded)] : []),
    ];
    if (warnings.length > 0) {
      const style = { size: 8, weight: 'bold', colour: COLOURS.red, align: 'right', width: 350 } as const;
      paragraph(page, this.#section, 'P', warnings.join('  '), RIGHT_EDGE - 350, baseline, style);
    }
  }

  /** @returns where the table ends on the page */
  #drawTable(
    page: ReportPage,
    table: StructureElement | undefined,
    ordered: readonly CoverRow[],
    { rows, padding, parts }: Arrangement,
    index: number,
  ): number {
    const { from, to } = parts[index] ?? { from: 0, to: 0 };
    const { columns } = this.#table;
    const { labels } = this.#report;
    const top = index === 0 ? COVER_TABLE_TOP : COVER_CONTINUED_TOP;
    drawTableHead(page, table, columns, top, index > 0);
    let y = top + headHeight(columns);
    if (index > 0) {
      const carried = this.#table.sumsOf(ordered.slice(0, from), labels.carriedForward, `carried to page ${index + 1}`);
      y = this.#drawSums(page, table, carried, y, padding);
    }
    const drawn = rows.slice(from, to).map(({ row }) => row);
    y = drawRows(page, table, columns, drawn, y, padding);
    if (to < rows.length) return y;
    return this.#drawSums(page, table, this.#table.sumsOf(ordered, labels.total, 'total'), y, padding);
  }

  #drawSums(
    page: ReportPage,
    table: StructureElement | undefined,
    sums: TableRow,
    top: number,
    padding: number,
  ): number {
    page.decoration(() => page.canvas.line([PAGE.left, top], [RIGHT_EDGE, top], { width: 0.8, colour: COLOURS.navy }));
    return drawRows(page, table, [], [sums], top + 1, padding) + 1;
  }

  /** Draws what stands below the table. @returns false when what was cut found no room there */
  #drawEnd(page: ReportPage, inFull: readonly Note[], top: number): boolean {
    const hasRoom = top + notesHeight(inFull) <= CONTENT_BOTTOM;
    const bottom = hasRoom ? drawNotes(page, this.#section, inFull, top) : top;
    const blocks = this.#report.blocks.filter((block) => block === 'remarks');
    const placed = placeBlocks(blocks, bottom + BLOCKS_GAP, CONTENT_BOTTOM);
    drawBlocks(this.#report, page, this.#section, placed, '');
    return hasRoom;
  }
}
