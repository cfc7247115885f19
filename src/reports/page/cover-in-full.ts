import type { StructureElement } from '../pdf/structure.js';
import { drawNotes, notesHeight, type Note } from './driver-notes.js';
import { paragraph } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import { drawContinuationHead, type ContinuationHead } from './section-frame.js';
import { COLOURS, CONTENT_BOTTOM, CONTENT_WIDTH, PAGE } from './theme.js';

const HEADING = 9;
const NOTES = 14;

/** Draws pages behind all others with what had to be cut on the cover, and pauses after each. */
export function* drawInFull(
  report: ReportDocument,
  section: StructureElement | undefined,
  head: ContinuationHead,
  notes: readonly Note[],
): Generator<void> {
  const top = head.bottom + NOTES;
  for (let from = 0; from < notes.length;) {
    const page = report.newPage();
    drawContinuationHead(report, page, head, '');
    const heading = { size: 10, weight: 'bold', colour: COLOURS.navy, width: CONTENT_WIDTH } as const;
    paragraph(page, section, 'H2', report.labels.inFullHeading, PAGE.left, head.bottom + HEADING, heading);
    let to = from + 1;
    let bottom = top + notesHeight(notes.slice(from, to));
    while (to < notes.length) {
      bottom += notesHeight(notes.slice(to, to + 1));
      if (bottom > CONTENT_BOTTOM) break;
      to += 1;
    }
    drawNotes(page, section, notes.slice(from, to), top);
    from = to;
    report.append(page, report.file.pages.count + 1);
    yield;
  }
}
