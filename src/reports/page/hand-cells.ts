import type { FormLabel } from '../form/report-form.js';
import type { StructureElement } from '../pdf/structure.js';
import { HAND, HAND_LABEL, HAND_STROKE } from './hand-layout.js';
import { paragraph } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

/** Baseline of figures in a cell, from its top. */
const FIGURE_BASELINE = 21;

/** Draws the odometer readings to fill in, beside the measured distance. */
export function drawOdometer(
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
export function drawConditions(
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
