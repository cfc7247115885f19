import type { DayBreak } from '../day/day-trip.js';
import type { DriverDay } from '../day/driver-day.js';
import type { WeighedPerson } from '../day/weighed-person.js';
import type { FormLabel } from '../report-form.js';
import type { FontWeight } from '../text/font-families.js';
import { KIND_WIDTH } from './driver-layout.js';
import { hoursAndMinutes } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import {
  type Cell,
  type Column,
  EMPTY_CELL,
  joined,
  plain,
  prose,
  sumsRow,
  tableRow,
  type TableRow,
  warning,
  wrapInto,
} from './table.js';
import { addressCell, durationCell, timeCell } from './trip-table.js';
import { COLOURS } from './theme.js';

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
