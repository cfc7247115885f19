import type { FormBlock, FormLabel } from '../report-form.js';
import type { Canvas } from './canvas.js';
import { lineFrom, type Point } from './path.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

/** Block with its place, in points. */
export interface PlacedBlock {
  readonly block: FormBlock;
  readonly top: number;
  readonly height: number;
}

interface DrawnBlock extends PlacedBlock {
  readonly words: ReportDocument['words'];
  /** Distance measured on the day, in kilometers. */
  readonly measured: string;
}

/** Heights of handwriting areas: a line takes at least six millimetres. */
const HAND = { row: 19, heads: 12, cell: 26 } as const;
const REMARKS = { least: 40, most: 120 } as const;
const BLOCK_GAP = 5;

/** Style of the words beside a space, and of its edges. */
const LABEL = { size: 6.5, baseline: 8, inset: 4 } as const;
const STROKE = { width: 0.6, colour: COLOURS.muted } as const;

/** Least height of each block in points, and the function that draws it. */
const BLOCKS: Readonly<
  Record<FormBlock, { readonly height: number; readonly draw: (page: ReportPage, block: DrawnBlock) => void }>
> = {
  rollCall: { height: HAND.heads + 2 * HAND.row, draw: drawRollCall },
  odometer: { height: HAND.cell, draw: drawOdometer },
  conditions: {
    height: 3 * HAND.cell,
    draw: (page, block) =>
      drawCells(page, block, [
        ['weather', 'load'],
        ['changeOfDriver', 'incident'],
        ['waypoints', 'instructions'],
      ]),
  },
  remarks: { height: REMARKS.least, draw: drawRemarks },
};

/** Places the blocks that fit, in their order; remarks take the remaining height. */
export function placeBlocks(blocks: readonly FormBlock[], top: number, bottom: number): readonly PlacedBlock[] {
  let spare = bottom - top + BLOCK_GAP;
  const fitting = blocks.filter((block) => {
    const needed = BLOCKS[block].height + BLOCK_GAP;
    if (needed > spare) return false;
    spare -= needed;
    return true;
  });
  const extra = Math.min(spare, REMARKS.most - REMARKS.least);
  let y = top;
  return fitting.map((block) => {
    const placed = { block, top: y, height: BLOCKS[block].height + (block === 'remarks' ? extra : 0) };
    y += placed.height + BLOCK_GAP;
    return placed;
  });
}

/** Draws the parts to fill in by hand. @param measured distance in kilometers, printed beside the odometer */
export function drawBlocks(
  { words }: ReportDocument,
  page: ReportPage,
  placed: readonly PlacedBlock[],
  measured: string,
): void {
  for (const place of placed) BLOCKS[place.block].draw(page, { ...place, words, measured });
}

/** Draws lines for remarks, so that additions are on the signed sheet. */
function drawRemarks(page: ReportPage, { top, height, words }: DrawnBlock): void {
  const lines: (readonly Point[])[] = [];
  for (let y = top + 30; y < top + height - 6; y += 20) lines.push(across(y, 8));
  page.decoration(() => {
    page.canvas.strokeRectangle({ x: PAGE.left, y: top, width: CONTENT_WIDTH, height }, STROKE);
    page.canvas.polylines(lines, { width: 0.4, colour: COLOURS.muted }, [1, 2]);
  });
  const style = { size: LABEL.size, width: CONTENT_WIDTH - 2 * LABEL.inset };
  page.paragraph(words.remarks, PAGE.left + LABEL.inset, top + LABEL.baseline, style);
}

/** Returns a line over the width of the content. @param inset space left free at both ends */
function across(y: number, inset = 0): readonly Point[] {
  return lineFrom(PAGE.left + inset, y, [0, 0], [CONTENT_WIDTH - 2 * inset, 0]);
}

const FIGURE_BASELINE = 21;

/** Draws the odometer readings to fill in, beside the measured distance. */
function drawOdometer(page: ReportPage, block: DrawnBlock): void {
  const labels: readonly FormLabel[] = ['odometerOut', 'odometerIn', 'odometerDifference', 'measured'];
  const width = CONTENT_WIDTH / labels.length;
  const right = { align: 'right', width: width - 2 * LABEL.inset } as const;
  const leftOf = (index: number): number => PAGE.left + index * width + LABEL.inset;
  drawCells(page, block, [labels]);
  const drawUnits = (fixed: ReportPage, y: number): void => {
    labels.slice(0, -1).forEach((_, index) => {
      fixed.paragraph('km', leftOf(index), y + FIGURE_BASELINE, { ...right, size: 7 });
    });
  };
  page.fixture('units of the odometer', drawUnits, block.top);
  const left = RIGHT_EDGE - width + LABEL.inset;
  page.paragraph(`${block.measured} km`, left, block.top + FIGURE_BASELINE, { ...right, size: 9, weight: 'bold' });
}

/** Draws cells with a name in their corner, in rows of equal height. */
function drawCells(page: ReportPage, { top, words }: DrawnBlock, rows: readonly (readonly FormLabel[])[]): void {
  const height = HAND.cell;
  const cells = rows.flatMap((labels, row) => {
    const width = CONTENT_WIDTH / labels.length;
    return labels.map((label, index) => ({ label, x: PAGE.left + index * width, y: row * height, width, height }));
  });
  const key = rows.flat().join();
  const drawEdges = (canvas: Canvas): void => cells.forEach((cell) => canvas.strokeRectangle(cell, STROKE));
  page.artwork(`cells of ${key}`, drawEdges, top);
  const drawWords = (fixed: ReportPage, from: number): void => {
    for (const { label, x, y, width } of cells) {
      const style = { size: LABEL.size, width: width - 2 * LABEL.inset };
      fixed.paragraph(words[label], x + LABEL.inset, from + y + LABEL.baseline, style);
    }
  };
  page.fixture(`words of ${key}`, drawWords, top);
}

const NAME_WIDTH = 96;

/** Draws the roll calls before and after duty: person, time, method, and result of the alcohol check. */
function drawRollCall(page: ReportPage, { top, words }: DrawnBlock): void {
  const fields = [words.by, words.time, words.method, words.result];
  const width = (CONTENT_WIDTH - NAME_WIDTH) / fields.length;
  const lefts = fields.map((_, index) => PAGE.left + NAME_WIDTH + index * width);
  const drawEdges = (canvas: Canvas): void => {
    const { height } = BLOCKS.rollCall;
    canvas.strokeRectangle({ x: PAGE.left, y: 0, width: CONTENT_WIDTH, height }, STROKE);
    const edges = lefts.map((x) => lineFrom(x, 0, [0, 0], [0, height]));
    canvas.polylines([across(HAND.heads), across(HAND.heads + HAND.row), ...edges], STROKE);
  };
  page.artwork('roll call', drawEdges, top);
  const drawWords = (fixed: ReportPage, y: number): void => {
    const name = { size: 7, width: NAME_WIDTH - 2 * LABEL.inset };
    const label = { size: LABEL.size, width: width - 2 * LABEL.inset };
    const left = PAGE.left + LABEL.inset;
    const middle = y + HAND.heads + HAND.row / 2 + 2.5;
    fixed.paragraph(words.rollCall, left, y + 8.5, { ...name, weight: 'bold' });
    fields.forEach((field, index) => fixed.paragraph(field, (lefts[index] ?? 0) + LABEL.inset, y + 8.5, label));
    fixed.paragraph(words.before, left, middle, name);
    fixed.paragraph(words.after, left, middle + HAND.row, name);
  };
  page.fixture('words of the roll call', drawWords, top);
}
