import type { PdfDictionary } from '../pdf/pdf-object.js';
import { spokenAs } from '../pdf/structure.js';
import { runsRightToLeft } from '../text/bidi.js';

/**
 * What a screen reader is told of lines besides their glyphs: lines that belong together with a space between them, and
 * text from right to left in the order in which it is read.
 */
export function spokenLines(lines: readonly string[]): PdfDictionary | undefined {
  return lines.length > 1 || lines.some(runsRightToLeft) ? spokenAs(lines) : undefined;
}
