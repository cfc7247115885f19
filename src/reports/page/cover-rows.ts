import type { OverLimit } from '../day/day-trip.js';
import type { FailureReason, ReportDriver } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import { bold, cellOf, CELL_TEXT_SIZE, EMPTY_CELL, plain, warning, type Cell } from './cell.js';
import { count, grouped, hoursAndMinutes, kilometers } from './number-format.js';
import type { SectionTotals } from './driver-section.js';
import type { Labels } from './labels.js';
import type { Tile } from './tiles.js';
import { overLimitText, topSpeedCell } from './trip-table.js';
import { COLOURS } from './theme.js';
import type { ShownTop } from '../day/shown-figures.js';

/** A driver's line on the cover. `number` counts the drivers of the request from 1. */
export type CoverRow = { readonly number: number; readonly driver: ReportDriver } & (
  | { readonly kind: 'day'; readonly totals: SectionTotals; readonly page: PdfObject; readonly pageNumber: number }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly detail: string | undefined }
);

/** The figures of a whole report. */
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

/** A line of sums of the cover table, without its name. */
export function coverSums(totals: CoverTotals): readonly Cell[] {
  return [
    bold(count(totals.trips)),
    bold(kilometers(totals.hectometers)),
    bold(hoursAndMinutes(totals.drivingMinutes)),
    totals.driversOverLimit > 0
      ? topSpeedCell(unmarked(totals.top), true)
      : { ...topSpeedCell(unmarked(totals.top), false), weight: 'bold', colour: COLOURS.navy },
    overLimitCell(totals.overLimit),
    excludedCell(totals.excluded),
    EMPTY_CELL,
  ];
}

/** More than this does not stand beside its duration. */
const MAX_IN_ONE_LINE = 99;

/** How often and for how long a driver was over the limit; empty when never. */
export function overLimitCell(overLimit: OverLimit): Cell {
  const { stretches, minutes } = overLimit;
  if (stretches === 0) return EMPTY_CELL;
  if (stretches <= MAX_IN_ONE_LINE && minutes < 600) return warning(plain(overLimitText(overLimit)));
  const lines = [`${grouped(stretches)}×`, hoursAndMinutes(minutes)];
  return warning(cellOf(lines.map((text) => ({ text, size: CELL_TEXT_SIZE }))));
}

/** How many trips do not count; empty when all do. */
export function excludedCell(trips: number): Cell {
  return trips === 0 ? EMPTY_CELL : warning(plain(`× ${grouped(trips)}`));
}

/** A top speed without the mark of its source, which the page of the driver explains. */
export function unmarked(top: ShownTop | null): ShownTop | null {
  return top === null ? null : { ...top, source: 'both' };
}

/** Sums of what stands in the rows of the drivers, as it stands there. */
export interface CoverTotals {
  reports: number;
  /** Pages of drivers who are counted on another page. */
  listedTwice: number;
  /** Trips that do not count, on all pages that do. */
  excluded: number;
  trips: number;
  hectometers: number;
  drivingMinutes: number;
  top: ShownTop | null;
  overLimit: OverLimit;
  driversOverLimit: number;
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
    overLimit: { stretches: 0, minutes: 0 },
    driversOverLimit: 0,
  };
  for (const row of rows) {
    if (row.kind === 'failed') continue;
    const { totals } = row;
    sum.reports += 1;
    if (totals.countedOnPage !== undefined) {
      sum.listedTwice += 1;
      continue;
    }
    sum.excluded += totals.impossible;
    sum.trips += totals.trips;
    sum.hectometers += totals.hectometers;
    sum.drivingMinutes += totals.drivingMinutes;
    sum.overLimit = {
      stretches: sum.overLimit.stretches + totals.overLimit.stretches,
      minutes: sum.overLimit.minutes + totals.overLimit.minutes,
    };
    if (totals.tripsOverLimit > 0) sum.driversOverLimit += 1;
    if (totals.top !== null && totals.top.kmh > (sum.top?.kmh ?? -1)) sum.top = totals.top;
  }
  return sum;
}
