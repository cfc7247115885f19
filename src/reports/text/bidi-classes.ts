/** Bidirectional character types (UAX #9, table 4) without controls, which `cleanText` removes. */
export type BidiClass = 'L' | 'R' | 'AL' | 'EN' | 'ES' | 'ET' | 'AN' | 'CS' | 'NSM' | 'WS' | 'ON';

/** The first that fits counts. Written as ranges, because ECMAScript has no property for these types. */
const CLASSES: readonly (readonly [BidiClass, RegExp])[] = [
  ['EN', /[0-9\u00b2\u00b3\u00b9\u06f0-\u06f9\u2070\u2074-\u2079\u2080-\u2089\u2488-\u249b\uff10-\uff19]/],
  ['AN', /[\u0600-\u0605\u0660-\u0669\u066b\u066c\u06dd\u0890\u0891\u08e2]/],
  ['ES', /[+\-\u207a\u207b\u208a\u208b\u2212\ufb29\ufe62\ufe63\uff0b\uff0d]/],
  ['CS', /[,./:\u00a0\u060c\u202f\u2044\ufe50\ufe52\ufe55\uff0c\uff0e\uff0f\uff1a]/],
  [
    'ET',
    /[#$%\u00a2-\u00a5\u00b0\u00b1\u058f\u0609\u060a\u066a\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u2030-\u2034\u20a0-\u20cf\u212e\u2213\ufe5f\ufe69\ufe6a\uff03-\uff05\uffe0\uffe1\uffe5\uffe6]/,
  ],
  ['NSM', /[\p{Mn}\p{Me}]/u],
  ['WS', /[\p{Zs}\t]/u],
  ['ON', /[\u0606\u0607\u060e\u060f\u06de\u06e9\ufd3e-\ufd4f\ufdcf\ufdfd-\ufdff]/],
  ['AL', /[\u0600-\u07bf\u0860-\u08ff\ufb50-\ufdff\ufe70-\ufefe\u{10d00}-\u{10d3f}\u{1ec70}-\u{1eeff}]/u],
  ['R', /[\u0590-\u05ff\u07c0-\u085f\ufb1d-\ufb4f\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u],
  // Signs that stand for words count as letters.
  ['L', /[\u0903-\u0dff\u2336-\u237a\u2395\u249c-\u24e9\u3005-\u3007\u3021-\u3035\u3200-\u33ff\u{1f110}-\u{1f251}]/u],
  ['ON', /[\p{P}\p{S}\p{No}]/u],
];

/** How a character behaves in text of mixed direction. */
export function bidiClass(character: string): BidiClass {
  return CLASSES.find(([, pattern]) => pattern.test(character))?.[0] ?? 'L';
}

const BRACKETS = '()[]{}«»‹›<>≤≥≪≫༺༻༼༽⁅⁆⁽⁾₍₎〈〉《》「」『』【】〔〕〖〗〘〙〚〛（）［］｛｝｢｣＜＞';
/** Of these the algorithm pairs those that enclose (Bidi_Paired_Bracket_Type); the others are mirrored alone. */
const NOT_PAIRED = new Set('«»‹›<>≤≥≪≫＜＞');
const mirrors = new Map<string, string>();
const closings = new Map<string, string>();
for (let index = 0; index < BRACKETS.length; index += 2) {
  const opening = BRACKETS.charAt(index);
  const closing = BRACKETS.charAt(index + 1);
  mirrors.set(opening, closing).set(closing, opening);
  if (!NOT_PAIRED.has(opening)) closings.set(opening, closing);
}
const closingBrackets = new Set(closings.values());

/** What a character looks like in text that runs from right to left (UAX #9, rule L4). */
export function mirrored(character: string): string {
  return mirrors.get(character) ?? character;
}

/** The bracket that closes one that opens; undefined for everything else. */
export function closingBracket(character: string): string | undefined {
  return closings.get(character);
}

/** Whether a character closes a pair of brackets. */
export function isClosingBracket(character: string): boolean {
  return closingBrackets.has(character);
}
