import { Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';

/**
 * Selections of the largest operation of a document when every fragment is written out where it is spread. Fragments
 * that spread others twice double it each time, so it can be astronomical for a short document.
 *
 * @param document valid, so that no fragment spreads itself
 */
export function expandedSelections({ definitions }: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const sizes = new Map<string, number>();
  const sizeOfFragment = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    const size = fragment ? sizeOf(fragment.selectionSet) : 0;
    sizes.set(name, size);
    return size;
  };
  const sizeOf = ({ selections }: SelectionSetNode): number => {
    let size = selections.length;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) size += sizeOfFragment(selection.name.value);
      else if (selection.selectionSet) size += sizeOf(selection.selectionSet);
    }
    return size;
  };
  let max = 0;
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) max = Math.max(max, sizeOf(definition.selectionSet));
  }
  return max;
}
