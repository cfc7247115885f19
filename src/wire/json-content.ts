/** Why a body that {@link isJsonContent} does not take is refused, for its sender. */
export const NOT_JSON_CONTENT = 'Content-Type must be application/json, without Content-Encoding.';

/** Whether a request says that its content is JSON, sent as it is. */
export function isJsonContent(contentType: string, contentEncoding: string): boolean {
  return mediaTypeOf(contentType) === 'application/json' && isUnencoded(contentEncoding);
}

/** Whether content is sent as it is (RFC 9110, section 8.4: `identity` says nothing). */
export function isUnencoded(contentEncoding: string): boolean {
  return (
    contentEncoding === '' ||
    contentEncoding.split(',').every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))
  );
}

/** A media type without its parameters, in lower case. */
function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
