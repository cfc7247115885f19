import type { Font, GlyphRun } from 'fontkit';

/** Part of fontkit's OpenType layout that its types omit. */
interface LayoutEngine {
  readonly glyphInfos: readonly { readonly codePoints: readonly number[] }[];
  substitute(run: GlyphRun): void;
}

const characters = new WeakMap<GlyphRun, readonly (readonly number[])[]>();

/**
 * Makes a font record the source characters of each glyph of a shaped run. fontkit 2.0.4 knows them while shaping, but
 * returns glyphs with the characters of their first use. @throws {Error} if another version has other internals
 */
export function rememberGlyphTexts(font: Font): void {
  // fontkit keeps its layout engine private; this is its structure in fontkit 2.0.4, and a test checks it.
  const { _layoutEngine: layout } = font as { _layoutEngine?: { engine?: LayoutEngine } };
  const engine = layout?.engine;
  if (engine === undefined)
    throw new Error('Reports use private members of fontkit 2.0 that this version lacks: install fontkit 2.0.4.');
  const substitute = engine.substitute.bind(engine);
  engine.substitute = (run) => {
    substitute(run);
    characters.set(
      run,
      engine.glyphInfos.map(({ codePoints }) => codePoints),
    );
  };
}

/**
 * Returns the part of a text for each glyph of its run, in reading order: joined, they are the text. Several characters
 * may share a glyph; surplus glyphs, such as the dots of a letter, get no text.
 *
 * @param run shaped from the text by a font prepared with `rememberGlyphTexts`
 */
export function glyphTexts(text: string, run: GlyphRun): readonly string[] {
  return distributeText(text, characters.get(run) ?? run.glyphs.map(() => []));
}

/**
 * Distributes a text to glyphs: each smallest stretch of text to the glyphs made of the same characters.
 * @param glyphs source code points of each, decomposed if the font requires it
 */
export function distributeText(text: string, glyphs: readonly (readonly number[])[]): readonly string[] {
  const texts = glyphs.map(() => '');
  const rest = Array.from(text);
  /** Surplus of characters in the glyphs over the text, both decomposed: of each, and of all. */
  const unassigned = new Map<string, number>();
  let total = 0;
  const add = (part: string, amount: number): void => {
    for (const character of part.normalize('NFD')) {
      total += amount;
      const count = (unassigned.get(character) ?? 0) + amount;
      if (count === 0) unassigned.delete(character);
      else unassigned.set(character, count);
    }
  };
  let stretch: string[] = [];
  let holders: number[] = [];
  const assign = (): void => {
    // Some vowels are two glyphs around a consonant, and two characters when decomposed.
    if (stretch.length < holders.length) stretch = Array.from(stretch.join('').normalize('NFD'));
    const last = holders.length - 1;
    holders.forEach((glyph, at) => (texts[glyph] = stretch.slice(at, at === last ? undefined : at + 1).join('')));
    if (holders.length > 0) stretch = [];
    holders = [];
  };
  glyphs.forEach((codePoints, glyph) => {
    if (codePoints.length === 0) return;
    holders.push(glyph);
    add(String.fromCodePoint(...codePoints), 1);
    while (total > 0 && rest.length > 0) {
      const next = rest.shift() ?? '';
      stretch.push(next);
      add(next, -1);
    }
    if (unassigned.size === 0) assign();
  });
  assign();
  // Characters are left over only if the font made glyphs of other characters.
  const last = texts.findLastIndex((part) => part !== '');
  const end = last === -1 ? texts.length - 1 : last;
  if (rest.length > 0 || stretch.length > 0) texts[end] = `${texts[end] ?? ''}${[...stretch, ...rest].join('')}`;
  return texts;
}
