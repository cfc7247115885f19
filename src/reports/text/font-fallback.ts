import { splitGraphemes } from './clean-text.js';
import { ownFamily, PRIMARY_FAMILY, SHARED_FAMILIES, type FontFamily } from './font-families.js';
import type { FontLibrary } from './font-library.js';

/** Stands for a character that no font has; printers have used the geta mark for this for a century. */
const MISSING_CHARACTER = '〓';

/** A stretch of text that one font family prints. */
export interface TextRun {
  readonly family: FontFamily;
  readonly text: string;
  /** The characters that 〓 stands for in this run. */
  readonly missing: readonly string[];
}

/** Splits text into runs, so that every character is printed by a font that has it. */
export class FontFallback {
  readonly #library: FontLibrary;

  constructor(library: FontLibrary) {
    this.#library = library;
  }

  /**
   * One family for the whole text when any has all of it, since mixed shapes look torn; otherwise the first
   * family that has each grapheme, so that a letter never loses its accent to another font. A family of one script
   * prints its letters and what stands between them, so that all it is given follows the rules of that script.
   *
   * @param text cleaned text, see `cleanText`
   */
  runs(text: string): readonly TextRun[] {
    const family = ownFamily(text) === undefined ? this.#familyFor(text) : undefined;
    return family === undefined ? this.#runsByGrapheme(text) : [{ family, text, missing: [] }];
  }

  /** Whether the first family alone prints the text. */
  primaryHasAll(text: string): boolean {
    return this.#covers(PRIMARY_FAMILY, text);
  }

  #runsByGrapheme(text: string): TextRun[] {
    const runs: { family: FontFamily; text: string; missing: string[] }[] = [];
    for (const grapheme of splitGraphemes(text)) {
      const previous = runs.at(-1);
      const family = this.#familyAfter(previous?.family, grapheme);
      const target = family ?? PRIMARY_FAMILY;
      const printed = family === undefined ? MISSING_CHARACTER : grapheme;
      const missing = family === undefined ? [grapheme] : [];
      if (previous?.family === target) {
        previous.text += printed;
        previous.missing.push(...missing);
      } else {
        runs.push({ family: target, text: printed, missing });
      }
    }
    return runs;
  }

  #familyAfter(previous: FontFamily | undefined, grapheme: string): FontFamily | undefined {
    const isNeutral = /^[\s\p{P}\p{N}]+$/u.test(grapheme);
    return isNeutral && previous !== undefined && this.#covers(previous, grapheme)
      ? previous
      : this.#familyFor(grapheme);
  }

  #familyFor(text: string): FontFamily | undefined {
    const own = ownFamily(text);
    return (own === undefined ? SHARED_FAMILIES : [own]).find((family) => this.#covers(family, text));
  }

  #covers(family: FontFamily, text: string): boolean {
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      if (!choosesShapeOnly(codePoint) && !this.#library.has(family, codePoint)) return false;
    }
    return true;
  }
}

/** Variation selectors and joiners: they choose among shapes and never decide which font is used. */
function choosesShapeOnly(codePoint: number): boolean {
  return (
    codePoint === 0x200c ||
    codePoint === 0x200d ||
    (codePoint >= 0xfe00 && codePoint <= 0xfe0f) ||
    (codePoint >= 0xe0100 && codePoint <= 0xe01ef)
  );
}
