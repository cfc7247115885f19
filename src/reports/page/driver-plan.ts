import type { FormBlock } from '../form/report-form.js';
import { headHeight } from './draw-table.js';
import { DRIVER_LAYOUTS, type DriverLayout } from './driver-layout.js';
import { type Note, notesHeight } from './driver-notes.js';
import { placeBlocks, type PlacedBlock } from './hand-blocks.js';
import { type Column, divideRows, rowHeight, rowsHeight, type TableRow } from './table.js';
import { CONTENT_BOTTOM } from './theme.js';

/** Part of a table on a page. */
export interface TablePart {
  /** Top of its head. */
  readonly top: number;
  /** Index of its first entry, and the one after its last. */
  readonly from: number;
  readonly to: number;
  readonly isContinued: boolean;
}

/** Content of one page of a driver. */
export interface PlannedPage {
  readonly trips?: TablePart;
  readonly breaks?: TablePart;
  /** Notes below both tables. */
  readonly below?: TablePart;
  readonly blocks: readonly PlacedBlock[];
}

/** Planned pages of a driver. */
export interface DriverPlan {
  readonly layout: DriverLayout;
  readonly pages: readonly PlannedPage[];
}

/** Content to place. Heights are points. */
export interface DriverContent {
  /** Rows of each trip, kept together. */
  readonly trips: readonly (readonly TableRow[])[];
  readonly tripColumns: readonly Column[];
  /** Height of the notes below the last trip, under its sums. */
  readonly notesHeight: number;
  readonly breaks: readonly TableRow[];
  readonly breakColumns: readonly Column[];
  /** Notes below both tables; may continue on further pages. */
  readonly below: readonly Note[];
  /** Sums row; all have the same height. */
  readonly sums: TableRow;
  readonly blocks: readonly FormBlock[];
  /** Top of continuation pages. */
  readonly continuedTop: number;
}

/** Gap and heading above a table that follows another one. */
export const HEADING_ABOVE = 20;
/** Gap above the blocks to fill in by hand. */
const BLOCKS_GAP = 9;
/** Minimum breaks on a partly filled page, if they need more than a page. */
const MIN_BEGUN = 5;
/** Pages of a day from which its rows are printed closely if that saves one. */
const MANY_PAGES = 5;
/** Gap around a sums row. */
export const SUMS_GAP = 1;

/**
 * Divides a day among as few pages as possible. The tight layout is used if it saves a page, keeps the trips or the
 * breaks together, or gives room to the parts to fill in by hand. Blocks stand on the last page if they fit there.
 */
export function planDriver(content: DriverContent): DriverPlan {
  const [roomy, tight, dense] = DRIVER_LAYOUTS;
  const usual = planIn(roomy, content);
  if (usual.pages.length === 1 && blocksOf(usual) === content.blocks.length) return usual;
  const tighter = planIn(tight, content);
  const best = isBetter(tighter, usual) ? tighter : usual;
  if (best.pages.length < MANY_PAGES) return best;
  const densest = planIn(dense, content);
  return densest.pages.length < best.pages.length ? densest : best;
}

function isBetter(one: DriverPlan, other: DriverPlan): boolean {
  const costs = ({ pages }: DriverPlan): readonly number[] => [
    pages.length,
    pages.filter(({ trips }) => trips !== undefined).length,
    pages.filter(({ breaks }) => breaks !== undefined).length,
  ];
  const [mine, others] = [costs(one), costs(other)];
  const first = mine.findIndex((cost, index) => cost !== others[index]);
  return first < 0 ? blocksOf(one) > blocksOf(other) : (mine[first] ?? 0) < (others[first] ?? 0);
}

function blocksOf({ pages }: DriverPlan): number {
  return pages.at(-1)?.blocks.length ?? 0;
}

interface OpenPage {
  trips?: TablePart;
  breaks?: TablePart;
  below?: TablePart;
}

