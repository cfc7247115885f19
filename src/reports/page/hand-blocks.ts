import type { StructureElement } from '../pdf/structure.js';
import type { Canvas } from './canvas.js';
import { drawConditions, drawOdometer } from './hand-cells.js';
import { HAND_LABEL, HAND_STROKE, type PlacedBlock } from './hand-layout.js';
import { drawRollCall } from './hand-roll-call.js';
import { paragraph } from './paragraph.js';
import type { Point } from './path.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

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
