import { highest } from '../day/day-totals.js';
import type { ShownTop } from '../day/shown-figures.js';
import { type OverLimit, sumOfOverLimit } from '../day/speed-series.js';
import type { FailureReason, ReportDriver } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import type { FontWeight } from '../text/font-families.js';
import { coverColumns } from './cover-layout.js';
import type { SectionTotals } from './driver-section.js';
import type { Labels } from './labels-en.js';
import { count, distanceOf, drivingOf, grouped } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import {
  bold,
  type Cell,
  type Column,
  EMPTY_CELL,
  joined,
  plain,
  prose,
  tableRow,
  type TableRow,
  warning,
  wrapInto,
} from './table.js';
import { COLOURS } from './theme.js';
import type { Tile } from './tiles.js';
import { durationCell, fitsInto, timesOver, topSpeedCell } from './trip-table.js';

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
    { label: labels.distance, value: distanceOf(totals), unit: 'km' },
    { label: labels.driving, value: drivingOf(totals), unit: labels.hoursAndMinutes },
    { label: labels.driversOverLimit, value: grouped(totals.driversOverLimit), isWarning: totals.driversOverLimit > 0 },
  ];
}

/** Adds up the printed rows of the drivers. Pages of vehicles that count on another page add to `listedTwice` alone. */
export function totalsOf(rows: readonly CoverRow[]) {
  const reports = rows.flatMap((row) => (row.kind === 'day' ? [row.totals] : []));
  const counted = reports.filter((each) => each.counted === undefined);
  const sum = (figure: (totals: SectionTotals) => number): number =>
    counted.reduce((total, each) => total + figure(each), 0);
  const countOf = (isMeant: (totals: SectionTotals) => boolean): number => counted.filter(isMeant).length;
  const countedAgain = (isSame: boolean): number => reports.filter((each) => each.counted?.isSame === isSame).length;
  return {
    reports: reports.length,
    listedTwice: countedAgain(true),
    sharedVehicles: countedAgain(false),
    driversWithoutAddresses: reports.filter(({ addressesMissing }) => addressesMissing).length,
    excluded: sum(({ impossible }) => impossible),
    trips: sum(({ trips }) => trips),
    hectometers: sum(({ hectometers }) => hectometers),
    lacking: {
      distances: sum(({ lacking }) => lacking.distances),
      idlings: sum(({ lacking }) => lacking.idlings),
      drivings: sum(({ lacking }) => lacking.drivings),
    },
    drivingMinutes: sum(({ drivingMinutes }) => drivingMinutes),
    overLimit: sumOfOverLimit(counted),
    gaps: sum(({ gaps }) => gaps),
    driversBeyondRules: countOf(({ isBeyondRules }) => isBeyondRules),
    driversOverLimit: countOf(({ tripsOverLimit }) => tripsOverLimit > 0),
    top: highest(counted.map(({ top }) => top)),
  };
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
  /** Columns with one wide column for the reason of a failure, in place of all figures. */
  readonly #failureColumns: readonly Column[];
  /** Columns with one wide column before the page, for a driver listed again. */
  readonly #listedTwiceColumns: readonly Column[];
  /** Columns with one wide column for the label of the sums. */
  readonly #sumsColumns: readonly Column[];

  constructor(report: ReportDocument) {
    this.#report = report;
    this.columns = coverColumns(report.labels, report.options.driverCount);
    this.#failureColumns = joined(this.columns, 4);
    this.#listedTwiceColumns = joined(this.columns, 4, this.columns.length - 1);
    this.#sumsColumns = joined(this.columns, 0, 4);
  }

  /** Makes the row of a driver. @param isSingle prevents wrapping */
  rowOf(row: CoverRow, index: number, isSingle: boolean): CoverTableRow {
    const { labels } = this.#report;
    let isCut = false;
    const fit = (value: string, column: Column | undefined, maxLines: number, weight?: FontWeight): Cell => {
      if (cleanText(value) === '') return prose([NO_VALUE]);
      const lines = isSingle ? 1 : maxLines;
      const wrapped = wrapInto(this.#report.typesetter, value, column?.width ?? 0, lines, weight);
      isCut ||= wrapped.isCut;
      return prose(wrapped.lines, wrapped.lineHeight);
    };
    const name = `driver ${row.number}`;
    const head = [
      plain(String(row.number)),
      { ...fit(row.driver.employeeName, this.columns[1], MAX_NAME_LINES), isHeader: true },
      fit(row.driver.employeeCode, this.columns[2], MAX_NAME_LINES),
      fit(vehicleOf(row.driver), this.columns[3], MAX_NAME_LINES),
    ];
    const warningRow = (columns: readonly Column[], text: string, ...others: readonly Cell[]): TableRow => {
      const cells = [...head, warning(fit(text, columns[4], MAX_REASON_LINES, 'bold')), ...others];
      return tableRow(columns, cells, { background: COLOURS.redWash, hasOwnColumns: true, name });
    };
    const made = (drawn: TableRow, reason = ''): CoverTableRow => ({
      row: drawn,
      inFull: isCut ? fullTextOf(row, reason) : undefined,
    });
    if (row.kind === 'failed') {
      const reason = labels.failure(row.reason, row.detail);
      return made(warningRow(this.#failureColumns, reason), reason);
    }
    const { totals } = row;
    const contents = [row.driver.employeeName, labels.page, grouped(row.pageNumber)].map(cleanText).join(' ');
    const page = grouped(row.pageNumber);
    const link = { page: row.page, contents };
    // The page says which figure is longer than its limit.
    const pageCell = { ...(totals.isBeyondRules ? warning(plain(page, '▲')) : plain(page)), link };
    if (totals.counted !== undefined) {
      return made(warningRow(this.#listedTwiceColumns, labels.countedBefore(totals.counted), pageCell));
    }
    const cells = [
      ...head,
      plain(count(totals.trips)),
      plain(distanceOf(totals)),
      durationCell(totals.drivingMinutes, drivingOf(totals)),
      topSpeedCell(unmarked(totals.top), totals.tripsOverLimit > 0),
      this.#overLimitCell(totals.overLimit, isSingle),
      excludedCell(totals.impossible),
      pageCell,
    ];
    return made(tableRow(this.columns, cells, { background: index % 2 === 1 ? COLOURS.panel : undefined, name }));
  }

  /** Makes a row of sums. @param name of the row, for references by its cells */
  sumsOf(rows: readonly CoverRow[], label: string, name: string): TableRow {
    const totals = totalsOf(rows);
    const top = topSpeedCell(unmarked(totals.top), totals.driversOverLimit > 0);
    const cells = [
      { ...bold(label), isHeader: true },
      bold(count(totals.trips)),
      bold(distanceOf(totals)),
      bold(drivingOf(totals)),
      totals.driversOverLimit > 0 ? top : { ...top, weight: 'bold' as const, colour: COLOURS.navy },
      this.#overLimitCell(totals.overLimit, false),
      excludedCell(totals.excluded),
      EMPTY_CELL,
    ];
    return tableRow(this.#sumsColumns, cells, { hasOwnColumns: true, name });
  }

  /** Makes the cell with number and duration of the times over the limit; empty without any. */
  #overLimitCell(overLimit: OverLimit, isSingle: boolean): Cell {
    const { labels } = this.#report;
    const column = this.columns.find(({ heading }) => heading === labels.overLimit);
    const lines = timesOver(labels, overLimit, (text) => fitsInto(this.#report, column, text));
    return lines.length === 0 ? EMPTY_CELL : warning(plain(...(isSingle ? lines.slice(0, 1) : lines)));
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

/** Returns the number of the vehicle or, if unknown, the id of the mobile. */
function vehicleOf({ vehicle, mobileId }: ReportDriver): string {
  return vehicle === undefined || cleanText(vehicle.num) === '' ? mobileId : vehicle.num;
}

function fullTextOf({ number, driver }: CoverRow, reason: string): string {
  const texts = [driver.employeeName, driver.employeeCode, vehicleOf(driver), reason];
  return [`No. ${number}`, ...texts.map(cleanText).filter(Boolean)].join('  ');
}
