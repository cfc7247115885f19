import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  visit,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { GatewayError } from '../../errors.js';

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
    maxDepthPlugin({ n: limits.depth, flattenFragments: true, ...refusing('TooManyLevels', limits.depth) }),
    maxAliasesPlugin({ n: limits.aliases, allowList: [], ...refusing('TooManyAliases', limits.aliases) }),
    maxDirectivesPlugin({ n: limits.directives, ...refusing('TooManyDirectives', limits.directives) }),
    validationRule(maxRootFields(limits.rootFields)),
    validationRule(maxJobStarts(limits.jobStarts)),
  ];
}

/** Makes graphql-armor refuse with our error instead of its own, whose text alone has the number that was found. */
function refusing(reason: LimitReason, limit: number) {
  const refuse = (_context: unknown, { message }: GraphQLError): never => {
    throw overLimit(reason, limit, Number(/found (\d+)/.exec(message)?.[1]));
  };
  return { onReject: [refuse] };
}

/** Rows for limits of one operation. */
type LimitReason = `TooMany${'Levels' | 'Aliases' | 'Directives' | 'RootFields' | 'JobStarts'}`;

function overLimit(reason: LimitReason, limit: number, found: number, nodes?: OperationDefinitionNode): GraphQLError {
  const originalError = new GatewayError(reason, { limit, found });
  return new GraphQLError(originalError.message, { originalError, nodes: nodes ?? null });
}

/** Creates plugins that refuse introspection. The error mapping removes suggestions from errors. */
export function schemaPrivacyPlugins(): object[] {
  return [validationRule(noIntrospection)];
}

/** Refuses introspection with one error, before a limit that it exceeds as well. */
const noIntrospection: ValidationRule = () => ({
  Document(document) {
    visit(document, {
      Field(node) {
        if (node.name.value !== '__schema' && node.name.value !== '__type') return;
        const originalError = new GatewayError('IntrospectionOff');
        throw new GraphQLError(originalError.message, { originalError, nodes: node });
      },
    });
  },
});

function validationRule(rule: ValidationRule): Plugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(rule) };
}

/** Refuses operations with more root fields than the limit, including those of fragments. */
function maxRootFields(limit: number): ValidationRule {
  return (context) => ({
    OperationDefinition(operation) {
      const found = countFields(operation, context, () => true);
      if (found <= limit) return;
      context.reportError(overLimit('TooManyRootFields', limit, found, operation));
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
        context.reportError(overLimit('TooManyJobStarts', limit, found, operation));
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
