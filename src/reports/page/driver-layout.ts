import type { Labels } from './labels.js';
import type { Column } from './table.js';
import { CONTENT_WIDTH, PAGE } from './theme.js';

/** Driver and vehicle: baselines of labels, of values in one line or in two, and position of the line below them. */
export const IDENTITY = { label: 96, value: 111, first: 108.4, second: 121, rule: 127 } as const;

export const TILES_TOP = 132;

/** Baseline of departure and return, or of the reason why the page does not count. */
export const DUTY_STRIP = 176;
export const DUTY_LINE = 9;

/** Positions of the notice on the page of a day without trips, and of the content below it. */
export const NOTHING_RECORDED = { notice: 195, next: 271 } as const;

/** Heights of a driver's pages in points, and their boxes; the paddings of a row are vertical, both sides together. */
interface DriverHeights {
  readonly plot: number;
  readonly tripPadding: number;
  readonly breakPadding: number;
  readonly hand: number;
}

/** Order in which heights give way until a day fits on one sheet; a longer day has the first with the fewest sheets. */
export const DRIVER_LAYOUTS: readonly DriverHeights[] = [
  { plot: 110, tripPadding: 6, breakPadding: 6, hand: 26 },
  // Chart and route.
  { plot: 72, tripPadding: 6, breakPadding: 6, hand: 26 },
  // The space between rows.
  { plot: 72, tripPadding: 2, breakPadding: 3, hand: 26 },
  // Chart, route and boxes.
  { plot: 48, tripPadding: 2, breakPadding: 3, hand: 21 },
  // All of it and, of a day of few trips, chart and route as a whole.
  { plot: 22, tripPadding: 0.6, breakPadding: 1, hand: 17 },
  { plot: 0, tripPadding: 0.6, breakPadding: 1, hand: 17 },
];

/** Trips of a day that gets one sheet even at the cost of its chart. */
export const FEW_TRIPS = 10;
/** Right end of the chart, beside which is the route. */
export const CHART_RIGHT = PAGE.left + 330;

/** Positions of the parts of a driver's pages. The labels of the plot's axes lie left of and below it. */
export type DriverLayout = ReturnType<typeof layoutOf>;

/** @param dutyLines lines of the longer place of departure and return */
export function layoutOf({ plot, tripPadding, breakPadding, hand }: DriverHeights, dutyLines: number) {
  const band = DUTY_STRIP + dutyLines * DUTY_LINE;
  const heading = band + 30;
  const top = heading + 7;
  const bottom = top + plot;
  const hasChart = plot > 0;
  const routeLeft = PAGE.left + 344;
  return {
    tripPadding,
    breakPadding,
    hand,
    band,
    /** Baseline of the headings of chart and route, which stand side by side. */
    heading,
    plot: { left: PAGE.left + 22, right: CHART_RIGHT, top, bottom },
    route: { left: routeLeft, top: top - 2, width: PAGE.left + CONTENT_WIDTH - routeLeft, height: plot + 14 },
    hasChart,
    tripsTop: hasChart ? bottom + 28 : band + 36,
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
