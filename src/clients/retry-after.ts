/**
 * Parses a `Retry-After` header (RFC 9110 section 10.2.3): seconds or an HTTP date.
 *
 * @param header null when absent
 * @param now milliseconds since 1970
 * @returns milliseconds to wait, 0 or more; undefined when the header is absent or malformed
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // The date parser also takes bare numbers such as "-1" or "1.5" for dates; HTTP dates start with a day.
  const at = /^[A-Z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
