const ZERO = 0x30;

/**
 * What `Date.parse` makes of a text: epoch milliseconds, or NaN. Readings come by hundreds and nearly all in
 * UTC to the second or millisecond: this form is read here, in a fraction of the time.
 */
export function readInstant(text: string): number {
  if (!isUtc(text)) return Date.parse(text);
  const year = twoDigitsAt(text, 0) * 100 + twoDigitsAt(text, 2);
  const month = twoDigitsAt(text, 5);
  const day = twoDigitsAt(text, 8);
  const hour = twoDigitsAt(text, 11);
  const minute = twoDigitsAt(text, 14);
  const second = twoDigitsAt(text, 17);
  const millisecond = text.length === 24 ? twoDigitsAt(text, 20) * 10 + digitAt(text, 22) : 0;
  const isRegular =
    year >= 1000 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 31 &&
    hour >= 0 &&
    hour <= 23 &&
    minute >= 0 &&
    minute <= 59 &&
    second >= 0 &&
    second <= 59 &&
    millisecond >= 0;
  return isRegular ? Date.UTC(year, month - 1, day, hour, minute, second, millisecond) : Date.parse(text);
}

/** Whether the text has the signs of `2024-05-17T08:05:00Z` or `2024-05-17T08:05:00.000Z` in their places. */
function isUtc(text: string): boolean {
  const { length } = text;
  return (
    ((length === 20 && text[19] === 'Z') || (length === 24 && text[19] === '.' && text[23] === 'Z')) &&
    text[4] === '-' &&
    text[7] === '-' &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':'
  );
}

/** NaN, which no comparison lets pass, when one of them is no digit. */
function twoDigitsAt(text: string, index: number): number {
  return digitAt(text, index) * 10 + digitAt(text, index + 1);
}

function digitAt(text: string, index: number): number {
  const digit = text.charCodeAt(index) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : NaN;
}
