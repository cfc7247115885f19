/** Maximum length of a key in S3, in bytes of UTF-8. */
const MAX_KEY_BYTES = 1_024;

/** Form of most keys, which needs no further check. */
const PLAIN_KEY = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/**
 * Splits an object key into its segments.
 *
 * @returns one or more non-empty segments, none of them `.` or `..`
 * @throws {TypeError} as {@link requireObjectKey}
 */
export function parseObjectKey(key: string): readonly string[] {
  requireObjectKey(key);
  return key.split('/');
}

/**
 * @throws {TypeError} if the key is not a relative path of segments, none of them empty, `.` or `..`, if it holds a
 *   backslash, a control character or a lone surrogate, or if it is longer than 1,024 bytes
 */
export function requireObjectKey(key: string): void {
  if (key.length <= MAX_KEY_BYTES && PLAIN_KEY.test(key)) return;
  const fault = faultOf(key, key.split('/'));
  if (fault !== undefined) throw new TypeError(`Object key ${JSON.stringify(key.slice(0, 200))} ${fault}.`);
}

function faultOf(key: string, segments: readonly string[]): string | undefined {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} bytes`;
  if (/[\\\p{Cc}\p{Cs}]/u.test(key)) return 'holds a backslash, a control character or half a character';
  if (segments.includes('')) return 'is empty, absolute, or has an empty segment';
  if (segments.includes('.') || segments.includes('..')) return 'has a segment . or ..';
  return undefined;
}
