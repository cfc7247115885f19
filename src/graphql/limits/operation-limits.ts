import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  visit,
  type ASTNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { GatewayError } from '../../errors.js';

/** Upper limits of one operation. */
export interface OperationLimits {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
  readonly jobStarts: number;
  readonly repeats: number;
}

/** Creates rules that refuse operations over a limit; each error names the limit. */
export function operationLimitRules(limits: OperationLimits): ValidationRule[] {
  return [
    upTo(limits.depth, 'TooManyLevels', depth),
    upTo(limits.aliases, 'TooManyAliases', aliases),
    upTo(limits.directives, 'TooManyDirectives', directives),
    upTo(limits.rootFields, 'TooManyRootFields', rootFields),
    upTo(limits.jobStarts, 'TooManyJobStarts', jobStarts),
    maxRepeats(limits.repeats),
  ];
}

/** Rows for limits of one operation. */
type LimitReason = `TooMany${'Levels' | 'Aliases' | 'Directives' | 'RootFields' | 'JobStarts' | 'Repeats'}`;

function overLimit(reason: LimitReason, limit: number, found: number, nodes?: ASTNode): GraphQLError {
  const originalError = new GatewayError(reason, { limit, found });
  return new GraphQLError(originalError.message, { originalError, nodes: nodes ?? null });
}

/** Refuses operations in which something is found more often than the limit. */
function upTo(limit: number, reason: LimitReason, find: Find): ValidationRule {
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

/** Counts the fields that start a job. */
const jobStarts: Find = ({ operation, selectionSet }, context) => {
  if (operation !== OperationTypeNode.MUTATION) return 0;
  const fields = context.getSchema().getMutationType()?.getFields() ?? {};
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
 * Measures an operation from its leaves up. A fragment counts wherever it is spread, but is measured once: following
 * every spread would take exponential time.
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
          const counts = new Map<string, number>();
          for (const { alias, name } of fieldsIn(selectionSet, context)) {
            const { value } = alias ?? name;
            counts.set(value, (counts.get(value) ?? 0) + 1);
          }
          const found = Math.max(0, ...counts.values());
          if (found > limit) throw overLimit('TooManyRepeats', limit, found, selectionSet);
        },
      });
    },
  });
}

/**
 * Returns the fields of a selection set, including those that a directive may skip. Each fragment is executed once and
 * counts once; following every spread would take exponential time.
 */
function fieldsIn(selectionSet: SelectionSetNode, context: ValidationContext): readonly FieldNode[] {
  const entered = new Set<string>();
  const fields: FieldNode[] = [];
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!entered.has(selection.name.value)) {
        entered.add(selection.name.value);
        const definition = context.getFragment(selection.name.value);
        if (definition) collect(definition.selectionSet);
      }
    }
  };
  collect(selectionSet);
  return fields;
}
