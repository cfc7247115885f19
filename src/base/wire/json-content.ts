/** Parses JSON; undefined if it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true if headers declare JSON without content encoding. */
export function isJsonContent(contentType: string, contentEncoding: string): boolean {
  const [mediaType = ''] = contentType.split(';', 1);
  return mediaType.trim().toLowerCase() === 'application/json' && isUnencoded(contentEncoding);
}

/** Returns true for content without encoding (RFC 9110, section 8.4: `identity` has no effect). */
export function isUnencoded(contentEncoding: string): boolean {
  const codings = contentEncoding === '' ? [] : contentEncoding.split(',');
  return codings.every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()));
}

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
