import type { EmbeddedFont } from '../pdf/pdfkit-internals.js';
import { mirrored } from './bidi.js';
import type { TextRun } from './font-fallback.js';
import { hasOwnLetters } from './font-families.js';
import { glyphTexts } from './glyph-texts.js';
import type { Line } from './set-text.js';

/** Text of a glyph without text of its own: every glyph needs text to copy, and readers skip this character. */
const NOTHING = '\u200b';

/** Numbers of the glyphs of each font in its file, by glyph and text. */
const numbersOfFonts = new WeakMap<EmbeddedFont, Map<string, number>>();

/**
 * Returns the number of a glyph in the file. A glyph with several texts in other words is embedded once for each, since
 * a file maps each glyph to one text (ISO 32000-1, section 9.10.3).
 */
function embed(font: EmbeddedFont, id: number, width: number, text: string): number {
  let numbers = numbersOfFonts.get(font);
  if (numbers === undefined) numbersOfFonts.set(font, (numbers = new Map<string, number>()));
  const key = `${id} ${text}`;
  let number = numbers.get(key);
  if (number === undefined) {
    number = font.subset.glyphs.push(id) - 1;
    font.widths[number] = width;
    font.unicode[number] = Array.from(text || NOTHING, (character) => character.codePointAt(0) ?? 0);
    numbers.set(key, number);
  }
  return number;
}

/** Scripts that show vowels before the consonant after which they are read. */
const REORDERING = /[\u0900-\u0dff]/;

/** Adds a run to a line. @param level even for left to right (UAX #9) */
export function shapeRun(run: TextRun, level: number, font: EmbeddedFont, line: Line): void {
  if (level % 2 === 1 || hasOwnLetters(run.family)) shapeScript(run.text, level % 2 === 1, font, line);
  else shapeLetters(run, font, line);
}

/** Adds text whose visual order is its reading order, glyph by glyph. */
function shapeLetters(run: TextRun, font: EmbeddedFont, line: Line): void {
  const glyphs = encoded(font, run.family === 'thai' ? splitSaraAm(run.text) : run.text);
  const hasEnclosing = ENCLOSING.test(run.text);
  let enclosed: ReturnType<typeof enclosedBy>;
  glyphs.forEach(({ number, position, text }, index) => {
    line.copied += text;
    const before = enclosed;
    const xOffset = position.xOffset + (before?.shift ?? 0);
    enclosed = hasEnclosing ? enclosedBy(font, glyphs[index + 1], position.xAdvance) : undefined;
    const isPlaced = xOffset !== 0 || position.yOffset !== 0 || enclosed !== undefined || before !== undefined;
    if (isPlaced) line.breakPiece();
    if (enclosed !== undefined) line.advance(enclosed.pad, 0);
    line.show(font.id, number, xOffset, position.yOffset);
    line.advance(position.xAdvance, position.advanceWidth);
    if (isPlaced) line.breakPiece();
    if (before !== undefined) line.advance(before.pad, 0);
  });
  line.breakPiece();
}

/** Marks around a letter, which fonts make as wide as a Han character. */
const ENCLOSING = /\p{Me}/u;

/**
 * Returns the space of an enclosed letter on both sides, and the offset of the mark to its middle, in thousandths of an
 * em; undefined if the next glyph is no mark around a letter. @param width of the letter
 */
function enclosedBy(font: EmbeddedFont, mark: EncodedGlyph | undefined, width: number) {
  if (mark === undefined || !ENCLOSING.test(mark.text)) return undefined;
  const { minX, maxX } = font.font.getGlyph(font.subset.glyphs[mark.number] ?? 0).bbox;
  const scale = 1000 / font.font.unitsPerEm;
  const shift = -width / 2 - mark.position.xOffset - ((minX + maxX) / 2) * scale;
  return { pad: Math.max(0, ((maxX - minX) * scale - width) / 2), shift };
}

/** Adds text that is joined, reversed or stacked by the rules of its script. */
function shapeScript(text: string, isRightToLeft: boolean, font: EmbeddedFont, line: Line): void {
  const shown = isRightToLeft ? Array.from(text, mirrored).join('') : text;
  const run = font.font.layout(shown, undefined, undefined, undefined, isRightToLeft ? 'rtl' : 'ltr');
  const texts = glyphTexts(shown, run).map((part) => (isRightToLeft ? Array.from(part, mirrored).join('') : part));
  line.copied += texts.join('');
  // Glyphs are in visual order, their texts in reading order.
  if (isRightToLeft) texts.reverse();
  else line.isReordered ||= REORDERING.test(text);
  const scale = 1000 / font.font.unitsPerEm;
  for (const [index, glyph] of run.glyphs.entries()) {
    const position = run.positions[index];
    if (position === undefined) continue;
    const nominal = glyph.advanceWidth * scale;
    const part = texts[index] ?? '';
    const isAlone = part === '' || position.xOffset !== 0 || position.yOffset !== 0;
    if (isAlone) line.breakPiece();
    const number = embed(font, glyph.id, nominal, part);
    line.show(font.id, number, position.xOffset * scale, position.yOffset * scale);
    line.advance(position.xAdvance * scale, nominal);
    if (isAlone) line.breakPiece(part === '');
  }
  line.breakPiece();
  if (isRightToLeft) line.turnRound();
}

/** Splits the Thai vowel sara am into its two parts: fonts then place a tone mark over it correctly. */
function splitSaraAm(text: string): string {
  return text.replace(/([\u0e48-\u0e4b]?)\u0e33/g, '\u0e4d$1\u0e32');
}

type EncodedGlyph = ReturnType<typeof encoded>[number];

/** Returns the glyphs of a text with their number in the file, their metrics, and the text that copying them gives. */
export function encoded(font: EmbeddedFont, text: string) {
  const [numbers, positions] = font.encode(text);
  return positions.map((position, index) => {
    const number = parseInt(numbers[index] ?? '', 16);
    return { number, position, text: String.fromCodePoint(...(font.unicode[number] ?? [])) };
  });
}
