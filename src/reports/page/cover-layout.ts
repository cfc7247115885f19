import { divideRows } from './divide-rows.js';
import type { Labels } from './labels.js';
import { continuedBelow } from './section-frame.js';
import { TABLE, type Column } from './table.js';
import { CONTENT_BOTTOM } from './theme.js';

/** Where the figures stand, and where the table begins on the first page of the cover. */
export const COVER_TILES_TOP = 97;
export const COVER_TABLE_TOP = 159;

/** Above and below the lines of a row together; drawn tightly, a page holds a fifth more. */
export const COVER_PADDING = { roomy: 6.4, tight: 3.8, step: 0.2 } as const;

/** Fewer drivers look lost on a page of their own. */
const MIN_DRIVERS = 4;
/** Where continuation pages begin, below a head with a line for organisation and date. */
export const COVER_CONTINUED_TOP = continuedBelow(1);
/** Sums of many drivers may wrap. */
const SUMS_LINES = 4;

/** Rows of a table on the pages of a cover. */
export type CoverParts = readonly { readonly from: number; readonly to: number }[];

/** Divides rows among pages. */
export function coverParts(heights: readonly number[], padding: number): CoverParts {
  const sums = SUMS_LINES * TABLE.lineHeight + padding + 2;
  const first = CONTENT_BOTTOM - COVER_TABLE_TOP - TABLE.headHeight;
  return divideRows(heights, sums, first, CONTENT_BOTTOM - COVER_CONTINUED_TOP - TABLE.headHeight - sums);
}

/** The same on as many pages as were reserved, where fewer would do: a long page becomes two. */
export function onPages(parts: CoverParts, pages: number): CoverParts {
  const spread = [...parts];
  while (spread.length > 0 && spread.length < pages) {
    const longest = spread.reduce((best, { from, to }, index) => {
      const { from: first, to: last } = spread[best] ?? { from: 0, to: 0 };
      return to - from > last - first ? index : best;
    }, 0);
    const { from, to } = spread[longest] ?? { from: 0, to: 0 };
    const middle = Math.ceil((from + to) / 2);
    spread.splice(longest, 1, { from, to: middle }, { from: middle, to });
  }
  return spread;
}

/**
 * How many pages the cover of a report has. It depends on the number of drivers alone, not on what becomes of them,
 * so that the pages behind it can be numbered while they are drawn.
 */
export function coverPages(driverCount: number): number {
  if (driverCount === 0) return 1;
  const partsIn = (padding: number): CoverParts =>
    coverParts(
      Array.from({ length: driverCount }, () => TABLE.lineHeight + padding),
      padding,
    );
  const roomy = partsIn(COVER_PADDING.roomy);
  const last = roomy.at(-1);
  if (roomy.length === 1 || last === undefined || last.to - last.from >= MIN_DRIVERS) return roomy.length;
  return Math.min(roomy.length, partsIn(COVER_PADDING.tight).length);
}

/** From so many drivers on, sums need more room than names. */
const LARGE = 500;

/** The columns of the cover table; together as wide as the content of a page. */
export function coverColumns(labels: Labels, driverCount: number): readonly Column[] {
  const hours = labels.hoursAndMinutes;
  const isLarge = driverCount > LARGE;
  const figure = (heading: string, usual: number, large: number, unit?: string): Column => ({
    heading,
    width: isLarge ? large : usual,
    align: 'right',
    ...(unit !== undefined && { unit }),
  });
  const columns: readonly Column[] = [
    { heading: labels.number, width: isLarge ? 30 : 26, align: 'left' },
    { heading: labels.driver, width: isLarge ? 64 : 85, align: 'left' },
    { heading: labels.employeeCode, width: 56, align: 'left' },
    { heading: labels.vehicle, unit: labels.mobile, width: isLarge ? 51.28 : 60.28, align: 'left' },
    figure(labels.tripCount, 33, 36),
    figure(labels.distance, 43, 56, 'km'),
    figure(labels.driving, 42, 46, hours),
    figure(labels.top, 40, 40, 'km/h'),
    figure(labels.overLimit, 58, 58),
    figure(labels.excluded, 36, 36),
    figure(labels.page, 28, 34),
  ];
  return columns.map((column, index) => ({ ...column, names: [`column ${index}`] }));
}

/** The same columns with one wide column in place of the figures, for the reason why there are none. */
export function failureColumns(columns: readonly Column[]): readonly Column[] {
  return [...columns.slice(0, 4), wideColumn(columns.slice(4))];
}

/** The same columns with one wide column in place of the figures and before the page, for a driver listed again. */
export function listedTwiceColumns(columns: readonly Column[]): readonly Column[] {
  return [...columns.slice(0, 4), wideColumn(columns.slice(4, -1)), ...columns.slice(-1)];
}

/** The same columns with one wide column in front of the figures. */
export function coverSumsColumns(columns: readonly Column[]): readonly Column[] {
  return [wideColumn(columns.slice(0, 4)), ...columns.slice(4)];
}

function wideColumn(columns: readonly Column[]): Column {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  return { heading: '', width, align: 'left', span: columns.length, names: columns.flatMap(({ names = [] }) => names) };
}
