import canonicalize from 'canonicalize';
import type { KeyRing } from '../config/key-ring.js';
import { joinFingerprint, type FingerprintParts } from './fingerprint-key.js';
import type { JobKind } from './job-kinds.js';
import { turn } from '../turn.js';

/** How long the outcome of a job without an id of its own is kept: it only bridges a redelivery. */
export const DERIVED_ID_RETENTION_MS = 10 * 60 * 1000;

type NonEmpty<T> = readonly [T, ...T[]];

/** How long a large body is worked on before others get their turn, in milliseconds. */
const SLICE_MS = 2;

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
  let gathered = '';
  for (const piece of canonicalPieces(value)) {
    gathered += piece;
    if (gathered.length >= GATHERED_CHARACTERS) {
      signature.update(gathered);
      gathered = '';
    } else if (piece !== PAUSE) continue;
    if (performance.now() < sliceEnd) continue;
    await turn();
    sliceEnd = performance.now() + SLICE_MS;
  }
  signature.update(gathered);
  const [current, ...others] = signature.end();
  const [{ kid }, ...otherKeys] = keyRing.for('job-fingerprint');
  return [{ kid, mac: current }, ...otherKeys.map((key, index) => ({ kid: key.kid, mac: others[index] ?? '' }))];
}

/** Characters that are hashed at a time: hashing each name and each number by itself takes ten times as long. */
const GATHERED_CHARACTERS = 16 * 1024;

/** Entries that a piece has at most. */
const PIECE_ENTRIES = 1_024;

/** Nothing to be written: what was done took its time. */
const PAUSE = '';

/** A list or an object of which a part has been written. */
interface Opened {
  readonly entries: readonly unknown[];
  /** The object whose names, in canonical order, the entries are; undefined of a list. */
  readonly object: object | undefined;
  next: number;
}

/**
 * The canonical JSON of a value in small pieces; joined, they are what `canonicalize` makes of the whole, which would
 * hold up everybody else for as long as it takes.
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

/** Undefined when a value is written as one piece: it has few entries, and none of them has entries itself. */
function* open(value: unknown): Generator<string, Opened | undefined> {
  if (!isContainer(value)) return undefined;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return isLarge(list) || list.some(isContainer) ? { entries: list, object: undefined, next: 0 } : undefined;
  }
  const names = Object.keys(value);
  if (!isLarge(names) && !names.some((name) => isContainer(Reflect.get(value, name)))) return undefined;
  // Of a hundred thousand names, to list them and to sort them each take as long as to parse them.
  if (isLarge(names)) yield PAUSE;
  // Canonical order is that of UTF-16 code units, as sort() has it (RFC 8785, section 3.2.3).
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

/** The long lists are lists of ids. */
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
