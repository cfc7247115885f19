import { MINUTES_OF_DAY } from '../day/day-totals.js';
import type { DriverDay } from '../day/driver-day.js';
import type { StructureElement } from '../pdf/structure.js';
import { wrapText } from '../text/wrap-text.js';
import { paragraphOfLines } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { CONTENT_WIDTH, PAGE } from './theme.js';

/** A note in the lines it takes. */
export type Note = readonly string[];

const NOTE = { size: 7, lineHeight: 9, above: 3, maxLines: 20 } as const;

/** What the marks on the page mean, as far as it has them, and what was left out of it. */
export function marksOf({ labels }: ReportDocument, { trips, totals, leftOut }: DriverDay): readonly string[] {
  const notes: string[] = [];
  if (trips.some(({ top }) => top?.source === 'reported')) notes.push(labels.topReported);
  if (trips.some(({ top }) => top?.source === 'track')) notes.push(labels.topOfTrack);
  if (totals.dutyMinutes > MINUTES_OF_DAY) notes.push(labels.beyondDay);
  if (leftOut.total > 0) notes.push(labels.leftOut(leftOut));
  return notes;
}

/** Breaks notes into lines. */
export function linesOfNotes({ typesetter }: ReportDocument, notes: readonly string[]): readonly Note[] {
  const { size, maxLines } = NOTE;
  return notes.map(
    (note) => wrapText(typesetter, note, { weight: 'regular', size, maxWidth: CONTENT_WIDTH, maxLines }).lines,
  );
}

/** How high notes are together, the space above them included. */
export function notesHeight(notes: readonly Note[]): number {
  const lines = notes.reduce((sum, { length }) => sum + length, 0);
  return lines === 0 ? 0 : NOTE.above + lines * NOTE.lineHeight;
}

/** Draws notes from `top` downwards; @returns where they end */
export function drawNotes(
  page: ReportPage,
  section: StructureElement | undefined,
  notes: readonly Note[],
  top: number,
): number {
  const { size, lineHeight, above } = NOTE;
  let y = top + above;
  for (const lines of notes) {
    paragraphOfLines(page, section, lines, { x: PAGE.left, baseline: y + 7, lineHeight }, { size });
    y += lines.length * lineHeight;
  }
  return notes.length === 0 ? top : y;
}
