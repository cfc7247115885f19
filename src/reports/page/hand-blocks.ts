import type { FormBlock, FormLabel } from '../form/report-form.js';
import type { StructureElement } from '../pdf/structure.js';
import type { Canvas } from './canvas.js';
import { paragraph } from './paragraph.js';
import type { Point } from './path.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

/** A block and the room it has, in points. */
export interface PlacedBlock {
  readonly block: FormBlock;
  readonly top: number;
  readonly height: number;
}

/** Heights of what is written by hand: a line takes at least six millimetres. */
const ROW = 19;
const HEADS = 12;
const HEIGHTS: Readonly<Record<FormBlock, number>> = {
  rollCall: HEADS + 2 * ROW,
  odometer: 26,
  conditions: 2 * 26,
  remarks: 40,
};
const MAX_REMARKS = 120;
const GAP = 5;
const LABEL = { size: 6.5, baseline: 8, inset: 4 } as const;
const STROKE = { width: 0.6, colour: COLOURS.muted } as const;

/** Width of the column with the names of the two roll calls. */
const ROLL_CALL_NAME = 96;

/** Places the blocks that there is room for, in their order; remarks take what is left. */
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

/** Draws what people fill in. @param measured what was measured of the day, beside the odometer */
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

/** Who made the roll call before and after duty, when, how, and what the alcohol check said. */
function drawRollCall(
  { words }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  top: number,
): void {
  const fields = [words.by, words.time, words.method, words.result];
  const width = (CONTENT_WIDTH - ROLL_CALL_NAME) / fields.length;
  const lefts = fields.map((_, index) => PAGE.left + ROLL_CALL_NAME + index * width);
  page.artworkAt('roll call', top, (canvas, y) => {
    const height = HEIGHTS.rollCall;
    canvas.strokeRectangle({ x: PAGE.left, y, width: CONTENT_WIDTH, height }, STROKE);
    const across = [y + HEADS, y + HEADS + ROW].map((at): Point[] => [
      [PAGE.left, at],
      [RIGHT_EDGE, at],
    ]);
    const down = lefts.map((x): Point[] => [
      [x, y],
      [x, y + height],
    ]);
    canvas.polylines([...across, ...down], STROKE);
  });
  page.fixtureAt('words of the roll call', section, top, (fixed, y) => {
    const name = { size: 7, weight: 'bold', width: ROLL_CALL_NAME - 2 * LABEL.inset } as const;
    const at = PAGE.left + LABEL.inset;
    paragraph(fixed, section, 'P', words.rollCall, at, y + 8.5, name);
    fields.forEach((field, index) => {
      const label = { size: LABEL.size, width: width - 2 * LABEL.inset };
      paragraph(fixed, section, 'P', field, (lefts[index] ?? 0) + LABEL.inset, y + 8.5, label);
    });
    paragraph(fixed, section, 'P', words.before, at, y + HEADS + ROW / 2 + 2.5, { ...name, weight: 'regular' });
    paragraph(fixed, section, 'P', words.after, at, y + HEADS + ROW * 1.5 + 2.5, { ...name, weight: 'regular' });
  });
}

/** The readings of the odometer, beside what was measured. */
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
    const unit = { size: 7, align: 'right', width: width - 2 * LABEL.inset } as const;
    labels.slice(0, -1).forEach((_, index) => {
      paragraph(fixed, section, 'P', 'km', PAGE.left + index * width + LABEL.inset, y + 21, unit);
    });
  });
  const figure = { size: 9, weight: 'bold', align: 'right', width: width - 2 * LABEL.inset } as const;
  paragraph(page, section, 'P', `${measured} km`, RIGHT_EDGE - width + LABEL.inset, top + 21, figure);
}

function drawConditions(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  top: number,
): void {
  drawCells(
    report,
    page,
    section,
    [
      ['weather', 'load'],
      ['changeOfDriver', 'incident'],
    ],
    top,
  );
}

/** Cells with a name in their corner, in rows of equal height. */
function drawCells(
  { words }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  rows: readonly (readonly FormLabel[])[],
  top: number,
): void {
  const height = 26;
  const key = rows.flat().join();
  page.artworkAt(`cells of ${key}`, top, (canvas, y) => {
    rows.forEach((labels, row) => {
      const width = CONTENT_WIDTH / labels.length;
      labels.forEach((_, index) => {
        const place = { x: PAGE.left + index * width, y: y + row * height, width, height };
        canvas.strokeRectangle(place, STROKE);
      });
    });
  });
  page.fixtureAt(`words of ${key}`, section, top, (fixed, y) => {
    rows.forEach((labels, row) => {
      const width = CONTENT_WIDTH / labels.length;
      labels.forEach((label, index) => {
        const left = PAGE.left + index * width + LABEL.inset;
        const style = { size: LABEL.size, width: width - 2 * LABEL.inset };
        paragraph(fixed, section, 'P', words[label], left, y + row * height + LABEL.baseline, style);
      });
    });
  });
}

/** Lines to write on: what somebody has to add belongs on the sheet that is signed. */
function drawRemarks(
  { words }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  top: number,
  height: number,
): void {
  page.decoration(() => drawLines(page.canvas, top, height));
  const label = { size: LABEL.size, width: CONTENT_WIDTH - 2 * LABEL.inset };
  paragraph(page, section, 'P', words.remarks, PAGE.left + LABEL.inset, top + LABEL.baseline, label);
}

function drawLines(canvas: Canvas, top: number, height: number): void {
  canvas.strokeRectangle({ x: PAGE.left, y: top, width: CONTENT_WIDTH, height }, STROKE);
  const lines: Point[][] = [];
  for (let y = top + 30; y < top + height - 6; y += 20)
    lines.push([
      [PAGE.left + 8, y],
      [RIGHT_EDGE - 8, y],
    ]);
  canvas.polylines(lines, { width: 0.4, colour: COLOURS.muted }, [1, 2]);
}
