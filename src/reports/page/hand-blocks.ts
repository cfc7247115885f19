import type { FormBlock, FormLabel } from '../form/report-form.js';
import type { StructureElement } from '../pdf/structure.js';
import type { Canvas } from './canvas.js';
import { paragraph } from './paragraph.js';
import type { Point } from './path.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

/** Block with its place, in points. */
export interface PlacedBlock {
  readonly block: FormBlock;
  readonly top: number;
  readonly height: number;
}

/** Heights of handwriting areas: a line takes at least six millimetres. */
export const HAND = { row: 19, heads: 12, cell: 26 } as const;
const HEIGHTS: Readonly<Record<FormBlock, number>> = {
  rollCall: HAND.heads + 2 * HAND.row,
  odometer: HAND.cell,
  conditions: 3 * HAND.cell,
  remarks: 40,
};
const MAX_REMARKS = 120;
const GAP = 5;

/** Style of the words beside a space, and of its edges. */
export const HAND_LABEL = { size: 6.5, baseline: 8, inset: 4 } as const;
export const HAND_STROKE = { width: 0.6, colour: COLOURS.muted } as const;

/** Places the blocks that fit, in their order; remarks take the remaining height. */
export function placeBlocks(blocks: readonly FormBlock[], top: number, bottom: number): readonly PlacedBlock[] {
  const placed: PlacedBlock[] = [];
  let y = top;
  for (const block of blocks) {
    const height = HEIGHTS[block];
    if (y + height > bottom) continue;
    placed.push({ block, top: y, height });
    y += height + GAP;
  }
  const spare = bottom - (y - GAP);
  const grown = placed.findIndex(({ block }) => block === 'remarks');
  if (grown < 0) return placed;
  const extra = Math.max(0, Math.min(spare, MAX_REMARKS - HEIGHTS.remarks));
  return placed.map(({ block, top: at, height }, index) => ({
    block,
    top: index > grown ? at + extra : at,
    height: index === grown ? height + extra : height,
  }));
}

/** Draws the parts to fill in by hand. @param measured figures measured on the day, beside the odometer */
export function drawBlocks(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  placed: readonly PlacedBlock[],
  measured: string,
): void {
  for (const { block, top, height } of placed) {
    switch (block) {
      case 'rollCall':
        drawRollCall(report, page, section, top);
        break;
      case 'odometer':
        drawOdometer(report, page, section, top, measured);
        break;
      case 'conditions':
        drawConditions(report, page, section, top);
        break;
      case 'remarks':
        drawRemarks(report, page, section, top, height);
        break;
    }
  }
}

/** Draws lines for remarks: additions belong on the signed sheet. */
function drawRemarks(
  { words }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  top: number,
  height: number,
): void {
  page.decoration(() => drawLines(page.canvas, top, height));
  const label = { size: HAND_LABEL.size, width: CONTENT_WIDTH - 2 * HAND_LABEL.inset };
  paragraph(page, section, 'P', words.remarks, PAGE.left + HAND_LABEL.inset, top + HAND_LABEL.baseline, label);
}

function drawLines(canvas: Canvas, top: number, height: number): void {
  canvas.strokeRectangle({ x: PAGE.left, y: top, width: CONTENT_WIDTH, height }, HAND_STROKE);
  const lines: Point[][] = [];
  for (let y = top + 30; y < top + height - 6; y += 20)
    lines.push([
      [PAGE.left + 8, y],
      [RIGHT_EDGE - 8, y],
    ]);
  canvas.polylines(lines, { width: 0.4, colour: COLOURS.muted }, [1, 2]);
}

/** Baseline of figures in a cell, from its top. */
const FIGURE_BASELINE = 21;

