import { spokenLines, type StructureElement } from '../pdf/structure.js';
import { fitLine } from '../text/fit-text.js';
import type { TextStyle } from './canvas.js';
import type { ReportPage } from './report-page.js';

/** Structure type of a text, for screen readers. */
export type ParagraphType = 'H1' | 'H2' | 'P';

/** Draws fitted text as an element of its own. */
export function paragraph(
  page: ReportPage,
  parent: StructureElement | undefined,
  type: ParagraphType,
  value: string,
  x: number,
  baseline: number,
  style: TextStyle & { readonly width: number },
): void {
  const { text, size } = fitLine(page.canvas.typesetter, value, style.weight ?? 'regular', style.size, style.width);
  const tags = parent === undefined ? undefined : spokenLines([text]);
  page.content(type, parent, () => page.canvas.text(text, x, baseline, { ...style, size }), tags);
}

/** Draws fitting lines as one element. */
export function paragraphOfLines(
  page: ReportPage,
  parent: StructureElement | undefined,
  lines: readonly string[],
  place: { readonly x: number; readonly baseline: number; readonly lineHeight: number },
  style: TextStyle,
): void {
  const { x, baseline, lineHeight } = place;
  const draw = (): void =>
    lines.forEach((line, index) => page.canvas.text(line, x, baseline + index * lineHeight, style));
  page.content('P', parent, draw, parent === undefined ? undefined : spokenLines(lines));
}
