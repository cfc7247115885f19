import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  type NamedTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Returns the fields that selection sets of one object have, those in fragments included (GraphQL, "Field Collection"),
 * also those that a directive may skip. Each fragment counts once; following every spread would take exponential time.
 *
 * @param fragmentOf finds a fragment by its name
 * @param applies returns false for a type condition whose fragment does not count
 */
export function collectFields(...given: Parameters<typeof collectSelections>): readonly FieldNode[] {
  return collectSelections(...given).filter((selection) => selection.kind === Kind.FIELD);
}

/** Returns the selections by the rules of {@link collectFields}: the fields, and the fragments in front of theirs. */
export function collectSelections(
  sets: readonly SelectionSetNode[],
  fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
  applies: (condition: NamedTypeNode | undefined) => boolean = () => true,
): readonly SelectionNode[] {
  const spread = new Set<string>();
  const found: SelectionNode[] = [];
  const enter = ({ typeCondition, selectionSet }: InlineFragmentNode | FragmentDefinitionNode): void => {
    if (applies(typeCondition)) collect(selectionSet);
  };
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      found.push(selection);
      if (selection.kind === Kind.INLINE_FRAGMENT) enter(selection);
      else if (selection.kind === Kind.FRAGMENT_SPREAD && !spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragmentOf(selection.name.value);
        if (fragment) enter(fragment);
      }
    }
  };
  sets.forEach(collect);
  return found;
}

export function fragmentsOf({ definitions }: DocumentNode): (name: string) => FragmentDefinitionNode | undefined {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return (wanted) => fragments.find(({ name }) => name.value === wanted);
}

export function byResponseName(fields: readonly FieldNode[]): ReadonlyMap<string, [FieldNode, ...FieldNode[]]> {
  const groups = new Map<string, [FieldNode, ...FieldNode[]]>();
  for (const field of fields) {
    const name = responseName(field);
    const group = groups.get(name);
    if (group) group.push(field);
    else groups.set(name, [field]);
  }
  return groups;
}

export function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}
