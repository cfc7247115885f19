import type { ValidateFunction } from 'ajv';
import { toLine } from '../errors.js';

/** Fault of a request body. */
export interface BodyFault {
  /** JSON pointer into the body (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/** Maximum nesting of a body; the specification needs four levels. */
const MAX_DEPTH = 64;

const ILL_FORMED = 'must be well-formed Unicode text, without half of a surrogate pair';
const INEXACT = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}; numbers beyond are not exact`;

/**
 * Finds JSON that neither a job nor a backend can carry (RFC 7493, sections 2.1 and 2.2): numbers that are no IEEE 754
 * double, integers that have been rounded to one, text with half a surrogate pair, which has no encoding, and nesting
 * that would exhaust the stack.
 */
export function findJsonFault(value: unknown): BodyFault | undefined {
  const found = walk(value, 0);
  return found && { path: toLine(found.names.reverse().map(pointerToken).join('')), message: found.message };
}

/** Fault with its names from the inside out: only a fault pays for building a path. */
interface Found {
  readonly names: string[];
  readonly message: string;
}

function walk(value: unknown, depth: number): Found | undefined {
  if (typeof value === 'number') return faultOfNumber(value);
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { names: [], message: ILL_FORMED };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return { names: [], message: `must not be nested deeper than ${MAX_DEPTH} levels` };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const entry: unknown = value[index];
      // Fast path for long lists of ids: calls take most of the time.
      if (Number.isSafeInteger(entry)) continue;
      const found = walk(entry, depth + 1);
      if (found !== undefined) return named(found, String(index));
    }
    return undefined;
  }
  for (const [name, entry] of Object.entries(value)) {
    const found = name.isWellFormed() ? walk(entry, depth + 1) : { names: [], message: `as a name ${ILL_FORMED}` };
    if (found !== undefined) return named(found, name);
  }
  return undefined;
}

/** An integer from 2⁵³ on may be rounded, so that its sender wrote another one. */
function faultOfNumber(value: number): Found | undefined {
  if (Number.isSafeInteger(value)) return undefined;
  if (!Number.isFinite(value)) return { names: [], message: 'must be a smaller number' };
  return Number.isInteger(value) ? { names: [], message: INEXACT } : undefined;
}

function named(found: Found, name: string): Found {
  found.names.push(name);
  return found;
}

/** Returns a name as part of a JSON pointer (RFC 6901, section 3). */
function pointerToken(name: string): string {
  return `/${name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Converts the errors of a generated validator to readable faults. */
export function validationFaults(validate: ValidateFunction): readonly BodyFault[] {
  return (validate.errors ?? []).map(({ instancePath, keyword, params, parentSchema, message }) => {
    const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined;
    const own: unknown = parentSchema?.['x-message'];
    return {
      path: typeof missing === 'string' ? `${instancePath}/${missing}` : instancePath,
      message:
        typeof missing === 'string' ? 'is required' : typeof own === 'string' ? own : (message ?? 'is not valid'),
    };
  });
}
