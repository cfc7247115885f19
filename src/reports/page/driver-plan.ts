import type { FormBlock } from '../report-form.js';
import { DRIVER_LAYOUTS, type DriverLayout } from './driver-layout.js';
import { placeBlocks, type PlacedBlock } from './hand-blocks.js';
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
  heightOf(layout: DriverLayout, from: number, to: number): number;
  /** Returns the height of the sums of the pages before, on continuation pages. */
  carried?(layout: DriverLayout): number;
  /** Returns the height of the content below the last entry. */
  ending?(layout: DriverLayout): number;
  draw(page: ReportPage, place: PlacedPart, layout: DriverLayout): void;
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

/** Trips, breaks, and the notes below both. */
export type DayParts = readonly [trips: DayPart, breaks: DayPart, below: DayPart];

const BLOCKS_GAP = 9;
/** Number of pages from which the rows of a day are printed closely if that saves a page. */
const MANY_PAGES = 5;

/**
 * Divides a day among as few pages as possible. The tight layout is used if it saves a page, or keeps the trips, the
 * breaks or the blocks to fill in by hand together. Blocks that do not fit on the last page have a further one.
 */
export function planDriver(parts: DayParts, blocks: readonly FormBlock[], continuedTop: number): DriverPlan {
  const [roomy, tight, dense] = DRIVER_LAYOUTS;
  const planIn = (layout: DriverLayout): DriverPlan => {
    const pages: PlannedPage[] = [];
    const bottom = parts.reduce((top, part) => place(pages, part, layout, top, continuedTop), layout.tripsTop);
    const here = placeBlocks(blocks, bottom + BLOCKS_GAP, CONTENT_BOTTOM);
    const left = blocks.filter((block) => !here.some((placed) => placed.block === block));
    const last = pages.at(-1);
    if (last !== undefined) last.blocks = here;
    if (left.length > 0) pages.push({ parts: [], blocks: placeBlocks(left, continuedTop, CONTENT_BOTTOM) });
    return { layout, pages };
  };
  const usual = planIn(roomy);
  if (usual.pages.length === 1) return usual;
  const tighter = planIn(tight);
  const best = isBetter(tighter, usual, parts) ? tighter : usual;
  if (best.pages.length < MANY_PAGES) return best;
  const densest = planIn(dense);
  return densest.pages.length < best.pages.length ? densest : best;
}

function isBetter(one: DriverPlan, other: DriverPlan, [trips, breaks]: DayParts): boolean {
  const costs = ({ pages }: DriverPlan): readonly number[] => {
    const pagesWith = (wanted: DayPart): number =>
      pages.filter(({ parts }) => parts.some(({ part }) => part === wanted)).length;
    const pagesWithBlocks = pages.filter(({ blocks }) => blocks.length > 0).length;
    return [pages.length, pagesWith(trips), pagesWith(breaks), pagesWithBlocks];
  };
  const [mine, others] = [costs(one), costs(other)];
  const first = mine.findIndex((cost, index) => cost !== others[index]);
  return (mine[first] ?? 0) < (others[first] ?? 0);
}

/** Divides a part among the last page and further ones. @returns y position at which the last page then continues */
function place(pages: PlannedPage[], part: DayPart, layout: DriverLayout, top: number, continuedTop: number): number {
  const { entries, above = 0, head = 0, minBegun = 0 } = part;
  if (entries === 0) return top;
  const [carried, ending] = [part.carried?.(layout) ?? 0, part.ending?.(layout) ?? 0];
  const heights = Array.from({ length: entries }, (_, index) => part.heightOf(layout, index, index + 1));
  const here = CONTENT_BOTTOM - top - above - head;
  const elsewhere = CONTENT_BOTTOM - continuedTop - above - head - carried;
  const whole = part.heightOf(layout, 0, entries) + ending;
  const isHere = minBegun === 0 || whole <= here || (whole > elsewhere && part.heightOf(layout, 0, minBegun) <= here);
  let bottom = top;
  divideRows(heights, ending, isHere ? here : elsewhere, elsewhere).forEach(({ from, to }, index) => {
    const follows = index === 0 && isHere;
    const placed = { part, top: (follows ? top : continuedTop) + above, from, to, isContinued: index > 0 };
    let page = follows ? pages.at(-1) : undefined;
    if (page === undefined) pages.push((page = { parts: [], blocks: [] }));
    page.parts.push(placed);
    bottom = placed.top + head + (index > 0 ? carried : 0) + part.heightOf(layout, from, to);
  });
  return bottom + ending;
}
