import { cleanText, splitGraphemes } from './clean-text.js';
import type { FontWeight } from './font-families.js';
import type { Typesetter } from './typesetter.js';

/** How far text may shrink before it is cut: smaller could not be read on paper. */
const MIN_SCALE = 0.72;
/** More characters than fit any line; longer texts are cut before they are measured. */
const MAX_CHARACTERS = 240;

/** A line that fits, in the size in which it does. */
export interface FittedText {
  readonly text: string;
  readonly size: number;
}

/** Makes one line of text fit a width: first by a smaller size, then by an ellipsis. */
export function fitLine(
  typesetter: Typesetter,
  value: string,
  weight: FontWeight,
  size: number,
  maxWidth: number,
): FittedText {
  const text = cut(value);
  const width = typesetter.width(text, weight, size);
  if (width <= maxWidth) return { text, size };
  const smaller = Math.floor(size * Math.max(MIN_SCALE, maxWidth / width) * 4) / 4;
  if (typesetter.width(text, weight, smaller) <= maxWidth) return { text, size: smaller };
  return { text: ellipsis(typesetter, text, weight, smaller, maxWidth), size: smaller };
}

/**
 * Makes text fit a width in one line or two of the same size: the first size of `sizes` with which it does,
 * else the last one with an ellipsis.
 *
 * @param sizes in points, the largest first
 */
export function fitTwoLines(
  typesetter: Typesetter,
  value: string,
  weight: FontWeight,
  sizes: readonly number[],
  maxWidth: number,
): readonly FittedText[] {
  const text = cut(value);
  const fits = (line: string, size: number): boolean => typesetter.width(line, weight, size) <= maxWidth;
  let lines: FittedText[] = [];
  for (const size of sizes) {
    if (fits(text, size)) return [{ text, size }];
    const parts = splitGraphemes(text);
    const fitting = longestPrefix(parts, (prefix) => fits(prefix, size));
    const end = endOfFirstLine(parts, Math.max(1, fitting));
    const first = parts.slice(0, end).join('').trim();
    const rest = parts.slice(end).join('').trim();
    if (fits(rest, size))
      return [
        { text: first, size },
        { text: rest, size },
      ];
    lines = [
      { text: first, size },
      { text: ellipsis(typesetter, rest, weight, size, maxWidth), size },
    ];
  }
  return lines;
}

function cut(value: string): string {
  if (value.length <= MAX_CHARACTERS) return cleanText(value);
  // Cut generously first: cleaning may shorten the text, and a megabyte must not be cleaned for one line.
  const parts = splitGraphemes(cleanText(value.slice(0, MAX_CHARACTERS * 20)), MAX_CHARACTERS);
  return `${parts.join('')}…`;
}

function ellipsis(typesetter: Typesetter, text: string, weight: FontWeight, size: number, maxWidth: number): string {
  const parts = splitGraphemes(text);
  const kept = longestPrefix(parts, (prefix) => typesetter.width(`${prefix}…`, weight, size) <= maxWidth);
  return `${parts.slice(0, kept).join('').trimEnd()}…`;
}

/** How many parts from the start fit; fitting is monotonic, so half of the rest is ruled out at each step. */
function longestPrefix(parts: readonly string[], fits: (prefix: string) => boolean): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(parts.slice(0, middle).join(''))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Fewer characters look lost on a line of their own. */
const MIN_REST = 5;

/** Breaks as late as `maxParts` allows, or near the middle where only a few characters would be left over. */
function endOfFirstLine(parts: readonly string[], maxParts: number): number {
  const latest = breakBefore(parts, maxParts);
  return parts.length - latest < MIN_REST ? breakBefore(parts, Math.ceil(parts.length * 0.6)) : latest;
}

const WORD_END = /[\s,،，、。・/-]$/u;
/** Scripts that put spaces between words. */
const LETTER =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Nd}]/u;
const NEVER_FIRST = /^[\s,.،।，、。・ー）」』】)\]]/u;

/** The best place for a line break at or before `end`: words and numbers stay whole where possible. */
function breakBefore(parts: readonly string[], end: number): number {
  for (let index = end; index > end / 2; index -= 1) {
    const before = parts[index - 1] ?? '';
    const after = parts[index] ?? '';
    const splitsWord = LETTER.test(before) && LETTER.test(after);
    if (!NEVER_FIRST.test(after) && (WORD_END.test(before) || !splitsWord)) return index;
  }
  return end;
}
