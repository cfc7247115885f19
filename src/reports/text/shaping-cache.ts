import type { Font, GlyphRun } from 'fontkit';

/** Words of which the shape is kept; about a kilobyte each. */
const MAX_SHAPED = 4_000;
/** pdfkit scales the positions of a shaped run in place to this unit; one that is in it already stays as it is. */
const PDF_UNITS_PER_EM = 1000;

/**
 * Makes a font remember the shapes of words beyond the report they were first printed in: shaping a word takes
 * longer than drawing it, and a fleet's names and addresses come back every day.
 */
export function rememberShapes(font: Font): void {
  if (font.unitsPerEm !== PDF_UNITS_PER_EM) return;
  const shaped = new Map<string, GlyphRun>();
  const layout = font.layout.bind(font);
  font.layout = (text, ...features) => {
    if (features.some((feature) => feature !== undefined)) return layout(text, ...features);
    let run = shaped.get(text);
    if (run === undefined) {
      if (shaped.size >= MAX_SHAPED) shaped.clear();
      shaped.set(text, (run = layout(text)));
    }
    return run;
  };
}
