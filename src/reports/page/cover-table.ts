import type { ReportDriver } from '../model.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import { wrapText } from '../text/wrap-text.js';
import { bold, CELL_PROSE_SIZE, plain, prose, warning, type Cell } from './cell.js';
import { coverColumns, coverSumsColumns, failureColumns, listedTwiceColumns } from './cover-layout.js';
import { coverSums, excludedCell, overLimitCell, totalsOf, unmarked, type CoverRow } from './cover-rows.js';
import { count, grouped, kilometers } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import { TABLE, tableRow, type Column, type TableRow } from './table.js';
import { COLOURS } from './theme.js';
import { durationCell, topSpeedCell } from './trip-table.js';

/** Lines of a name, a code or a vehicle, and of a reason. */
const MAX_NAME_LINES = 2;
const MAX_REASON_LINES = 3;

/** A row of the cover and, in full, what of it had to be cut. */
export interface CoverTableRow {
  readonly row: TableRow;
  readonly inFull: string | undefined;
}

/** The rows of the cover's table. */
export class CoverTable {
  readonly #report: ReportDocument;
  readonly columns: readonly Column[];
  readonly #failureColumns: readonly Column[];
  readonly #listedTwiceColumns: readonly Column[];
  readonly #sumsColumns: readonly Column[];

  constructor(report: ReportDocument) {
    this.#report = report;
    this.columns = coverColumns(report.labels, report.options.driverCount);
    this.#failureColumns = failureColumns(this.columns);
    this.#listedTwiceColumns = listedTwiceColumns(this.columns);
    this.#sumsColumns = coverSumsColumns(this.columns);
  }

  /** The row of a driver. @param isSingle whether nothing may wrap */
  rowOf(row: CoverRow, index: number, isSingle: boolean): CoverTableRow {
    const { labels } = this.#report;
    const names = new FittedCells(this.#report, isSingle ? 1 : MAX_NAME_LINES);
    const name = `driver ${row.number}`;
    const head = [
      plain(String(row.number)),
      { ...names.fit(row.driver.employeeName, this.columns[1]), isHeader: true },
      names.fit(row.driver.employeeCode, this.columns[2]),
      names.fit(vehicleOf(row.driver), this.columns[3]),
    ];
    const reasons = new FittedCells(this.#report, isSingle ? 1 : MAX_REASON_LINES, 'bold');
    const inFull = (reason?: string): string | undefined =>
      names.isCut || reasons.isCut ? fullTextOf(row, reason) : undefined;
    if (row.kind === 'failed') {
      const reason = labels.failure(row.reason, row.detail);
      const cell = warning(reasons.fit(reason, this.#failureColumns[4]));
      return { row: warningRow(name, [...head, cell], this.#failureColumns), inFull: inFull(reason) };
    }
    const { totals } = row;
    const contents = [row.driver.employeeName, labels.page, grouped(row.pageNumber)].map(cleanText).join(' ');
    const pageCell = { ...plain(grouped(row.pageNumber)), link: { page: row.page, contents } };
    if (totals.countedOnPage !== undefined) {
      const cell = warning(reasons.fit(labels.listedTwice(totals.countedOnPage), this.#listedTwiceColumns[4]));
      return { row: warningRow(name, [...head, cell, pageCell], this.#listedTwiceColumns), inFull: inFull() };
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
    const background = index % 2 === 1 ? COLOURS.panel : undefined;
    return { row: tableRow(this.columns, cells, { background, name }), inFull: inFull() };
  }

  /** The sums of rows. @param name of the row, for its cells to refer to */
  sumsOf(rows: readonly CoverRow[], label: string, name: string): TableRow {
    const cells = [{ ...bold(label), isHeader: true }, ...coverSums(totalsOf(rows))];
    return tableRow(this.#sumsColumns, cells, { hasOwnColumns: true, name });
  }
}

function warningRow(name: string, cells: readonly Cell[], columns: readonly Column[]): TableRow {
  return tableRow(columns, cells, { background: COLOURS.redWash, hasOwnColumns: true, name });
}

/** The number of the vehicle; where it is not known, that of the mobile. */
function vehicleOf({ vehicle, mobileId }: ReportDriver): string {
  return vehicle === undefined || cleanText(vehicle.num) === '' ? mobileId : vehicle.num;
}

function fullTextOf({ number, driver }: CoverRow, reason = ''): string {
  const texts = [driver.employeeName, driver.employeeCode, vehicleOf(driver), reason];
  return [`No. ${number}`, ...texts.map(cleanText).filter(Boolean)].join('  ');
}

/** Cells of words in as many lines as they may have. */
class FittedCells {
  readonly #report: ReportDocument;
  readonly #maxLines: number;
  readonly #weight: 'regular' | 'bold';
  /** Whether any of them had to be cut. */
  isCut = false;

  constructor(report: ReportDocument, maxLines: number, weight: 'regular' | 'bold' = 'regular') {
    this.#report = report;
    this.#maxLines = maxLines;
    this.#weight = weight;
  }

  fit(value: string, column: Column | undefined): Cell {
    if (cleanText(value) === '') return prose([NO_VALUE]);
    const { lines, isCut } = wrapText(this.#report.typesetter, value, {
      weight: this.#weight,
      size: CELL_PROSE_SIZE,
      maxWidth: (column?.width ?? 0) - 2 * TABLE.padding,
      maxLines: this.#maxLines,
    });
    this.isCut ||= isCut;
    return prose(lines);
  }
}
