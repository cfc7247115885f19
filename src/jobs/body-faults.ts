import type { ValidateFunction } from 'ajv';
import { MAX_FAULTS, toLine } from '../errors.js';

export interface BodyFault {
  /** JSON pointer into the body (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/** Names of the members of a value, or of the entries of a list; null where any JSON may stand. */
export type Members = { readonly [Name in string]?: Members } | null;

/** Maximum number of members of an object that the specification does not know. They are ignored. */
const MAX_UNKNOWN = 64;
const TOO_MANY = `must have at most ${MAX_UNKNOWN} members that are not known here`;

/** Maximum nesting of a body. The specification needs four levels. */
const MAX_DEPTH = 64;
const TOO_DEEP = `must not be nested deeper than ${MAX_DEPTH} levels`;

const ILL_FORMED = 'must be well-formed Unicode text, without half of a surrogate pair';
const INEXACT = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}; numbers beyond are not exact`;

export interface JsonFault {
  /** Names and indexes that lead to the faulty value. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Finds JSON that neither a job nor a backend can carry (RFC 7493, sections 2.1 and 2.2): numbers beyond an IEEE 754
 * double, integers that were rounded to one, text with half a surrogate pair, which has no encoding, nesting that would
 * exhaust the stack, and too many members that are not known. Stops at {@link MAX_FAULTS}.
 */
export function findJsonFaults(value: unknown, known: Members = null): readonly JsonFault[] {
  const found: JsonFault[] = [];
  const path: (string | number)[] = [];
  const fault = (message: string): void => void found.push({ path: [...path], message });

  function walk(inside: unknown, members: Members): void {
    if (Array.isArray(inside)) {
      if (path.length === MAX_DEPTH) fault(TOO_DEEP);
      else walkList(inside, members);
    } else if (typeof inside === 'number') {
      if (!Number.isFinite(inside)) fault('must be a smaller number');
      // An integer from 2⁵³ on may have been rounded from another one.
      else if (Number.isInteger(inside) && !Number.isSafeInteger(inside)) fault(INEXACT);
    } else if (typeof inside === 'string') {
      if (!inside.isWellFormed()) fault(ILL_FORMED);
    } else if (typeof inside === 'object' && inside !== null) {
      if (path.length === MAX_DEPTH) fault(TOO_DEEP);
      else walkObject(inside, members);
    }
  }

  function walkList(list: readonly unknown[], members: Members): void {
    for (let index = 0; index < list.length && found.length < MAX_FAULTS; index += 1) {
      const entry = list[index];
      // This is a fast path for long lists, for which paths take most of the time.
      if (isPlain(entry)) continue;
      path.push(index);
      walk(entry, members);
      path.pop();
    }
  }

  function walkObject(object: object, members: Members): void {
    let unknown = 0;
    for (const key in object) {
      if (found.length === MAX_FAULTS) return;
      const inside = members === null ? null : Object.hasOwn(members, key) ? members[key] : undefined;
      if (inside === undefined) unknown += 1;
      if (unknown > MAX_UNKNOWN) {
        fault(TOO_MANY);
        return;
      }
      const entry: unknown = Reflect.get(object, key);
      if (isPlain(entry) && key.isWellFormed()) continue;
      path.push(key);
      if (key.isWellFormed()) walk(entry, inside === undefined ? {} : inside);
      else fault(`as a name ${ILL_FORMED}`);
      path.pop();
    }
  }

  walk(value, known);
  return found;
}

/** Returns true for a number without a fault, a truth value and null. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'number') return value === null || typeof value === 'boolean';
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

/** Writes the place of a fault as a JSON pointer. */
export function bodyFault({ path, message }: JsonFault): BodyFault {
  return { path: toLine(path.map((key) => pointerToken(String(key))).join('')), message };
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
