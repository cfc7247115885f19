import type { EmbeddedFont } from './pdfkit-internals.js';

/** Text of a glyph without a meaning of its own: every glyph needs a text to copy, and readers skip this one. */
const NOTHING = '\u200b';

/**
 * Glyphs of an embedded font by their text. A glyph with different texts in different words is embedded once for each,
 * since a file maps each glyph to one text (ISO 32000-1, section 9.10.3).
 */
export class TextGlyphs {
  readonly #font: EmbeddedFont;
  readonly #numbers = new Map<string, number>();

  constructor(font: EmbeddedFont) {
    this.#font = font;
  }

  /**
   * Returns the number of a glyph in the file, as four hexadecimal digits.
   *
   * @param id of the glyph in the font
   * @param width in thousandths of an em
   */
  encode(id: number, width: number, text: string): string {
    const key = `${id} ${text}`;
    let number = this.#numbers.get(key);
    if (number === undefined) this.#numbers.set(key, (number = this.#embed(id, width, text || NOTHING)));
    return number.toString(16).padStart(4, '0');
  }

  #embed(id: number, width: number, text: string): number {
    const { subset, widths, unicode } = this.#font;
    const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    const number = subset.glyphs.push(id) - 1;
    widths[number] = width;
    unicode[number] = codePoints;
    return number;
  }
}
