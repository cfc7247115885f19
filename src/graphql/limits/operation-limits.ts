import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Upper limits of one operation. */
export interface OperationLimits {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
  readonly jobStarts: number;
}

/** Creates plugins that refuse operations over a limit; each error names the limit. */
export function operationLimitPlugins(limits: OperationLimits): object[] {
  return [
    maxDepthPlugin({ n: limits.depth, flattenFragments: true }),
    maxAliasesPlugin({ n: limits.aliases, allowList: [] }),
    maxDirectivesPlugin({ n: limits.directives }),
    validationRule(maxRootFields(limits.rootFields)),
    validationRule(maxJobStarts(limits.jobStarts)),
  ];
}

/** Creates plugins that refuse introspection. The error mapping removes suggestions from errors. */
export function schemaPrivacyPlugins(): object[] {
  return [validationRule(NoSchemaIntrospectionCustomRule)];
}

function validationRule(rule: ValidationRule): Plugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(rule) };
}

/** Refuses operations with more root fields than the limit, including those of fragments. */
function maxRootFields(limit: number): ValidationRule {
  return (context) => ({
    OperationDefinition(operation) {
      const found = countFields(operation, context, () => true);
      if (found <= limit) return;
      const message = `Root field limit of ${limit} exceeded, found ${found}.`;
      context.reportError(new GraphQLError(message, { nodes: operation }));
    },
  });
}

/** `directive @startsJob` of the SDL. */
const STARTS_JOB = 'startsJob';

/** Refuses operations with more fields that start a job than the limit. */
function maxJobStarts(limit: number): ValidationRule {
  return (context) => {
    const fields = context.getSchema().getMutationType()?.getFields() ?? {};
    const startsJob = ({ name }: FieldNode): boolean =>
      fields[name.value]?.astNode?.directives?.some((directive) => directive.name.value === STARTS_JOB) ?? false;
    return {
      OperationDefinition(operation) {
        if (operation.operation !== OperationTypeNode.MUTATION) return;
        const found = countFields(operation, context, startsJob);
        if (found <= limit) return;
        const message = `Job start limit of ${limit} exceeded, found ${found}.`;
        context.reportError(new GraphQLError(message, { nodes: operation }));
      },
    };
  };
}

/**
 * Counts matching root fields, including those that a directive may skip. Each fragment counts once, as it is executed
 * once; following every spread would take exponential time.
 */
function countFields(
  { selectionSet }: OperationDefinitionNode,
  context: ValidationContext,
  counts: (field: FieldNode) => boolean,
): number {
  const entered = new Set<string>();
  const countIn = ({ selections }: SelectionSetNode): number =>
    selections.reduce((count, selection) => {
      if (selection.kind === Kind.FIELD) return count + (counts(selection) ? 1 : 0);
      if (selection.kind === Kind.INLINE_FRAGMENT) return count + countIn(selection.selectionSet);
      const name = selection.name.value;
      const definition = entered.has(name) ? undefined : context.getFragment(name);
      entered.add(name);
      return count + (definition ? countIn(definition.selectionSet) : 0);
    }, 0);
  return countIn(selectionSet);
}
