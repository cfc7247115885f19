import {
  coerceInputValue,
  getNamedType,
  getNullableType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  visit,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import { GatewayError, invalidInput, MAX_FAULTS, toLine, type FieldFault } from '../../errors.js';

/** An operation, and its variables as they were sent. */
export interface GivenVariables {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly values: Readonly<Record<string, unknown>>;
}

type Path = FieldFault['path'];

/**
 * Returns the error for variables that cannot be coerced (GraphQL, "Coercing Variable Values"). Unlike errors of
 * graphql-js, it names arguments and quotes no value, which could be a password, and has {@link MAX_FAULTS} faults at
 * most.
 *
 * @returns undefined if all can be coerced
 */
export function findVariableFaults(given: GivenVariables): GraphQLError | undefined {
  const faults: FieldFault[] = [];
  const places = argumentsOf(given);
  const note = (path: Path, message: string): void => {
    faults.push({ path, message });
    if (faults.length === MAX_FAULTS) throw ENOUGH;
  };
  try {
    noteFaults(given, places, note);
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return faults.length === 0 ? undefined : inputError(given, faults);
}

/** Thrown at the limit of faults. */
const ENOUGH = new Error('There are enough faults.');

function noteFaults(
  { schema, operation, values }: GivenVariables,
  places: ReadonlyMap<string, Path>,
  note: (path: Path, message: string) => void,
): void {
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const { value: name } = variable.name;
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) continue; // validation refuses it
    const place = places.get(name) ?? [name];
    if (!Object.hasOwn(values, name)) {
      if (isNonNullType(type) && defaultValue === undefined) note(place, 'is required');
      continue;
    }
    coerceInputValue(values[name], type, (at, value, { message }) => {
      const missing = REQUIRED.exec(message)?.[1] ?? UNKNOWN.exec(message)?.[1];
      const path = [...place, ...at, ...(missing === undefined ? [] : [missing])].map(shortened);
      if (missing === undefined) note(path, value == null ? 'must not be null' : expectation(typeAt(type, at)));
      else note(path, UNKNOWN.test(message) ? 'is not known here' : 'is required');
    });
  }
}

/** Texts of graphql-js about fields of an object, with the names of the fields. */
const REQUIRED = /^Field "(\w+)" of required type/;
const UNKNOWN = /^Field "([^]*)" is not defined by type "\w+"\./;

function shortened(key: string | number): string | number {
  return typeof key === 'number' ? key : toLine(key);
}

/** Returns the type at a path of graphql-js. The path of a value in place of a list of one has no index. */
function typeAt(declared: GraphQLInputType, path: Path): GraphQLInputType {
  let type: GraphQLInputType = getNullableType(declared);
  for (const key of path) {
    while (isListType(type) && typeof key === 'string') type = getNullableType(type.ofType);
    if (isListType(type)) type = getNullableType(type.ofType);
    else if (isInputObjectType(type)) type = getNullableType(type.getFields()[key]?.type ?? type);
  }
  return type;
}

const EXPECTATIONS: Readonly<Record<string, string>> = {
  Int: 'must be a whole number from -2147483648 to 2147483647',
  Float: 'must be a number',
  String: 'must be text',
  ID: 'must be text or a whole number',
  Boolean: 'must be true or false',
};

function expectation(declared: GraphQLInputType): string {
  const type = getNamedType(declared);
  if (isInputObjectType(type)) return 'must be an object';
  if (isEnumType(type)) return `must be a value of ${type.name}`;
  return EXPECTATIONS[type.name] ?? `must be a ${type.name}`;
}

/** Makes the error of faulty arguments, with the places of the operation's variables. */
export function inputError(
  { operation }: Pick<GivenVariables, 'operation'>,
  faults: readonly FieldFault[],
): GraphQLError {
  const originalError = invalidInput(faults);
  return new GraphQLError(originalError.message, { originalError, nodes: operation.variableDefinitions ?? null });
}

/** Returns, for each variable of an operation, the path of the first argument that uses it. */
export function argumentsOf({
  document,
  operation,
}: Pick<GivenVariables, 'document' | 'operation'>): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>();
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const definition of [operation, ...fragments]) {
    visit(definition, {
      Argument({ name, value }) {
        notePlaces(value, [name.value], places);
        return false;
      },
    });
  }
  return places;
}

function notePlaces(value: ValueNode, path: Path, places: Map<string, Path>): void {
  if (value.kind === Kind.VARIABLE && !places.has(value.name.value)) places.set(value.name.value, path);
  if (value.kind === Kind.LIST) value.values.forEach((entry, index) => notePlaces(entry, [...path, index], places));
  if (value.kind === Kind.OBJECT) {
    for (const field of value.fields) notePlaces(field.value, [...path, field.name.value], places);
  }
}

/** Limit of entries of lists outside jobs: tags and filters. */
const MAX_ENTRIES = 1_000;

/** Limits of entries of jobs. */
export interface ListLimits {
  readonly bulkItems: number;
  readonly reportDrivers: number;
}

interface LongList {
  readonly path: Path;
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
