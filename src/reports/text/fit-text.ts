import { cleanText, splitGraphemes } from './clean-text.js';
import type { FontWeight } from './font-families.js';
import type { Typesetter } from './typesetter.js';

/** Minimum scale before text is cut, and minimum size in points: smaller text is unreadable on paper. */
const MIN_SCALE = 0.72;
export const MIN_SIZE = 6.5;
/** Upper bound of the characters of a line; longer texts are cut before measuring. */
const MAX_CHARACTERS = 240;

/** Fitting line with its size. */
export interface FittedText {
  readonly text: string;
  readonly size: number;
}

/** Fits one line of text into a width: first by a smaller size, then by an ellipsis. */
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
  const fitting = Math.floor(size * Math.max(MIN_SCALE, maxWidth / width) * 4) / 4;
  const smaller = Math.max(fitting, Math.min(size, MIN_SIZE));
  if (typesetter.width(text, weight, smaller) <= maxWidth) return { text, size: smaller };
  return { text: ellipsis(typesetter, text, weight, smaller, maxWidth), size: smaller };
}

function cut(value: string): string {
  if (value.length <= MAX_CHARACTERS) return cleanText(value);
  // A generous cut first: cleaning may shorten the text, and cleaning a megabyte for one line is too slow.
  const parts = splitGraphemes(cleanText(value.slice(0, MAX_CHARACTERS * 20)), MAX_CHARACTERS);
  return `${parts.join('')}…`;
}

function ellipsis(typesetter: Typesetter, text: string, weight: FontWeight, size: number, maxWidth: number): string {
  const parts = splitGraphemes(text);
  const kept = longestPrefix(parts, (prefix) => typesetter.width(`${prefix}…`, weight, size) <= maxWidth);
  return `${parts.slice(0, kept).join('').trimEnd()}…`;
}

/** Returns how many parts from the start fit. Fitting is monotonic, so this is a binary search. */
export function longestPrefix(parts: readonly string[], fits: (prefix: string) => boolean): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(parts.slice(0, middle).join(''))) low = middle;
    else high = middle - 1;
  }
  return low;
}
