import {
  Kind,
  print,
  visit,
  type ASTNode,
  type FieldNode,
  type FragmentDefinitionNode,
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
import { byResponseName, collectFields, collectSelections, responseName } from '../documents/collected-fields.js';

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

function upTo(limit: number, reason: OperationLimitReason, find: Find): ValidationRule {
  return (context) => ({
    OperationDefinition(operation) {
      const found = find(operation, context, limit);
      if (found > limit) throw overLimit(reason, limit, found, operation);
    },
  });
}

/** Counts something; may end above the limit. */
type Find = (operation: OperationDefinitionNode, context: ValidationContext, limit: number) => number;

const rootFields: Find = ({ selectionSet }, context) => byResponseName(fieldsIn(selectionSet, context)).size;

const STARTS_JOB = 'startsJob';

const jobStarts: Find = ({ operation, selectionSet }, context) => {
  const fields = context.getSchema().getRootType(operation)?.getFields() ?? {};
  const startsJob = ({ name }: FieldNode): boolean =>
    fields[name.value]?.astNode?.directives?.some((directive) => directive.name.value === STARTS_JOB) ?? false;
  return byResponseName(fieldsIn(selectionSet, context).filter(startsJob)).size;
};

/** Clients write an alias of `__typename` for each abstract type that a component reads. */
const aliases: Find = merged((node) => {
  if (node.kind !== Kind.FIELD || !node.alias) return [];
  return [node.name.value === '__typename' ? node.name.value : node.alias.value];
});

const directives: Find = merged((node) =>
  (node.directives ?? []).map((each) => `${node.kind === Kind.FIELD ? responseName(node) : ''} ${print(each)}`),
);

/** Finds the depth of the fields. Introspection has none, because a limit for data would refuse that of tools. */
const depth: Find = (operation, context) =>
  measured(context, (node, below) => {
    const deepest = Math.max(0, ...below);
    if (node.kind !== Kind.FIELD) return deepest;
    return node.name.value === '__schema' ? 0 : deepest + 1;
  })(operation);

/** Node with a selection set, or a fragment in its place. */
type Selecting = SelectionNode | OperationDefinitionNode | FragmentDefinitionNode;

/**
 * Counts marks of an operation after its fields are merged (GraphQL, "Field Selection Merging"): equal ones of one
 * selection set count once, and the counting ends above the limit. Fields without marks below are not followed, so each
 * step finds one at least, however fragments multiply.
 *
 * @param marksOf returns the marks of a node, itself only
 */
function merged(marksOf: (node: Exclude<Selecting, FragmentDefinitionNode>) => readonly string[]): Find {
  return (operation, context, limit) => {
    const mentioned = measured(context, (node, below) => {
      const own = node.kind === Kind.FRAGMENT_DEFINITION ? [] : marksOf(node);
      return below.reduce((total, number) => total + number, own.length);
    });
    let found = marksOf(operation).length;
    const count = (sets: readonly SelectionSetNode[]): void => {
      const marked = collectSelections(sets, (name) => context.getFragment(name)).filter((node) => mentioned(node) > 0);
      found += new Set(marked.flatMap(marksOf)).size;
      for (const fields of byResponseName(marked.filter((node) => node.kind === Kind.FIELD)).values()) {
        if (found <= limit) count(fields.flatMap(({ selectionSet }) => selectionSet ?? []));
      }
    };
    count([operation.selectionSet]);
    return Math.min(found, limit + 1);
  };
}

/**
 * Measures nodes from the leaves up. A fragment counts wherever it is spread, but is measured once.
 *
 * @param measure returns the result for a node from the results for its selections
 */
function measured(
  context: ValidationContext,
  measure: (node: Selecting, below: readonly number[]) => number,
): (node: Selecting) => number {
  const known = new Map<Selecting, number>();
  const of = (node: Selecting): number => {
    const before = known.get(node);
    if (before !== undefined) return before;
    // A fragment within itself, which another rule refuses, ends here.
    known.set(node, 0);
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? context.getFragment(node.name.value) : undefined;
    const inside = node.kind === Kind.FRAGMENT_SPREAD ? fragment && [fragment] : node.selectionSet?.selections;
    const found = measure(node, (inside ?? []).map(of));
    known.set(node, found);
    return found;
  };
  return of;
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
