import type { DayTotals, DayTrip } from '../day/driver-day.js';
import { NO_VALUE } from '../text/clean-text.js';
import { fitLine, fitTwoLines } from '../text/fit-text.js';
import type { Typesetter } from '../text/typesetter.js';
import { bold, cellOf, EMPTY_CELL, plain, type Cell, type CellLine } from './cell.js';
import { ADDRESS_WIDTH } from './driver-layout.js';
import { average, count, duration, kilometers, speed } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import { TABLE, tableRow, type TableRow } from './table.js';
import { COLOURS } from './theme.js';

const ADDRESS = { size: 7.25, minSize: 6.5, inTwoLines: [6.75, 6.25, 5.75] } as const;

/** The line of one trip. */
export function tripRow(report: ReportDocument, trip: DayTrip, index: number): TableRow {
  const isOver = trip.topKmh !== null && trip.topKmh > report.options.speedLimitKmh;
  const cells = [
    { ...plain(String(index + 1)), colour: COLOURS.muted },
    timeCell(report, trip.start),
    addressCell(report, trip.startAddress),
    timeCell(report, trip.end),
    addressCell(report, trip.endAddress),
    plain(kilometers(trip.meters)),
    plain(duration(trip.seconds)),
    plain(duration(trip.idleSeconds)),
    plain(count(trip.stops)),
    plain(average(trip.averageKmh)),
    topSpeedCell(trip.topKmh, isOver),
  ];
  return tableRow(cells, index % 2 === 1 ? COLOURS.panel : undefined);
}

/** The last line of the trip table. */
export function totalsRow(report: ReportDocument, totals: DayTotals): readonly Cell[] {
  const isOver = totals.tripsOverLimit > 0;
  return [
    { ...bold(report.labels.total), isHeader: true },
    EMPTY_CELL,
    EMPTY_CELL,
    EMPTY_CELL,
    EMPTY_CELL,
    bold(kilometers(totals.meters)),
    bold(duration(totals.seconds)),
    bold(duration(totals.idleSeconds)),
    bold(count(totals.stops)),
    bold(average(totals.averageKmh)),
    isOver ? topSpeedCell(totals.topKmh, true) : bold(speed(totals.topKmh)),
  ];
}

/** Over the limit is a mark, bold type and a colour, so that it survives a black-and-white printer. */
export function topSpeedCell(kmh: number | null, isOver: boolean): Cell {
  const text = speed(kmh);
  return isOver ? { ...plain(`▲ ${text}`), weight: 'bold', colour: COLOURS.red } : plain(text);
}

function timeCell({ clock }: ReportDocument, time: number | null): Cell {
  if (time === null) return plain(NO_VALUE);
  const days = clock.dayOffset(time);
  const suffix = days === 0 ? '' : days > 0 ? `+${days}` : `−${-days}`;
  return { ...plain(clock.time(time)), suffix };
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
