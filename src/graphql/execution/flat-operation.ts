import {
  getNamedType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * An operation with its fragments written out where they are spread. Compiled code would put their fields behind all
 * others, and the order of a response is that of its document (GraphQL, section "Serialized Map Ordering").
 *
 * @param document valid; its operation is of a size that can be written out
 * @returns undefined when fragments depend on a directive or on the type of an object, and so have to stay
 */
export function flatOperation(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): DocumentNode | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  function flatSet(set: SelectionSetNode, type: GraphQLObjectType): SelectionSetNode | undefined {
    const selections: SelectionNode[] = [];
    for (const selection of set.selections) {
      const flat = flatSelection(selection, type);
      if (flat === undefined) return undefined;
      selections.push(...flat);
    }
    return { ...set, selections };
  }

  function flatSelection(selection: SelectionNode, type: GraphQLObjectType): readonly SelectionNode[] | undefined {
    if (selection.kind === Kind.FIELD) {
      if (selection.selectionSet === undefined) return [selection];
      const field = type.getFields()[selection.name.value];
      const fieldType = field && getNamedType(field.type);
      const selectionSet = isObjectType(fieldType) ? flatSet(selection.selectionSet, fieldType) : undefined;
      return selectionSet && [{ ...selection, selectionSet }];
    }
    if ((selection.directives?.length ?? 0) > 0) return undefined;
    const spread = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    // A valid fragment on an object applies to it, whatever its condition.
    return spread && flatSet(spread.selectionSet, type)?.selections;
  }

  const root = schema.getRootType(operation.operation);
  const selectionSet = root && flatSet(operation.selectionSet, root);
  if (!selectionSet) return undefined;
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }] };
}
