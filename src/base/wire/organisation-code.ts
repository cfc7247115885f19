/** Name of the header that carries an organisation code. */
export const ORG_HEADER = 'x-org-id';

/** Longest organisation code in characters (code points). */
const MAX_CHARACTERS = 256;

/** Longest percent-encoded code in bytes, as part of object keys, which are limited to 1,024 bytes. */
const MAX_ENCODED_BYTES = 512;

/**
 * Returns true for a valid organisation code: well-formed Unicode of 1 to 256 characters, not blank, at most 512 bytes
 * as written by `encodeURIComponent` with `.` as `%2E`.
 */
export function isOrganisationCode(value: unknown): value is string {
  // Texts with different lone surrogates would become the same key.
  if (typeof value !== 'string' || value.trim() === '' || !value.isWellFormed()) return false;
  if (value.length > MAX_ENCODED_BYTES || Array.from(value).length > MAX_CHARACTERS) return false;
  return encodeURIComponent(value).replaceAll('.', '%2E').length <= MAX_ENCODED_BYTES;
}

/**
 * Encodes an organisation code as a header value. Header values are Latin-1 at best (RFC 9110 section 5.5), so all but
 * unreserved characters become percent-encoded UTF-8.
 */
export function encodeOrgHeader(org: string): string {
  return encodeURIComponent(org);
}
