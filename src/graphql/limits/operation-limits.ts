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
import { badInput } from '../../errors.js';

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

/** `directive @bounds` of the SDL. */
const DIRECTIVE = 'bounds';

const MAX_INT = 2 ** 31 - 1;

/**
 * Puts a check in front of the resolver of every field with an argument that carries `@bounds`. Beyond the bounds it
 * throws `BadInput` naming the argument and the limit, and the resolver is not called.
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
        for (const { name, bounds } of bounded) {
          const fault = faultOf(name, values[name], bounds);
          if (fault !== undefined) throw badInput(`${fault}.`);
        }
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

function faultOf(name: string, value: unknown, bounds: BoundsDirectiveArgs): string | undefined {
  const { maxLength, maxItems, min } = bounds;
  if (typeof value === 'string' && typeof maxLength === 'number' && isLonger(value, maxLength)) {
    return `${name} must be text of at most ${maxLength} characters`;
  }
  if (typeof value === 'number' && typeof min === 'number' && value < min) {
    return `${name} must be an integer from ${min} to ${MAX_INT}`;
  }
  if (!Array.isArray(value)) return undefined;
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return `${name} must be a list of at most ${maxItems} entries`;
  }
  const at = value.findIndex((entry) => faultOf(name, entry, bounds) !== undefined);
  return at < 0 ? undefined : faultOf(`${name}[${at}]`, value[at], bounds);
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
  /** Path of names and indexes. */
  readonly place: string;
  readonly length: number;
}

/**
 * Finds a list in the variables of an operation that exceeds every limit. Checks only lengths, before entries are
 * validated, coerced or copied, and once for all fields that receive the list. The bounds of each field are checked
 * later, behind authentication.
 *
 * @returns an error message for users; undefined if no list is too long
 */
export function findLongList(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  { bulkItems, reportDrivers }: ListLimits,
): string | undefined {
  const max = Math.max(bulkItems, reportDrivers, MAX_ENTRIES);
  for (const { variable, type: typeNode } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    const found = isInputType(type) ? longListIn(type, variables[name], max) : undefined;
    if (found === undefined) continue;
    const limit = `No list may have more than ${max} (BULK_MAX_ITEMS, REPORT_MAX_DRIVERS).`;
    return `Variable "$${name}" has a list of ${found.length} entries at "${name}${found.place}". ${limit}`;
  }
  return undefined;
}

function longListIn(declared: GraphQLInputType, value: unknown, max: number): LongList | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const type: GraphQLInputType = getNullableType(declared);
  if (isListType(type)) {
    if (!Array.isArray(value)) return longListIn(type.ofType, value, max);
    if (value.length > max) return { place: '', length: value.length };
    return holdsLists(type.ofType) ? firstIn(value, type.ofType, max) : undefined;
  }
  if (!isInputObjectType(type)) return undefined;
  for (const { name, type: fieldType } of Object.values(type.getFields())) {
    const found = longListIn(fieldType, Reflect.get(value, name), max);
    if (found !== undefined) return { place: `.${name}${found.place}`, length: found.length };
  }
  return undefined;
}

function firstIn(list: readonly unknown[], type: GraphQLInputType, max: number): LongList | undefined {
  for (const [index, entry] of list.entries()) {
    const found = longListIn(type, entry, max);
    if (found !== undefined) return { place: `[${index}]${found.place}`, length: found.length };
  }
  return undefined;
}

/** Returns true if values of a type may contain lists; lists in scalars are not checked. */
function holdsLists(declared: GraphQLInputType): boolean {
  const type = getNullableType(declared);
  return isListType(type) || isInputObjectType(type);
}
