import bidiFactory from 'bidi-js';
import { splitGraphemes } from './clean-text.js';
import { fontRuns, type TextRun } from './font-fallback.js';
import { ownFamily } from './font-families.js';
import type { FontLibrary } from './font-library.js';

const bidi = bidiFactory();

/** Consecutive characters of one level: even levels run from left to right, odd ones from right to left. */
export interface BidiRun {
  readonly text: string;
  readonly level: number;
}

/** Text without any of these is one run from left to right. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** bidi-js knows only characters of one UTF-16 unit: longer ones count as the first match here, else as letters. */
const LONGER: readonly (readonly [pattern: RegExp, character: string])[] = [
  [/[\u{10d00}-\u{10d3f}\u{1ec70}-\u{1eeff}]/u, '\u0627'],
  [/[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u, '\u05d0'],
  [/[\p{Mn}\p{Me}]/u, '\u0301'],
  [/[\p{P}\p{S}\p{No}]/u, '!'],
];

export function runsRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Divides one line of cleaned text into runs of one direction, in reading order (Unicode bidirectional algorithm,
 * UAX #9). The first letter determines the direction of the line.
 */
export function bidiRuns(text: string): readonly BidiRun[] {
  if (!runsRightToLeft(text)) return text === '' ? [] : [{ text, level: 0 }];
  const characters = Array.from(text);
  const { levels } = bidi.getEmbeddingLevels(characters.map(ofOneUnit).join(''));
  const runs: { text: string; level: number }[] = [];
  characters.forEach((character, index) => {
    const level = levels[index] ?? 0;
    const last = runs.at(-1);
    if (last !== undefined && last.level === level) last.text += character;
    else runs.push({ text: character, level });
  });
  return runs;
}

/** Returns the order of runs from left to right, as indices. @param levels in reading order (UAX #9, rule L2) */
export function visualOrder(levels: readonly number[]): readonly number[] {
  const { length } = levels;
  const paragraphs = [{ start: 0, end: length - 1, level: 0 }];
  return bidi.getReorderedIndices('a'.repeat(length), { levels: Uint8Array.from(levels), paragraphs });
}

/** Returns the form of a character in text that runs from right to left (UAX #9, rule L4). */
export function mirrored(character: string): string {
  return bidi.getMirroredCharacter(character) ?? character;
}

function ofOneUnit(character: string): string {
  return character.length === 1 ? character : (LONGER.find(([pattern]) => pattern.test(character))?.[1] ?? 'a');
}

interface DirectedRun extends TextRun {
  /** Even for left to right (UAX #9). */
  readonly level: number;
}

export function directedRuns(runs: readonly BidiRun[], library: FontLibrary): readonly DirectedRun[] {
  return runs.flatMap(({ text, level }) =>
    fontRuns(library, text).flatMap((run) => {
      if (level % 2 === 0 || ownFamily(run.text) !== undefined) return [{ ...run, level }];
      // Only fonts of right-to-left scripts reverse their glyphs themselves.
      return splitGraphemes(run.text).map((grapheme, index) => ({
        family: run.family,
        text: grapheme,
        missing: index === 0 ? run.missing : [],
        level,
      }));
    }),
  );
}

/** Returns the start of each run from the left end of the line, in the unit of the widths. */
export function placesOf(runs: readonly { readonly width: number; readonly level: number }[]): readonly number[] {
  const places = runs.map(() => 0);
  let x = 0;
  for (const index of visualOrder(runs.map(({ level }) => level))) {
    places[index] = x;
    x += runs[index]?.width ?? 0;
  }
  return places;
}
