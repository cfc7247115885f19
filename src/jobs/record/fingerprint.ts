import canonicalize from 'canonicalize';
import type { KeyRing } from '../../base/config/key-ring.js';
import type { JobIdentity } from './job-record.js';
import { isObject } from './stored-fields.js';
import { yieldToEventLoop } from '../../base/waits.js';

/** Retention of the outcome of a job that came without an id, in milliseconds: long enough for a redelivery. */
export const DERIVED_ID_RETENTION_MS = 10 * 60 * 1000;

type NonEmpty<T> = readonly [T, ...T[]];

/** Time for which a large body is processed before an event loop yield, in milliseconds. */
const SLICE_MS = 2;

/**
 * Returns fingerprints of a request body: HMAC-SHA-256 over its canonical JSON (RFC 8785). A plain hash would not do,
 * because the body may hold a short password, which could be guessed. There is one for each valid key, the current key
 * first.
 */
export async function fingerprintsOf(keyRing: KeyRing, body: unknown): Promise<NonEmpty<string>> {
  const [current, ...others] = await signCanonical(keyRing, body);
  return [joinFingerprint(current), ...others.map(joinFingerprint)];
}

/**
 * Returns ids for a job that came without an id. They derive from its kind, organisation and body, so that a second
 * delivery is recognised. There is one for each valid key, with its name, the current key first.
 */
export async function derivedJobIds(
  keyRing: KeyRing,
  { kind, org, body }: Pick<JobIdentity, 'kind' | 'org'> & { readonly body: unknown },
): Promise<NonEmpty<{ readonly kid: string; readonly jobId: string }>> {
  const [current, ...others] = await signCanonical(keyRing, [kind, org ?? null, body]);
  const idOf = ({ kid, mac }: Signature) => ({ kid, jobId: mac });
  return [idOf(current), ...others.map(idOf)];
}

/** Parts of a fingerprint `kid.mac`, which records store separately. */
interface FingerprintParts {
  readonly kid?: string | undefined;
  readonly mac: string;
}

type Signature = FingerprintParts & { readonly kid: string };

export function joinFingerprint({ kid, mac }: FingerprintParts): string {
  return kid === undefined ? mac : `${kid}.${mac}`;
}

export function splitFingerprint(fingerprint: string): FingerprintParts {
  const dot = fingerprint.indexOf('.');
  return dot < 0 ? { mac: fingerprint } : { kid: fingerprint.slice(0, dot), mac: fingerprint.slice(dot + 1) };
}

/** Returns true if none of the other fingerprints has the same key, so that they cannot be compared. */
export function isOfUnknownKey(fingerprint: string, others: readonly string[]): boolean {
  const { kid } = splitFingerprint(fingerprint);
  return kid !== undefined && !others.some((other) => splitFingerprint(other).kid === kid);
}

/** Returns false if two fingerprints of the same key differ, so that they are of two bodies. */
export function mayBeOfBody(fingerprint: string, other: string): boolean {
  return fingerprint === other || splitFingerprint(fingerprint).kid !== splitFingerprint(other).kid;
}

async function signCanonical(keyRing: KeyRing, value: unknown): Promise<NonEmpty<Signature>> {
  const signature = keyRing.startSignature('job-fingerprint');
  let sliceEnd = performance.now() + SLICE_MS;
  let gathered = '';
  for (const piece of canonicalPieces(value)) {
    gathered += piece;
    if (gathered.length >= GATHERED_CHARACTERS) {
      signature.update(gathered);
      gathered = '';
    } else if (piece !== EMPTY_PIECE) continue;
    if (performance.now() < sliceEnd) continue;
    await yieldToEventLoop();
    sliceEnd = performance.now() + SLICE_MS;
  }
  signature.update(gathered);
  const [mac, ...others] = signature.end();
  const [{ kid }, ...otherKeys] = keyRing.for('job-fingerprint');
  return [{ kid, mac }, ...otherKeys.map((key, index) => ({ kid: key.kid, mac: others[index] ?? '' }))];
}

/** Number of characters hashed at a time: hashing each name and each number by itself takes ten times as long. */
const GATHERED_CHARACTERS = 16 * 1024;

/** Values in a piece, which are written without a yield. */
const PIECE_VALUES = 1_024;

/** Empty piece, yielded after a step that took long. */
const EMPTY_PIECE = '';

/**
 * Yields the canonical JSON of a value in pieces. `canonicalize` would return the same text, but block the event loop
 * meanwhile. The nesting of a body is bounded by `findJsonFaults`; each level passes on every piece of those below it,
 * so what is small is written as one.
 */
function* canonicalPieces(value: unknown): Generator<string, void> {
  if (!isObject(value) || valuesLeft(value, PIECE_VALUES) > 0) {
    yield pieceOf(value);
    return;
  }
  const isList = Array.isArray(value);
  // Canonical order is that of UTF-16 code units, like sort() (RFC 8785, section 3.2.3). For a hundred thousand names,
  // listing and sorting each take as long as parsing.
  const names = Object.keys(value);
  yield EMPTY_PIECE;
  if (!isList) names.sort();
  yield EMPTY_PIECE;
  let text = isList ? '[' : '{';
  let separator = '';
  for (const name of names) {
    const entry: unknown = Reflect.get(value, name);
    if (entry === undefined) continue;
    text += `${separator}${isList ? '' : `${JSON.stringify(name)}:`}`;
    separator = ',';
    if (isObject(entry)) {
      for (const piece of canonicalPieces(entry)) {
        text += piece;
        if (text.length < GATHERED_CHARACTERS) continue;
        yield text;
        text = '';
      }
    } else text += pieceOf(entry);
    if (text.length < GATHERED_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield `${text}${isList ? ']' : '}'}`;
}

/** Counts values down, as far as zero. */
function valuesLeft(value: unknown, left: number): number {
  if (!isObject(value)) return left - 1;
  let rest = left - 1;
  for (const name in value) {
    if (rest <= 0) return rest;
    rest = valuesLeft(value[name], rest);
  }
  return rest;
}

function pieceOf(value: unknown): string {
  return canonicalize(value) ?? '';
}
