import type { DayTrip, DOUBTS } from '../day/day-trip.js';
import { isDoubted, MINUTES_OF_DAY, type DayTotals } from '../day/day-totals.js';
import type { ShownTop } from '../day/shown-figures.js';
import type { OverLimit } from '../day/speed-series.js';
import { NO_VALUE } from '../text/clean-text.js';
import { ADDRESS_WIDTH } from './driver-layout.js';
import type { Labels } from './labels.js';
import {
  average,
  count,
  distanceOf,
  doubtMark,
  hoursAndMinutes,
  idlingOf,
  kilometers,
  speed,
} from './number-format.js';
import type { AddressCell, ReportDocument } from './report-document.js';
import {
  BOLD,
  bold,
  type Cell,
  CELL_TEXT_SIZE,
  type Column,
  EMPTY_CELL,
  joined,
  plain,
  prose,
  sumsRow,
  TABLE,
  tableRow,
  type TableRow,
  warning,
  wrapInto,
} from './table.js';
import { COLOURS } from './theme.js';

const MAX_ADDRESS_LINES = 2;
const MAX_REASON_LINES = 2;
/** Mark of a figure that is missing or impossible. */
const MISSING_MARK = '§';
/** Marks of a top speed from only one of the two sources. */
export const SOURCE_MARKS: Readonly<Record<ShownTop['source'], string>> = { both: '', reported: '*', track: '†' };

/** Makes the row of one trip and, below it, the reason why it does not count. */
export function tripRows(
  report: ReportDocument,
  trip: DayTrip,
  index: number,
  columns: readonly Column[],
): readonly TableRow[] {
  const { verdict } = trip;
  const fits = (text: string): boolean => fitsInto(report, columns.at(-1), text);
  const isCounted = verdict.kind === 'counted';
  const markOf = (column: keyof typeof DOUBTS): string => doubtMark(Number(isDoubted(trip, column)));
  const missing = `${NO_VALUE}${isCounted ? MISSING_MARK : ''}`;
  const cells = [
    plain(isCounted ? String(index + 1) : `(${index + 1})`),
    timeCell(report, trip.start),
    addressCell(report, trip.startAddress),
    timeCell(report, trip.end),
    addressCell(report, trip.endAddress),
    plain(trip.hectometers === null ? missing : `${kilometers(trip.hectometers)}${markOf('distance')}`),
    durationCell(trip.minutes, `${hoursAndMinutes(trip.minutes)}${markOf('driving')}`),
    plain(trip.idleMinutes === null ? missing : hoursAndMinutes(trip.idleMinutes)),
    plain(count(trip.stops)),
    plain(average(trip.average)),
    topSpeedCell(trip.top, trip.isOverLimit, {
      mark: markOf('top'),
      below: trip.isOverLimit ? timesOver(report.labels, trip.overLimit, fits) : [],
    }),
  ];
  if (isCounted) return [tableRow(columns, cells, { background: index % 2 === 1 ? COLOURS.panel : undefined })];
  const isImpossible = verdict.kind === 'impossible';
  const background = isImpossible ? COLOURS.redWash : COLOURS.panel;
  const text = isImpossible
    ? report.labels.fault(verdict.fault, verdict.other)
    : report.labels.carriedOver(report.clock.date((trip.start ?? 0) * 60_000));
  // One cell as wide as the table, because the reasons are long.
  const wide = joined(columns, 1);
  const { lines } = wrapInto(report.typesetter, text, wide[1]?.width ?? 0, MAX_REASON_LINES, 'bold');
  const reason: Cell = { ...prose(lines), weight: 'bold' };
  return [
    tableRow(columns, cells, { background }),
    tableRow(wide, [EMPTY_CELL, isImpossible ? warning(reason) : reason], { background }),
  ];
}

/** Makes a row of sums: the last one of the trip table, or those of the pages before. */
export function totalsRow(label: string, totals: DayTotals, columns: readonly Column[]): TableRow {
  const time = `${hoursAndMinutes(totals.tripMinutes)}${doubtMark(totals.lacking.doubtfulDrivings)}`;
  const [isOver, mark] = [totals.tripsOverLimit > 0, doubtMark(totals.lacking.doubtfulTops)];
  const cells = [
    bold(label),
    bold(distanceOf(totals)),
    totals.tripMinutes > MINUTES_OF_DAY ? durationCell(totals.tripMinutes, time) : bold(time),
    bold(idlingOf(totals)),
    bold(count(totals.stops)),
    bold(average(totals.average)),
    // Number and duration are printed over the chart.
    { ...topSpeedCell(totals.top, isOver, { mark }), ...(!isOver && BOLD) },
  ];
  return sumsRow(columns, 5, cells);
}

/** Makes the cell of a top speed, a warning over the limit. `below` are further lines, such as number and duration. */
export function topSpeedCell(
  top: ShownTop | null,
  isOver: boolean,
  { mark = '', below = [] }: { readonly mark?: string; readonly below?: readonly string[] } = {},
): Cell {
  const text = `${speed(top?.kmh ?? null)}${top === null ? '' : SOURCE_MARKS[top.source]}${mark}`;
  return isOver ? warning(plain(`▲ ${text}`, ...below)) : plain(text);
}

/** True if a figure in bold fits into a column. */
export function fitsInto({ typesetter }: ReportDocument, column: Column | undefined, text: string): boolean {
  return typesetter.width(text, 'bold', CELL_TEXT_SIZE) <= (column?.width ?? 0) - 2 * TABLE.padding;
}

/** Returns number and duration of the times over the limit, as far as readings show: `2× 35 s`, `3 readings`. */
export function timesOver(
  labels: Labels,
  { stretches, seconds, readings }: OverLimit,
  fits: (text: string) => boolean = () => true,
): readonly string[] {
  const often = stretches > 0 ? labels.times(stretches) : '';
  const long = seconds > 0 ? labels.lasting(seconds) : '';
  const both = [often, long].filter(Boolean).join(' ');
  const inHours = [labels.lasting(seconds - (seconds % 3_600)), labels.lasting(seconds % 3_600)];
  const known = fits(both) ? [both] : [often, ...(fits(long) ? [long] : inHours)];
  return [...known, readings > 0 ? labels.readings(readings) : ''].filter(Boolean);
}

/** Makes the cell of a duration; marks one longer than a day. */
export function durationCell(minutes: number | null, text = hoursAndMinutes(minutes)): Cell {
  return minutes === null || minutes <= MINUTES_OF_DAY ? plain(text) : warning(plain(`▲ ${text}`));
}

/** Makes the cell of a time, with its date if it is of another day, and its offset if offsets differ. */
export function timeCell({ clock, labels }: ReportDocument, minute: number | null): Cell {
  if (minute === null) return plain(NO_VALUE);
  const { time, date, offset } = clock.partsOf(minute, labels.tinyDate);
  return plain(time, ...date, ...offset);
}

export function wrappedAddress(report: ReportDocument, address: string): AddressCell {
  return report.rememberAddress(address, () => {
    const { lines, isCut, lineHeight } = wrapInto(report.typesetter, address, ADDRESS_WIDTH, MAX_ADDRESS_LINES);
    return { cell: prose(lines, lineHeight), isCut };
  });
}

export function addressCell(report: ReportDocument, address: string | null): Cell {
  if (address === null || address === '') return prose([NO_VALUE]);
  const { cell } = wrappedAddress(report, address);
  // The cell may come from an earlier driver: the typesetter notes a stand-in in it for this one.
  for (const line of cell.lines) report.typesetter.set(line, 'regular');
  return cell;
}
