import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  visit,
  type FieldNode,
  type ASTNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
  defaultFieldResolver,
  getDirectiveValues,
  isObjectType,
  type GraphQLArgument,
  type GraphQLDirective,
  type GraphQLSchema,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { BoundsDirectiveArgs } from '../../../generated/graphql.js';
import { GatewayError, invalidInput, MAX_FAULTS, type FieldFault } from '../../errors.js';
import { identifierIn } from '../../wire/identifier.js';

/** Upper limits of one operation. */
export interface OperationLimits {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
  readonly jobStarts: number;
  readonly repeats: number;
}

/** Creates plugins that refuse operations over a limit; each error names the limit. */
export function operationLimitPlugins(limits: OperationLimits): object[] {
  return [
    maxDepthPlugin({ n: limits.depth, flattenFragments: true, ...refusing('TooManyLevels', limits.depth) }),
    maxAliasesPlugin({ n: limits.aliases, allowList: [], ...refusing('TooManyAliases', limits.aliases) }),
    maxDirectivesPlugin({ n: limits.directives, ...refusing('TooManyDirectives', limits.directives) }),
    validationRule(maxRootFields(limits.rootFields)),
    validationRule(maxJobStarts(limits.jobStarts)),
    validationRule(maxRepeats(limits.repeats)),
  ];
}

/** Replaces the error of graphql-armor by our own error, with the number that the text of the former names. */
function refusing(reason: LimitReason, limit: number) {
  const refuse = (_context: unknown, { message }: GraphQLError): never => {
    throw overLimit(reason, limit, Number(/found (\d+)/.exec(message)?.[1]));
  };
  return { onReject: [refuse] };
}

/** Rows for limits of one operation. */
type LimitReason = `TooMany${'Levels' | 'Aliases' | 'Directives' | 'RootFields' | 'JobStarts' | 'Repeats'}`;

function overLimit(reason: LimitReason, limit: number, found: number, nodes?: ASTNode): GraphQLError {
  const originalError = new GatewayError(reason, { limit, found });
  return new GraphQLError(originalError.message, { originalError, nodes: nodes ?? null });
}

/** Creates plugins that refuse introspection. The error mapping removes suggestions from errors. */
export function schemaPrivacyPlugins(): object[] {
  return [validationRule(noIntrospection)];
}

/** Refuses introspection, with this error even if a limit is exceeded as well. */
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
      const found = fieldsIn(operation.selectionSet, context).length;
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
        const found = fieldsIn(operation.selectionSet, context).filter(startsJob).length;
        if (found <= limit) return;
        context.reportError(overLimit('TooManyJobStarts', limit, found, operation));
      },
    };
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

/** `directive @bounds` of the SDL. */
const DIRECTIVE = 'bounds';

/**
 * Puts a check in front of the resolver of every field with an argument that carries `@bounds`. Outside the bounds, it
 * throws `BadInput` naming arguments and limits, and the resolver is not called.
 *
 * Changes the schema in place. Call it once per schema, before its fields are guarded, so that unauthorized callers
 * do not learn the bounds.
 *
 * @throws {Error} the schema has no such directive
 */
export function boundArguments(schema: GraphQLSchema): void {
  const directive = schema.getDirective(DIRECTIVE);
  if (!directive) throw new Error(`The schema does not declare @${DIRECTIVE}.`);
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const bounded = field.args.flatMap((argument) => boundedArgument(argument, directive));
      if (bounded.length === 0) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (parent, values: Record<string, unknown>, context, info) => {
        const faults = bounded.flatMap(({ name, bounds }) => faultsOf([name], values[name], bounds));
        if (faults.length > 0) throw invalidInput(faults.slice(0, MAX_FAULTS));
        return resolve(parent, values, context, info);
      };
    }
  }
}

interface BoundedArgument {
  readonly name: string;
  readonly bounds: BoundsDirectiveArgs;
}

function boundedArgument({ name, astNode }: GraphQLArgument, directive: GraphQLDirective): BoundedArgument[] {
  const bounds: BoundsDirectiveArgs | undefined = astNode ? getDirectiveValues(directive, astNode) : undefined;
  return bounds ? [{ name, bounds }] : [];
}

/** Returns the faults of a value, {@link MAX_FAULTS} at most. */
function faultsOf(path: FieldFault['path'], value: unknown, bounds: BoundsDirectiveArgs): readonly FieldFault[] {
  const { maxLength, maxItems, min } = bounds;
  if (typeof value === 'string' && typeof maxLength === 'number' && isLonger(value, maxLength)) {
    return [{ path, message: `must be text of at most ${maxLength} characters` }];
  }
  if (typeof value === 'string' && typeof min === 'number' && (identifierIn(value) ?? -1) < min) {
    return [{ path, message: `must be an integer from ${min} to ${Number.MAX_SAFE_INTEGER}` }];
  }
  if (!Array.isArray(value)) return [];
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return [{ path, message: `must be a list of at most ${maxItems} entries` }];
  }
  const faults: FieldFault[] = [];
  for (let index = 0; index < value.length && faults.length < MAX_FAULTS; index += 1) {
    faults.push(...faultsOf([...path, index], value[index], bounds));
  }
  return faults;
}

/** Counts characters as Unicode code points, as JSON Schema does. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}
