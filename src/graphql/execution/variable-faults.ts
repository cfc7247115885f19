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
import { invalidInput, MAX_FAULTS, toLine, type FieldFault } from '../../errors.js';

/** An operation and its variables, as the request gives them. */
export interface GivenVariables {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly values: Readonly<Record<string, unknown>>;
}

type Path = FieldFault['path'];

/**
 * Returns the error for variables that cannot be coerced (GraphQL, "Coercing Variable Values"). Unlike graphql-js, it
 * names arguments and quotes no value, which could be a password. Looking stops at {@link MAX_FAULTS}.
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

/** Ends a look for faults. */
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

/** Texts of graphql-js about fields of an object; names in them are no values. */
const REQUIRED = /^Field "(\w+)" of required type/;
const UNKNOWN = /^Field "([^]*)" is not defined by type "\w+"\./;

function shortened(key: string | number): string | number {
  return typeof key === 'number' ? key : toLine(key);
}

/** Returns the type at a path of graphql-js, in which a value that stands for a list of one has no index. */
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

/** Returns the error of faulty arguments, at the operation's variables. */
export function inputError(
  { operation }: Pick<GivenVariables, 'operation'>,
  faults: readonly FieldFault[],
): GraphQLError {
  const originalError = invalidInput(faults);
  return new GraphQLError(originalError.message, { originalError, nodes: operation.variableDefinitions ?? null });
}

/** Returns the argument that each variable of an operation fills in, or the part of it; the first place counts. */
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
