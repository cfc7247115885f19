import {
  astFromValue,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  print,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

/** A request for one root field, with everything it can be asked for and every argument. */
export interface SchemaOperation {
  readonly kind: 'query' | 'mutation';
  readonly field: string;
  /** `Query.field` */
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Values of arguments and input fields, by name; all others are made of their types. */
export type GivenValues = Readonly<Record<string, unknown>>;

type RootField = GraphQLField<unknown, unknown>;

const SCALARS: Readonly<Record<string, unknown>> = {
  Int: 1,
  ID: '1',
  Float: 1.5,
  Boolean: true,
  DateTime: '2026-11-19T00:00:00Z',
  JSON: { any: ['value'] },
};

/** Deepest nesting of inputs that hold their own kind. */
const MAX_INPUT_DEPTH = 4;

/** An operation for every root field of Query and Mutation, whatever there is. */
export function operationsOf(schema: GraphQLSchema, given: GivenValues = {}): SchemaOperation[] {
  return rootFieldsOf(schema).map(({ kind, name, field }) => {
    const parameters = field.args.map((argument) => `$${argument.name}: ${String(argument.type)}`);
    const passed = field.args.map((argument) => `${argument.name}: $${argument.name}`);
    const asked = `${field.name}${inParentheses(passed)}${selectionOf(schema, field.type, given)}`;
    return {
      kind,
      field: field.name,
      name,
      query: `${kind}${inParentheses(parameters)} { ${asked} }`,
      variables: valuesOf(field.args, given),
    };
  });
}

/** Root fields by name: `Query.field`. */
export function rootFieldsOf(
  schema: GraphQLSchema,
): { readonly kind: 'query' | 'mutation'; readonly name: string; readonly field: RootField }[] {
  return (['query', 'mutation'] as const).flatMap((kind) => {
    const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(type?.getFields() ?? {}).map((field) => ({
      kind,
      name: `${type?.name}.${field.name}`,
      field,
    }));
  });
}

function valuesOf(args: readonly GraphQLArgument[], given: GivenValues): Record<string, unknown> {
  return Object.fromEntries(args.map(({ name, type }) => [name, valueOf(type, name, given, 0)]));
}

function valueOf(declared: GraphQLInputType, name: string, given: GivenValues, depth: number): unknown {
  const type = isNonNullType(declared) ? declared.ofType : declared;
  // A cursor is no position in a list, which has the same name.
  const isGiven = name in given && !(type.toString() === 'Int' && typeof given[name] === 'string');
  if (isGiven) return isListType(type) && !Array.isArray(given[name]) ? [given[name]] : given[name];
  if (isListType(type)) return [valueOf(type.ofType, name, given, depth)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return type.name in SCALARS ? SCALARS[type.name] : 'text';
  const fields = Object.values(type.getFields());
  const wanted = type.isOneOf ? fields.slice(0, 1) : fields;
  const values = wanted
    .filter((field) => depth < MAX_INPUT_DEPTH || type.isOneOf || isNonNullType(field.type))
    .map((field) => [field.name, valueOf(field.type, field.name, given, depth + 1)] as const);
  return Object.fromEntries(values);
}

/** Every field, of every type there may be, down to the leaves. */
function selectionOf(
  schema: GraphQLSchema,
  output: GraphQLOutputType,
  given: GivenValues,
  above: readonly string[] = [],
): string {
  const type = getNamedType(output);
  if (isLeafType(type)) return '';
  const within = [...above, type.name];
  const fields = isUnionType(type) ? [] : Object.values(type.getFields());
  const parts = fields
    .filter((field) => !above.includes(getNamedType(field.type).name))
    .map((field) => {
      const args = field.args.map((argument) => literalOf(argument, given));
      return `${field.name}${inParentheses(args)}${selectionOf(schema, field.type, given, within)}`;
    });
  const kinds = isInterfaceType(type) || isUnionType(type) ? schema.getPossibleTypes(type) : [];
  const fragments = kinds
    .filter((kind) => isObjectType(kind) && !above.includes(kind.name))
    .map((kind) => `... on ${kind.name}${selectionOf(schema, kind, given, within)}`);
  return ` { __typename ${[...parts, ...fragments].join(' ')} }`;
}

function literalOf({ name, type }: GraphQLArgument, given: GivenValues): string {
  const literal = astFromValue(valueOf(type, name, given, 0), type);
  return `${name}: ${literal ? print(literal) : 'null'}`;
}

function inParentheses(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}
