import type { StructureElement } from '../pdf/structure.js';
import { paragraph } from './paragraph.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE } from './theme.js';

const HEIGHT = 62;

/** Draws a panel that explains in words an otherwise empty page. */
export function drawNotice(
  page: ReportPage,
  section: StructureElement | undefined,
  text: string,
  detail: string,
  top: number,
): void {
  page.decoration(() => {
    const paint = { fill: COLOURS.panel, stroke: { width: 0.5, colour: COLOURS.hairline } };
    page.canvas.roundedRectangle({ x: PAGE.left, y: top, width: CONTENT_WIDTH, height: HEIGHT }, 4, paint);
  });
  const centred = { align: 'centre', width: CONTENT_WIDTH - 24 } as const;
  const left = PAGE.left + 12;
  paragraph(page, section, 'P', text, left, top + 28, { ...centred, size: 12, weight: 'bold', colour: COLOURS.navy });
  paragraph(page, section, 'P', detail, left, top + 45, { ...centred, size: 8.5 });
}
