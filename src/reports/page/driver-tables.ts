import { totalsOf } from '../day/day-totals.js';
import type { DriverDay } from '../day/driver-day.js';
import type { StructureElement } from '../pdf/structure.js';
import { breakRows, breakTotalsRow, CANDIDATE_MINUTES } from './break-table.js';
import { drawTable } from './draw-table.js';
import { breakColumns, tripColumns, type DriverLayout } from './driver-layout.js';
import {
  cutAddresses,
  drawNotes,
  linesOfNotes,
  marksOf,
  notesHeight,
  notesOfRules,
  type PageNotes,
} from './driver-notes.js';
import { planDriver, type DriverPlan, type PlannedPage, type PlannedPart } from './driver-plan.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import type { TableRow } from './table.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { totalsRow, tripRows } from './trip-table.js';

/** Position of the number of gaps, behind the heading of the breaks. */
const GAPS_LEFT = 120;
const HALF_WIDTH = CONTENT_WIDTH / 2;

/** Both tables of a day and their notes. */
export class DriverTables {
  readonly #report: ReportDocument;
  readonly #day: DriverDay;
  readonly #columns;
  readonly #trips;
  readonly #breaks;
  /** Meanings of the marks in the trip table, printed below it. */
  readonly #marks;
  /** Notes below both tables. */
  readonly #below;
  readonly #section: StructureElement | undefined;
  #tripTable: StructureElement | undefined;
  #breakTable: StructureElement | undefined;

  constructor(report: ReportDocument, section: StructureElement | undefined, day: DriverDay, notes: PageNotes) {
    this.#report = report;
    this.#section = section;
    this.#day = day;
    this.#columns = { trips: tripColumns(report.labels), breaks: breakColumns(report.labels) };
    this.#trips = day.trips.map((trip, index) => tripRows(report, trip, index, this.#columns.trips));
    const { weighed } = notes;
    this.#breaks = breakRows(report, day, this.#columns.breaks, weighed?.ruled.shortestBreak);
    const inFull = [...notes.cut, ...cutAddresses(report, day.trips)];
    this.#below = [...notesOfRules(report, weighed), ...linesOfNotes(report, inFull)];
    this.#marks = marksOf(report, day, notes);
  }

  /** Divides the tables and the parts to fill in by hand among pages. */
  plan(continuedTop: number): DriverPlan {
    return planDriver({
      trips: this.#trips,
      tripColumns: this.#columns.trips,
      notesHeight: notesHeight(this.#marks),
      breaks: this.#breaks,
      breakColumns: this.#columns.breaks,
      below: this.#below,
      sums: this.#tripSums(this.#trips.length, ''),
      blocks: this.#report.blocks,
      continuedTop,
    });
  }

  /** Draws the parts of both tables and of their notes on a page. */
  draw(page: ReportPage, { trips, breaks, below }: PlannedPage, { tripPadding, breakPadding }: DriverLayout): void {
    if (trips !== undefined) this.#drawTrips(page, trips, tripPadding);
    if (breaks !== undefined) this.#drawBreaks(page, breaks, breakPadding);
    if (below !== undefined) drawNotes(page, this.#below.slice(below.from, below.to), below.top);
  }

  /** Ends the tables for screen readers. */
  end(): void {
    this.#tripTable?.end();
    this.#breakTable?.end();
  }

  /** Draws a part of the trips, with the sums before it or below it. */
  #drawTrips(page: ReportPage, { top, from, to, isContinued }: PlannedPart, padding: number): void {
    const { labels } = this.#report;
    const isLast = to === this.#trips.length;
    if (!isContinued) this.#drawTripsHeading(page, top - 6);
    this.#tripTable ??= this.#section?.child('Table');
    const bottom = drawTable(page, this.#tripTable, {
      columns: this.#columns.trips,
      rows: this.#trips.slice(from, to).flat(),
      top,
      padding,
      isContinued,
      carried: isContinued ? this.#tripSums(from, labels.carriedForward) : undefined,
      total: isLast ? this.#tripSums(to, labels.total) : undefined,
      hasClosedSums: true,
    });
    if (isLast) drawNotes(page, this.#marks, bottom);
  }

  #drawTripsHeading(page: ReportPage, baseline: number): void {
    const { labels } = this.#report;
    const { totals } = this.#day;
    page.fixture(`trips heading at ${baseline}`, (fixed) => fixed.heading(labels.trips, PAGE.left, baseline, 60));
    if (totals.impossible > 0) {
      const style = { size: 8, weight: 'bold', colour: COLOURS.red, align: 'right', width: 120 } as const;
      page.paragraph(labels.tripsExcluded(totals.impossible), RIGHT_EDGE - 120, baseline, style);
    }
  }

  /** Draws a part of the breaks. */
  #drawBreaks(page: ReportPage, { top, from, to, isContinued }: PlannedPart, padding: number): void {
    const { breakMinutes } = this.#day.totals;
    const columns = this.#columns.breaks;
    if (!isContinued) this.#drawBreaksHeading(page, top - 5);
    this.#breakTable ??= this.#section?.child('Table');
    drawTable(page, this.#breakTable, {
      columns,
      rows: this.#breaks.slice(from, to).flat(),
      top,
      padding,
      isContinued,
      total: to === this.#breaks.length ? breakTotalsRow(this.#report, breakMinutes, columns) : undefined,
      hasClosedSums: true,
    });
  }

  #drawBreaksHeading(page: ReportPage, baseline: number): void {
    const { labels } = this.#report;
    const { gaps } = this.#day.totals;
    page.heading(labels.breaksHeading, PAGE.left, baseline, HALF_WIDTH);
    const note = { size: 7, align: 'right', width: HALF_WIDTH } as const;
    page.paragraph(labels.breakNote(CANDIDATE_MINUTES), PAGE.left + HALF_WIDTH, baseline, note);
    if (gaps === 0) return;
    const style = { size: 8, weight: 'bold', colour: COLOURS.red, width: HALF_WIDTH } as const;
    page.paragraph(labels.gaps(gaps), PAGE.left + GAPS_LEFT, baseline, style);
  }

  /** Makes the sums of the trips before an index. */
  #tripSums(before: number, label: string): TableRow {
    const { trips, totals } = this.#day;
    const sums = before === trips.length ? totals : totalsOf(trips.slice(0, before), []);
    return totalsRow(label, sums, this.#columns.trips);
  }
}
