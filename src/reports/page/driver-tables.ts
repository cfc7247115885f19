import { totalsOf } from '../day/day-totals.js';
import type { DriverDay } from '../day/driver-day.js';
import type { StructureElement } from '../pdf/structure.js';
import { breakRows, breakTotalsRow, CANDIDATE_MINUTES } from './break-table.js';
import { drawRows, drawTableHead, headHeight } from './draw-table.js';
import { breakColumns, tripColumns } from './driver-layout.js';
import {
  cutAddresses,
  drawNotes,
  linesOfNotes,
  marksOf,
  notesHeight,
  notesOfRules,
  type Note,
} from './driver-notes.js';
import { planDriver, SUMS_GAP, type DriverPlan, type TablePart } from './driver-plan.js';
import { paragraph } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { rowHeight, type Column, type TableRow } from './table.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { totalsRow, tripRows } from './trip-table.js';

/** Position of the number of gaps, behind the heading of the breaks. */
const GAPS_LEFT = 120;

/** Facts told in notes, besides those of the day. */
export interface PageNotes {
  /** Texts cut at the head of the first page, in full. */
  readonly cut: readonly string[];
  /** True if the addresses could not be looked up. */
  readonly addressesMissing: boolean;
}

/** Both tables of a day and their rows. */
export class DriverTables {
  readonly #report: ReportDocument;
  readonly #section: StructureElement | undefined;
  readonly #day: DriverDay;
  /** Meanings of the marks in the trip table, below it. */
  readonly #marks: readonly Note[];
  /** Notes below both tables. */
  readonly #below: readonly Note[];
  readonly #tripColumns: readonly Column[];
  readonly #breakColumns: readonly Column[];
  readonly #trips: readonly (readonly TableRow[])[];
  readonly #breaks: readonly TableRow[];
  #tripTable: StructureElement | undefined;
  #breakTable: StructureElement | undefined;

  constructor(
    report: ReportDocument,
    section: StructureElement | undefined,
    day: DriverDay,
    { cut, addressesMissing }: PageNotes,
  ) {
    this.#report = report;
    this.#section = section;
    this.#day = day;
    this.#tripColumns = tripColumns(report.labels);
    this.#breakColumns = breakColumns(report.labels);
    this.#trips = day.trips.map((trip, index) => tripRows(report, trip, index, this.#tripColumns));
    this.#breaks = breakRows(report, day, this.#breakColumns);
    const inFull = [...cut, ...cutAddresses(report, day.trips)];
    this.#below = [...notesOfRules(report, day), ...linesOfNotes(report, inFull)];
    this.#marks = marksOf(report, day, addressesMissing);
  }

