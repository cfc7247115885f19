import { type DayTotals, highest } from '../day/day-totals.js';
import type { RuledFigure } from '../day/driving-rules.js';
import { sumOfOverLimit } from '../day/speed-series.js';
import type { FailureReason, ReportDriver } from '../model.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import type { FontWeight } from '../text/font-families.js';
import type { DrawnSection } from './driver-section.js';
import type { Labels } from './labels.js';
import { count, distanceOf, doubtMark, drivingText, grouped, hoursAndMinutes } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import {
  BOLD,
  bold,
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
import { type Colour, COLOURS } from './theme.js';
import type { Tile } from './tiles.js';
import { durationCell, fitsInto, timesOver, topSpeedCell } from './day-rows.js';

/** Line of a driver on the cover. `number` counts the drivers of the request from 1. */
export type CoverRow = { readonly number: number; readonly identity: ReturnType<typeof driverIdentityOf> } & (
  | { readonly kind: 'day'; readonly section: DrawnSection }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly detail: string | undefined }
);

/** Returns what identifies a driver on the cover; the id of the mobile takes the place of an unknown vehicle. */
export function driverIdentityOf({ employeeName, employeeCode, vehicle, mobileId }: ReportDriver) {
  const isKnown = vehicle !== undefined && cleanText(vehicle.num) !== '';
  return { name: employeeName, code: employeeCode, vehicle: isKnown ? vehicle.num : mobileId };
}

export function coverTiles(labels: Labels, rows: readonly CoverRow[]): readonly Tile[] {
  const totals = coverTotalsOf(rows);
  const failed = rows.length - totals.reports;
  return [
    { label: labels.drivers, value: grouped(rows.length) },
    { label: labels.reports, value: grouped(totals.reports) },
    { label: labels.notAvailable, value: grouped(failed), isWarning: failed > 0 },
    { label: labels.distance, value: distanceOf(totals), unit: 'km' },
    { label: labels.driving, value: drivingText(totals), unit: labels.hoursAndMinutes },
    { label: labels.driversOverLimit, value: grouped(totals.driversOverLimit), isWarning: totals.driversOverLimit > 0 },
  ];
}

/** Adds up the printed rows of the drivers. Pages of vehicles that count on another page add to `listedTwice` alone. */
export function coverTotalsOf(rows: readonly CoverRow[]) {
  const reports = rows.flatMap((row) => (row.kind === 'day' ? [row.section] : []));
  const counted = reports.filter((each) => each.counted === undefined);
  const totals = counted.map((each) => each.totals);
  const sum = (figure: (of: DayTotals) => number): number => totals.reduce((total, each) => total + figure(each), 0);
  const lackingOf = (figure: keyof DayTotals['lacking']): number => sum(({ lacking }) => lacking[figure]);
  const countedAgain = (isSame: boolean): number => reports.filter((each) => each.counted?.isSame === isSame).length;
  return {
    reports: reports.length,
    listedTwice: countedAgain(true),
    sharedVehicles: countedAgain(false),
    driversWithoutAddresses: reports.filter(({ addressesMissing }) => addressesMissing).length,
    impossible: sum(({ impossible }) => impossible),
    trips: sum(({ trips }) => trips),
    hectometers: sum(({ hectometers }) => hectometers),
    lacking: {
      distances: lackingOf('distances'),
      idlings: lackingOf('idlings'),
      drivings: lackingOf('drivings'),
      doubtfulDistances: lackingOf('doubtfulDistances'),
      doubtfulDrivings: lackingOf('doubtfulDrivings'),
      doubtfulTops: lackingOf('doubtfulTops'),
    },
    drivingMinutes: sum(({ drivingMinutes }) => drivingMinutes),
    overLimit: sumOfOverLimit(totals),
    gaps: sum(({ gaps }) => gaps),
    pagesBeyondRules: reports.filter(({ isBeyondRules }) => isBeyondRules).length,
    driversOverLimit: totals.filter(({ tripsOverLimit }) => tripsOverLimit > 0).length,
    top: highest(totals.map(({ top }) => top)),
  };
}

const MAX_REASON_LINES = 3;
/** First column with a figure, behind those that name a driver. */
const FIRST_FIGURE = 4;

