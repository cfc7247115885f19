import type { ValidateFunction } from 'ajv';
import { isFieldReason, textOf, valueNamesOf } from '../base/error-table.js';
import { faultOf, MAX_FAULTS, toLine, type Fault, type FieldFault } from '../base/errors.js';

export interface BodyFault extends Fault {
  /** JSON pointer into the body (RFC 6901). */
  readonly path: string;
}

/** Names of the members of a value, or of the entries of a list; null where any JSON may stand. */
export type Members = { readonly [Name in string]?: Members } | null;

/** Maximum number of members of an object that the specification does not know. They are ignored. */
const MAX_UNKNOWN = 64;

/** Bounds of whole numbers that are exact. */
const EXACT = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

/** Maximum nesting of a body. The specification needs four levels. */
const MAX_DEPTH = 64;

/**
 * Finds JSON that neither a job nor a backend can carry (RFC 7493, sections 2.1 and 2.2): numbers beyond an IEEE 754
 * double, integers that were rounded to one, text with half a surrogate pair, which has no encoding, nesting that would
 * exhaust the stack, and too many members that are not known. Stops at {@link MAX_FAULTS}.
 */
export function findJsonFaults(value: unknown, known: Members = null): readonly FieldFault[] {
  // A large body has a hundred thousand of these.
  if (isPlain(value)) return [];
  const found: FieldFault[] = [];
  const path: (string | number)[] = [];
  const note = (fault: Fault): unknown => found.push({ path: [...path], ...fault });

  function walk(inside: unknown, members: Members): void {
    if (isPlain(inside)) return;
    if (typeof inside === 'number') {
      // An integer from 2⁵³ on may have been rounded from another one.
      note(Number.isFinite(inside) ? faultOf('NumberNotExact', EXACT) : faultOf('NumberTooLarge'));
    } else if (typeof inside === 'string') note(faultOf('TextIllFormed'));
    else if (typeof inside === 'object' && inside !== null) {
      if (path.length === MAX_DEPTH) note(faultOf('NestedTooDeep', { max: MAX_DEPTH }));
      else if (Array.isArray(inside)) walkList(inside, members);
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
        note(faultOf('TooManyUnknownMembers', { max: MAX_UNKNOWN }));
        return;
      }
      const entry: unknown = Reflect.get(object, key);
      if (isPlain(entry) && key.isWellFormed()) continue;
      path.push(key);
      if (key.isWellFormed()) walk(entry, inside === undefined ? {} : inside);
      else note(faultOf('NameIllFormed'));
      path.pop();
    }
  }

  walk(value, known);
  return found;
}

/** Returns true for a number or text without a fault, a truth value and null. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'number') return value === null || typeof value === 'boolean';
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

/** Writes the place of a fault as a JSON pointer (RFC 6901, section 3). */
export function bodyFault({ path, ...fault }: FieldFault): BodyFault {
  const tokens = path.map((key) => `/${String(key).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return { ...fault, path: toLine(tokens.join('')) };
}

/** Converts the errors of a generated validator to readable faults, one for each place. */
export function validationFaults(validate: ValidateFunction): readonly BodyFault[] {
  const faults = new Map<string, BodyFault>();
  for (const { instancePath, keyword, params, parentSchema = {} } of validate.errors ?? []) {
    const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined;
    const path = typeof missing === 'string' ? `${instancePath}/${missing}` : instancePath;
    if (faults.has(path)) continue;
    const fault = typeof missing === 'string' ? faultOf('Required') : ofSchema(keyword, parentSchema);
    faults.set(path, { path, ...fault });
  }
  return [...faults.values()].slice(0, MAX_FAULTS);
}

/** Returns the fault of a value that does not match a schema, whose `x-reason` is a row with its bounds as values. */
function ofSchema(keyword: string, schema: Readonly<Record<string, unknown>>): Fault {
  const { type, minimum, minLength, maximum, maxLength, maxItems, 'x-reason': own } = schema;
  const [min, max] = [Number(minimum ?? minLength), Number(maximum ?? maxLength ?? maxItems)];
  const reason = isFieldReason(own) ? own : keyword === 'type' ? 'WrongType' : 'NotValid';
  const names = valueNamesOf(reason);
  const known = Object.entries({ min, max, type: String(type) });
  const values = Object.fromEntries(known.filter(([name]) => names.includes(name)));
  return { reason, message: textOf(reason, values), values };
}
