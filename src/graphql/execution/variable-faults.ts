import {
  coerceInputValue,
  getNullableType,
  GraphQLInt,
  GraphQLString,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  isInputType,
  GraphQLError,
} from 'graphql';
import { findJsonFault } from '../../jobs/body-faults.js';

/** Where a value departs from its type. */
interface Fault {
  readonly names: (string | number)[];
  readonly type: GraphQLInputType;
  readonly value: unknown;
}

/**
 * Finds the first fault of the variables of an operation (GraphQL, section "Coercing Variable Values"), many times
 * faster than they can be coerced one by one. Worth it only where there are very many.
 *
 * @returns a sentence for people; undefined when there is none
 */
export function findVariableFault(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type) || (variables[name] === undefined && defaultValue !== undefined)) continue;
    const fault = walk(type, variables[name]);
    if (fault !== undefined) return sentence(name, fault);
  }
  return undefined;
}

function walk(type: GraphQLInputType, value: unknown): Fault | undefined {
  if (isNonNullType(type)) return value == null ? { names: [], type, value } : walk(type.ofType, value);
  if (value == null) return undefined;
  if (isListType(type)) {
    if (!Array.isArray(value)) return walk(type.ofType, value);
    const element: GraphQLInputType = type.ofType;
    const holdsIntegers = getNullableType(element) === GraphQLInt;
    for (let index = 0; index < value.length; index += 1) {
      const entry: unknown = value[index];
      // Long lists are lists of ids: most of the time goes where there are calls.
      if (holdsIntegers && isInt(entry)) continue;
      const fault = walk(element, entry);
      if (fault !== undefined) return named(fault, index);
    }
    return undefined;
  }
  if (isInputObjectType(type)) return walkObject(type, value);
  return isLeafValue(type, value) ? undefined : { names: [], type, value };
}

function walkObject(type: GraphQLInputObjectType, value: unknown): Fault | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { names: [], type, value };
  const fields = type.getFields();
  for (const field of Object.values(fields)) {
    const given: unknown = Reflect.get(value, field.name);
    if (given === undefined) {
      if (isRequiredInputField(field)) return { names: [], type, value };
      continue;
    }
    const fault = walk(field.type, given);
    if (fault !== undefined) return named(fault, field.name);
  }
  const isKnown = (name: string): boolean => Object.hasOwn(fields, name);
  return Object.keys(value).every(isKnown) ? undefined : { names: [], type, value };
}

function isLeafValue(type: GraphQLInputType, value: unknown): boolean {
  if (type === GraphQLInt) return isInt(value);
  if (type === GraphQLString) return typeof value === 'string';
  let sound = true;
  coerceInputValue(value, type, () => {
    sound = false;
  });
  return sound;
}

/** GraphQL, section "Int". */
function isInt(value: unknown): boolean {
  return typeof value === 'number' && (value | 0) === value;
}

function named(fault: Fault, name: string | number): Fault {
  fault.names.push(name);
  return fault;
}

/** In the words of graphql-js, which knows only the path within the value it is given. */
function sentence(variable: string, { names, type, value }: Fault): string {
  let reason = 'It cannot be understood.';
  coerceInputValue(value, type, (_path, _value, { message }) => {
    reason = message;
  });
  const place = names.reverse().map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`));
  return `Variable "$${variable}" got an invalid value at "${variable}${place.join('')}"; ${reason}`;
}

/**
 * Finds text or numbers in variables and extensions that no backend can be given, before anything is called: half of a
 * surrogate pair, integers beyond 2⁵³. Literals cannot hold such text: it is no GraphQL (section "String Value"). Their
 * integers are 32 bits wide, or judged with the body of the job they start.
 */
export function exactInputFault(input: {
  readonly variables?: unknown;
  readonly extensions?: unknown;
}): GraphQLError | undefined {
  const fault = findJsonFault(input);
  if (fault === undefined) return undefined;
  return new GraphQLError(`${fault.path} ${fault.message}.`, { extensions: { http: { status: 400 } } });
}
