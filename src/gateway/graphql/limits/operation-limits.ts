import {
  Kind,
  visit,
  type ASTNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLError,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Limits } from '../../../base/config/config.js';
import { GatewayError } from '../../../base/errors.js';
import { asGraphQLError } from '../error-mapping.js';
import { byResponseName, collectFields } from '../documents/collected-fields.js';

/** Creates rules that refuse operations over a limit; each error names the limit. */
export function operationLimitRules(limits: Limits): ValidationRule[] {
  return [
    upTo(limits.graphqlMaxDepth, 'TooManyLevels', depth),
    upTo(limits.graphqlMaxAliases, 'TooManyAliases', aliases),
    upTo(limits.graphqlMaxDirectives, 'TooManyDirectives', directives),
    upTo(limits.graphqlMaxRootFields, 'TooManyRootFields', rootFields),
    upTo(limits.graphqlMaxJobStarts, 'TooManyJobStarts', jobStarts),
    maxRepeats(limits.graphqlMaxRepeats),
  ];
}

type OperationLimitReason = `TooMany${'Levels' | 'Aliases' | 'Directives' | 'RootFields' | 'JobStarts' | 'Repeats'}`;

function overLimit(reason: OperationLimitReason, limit: number, found: number, nodes: ASTNode): GraphQLError {
  return asGraphQLError(new GatewayError(reason, { limit, found }), { nodes });
}

/** Refuses operations in which something is found more often than the limit. */
function upTo(limit: number, reason: OperationLimitReason, find: Find): ValidationRule {
  return (context) => ({
    OperationDefinition(operation) {
      const found = find(operation, context);
      if (found > limit) throw overLimit(reason, limit, found, operation);
    },
  });
}

type Find = (operation: OperationDefinitionNode, context: ValidationContext) => number;

const rootFields: Find = ({ selectionSet }, context) => fieldsIn(selectionSet, context).length;

/** `directive @startsJob` of the SDL. */
const STARTS_JOB = 'startsJob';

const jobStarts: Find = ({ operation, selectionSet }, context) => {
  const fields = context.getSchema().getRootType(operation)?.getFields() ?? {};
  const startsJob = ({ name }: FieldNode): boolean =>
    fields[name.value]?.astNode?.directives?.some((directive) => directive.name.value === STARTS_JOB) ?? false;
  return fieldsIn(selectionSet, context).filter(startsJob).length;
};

const aliases: Find = measured((node, below) => sum(below) + (node.kind === Kind.FIELD && node.alias ? 1 : 0));

const directives: Find = measured((node, below) => sum(below) + (node.directives?.length ?? 0));

/** Finds the depth of the fields. Introspection has none, because a limit for data would refuse that of tools. */
const depth: Find = measured((node, below) => {
  const deepest = Math.max(0, ...below);
  if (node.kind !== Kind.FIELD) return deepest;
  return node.name.value === '__schema' ? 0 : deepest + 1;
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Node with a selection set, or a fragment in its place. */
type Selecting = SelectionNode | OperationDefinitionNode | FragmentDefinitionNode;

/**
 * Measures an operation from its leaves up. A fragment counts wherever it is spread, but is measured once.
 *
 * @param measure returns the result for a node from the results for its selections
 */
function measured(measure: (node: Selecting, below: readonly number[]) => number): Find {
  return (operation, context) => {
    const fragments = new Map<string, number>();
    const fragment = ({ name: { value: name } }: FragmentSpreadNode): number => {
      const definition = context.getFragment(name);
      if (fragments.has(name) || !definition) return fragments.get(name) ?? 0;
      // A fragment within itself, which another rule refuses, ends here.
      fragments.set(name, 0);
      const found = of(definition);
      fragments.set(name, found);
      return found;
    };
    const of = (node: Selecting): number => {
      if (node.kind === Kind.FRAGMENT_SPREAD) return measure(node, [fragment(node)]);
      return measure(node, node.selectionSet?.selections.map(of) ?? []);
    };
    return of(operation);
  };
}

/** Refuses documents with more fields of one name side by side than the limit, before other rules compare each pair. */
function maxRepeats(limit: number): ValidationRule {
  return (context) => ({
    Document(document) {
      visit(document, {
        SelectionSet(selectionSet) {
          const groups = byResponseName(fieldsIn(selectionSet, context)).values();
          const found = Math.max(0, ...Array.from(groups, ({ length }) => length));
          if (found > limit) throw overLimit('TooManyRepeats', limit, found, selectionSet);
        },
      });
    },
  });
}

function fieldsIn(selectionSet: SelectionSetNode, context: ValidationContext): readonly FieldNode[] {
  return collectFields([selectionSet], (name) => context.getFragment(name));
}