  /** Divides the tables and the parts to fill in by hand among pages. */
  plan(continuedTop: number): DriverPlan {
    return planDriver({
      trips: this.#trips,
      tripColumns: this.#tripColumns,
      notesHeight: notesHeight(this.#marks),
      breaks: this.#breaks,
      breakColumns: this.#breakColumns,
      below: this.#below,
      sums: this.#tripSums(this.#trips.length, ''),
      blocks: this.#report.blocks,
      continuedTop,
    });
  }

  /** Draws a part of the trips, with the sums before it or below it. */
  drawTrips(page: ReportPage, { top, from, to, isContinued }: TablePart, padding: number): void {
    const { labels } = this.#report;
    const columns = this.#tripColumns;
    if (!isContinued) this.#drawTripsHeading(page, top - 6);
    const table = (this.#tripTable ??= this.#section?.child('Table'));
    drawTableHead(page, table, columns, top, isContinued);
    let y = top + headHeight(columns);
    if (isContinued) {
      const carried = this.#tripSums(from, labels.carriedForward);
      y = this.#drawSums(page, table, carried, y, padding);
    }
    y = drawRows(page, table, columns, this.#trips.slice(from, to).flat(), y, padding);
    if (to < this.#trips.length) return;
    y = this.#drawSums(page, table, this.#tripSums(to, labels.total), y, padding);
    drawNotes(page, this.#section, this.#marks, y);
  }

  /** Draws a part of the breaks. */
  drawBreaks(page: ReportPage, { top, from, to, isContinued }: TablePart, padding: number): void {
    const { labels } = this.#report;
    const columns = this.#breakColumns;
    const heading = { size: 10, weight: 'bold', colour: COLOURS.navy, width: CONTENT_WIDTH / 2 } as const;
    if (!isContinued) {
      paragraph(page, this.#section, 'H2', labels.breaksHeading, PAGE.left, top - 5, heading);
      const note = { size: 7, align: 'right', width: CONTENT_WIDTH / 2 } as const;
      const { gaps } = this.#day.totals;
      const text = labels.breakNote(CANDIDATE_MINUTES);
      paragraph(page, this.#section, 'P', text, PAGE.left + CONTENT_WIDTH / 2, top - 5, note);
      if (gaps > 0) {
        const style = { size: 8, weight: 'bold', colour: COLOURS.red, width: CONTENT_WIDTH / 2 } as const;
        paragraph(page, this.#section, 'P', labels.gaps(gaps), PAGE.left + GAPS_LEFT, top - 5, style);
      }
    }
    const table = (this.#breakTable ??= this.#section?.child('Table'));
    drawTableHead(page, table, columns, top, isContinued);
    const y = drawRows(page, table, columns, this.#breaks.slice(from, to), top + headHeight(columns), padding);
    if (to < this.#breaks.length) return;
    const sums = breakTotalsRow(this.#report, this.#day.totals.breakMinutes, columns);
    this.#drawSums(page, table, sums, y, padding);
  }

  /** Draws a part of the notes below both tables. */
  drawBelow(page: ReportPage, { top, from, to }: TablePart): void {
    drawNotes(page, this.#section, this.#below.slice(from, to), top);
  }

  /** Ends the tables for screen readers. */
  end(): void {
    this.#tripTable?.end();
    this.#breakTable?.end();
  }

  /** Makes the sums of the trips before one. */
  #tripSums(before: number, label: string): TableRow {
    const { trips, totals } = this.#day;
    const sums = before === trips.length ? totals : totalsOf(trips.slice(0, before), []);
    return totalsRow(label, sums, this.#tripColumns);
  }

  #drawSums(
    page: ReportPage,
    table: StructureElement | undefined,
    sums: TableRow,
    top: number,
    padding: number,
  ): number {
    const y = top + SUMS_GAP;
    const bottom = y + rowHeight(sums, padding);
    page.decoration(() => {
      page.canvas.line([PAGE.left, top], [RIGHT_EDGE, top], { width: 0.8, colour: COLOURS.navy });
      page.canvas.line([PAGE.left, bottom], [RIGHT_EDGE, bottom], { width: 0.4, colour: COLOURS.hairline });
    });
    return drawRows(page, table, [], [sums], y, padding) + SUMS_GAP;
  }

  #drawTripsHeading(page: ReportPage, baseline: number): void {
    const { labels, options } = this.#report;
    const { trips, totals } = this.#day;
    const heading = { size: 10, weight: 'bold', colour: COLOURS.navy, width: 60 } as const;
    page.fixture(`trips heading at ${baseline}`, this.#section, (fixed) =>
      paragraph(fixed, this.#section, 'H2', labels.trips, PAGE.left, baseline, heading),
    );
    if (trips.some(({ isOverLimit }) => isOverLimit)) {
      const text = labels.overLimitNote(options.speedLimitKmh, options.overLimitMinSeconds, totals.overLimit);
      paragraph(page, this.#section, 'P', text, PAGE.left + 62, baseline, { size: 7, width: 320 });
    }
    if (totals.impossible > 0) {
      const excluded = { size: 8, weight: 'bold', colour: COLOURS.red, align: 'right', width: 120 } as const;
      paragraph(
        page,
        this.#section,
        'P',
        labels.tripsExcluded(totals.impossible),
        RIGHT_EDGE - 120,
        baseline,
        excluded,
      );
    }
  }
}
