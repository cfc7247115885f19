import {
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
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { byResponseName, collectFields, fragmentsOf } from '../documents/collected-fields.js';

/** Limit of selections, with fragments expanded, up to which an operation is compiled; that takes up to 20 ms, once. */
const MAX_SELECTIONS = 500;

/** Name with a special meaning in object literals, which compiled code uses. */
const UNSAFE_NAME = '__proto__';

/** An operation with each response name once and no fragments. Its nodes belong to no other document. */
export interface FlatOperation {
  readonly operation: OperationDefinitionNode;
  readonly fields: readonly FlatField[];
}

export interface FlatField {
  readonly node: FieldNode;
  /** Undefined for `__typename`. */
  readonly definition: GraphQLField<unknown, unknown> | undefined;
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
  const nonNull = variableDefinitions.filter(({ type }) => type.kind === Kind.NON_NULL_TYPE);
  const nonNullVariables = new Set(nonNull.map(({ variable }) => variable.name.value));
  const fragmentOf = fragmentsOf(document);
  let selected = 0;

  function flatFields(parent: GraphQLObjectType, sets: readonly SelectionSetNode[]): readonly FlatField[] | undefined {
    if (selected > MAX_SELECTIONS) return undefined;
    const nodes = collectFields(sets, fragmentOf, (condition) => {
      const type = condition === undefined ? parent : schema.getType(condition.name.value);
      return type === parent || (isAbstractType(type) && schema.isSubType(type, parent));
    });
    selected += nodes.length;
    const fields = [...byResponseName(nodes).values()].map((same) => flatField(parent, same));
    return selected <= MAX_SELECTIONS && fields.every((field) => field !== undefined) ? fields : undefined;
  }

  function flatField(parent: GraphQLObjectType, nodes: readonly [FieldNode, ...FieldNode[]]): FlatField | undefined {
    const [node] = nodes;
    // graphql-jit joins names with underscores, so paths could collide.
    if (node.alias?.value.includes('_')) return undefined;
    if (node.name.value === '__typename') return { node: { ...node }, definition: undefined, fields: [] };
    const definition = parent.getFields()[node.name.value];
    if (!definition || !isSafeField(definition, parent === root)) return undefined;
    const { arguments: given = [] } = node;
    if (!given.every((argument) => isSafeArgument(definition, argument, nonNullVariables))) return undefined;
    const type = getNamedType(definition.type);
    if (!isObjectType(type)) return isAbstractType(type) ? undefined : { node: { ...node }, definition, fields: [] };
    if (type.isTypeOf) return undefined;
    const sets = nodes.flatMap(({ selectionSet: set }) => set ?? []);
    const fields = flatFields(type, sets);
    return fields && { node: { ...node, selectionSet: setOf(fields) }, definition, fields };
  }

  const fields = flatFields(root, [selectionSet]);
  if (!fields || !areIndependent(kind, fields)) return undefined;
  return { operation: { ...operation, selectionSet: setOf(fields) }, fields };
}

/** Returns true if a document has a directive or the unsafe name. */
function isPlainlyOutside(document: DocumentNode): boolean {
  let found = document.loc?.source.body.includes(UNSAFE_NAME) ?? true;
  visit(document, { Directive: () => void (found = true) });
  return found;
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
  const arePlain = value.values.every(({ kind }) => kind !== Kind.VARIABLE && kind !== Kind.LIST);
  return arePlain && isListType(getNullableType(type));
}

/** Returns true if no failed root field ends the others, as a non-null one does in graphql-js. */
function areIndependent(kind: OperationTypeNode, fields: readonly FlatField[]): boolean {
  const areNullable = fields.every(({ definition }) => !definition || !isNonNullType(definition.type));
  return fields.length === 1 || (kind === OperationTypeNode.QUERY && areNullable);
}

function setOf(fields: readonly FlatField[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections: fields.map(({ node }) => node) };
}
