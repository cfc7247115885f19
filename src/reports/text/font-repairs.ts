import type { Font } from 'fontkit';

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
export function repairVariationSequences(font: Font): void {
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
export function repairMissingAnchors(font: Font): void {
  // fontkit keeps its layout engine private; this is its structure in fontkit 2.0.4, and a test checks it.
  const { _layoutEngine: layout } = font as { _layoutEngine?: { engine?: { GPOSProcessor?: MarkPlacer | null } } };
  const placer = layout?.engine?.GPOSProcessor;
  if (placer === undefined || placer === null) return;
  const apply = placer.applyAnchor.bind(placer);
  placer.applyAnchor = (mark, base, baseIndex) => {
    if (base !== null && base !== undefined) apply(mark, base, baseIndex);
  };
}
