import type { DayBreak } from '../day/day-trip.js';
import type { DriverDay } from '../day/driver-day.js';
import { NO_VALUE } from '../text/clean-text.js';
import type { FontWeight } from '../text/font-families.js';
import { BREAK_WIDTH } from './driver-layout.js';
import { hoursAndMinutes } from './number-format.js';
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
import { durationCell, timeCell } from './trip-table.js';
import { COLOURS } from './theme.js';

/** Minimum minutes of a pause that can count as a break. */
export const CANDIDATE_MINUTES = 10;
/** Minimum minutes of a pause whose kind must be recorded. */
const RECORDED_MINUTES = 30;

const BOX = '□';
/** Space as wide as a letter between a word and the next box. */
const SPACE = '\u3000';
/** Space for hours and minutes. */
const TIME = '\u3000\u3000:\u3000\u3000';
const MAX_PLACE_LINES = 2;
const MAX_KIND_LINES = 3;

/**
 * Returns the rows of the pauses between trips. Pauses that cannot be breaks and that no rule weighs share one row;
 * unrecorded time counts nothing, and is marked.
 */
export function breakRows(report: ReportDocument, day: DriverDay, columns: readonly Column[]): readonly TableRow[] {
  const isListed = (pause: DayBreak): boolean =>
    pause.minutes >= CANDIDATE_MINUTES || pause.gap !== undefined || (day.ruled?.weighed.has(pause) ?? false);
  const listed = day.breaks.filter(isListed);
  const shorter = day.breaks.filter((pause) => !isListed(pause));
  const rows = listed.map((pause, index) => {
    const { gap, minutes } = pause;
    const cells = [
      plain(gap === undefined ? String(index + 1) : `(${index + 1})`),
      placeCell(report, pause.address),
      timeCell(report, pause.from),
      timeCell(report, pause.to),
      gap === undefined ? durationCell(minutes) : plain(`(${hoursAndMinutes(minutes)})`),
      gap === undefined ? kindCell(report, minutes) : warning(prose(kindLines(report, report.labels.gap(gap), 'bold'))),
    ];
    const background = gap !== undefined ? COLOURS.redWash : index % 2 === 1 ? COLOURS.panel : undefined;
    return tableRow(columns, cells, { background });
  });
  if (shorter.length === 0) return rows;
  const minutes = shorter.reduce((sum, pause) => sum + pause.minutes, 0);
  const label = plain(report.labels.shorterBreaks(shorter.length));
  return [...rows, sumsRow(report, label, durationCell(minutes), columns)];
}

/** Returns the row with the sum of the pauses. */
export function breakTotalsRow(report: ReportDocument, minutes: number, columns: readonly Column[]): TableRow {
  return sumsRow(report, bold(report.labels.total), bold(hoursAndMinutes(minutes)), columns);
}

/** Returns a row for several pauses together. */
function sumsRow({ labels }: ReportDocument, label: Cell, minutes: Cell, columns: readonly Column[]): TableRow {
  const duration = columns.findIndex(({ heading }) => heading === labels.breaks);
  const cells = [{ ...label, isHeader: true }, minutes, EMPTY_CELL];
  return tableRow(joined(columns, 0, duration), cells, { hasOwnColumns: true });
}

function placeCell({ typesetter }: ReportDocument, address: string | null): Cell {
  if (address === null || address === '') return prose([NO_VALUE]);
  return prose(wrapInto(typesetter, address, BREAK_WIDTH.place, MAX_PLACE_LINES).lines);
}

/** Marks a possible break; a longer one gets boxes and times to fill in, and a free line. */
function kindCell(report: ReportDocument, minutes: number): Cell {
  const { labels, words, blocks } = report;
  if (minutes < CANDIDATE_MINUTES) return EMPTY_CELL;
  if (minutes < RECORDED_MINUTES || blocks.length === 0) return prose([labels.breakCandidate]);
  const kinds = [words.rest, words.waiting, words.loading, words.unloading];
  const boxes = kinds.map((word) => `${BOX} ${word}`).join(SPACE);
  const times = [words.arrival, words.begin, words.end].map((word) => `${word}${TIME}`).join('');
  return prose([...kindLines(report, `● ${boxes}`), '', ...kindLines(report, times)]);
}

function kindLines({ typesetter }: ReportDocument, text: string, weight?: FontWeight): readonly string[] {
  return wrapInto(typesetter, text, BREAK_WIDTH.kind, MAX_KIND_LINES, weight).lines;
}
