/**
 * Returns the number of an identifier that the SDL has as `ID`, and REST bodies as an integer.
 *
 * @param text decimal digits without a leading zero, up to 2⁵³ - 1, which every JSON parser reads exactly (RFC 7493,
 *   section 2.2)
 * @returns undefined for any other text
 */
export function identifierIn(text: string): number | undefined {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
