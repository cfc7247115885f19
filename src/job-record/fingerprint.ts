import canonicalize from 'canonicalize';
import type { KeyRing } from '../config/key-ring.js';
import { joinFingerprint, type FingerprintParts } from './fingerprint-key.js';
import type { JobKind } from './job-kinds.js';
import { yieldToEventLoop } from '../waits.js';

/** Retention of the outcome of a job without an id of its own, in milliseconds: it only bridges a redelivery. */
export const DERIVED_ID_RETENTION_MS = 10 * 60 * 1000;

type NonEmpty<T> = readonly [T, ...T[]];

/** Time for which a large body is processed before an event loop yield, in milliseconds. */
const SLICE_MS = 2;

/**
 * Returns fingerprints of a request body: HMAC-SHA-256 over its canonical JSON (RFC 8785), because bodies hold
 * passwords and a plain hash of a short one could be guessed. One per valid key, the current key's first; behind them
 * the same in the format of earlier builds, without the name of the key.
 */
export async function fingerprintsOf(keyRing: KeyRing, body: unknown): Promise<NonEmpty<string>> {
  const [current, ...others] = await signCanonical(keyRing, body);
  const all = [current, ...others];
  return [joinFingerprint(current), ...others.map(joinFingerprint), ...all.map(({ mac }) => mac)];
}

/** Id derived from content, and the name of its key. */
export interface DerivedJobId {
  readonly kid: string;
  readonly jobId: string;
}

/**
 * Returns ids for a job without one, derived from its kind, organisation and body, so that a second delivery is
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
  let gathered = '';
  for (const piece of canonicalPieces(value)) {
    gathered += piece;
    if (gathered.length >= GATHERED_CHARACTERS) {
      signature.update(gathered);
      gathered = '';
    } else if (piece !== PAUSE) continue;
    if (performance.now() < sliceEnd) continue;
    await yieldToEventLoop();
    sliceEnd = performance.now() + SLICE_MS;
  }
  signature.update(gathered);
  const [current, ...others] = signature.end();
  const [{ kid }, ...otherKeys] = keyRing.for('job-fingerprint');
  return [{ kid, mac: current }, ...otherKeys.map((key, index) => ({ kid: key.kid, mac: others[index] ?? '' }))];
}

/** Number of characters hashed at a time: hashing each name and each number by itself takes ten times as long. */
const GATHERED_CHARACTERS = 16 * 1024;

/** Maximum number of entries of a piece. */
const PIECE_ENTRIES = 1_024;

/** Empty piece after a step that took long. */
const PAUSE = '';

/** Partly written list or object. */
interface Opened {
  readonly entries: readonly unknown[];
  /** Object whose names, in canonical order, are the entries; undefined for a list. */
  readonly object: object | undefined;
  next: number;
}

/**
 * Yields the canonical JSON of a value in small pieces; joined, they equal the output of `canonicalize`, which would
 * block the event loop for its whole duration.
 */
function* canonicalPieces(root: unknown): Generator<string> {
  const opened: Opened[] = [];
  let value = root;
  for (;;) {
    if (isNumbers(value)) yield* piecesOfNumbers(value);
    else {
      const container = yield* open(value);
      if (container === undefined) yield canonicalize(value) ?? '';
      else {
        opened.push(container);
        yield container.object ? '{' : '[';
      }
    }
    let within = opened.at(-1);
    for (; within?.next === within?.entries.length; within = opened.at(-1)) {
      if (within === undefined) return;
      yield within.object ? '}' : ']';
      opened.pop();
    }
    if (within === undefined) return;
    const { entries, object, next } = within;
    const separator = next === 0 ? '' : ',';
    const entry = entries[next];
    yield object === undefined ? separator : `${separator}${JSON.stringify(entry)}:`;
    value = object === undefined ? entry : Reflect.get(object, String(entry));
    within.next += 1;
  }
}

/** Opens a value with many or nested entries; undefined if it is written as one piece. */
function* open(value: unknown): Generator<string, Opened | undefined> {
  if (!isContainer(value)) return undefined;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return isLarge(list) || list.some(isContainer) ? { entries: list, object: undefined, next: 0 } : undefined;
  }
  const names = Object.keys(value);
  if (!isLarge(names) && !names.some((name) => isContainer(Reflect.get(value, name)))) return undefined;
  // For a hundred thousand names, listing and sorting each take as long as parsing.
  if (isLarge(names)) yield PAUSE;
  // Canonical order is that of UTF-16 code units, like sort() (RFC 8785, section 3.2.3).
  const sorted = names.filter((name) => Reflect.get(value, name) !== undefined).sort();
  if (isLarge(names)) yield PAUSE;
  return { entries: sorted, object: value, next: 0 };
}

function isLarge({ length }: readonly unknown[]): boolean {
  return length > PIECE_ENTRIES;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Long lists are lists of ids. */
function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'number');
}

function* piecesOfNumbers(list: readonly number[]): Generator<string> {
  for (let start = 0; start < list.length; start += PIECE_ENTRIES) {
    const numbers = JSON.stringify(list.slice(start, start + PIECE_ENTRIES));
    yield `${start === 0 ? '[' : ','}${numbers.slice(1, -1)}`;
  }
  yield ']';
}
