import { totalsOf } from '../day/day-totals.js';
import type { DriverDay } from '../day/driver-day.js';
import type { StructureElement } from '../pdf/structure.js';
import { breakRows, CANDIDATE_MINUTES } from './break-table.js';
import { drawTable, headHeight, SUMS_GAP } from './draw-table.js';
import { breakColumns, tripColumns } from './driver-layout.js';
import {
  cutAddresses,
  drawNotes,
  linesOfNotes,
  marksOf,
  type Note,
  notesHeight,
  notesOfRules,
  type PageNotes,
} from './driver-notes.js';
import type { DayPart, DayParts } from './driver-plan.js';
import { hoursAndMinutes } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { bold, type Column, EMPTY_CELL, rowHeight, rowsHeight, sumsRow, type TableRow } from './table.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { totalsRow, tripRows } from './trip-table.js';

/** Position of the number of gaps, behind the heading of the breaks. */
const GAPS_LEFT = 120;
const HALF_WIDTH = CONTENT_WIDTH / 2;
/** Gap and heading above a table that follows another one. */
const HEADING_ABOVE = 20;
/** Minimum breaks on a partly filled page, if they need more than a page. */
const MIN_BEGUN = 5;

interface DayTable extends Pick<DayPart, 'above' | 'minBegun'> {
  readonly columns: readonly Column[];
  /** Rows of each trip or break, kept together. */
  readonly rows: readonly (readonly TableRow[])[];
  readonly padding: 'tripPadding' | 'breakPadding';
  readonly drawHeading: (page: ReportPage, top: number) => void;
  /** Makes the sums of the rows before an index; absent if continuation pages have none. */
  readonly carried?: (before: number) => TableRow;
  readonly total: TableRow;
  readonly notes: readonly Note[];
}

/** Makes the tables of a day and the notes below them; call `end` after the last page. */
export function driverTables(
  report: ReportDocument,
  section: StructureElement | undefined,
  day: DriverDay,
  facts: PageNotes,
): { readonly parts: DayParts; end(): void } {
  const { labels } = report;
  const begun: StructureElement[] = [];
  const partOf = ({ columns, rows, padding, drawHeading, carried, total, notes, ...place }: DayTable): DayPart => {
    let table: StructureElement | undefined;
    const sumsHeight = (space: number): number => rowHeight(total, space) + 2 * SUMS_GAP;
    return {
      ...place,
      entries: rows.length,
      head: headHeight(columns),
      heightOf: (layout, from, to) => rowsHeight(rows.slice(from, to), layout[padding]),
      carried: (layout) => (carried === undefined ? 0 : sumsHeight(layout[padding])),
      ending: (layout) => sumsHeight(layout[padding]) + notesHeight(notes),
      draw: (page, { top, from, to, isContinued }, layout) => {
        if (!isContinued) {
          drawHeading(page, top);
          table = section?.child('Table');
          if (table !== undefined) begun.push(table);
        }
        const isLast = to === rows.length;
        const bottom = drawTable({
          page,
          table,
          columns,
          rows: rows.slice(from, to).flat(),
          top,
          padding: layout[padding],
          isContinued,
          carried: isContinued ? carried?.(from) : undefined,
          total: isLast ? total : undefined,
          hasClosedSums: true,
        });
        if (isLast) drawNotes(page, notes, bottom);
      },
    };
  };
  const columns = { trips: tripColumns(labels), breaks: breakColumns(labels) };
  const rows = {
    trips: day.trips.map((trip, index) => tripRows(report, trip, index, columns.trips)),
    breaks: breakRows(report, day, columns.breaks, facts.weighed),
  };
  const inFull = [...facts.cut, ...cutAddresses(report, day.trips)];
  const below = [...notesOfRules(report, facts.weighed), ...linesOfNotes(report, inFull)];
  const trips = partOf({
    columns: columns.trips,
    rows: rows.trips,
    padding: 'tripPadding',
    drawHeading: (page, top) => drawTripsHeading(report, page, day, top - 6),
    carried: (before) => totalsRow(labels.carriedForward, totalsOf(day.trips.slice(0, before), []), columns.trips),
    total: totalsRow(labels.total, day.totals, columns.trips),
    notes: marksOf(report, day, facts),
  });
  const breaks = partOf({
    columns: columns.breaks,
    rows: rows.breaks,
    padding: 'breakPadding',
    above: HEADING_ABOVE,
    minBegun: MIN_BEGUN,
    drawHeading: (page, top) => drawBreaksHeading(report, page, day.totals.gaps, top - 5),
    total: sumsRow(columns.breaks, 4, [bold(labels.total), bold(hoursAndMinutes(day.totals.breakMinutes)), EMPTY_CELL]),
    notes: [],
  });
  const notes: DayPart = {
    entries: below.length,
    heightOf: (_layout, from, to) => notesHeight(below.slice(from, to)),
    draw: (page, { from, to, top }) => void drawNotes(page, below.slice(from, to), top),
  };
  return { parts: [trips, breaks, notes], end: () => begun.forEach((table) => table.end()) };
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
