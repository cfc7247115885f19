import type { PdfFile } from '../pdf/pdf-file.js';
import type { EmbeddedFont } from '../pdf/pdfkit-internals.js';
import { cleanText } from './clean-text.js';
import { FontFallback, type TextRun } from './font-fallback.js';
import { bidiRuns } from './bidi.js';
import { directedRuns, placesOf } from './directed-runs.js';
import { PRIMARY_FAMILY, type FontWeight } from './font-families.js';
import type { FontLibrary } from './font-library.js';
import { Line, literal, type SetText } from './set-text.js';
import { copiedText, shapeRun } from './shape-run.js';

interface PlainGlyph {
  /** Code inside a literal string. */
  readonly literal: string;
  readonly width: number;
  readonly copiesAs: string;
}

// Characters without kerning, ligatures or marks. They skip the shaping engine.
const STANDS_ALONE =
  /^[ -@[-`{-~\u00d7\u2013\u2014\u25b2\u3000-\u3029\u3030-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff9d]+$/;
const MAX_CACHED_TEXTS = 4_000;

/** Sets text in the fonts of one file: chooses fonts, shapes, and embeds the used glyphs. */
export class Typesetter {
  readonly #file: PdfFile;
  readonly #library: FontLibrary;
  readonly #cache = { regular: new Map<string, SetText>(), bold: new Map<string, SetText>() };
  readonly #plainGlyphs = new Map<EmbeddedFont, Map<number, PlainGlyph>>();
  readonly #fallback: FontFallback;
  readonly #missing = new Map<string, number>();

  constructor(file: PdfFile, library: FontLibrary) {
    this.#file = file;
    this.#library = library;
    this.#fallback = new FontFallback(library);
  }

  /** Characters that no font had, counted once per text. */
  get missingCharacters(): ReadonlyMap<string, number> {
    return this.#missing;
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
      if (cache.size >= MAX_CACHED_TEXTS) cache.clear();
      cache.set(value, set);
    }
    if (set.usesStandIn) this.#hasUsedStandIn = true;
    return set;
  }

  /** Width in points. */
  width(value: string, weight: FontWeight, size: number): number {
    return (this.set(value, weight).width * size) / 1000;
  }

  #set(text: string, weight: FontWeight): SetText {
    if (STANDS_ALONE.test(text) && this.#fallback.primaryHasAll(text)) return this.#setPlain(text, weight);
    const line = new Line();
    const bidi = bidiRuns(text);
    if (bidi.every(({ level }) => level === 0)) {
      for (const run of this.#fallback.runs(text)) this.#setRun(run, 0, weight, line);
    } else {
      const parts = directedRuns(bidi, this.#fallback).map((run) => {
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
    for (const character of run.missing) this.#missing.set(character, (this.#missing.get(character) ?? 0) + 1);
    shapeRun(run, level, this.#file.font(this.#library.font(run.family, weight)), line);
  }

  #setPlain(text: string, weight: FontWeight): SetText {
    const font = this.#file.font(this.#library.font(PRIMARY_FAMILY, weight));
    let glyphs = this.#plainGlyphs.get(font);
    if (glyphs === undefined) this.#plainGlyphs.set(font, (glyphs = new Map<number, PlainGlyph>()));
    let shown = '';
    let width = 0;
    let copied = '';
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      let glyph = glyphs.get(code);
      if (glyph === undefined) glyphs.set(code, (glyph = plainGlyph(font, text.charAt(index))));
      shown += glyph.literal;
      width += glyph.width;
      copied += glyph.copiesAs;
    }
    const pieces = [{ fontId: font.id, x: 0, rise: 0, operator: `(${shown})Tj ` }];
    return { width, pieces, actualText: copied === text ? undefined : text, usesStandIn: false };
  }
}

function plainGlyph(font: EmbeddedFont, character: string): PlainGlyph {
  const [[hex = '0000'], [position]] = font.encode(character);
  return { literal: literal(hex), width: position?.advanceWidth ?? 0, copiesAs: copiedText(font, hex) };
}
