import type { PdfDictionary } from '../pdf/pdf-object.js';
import { spokenAs } from '../pdf/structure.js';
import { runsRightToLeft } from '../text/bidi.js';

/**
 * Returns the text for screen readers besides the glyphs: lines joined with a space, and text from right to left in
 * reading order.
 */
export function spokenLines(lines: readonly string[]): PdfDictionary | undefined {
  return lines.length > 1 || lines.some(runsRightToLeft) ? spokenAs(lines) : undefined;
}
