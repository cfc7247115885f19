/*
 * Format of a fingerprint: `kid.mac`. The two parts are stored separately, because earlier builds know only the second
 * one, and their records hold only that.
 */

export interface FingerprintParts {
  /** Name of the key; absent in fingerprints of earlier builds. */
  readonly kid?: string;
  readonly mac: string;
}

export function joinFingerprint({ kid, mac }: FingerprintParts): string {
  return kid === undefined ? mac : `${kid}.${mac}`;
}

export function splitFingerprint(fingerprint: string): FingerprintParts {
  const dot = fingerprint.indexOf('.');
  return dot < 0 ? { mac: fingerprint } : { kid: fingerprint.slice(0, dot), mac: fingerprint.slice(dot + 1) };
}

/** Returns true if a fingerprint's key made none of the others, so that they cannot be compared. */
export function isOfUnknownKey(fingerprint: string, others: readonly string[]): boolean {
  const { kid } = splitFingerprint(fingerprint);
  return kid !== undefined && !others.some((other) => splitFingerprint(other).kid === kid);
}
