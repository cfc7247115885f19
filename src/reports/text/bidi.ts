import { bidiClass, closingBracket, isClosingBracket, type BidiClass } from './bidi-classes.js';

/** Consecutive characters of one level: even ones run from left to right, odd ones from right to left. */
export interface BidiRun {
  readonly text: string;
  readonly level: number;
}

type Strong = 'L' | 'R';

/** Only text with one of these can be anything but one run from left to right. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Deeper nested brackets are not paired (UAX #9, definition BD16). */
const MAX_OPEN_BRACKETS = 63;

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

/** Rules W1 to W7: marks, numbers and what stands between numbers. */
function resolveWeak(classes: readonly BidiClass[], base: Strong): BidiClass[] {
  const types = [...classes];
  let strong: BidiClass = base;
  types.forEach((type, index) => {
    const own = type === 'NSM' ? (types[index - 1] ?? base) : type;
    if (own === 'L' || own === 'R' || own === 'AL') strong = own;
    types[index] = own === 'EN' && strong === 'AL' ? 'AN' : own;
  });
  for (let index = 0; index < types.length; index += 1) if (types[index] === 'AL') types[index] = 'R';
  types.forEach((type, index) => {
    const [before, after] = [types[index - 1], types[index + 1]];
    if (before !== after) return;
    if (before === 'EN' && (type === 'ES' || type === 'CS')) types[index] = 'EN';
    if (before === 'AN' && type === 'CS') types[index] = 'AN';
  });
  joinTerminators(types);
  strong = base;
  types.forEach((type, index) => {
    if (type === 'ES' || type === 'ET' || type === 'CS') types[index] = 'ON';
    if (type === 'L' || type === 'R') strong = type;
    if (type === 'EN' && strong === 'L') types[index] = 'L';
  });
  return types;
}

/** Rule W5: signs such as % beside a number belong to it. */
function joinTerminators(types: BidiClass[]): void {
  for (let start = 0; start < types.length; start += 1) {
    if (types[start] !== 'ET') continue;
    let end = start;
    while (types[end] === 'ET') end += 1;
    if (types[start - 1] === 'EN' || types[end] === 'EN') types.fill('EN', start, end);
    start = end;
  }
}

/** Rule N0: both brackets of a pair get the direction of what they enclose, or of what stands before them. */
function resolveBrackets(
  characters: readonly string[],
  classes: readonly BidiClass[],
  types: BidiClass[],
  base: Strong,
): void {
  for (const [opening, closing] of bracketPairs(characters, types)) {
    const inside = new Set(types.slice(opening + 1, closing).map(strongOf));
    const opposite = base === 'L' ? 'R' : 'L';
    let direction: Strong;
    if (inside.has(base)) direction = base;
    else if (!inside.has(opposite)) continue;
    else
      direction =
        types
          .slice(0, opening)
          .map(strongOf)
          .findLast((type) => type !== undefined) ?? base;
    for (const bracket of [opening, closing]) {
      types[bracket] = direction;
      for (let mark = bracket + 1; classes[mark] === 'NSM'; mark += 1) types[mark] = direction;
    }
  }
}

/** Definition BD16. @returns places of opening and closing brackets, sorted by the opening ones */
function bracketPairs(characters: readonly string[], types: readonly BidiClass[]): readonly [number, number][] {
  const pairs: [number, number][] = [];
  const open: { closing: string; index: number }[] = [];
  for (const [index, character] of characters.entries()) {
    if (types[index] !== 'ON') continue;
    const closing = closingBracket(character);
    if (closing !== undefined) {
      if (open.length === MAX_OPEN_BRACKETS) break;
      open.push({ closing, index });
    } else if (isClosingBracket(character)) {
      const match = open.findLastIndex((bracket) => bracket.closing === character);
      const [opening] = match === -1 ? [] : open.splice(match);
      if (opening !== undefined) pairs.push([opening.index, index]);
    }
  }
  return pairs.sort(([a], [b]) => a - b);
}

/** Rules N1 and N2: what has no direction takes that of both neighbours, or else that of the line. */
function resolveNeutral(types: BidiClass[], base: Strong): void {
  for (let start = 0; start < types.length; start += 1) {
    let end = start;
    while (types[end] === 'ON' || types[end] === 'WS') end += 1;
    if (end === start) continue;
    const before = start === 0 ? base : strongOf(types[start - 1]);
    const after = end === types.length ? base : strongOf(types[end]);
    types.fill(before !== undefined && before === after ? before : base, start, end);
    start = end - 1;
  }
}

/** Numbers count as running from right to left beside neutrals. */
function strongOf(type: BidiClass | undefined): Strong | undefined {
  if (type === 'L') return 'L';
  return type === 'R' || type === 'EN' || type === 'AN' ? 'R' : undefined;
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
