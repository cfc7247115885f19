import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font, type GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { type FontFamily, fontPath, type FontWeight, hasOwnLetters } from './font-families.js';
import { rememberGlyphTexts } from './glyph-texts.js';

const MAX_SHAPED = 4_000;
/** Unit to which pdfkit scales the positions of a shaped run in place; positions already in it stay unchanged. */
const PDF_UNITS_PER_EM = 1000;
const CODE_POINTS = 0x110000;
const COVERED = 1;
const NOT_COVERED = 2;

/** Fonts of one thread: each is read and parsed once, when first needed. */
export class FontLibrary {
  readonly #fonts = new Map<string, Font>();
  readonly #coverage = new Map<FontFamily, Uint8Array>();
  readonly #require = createRequire(import.meta.url);

  /** @throws {Error} if the font package is not installed */
  font(family: FontFamily, weight: FontWeight): Font {
    const key = `${family} ${weight}`;
    let font = this.#fonts.get(key);
    if (font === undefined) this.#fonts.set(key, (font = this.#open(family, weight)));
    return font;
  }

  /** True if a family has a character. The answer is cached, because the font searches for it. */
  has(family: FontFamily, codePoint: number): boolean {
    let known = this.#coverage.get(family);
    if (known === undefined) this.#coverage.set(family, (known = new Uint8Array(CODE_POINTS)));
    known[codePoint] ||= this.font(family, 'regular').hasGlyphForCodePoint(codePoint) ? COVERED : NOT_COVERED;
    return known[codePoint] === COVERED;
  }

  #open(family: FontFamily, weight: FontWeight): Font {
    const path = fontPath(family, weight);
    const font = create(readFileSync(this.#require.resolve(path)));
    if (!('layout' in font)) throw new Error(`${path} holds several fonts; the report needs a file with one.`);
    repairVariationSequences(font);
    repairMissingAnchors(font);
    if (hasOwnLetters(family)) rememberGlyphTexts(font);
    rememberShapes(font);
    return font;
  }
}

/** Makes a font cache the shapes of words across reports: names and addresses of a fleet recur every day. */
function rememberShapes(font: Font): void {
  if (font.unitsPerEm !== PDF_UNITS_PER_EM) return;
  const shaped = new LRUCache<string, GlyphRun>({ max: MAX_SHAPED });
  const layout = font.layout.bind(font);
  // Neither pdfkit nor the reports name features, a script or a language.
  font.layout = (text, features, script, language, direction) => {
    const key = direction === undefined ? text : `${direction} ${text}`;
    let run = shaped.get(key);
    if (run === undefined) {
      run = layout(text, features, script, language, direction);
      shaped.set(key, run);
    }
    return run;
  };
}

/** Part of fontkit's character map that its types omit. */
interface CharacterMap {
  readonly uvs: { readonly varSelectors: { toArray(): readonly VariationSelector[] } } | null;
  getVariationSelector(codePoint: number, selector: number): number;
}
interface VariationSelector {
  readonly varSelector: number;
  readonly nonDefaultUVS: Iterable<{ readonly unicodeValue: number; readonly glyphID: number }> | null;
}

/**
 * Makes a font support ideographic variation sequences such as 葛󠄁 (U+845B U+E0101). fontkit 2.0.4 reads the table of
 * variants that equal the default shape and skips the table of those that differ.
 */
function repairVariationSequences(font: Font): void {
  if (!('_cmapProcessor' in font)) return;
  // fontkit keeps its character map private; this is its structure in fontkit 2.0.4, and a test checks it.
  const map = font._cmapProcessor as CharacterMap;
  if (map.uvs === null) return;
  const { varSelectors } = map.uvs;
  const original = map.getVariationSelector.bind(map);
  let variants: Map<number, Map<number, number>> | undefined;
  map.getVariationSelector = (codePoint, selector) => {
    variants ??= new Map(
      varSelectors.toArray().map(({ varSelector, nonDefaultUVS }) => [varSelector, glyphsOf(nonDefaultUVS)]),
    );
    return variants.get(selector)?.get(codePoint) ?? original(codePoint, selector);
  };
}

function glyphsOf(entries: VariationSelector['nonDefaultUVS']): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (const { unicodeValue, glyphID } of entries ?? []) glyphs.set(unicodeValue, glyphID);
  return glyphs;
}

/** Part of fontkit's OpenType layout that its types omit. */
interface MarkPlacer {
  applyAnchor(mark: unknown, base: unknown, baseIndex: number): void;
}

/**
 * Makes a font leave a mark in place if its base letter has no anchor for it, as OpenType allows ("MarkToBase
 * attachment", a null anchor). fontkit 2.0.4 throws, and names are untrusted input.
 */
function repairMissingAnchors(font: Font): void {
  // fontkit keeps its layout engine private; this is its structure in fontkit 2.0.4, and a test checks it.
  const { _layoutEngine: layout } = font as { _layoutEngine?: { engine?: { GPOSProcessor?: MarkPlacer | null } } };
  const placer = layout?.engine?.GPOSProcessor;
  if (placer === undefined || placer === null) return;
  const apply = placer.applyAnchor.bind(placer);
  placer.applyAnchor = (mark, base, baseIndex) => {
    if (base !== null && base !== undefined) apply(mark, base, baseIndex);
  };
}
