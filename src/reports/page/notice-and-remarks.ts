import type { StructureElement } from '../pdf/structure.js';
import type { Point } from './path.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { paragraph } from './section-frame.js';
import { COLOURS, CONTENT_BOTTOM, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

const REMARKS = { minHeight: 64, maxHeight: 132 } as const;

/** A panel that says in words what would otherwise be an empty page. */
export function drawNotice(
  page: ReportPage,
  section: StructureElement | undefined,
  text: string,
  detail: string,
  top: number,
): void {
  page.decoration(() => {
    const paint = { fill: COLOURS.panel, stroke: { width: 0.5, colour: COLOURS.hairline } };
    page.canvas.roundedRectangle({ x: PAGE.margin, y: top, width: CONTENT_WIDTH, height: 64 }, 4, paint);
  });
  const centred = { align: 'centre', width: CONTENT_WIDTH - 24 } as const;
  const left = PAGE.margin + 12;
  paragraph(page, section, 'P', text, left, top + 29, { ...centred, size: 12, weight: 'bold', colour: COLOURS.navy });
  paragraph(page, section, 'P', detail, left, top + 47, { ...centred, size: 8.5, colour: COLOURS.muted });
}

/** Where there is room, lines to write on: what a driver has to add belongs on the sheet that is signed. */
export function drawRemarks(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  top: number,
): void {
  const height = Math.min(REMARKS.maxHeight, CONTENT_BOTTOM - top);
  if (height < REMARKS.minHeight) return;
  page.decoration(() => {
    const stroke = { width: 0.6, colour: COLOURS.hairline };
    page.canvas.strokeRectangle({ x: PAGE.margin, y: top, width: CONTENT_WIDTH, height }, stroke);
    const lines: Point[][] = [];
    for (let y = top + 36; y < top + height - 6; y += 20)
      lines.push([
        [PAGE.margin + 8, y],
        [RIGHT_EDGE - 8, y],
      ]);
    page.canvas.polylines(lines, { width: 0.4, colour: COLOURS.hairline }, [1, 2]);
  });
  const label = { size: 7, colour: COLOURS.muted, width: CONTENT_WIDTH };
  paragraph(page, section, 'P', report.labels.remarks, PAGE.margin + 8, top + 12, label);
}