function planIn(layout: DriverLayout, content: DriverContent): DriverPlan {
  const pages: OpenPage[] = [];
  let bottom = placeTrips(layout, content, pages);
  bottom = placeBreaks(layout, content, pages, bottom);
  bottom = placeBelow(content, pages, bottom);
  const blocks = placeBlocks(content.blocks, bottom + BLOCKS_GAP, CONTENT_BOTTOM);
  return { layout, pages: pages.map((page, index) => ({ ...page, blocks: index === pages.length - 1 ? blocks : [] })) };
}

/** @returns y position at which the last page continues */
function placeTrips(layout: DriverLayout, content: DriverContent, pages: OpenPage[]): number {
  const { trips, tripColumns, sums, notesHeight, continuedTop } = content;
  const padding = layout.tripPadding;
  const heights = trips.map((rows) => rowsHeight(rows, padding));
  const sumsHeight = rowHeight(sums, padding) + 2 * SUMS_GAP;
  const ending = sumsHeight + notesHeight;
  const head = headHeight(tripColumns);
  const first = CONTENT_BOTTOM - layout.tripsTop - head;
  const parts = divideRows(heights, ending, first, CONTENT_BOTTOM - continuedTop - head - sumsHeight);
  let bottom = 0;
  parts.forEach(({ from, to }, index) => {
    const top = index === 0 ? layout.tripsTop : continuedTop;
    pages.push({ trips: { top, from, to, isContinued: index > 0 } });
    bottom = top + head + (index === 0 ? 0 : sumsHeight) + heights.slice(from, to).reduce((sum, each) => sum + each, 0);
  });
  return bottom + ending;
}

/** @param bottom y position at which the last page continues @returns the new one */
function placeBreaks(layout: DriverLayout, content: DriverContent, pages: OpenPage[], bottom: number): number {
  const { breaks, breakColumns, sums, continuedTop } = content;
  if (breaks.length === 0) return bottom;
  const padding = layout.breakPadding;
  const heights = breaks.map((row) => rowHeight(row, padding));
  const ending = rowHeight(sums, padding) + 2 * SUMS_GAP;
  const head = headHeight(breakColumns);
  const whole = heights.reduce((sum, each) => sum + each, 0);
  const here = CONTENT_BOTTOM - bottom - HEADING_ABOVE - head;
  const elsewhere = CONTENT_BOTTOM - continuedTop - HEADING_ABOVE - head;
  const begun = heights.slice(0, MIN_BEGUN).reduce((sum, each) => sum + each, 0);
  const isHere = whole + ending <= here || (whole + ending > elsewhere && begun <= here);
  const parts = divideRows(heights, ending, isHere ? here : elsewhere, elsewhere);
  let end = bottom;
  parts.forEach(({ from, to }, index) => {
    const continues = index === 0 && isHere;
    const top = (continues ? bottom : continuedTop) + HEADING_ABOVE;
    const page = continues ? pages.at(-1) : undefined;
    const part = { top, from, to, isContinued: index > 0 };
    if (page === undefined) pages.push({ breaks: part });
    else page.breaks = part;
    end = top + head + heights.slice(from, to).reduce((sum, each) => sum + each, 0);
  });
  return end + ending;
}

/** @param bottom y position at which the last page continues @returns the new one */
function placeBelow({ below, continuedTop }: DriverContent, pages: OpenPage[], bottom: number): number {
  if (below.length === 0) return bottom;
  const heights = below.map((note) => notesHeight([note]));
  const parts = divideRows(heights, 0, CONTENT_BOTTOM - bottom, CONTENT_BOTTOM - continuedTop);
  let end = bottom;
  parts.forEach(({ from, to }, index) => {
    const page = index === 0 ? pages.at(-1) : undefined;
    const part = { top: index === 0 ? bottom : continuedTop, from, to, isContinued: index > 0 };
    if (page === undefined) pages.push({ below: part });
    else page.below = part;
    end = part.top + notesHeight(below.slice(from, to));
  });
  return end;
}
