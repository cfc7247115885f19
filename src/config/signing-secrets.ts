import { listOf } from './variable.js';

/** Secrets that sign callbacks, 24 to 64 bytes each. */
export type SigningSecrets = readonly [Uint8Array, ...Uint8Array[]];

/** Lengths required by Standard Webhooks, in bytes ("Signature scheme"). */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * Parses one or two secrets, each `whsec_` and base64, separated by a comma.
 *
 * @returns undefined if invalid
 */
export function parseSigningSecrets(text: string): SigningSecrets | undefined {
  const secrets = listOf(text).map(parseSecret);
  const [first, ...rest] = secrets.filter((secret) => secret !== undefined);
  const allValid = rest.length + 1 === secrets.length && rest.length <= 1;
  return first === undefined || !allValid ? undefined : [first, ...rest];
}

function parseSecret(text: string): Uint8Array | undefined {
  const base64 = SECRET.exec(text)?.[1] ?? '';
  const secret = Buffer.from(base64, 'base64');
  // Any other text with the same bytes was truncated or mistyped.
  if (secret.toString('base64') !== base64) return undefined;
  return secret.length >= MIN_BYTES && secret.length <= MAX_BYTES ? secret : undefined;
}
