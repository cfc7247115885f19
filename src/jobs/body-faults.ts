import type { ValidateFunction } from 'ajv';

/** One fault of a request body. */
export interface BodyFault {
  /** JSON pointer into the body (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/** Deepest nesting of a body; what the specification names needs four levels. */
const MAX_DEPTH = 64;

/**
 * Finds what JSON may hold but no job can carry: numbers that are no IEEE 754 double (RFC 7493, section 2.2),
 * which have no canonical form, and nesting that would exhaust the stack.
 */
export function findJsonFault(value: unknown): BodyFault | undefined {
  const found = walk(value, 0);
  return found && { path: found.names.reverse().map(pointerToken).join(''), message: found.message };
}

/** Names from the fault outwards: a path is built for a fault alone, never for what is right. */
interface Found {
  readonly names: string[];
  readonly message: string;
}

function walk(value: unknown, depth: number): Found | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return { names: [], message: 'must be a smaller number' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return { names: [], message: `must not be nested deeper than ${MAX_DEPTH} levels` };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = walk(value[index], depth + 1);
      if (found !== undefined) return named(found, String(index));
    }
    return undefined;
  }
  for (const [name, entry] of Object.entries(value)) {
    const found = walk(entry, depth + 1);
    if (found !== undefined) return named(found, name);
  }
  return undefined;
}

function named(found: Found, name: string): Found {
  found.names.push(name);
  return found;
}

/** A name as part of a JSON pointer (RFC 6901, section 3). */
function pointerToken(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What a generated validator found, for people. */
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
