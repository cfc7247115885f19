import type { StructureElement } from '../pdf/structure.js';
import { HAND, HAND_LABEL, HAND_STROKE } from './hand-layout.js';
import { paragraph } from './paragraph.js';
import type { Point } from './path.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

/** Width of the column with the names of the two roll calls. */
const NAME_WIDTH = 96;

/** Draws the roll calls before and after duty: person, time, method, and result of the alcohol check. */
export function drawRollCall(
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
