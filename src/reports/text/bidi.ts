import { bidiClass, type BidiClass } from './bidi-classes.js';
import { resolveBrackets, resolveNeutral, resolveWeak, type Strong } from './bidi-rules.js';

/** Consecutive characters of one level: even ones run from left to right, odd ones from right to left. */
export interface BidiRun {
  readonly text: string;
  readonly level: number;
}

/** Only text with one of these can be anything but one run from left to right. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether a text has anything that runs from right to left. */
export function runsRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Divides one line into runs of one direction, in the order in which they are read: the Unicode bidirectional algorithm
 * (UAX #9) for text without embeddings, overrides and isolates. The direction of the line is that of its first letter.
 *
 * @param text cleaned text, see `cleanText`
 */
export function bidiRuns(text: string): readonly BidiRun[] {
  if (!runsRightToLeft(text)) return text === '' ? [] : [{ text, level: 0 }];
  const characters = Array.from(text);
  const classes = characters.map(bidiClass);
  const first = classes.find((type) => type === 'L' || type === 'R' || type === 'AL');
  const base = first === undefined || first === 'L' ? 0 : 1;
  const direction = directionOf(base);
  const weak = resolveWeak(classes, direction);
  resolveBrackets(characters, classes, weak, direction);
  resolveNeutral(weak, direction);
  const levels = weak.map((type) => implicitLevel(type, base));
  // Rule L1: space at the end of the line stands where the line ends.
  for (let index = levels.length - 1; index >= 0 && classes[index] === 'WS'; index -= 1) levels[index] = base;
  return runsOf(characters, levels);
}

/**
 * The order of runs on paper, from left to right, as their places in the order of reading (UAX #9, rule L2).
 *
 * @param levels of the runs, in the order in which they are read
 */
export function visualOrder(levels: readonly number[]): readonly number[] {
  const order = levels.map((_, index) => index);
  const levelAt = (place: number): number => levels[order[place] ?? 0] ?? 0;
  const lowestOdd = Math.min(...levels.filter((level) => level % 2 === 1));
  for (let level = Math.max(0, ...levels); level >= lowestOdd; level -= 1) {
    for (let start = 0; start < order.length; start += 1) {
      let end = start;
      while (end < order.length && levelAt(end) >= level) end += 1;
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse());
      start = end;
    }
  }
  return order;
}

/** Rules I1 and I2. */
function implicitLevel(type: BidiClass, base: number): number {
  if (base === 1) return type === 'R' ? 1 : 2;
  if (type === 'L') return 0;
  return type === 'R' ? 1 : 2;
}

function directionOf(level: number): Strong {
  return level === 0 ? 'L' : 'R';
}

function runsOf(characters: readonly string[], levels: readonly number[]): readonly BidiRun[] {
  const runs: { text: string; level: number }[] = [];
  characters.forEach((character, index) => {
    const level = levels[index] ?? 0;
    const last = runs.at(-1);
    if (last?.level === level) last.text += character;
    else runs.push({ text: character, level });
  });
  return runs;
}
