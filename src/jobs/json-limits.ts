import type { BodyFault } from './body-fault.js';

/** Deepest nesting of a body; what the specification names needs four levels. */
const DEEPEST = 64;

/**
 * Finds what JSON may hold but no job can carry: numbers that are no IEEE 754 double (RFC 7493, section 2.2),
 * which have no canonical form, and nesting that would exhaust the stack.
 */
export function findJsonFault(value: unknown, path = '', depth = 0): BodyFault | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return { path, message: 'must be a smaller number' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEEPEST) return { path, message: `must not be nested deeper than ${DEEPEST} levels` };
  for (const [name, entry] of Object.entries(value)) {
    const fault = findJsonFault(entry, `${path}/${escapeToken(name)}`, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A name as part of a JSON pointer (RFC 6901, section 3). */
function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
