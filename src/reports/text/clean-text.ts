export const NO_VALUE = '—';

// Matches most addresses, names and labels, which need no cleaning.
const PLAIN =
  /^(?![ \u3000])(?:[!-~\u00a1-\u00ac\u00ae-\u017f\u2010-\u2027\u25a0-\u25ff\u3001-\u3096\u30a1-\u30fe\u4e00-\u9fff]|[ \u3000](?! |$))*$/;
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
// Neither can be printed: bidirectional controls reorder the text around them, the others are invisible. Joiners and
// variation selectors stay.
const INVISIBLE = /(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
const LONE_SURROGATE = /\p{Cs}/gu;
// Normalising a CJK compatibility ideograph replaces it by another shape, which changes a person's name.
const OUTSIDE_COMPATIBILITY_IDEOGRAPHS = /[^\uf900-\ufaff\u{2f800}-\u{2fa1f}]+/gu;

/**
 * Returns the printable form of an external text: one line, composed (Unicode NFC), without control and bidirectional
 * characters. Joiners and variation selectors stay: they choose the shape of a character.
 */
export function cleanText(value: string): string {
  if (PLAIN.test(value)) return value;
  return value
    .replace(BREAKS, ' ')
    .replace(INVISIBLE, '')
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(OUTSIDE_COMPATIBILITY_IDEOGRAPHS, (part) => part.normalize('NFC'))
    .replace(/ {2,}/g, ' ')
    .trim();
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

export function splitGraphemes(text: string, limit = Infinity): string[] {
  if (PLAIN.test(text)) return text.slice(0, limit).split('');
  const parts: string[] = [];
  for (const { segment } of graphemes.segment(text)) {
    if (parts.length >= limit) break;
    parts.push(segment);
  }
  return parts;
}

/** Returns the first `limit` characters of a text, with an ellipsis if cut. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const parts = splitGraphemes(text, limit + 1);
  return parts.length <= limit ? text : `${parts.slice(0, limit - 1).join('')}…`;
}

const MAX_RECENT_TEXTS = 4_000;

/** Results by their text. It forgets all when it is full: names and addresses of a fleet come again at once. */
export class RecentTexts<Result> extends Map<string, Result> {
  override set(text: string, result: Result): this {
    if (this.size >= MAX_RECENT_TEXTS) this.clear();
    return super.set(text, result);
  }
}
