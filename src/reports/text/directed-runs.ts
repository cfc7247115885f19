import { visualOrder, type BidiRun } from './bidi.js';
import { splitGraphemes } from './clean-text.js';
import type { FontFallback, TextRun } from './font-fallback.js';
import { ownFamily } from './font-families.js';

/** Run in one font and one direction. */
export interface DirectedRun extends TextRun {
  /** Even for left to right (UAX #9). */
  readonly level: number;
}

/** Returns the runs of a line in reading order. */
export function directedRuns(runs: readonly BidiRun[], fallback: FontFallback): readonly DirectedRun[] {
  return runs.flatMap(({ text, level }) =>
    fallback.runs(text).flatMap((run) => {
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
