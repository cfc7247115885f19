import type { ShownTop } from '../day/shown-figures.js';
import { addOverLimit, NEVER_OVER, type OverLimit } from '../day/speed-series.js';
import type { FailureReason, ReportDriver } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import { wrapText } from '../text/wrap-text.js';
import { bold, cellOf, CELL_PROSE_SIZE, CELL_TEXT_SIZE, EMPTY_CELL, plain, prose, warning, type Cell } from './cell.js';
import { coverColumns, coverSumsColumns, failureColumns, listedTwiceColumns } from './cover-layout.js';
import type { SectionTotals } from './driver-section.js';
import type { Labels } from './labels.js';
import { count, grouped, hoursAndMinutes, kilometers } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import { TABLE, tableRow, type Column, type TableRow } from './table.js';
import { COLOURS } from './theme.js';
import type { Tile } from './tiles.js';
import { durationCell, overLimitLines, topSpeedCell } from './trip-table.js';

/** Line of a driver on the cover. `number` counts the drivers of the request from 1. */
export type CoverRow = { readonly number: number; readonly driver: ReportDriver } & (
  | { readonly kind: 'day'; readonly totals: SectionTotals; readonly page: PdfObject; readonly pageNumber: number }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly detail: string | undefined }
);

/** Returns the figures of a whole report. */
export function coverTiles(labels: Labels, rows: readonly CoverRow[]): readonly Tile[] {
  const totals = totalsOf(rows);
  const failed = rows.length - totals.reports;
  return [
    { label: labels.drivers, value: grouped(rows.length) },
    { label: labels.reports, value: grouped(totals.reports) },
    { label: labels.notAvailable, value: grouped(failed), isWarning: failed > 0 },
    { label: labels.distance, value: kilometers(totals.hectometers), unit: 'km' },
    { label: labels.driving, value: hoursAndMinutes(totals.drivingMinutes), unit: labels.hoursAndMinutes },
    { label: labels.driversOverLimit, value: grouped(totals.driversOverLimit), isWarning: totals.driversOverLimit > 0 },
  ];
}

/** Sums of the printed rows of the drivers. */
interface CoverTotals {
  reports: number;
  /** Pages of drivers counted on another page. */
  listedTwice: number;
  /** Trips that do not count, on all counted pages. */
  excluded: number;
  trips: number;
  hectometers: number;
  drivingMinutes: number;
  top: ShownTop | null;
  overLimit: OverLimit;
  driversOverLimit: number;
  /** Number of gaps in the driving record. */
  gaps: number;
  driversBeyondRules: number;
  driversWithoutAddresses: number;
}

/** Adds up the rows of a cover. */
export function totalsOf(rows: readonly CoverRow[]): CoverTotals {
  const sum: CoverTotals = {
    reports: 0,
    listedTwice: 0,
    excluded: 0,
    trips: 0,
    hectometers: 0,
    drivingMinutes: 0,
    top: null,
    overLimit: NEVER_OVER,
    gaps: 0,
    driversBeyondRules: 0,
    driversOverLimit: 0,
    driversWithoutAddresses: 0,
  };
  for (const row of rows) {
    if (row.kind === 'failed') continue;
    const { totals } = row;
    sum.reports += 1;
    if (totals.addressesMissing) sum.driversWithoutAddresses += 1;
    if (totals.countedOnPage !== undefined) {
      sum.listedTwice += 1;
      continue;
    }
    sum.excluded += totals.impossible;
    sum.trips += totals.trips;
    sum.hectometers += totals.hectometers;
    sum.drivingMinutes += totals.drivingMinutes;
    sum.overLimit = addOverLimit(sum.overLimit, totals.overLimit);
    sum.gaps += totals.gaps;
    if (totals.isBeyondRules) sum.driversBeyondRules += 1;
    if (totals.tripsOverLimit > 0) sum.driversOverLimit += 1;
    if (totals.top !== null && totals.top.kmh > (sum.top?.kmh ?? -1)) sum.top = totals.top;
  }
  return sum;
}

