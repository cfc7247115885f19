import {
  getNullableType,
  GraphQLError,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  type GraphQLInputType,
} from 'graphql';
import { GatewayError, type FieldFault } from '../../errors.js';
import { argumentsOf, type GivenVariables } from '../execution/variable-faults.js';

/** Limit of entries for lists outside jobs: tags and filters. */
const MAX_ENTRIES = 1_000;

/** Limits of entries of jobs. */
export interface ListLimits {
  readonly bulkItems: number;
  readonly reportDrivers: number;
}

interface LongList {
  readonly path: FieldFault['path'];
  readonly length: number;
}

/**
 * Finds a list in the variables of an operation that exceeds every limit. Checks only lengths, before entries are
 * validated, coerced or copied, and once for all fields that receive the list. The bounds of each field are checked
 * later, behind authentication.
 */
export function findLongList(
  given: GivenVariables,
  { bulkItems, reportDrivers }: ListLimits,
): GraphQLError | undefined {
  const { schema, operation, values } = given;
  const limit = Math.max(bulkItems, reportDrivers, MAX_ENTRIES);
  for (const { variable, type: typeNode } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    const found = isInputType(type) ? longListIn(type, values[name], limit) : undefined;
    if (found === undefined) continue;
    const path = [...(argumentsOf(given).get(name) ?? [name]), ...found.path];
    const parts = { found: found.length, limit, variables: 'BULK_MAX_ITEMS, REPORT_MAX_DRIVERS' };
    const fields = [{ path, message: `must be a list of at most ${limit} entries` }];
    const originalError = new GatewayError('TooManyEntries', parts, { fields });
    return new GraphQLError(originalError.message, { originalError });
  }
  return undefined;
}

function longListIn(declared: GraphQLInputType, value: unknown, max: number): LongList | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const type: GraphQLInputType = getNullableType(declared);
  if (isListType(type)) {
    if (!Array.isArray(value)) return longListIn(type.ofType, value, max);
    if (value.length > max) return { path: [], length: value.length };
    return holdsLists(type.ofType) ? firstIn(value, type.ofType, max) : undefined;
  }
  if (!isInputObjectType(type)) return undefined;
  for (const { name, type: fieldType } of Object.values(type.getFields())) {
    const found = longListIn(fieldType, Reflect.get(value, name), max);
    if (found !== undefined) return { path: [name, ...found.path], length: found.length };
  }
  return undefined;
}

function firstIn(list: readonly unknown[], type: GraphQLInputType, max: number): LongList | undefined {
  for (const [index, entry] of list.entries()) {
    const found = longListIn(type, entry, max);
    if (found !== undefined) return { path: [index, ...found.path], length: found.length };
  }
  return undefined;
}

/** Returns true if values of a type may contain lists; lists in scalars are not checked. */
function holdsLists(declared: GraphQLInputType): boolean {
  const type = getNullableType(declared);
  return isListType(type) || isInputObjectType(type);
}
