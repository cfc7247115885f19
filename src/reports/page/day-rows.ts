import { isDoubted, MINUTES_OF_DAY, type DayTotals } from '../day/day-totals.js';
import type { DayBreak, DayTrip, DOUBTS } from '../day/day-trip.js';
import type { DriverDay } from '../day/driver-day.js';
import type { ShownTop } from '../day/shown-figures.js';
import type { OverLimit } from '../day/speed-series.js';
import type { WeighedPerson } from '../day/weighed-person.js';
import type { FormLabel } from '../report-form.js';
import { NO_VALUE } from '../text/clean-text.js';
import type { FontWeight } from '../text/font-families.js';
import { ADDRESS_WIDTH, KIND_WIDTH } from './driver-layout.js';
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
import type { ReportDocument } from './report-document.js';
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

export function durationCell(minutes: number | null, text = hoursAndMinutes(minutes)): Cell {
  return minutes === null || minutes <= MINUTES_OF_DAY ? plain(text) : warning(plain(`▲ ${text}`));
}

/** Makes the cell of a time, with its date if it is of another day, and its offset if offsets differ. */
function timeCell({ clock, labels }: ReportDocument, minute: number | null): Cell {
  if (minute === null) return plain(NO_VALUE);
  const { time, date, offset } = clock.partsOf(minute, labels.tinyDate);
  return plain(time, ...date, ...offset);
}

export function wrappedAddress({ addresses, typesetter }: ReportDocument, address: string) {
  let wrapped = addresses.get(address);
  if (wrapped === undefined) {
    const { lines, isCut, lineHeight } = wrapInto(typesetter, address, ADDRESS_WIDTH, MAX_ADDRESS_LINES);
    addresses.set(address, (wrapped = { cell: prose(lines, lineHeight), isCut }));
  }
  return wrapped;
}

function addressCell(report: ReportDocument, address: string | null): Cell {
  if (address === null || address === '') return prose([NO_VALUE]);
  const { cell } = wrappedAddress(report, address);
  // The cell may come from an earlier driver: the typesetter notes a stand-in in it for this one.
  for (const line of cell.lines) report.typesetter.set(line, 'regular');
  return cell;
}

/** Minimum minutes of a pause that can count as a break. */
export const CANDIDATE_MINUTES = 10;
/** Minimum minutes of a pause whose kind must be recorded. */
const RECORDED_MINUTES = 30;

/** Boxes of a shorter pause, and of one whose kind must be recorded. */
const SHORT = ['rest', 'loading', 'unloading'] as const;
const LONG = ['rest', 'waiting', 'loading', 'unloading'] as const;

const BOX = '□';
/** Space as wide as a letter between a word and the next box. */
const SPACE = '\u3000';
const TIME = '\u3000\u3000:\u3000\u3000';
const BLANK = '_'.repeat(16);
const MAX_KIND_LINES = 3;
/** Height of a line in which times are written. */
const TIMES_HEIGHT = 12;

/**
 * Returns the rows of each pause between trips, with a line free for what is to be filled in. Pauses that cannot be
 * breaks and that no rule weighs share one row; unrecorded time counts nothing, and is marked.
 */
export function breakRows(
  report: ReportDocument,
  day: DriverDay,
  columns: readonly Column[],
  { gapBefore, shortestBreak = CANDIDATE_MINUTES }: Partial<Pick<WeighedPerson, 'gapBefore' | 'shortestBreak'>> = {},
): readonly (readonly TableRow[])[] {
  const { labels, words, blocks } = report;
  const isFilledIn = blocks.length > 0;
  const boxes = (...kinds: readonly FormLabel[]): string => kinds.map((kind) => `${BOX} ${words[kind]}`).join(SPACE);
  const isListed = (pause: DayBreak): boolean =>
    pause.minutes >= Math.min(CANDIDATE_MINUTES, shortestBreak) || pause.gap !== undefined;
  const wrapped = new Map<string, Cell>();
  const kindOf = ({ gap, minutes }: DayBreak): Cell => {
    if (gap !== undefined) {
      const lines = kindLines(report, labels.gap(gap), 'bold');
      return warning(prose(isFilledIn ? [...lines, '', BLANK] : lines));
    }
    const mark = minutes < CANDIDATE_MINUTES ? '' : '● ';
    const kinds = minutes < RECORDED_MINUTES ? SHORT : LONG;
    const text = isFilledIn ? `${mark}${boxes(...kinds)}` : mark && labels.breakCandidate;
    // Each is wrapped once for all its rows.
    const cell = wrapped.get(text) ?? (text === '' ? EMPTY_CELL : prose(kindLines(report, text)));
    wrapped.set(text, cell);
    return cell;
  };
  const before = gapBefore === undefined ? [] : [gapBefore];
  const rows = [...before, ...day.breaks.filter(isListed)].map((pause, place): readonly TableRow[] => {
    const { gap, minutes } = pause;
    // A gap before the first trip has the number 0, because it is no part of the day.
    const index = place - before.length;
    const cells = [
      plain(gap === undefined ? String(index + 1) : `(${index + 1})`),
      addressCell(report, pause.address),
      timeCell(report, pause.from),
      timeCell(report, pause.to),
      gap === undefined ? durationCell(minutes) : plain(`(${hoursAndMinutes(minutes)})`),
      kindOf(pause),
    ];
    const background = gap !== undefined ? COLOURS.redWash : index % 2 === 1 ? COLOURS.panel : undefined;
    const row = tableRow(columns, cells, { background });
    if (!isFilledIn || gap !== undefined || minutes < RECORDED_MINUTES) return [row];
    const times = (...kinds: readonly FormLabel[]): string => kinds.map((kind) => `${words[kind]}${TIME}`).join('');
    const [stay, work] = [times('arrival', 'begin', 'end'), times('begin', 'end')];
    const line = `${stay}${boxes('ancillary')}${SPACE}${work}${words.consignor}${SPACE}${words.pickup} ${BLANK}`;
    const wide = joined(columns, 1);
    return [row, tableRow(wide, [EMPTY_CELL, prose([line], TIMES_HEIGHT)], { background })];
  });
  const shorter = day.breaks.filter((pause) => !isListed(pause));
  if (shorter.length === 0) return rows;
  const minutes = shorter.reduce((sum, pause) => sum + pause.minutes, 0);
  const label = plain(labels.shorterBreaks(shorter.length));
  const kind = isFilledIn ? prose([`${boxes('loading', 'unloading')}${SPACE}${BLANK}`]) : EMPTY_CELL;
  return [...rows, [sumsRow(columns, 4, [label, durationCell(minutes), kind])]];
}

function kindLines({ typesetter }: ReportDocument, text: string, weight?: FontWeight): readonly string[] {
  return wrapInto(typesetter, text, KIND_WIDTH, MAX_KIND_LINES, weight).lines;
}
