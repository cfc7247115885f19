import type { DayTotals } from '../day/driver-day.js';
import type { ReportDriver } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import { bold, EMPTY_CELL, type Cell } from './cell.js';
import { count, duration, grouped, kilometers, speed } from './number-format.js';
import type { Labels } from './labels.js';
import type { Tile } from './section-frame.js';
import { topSpeedCell } from './trip-table.js';

/** A driver's line on the cover. `number` counts the drivers of the request from 1. */
export type CoverRow = { readonly number: number; readonly driver: ReportDriver } & (
  | { readonly kind: 'day'; readonly totals: DayTotals; readonly page: PdfObject; readonly pageNumber: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
);

/** The figures of a whole report. */
export function coverTiles(labels: Labels, rows: readonly CoverRow[]): readonly Tile[] {
  const totals = totalsOf(rows);
  const failed = rows.length - totals.reports;
  return [
    { label: labels.drivers, value: grouped(rows.length) },
    { label: labels.reports, value: grouped(totals.reports) },
    { label: labels.notAvailable, value: grouped(failed), isWarning: failed > 0 },
    { label: labels.distance, value: kilometers(totals.meters), unit: 'km' },
    { label: labels.drivingTime, value: duration(totals.seconds), unit: labels.hoursAndMinutes },
    { label: labels.driversOverLimit, value: grouped(totals.driversOverLimit), isWarning: totals.driversOverLimit > 0 },
  ];
}

/** The last line of the cover table. */
export function coverTotalsRow(labels: Labels, rows: readonly CoverRow[]): readonly Cell[] {
  const totals = totalsOf(rows);
  return [
    EMPTY_CELL,
    { ...bold(labels.total), isHeader: true },
    EMPTY_CELL,
    EMPTY_CELL,
    bold(count(totals.trips)),
    bold(kilometers(totals.meters)),
    bold(duration(totals.seconds)),
    totals.driversOverLimit > 0 ? topSpeedCell(totals.topKmh, true) : bold(speed(totals.topKmh)),
    EMPTY_CELL,
  ];
}

interface CoverTotals {
  reports: number;
  trips: number;
  meters: number;
  seconds: number;
  topKmh: number | null;
  driversOverLimit: number;
}

function totalsOf(rows: readonly CoverRow[]): CoverTotals {
  const sum: CoverTotals = { reports: 0, trips: 0, meters: 0, seconds: 0, topKmh: null, driversOverLimit: 0 };
  for (const row of rows) {
    if (row.kind === 'failed') continue;
    sum.reports += 1;
    sum.trips += row.totals.trips;
    sum.meters += row.totals.meters;
    sum.seconds += row.totals.seconds;
    if (row.totals.tripsOverLimit > 0) sum.driversOverLimit += 1;
    if (row.totals.topKmh !== null) sum.topKmh = Math.max(sum.topKmh ?? 0, row.totals.topKmh);
  }
  return sum;
}
