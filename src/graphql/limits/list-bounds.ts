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

/** Entries of the longest lists that are no job: tags and filters. */
const MAX_ENTRIES = 1_000;

/** How many entries a job may have. */
export interface ListLimits {
  readonly bulkItems: number;
  readonly reportDrivers: number;
}

interface LongList {
  /** Names and indexes that lead to it. */
  readonly place: string;
  readonly length: number;
}

/**
 * Finds a list among the variables of an operation that is too long for anything, without looking at more than lengths:
 * before its entries are looked through, coerced or copied, and once, however many fields it is passed to. What each
 * field may take is held against its own bounds, behind authentication.
 *
 * @returns a sentence for people; undefined when there is none
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

/** Whether there may be lists within a value of a type; those of scalars are not ours to judge. */
function holdsLists(declared: GraphQLInputType): boolean {
  const type = getNullableType(declared);
  return isListType(type) || isInputObjectType(type);
}