/** Maximum lines of a name, a code or a vehicle, and of a reason. */
const MAX_NAME_LINES = 2;
const MAX_REASON_LINES = 3;

/** Row of the cover and, in full, its cut texts. */
export interface CoverTableRow {
  readonly row: TableRow;
  readonly inFull: string | undefined;
}

/** Makes the rows of the cover's table. */
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

  /** Makes the row of a driver. @param isSingle prevents wrapping */
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
      totals.isBeyondRules
        ? warning(plain(`▲ ${hoursAndMinutes(totals.drivingMinutes)}`))
        : durationCell(totals.drivingMinutes),
      topSpeedCell(unmarked(totals.top), totals.tripsOverLimit > 0),
      this.#overLimitCell(totals.overLimit, isSingle),
      excludedCell(totals.impossible),
      pageCell,
    ];
    const background = index % 2 === 1 ? COLOURS.panel : undefined;
    return { row: tableRow(this.columns, cells, { background, name }), inFull: inFull() };
  }

  /** Makes a row of sums. @param name of the row, for references by its cells */
  sumsOf(rows: readonly CoverRow[], label: string, name: string): TableRow {
    const totals = totalsOf(rows);
    const top = topSpeedCell(unmarked(totals.top), totals.driversOverLimit > 0);
    const cells = [
      { ...bold(label), isHeader: true },
      bold(count(totals.trips)),
      bold(kilometers(totals.hectometers)),
      bold(hoursAndMinutes(totals.drivingMinutes)),
      totals.driversOverLimit > 0 ? top : { ...top, weight: 'bold' as const, colour: COLOURS.navy },
      this.#overLimitCell(totals.overLimit, false),
      excludedCell(totals.excluded),
      EMPTY_CELL,
    ];
    return tableRow(this.#sumsColumns, cells, { hasOwnColumns: true, name });
  }

  /**
   * Makes the cell with number and duration of the times over the limit; empty without any, and shortened in a single
   * line.
   */
  #overLimitCell(overLimit: OverLimit, isSingle: boolean): Cell {
    const width =
      (this.columns.find(({ heading }) => heading === this.#report.labels.overLimit)?.width ?? 0) - 2 * TABLE.padding;
    const lines = overLimitLines(this.#report, overLimit, width);
    return lines.length === 0
      ? EMPTY_CELL
      : warning(cellOf((isSingle ? lines.slice(0, 1) : lines).map((text) => ({ text, size: CELL_TEXT_SIZE }))));
  }
}

/** Makes the cell with the number of trips that do not count; empty if all count. */
function excludedCell(trips: number): Cell {
  return trips === 0 ? EMPTY_CELL : warning(plain(`× ${grouped(trips)}`));
}

/** Removes the source mark of a top speed; only the page of the driver explains it. */
function unmarked(top: ShownTop | null): ShownTop | null {
  return top === null ? null : { ...top, source: 'both' };
}

function warningRow(name: string, cells: readonly Cell[], columns: readonly Column[]): TableRow {
  return tableRow(columns, cells, { background: COLOURS.redWash, hasOwnColumns: true, name });
}

/** Returns the number of the vehicle or, if unknown, the id of the mobile. */
function vehicleOf({ vehicle, mobileId }: ReportDriver): string {
  return vehicle === undefined || cleanText(vehicle.num) === '' ? mobileId : vehicle.num;
}

function fullTextOf({ number, driver }: CoverRow, reason = ''): string {
  const texts = [driver.employeeName, driver.employeeCode, vehicleOf(driver), reason];
  return [`No. ${number}`, ...texts.map(cleanText).filter(Boolean)].join('  ');
}

/** Makes cells of words within a maximum number of lines. */
class FittedCells {
  readonly #report: ReportDocument;
  readonly #maxLines: number;
  readonly #weight: 'regular' | 'bold';
  /** True if a cell was cut. */
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
