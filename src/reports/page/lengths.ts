import { PAGE } from './theme.js';

/** A length as a PDF number: hundredths of a point are finer than any printer. */
export function format(value: number): string {
  return formatHundredths(Math.round(value * 100));
}

/** A whole number of hundredths of a point. */
export function formatHundredths(hundredths: number): string {
  if (hundredths < 0) return `-${formatHundredths(-hundredths)}`;
  // Whole numbers become text several times faster than fractions, and a page holds a thousand lengths.
  const whole = Math.floor(hundredths / 100);
  return `${whole}${FRACTIONS[hundredths - whole * 100] ?? ''}`;
}

/** A length in tenths of a point, which is still finer than a line is wide. */
export function formatTenths(value: number): string {
  return formatHundredths(Math.round(value * 10) * 10);
}

/** The distance from the bottom, where PDF measures from. */
export function flip(y: number): string {
  return format(PAGE.height - y);
}

const FRACTIONS = Array.from({ length: 100 }, (_, hundredths) =>
  hundredths === 0 ? '' : (hundredths / 100).toFixed(2).replace(/^0|0$/g, ''),
);
