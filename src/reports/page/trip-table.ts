import type { DayTrip, OverLimit } from '../day/day-trip.js';
import { MINUTES_OF_DAY, type DayTotals } from '../day/day-totals.js';
import type { ShownTop } from '../day/shown-figures.js';
import { NO_VALUE } from '../text/clean-text.js';
import { fitLine, fitTwoLines } from '../text/fit-text.js';
import type { Typesetter } from '../text/typesetter.js';
import { bold, cellOf, CELL_TEXT_SIZE, EMPTY_CELL, plain, type Cell, type CellLine } from './cell.js';
import { ADDRESS_WIDTH } from './driver-layout.js';
import { average, count, grouped, hoursAndMinutes, kilometers, speed } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import { TABLE, tableRow, type Column, type TableRow } from './table.js';
import { COLOURS, CONTENT_WIDTH } from './theme.js';

const ADDRESS = { size: 7.25, minSize: 6.5, inTwoLines: [6.75, 6.25, 5.75] } as const;
const SECOND_LINE = 6.5;
/** Behind a top speed that only one of the two sources knows. */
const SOURCE_MARKS: Readonly<Record<ShownTop['source'], string>> = { both: '', reported: '*', track: '†' };

/** The line of one trip; below it, why it does not count. */
export function tripRows(
  report: ReportDocument,
  trip: DayTrip,
  index: number,
  columns: readonly Column[],
): readonly TableRow[] {
  const { standing } = trip;
  const isCounted = standing.kind === 'counted';
  const number = isCounted ? String(index + 1) : `(${index + 1})`;
  const cells = [
    { ...plain(number), colour: COLOURS.muted },
    timeCell(report, trip.start),
    addressCell(report, trip.startAddress),
    timeCell(report, trip.end),
    addressCell(report, trip.endAddress),
    plain(kilometers(trip.hectometers)),
    durationCell(trip.minutes),
    plain(hoursAndMinutes(trip.idleMinutes)),
    plain(count(trip.stops)),
    plain(average(trip.average)),
    topSpeedCell(trip.top, trip.isOverLimit, trip.overLimit),
  ];
  if (isCounted) return [tableRow(cells, index % 2 === 1 ? COLOURS.panel : undefined)];
  const isImpossible = standing.kind === 'impossible';
  const background = isImpossible ? COLOURS.redWash : COLOURS.panel;
  const reason = isImpossible
    ? report.labels.fault(standing.fault, standing.other)
    : report.labels.carriedOver(report.clock.date((trip.start ?? 0) * 60_000));
  return [tableRow(cells, background), reasonRow(report, reason, isImpossible, columns)];
}

/** One cell over the whole table, behind the number: rows that do not count are rare, and their reason is not short. */
function reasonRow(report: ReportDocument, text: string, isImpossible: boolean, columns: readonly Column[]): TableRow {
  const [first, ...others] = columns;
  const width = CONTENT_WIDTH - (first?.width ?? 0);
  const line = fitLine(report.typesetter, text, 'bold', 7.5, width - 2 * TABLE.padding);
  const cell: Cell = { ...cellOf([line]), weight: 'bold', colour: isImpossible ? COLOURS.red : COLOURS.ink };
  const wide: Column = { heading: '', width, align: 'left', span: others.length };
  return tableRow(
    [EMPTY_CELL, cell],
    isImpossible ? COLOURS.redWash : COLOURS.panel,
    first === undefined ? [wide] : [first, wide],
  );
}

/** The last line of the trip table. */
export function totalsRow(report: ReportDocument, totals: DayTotals): readonly Cell[] {
  return [
    { ...bold(report.labels.total), isHeader: true },
    EMPTY_CELL,
    EMPTY_CELL,
    EMPTY_CELL,
    EMPTY_CELL,
    bold(kilometers(totals.hectometers)),
    totals.tripMinutes > MINUTES_OF_DAY ? durationCell(totals.tripMinutes) : bold(hoursAndMinutes(totals.tripMinutes)),
    bold(hoursAndMinutes(totals.idleMinutes)),
    bold(count(totals.stops)),
    bold(average(totals.average)),
    // How often and how long stands over the chart.
    totals.tripsOverLimit > 0 ? topSpeedCell(totals.top, true) : { ...topSpeedCell(totals.top, false), ...asTotal },
  ];
}

const asTotal = { weight: 'bold', colour: COLOURS.navy } as const;

/**
 * Over the limit is a mark, bold type and a colour, so that it survives a black-and-white printer; in a second line
 * how often and for how long, where readings tell.
 */
export function topSpeedCell(top: ShownTop | null, isOver: boolean, overLimit?: OverLimit): Cell {
  const text = `${speed(top?.kmh ?? null)}${top === null ? '' : SOURCE_MARKS[top.source]}`;
  if (!isOver) return plain(text);
  const lines = [{ text: `▲ ${text}`, size: CELL_TEXT_SIZE }];
  if (overLimit !== undefined && overLimit.stretches > 0) {
    lines.push({ text: overLimitText(overLimit), size: SECOND_LINE });
  }
  return { ...cellOf(lines), weight: 'bold', colour: COLOURS.red };
}

/** How often and for how long: `2× 0:04`. */
export function overLimitText({ stretches, minutes }: OverLimit): string {
  return `${grouped(stretches)}× ${hoursAndMinutes(minutes)}`;
}

/** A duration of one day; what is longer than a day is marked. */
export function durationCell(minutes: number | null): Cell {
  const text = hoursAndMinutes(minutes);
  return minutes === null || minutes <= MINUTES_OF_DAY
    ? plain(text)
    : { ...plain(`▲ ${text}`), weight: 'bold', colour: COLOURS.red };
}

/** A time; with its date below where that is not the day of the report. */
function timeCell({ clock, labels }: ReportDocument, minute: number | null): Cell {
  if (minute === null) return plain(NO_VALUE);
  const time = plain(clock.timeOfMinute(minute));
  const epoch = minute * 60_000;
  if (clock.dayOffset(epoch) === 0) return time;
  return { ...time, lines: [...time.lines, { text: labels.shortDate(clock.date(epoch)), size: SECOND_LINE }] };
}

function addressCell(report: ReportDocument, address: string | null): Cell {
  if (address === null || address === '') return { ...plain(NO_VALUE), colour: COLOURS.muted };
  return report.rememberAddress(address, () => cellOf(fitAddress(report.typesetter, address)));
}

function fitAddress(typesetter: Typesetter, address: string): readonly CellLine[] {
  const width = ADDRESS_WIDTH - 2 * TABLE.padding;
  const line = fitLine(typesetter, address, 'regular', ADDRESS.size, width);
  if (line.size >= ADDRESS.minSize && !line.text.endsWith('…')) return [line];
  return fitTwoLines(typesetter, address, 'regular', ADDRESS.inTwoLines, width);
}
