import type { Font, GlyphRun } from 'fontkit';

/** The part of fontkit's OpenType layout that its types do not describe. */
interface LayoutEngine {
  readonly glyphInfos: readonly { readonly codePoints: readonly number[] }[];
  substitute(run: GlyphRun): void;
}

const characters = new WeakMap<GlyphRun, readonly (readonly number[])[]>();

/**
 * Makes a font remember which characters each glyph of a shaped run came from. fontkit 2.0.4 knows it while it shapes,
 * and answers with glyphs that tell what they stood for when they were first used.
 *
 * @throws {Error} when another version of fontkit works in another way
 */
export function rememberGlyphTexts(font: Font): void {
  // fontkit keeps its layout engine private; the shape is that of fontkit 2.0.4, and a test holds it.
  const { _layoutEngine: layout } = font as { _layoutEngine?: { engine?: LayoutEngine } };
  const engine = layout?.engine;
  if (engine === undefined)
    throw new Error('Names are shaped with inner parts of fontkit 2.0 that this version lacks.');
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
 * The part of a text that each glyph of its run stands for, in the order of reading, which is not always that of the
 * glyphs: put together they are the text. Several characters may share a glyph; a glyph of which there are more than
 * characters, such as the dots of a letter, stands for nothing.
 *
 * @param run what a font that was prepared by `rememberGlyphTexts` made of the text
 */
export function glyphTexts(text: string, run: GlyphRun): readonly string[] {
  return shareOut(text, characters.get(run) ?? run.glyphs.map(() => []));
}

/**
 * Shares a text out to glyphs: each smallest stretch of text to the glyphs that were made of the same characters.
 *
 * @param glyphs the code points each came from, in the order of the glyphs, and decomposed where a font wants that
 */
export function shareOut(text: string, glyphs: readonly (readonly number[])[]): readonly string[] {
  const texts = glyphs.map(() => '');
  const rest = Array.from(text);
  const balance = new Balance();
  let stretch: string[] = [];
  let holders: number[] = [];
  const deal = (): void => {
    // Some vowels are two glyphs around a consonant, and are two characters when decomposed.
    if (stretch.length < holders.length) stretch = Array.from(stretch.join('').normalize('NFD'));
    const last = holders.length - 1;
    holders.forEach(
      (glyph, place) => (texts[glyph] = stretch.slice(place, place === last ? undefined : place + 1).join('')),
    );
    if (holders.length > 0) stretch = [];
    holders = [];
  };
  glyphs.forEach((codePoints, glyph) => {
    if (codePoints.length === 0) return;
    holders.push(glyph);
    balance.add(String.fromCodePoint(...codePoints), 1);
    while (balance.surplus > 0 && rest.length > 0) {
      const next = rest.shift() ?? '';
      stretch.push(next);
      balance.add(next, -1);
    }
    if (balance.isEven) deal();
  });
  deal();
  // Nothing is left of it unless the font made glyphs of something else.
  const last = texts.findLastIndex((part) => part !== '');
  const end = last === -1 ? texts.length - 1 : last;
  if (rest.length > 0 || stretch.length > 0) texts[end] = `${texts[end] ?? ''}${[...stretch, ...rest].join('')}`;
  return texts;
}

/** How many more of each character the glyphs have than the text, both decomposed. */
class Balance {
  /** How many more characters the glyphs have. */
  surplus = 0;
  readonly #counts = new Map<string, number>();

  get isEven(): boolean {
    return this.#counts.size === 0;
  }

  add(text: string, amount: number): void {
    for (const character of text.normalize('NFD')) {
      this.surplus += amount;
      const count = (this.#counts.get(character) ?? 0) + amount;
      if (count === 0) this.#counts.delete(character);
      else this.#counts.set(character, count);
    }
  }
}
