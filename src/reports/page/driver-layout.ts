import type { Labels } from './labels.js';
import { rowHeight, TABLE, type Column, type TableRow } from './table.js';
import { CONTENT_BOTTOM, CONTENT_WIDTH, PAGE } from './theme.js';

/** Who the driver is: baselines of names and values, and the line below them. */
export const IDENTITY = { label: 111, value: 127, rule: 134 } as const;

/** Where the figures of the day stand. */
export const TILES_TOP = 142;

/** Baseline of departure and return, or of why the page does not count. */
export const DUTY_STRIP = 198;

/** Baseline of the headings of chart and route, which stand side by side. */
export const FIGURE_HEADING = 214;

/** The plot of the speeds; the labels of its axes lie left of and below it. */
export const SPEED_PLOT = { left: PAGE.margin + 24, right: PAGE.margin + 338, top: 225, bottom: 363 } as const;

/** The panel of the route. */
export const ROUTE_PANEL = { left: PAGE.margin + 356, top: 223, width: CONTENT_WIDTH - 356, height: 154 } as const;

/** What stands on the page of a day without trips, in place of chart, route and table. */
export const NOTHING_RECORDED = { notice: 216, remarks: 300 } as const;

/** Where the trip table begins on the first page of a driver and on the others. */
export const TRIP_TABLE_TOP = { first: 401, continued: 84 } as const;

/** Width of the columns with addresses. */
export const ADDRESS_WIDTH = 103;

/** The columns of the trip table; together as wide as the content of a page. */
export function tripColumns(labels: Labels): readonly Column[] {
  // The address beside a time has no heading of its own.
  const time = { width: 33, align: 'left', headingSpan: 2 } as const;
  const address = { heading: '', width: ADDRESS_WIDTH, align: 'left' } as const;
  const hours = labels.hoursAndMinutes;
  return [
    { heading: labels.number, width: 22, align: 'left' },
    { heading: labels.start, ...time },
    address,
    { heading: labels.end, ...time },
    address,
    { heading: labels.distance, unit: 'km', width: 40, align: 'right' },
    { heading: labels.tripTime, unit: hours, width: 41, align: 'right' },
    { heading: labels.idling, unit: hours, width: 49, align: 'right' },
    { heading: labels.stops, width: 27, align: 'right' },
    { heading: labels.average, unit: 'km/h', width: 34, align: 'right' },
    { heading: labels.top, unit: 'km/h', width: 38.28, align: 'right' },
  ];
}

/**
 * Divides the rows of a day among pages, as many on each as fit.
 *
 * @param trips the rows of each trip, which stay together
 * @param ending height of what stands below the last row; never alone on a page, the last row goes with it
 */
export function tripsOnPages(
  trips: readonly (readonly TableRow[])[],
  ending: number,
): readonly (readonly TableRow[])[] {
  let open: TableRow[] = [];
  const pages = [open];
  let room = CONTENT_BOTTOM - TRIP_TABLE_TOP.first - TABLE.headHeight;
  trips.forEach((rows, index) => {
    const height = rows.reduce((sum, { cells }) => sum + rowHeight(cells), 0);
    if (room < (index === trips.length - 1 ? height + ending : height)) {
      pages.push((open = []));
      room = CONTENT_BOTTOM - TRIP_TABLE_TOP.continued - TABLE.headHeight;
    }
    open.push(...rows);
    room -= height;
  });
  return pages;
}
