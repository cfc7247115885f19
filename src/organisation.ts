/** Name of the header that carries an organisation code. */
export const ORG_HEADER = 'x-org-id';

/**
 * Organisation code as a header value. Header values are Latin-1 at best (RFC 9110 section 5.5), so a code
 * with anything but unreserved characters is percent-encoded UTF-8.
 */
export function encodeOrgHeader(org: string): string {
  return encodeURIComponent(org);
}

/**
 * Organisation code of a header value: percent-encoded when it contains `%`, literal otherwise.
 *
 * @returns undefined when the value is not valid percent-encoding
 */
export function decodeOrgHeader(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
