import type { Labels } from './labels.js';
import { continuedBelow } from './section-frame.js';
import { type Column, divideRows, TABLE } from './table.js';
import { CONTENT_BOTTOM } from './theme.js';

/** Positions and paddings of the cover, in points. */
export const COVER = {
  /** Top of the figures, and of the table on the first page. */
  tilesTop: 97,
  tableTop: 159,
  /** Top of continuation pages, below a head with a line for organisation and date. */
  continuedTop: continuedBelow(1),
  /** Vertical padding of a row, both sides together; a page with tight rows holds a fifth more. */
  padding: { roomy: 7, tight: 4.4, step: 0.2 },
} as const;

/** Minimum number of drivers on the last page. */
const MIN_DRIVERS = 4;
/** Line limit of sums, which may wrap for many drivers. */
const SUMS_LINES = 4;

type CoverParts = ReturnType<typeof divideRows>;

/** Divides rows of these heights, their padding not included. */
export function coverParts(heights: readonly number[], padding: number): CoverParts {
  const sums = SUMS_LINES * TABLE.lineHeight + padding + 2;
  const first = CONTENT_BOTTOM - COVER.tableTop - TABLE.headHeight;
  const padded = heights.map((height) => height + padding);
  return divideRows(padded, sums, first, CONTENT_BOTTOM - COVER.continuedTop - TABLE.headHeight - sums);
}

/** Spreads rows over all reserved pages: while fewer would do, the longest page is split in two. */
export function onPages(parts: CoverParts, pages: number): CoverParts {
  const spread = [...parts];
  while (spread.length > 0 && spread.length < pages) {
    const longest = spread.reduce((best, part) => (part.to - part.from > best.to - best.from ? part : best));
    const { from, to } = longest;
    const middle = Math.ceil((from + to) / 2);
    spread.splice(spread.indexOf(longest), 1, { from, to: middle }, { from: middle, to });
  }
  return spread;
}

/** Returns the pages of a cover by the number of drivers alone, so that those behind it can be numbered at once. */
export function coverPages(driverCount: number): number {
  if (driverCount === 0) return 1;
  const heights = Array.from({ length: driverCount }, () => TABLE.lineHeight);
  const roomy = coverParts(heights, COVER.padding.roomy);
  const last = roomy.at(-1);
  if (roomy.length === 1 || last === undefined || last.to - last.from >= MIN_DRIVERS) return roomy.length;
  return Math.min(roomy.length, coverParts(heights, COVER.padding.tight).length);
}

/** Number of drivers above which sums need more space than names. */
const LARGE = 500;

/** Returns the columns of the cover table; together as wide as the content of a page. */
export function coverColumns(labels: Labels, driverCount: number, hasRest: boolean): readonly Column[] {
  const isLarge = driverCount > LARGE;
  /** Space that the rest takes from a column. */
  const left = (usual: number, large = usual): number => (hasRest ? (isLarge ? large : usual) : 0);
  const figure = (heading: string, usual: number, large: number, unit?: string): Column => {
    return { heading, unit, width: isLarge ? large : usual, align: 'right' };
  };
  const columns: readonly Column[] = [
    { heading: labels.number, width: isLarge ? 30 : 20, align: 'left' },
    { heading: labels.driver, width: (isLarge ? 58 : 78) - left(17.5, 14), align: 'left' },
    { heading: labels.employeeCode, width: 56, align: 'left' },
    { heading: labels.vehicle, unit: labels.mobile, width: isLarge ? 51.28 : 62.28, align: 'left' },
    figure(labels.tripCount, 30 - left(4), 34 - left(2)),
    figure(labels.distance, 48, 56 - left(4), 'km'),
    figure(labels.driving, 52 - left(2.5), 54 - left(2), labels.hoursAndMinutes),
    ...(hasRest ? [figure(labels.rest, 36, 36, labels.hoursAndMinutes)] : []),
    figure(labels.top, 40 - left(6), 40 - left(6), 'km/h'),
    figure(labels.overLimit, 58 - left(4), 58 - left(4)),
    figure(labels.excluded, 36 - left(2), 36 - left(2)),
    figure(labels.page, 27, 34 - left(2)),
  ];
  return columns.map((column, index) => ({ ...column, names: [`column ${index}`] }));
}
