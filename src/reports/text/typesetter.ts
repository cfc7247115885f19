import type { PdfFile } from '../pdf/pdf-file.js';
import type { EmbeddedFont } from '../pdf/pdfkit-internals.js';
import { bidiRuns, directedRuns, placesOf } from './bidi.js';
import { cleanText, RecentTexts } from './clean-text.js';
import { covers, fontRuns, type TextRun } from './font-fallback.js';
import { type FontWeight, PRIMARY_FAMILY } from './font-families.js';
import type { FontLibrary } from './font-library.js';
import { Line, type SetText } from './set-text.js';
import { encoded, shapeRun } from './shape-run.js';

// Characters without kerning, ligatures or marks. They skip the shaping engine.
const STANDS_ALONE =
  /^[ -@[-`{-~\u00a7\u00b6\u00d7\u2013\u2014\u2020\u2021\u2264\u2265\u25a1\u25b2\u25b3\u25cf\u3000-\u3029\u3030-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff9d]+$/;
/** Figures and signs, which have no kerning with letters either. */
const FIGURES = /^[ -@[-`{-~\u00a7\u00b6\u00d7\u2013\u2014\u2020\u2021\u2264\u2265\u25a1\u25b2\u25b3\u25cf]+$/;
/** Characters from left to right that are shaped word by word. */
const OF_WORDS =
  /^[ -~\u00a7\u00b6\u00c0-\u024f\u00d7\u2013\u2014\u2018-\u201d\u2020\u2021\u2026\u2264\u2265\u25a1\u25b2\u25b3\u25cf\u3001-\u3029\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uff01-\uff9d]+$/;
/** Characters without marks above or below: Han characters, syllables, signs, and letters of English. */
const UNMARKED =
  /^[ -~\u00b7\u2010-\u2027\u2100-\u2bff\u3000-\u3096\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff9d]*$/;

/** Sets text in the fonts of one file: chooses fonts, shapes, and embeds the used glyphs. */
export class Typesetter {
  readonly #file: PdfFile;
  readonly #library: FontLibrary;
  readonly #cache = { regular: new RecentTexts<SetText>(), bold: new RecentTexts<SetText>() };
  readonly #partWidths = { regular: new RecentTexts<number>(), bold: new RecentTexts<number>() };
  /** Set words; false for one with a glyph that is raised or moved. */
  readonly #keptWords = { regular: new RecentTexts<Line | false>(), bold: new RecentTexts<Line | false>() };
  readonly #glyphs = new Map<EmbeddedFont, Map<string, Line>>();
  /** Characters that no font had, counted once per text. */
  readonly missingCharacters = new Map<string, number>();

  constructor(file: PdfFile, library: FontLibrary) {
    this.#file = file;
    this.#library = library;
  }

  #hasUsedStandIn = false;

  /** Returns true if a text set since the last call has a character that no font has. */
  takeStandIn(): boolean {
    const hasUsed = this.#hasUsedStandIn;
    this.#hasUsedStandIn = false;
    return hasUsed;
  }

  /** Sets one line; results are cached by text and weight. */
  set(value: string, weight: FontWeight): SetText {
    const cache = this.#cache[weight];
    let set = cache.get(value);
    if (set === undefined) {
      set = this.#set(cleanText(value), weight);
      cache.set(value, set);
    }
    if (set.usesStandIn) this.#hasUsedStandIn = true;
    return set;
  }

  /** True if a text was set before, so that its width costs nothing. */
  isSet(value: string, weight: FontWeight): boolean {
    return this.#cache[weight].has(value);
  }

  width(value: string, weight: FontWeight, size: number): number {
    return (this.set(value, weight).width * size) / 1000;
  }

  /** Returns the width of a letter with its marks, alone and in thousandths of an em. It is set in no file. */
  partWidth(part: string, weight: FontWeight): number {
    const widths = this.#partWidths[weight];
    let width = widths.get(part);
    if (width === undefined) {
      const fonts = fontRuns(this.#library, part).map((run) => [this.#library.font(run.family, weight), run] as const);
      width = fonts.reduce(
        (sum, [font, run]) => sum + (font.layout(run.text).advanceWidth * 1_000) / font.unitsPerEm,
        0,
      );
      widths.set(part, width);
    }
    return width;
  }

  /** Returns how far the fonts of a text reach above and below its baseline, in points; undefined without marks. */
  heights(value: string, size: number): { readonly above: number; readonly below: number } | undefined {
    if (UNMARKED.test(value)) return undefined;
    const fonts = fontRuns(this.#library, cleanText(value)).map(({ family }) => this.#library.font(family, 'regular'));
    const most = (metric: (font: (typeof fonts)[number]) => number): number =>
      Math.max(...fonts.map((font) => (metric(font) * size) / font.unitsPerEm));
    return { above: most(({ ascent }) => ascent), below: most(({ descent }) => -descent) };
  }

  /** Returns the distance, in points, at which marks of two lines do not touch. @param usual distance without marks */
  lineHeight(value: string, size: number, usual: number): number {
    const { above, below } = this.heights(value, size) ?? { above: 0, below: 0 };
    return Math.max(usual, above + below);
  }

  #set(text: string, weight: FontWeight): SetText {
    const isPlain = STANDS_ALONE.test(text);
    if ((isPlain || OF_WORDS.test(text)) && covers(this.#library, PRIMARY_FAMILY, text)) {
      const font = this.#file.font(this.#library.font(PRIMARY_FAMILY, weight));
      const line = isPlain ? this.#plainWord(text, font) : this.#words(text, weight, font);
      if (line !== undefined) return line.finish(text);
    }
    const line = new Line();
    const bidi = bidiRuns(text);
    if (bidi.every(({ level }) => level === 0)) {
      for (const run of fontRuns(this.#library, text)) this.#setRun(run, 0, weight, line);
    } else {
      const parts = directedRuns(bidi, this.#library).map((run) => {
        const part = new Line();
        this.#setRun(run, run.level, weight, part);
        return { part, width: part.width, level: run.level };
      });
      const places = placesOf(parts);
      parts.forEach(({ part }, index) => line.place(part, places[index] ?? 0));
    }
    return line.finish(text);
  }

  #setRun(run: TextRun, level: number, weight: FontWeight, line: Line): void {
    if (run.missing.length > 0) line.usesStandIn = true;
    const missing = this.missingCharacters;
    for (const character of run.missing) missing.set(character, (missing.get(character) ?? 0) + 1);
    const font = this.#file.font(this.#library.font(run.family, weight));
    const plain = level === 0 && STANDS_ALONE.test(run.text) ? this.#plainWord(run.text, font) : undefined;
    if (plain === undefined) shapeRun(run, level, font, line);
    else line.append(plain);
    line.breakPiece();
  }

  /** Sets a text word by word, because most words are cached. @returns undefined if a glyph is raised or moved */
  #words(text: string, weight: FontWeight, font: EmbeddedFont): Line | undefined {
    const line = new Line();
    for (let from = 0; from < text.length;) {
      const space = text.indexOf(' ', from);
      const to = space < 0 ? text.length : space + 1;
      const word = this.#word(text.slice(from, to), weight, font);
      if (word === undefined) return undefined;
      line.append(word);
      from = to;
    }
    return line;
  }

  #word(text: string, weight: FontWeight, font: EmbeddedFont): Line | undefined {
    const kept = this.#keptWords[weight];
    let word = kept.get(text);
    if (word === undefined) {
      word = (FIGURES.test(text) ? this.#plainWord(text, font) : shapedWord(font, text)) ?? false;
      kept.set(text, word);
    }
    return word || undefined;
  }

  #plainWord(text: string, font: EmbeddedFont): Line | undefined {
    const glyphs = this.#glyphs.get(font) ?? new Map<string, Line>();
    this.#glyphs.set(font, glyphs);
    const line = new Line();
    for (const character of text) {
      let glyph = glyphs.get(character);
      if (glyph === undefined) {
        glyph = shapedWord(font, character);
        if (glyph === undefined) return undefined;
        glyphs.set(character, glyph);
      }
      line.append(glyph);
    }
    return line;
  }
}

/** Shapes a word. @returns undefined if a glyph is raised or moved */
function shapedWord(font: EmbeddedFont, text: string): Line | undefined {
  const word = new Line();
  for (const { number, position, text: copied } of encoded(font, text)) {
    if (position.xOffset !== 0 || position.yOffset !== 0) return undefined;
    word.show(font.id, number, 0, 0);
    word.advance(position.xAdvance, position.advanceWidth);
    word.copied += copied;
  }
  return word;
}
