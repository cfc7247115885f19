import type { FormBlock } from '../form/report-form.js';
import { headHeight, SUMS_GAP } from './draw-table.js';
import { DRIVER_LAYOUTS, type DriverLayout } from './driver-layout.js';
import { type Note, notesHeight } from './driver-notes.js';
import { placeBlocks, type PlacedBlock } from './hand-blocks.js';
import { type Column, divideRows, rowHeight, rowsHeight, type TableRow } from './table.js';
import { CONTENT_BOTTOM } from './theme.js';

/** Part of a table, or of the notes, on a page. */
export interface PlannedPart {
  /** Top of the head of the table, or of the notes. */
  readonly top: number;
  /** Index of its first entry, and the one after its last. */
  readonly from: number;
  readonly to: number;
  readonly isContinued: boolean;
}

/** Content of one page of a driver. */
export interface PlannedPage {
  trips?: PlannedPart;
  breaks?: PlannedPart;
  /** Notes below both tables. */
  below?: PlannedPart;
  blocks: readonly PlacedBlock[];
}

/** Planned pages of a driver. */
export interface DriverPlan {
  readonly layout: DriverLayout;
  readonly pages: readonly PlannedPage[];
}

/** Content to place. Heights are points. */
export interface DriverContent {
  /** Rows of each trip, and of each break, kept together. */
  readonly trips: readonly (readonly TableRow[])[];
  readonly tripColumns: readonly Column[];
  /** Height of the notes below the last trip, under its sums. */
  readonly notesHeight: number;
  readonly breaks: readonly (readonly TableRow[])[];
  readonly breakColumns: readonly Column[];
  /** Notes below both tables; may continue on further pages. */
  readonly below: readonly Note[];
  /** Row of sums; all have the same height. */
  readonly sums: TableRow;
  readonly blocks: readonly FormBlock[];
  /** Top of continuation pages. */
  readonly continuedTop: number;
}

/** Gap and heading above a table that follows another one. */
const HEADING_ABOVE = 20;
/** Gap above the blocks to fill in by hand. */
const BLOCKS_GAP = 9;
/** Minimum breaks on a partly filled page, if they need more than a page. */
const MIN_BEGUN = 5;
/** Number of pages from which the rows of a day are printed closely if that saves a page. */
const MANY_PAGES = 5;

/**
 * Divides a day among as few pages as possible. The tight layout is used if it saves a page, keeps the trips or the
 * breaks together, or leaves space for more of the blocks to fill in by hand. These stand on the last page if they fit
 * there.
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

function planIn(layout: DriverLayout, content: DriverContent): DriverPlan {
  const { trips, breaks, below, sums, continuedTop } = content;
  const pages: PlannedPage[] = [];
  const sumsHeight = (padding: number): number => rowHeight(sums, padding) + 2 * SUMS_GAP;
  let bottom = place(pages, 'trips', trips, {
    top: layout.tripsTop,
    continuedTop,
    above: 0,
    head: headHeight(content.tripColumns),
    carried: sumsHeight(layout.tripPadding),
    ending: sumsHeight(layout.tripPadding) + content.notesHeight,
    heightOf: (entries) => rowsHeight(entries, layout.tripPadding),
  });
  bottom = place(pages, 'breaks', breaks, {
    top: bottom,
    continuedTop,
    above: HEADING_ABOVE,
    head: headHeight(content.breakColumns),
    carried: 0,
    ending: sumsHeight(layout.breakPadding),
    minBegun: MIN_BEGUN,
    heightOf: (entries) => rowsHeight(entries, layout.breakPadding),
  });
  bottom = place(pages, 'below', below, {
    top: bottom,
    continuedTop,
    above: 0,
    head: 0,
    carried: 0,
    ending: 0,
    heightOf: notesHeight,
  });
  const last = pages.at(-1);
  if (last !== undefined) last.blocks = placeBlocks(content.blocks, bottom + BLOCKS_GAP, CONTENT_BOTTOM);
  return { layout, pages };
}

/** Heights around the entries of a table, or of the notes, in points. */
interface Placing<Entry> {
  /** Position at which the last page continues. */
  readonly top: number;
  readonly continuedTop: number;
  /** Heading above the table on every page, and head of the table. */
  readonly above: number;
  readonly head: number;
  /** Sums of the pages before, on continuation pages. */
  readonly carried: number;
  /** Content below the last entry. */
  readonly ending: number;
  /** If given, entries begin on the last page only if all fit there, or if this many do and no page can hold all. */
  readonly minBegun?: number;
  readonly heightOf: (entries: readonly Entry[]) => number;
}

/** Divides entries among the last page and further ones. @returns y position at which the last page then continues */
function place<Entry>(
  pages: PlannedPage[],
  kind: 'trips' | 'breaks' | 'below',
  entries: readonly Entry[],
  { top, continuedTop, above, head, carried, ending, minBegun = 0, heightOf }: Placing<Entry>,
): number {
  if (entries.length === 0) return top;
  const heights = entries.map((entry) => heightOf([entry]));
  const here = CONTENT_BOTTOM - top - above - head;
  const elsewhere = CONTENT_BOTTOM - continuedTop - above - head - carried;
  const whole = heightOf(entries) + ending;
  const isHere = minBegun === 0 || whole <= here || (whole > elsewhere && heightOf(entries.slice(0, minBegun)) <= here);
  let bottom = top;
  divideRows(heights, ending, isHere ? here : elsewhere, elsewhere).forEach(({ from, to }, index) => {
    const follows = index === 0 && isHere;
    const part = { top: (follows ? top : continuedTop) + above, from, to, isContinued: index > 0 };
    let page = follows ? pages.at(-1) : undefined;
    if (page === undefined) pages.push((page = { blocks: [] }));
    page[kind] = part;
    bottom = part.top + head + (index > 0 ? carried : 0) + heightOf(entries.slice(from, to));
  });
  return bottom + ending;
}
