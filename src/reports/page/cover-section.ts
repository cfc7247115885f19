import type { PdfObject } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import { fitLine } from '../text/fit-text.js';
import { CELL_TEXT_SIZE, cellOf, plain, type Cell } from './cell.js';
import { COVER_TABLE_TOP, coverColumns, driversOnPages, failureColumns, listedTwiceColumns } from './cover-layout.js';
import {
  coverTiles,
  coverTotalsRow,
  excludedCell,
  overLimitCell,
  totalsOf,
  unmarked,
  type CoverRow,
} from './cover-rows.js';
import { count, grouped, kilometers } from './number-format.js';
import { drawNotice, drawRemarks } from './notice-and-remarks.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { drawContinuationHead, drawSectionHead, drawTiles, paragraph } from './section-frame.js';
import { drawRows, drawTableHead, TABLE, tableRow, type Column, type TableRow } from './table.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { durationCell, topSpeedCell } from './trip-table.js';

/**
 * The summary in front of a report: its figures and a line for every driver, those without a report first.
 * It stands first and is known last, so its pages are reserved at the start and drawn at the end.
 */
export class CoverSection {
  readonly #report: ReportDocument;
  readonly #places: readonly PdfObject[];
  readonly #section: StructureElement | undefined;
  readonly #driversOnPages: readonly number[];

  constructor(report: ReportDocument) {
    this.#report = report;
    this.#driversOnPages = driversOnPages(report.options.driverCount);
    this.#places = this.#driversOnPages.map(() => report.file.pages.reserveFrontMatter());
    this.#section = report.structure?.document.child('Sect');
    const [first] = this.#places;
    if (first !== undefined) report.bookmark(report.labels.coverTitle, first);
  }

  /** Draws the pages and pauses after each, so that its bytes can be taken. */
  *draw(rows: readonly CoverRow[]): Generator<void> {
    const report = this.#report;
    const ordered = [...rows.filter(({ kind }) => kind === 'failed'), ...rows.filter(({ kind }) => kind === 'day')];
    let table: StructureElement | undefined;
    let next = 0;
    for (const [index, place] of this.#places.entries()) {
      const page = report.newPage();
      const isFirst = index === 0;
      if (isFirst) this.#drawHead(page, rows);
      else drawContinuationHead(report, page, report.labels.coverTitle, report.options.org ?? '');
      const end = next + (this.#driversOnPages[index] ?? 0);
      if (rows.length > 0) {
        // Begun here, so that it is read aloud after the heading.
        table ??= this.#section?.child('Table');
        const isLast = index === this.#places.length - 1;
        this.#drawTable(page, table, ordered.slice(next, end), isFirst, isLast ? rows : undefined);
      }
      next = end;
      report.fillFrontMatter(place, page, index + 1);
      yield;
    }
    table?.end();
    this.#section?.end();
  }

  #drawHead(page: ReportPage, rows: readonly CoverRow[]): void {
    const { labels } = this.#report;
    drawSectionHead(this.#report, page, this.#section, labels.coverTitle);
    drawTiles(page, this.#section, coverTiles(labels, rows), 112);
    if (rows.length === 0) {
      drawNotice(page, this.#section, labels.noDrivers, labels.noDriversDetail, 182);
      return;
    }
    const heading = { size: 10, weight: 'bold', colour: COLOURS.navy, width: 200 } as const;
    const baseline = COVER_TABLE_TOP.first - 7;
    paragraph(page, this.#section, 'H2', labels.driversHeading, PAGE.margin, baseline, heading);
    const totals = totalsOf(rows);
    const failed = rows.length - totals.reports;
    const warnings = [
      ...(failed > 0 ? [`× ${labels.failedHeading(failed)}`] : []),
      ...(totals.listedTwice > 0 ? [labels.driversListedTwice(totals.listedTwice)] : []),
      ...(totals.excluded > 0 ? [labels.tripsExcluded(totals.excluded)] : []),
    ];
    if (warnings.length > 0) {
      const warning = { size: 8, weight: 'bold', colour: COLOURS.red, align: 'right', width: 400 } as const;
      paragraph(page, this.#section, 'P', warnings.join('  '), RIGHT_EDGE - 400, baseline, warning);
    }
  }

  #drawTable(
    page: ReportPage,
    table: StructureElement | undefined,
    rows: readonly CoverRow[],
    isFirst: boolean,
    totalled: readonly CoverRow[] | undefined,
  ): void {
    const { labels } = this.#report;
    const columns = coverColumns(labels);
    const top = isFirst ? COVER_TABLE_TOP.first : COVER_TABLE_TOP.continued;
    drawTableHead(page, table, columns, top, !isFirst);
    const lines = rows.map((row, index) => ({
      ...this.#rowOf(row, columns, index % 2 === 1),
      name: `driver ${row.number}`,
    }));
    const y = drawRows(page, table, columns, lines, top + TABLE.headHeight);
    page.decoration(() => page.canvas.line([PAGE.margin, y], [RIGHT_EDGE, y], { width: 0.8, colour: COLOURS.navy }));
    if (totalled === undefined) return;
    drawRows(page, table, columns, [{ ...tableRow(coverTotalsRow(labels, totalled)), name: 'total' }], y + 0.5);
    drawRemarks(this.#report, page, this.#section, y + TABLE.row + 16);
  }

  #rowOf(row: CoverRow, columns: readonly Column[], isOdd: boolean): TableRow {
    const { driver } = row;
    const head = [
      { ...plain(String(row.number)), colour: COLOURS.muted },
      { ...this.#fitted(driver.employeeName, columns[1]), isHeader: true },
      this.#fitted(driver.employeeCode, columns[2]),
      this.#fitted(driver.mobileId, columns[3]),
    ];
    if (row.kind === 'failed') {
      const wide = failureColumns(columns);
      const reason = this.#fitted(`× ${row.code}: ${row.message}`, wide[4]);
      const cells: Cell[] = [...head, { ...reason, colour: COLOURS.red, weight: 'bold' }];
      return tableRow(cells, COLOURS.redWash, wide);
    }
    const { totals } = row;
    const { labels } = this.#report;
    const contents = [driver.employeeName, labels.page, grouped(row.pageNumber)].map(cleanText).join(' ');
    const pageCell = { ...plain(grouped(row.pageNumber)), colour: COLOURS.blue, link: { page: row.page, contents } };
    if (totals.countedOnPage !== undefined) {
      const wide = listedTwiceColumns(columns);
      const reason = this.#fitted(labels.listedTwice(totals.countedOnPage), wide[4]);
      const cells: Cell[] = [...head, { ...reason, colour: COLOURS.red, weight: 'bold' }, pageCell];
      return tableRow(cells, COLOURS.redWash, wide);
    }
    const cells = [
      ...head,
      plain(count(totals.trips)),
      plain(kilometers(totals.hectometers)),
      durationCell(totals.drivingMinutes),
      topSpeedCell(unmarked(totals.top), totals.tripsOverLimit > 0),
      overLimitCell(totals.overLimit),
      excludedCell(totals.impossible),
      pageCell,
    ];
    return tableRow(cells, isOdd ? COLOURS.panel : undefined);
  }

  #fitted(value: string, column: Column | undefined): Cell {
    const width = (column?.width ?? CONTENT_WIDTH) - 2 * TABLE.padding;
    const line = fitLine(this.#report.typesetter, value, 'regular', CELL_TEXT_SIZE, width);
    return line.text === '' ? plain(NO_VALUE) : cellOf([line]);
  }
}
