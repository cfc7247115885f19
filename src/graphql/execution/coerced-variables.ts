import {
  getNullableType,
  getOperationAST,
  GraphQLInt,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  type ExecutionArgs,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from 'graphql';

/** A scalar of the SDL whose values are any JSON, and are handed on as they are. */
const ANYTHING = 'JSON';

/**
 * The same operation with variables that graphql-js need not coerce any more (GraphQL, section "Coercing Variable
 * Values"): it would take several times as long, because it keeps a path for each value. Worth it only
 * where there are very many.
 *
 * @param args whose variables have no fault, see {@link findVariableFault}
 */
export function withCoercedVariables(schema: GraphQLSchema, args: ExecutionArgs): ExecutionArgs {
  const { document, operationName, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  if (!operation?.variableDefinitions || !variableValues) return args;
  const coerced = new Map<string, unknown>(Object.entries(variableValues));
  const variableDefinitions = operation.variableDefinitions.map((definition) => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    const value = coerced.get(name);
    // What was left out may have a default of its type.
    if (!isInputType(type) || value == null) return definition;
    coerced.set(name, coerce(type, value));
    return asAnything(definition);
  });
  const definitions = document.definitions.map((each) =>
    each === operation ? { ...operation, variableDefinitions } : each,
  );
  return { ...args, document: { ...document, definitions }, variableValues: Object.fromEntries(coerced) };
}

function asAnything(definition: VariableDefinitionNode): VariableDefinitionNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: ANYTHING } } as const;
  return { ...definition, type };
}

function coerce(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return coerce(type.ofType, value);
  if (value == null) return null;
  if (isListType(type)) return coerceList(type.ofType, Array.isArray(value) ? value : [value]);
  return isInputObjectType(type) ? coerceObject(type, value) : type.parseValue(value);
}

/** The long lists are lists of ids, and stay as they are. */
function coerceList(type: GraphQLInputType, list: readonly unknown[]): readonly unknown[] {
  return getNullableType(type) === GraphQLInt ? list : list.map((entry) => coerce(type, entry));
}

function coerceObject(type: GraphQLInputObjectType, value: object): object {
  const fields = Object.values(type.getFields()).flatMap(({ name, type: fieldType, defaultValue }) => {
    const given: unknown = Reflect.get(value, name);
    if (given !== undefined) return [[name, coerce(fieldType, given)] as const];
    return defaultValue === undefined ? [] : [[name, defaultValue] as const];
  });
  return Object.fromEntries(fields);
}
