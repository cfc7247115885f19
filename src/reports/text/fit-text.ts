import LineBreaker from 'linebreak';
import { cleanText, splitGraphemes } from './clean-text.js';
import type { FontWeight } from './font-families.js';
import type { Typesetter } from './typesetter.js';

/** Minimum scale before text is cut, and minimum size in points: smaller text is unreadable on paper. */
const MIN_SCALE = 0.72;
const MIN_SIZE = 6.5;
/** Upper bound of the characters of a single line; longer texts are cut before measuring. */
const MAX_CHARACTERS = 240;

/** Fits one line of text into a width: first by a smaller size, then by an ellipsis. */
export function fitLine(typesetter: Typesetter, value: string, weight: FontWeight, size: number, maxWidth: number) {
  const { text } = withinReason(value, MAX_CHARACTERS, 0);
  const width = typesetter.width(text, weight, size);
  if (width <= maxWidth) return { text, size };
  const fitting = Math.floor(size * Math.max(MIN_SCALE, maxWidth / width) * 4) / 4;
  const smaller = Math.max(fitting, Math.min(size, MIN_SIZE));
  if (typesetter.width(text, weight, smaller) <= maxWidth) return { text, size: smaller };
  const parts = splitGraphemes(text);
  const kept = longestPrefix(parts, (prefix) => typesetter.width(`${prefix}…`, weight, smaller) <= maxWidth);
  return { text: `${parts.slice(0, kept).join('').trimEnd()}…`, size: smaller };
}

/** Returns how many parts from the start fit. Fitting is monotonic, so this is a binary search. */
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

/** Upper bound of the characters of a line; texts longer than all lines lose their middle before measuring. */
const MAX_CHARACTERS_PER_LINE = 160;

export interface WrappedText {
  readonly lines: readonly string[];
  /** True if a part of the text is missing. */
  readonly isCut: boolean;
}

/**
 * Breaks a text into lines; size and width are points. A text with too many lines loses its middle, because addresses
 * end with the building, and codes with the number.
 */
export function wrapText(
  typesetter: Typesetter,
  value: string,
  weight: FontWeight,
  size: number,
  maxWidth: number,
  maxLines: number,
): WrappedText {
  const half = (maxLines * MAX_CHARACTERS_PER_LINE) / 2;
  const { text, isCut } = withinReason(value, half, half);
  const fits = (line: string): boolean => typesetter.width(line, weight, size) <= maxWidth;
  if (fits(text)) return { lines: [text], isCut };
  let rest = splitGraphemes(text);
  const lines: string[] = [];
  while (lines.length < maxLines - 1) {
    const fitting = longestPrefix(rest, fits);
    if (fitting === rest.length) break;
    const end = endOfLine(rest, Math.max(1, fitting), maxLines - lines.length, fits);
    lines.push(rest.slice(0, end).join('').trim());
    rest = rest.slice(end);
  }
  const last = rest.join('').trim();
  if (fits(last)) return { lines: [...lines, last], isCut };
  const backwards = rest.toReversed();
  const kept = longestPrefix(backwards, (suffix) => fits(`…${suffix}`));
  const ending = rest.slice(rest.length - kept).join('');
  return { lines: [...lines, `…${ending.trimStart()}`], isCut: true };
}

/** Cleans a text, or as many characters of its head and tail: cleaning a megabyte for a few lines is too slow. */
function withinReason(value: string, head: number, tail: number): { readonly text: string; readonly isCut: boolean } {
  if (value.length <= head + tail) return { text: cleanText(value), isCut: false };
  // Cleaning may shorten the text, so it gets more than fits.
  const first = splitGraphemes(cleanText(value.slice(0, head * 20)), head);
  const last = tail === 0 ? [] : splitGraphemes(cleanText(value.slice(-tail * 20))).slice(-tail);
  return { text: `${first.join('')}…${last.join('')}`, isCut: true };
}

const MIN_REST = 5;

type Fits = (line: string) => boolean;

/** Breaks as late as `maxParts` allows, or near the middle if only a few characters would remain. */
function endOfLine(parts: readonly string[], maxParts: number, linesLeft: number, fits: Fits): number {
  const latest = breakBefore(parts, maxParts, fits);
  if (linesLeft > 2 || parts.length - latest >= MIN_REST) return latest;
  return breakBefore(parts, Math.min(maxParts, Math.ceil(parts.length * 0.6)), fits);
}

/** Box to tick, which stays with the word after it. */
const BOX_AT_END = /□ ?$/;

/**
 * Returns the last line break up to `end` (Unicode Standard Annex 14); within a word only if the word is longer than a
 * line.
 */
function breakBefore(parts: readonly string[], end: number, fits: Fits): number {
  const [text, whole] = [parts.slice(0, end).join(''), parts.join('')];
  const breaker = new LineBreaker(whole);
  let last = 0;
  let next = breaker.nextBreak();
  for (; next !== null && next.position <= text.length; next = breaker.nextBreak()) {
    if (!BOX_AT_END.test(text.slice(0, next.position))) last = next.position;
  }
  const index = splitGraphemes(text.slice(0, last)).length;
  return index > end / 2 || (last > 0 && fits(whole.slice(last, next?.position).trim())) ? index : end;
}
