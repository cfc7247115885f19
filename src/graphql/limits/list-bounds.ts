import {
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';

/** Limit of entries for lists outside jobs: tags and filters. */
const MAX_ENTRIES = 1_000;

/** Limits of entries of jobs. */
export interface ListLimits {
  readonly bulkItems: number;
  readonly reportDrivers: number;
}

interface LongList {
  /** Path of names and indexes. */
  readonly place: string;
  readonly length: number;
}

/**
 * Finds a list in the variables of an operation that exceeds every limit. Checks only lengths, before entries are
 * validated, coerced or copied, and once for all fields that receive the list. The bounds of each field are checked
 * later, behind authentication.
 *
 * @returns an error message for users; undefined if no list is too long
 */
export function findLongList(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  { bulkItems, reportDrivers }: ListLimits,
): string | undefined {
  const max = Math.max(bulkItems, reportDrivers, MAX_ENTRIES);
  for (const { variable, type: typeNode } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    const found = isInputType(type) ? longListIn(type, variables[name], max) : undefined;
    if (found === undefined) continue;
    const limit = `No list may have more than ${max} (BULK_MAX_ITEMS, REPORT_MAX_DRIVERS).`;
    return `Variable "$${name}" has a list of ${found.length} entries at "${name}${found.place}". ${limit}`;
  }
  return undefined;
}

function longListIn(declared: GraphQLInputType, value: unknown, max: number): LongList | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const type: GraphQLInputType = getNullableType(declared);
  if (isListType(type)) {
    if (!Array.isArray(value)) return longListIn(type.ofType, value, max);
    if (value.length > max) return { place: '', length: value.length };
    return holdsLists(type.ofType) ? firstIn(value, type.ofType, max) : undefined;
  }
  if (!isInputObjectType(type)) return undefined;
  for (const { name, type: fieldType } of Object.values(type.getFields())) {
    const found = longListIn(fieldType, Reflect.get(value, name), max);
    if (found !== undefined) return { place: `.${name}${found.place}`, length: found.length };
  }
  return undefined;
}

function firstIn(list: readonly unknown[], type: GraphQLInputType, max: number): LongList | undefined {
  for (const [index, entry] of list.entries()) {
    const found = longListIn(type, entry, max);
    if (found !== undefined) return { place: `[${index}]${found.place}`, length: found.length };
  }
  return undefined;
}

/** Returns true if values of a type may contain lists; lists in scalars are not checked. */
function holdsLists(declared: GraphQLInputType): boolean {
  const type = getNullableType(declared);
  return isListType(type) || isInputObjectType(type);
}
