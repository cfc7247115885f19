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
