import type { FormBlock } from '../report-form.js';
import { DRIVER_LAYOUTS, type DriverLayout, FEW_TRIPS, layoutOf } from './driver-layout.js';
import { blocksHeight, placeBlocks, type PlacedBlock } from './hand-blocks.js';
import type { ReportPage } from './report-page.js';
import { divideRows } from './table.js';
import { CONTENT_BOTTOM } from './theme.js';

/** Table or notes of a day, which may continue on further pages. Heights are points. */
export interface DayPart {
  /** Number of rows, those kept together counted as one, or of notes. */
  readonly entries: number;
  /** Heading above the table on every page, and head of the table. */
  readonly above?: number;
  readonly head?: number;
  /** With it, entries begin below others only if all fit there, or if this many do and no page can hold all. */
  readonly minBegun?: number;
  /** Height of all of it on one page. */
  readonly whole: number;
  heightOf(from: number, to: number): number;
  /** Height of the sums of the pages before, on continuation pages. */
  readonly carried?: number;
  /** Height of the content below the last entry. */
  readonly ending?: number;
  draw(page: ReportPage, place: PlacedPart): void;
}

interface PlacedPart {
  readonly part: DayPart;
  /** Top of the head of the table, or of the notes. */
  readonly top: number;
  /** Index of its first entry, and the one after its last. */
  readonly from: number;
  readonly to: number;
  readonly isContinued: boolean;
}

interface PlannedPage {
  readonly parts: PlacedPart[];
  blocks: readonly PlacedBlock[];
}

interface DriverPlan {
  readonly layout: DriverLayout;
  readonly pages: readonly PlannedPage[];
}

const BLOCKS_GAP = 5;

/**
 * Divides a day among as few pages as possible, with all blocks to fill in by hand on the last one, below the last
 * entries.
 *
 * @param partsIn returns trips, breaks, and the notes below both
 */
export function planDriver(
  partsIn: (layout: DriverLayout) => readonly [trips: DayPart, ...others: DayPart[]],
  blocks: readonly FormBlock[],
  continuedTop: number,
  dutyLines: number,
): DriverPlan {
  const plans: DriverPlan[] = [];
  for (const heights of DRIVER_LAYOUTS) {
    const layout = layoutOf(heights, dutyLines);
    const [trips, ...others] = partsIn(layout);
    if (!layout.hasChart && trips.entries > FEW_TRIPS) continue;
    const parts = [trips, ...others].filter(({ entries }) => entries > 0);
    plans.push({ layout, pages: pagesOf(parts, blocks, layout, continuedTop) });
    if (plans.at(-1)?.pages.length === 1) break;
  }
  return plans.reduce((best, plan) => (plan.pages.length < best.pages.length ? plan : best));
}

function pagesOf(parts: readonly DayPart[], blocks: readonly FormBlock[], layout: DriverLayout, continuedTop: number) {
  const pages: PlannedPage[] = [{ parts: [], blocks: [] }];
  const needed = blocks.length === 0 ? 0 : BLOCKS_GAP + blocksHeight(blocks, layout.hand);
  let top = layout.tripsTop;
  parts.forEach((part, index) => {
    const others = parts.slice(index + 1);
    const following = needed + others.reduce((sum, { whole }) => sum + whole, 0);
    top = place(pages, part, top, continuedTop, { following, kept: others.length === 0 ? needed : 0 });
  });
  if (top + needed > CONTENT_BOTTOM) {
    pages.push({ parts: [], blocks: [] });
    top = continuedTop;
  }
  const last = pages.at(-1);
  if (last !== undefined) last.blocks = placeBlocks(blocks, top + BLOCKS_GAP, layout.hand);
  return pages;
}

/**
 * Divides a part among the last page and further ones. @returns y position at which the last page then continues
 * @param heights of all that follows the part, and of what has to stand below its last entry
 */
function place(
  pages: PlannedPage[],
  part: DayPart,
  top: number,
  continuedTop: number,
  { following, kept }: { readonly following: number; readonly kept: number },
): number {
  const { entries, above = 0, head = 0, minBegun = 0, carried = 0, ending = 0, whole } = part;
  if (top + whole + following <= CONTENT_BOTTOM) {
    pages.at(-1)?.parts.push({ part, top: top + above, from: 0, to: entries, isContinued: false });
    return top + whole;
  }
  const heights = Array.from({ length: entries }, (_, index) => part.heightOf(index, index + 1));
  const here = CONTENT_BOTTOM - top - above - head;
  const elsewhere = CONTENT_BOTTOM - continuedTop - above - head - carried;
  const own = whole - above - head;
  const begins = own <= here || (own > elsewhere && part.heightOf(0, minBegun) <= here);
  const isHere = minBegun === 0 || (own + following > elsewhere && begins);
  let bottom = top;
  const ranges = divideRows(heights, ending + kept, isHere ? here : elsewhere, elsewhere);
  ranges.forEach(({ from, to }, index) => {
    if (to === from) return;
    const follows = index === 0 && isHere;
    const placed = { part, top: (follows ? top : continuedTop) + above, from, to, isContinued: from > 0 };
    if (!follows) pages.push({ parts: [], blocks: [] });
    pages.at(-1)?.parts.push(placed);
    bottom = placed.top + head + (from > 0 ? carried : 0) + part.heightOf(from, to);
  });
  return bottom + ending;
}
