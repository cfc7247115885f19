import { setImmediate as turn } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import type { KeyRing } from '../config/key-ring.js';
import { joinFingerprint, type FingerprintParts } from './fingerprint-key.js';
import type { JobKind } from './job-kinds.js';

/** How long the outcome of a job without an id of its own is kept: it only bridges a redelivery. */
export const DERIVED_ID_RETENTION_MS = 10 * 60 * 1000;

type NonEmpty<T> = readonly [T, ...T[]];

/** How long a large body is worked on before others get their turn, in milliseconds. */
const SLICE_MS = 4;

/**
 * Fingerprints of a request body: HMAC-SHA-256 over its canonical JSON (RFC 8785), because bodies hold
 * passwords and a plain hash of a short one could be guessed. One per valid key, the current key's first; behind them
 * the same as earlier builds wrote them, without the name of the key.
 */
export async function fingerprintsOf(keyRing: KeyRing, body: unknown): Promise<NonEmpty<string>> {
  const [current, ...others] = await signCanonical(keyRing, body);
  const all = [current, ...others];
  return [joinFingerprint(current), ...others.map(joinFingerprint), ...all.map(({ mac }) => mac)];
}

/** An id made of content, and the name of the key it was made with. */
export interface DerivedJobId {
  readonly kid: string;
  readonly jobId: string;
}

/**
 * Ids for a job that came without one, made of its kind, organisation and body, so that a second delivery is
 * recognised. One per valid key, the current key's first.
 */
export async function derivedJobIds(
  keyRing: KeyRing,
  job: { readonly kind: JobKind; readonly org: string | undefined; readonly body: unknown },
): Promise<NonEmpty<DerivedJobId>> {
  const [current, ...others] = await signCanonical(keyRing, [job.kind, job.org ?? null, job.body]);
  const idOf = ({ kid, mac }: Signature): DerivedJobId => ({ kid, jobId: mac });
  return [idOf(current), ...others.map(idOf)];
}

type Signature = Required<FingerprintParts>;

async function signCanonical(keyRing: KeyRing, value: unknown): Promise<NonEmpty<Signature>> {
  const signature = keyRing.startSignature('job-fingerprint');
  let sliceEnd = performance.now() + SLICE_MS;
  for (const piece of canonicalPieces(value, PIECES_DEPTH)) {
    signature.update(piece);
    if (performance.now() < sliceEnd) continue;
    await turn();
    sliceEnd = performance.now() + SLICE_MS;
  }
  const [current, ...others] = signature.end();
  const [{ kid }, ...otherKeys] = keyRing.for('job-fingerprint');
  return [{ kid, mac: current }, ...otherKeys.map((key, index) => ({ kid: key.kid, mac: others[index] ?? '' }))];
}

/** Levels that are taken apart: a body, its list, and a job around them. What lies deeper is small. */
const PIECES_DEPTH = 3;

/** The canonical JSON of a value, item by item; joined, the pieces are what `canonicalize` makes of the whole. */
function* canonicalPieces(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield canonicalize(value) ?? '';
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ',';
      yield* canonicalPieces(item, depth - 1);
    }
    yield value.length === 0 ? '[]' : ']';
  } else {
    // Canonical order is that of UTF-16 code units, as sort() has it (RFC 8785, section 3.2.3).
    const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
    const names = entries.map(([name]) => name).sort();
    const fields = new Map(entries);
    for (const [index, name] of names.entries()) {
      yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      yield* canonicalPieces(fields.get(name), depth - 1);
    }
    yield names.length === 0 ? '{}' : '}';
  }
}
