import { splitGraphemes } from './clean-text.js';
import { ownFamily, PRIMARY_FAMILY, SHARED_FAMILIES, type FontFamily } from './font-families.js';
import type { FontLibrary } from './font-library.js';

/** Stand-in for a character that no font has: the geta mark, long in use for this in Japanese printing. */
const MISSING_CHARACTER = '〓';

/** Variation selectors and joiners: they choose among shapes and never determine the font. */
const SHAPE_ONLY = /\u200c|\u200d|\p{Variation_Selector}/gu;
const JOINERS = /\u200c|\u200d/;
const ZERO_WIDTH_NON_JOINER = 0x200c;

export interface TextRun {
  readonly family: FontFamily;
  readonly text: string;
  /** Characters replaced by 〓 in this run. */
  readonly missing: readonly string[];
}

/**
 * Splits cleaned text into runs, so that every character gets a font that has it. If a family has the whole text, it
 * prints all of it, since a mixture of fonts looks untidy; otherwise the first family that has a grapheme prints it, so
 * that letter and accent share a font. A family of one script also prints the characters between its letters, so that
 * the rules of the script hold for the run.
 */
export function fontRuns(library: FontLibrary, text: string): readonly TextRun[] {
  const family = ownFamily(text) === undefined ? familyFor(library, text) : undefined;
  const runs = family === undefined ? runsByGrapheme(library, text) : [{ family, text, missing: [] }];
  return JOINERS.test(text) ? runs.flatMap((run) => withoutJoiners(library, run)) : runs;
}

/** Splits at joiners if the font lacks them and would print a box. */
function withoutJoiners(library: FontLibrary, run: TextRun): readonly TextRun[] {
  if (library.has(run.family, ZERO_WIDTH_NON_JOINER)) return [run];
  const parts = run.text.split(JOINERS).filter((part) => part !== '');
  return parts.map((text, index) => ({ ...run, text, missing: index === 0 ? run.missing : [] }));
}

function runsByGrapheme(library: FontLibrary, text: string): TextRun[] {
  const runs: { family: FontFamily; text: string; missing: string[] }[] = [];
  for (const grapheme of splitGraphemes(text)) {
    const previous = runs.at(-1);
    const family = familyAfter(library, previous?.family, grapheme);
    const target = family ?? PRIMARY_FAMILY;
    const printed = family === undefined ? MISSING_CHARACTER : grapheme;
    const missing = family === undefined ? [grapheme.replace(SHAPE_ONLY, '')] : [];
    if (previous?.family === target) {
      previous.text += printed;
      previous.missing.push(...missing);
    } else {
      runs.push({ family: target, text: printed, missing });
    }
  }
  return runs;
}

function familyAfter(library: FontLibrary, previous: FontFamily | undefined, text: string): FontFamily | undefined {
  const isNeutral = /^[\s\p{P}\p{N}]+$/u.test(text);
  const isCovered = isNeutral && previous !== undefined && covers(library, previous, text);
  return isCovered ? previous : familyFor(library, text);
}

function familyFor(library: FontLibrary, text: string): FontFamily | undefined {
  const own = ownFamily(text);
  return (own === undefined ? SHARED_FAMILIES : [own]).find((family) => covers(library, family, text));
}

/** True if a family alone prints a text. */
export function covers(library: FontLibrary, family: FontFamily, text: string): boolean {
  for (const character of text) {
    if (library.has(family, character.codePointAt(0) ?? 0)) continue;
    if (character.replace(SHAPE_ONLY, '') !== '') return false;
  }
  return true;
}
