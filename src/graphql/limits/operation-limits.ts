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
  defaultFieldResolver,
  getDirectiveValues,
  isObjectType,
  type GraphQLArgument,
  type GraphQLDirective,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  type GraphQLInputType,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { BoundsDirectiveArgs } from '../../../generated/graphql.js';
import { GatewayError, invalidInput, MAX_FAULTS, type FieldFault } from '../../errors.js';
import { argumentsOf, type GivenVariables } from '../execution/variable-faults.js';

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

/** `directive @bounds` of the SDL. */
const DIRECTIVE = 'bounds';

const MAX_INT = 2 ** 31 - 1;

/**
 * Puts a check in front of the resolver of every field with an argument that carries `@bounds`. Beyond the bounds it
 * throws `BadInput` naming arguments and limits, and the resolver is not called.
 *
 * Changes the schema in place. Call it once per schema, before its fields are guarded, so that unauthorized callers
 * learn no bounds.
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

/** Finds faults of a value, {@link MAX_FAULTS} at most. */
function faultsOf(path: FieldFault['path'], value: unknown, bounds: BoundsDirectiveArgs): readonly FieldFault[] {
  const { maxLength, maxItems, min } = bounds;
  if (typeof value === 'string' && typeof maxLength === 'number' && isLonger(value, maxLength)) {
    return [{ path, message: `must be text of at most ${maxLength} characters` }];
  }
  if (typeof value === 'number' && typeof min === 'number' && value < min) {
    return [{ path, message: `must be an integer from ${min} to ${MAX_INT}` }];
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

/** Limit of entries for lists outside jobs: tags and filters. */
const MAX_ENTRIES = 1_000;

/** Limits of entries of jobs. */
export interface ListLimits {
  readonly bulkItems: number;
  readonly reportDrivers: number;
}

interface LongList {
  readonly path: FieldFault['path'];
  readonly length: number;
}

/**
 * Finds a list in the variables of an operation that exceeds every limit. Checks only lengths, before entries are
 * validated, coerced or copied, and once for all fields that receive the list. The bounds of each field are checked
 * later, behind authentication.
 */
export function findLongList(
  given: GivenVariables,
  { bulkItems, reportDrivers }: ListLimits,
): GraphQLError | undefined {
  const { schema, operation, values } = given;
  const limit = Math.max(bulkItems, reportDrivers, MAX_ENTRIES);
  for (const { variable, type: typeNode } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    const found = isInputType(type) ? longListIn(type, values[name], limit) : undefined;
    if (found === undefined) continue;
    const path = [...(argumentsOf(given).get(name) ?? [name]), ...found.path];
    const parts = { found: found.length, limit, variables: 'BULK_MAX_ITEMS, REPORT_MAX_DRIVERS' };
    const fields = [{ path, message: `must be a list of at most ${limit} entries` }];
    const originalError = new GatewayError('TooManyEntries', parts, { fields });
    return new GraphQLError(originalError.message, { originalError });
  }
  return undefined;
}

function longListIn(declared: GraphQLInputType, value: unknown, max: number): LongList | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const type: GraphQLInputType = getNullableType(declared);
  if (isListType(type)) {
    if (!Array.isArray(value)) return longListIn(type.ofType, value, max);
    if (value.length > max) return { path: [], length: value.length };
    return holdsLists(type.ofType) ? firstIn(value, type.ofType, max) : undefined;
  }
  if (!isInputObjectType(type)) return undefined;
  for (const { name, type: fieldType } of Object.values(type.getFields())) {
    const found = longListIn(fieldType, Reflect.get(value, name), max);
    if (found !== undefined) return { path: [name, ...found.path], length: found.length };
  }
  return undefined;
}

function firstIn(list: readonly unknown[], type: GraphQLInputType, max: number): LongList | undefined {
  for (const [index, entry] of list.entries()) {
    const found = longListIn(type, entry, max);
    if (found !== undefined) return { path: [index, ...found.path], length: found.length };
  }
  return undefined;
}

/** Returns true if values of a type may contain lists; lists in scalars are not checked. */
function holdsLists(declared: GraphQLInputType): boolean {
  const type = getNullableType(declared);
  return isListType(type) || isInputObjectType(type);
}
