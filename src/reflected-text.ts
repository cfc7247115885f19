/** Longest text that repeats something a caller sent, in characters: about a line. */
const MAX_LINE = 240;

/** Characters of each end that are kept of a longer one: what it is about, and what is wrong with it. */
const KEPT = 110;

/** A text that may repeat what a caller sent, as one line: its middle is left out where it is longer. */
export function toLine(text: string): string {
  const cut = text.length > MAX_LINE ? `${text.slice(0, KEPT)} … ${text.slice(-KEPT)}` : text;
  // A character may have been cut in two.
  return cut.toWellFormed();
}
