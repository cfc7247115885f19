import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type FragmentDefinitionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Bounds on what one operation may ask for. */
export interface OperationLimits {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
}

/** Plugins that refuse operations over a limit; each error names the limit. */
export function operationLimitPlugins(limits: OperationLimits): object[] {
  return [
    maxDepthPlugin({ n: limits.depth, flattenFragments: true }),
    maxAliasesPlugin({ n: limits.aliases, allowList: [] }),
    maxDirectivesPlugin({ n: limits.directives }),
    validationRule(maxRootFields(limits.rootFields)),
  ];
}

/** Plugins that keep the schema to itself: no introspection. What errors suggest is cut off where they are shown. */
export function schemaPrivacyPlugins(): object[] {
  return [validationRule(NoSchemaIntrospectionCustomRule)];
}

function validationRule(rule: ValidationRule): Plugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(rule) };
}

/** Refuses operations with more root fields than the limit, those of fragments included. */
function maxRootFields(limit: number): ValidationRule {
  return (context) => ({
    OperationDefinition(operation) {
      const found = countFields(operation.selectionSet, (name) => context.getFragment(name), new Set());
      if (found <= limit) return;
      const message = `Root field limit of ${limit} exceeded, found ${found}.`;
      context.reportError(new GraphQLError(message, { nodes: operation }));
    },
  });
}

/** Each fragment counts once, as it is executed once; following every spread would take exponential time. */
function countFields(
  set: SelectionSetNode,
  fragment: (name: string) => FragmentDefinitionNode | null | undefined,
  entered: Set<string>,
): number {
  return set.selections.reduce((count, selection) => {
    if (selection.kind === Kind.FIELD) return count + 1;
    if (selection.kind === Kind.INLINE_FRAGMENT) return count + countFields(selection.selectionSet, fragment, entered);
    const name = selection.name.value;
    const definition = entered.has(name) ? undefined : fragment(name);
    entered.add(name);
    return count + (definition ? countFields(definition.selectionSet, fragment, entered) : 0);
  }, 0);
}
