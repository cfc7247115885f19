import { closingBracket, isClosingBracket, type BidiClass } from './bidi-classes.js';

/** A direction. */
export type Strong = 'L' | 'R';

/** Deeper nested brackets are not paired (UAX #9, definition BD16). */
const MAX_OPEN_BRACKETS = 63;

/** Rules W1 to W7 of UAX #9: marks, numbers and what stands between numbers. @returns the types they leave */
export function resolveWeak(classes: readonly BidiClass[], base: Strong): BidiClass[] {
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

/**
 * Rule N0: both brackets of a pair get the direction of what they enclose, or of what stands before them.
 *
 * @param classes of the characters as they are, which tell marks
 * @param types what `resolveWeak` has left; changed
 */
export function resolveBrackets(
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

/** Rules N1 and N2: what has no direction takes that of both neighbours, or else that of the line. Changes `types`. */
export function resolveNeutral(types: BidiClass[], base: Strong): void {
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
