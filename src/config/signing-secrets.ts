import { listOf } from './variable.js';

/** What callbacks are signed with, 24 to 64 bytes each. */
export type SigningSecrets = readonly [Uint8Array, ...Uint8Array[]];

/** Lengths that Standard Webhooks asks for, in bytes ("Signature scheme"). */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * Reads one or two secrets, each `whsec_` and base64, separated by a comma.
 *
 * @returns undefined when the text is anything else
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
  // Whatever else decodes to the same bytes was cut off or mistyped.
  if (secret.toString('base64') !== base64) return undefined;
  return secret.length >= MIN_BYTES && secret.length <= MAX_BYTES ? secret : undefined;
}
