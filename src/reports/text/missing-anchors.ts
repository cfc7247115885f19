import type { Font } from 'fontkit';

/** The part of fontkit's OpenType layout that its types do not describe. */
interface MarkPlacer {
  applyAnchor(mark: unknown, base: unknown, baseIndex: number): void;
}

/**
 * Makes a font leave a mark where it is when the letter below has no place for it, as OpenType allows ("MarkToBase
 * attachment", a null anchor). fontkit 2.0.4 throws, and anybody can write such a name.
 */
export function repairMissingAnchors(font: Font): void {
  // fontkit keeps its layout engine private; the shape is that of fontkit 2.0.4, and a test holds it.
  const { _layoutEngine: layout } = font as { _layoutEngine?: { engine?: { GPOSProcessor?: MarkPlacer | null } } };
  const placer = layout?.engine?.GPOSProcessor;
  if (placer === undefined || placer === null) return;
  const apply = placer.applyAnchor.bind(placer);
  placer.applyAnchor = (mark, base, baseIndex) => {
    if (base !== null && base !== undefined) apply(mark, base, baseIndex);
  };
}