/** Makes the row of a driver, and the full text of what it cuts. @param maxLines of a name, a code or a vehicle */
export function coverRow(
  report: ReportDocument,
  columns: readonly Column[],
  row: CoverRow,
  index: number,
  maxLines: number,
) {
  const { labels } = report;
  let isCut = false;
  const fit = (value: string, column: Column | undefined, most: number, weight?: FontWeight): Cell => {
    if (cleanText(value) === '') return prose([NO_VALUE]);
    const wrapped = wrapInto(report.typesetter, value, column?.width ?? 0, most, weight);
    isCut ||= wrapped.isCut;
    return prose(wrapped.lines, wrapped.lineHeight);
  };
  const { number, identity } = row;
  const texts = [identity.name, identity.code, identity.vehicle];
  const [name = EMPTY_CELL, ...others] = texts.map((text, place) => fit(text, columns[place + 1], maxLines));
  const head = [plain(String(number)), { ...name, isHeader: true }, ...others];
  const made = (inColumns: readonly Column[], cells: readonly Cell[], background?: Colour) => {
    const inFull = [`No. ${number}`, ...texts.map(cleanText).filter(Boolean)].join('  ');
    const drawn = tableRow(inColumns, [...head, ...cells], { background, name: `driver ${number}` });
    return { row: drawn, inFull: isCut ? inFull : undefined };
  };
  const inPlaceOfFigures = (text: string, to: number, ...cells: readonly Cell[]) => {
    const wide = joined(columns, FIRST_FIGURE, to);
    return made(
      wide,
      [warning(fit(text, wide[FIRST_FIGURE], maxLines === 1 ? 1 : MAX_REASON_LINES, 'bold')), ...cells],
      COLOURS.redWash,
    );
  };
  if (row.kind === 'failed') {
    const reason = labels.failure(row.reason, row.detail);
    texts.push(reason);
    return inPlaceOfFigures(reason, columns.length);
  }
  const { firstPage, pageNumber, totals, counted, rest, isBeyondRules } = row.section;
  const page = grouped(pageNumber);
  const link = { page: firstPage, contents: [identity.name, labels.page, page].map(cleanText).join(' ') };
  // The page says which figure is longer than its limit.
  const pageCell = { ...(isBeyondRules ? warning(plain(page, '▲')) : plain(page)), link };
  if (counted !== undefined) {
    return inPlaceOfFigures(labels.countedBefore(counted), columns.length - 1, pageCell);
  }
  const figures = figureCells(report, columns, totals, totals.tripsOverLimit > 0, { rest, maxLines });
  const driving = durationCell(totals.drivingMinutes, drivingText(totals));
  const cells = [...figures.slice(0, 2), driving, ...figures.slice(3), pageCell];
  return made(columns, cells, index % 2 === 1 ? COLOURS.panel : undefined);
}

/** Makes a row of sums. @param name of the row, for references by its cells */
export function coverSums(
  report: ReportDocument,
  columns: readonly Column[],
  rows: readonly CoverRow[],
  label: string,
  name: string,
): TableRow {
  const totals = coverTotalsOf(rows);
  const cells = figureCells(report, columns, totals, totals.driversOverLimit > 0).map((cell, index): Cell => {
    const lines = cell.lines.flatMap((text) => figureLines(report, columns[FIRST_FIGURE + index], text));
    return { ...cell, lines, ...(cell.weight !== 'bold' && BOLD) };
  });
  return sumsRow(columns, FIRST_FIGURE, [bold(label), ...cells, EMPTY_CELL], name);
}

/** Divides a figure that is wider than its column: first the mark behind it goes to a line of its own. */
function figureLines(report: ReportDocument, column: Column | undefined, text: string): readonly string[] {
  const [, bound = '', figure = '', doubt = ''] = /^([≥≤]?)(.*?)(‡?)$/.exec(text) ?? [];
  const divided = [bound, figure, doubt].filter(Boolean);
  const ways = [[text], [bound + figure, doubt].filter(Boolean)];
  return ways.find((lines) => lines.every((line) => fitsInto(report, column, line))) ?? divided;
}

type CoverFigures = Pick<
  DayTotals,
  'trips' | 'hectometers' | 'drivingMinutes' | 'lacking' | 'top' | 'overLimit' | 'impossible'
>;

/** Makes the cells of the figures of a day or of all, from the trips to those that do not count. */
function figureCells(
  report: ReportDocument,
  columns: readonly Column[],
  totals: CoverFigures,
  isOver: boolean,
  { rest, maxLines }: { readonly rest?: RuledFigure | undefined; readonly maxLines?: number } = {},
): readonly Cell[] {
  const { labels, options } = report;
  const { top, lacking, overLimit, impossible } = totals;
  const column = columns.find(({ heading }) => heading === labels.overLimit);
  const times = timesOver(labels, overLimit, (text) => fitsInto(report, column, text));
  return [
    plain(count(totals.trips)),
    plain(distanceOf(totals)),
    plain(drivingText(totals)),
    ...(options.drivingRules === 'off' ? [] : [restCell(rest)]),
    // Only the page of the driver explains the mark of the source.
    topSpeedCell(top && { ...top, source: 'both' }, isOver, { mark: doubtMark(lacking.doubtfulTops) }),
    times.length === 0 ? EMPTY_CELL : warning(plain(...(maxLines === 1 ? times.slice(0, 1) : times))),
    impossible === 0 ? EMPTY_CELL : warning(plain(`× ${grouped(impossible)}`)),
  ];
}

/** Makes the cell of the least rest, with its mark. */
function restCell(rest: RuledFigure | undefined): Cell {
  if (rest === undefined) return EMPTY_CELL;
  const { least, most, mark } = rest;
  const cell = plain(`${mark} ${most > least ? '≥' : ''}${hoursAndMinutes(least)}`.trim());
  return mark === '▲' ? warning(cell) : cell;
}
