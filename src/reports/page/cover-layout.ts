import type { Labels } from './labels.js';
import { TABLE, type Column } from './table.js';
import { CONTENT_BOTTOM } from './theme.js';

/** Where the table begins on the first page of the cover and on the others. */
export const COVER_TABLE_TOP = { first: 190, continued: 84 } as const;

const CAPACITY = {
  first: capacityFrom(COVER_TABLE_TOP.first),
  continued: capacityFrom(COVER_TABLE_TOP.continued),
} as const;

/**
 * How many drivers stand on each page of the cover. It depends on their number alone, not on what becomes of
 * them, so that the pages behind the cover can be numbered while they are drawn.
 *
 * @returns one entry a page; the last page has room for the totals and at least one driver with them
 */
export function driversOnPages(driverCount: number): readonly number[] {
  const pages: number[] = [];
  let left = driverCount;
  do {
    const capacity = pages.length === 0 ? CAPACITY.first : CAPACITY.continued;
    // The totals take a row; when only they would be left over, the last driver goes with them.
    const rows = left + 1 <= capacity ? left : Math.min(capacity, left - 1);
    pages.push(rows);
    left -= rows;
  } while (left > 0);
  return pages;
}

/** How many pages the cover of a report has. */
export function coverPages(driverCount: number): number {
  return driversOnPages(driverCount).length;
}

function capacityFrom(top: number): number {
  return Math.floor((CONTENT_BOTTOM - top - TABLE.headHeight) / TABLE.row);
}

/** The columns of the cover table; together as wide as the content of a page. */
export function coverColumns(labels: Labels): readonly Column[] {
  const columns: readonly Column[] = [
    { heading: labels.number, width: 28, align: 'left' },
    { heading: labels.driver, width: 102, align: 'left' },
    { heading: labels.employeeCode, width: 64, align: 'left' },
    { heading: labels.mobile, width: 56, align: 'left' },
    { heading: labels.tripCount, width: 34, align: 'right' },
    { heading: labels.distance, unit: 'km', width: 46, align: 'right' },
    { heading: labels.driving, unit: labels.hoursAndMinutes, width: 40, align: 'right' },
    { heading: labels.top, unit: 'km/h', width: 39, align: 'right' },
    { heading: labels.overLimit, unit: labels.hoursAndMinutes, width: 46, align: 'right' },
    { heading: labels.excluded, width: 41, align: 'right' },
    { heading: labels.page, width: 27.28, align: 'right' },
  ];
  return columns.map((column, index) => ({ ...column, names: [`column ${index}`] }));
}

/** The same columns with one wide column in place of the figures, for the reason why there are none. */
export function failureColumns(columns: readonly Column[]): readonly Column[] {
  return [...columns.slice(0, 4), joined(columns.slice(4))];
}

/** The same columns with one wide column in place of the figures and before the page, for a driver listed again. */
export function listedTwiceColumns(columns: readonly Column[]): readonly Column[] {
  return [...columns.slice(0, 4), joined(columns.slice(4, -1)), ...columns.slice(-1)];
}

function joined(columns: readonly Column[]): Column {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  return { heading: '', width, align: 'left', span: columns.length, names: columns.flatMap(({ names = [] }) => names) };
}
