/** Name of the header that carries an organisation code. */
export const ORG_HEADER = 'x-org-id';

/** Longest organisation code in characters (code points). */
const MAX_CHARACTERS = 256;

/** The same percent-encoded, as a part of object keys, which hold 1,024 bytes in all. */
const MAX_ENCODED_BYTES = 512;

/**
 * The one rule for what an organisation code may be, wherever one comes from: well-formed Unicode of 1 to 256
 * characters, not blank, at most 512 bytes as `encodeURIComponent` with `.` as `%2E` writes it.
 */
export function isOrganisationCode(value: unknown): value is string {
  // Broken text (a lone surrogate) could not be told from other broken text in a key.
  if (typeof value !== 'string' || value.trim() === '' || !value.isWellFormed()) return false;
  if (value.length > MAX_ENCODED_BYTES || Array.from(value).length > MAX_CHARACTERS) return false;
  return encodeURIComponent(value).replaceAll('.', '%2E').length <= MAX_ENCODED_BYTES;
}

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
