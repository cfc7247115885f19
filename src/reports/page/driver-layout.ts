import type { Labels } from './labels.js';
import type { Column } from './table.js';
import { CONTENT_WIDTH, PAGE } from './theme.js';

/** Driver and vehicle: baselines of labels, of values in one line or in two, and position of the line below them. */
export const IDENTITY = { label: 96, value: 111, first: 108.4, second: 121, rule: 127 } as const;

export const TILES_TOP = 132;

/** Baseline of departure and return, or of the reason why the page does not count. */
export const DUTY_STRIP = 181;

/** Baseline of the headings of chart and route, which stand side by side. */
export const FIGURE_HEADING = 207;

/** Positions of the notice on the page of a day without trips, and of the content below it. */
export const NOTHING_RECORDED = { notice: 200, next: 276 } as const;

/** Positions of the parts of a driver's pages, in points. The labels of the plot's axes lie left of and below it. */
export type DriverLayout = ReturnType<typeof layoutOf>;

/** Layouts: a usual one, a tight one, which holds a third more rows, and a dense one for days of many pages. */
export const DRIVER_LAYOUTS = [layoutOf(110, 4.8, 5.2), layoutOf(72, 2, 3.6), layoutOf(72, 0.6, 2)] as const;

/** @param plot height of the plot of speeds; paddings of a row are vertical, both sides together */
function layoutOf(plot: number, tripPadding: number, breakPadding: number) {
  const top = FIGURE_HEADING + 9;
  const bottom = top + plot;
  const routeLeft = PAGE.left + 344;
  return {
    plot: { left: PAGE.left + 22, right: PAGE.left + 330, top, bottom },
    route: { left: routeLeft, top: top - 2, width: PAGE.left + CONTENT_WIDTH - routeLeft, height: plot + 16 },
    tripsTop: bottom + 35,
    tripPadding,
    breakPadding,
  };
}

export const ADDRESS_WIDTH = 189.28;

/** Returns the columns of the trip table; together as wide as the content of a page. */
export function tripColumns(labels: Labels): readonly Column[] {
  // The address beside a time has no heading of its own.
  const time = { width: 34, align: 'left', headingSpan: 2 } as const;
  const address = { heading: '', width: ADDRESS_WIDTH, align: 'left' } as const;
  const hours = labels.hoursAndMinutes;
  return [
    { heading: labels.number, width: 26, align: 'left' },
    { heading: labels.start, ...time, level: 'upper' },
    { ...address, level: 'upper' },
    { heading: labels.end, ...time, level: 'lower' },
    { ...address, level: 'lower' },
    { heading: labels.distance, unit: 'km', width: 46, align: 'right' },
    { heading: labels.tripTime, unit: hours, width: 42, align: 'right' },
    { heading: labels.idling, unit: hours, width: 48, align: 'right' },
    { heading: labels.stops, width: 31, align: 'right' },
    { heading: labels.average, unit: 'km/h', width: 36, align: 'right' },
    { heading: labels.top, unit: 'km/h', width: 55, align: 'right' },
  ];
}

export const KIND_WIDTH = 172;

/** Returns the columns of the table of breaks; together as wide as the content of a page. */
export function breakColumns(labels: Labels): readonly Column[] {
  return [
    { heading: labels.number, width: 26, align: 'left' },
    { heading: labels.place, width: ADDRESS_WIDTH, align: 'left' },
    { heading: labels.breakFrom, width: 38, align: 'left' },
    { heading: labels.breakTo, width: 38, align: 'left' },
    { heading: labels.breaks, unit: labels.hoursAndMinutes, width: 44, align: 'right' },
    { heading: labels.breakKind, width: KIND_WIDTH, align: 'left' },
  ];
}
