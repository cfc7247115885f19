/*
 * A fingerprint as text names its key: `kid.mac`. Stored are the two parts, because earlier builds know only the
 * second one, which is also all that their records hold.
 */

/** Parts of a fingerprint. */
export interface FingerprintParts {
  /** Name of the key; absent where it was made by an earlier build. */
  readonly kid?: string;
  readonly mac: string;
}

/** Puts a fingerprint together. */
export function joinFingerprint({ kid, mac }: FingerprintParts): string {
  return kid === undefined ? mac : `${kid}.${mac}`;
}

/** Takes a fingerprint apart. */
export function splitFingerprint(fingerprint: string): FingerprintParts {
  const dot = fingerprint.indexOf('.');
  return dot < 0 ? { mac: fingerprint } : { kid: fingerprint.slice(0, dot), mac: fingerprint.slice(dot + 1) };
}

/** Whether a fingerprint was made with a key that none of the others was made with, so that they cannot be compared. */
export function isOfUnknownKey(fingerprint: string, others: readonly string[]): boolean {
  const { kid } = splitFingerprint(fingerprint);
  return kid !== undefined && !others.some((other) => splitFingerprint(other).kid === kid);
}
