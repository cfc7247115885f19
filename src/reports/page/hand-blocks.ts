import type { FormBlock, FormLabel } from '../report-form.js';
import { type Canvas, lineFrom, type Point } from './canvas.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_BOTTOM, CONTENT_WIDTH, PAGE } from './theme.js';

export interface PlacedBlock {
  readonly block: FormBlock;
  readonly top: number;
  readonly height: number;
  /** Height of a line: at least six millimetres, in which one writes by hand. */
  readonly hand: number;
}

/** Line for handwriting from which cells have the width of half a page; lower ones stand three or nine in a row. */
const WIDE = 26;
const REMARKS = { least: 1.3, most: 4.6 } as const;

const LABEL = { size: 6.5, baseline: 8, second: 15.5, inset: 4 } as const;
const BESIDE = { km: 14, measured: 62 } as const;
const STROKE = { width: 0.6, colour: COLOURS.muted } as const;
/** Widths of the names of a roll call: of both, and of the second one in their row. */
const ROLL_CALL_WIDTH = { first: 96, second: 52 } as const;
const ROLL_CALL = ['by', 'time', 'method', 'result'] as const;
const CONDITIONS = ['weather', 'load', 'changeOfDriver', 'incident', 'waypoints', 'instructions'] as const;

/** Cell to fill in: its names, one below the other, and the unit of its figure. */
interface HandCell {
  readonly labels: readonly FormLabel[];
  readonly unit?: 'km' | 'measured';
  /** In points; cells without one share what is left. */
  readonly width?: number;
}

function cellsOf(block: Exclude<FormBlock, 'remarks'>, hand: number): readonly (readonly HandCell[])[] {
  const cell = (label: FormLabel): HandCell => ({ labels: [label] });
  if (block === 'odometer') {
    const figures = (['odometerOut', 'odometerIn', 'odometerDifference'] as const).map(cell);
    return [[...figures.map((each) => ({ ...each, unit: 'km' as const })), { labels: ['measured'], unit: 'measured' }]];
  }
  if (block === 'rollCall') {
    const call = (width: number, ...labels: readonly FormLabel[]) => [{ labels, width }, ...ROLL_CALL.map(cell)];
    const { first, second } = ROLL_CALL_WIDTH;
    const before = call(first, 'rollCall', 'before');
    return hand < WIDE ? [[...before, ...call(second, 'after')]] : [before, call(first, 'after')];
  }
  const inRow = hand < WIDE ? 3 : 2;
  const rows = Array.from({ length: CONDITIONS.length / inRow }, (_, row) => row * inRow);
  return rows.map((from) => CONDITIONS.slice(from, from + inRow).map(cell));
}

function heightOf(block: FormBlock, hand: number): number {
  return hand * (block === 'remarks' ? REMARKS.least : cellsOf(block, hand).length);
}

function gapOf(hand: number): number {
  return hand / 8;
}

export function blocksHeight(blocks: readonly FormBlock[], hand: number): number {
  return blocks.reduce((sum, block) => sum + heightOf(block, hand) + gapOf(hand), -gapOf(hand));
}

/** Places the blocks that fit below `top`, in their order; remarks take the remaining height. */
export function placeBlocks(blocks: readonly FormBlock[], top: number, hand = WIDE): readonly PlacedBlock[] {
  let spare = CONTENT_BOTTOM - top + gapOf(hand);
  const fitting = blocks.filter((block) => {
    const needed = heightOf(block, hand) + gapOf(hand);
    if (needed > spare) return false;
    spare -= needed;
    return true;
  });
  const extra = Math.min(spare, hand * (REMARKS.most - REMARKS.least));
  let y = top;
  return fitting.map((block) => {
    const placed = { block, top: y, height: heightOf(block, hand) + (block === 'remarks' ? extra : 0), hand };
    y += placed.height + gapOf(hand);
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
  for (const { block, ...place } of placed) {
    if (block === 'remarks') drawRemarks(page, place, words);
    else drawCells(page, cellsOf(block, place.hand), place, words, measured);
  }
}

type HandPlace = Omit<PlacedBlock, 'block'>;

/** Draws lines for remarks, so that additions are on the signed sheet. */
function drawRemarks(page: ReportPage, { top, height }: HandPlace, words: ReportDocument['words']): void {
  const lines: (readonly Point[])[] = [];
  for (let y = top + 30; y < top + height - 6; y += 20) {
    lines.push(lineFrom(PAGE.left + 8, y, [0, 0], [CONTENT_WIDTH - 16, 0]));
  }
  page.decoration(() => {
    page.canvas.strokeRectangle({ x: PAGE.left, y: top, width: CONTENT_WIDTH, height }, STROKE);
    page.canvas.polylines(lines, { width: 0.4, colour: COLOURS.muted }, [1, 2]);
  });
  const style = { size: LABEL.size, width: CONTENT_WIDTH - 2 * LABEL.inset };
  page.paragraph(words.remarks, PAGE.left + LABEL.inset, top + LABEL.baseline, style);
}

/** Draws cells with their names in the corner, and figures at their right edge. */
function drawCells(
  page: ReportPage,
  rows: readonly (readonly HandCell[])[],
  { top, hand }: HandPlace,
  words: ReportDocument['words'],
  measured: string,
): void {
  const cells = rows.flatMap((row, index) => {
    const fixed = row.reduce((sum, { width = 0 }) => sum + width, 0);
    const usual = (CONTENT_WIDTH - fixed) / row.filter(({ width }) => width === undefined).length;
    let x: number = PAGE.left;
    return row.map(({ labels, unit, width = usual }) => {
      const cell = { labels, unit, x, y: index * hand, width, height: hand };
      x += width;
      return cell;
    });
  });
  const key = `${rows
    .flat()
    .flatMap(({ labels }) => labels)
    .join()} ${hand}`;
  const drawEdges = (canvas: Canvas): void => cells.forEach((cell) => canvas.strokeRectangle(cell, STROKE));
  page.artwork(`cells of ${key}`, drawEdges, top);
  const drawWords = (fixed: ReportPage, from: number): void => {
    for (const { labels, unit, x, y, width } of cells) {
      const left = x + LABEL.inset;
      // In a low cell, a figure stands beside its name.
      const inner = width - 2 * LABEL.inset;
      const beside = hand < WIDE && unit !== undefined ? BESIDE[unit] : 0;
      labels.forEach((label, index) => {
        const style = {
          size: LABEL.size,
          width: inner - beside,
          weight: labels.length > index + 1 ? 'bold' : 'regular',
        } as const;
        fixed.paragraph(words[label], left, from + y + (index === 0 ? LABEL.baseline : LABEL.second), style);
      });
      if (unit === 'km') {
        fixed.paragraph(unit, left, from + y + hand - 5, { align: 'right', width: inner, size: 7 });
      }
    }
  };
  page.fixture(`words of ${key}`, drawWords, top);
  for (const { unit, x, width } of cells) {
    if (unit !== 'measured') continue;
    const style = { align: 'right', width: width - 2 * LABEL.inset, size: 9, weight: 'bold' } as const;
    page.paragraph(`${measured} km`, x + LABEL.inset, top + hand - 5, style);
  }
}
