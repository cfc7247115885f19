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
  const prefix = (count: number): string => `${parts.slice(0, count).join('').trimEnd()}…`;
  const fits = { typesetter, weight, size: smaller, maxWidth };
  return { text: prefix(countFitting(parts, prefix, fits)), size: smaller };
}

/** Place of a line. Size and width are points. */
interface LinePlace {
  readonly typesetter: Typesetter;
  readonly weight: FontWeight;
  readonly size: number;
  readonly maxWidth: number;
}

/**
 * Returns how many parts fit. The widths of the parts alone tell where to look, because to set a line is dear.
 *
 * @param lineOf returns the line of so many parts, which is longer with more
 */
function countFitting(parts: readonly string[], lineOf: (count: number) => string, place: LinePlace): number {
  const { typesetter, weight, size, maxWidth } = place;
  const sums = [0];
  for (const part of parts) {
    const sum = (sums.at(-1) ?? 0) + (typesetter.partWidth(part, weight) * size) / 1_000;
    sums.push(sum);
    if (sum > 2 * maxWidth) break;
  }
  let [low, high] = [0, parts.length + 1];
  let scale = 1;
  const isRoomFor = (count: number): boolean => (sums[count] ?? Infinity) * scale <= maxWidth;
  do {
    let guess = low + 1;
    while (guess + 1 < high && isRoomFor(guess + 1)) guess += 1;
    const width = typesetter.width(lineOf(guess), weight, size);
    scale = width / (sums[guess] || Infinity);
    if (width <= maxWidth) low = guess;
    else high = guess;
  } while (high - low > 1 && (low === 0 || isRoomFor(low + 1) || !isRoomFor(low)));
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
  const place = { typesetter, weight, size, maxWidth };
  const fits = (line: string): boolean => typesetter.width(line, weight, size) <= maxWidth;
  if (typesetter.isSet(text, weight) && fits(text)) return { lines: [text.trim()], isCut };
  const lines: string[] = [];
  for (let rest = splitGraphemes(text); ;) {
    const fitting = countFitting(rest, (count) => rest.slice(0, count).join(''), place);
    if (fitting === rest.length) return { lines: [...lines, rest.join('').trim()], isCut };
    if (lines.length === maxLines - 1) {
      const suffix = (count: number): string =>
        `…${rest
          .slice(rest.length - count)
          .join('')
          .trimStart()}`;
      return { lines: [...lines, suffix(countFitting(rest.toReversed(), suffix, place))], isCut: true };
    }
    const end = endOfLine(rest, Math.max(1, fitting), maxLines - lines.length, fits);
    lines.push(rest.slice(0, end).join('').trim());
    rest = rest.slice(end);
  }
}

/** Longest text that names a driver or a vehicle, in UTF-16 units; a longer one is no name, and dear to draw. */
const MAX_NAME = 64;
/** Bytes of UTF-8 that are left of a longer one at its beginning and at its end: letters with more are dearer. */
const KEPT_OF_LONGER = 12;

/** Returns the printable form of a name, a code or an id; one that is longer than any real one loses its middle. */
export function shownName(value: string): string {
  const text = cleanText(value);
  if (text.length <= MAX_NAME) return text;
  const beginning = (parts: readonly string[]): readonly string[] => {
    let bytes = 0;
    return parts.slice(
      0,
      parts.findIndex((part) => (bytes += Buffer.byteLength(part)) > KEPT_OF_LONGER),
    );
  };
  const parts = splitGraphemes(text);
  return `${beginning(parts).join('')}…${beginning(parts.toReversed()).toReversed().join('')}`;
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

/** Breaks as late as `maxParts` allows, or near the middle if only a few characters would remain. */
function endOfLine(
  parts: readonly string[],
  maxParts: number,
  linesLeft: number,
  fits: (line: string) => boolean,
): number {
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
function breakBefore(parts: readonly string[], end: number, fits: (line: string) => boolean): number {
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