/** Draws the odometer readings to fill in, beside the measured distance. */
function drawOdometer(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  top: number,
  measured: string,
): void {
  const labels: readonly FormLabel[] = ['odometerOut', 'odometerIn', 'odometerDifference', 'measured'];
  const width = CONTENT_WIDTH / labels.length;
  drawCells(report, page, section, [labels], top);
  page.fixtureAt('units of the odometer', section, top, (fixed, y) => {
    const unit = { size: 7, align: 'right', width: width - 2 * HAND_LABEL.inset } as const;
    labels.slice(0, -1).forEach((_, index) => {
      paragraph(fixed, section, 'P', 'km', PAGE.left + index * width + HAND_LABEL.inset, y + FIGURE_BASELINE, unit);
    });
  });
  const figure = { size: 9, weight: 'bold', align: 'right', width: width - 2 * HAND_LABEL.inset } as const;
  paragraph(page, section, 'P', `${measured} km`, RIGHT_EDGE - width + HAND_LABEL.inset, top + FIGURE_BASELINE, figure);
}

/** Draws the conditions of the day. */
function drawConditions(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  top: number,
): void {
  drawCells(report, page, section, [['weather', 'load'], ['changeOfDriver', 'incident'], ['instructions']], top);
}

/** Draws cells with a name in their corner, in rows of equal height. */
function drawCells(
  { words }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  rows: readonly (readonly FormLabel[])[],
  top: number,
): void {
  const height = HAND.cell;
  const key = rows.flat().join();
  page.artworkAt(`cells of ${key}`, top, (canvas, y) => {
    rows.forEach((labels, row) => {
      const width = CONTENT_WIDTH / labels.length;
      labels.forEach((_, index) => {
        const place = { x: PAGE.left + index * width, y: y + row * height, width, height };
        canvas.strokeRectangle(place, HAND_STROKE);
      });
    });
  });
  page.fixtureAt(`words of ${key}`, section, top, (fixed, y) => {
    rows.forEach((labels, row) => {
      const width = CONTENT_WIDTH / labels.length;
      labels.forEach((label, index) => {
        const left = PAGE.left + index * width + HAND_LABEL.inset;
        const style = { size: HAND_LABEL.size, width: width - 2 * HAND_LABEL.inset };
        paragraph(fixed, section, 'P', words[label], left, y + row * height + HAND_LABEL.baseline, style);
      });
    });
  });
}

/** Width of the column with the names of the two roll calls. */
const NAME_WIDTH = 96;

/** Draws the roll calls before and after duty: person, time, method, and result of the alcohol check. */
function drawRollCall(
  { words }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  top: number,
): void {
  const fields = [words.by, words.time, words.method, words.result];
  const width = (CONTENT_WIDTH - NAME_WIDTH) / fields.length;
  const lefts = fields.map((_, index) => PAGE.left + NAME_WIDTH + index * width);
  page.artworkAt('roll call', top, (canvas, y) => {
    const height = HAND.heads + 2 * HAND.row;
    canvas.strokeRectangle({ x: PAGE.left, y, width: CONTENT_WIDTH, height }, HAND_STROKE);
    const across = [y + HAND.heads, y + HAND.heads + HAND.row].map((at): Point[] => [
      [PAGE.left, at],
      [RIGHT_EDGE, at],
    ]);
    const down = lefts.map((x): Point[] => [
      [x, y],
      [x, y + height],
    ]);
    canvas.polylines([...across, ...down], HAND_STROKE);
  });
  page.fixtureAt('words of the roll call', section, top, (fixed, y) => {
    const name = { size: 7, weight: 'bold', width: NAME_WIDTH - 2 * HAND_LABEL.inset } as const;
    const at = PAGE.left + HAND_LABEL.inset;
    paragraph(fixed, section, 'P', words.rollCall, at, y + 8.5, name);
    fields.forEach((field, index) => {
      const label = { size: HAND_LABEL.size, width: width - 2 * HAND_LABEL.inset };
      paragraph(fixed, section, 'P', field, (lefts[index] ?? 0) + HAND_LABEL.inset, y + 8.5, label);
    });
    paragraph(fixed, section, 'P', words.before, at, y + HAND.heads + HAND.row / 2 + 2.5, {
      ...name,
      weight: 'regular',
    });
    paragraph(fixed, section, 'P', words.after, at, y + HAND.heads + HAND.row * 1.5 + 2.5, {
      ...name,
      weight: 'regular',
    });
  });
}
