import { COVER_PADDING, coverParts, onPages, type CoverParts } from './cover-layout.js';
import type { CoverRow } from './cover-rows.js';
import type { CoverTable, CoverTableRow } from './cover-table.js';
import { rowHeight } from './table.js';

/** How the rows of the cover stand on its pages. */
export interface Arrangement {
  readonly rows: readonly CoverTableRow[];
  readonly padding: number;
  readonly parts: CoverParts;
}

/**
 * Stands the rows of a cover on the pages that were reserved for it, as roomy as they allow; texts are cut only where
 * there is no room for them.
 */
export function arrange(table: CoverTable, rows: readonly CoverRow[], pages: number): Arrangement {
  const wrapped = fit(
    rows.map((row, index) => table.rowOf(row, index, false)),
    pages,
  );
  if (wrapped.parts.length <= pages) return wrapped;
  return fit(
    rows.map((row, index) => table.rowOf(row, index, true)),
    pages,
  );
}

function fit(rows: readonly CoverTableRow[], pages: number): Arrangement {
  const { roomy, tight, step } = COVER_PADDING;
  let padding: number = roomy;
  let parts = partsOf(rows, padding);
  while (parts.length > pages && padding > tight) {
    padding = Math.max(tight, padding - step);
    parts = partsOf(rows, padding);
  }
  return { rows, padding, parts: onPages(parts, pages) };
}

function partsOf(rows: readonly CoverTableRow[], padding: number): CoverParts {
  const heights = rows.map(({ row }) => rowHeight(row, padding));
  return coverParts(heights, padding);
}
