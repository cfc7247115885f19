import { totalsOf } from '../day/day-totals.js';
import type { DriverDay } from '../day/driver-day.js';
import type { StructureElement } from '../pdf/structure.js';
import { breakRows, CANDIDATE_MINUTES, totalsRow, tripRows } from './day-rows.js';
import { drawTable, headHeight, SUMS_GAP } from './draw-table.js';
import { breakColumns, type DriverLayout, tripColumns } from './driver-layout.js';
import {
  cutAddresses,
  drawNotes,
  linesOfNotes,
  marksOf,
  type Note,
  NOTES_ABOVE,
  notesHeight,
  notesOfRules,
  type PageNotes,
} from './driver-notes.js';
import type { DayPart } from './driver-plan.js';
import { hoursAndMinutes } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { bold, type Column, EMPTY_CELL, rowHeight, rowsHeight, sumsRow, type TableRow } from './table.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

const GAPS_LEFT = 120;
const HALF_WIDTH = CONTENT_WIDTH / 2;
/** Gap and heading above a table that follows another one. */
const HEADING_ABOVE = 15;
/** Minimum breaks on a partly filled page, if they need more than a page. */
const MIN_BEGUN = 5;

interface DayTable extends Pick<DayPart, 'above' | 'minBegun'> {
  readonly columns: readonly Column[];
  /** Rows of each trip or break, kept together. */
  readonly rows: readonly (readonly TableRow[])[];
  readonly padding: number;
  readonly drawHeading: (page: ReportPage, top: number) => void;
  /** Makes the sums of the rows before an index; absent if continuation pages have none. */
  readonly carried?: (before: number) => TableRow;
  readonly total: TableRow;
  readonly notes: readonly Note[];
}

/** Returns the parts of a day in a layout: its tables and the notes below them; call `end` after the last page. */
export function driverTables(report: ReportDocument, day: DriverDay, facts: PageNotes) {
  const { labels } = report;
  const begun: StructureElement[] = [];
  const partOf = (of: DayTable): DayPart => {
    const { columns, rows, padding, drawHeading, carried, total, notes, above = 0, minBegun = 0 } = of;
    let table: StructureElement | undefined;
    const sumsHeight = rowHeight(total, padding) + 2 * SUMS_GAP;
    const [head, ending] = [headHeight(columns), sumsHeight + notesHeight(notes)];
    return {
      above,
      minBegun,
      entries: rows.length,
      head,
      whole: above + head + rowsHeight(rows, padding) + ending,
      heightOf: (from, to) => rowsHeight(rows.slice(from, to), padding),
      carried: carried === undefined ? 0 : sumsHeight,
      ending,
      draw: (page, { top, from, to, isContinued }) => {
        if (!isContinued) {
          drawHeading(page, top);
          table = page.section?.child('Table');
          if (table !== undefined) begun.push(table);
        }
        const isLast = to === rows.length;
        const bottom = drawTable({
          page,
          table,
          columns,
          rows: rows.slice(from, to).flat(),
          top,
          padding,
          isContinued,
          carried: isContinued ? carried?.(from) : undefined,
          total: isLast ? total : undefined,
          hasClosedSums: true,
        });
        if (isLast) drawNotes(page, notes, bottom);
      },
    };
  };
  const columns = tripColumns(labels);
  const rows = day.trips.map((trip, index) => tripRows(report, trip, index, columns));
  const trips = {
    columns,
    rows,
    drawHeading: (page: ReportPage, top: number) => drawTripsHeading(report, page, day, top - 6),
    carried: (before: number) => totalsRow(labels.carriedForward, totalsOf(day.trips.slice(0, before), []), columns),
    total: totalsRow(labels.total, day.totals, columns),
  };
  const breakColumnsOfDay = breakColumns(labels);
  const breaks = {
    columns: breakColumnsOfDay,
    rows: breakRows(report, day, breakColumnsOfDay, facts.weighed),
    above: HEADING_ABOVE,
    minBegun: MIN_BEGUN,
    drawHeading: (page: ReportPage, top: number) => drawBreaksHeading(report, page, day.totals.gaps, top - 5),
    total: sumsRow(breakColumnsOfDay, 4, [
      bold(labels.total),
      bold(hoursAndMinutes(day.totals.breakMinutes)),
      EMPTY_CELL,
    ]),
    notes: [],
  };
  const marks = marksOf(report, day, facts);
  const inFull = [...facts.cut, ...cutAddresses(report, day.trips)];
  const below = [...notesOfRules(report, facts.weighed), ...linesOfNotes(report, inFull)];
  const notes: DayPart = {
    entries: below.length,
    head: NOTES_ABOVE,
    whole: notesHeight(below),
    heightOf: (from, to) => notesHeight(below.slice(from, to)) - NOTES_ABOVE,
    draw: (page, { from, to, top }) => void drawNotes(page, below.slice(from, to), top),
  };
  return {
    partsIn: ({ tripPadding, breakPadding }: DriverLayout): [DayPart, DayPart, DayPart] => [
      partOf({ ...trips, padding: tripPadding, notes: marks }),
      partOf({ ...breaks, padding: breakPadding }),
      notes,
    ],
    end: () => begun.forEach((table) => table.end()),
  };
}

function drawTripsHeading({ labels }: ReportDocument, page: ReportPage, { totals }: DriverDay, baseline: number): void {
  page.fixture(`trips heading at ${baseline}`, (fixed) => fixed.heading(labels.trips, PAGE.left, baseline, 60));
  if (totals.impossible === 0) return;
  const style = { size: 8, weight: 'bold', colour: COLOURS.red, align: 'right', width: 120 } as const;
  page.paragraph(labels.tripsExcluded(totals.impossible), RIGHT_EDGE - 120, baseline, style);
}

function drawBreaksHeading({ labels }: ReportDocument, page: ReportPage, gaps: number, baseline: number): void {
  page.heading(labels.breaksHeading, PAGE.left, baseline, HALF_WIDTH);
  const note = { size: 7, align: 'right', width: HALF_WIDTH } as const;
  page.paragraph(labels.breakNote(CANDIDATE_MINUTES), PAGE.left + HALF_WIDTH, baseline, note);
  if (gaps === 0) return;
  const style = { size: 8, weight: 'bold', colour: COLOURS.red, width: HALF_WIDTH } as const;
  page.paragraph(labels.gaps(gaps), PAGE.left + GAPS_LEFT, baseline, style);
}
