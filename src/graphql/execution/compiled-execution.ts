import { isPromise } from '@envelop/core';
import {
  execute,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { GraphQLParams } from 'graphql-yoga';
import { findJsonFault } from '../../jobs/body-faults.js';
import type { CutOff } from '../cut-off.js';
import { findLongList, type ListLimits } from '../limits/list-bounds.js';
import type { OperationNotes } from '../operation-notes.js';
import { turn } from '../../turn.js';
import { flatOperation } from './compiled-subset.js';
import { noteOutcomes, Outcomes, type NotedContext } from './outcomes.js';
import { soundnessChecks, type IsSound } from './sound-values.js';

/** Executions of an operation before it is compiled, which takes as long as some: what comes once is not worth it. */
const INTERPRETED = 5;

/** Size of a request body, in bytes, above which coercion and execution each take as long as others should wait. */
export const LARGE_BODY = 16 * 1024;

/** Faults of variables that are named; graphql-js stops there. */
const MAX_COERCION_ERRORS = 10;

/** Operations of one document that are compiled. */
const MAX_OPERATIONS = 10;

/** A scalar of the SDL whose values are any JSON and are handed on as they are. */
const ANYTHING = 'JSON';

interface Compiled {
  readonly run: CompiledQuery['query'];
  readonly checks: ReadonlyMap<FieldNode, IsSound>;
  /** The document for graphql-js, with variables that are coerced already. */
  readonly coercedDocument: DocumentNode;
}

interface Operation {
  executions: number;
  /** Undefined until compiling is worth it; null when graphql-js runs it. */
  compiled: Compiled | null | undefined;
}

/** What execution reads of the context of an operation. */
export interface ExecutionContext extends NotedContext {
  /** Size of the request body. */
  readonly bodyBytes: number;
  /** Of the request. */
  readonly params?: Pick<GraphQLParams, 'extensions'> | undefined;
  /** Absent in tests of execution alone. */
  readonly notes?: Pick<OperationNotes, 'run'>;
  /** Absent where no backend is called. */
  readonly cutOff?: Pick<CutOff, 'abort'>;
}

type Args = ExecutionArgs & { readonly contextValue: ExecutionContext };

type Result = ExecutionResult | Promise<ExecutionResult>;

/** Runs an operation whose document is valid. */
export type Execute = (args: Args) => Result;

/**
 * Creates execution that answers as `execute` of graphql-js does. An operation that has come a few times and is plainly
 * inside a proven subset is run by compiled code; once anything in it fails, graphql-js answers with what the resolvers
 * returned.
 *
 * Compiled code goes with its document, and that with the cache of documents.
 *
 * @param schema whose resolvers are noted from now on; changed in place
 */
export function createExecute(schema: GraphQLSchema, limits: ListLimits): Execute {
  noteOutcomes(schema);
  const documents = new WeakMap<DocumentNode, Map<OperationDefinitionNode, Operation>>();

  function compiledOf(document: DocumentNode, ast: OperationDefinitionNode): Compiled | null {
    const operations = documents.get(document) ?? new Map<OperationDefinitionNode, Operation>();
    documents.set(document, operations);
    const operation = operations.get(ast) ?? { executions: 0, compiled: undefined };
    if (operations.size === MAX_OPERATIONS && !operations.has(ast)) return null;
    operations.set(ast, operation);
    operation.executions += 1;
    if (operation.compiled === undefined && operation.executions > INTERPRETED) {
      operation.compiled = compile(schema, document, ast);
    }
    return operation.compiled ?? null;
  }

  function run(args: Args, ast: OperationDefinitionNode): Result {
    const compiled = compiledOf(args.document, ast);
    if (compiled === null) return execute({ ...args, options: { maxCoercionErrors: MAX_COERCION_ERRORS } });
    const { coerced, errors } = coerce(schema, ast, args);
    return coerced === undefined ? { errors } : runCompiled(compiled, args, coerced);
  }

  /** Each step may take as long as others should wait. */
  async function runLarge(args: Args, ast: OperationDefinitionNode): Promise<ExecutionResult> {
    await turn();
    const { coerced, errors } = coerce(schema, ast, args);
    if (coerced === undefined) return { errors };
    await turn();
    const compiled = compiledOf(args.document, ast);
    if (compiled !== null) return runCompiled(compiled, args, coerced);
    return execute({ ...args, document: withCoercedVariables(args.document, ast), variableValues: coerced });
  }

  return (args) => {
    const { notes, bodyBytes } = args.contextValue;
    notes?.run(args);
    const ast = getOperationAST(args.document, args.operationName);
    if (!ast) return execute(args);
    const unusable = unusableInput(schema, ast, args, limits);
    if (unusable !== undefined) return { errors: [unusable] };
    return bodyBytes > LARGE_BODY ? runLarge(args, ast) : run(args, ast);
  };
}

/** Coerces the variables of an operation (GraphQL, section "Coercing Variable Values"). */
function coerce(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  { variableValues }: Args,
): ReturnType<typeof getVariableValues> {
  return getVariableValues(schema, variableDefinitions, variableValues ?? {}, { maxErrors: MAX_COERCION_ERRORS });
}

function runCompiled(
  { run, checks, coercedDocument }: Compiled,
  args: Args,
  variableValues: Readonly<Record<string, unknown>>,
): Result {
  const { contextValue } = args;
  const outcomes = new Outcomes(checks);
  contextValue.outcomes = outcomes;
  const settle = ({ data, errors }: ExecutionResult): Result => {
    if (errors === undefined) return { data: data ?? null };
    outcomes.replay();
    return execute({ ...args, document: coercedDocument, variableValues });
  };
  const result = run(args.rootValue, contextValue, variableValues);
  return isPromise(result) ? result.then(settle) : settle(result);
}

function compile(schema: GraphQLSchema, document: DocumentNode, ast: OperationDefinitionNode): Compiled | null {
  const flat = flatOperation(schema, document, ast);
  if (flat === undefined) return null;
  const flatDocument: DocumentNode = { kind: Kind.DOCUMENT, definitions: [flat.operation] };
  const compiled = compileQuery(schema, withCoercedVariables(flatDocument, flat.operation));
  if (!isCompiledQuery(compiled)) return null;
  const coercedDocument = withCoercedVariables(document, ast);
  return { run: compiled.query, checks: soundnessChecks(flat.fields), coercedDocument };
}

/** The same document for variables that are coerced already, and that nothing need be done to any more. */
function withCoercedVariables(document: DocumentNode, ast: OperationDefinitionNode): DocumentNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: ANYTHING } } as const;
  const variableDefinitions = (ast.variableDefinitions ?? []).map(({ kind, variable }) => ({ kind, variable, type }));
  const definitions = document.definitions.map((each) => (each === ast ? { ...ast, variableDefinitions } : each));
  return { ...document, definitions };
}

/**
 * Finds variables and extensions that are refused whatever their operation does with them: lists that are too long, and
 * text or numbers that no backend can be given, such as half of a surrogate pair or integers beyond 2⁵³.
 * Literals hold no such text (GraphQL, section "String Value"), and their integers are judged by their types.
 */
function unusableInput(
  schema: GraphQLSchema,
  ast: OperationDefinitionNode,
  { variableValues: variables, contextValue: { params } }: Args,
  limits: ListLimits,
): GraphQLError | undefined {
  const extensions = params?.extensions;
  if (!variables && !extensions) return undefined;
  const longList = variables ? findLongList(schema, ast, variables, limits) : undefined;
  if (longList !== undefined) return new GraphQLError(longList);
  const fault = findJsonFault({ variables, extensions });
  return fault && new GraphQLError(`${fault.path} ${fault.message}.`, { extensions: { http: { status: 400 } } });
}
