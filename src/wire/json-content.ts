/** Returns true if headers declare JSON without content encoding. */
export function isJsonContent(contentType: string, contentEncoding: string): boolean {
  return mediaTypeOf(contentType) === 'application/json' && isUnencoded(contentEncoding);
}

/** Returns true for content without encoding (RFC 9110, section 8.4: `identity` has no effect). */
export function isUnencoded(contentEncoding: string): boolean {
  return (
    contentEncoding === '' ||
    contentEncoding.split(',').every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))
  );
}

/** Returns a media type without parameters, in lower case. */
function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
