import {
  BREAK,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  OperationTypeNode,
  visit,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Limit of selections, with fragments expanded, up to which an operation is compiled; that takes up to 20 ms, once. */
const MAX_SELECTIONS = 500;

/** Name that has a special meaning as a key of object literals, which compiled code uses. */
const UNSAFE_NAME = '__proto__';

/** An operation with each response name once and no fragments. Its nodes belong to no other document. */
export interface FlatOperation {
  readonly operation: OperationDefinitionNode;
  readonly fields: readonly FlatField[];
}

/** A field of a flat operation. */
export interface FlatField {
  readonly node: FieldNode;
  /** Undefined for `__typename`. */
  readonly definition: GraphQLField<unknown, unknown> | undefined;
  /** Selected subfields. */
  readonly fields: readonly FlatField[];
}

/**
 * Flattens an operation as graphql-js collects its fields (GraphQL, section "Field Collection"), if it is clearly in
 * the subset for which graphql-jit, without errors, answers like graphql-js:
 *
 * - no directive, no field of an interface or a union, no introspection but `__typename`;
 * - one root field, or a query whose root fields are all nullable;
 * - below the root, fields with a resolver of their own are nullable;
 * - a variable is a whole argument and is non-null where the argument is; literals hold no object.
 *
 * @param document valid, with the operation
 * @returns undefined if graphql-js has to run the operation
 */
export function flatOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): FlatOperation | undefined {
  const { operation: kind, selectionSet, variableDefinitions = [] } = operation;
  const root = schema.getRootType(kind);
  if (!root || kind === OperationTypeNode.SUBSCRIPTION || isPlainlyOutside(document)) return undefined;
  const nonNullVariables = new Set(
    variableDefinitions
      .filter(({ type }) => type.kind === Kind.NON_NULL_TYPE)
      .map(({ variable }) => variable.name.value),
  );
  const collect = fieldCollector(schema, document);

  function flatFields(parent: GraphQLObjectType, sets: readonly SelectionSetNode[]): readonly FlatField[] | undefined {
    const collected = collect(parent, sets);
    const fields = collected?.map((nodes) => flatField(parent, nodes));
    return fields?.every((field) => field !== undefined) ? fields : undefined;
  }

  function flatField(parent: GraphQLObjectType, nodes: readonly [FieldNode, ...FieldNode[]]): FlatField | undefined {
    const [node] = nodes;
    // graphql-jit joins names with underscores, so paths could collide.
    if (node.alias?.value.includes('_')) return undefined;
    if (node.name.value === '__typename') return { node: { ...node }, definition: undefined, fields: [] };
    const definition = parent.getFields()[node.name.value];
    if (!definition || !isSafeField(definition, parent === root)) return undefined;
    if (!(node.arguments ?? []).every((argument) => isSafeArgument(definition, argument, nonNullVariables)))
      return undefined;
    const type = getNamedType(definition.type);
    if (!isObjectType(type)) return isAbstractType(type) ? undefined : { node: { ...node }, definition, fields: [] };
    const fields = type.isTypeOf
      ? undefined
      : flatFields(
          type,
          nodes.flatMap((each) => each.selectionSet ?? []),
        );
    return fields && { node: { ...node, selectionSet: setOf(fields) }, definition, fields };
  }

  const fields = flatFields(root, [selectionSet]);
  if (!fields || !areIndependent(kind, fields)) return undefined;
  return { operation: { ...operation, selectionSet: setOf(fields) }, fields };
}

function isPlainlyOutside(document: DocumentNode): boolean {
  let found = document.loc?.source.body.includes(UNSAFE_NAME) ?? true;
  visit(document, {
    Directive() {
      found = true;
      return BREAK;
    },
  });
  return found;
}

type Collected = readonly (readonly [FieldNode, ...FieldNode[]])[];

/** Creates CollectFields for documents without directives; the function returns undefined for too many selections. */
function fieldCollector(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
): (type: GraphQLObjectType, sets: readonly SelectionSetNode[]) => Collected | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  let selections = 0;

  function applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    const conditionType = condition === undefined ? type : schema.getType(condition);
    return conditionType === type || (isAbstractType(conditionType) && schema.isSubType(conditionType, type));
  }

  return (type, sets) => {
    const collected = new Map<string, [FieldNode, ...FieldNode[]]>();
    const spread = new Set<string>();
    const visitSet = (set: SelectionSetNode): void => {
      for (const selection of set.selections) {
        selections += 1;
        if (selections > MAX_SELECTIONS) return;
        if (selection.kind === Kind.FIELD) {
          const name = selection.alias?.value ?? selection.name.value;
          const known = collected.get(name);
          if (known) known.push(selection);
          else collected.set(name, [selection]);
          continue;
        }
        const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined;
        if (name !== undefined && spread.has(name)) continue;
        if (name !== undefined) spread.add(name);
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
        if (fragment && applies(fragment.typeCondition?.name.value, type)) visitSet(fragment.selectionSet);
      }
    };
    sets.forEach(visitSet);
    return selections > MAX_SELECTIONS ? undefined : [...collected.values()];
  };
}

/** Excludes non-null resolvers: after their failure, compiled code calls resolvers that graphql-js does not call. */
function isSafeField({ resolve, type }: GraphQLField<unknown, unknown>, isRoot: boolean): boolean {
  return isRoot ? resolve !== undefined : resolve === undefined || !isNonNullType(type);
}

function isSafeArgument(
  { args }: GraphQLField<unknown, unknown>,
  { name, value }: ArgumentNode,
  nonNullVariables: ReadonlySet<string>,
): boolean {
  const type = args.find((argument) => argument.name === name.value)?.type;
  if (!type) return false;
  if (value.kind === Kind.VARIABLE) return !isNonNullType(type) || nonNullVariables.has(value.name.value);
  const named = getNamedType(type);
  if (!isSpecifiedScalarType(named) && !isEnumType(named)) return false;
  if (value.kind !== Kind.LIST) return true;
  return (
    isListType(getNullableType(type)) && value.values.every(({ kind }) => kind !== Kind.VARIABLE && kind !== Kind.LIST)
  );
}

/** Returns true if no failed root field ends the others, as a non-null one does in graphql-js. */
function areIndependent(kind: OperationTypeNode, fields: readonly FlatField[]): boolean {
  if (fields.length === 1) return true;
  return (
    kind === OperationTypeNode.QUERY && fields.every(({ definition }) => !definition || !isNonNullType(definition.type))
  );
}

function setOf(fields: readonly FlatField[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections: fields.map(({ node }) => node) };
}
