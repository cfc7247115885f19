import {
  getDirectiveValues,
  getOperationAST,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { isProtected } from './directive.js';

/** An operation about to be executed. */
export interface SelectedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Whether executing the operation would reach a field that carries the directive, after `@skip`, `@include`
 * and fragments. Only root fields can carry it, so nothing below them is looked at.
 *
 * It may err on the side of true only; the guard around the resolvers decides who gets in.
 */
export function selectsProtected(schema: GraphQLSchema, selected: SelectedOperation): boolean {
  const operation = getOperationAST(selected.document, selected.operationName);
  if (!operation) return false;
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  const variables = booleanVariables(operation, selected.variables ?? {});
  const visited = new Set<string>();

  const reaches = (set: SelectionSetNode): boolean =>
    set.selections.some((selection) => {
      if (!isIncluded(selection, variables)) return false;
      if (selection.kind === Kind.FIELD) return isProtected(fields[selection.name.value]);
      if (selection.kind === Kind.INLINE_FRAGMENT) return reaches(selection.selectionSet);
      const name = selection.name.value;
      if (visited.has(name)) return false;
      visited.add(name);
      const fragment = selected.document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
      );
      return fragment?.kind === Kind.FRAGMENT_DEFINITION && reaches(fragment.selectionSet);
    });
  return reaches(operation.selectionSet);
}

/** Values of the variables that conditions can use, defaults applied. */
function booleanVariables(
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => {
    const name = variable.name.value;
    const fallback = defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined;
    return [name, name in given ? given[name] : fallback];
  });
  return Object.fromEntries(entries) as Record<string, unknown>; // fromEntries forgets the value type
}

function isIncluded(selection: SelectionNode, variables: Record<string, unknown>): boolean {
  try {
    const skip = getDirectiveValues(GraphQLSkipDirective, selection, variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, selection, variables);
    return skip?.['if'] !== true && include?.['if'] !== false;
  } catch {
    return true; // a variable without a usable value: execution reports it
  }
}
