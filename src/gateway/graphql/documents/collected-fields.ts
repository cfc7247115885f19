import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  type NamedTypeNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Returns the fields that selection sets of one object have, those in fragments included (GraphQL, "Field Collection"),
 * also those that a directive may skip. Each fragment counts once; following every spread would take exponential time.
 *
 * @param fragmentOf finds a fragment by its name
 * @param applies returns false for a type condition whose fragment does not count
 */
export function collectFields(
  sets: readonly SelectionSetNode[],
  fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
  applies: (condition: NamedTypeNode | undefined) => boolean = () => true,
): readonly FieldNode[] {
  const spread = new Set<string>();
  const fields: FieldNode[] = [];
  const enter = ({ typeCondition, selectionSet }: InlineFragmentNode | FragmentDefinitionNode): void => {
    if (applies(typeCondition)) collect(selectionSet);
  };
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) enter(selection);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragmentOf(selection.name.value);
        if (fragment) enter(fragment);
      }
    }
  };
  sets.forEach(collect);
  return fields;
}

/** Returns a function that finds the fragments of a document. */
export function fragmentsOf({ definitions }: DocumentNode): (name: string) => FragmentDefinitionNode | undefined {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return (wanted) => fragments.find(({ name }) => name.value === wanted);
}

/** Groups fields by their name in the response. */
export function byResponseName(fields: readonly FieldNode[]): ReadonlyMap<string, [FieldNode, ...FieldNode[]]> {
  const groups = new Map<string, [FieldNode, ...FieldNode[]]>();
  for (const field of fields) {
    const { value } = field.alias ?? field.name;
    const group = groups.get(value);
    if (group) group.push(field);
    else groups.set(value, [field]);
  }
  return groups;
}
