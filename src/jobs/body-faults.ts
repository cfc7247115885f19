import type { ValidateFunction } from 'ajv';
import { MAX_FAULTS, toLine } from '../errors.js';

export interface BodyFault {
  /** JSON pointer into the body (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/** Maximum nesting of a body. The specification needs four levels. */
const MAX_DEPTH = 64;

const ILL_FORMED = 'must be well-formed Unicode text, without half of a surrogate pair';
const INEXACT = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}; numbers beyond are not exact`;

export interface JsonFault {
  /** Names and indexes that lead to the faulty value. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Finds JSON that neither a job nor a backend can carry (RFC 7493, sections 2.1 and 2.2): numbers beyond an IEEE 754
 * double, integers that were rounded to one, text with half a surrogate pair, which has no encoding, and nesting that
 * would exhaust the stack. Stops at {@link MAX_FAULTS}.
 */
export function findJsonFaults(value: unknown): readonly JsonFault[] {
  const found: Found[] = [];
  walk(value, 0, found);
  return found.map(({ names, message }) => ({ path: names.reverse(), message }));
}

/** Writes the place of a fault as a JSON pointer. */
export function bodyFault({ path, message }: JsonFault): BodyFault {
  return { path: toLine(path.map((key) => pointerToken(String(key))).join('')), message };
}

/** Fault with its names from the inside out, so that only a fault pays for building a path. */
interface Found {
  readonly names: (string | number)[];
  readonly message: string;
}

function walk(value: unknown, depth: number, found: Found[]): void {
  if (typeof value === 'number') noteNumber(value, found);
  else if (typeof value === 'string') {
    if (!value.isWellFormed()) found.push({ names: [], message: ILL_FORMED });
  } else if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH) found.push({ names: [], message: `must not be nested deeper than ${MAX_DEPTH} levels` });
    else if (Array.isArray(value)) walkList(value, depth, found);
    else walkObject(value, depth, found);
  }
}

function walkList(list: readonly unknown[], depth: number, found: Found[]): void {
  for (let index = 0; index < list.length && found.length < MAX_FAULTS; index += 1) {
    const entry = list[index];
    // This is a fast path for long lists of ids, for which calls take most of the time.
    if (Number.isSafeInteger(entry)) continue;
    const before = found.length;
    walk(entry, depth + 1, found);
    name(found, before, index);
  }
}

function walkObject(value: object, depth: number, found: Found[]): void {
  for (const [key, entry] of Object.entries(value)) {
    if (found.length === MAX_FAULTS) return;
    const before = found.length;
    if (key.isWellFormed()) walk(entry, depth + 1, found);
    else found.push({ names: [], message: `as a name ${ILL_FORMED}` });
    name(found, before, key);
  }
}

function name(found: readonly Found[], from: number, key: string | number): void {
  for (let at = from; at < found.length; at += 1) found[at]?.names.push(key);
}

/** Notes a number that is not exact. An integer from 2⁵³ on may have been rounded from another one. */
function noteNumber(value: number, found: Found[]): void {
  if (!Number.isFinite(value)) found.push({ names: [], message: 'must be a smaller number' });
  else if (Number.isInteger(value) && !Number.isSafeInteger(value)) found.push({ names: [], message: INEXACT });
}

/** Returns a name as part of a JSON pointer (RFC 6901, section 3). */
function pointerToken(name: string): string {
  return `/${name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Converts the errors of a generated validator to readable faults, one for each place. */
export function validationFaults(validate: ValidateFunction): readonly BodyFault[] {
  const faults = new Map<string, BodyFault>();
  for (const { instancePath, keyword, params, parentSchema, message } of validate.errors ?? []) {
    const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined;
    const own: unknown = parentSchema?.['x-message'];
    const path = typeof missing === 'string' ? `${instancePath}/${missing}` : instancePath;
    if (faults.has(path)) continue;
    const text = typeof missing === 'string' ? 'is required' : typeof own === 'string' ? own : message;
    faults.set(path, { path, message: text ?? 'is not valid' });
  }
  return [...faults.values()].slice(0, MAX_FAULTS);
}
