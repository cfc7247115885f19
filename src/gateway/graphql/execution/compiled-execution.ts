import { isPromise } from '@envelop/core';
import {
  execute,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { CutOff } from '../cut-off.js';
import type { OperationLog } from '../operation-log.js';
import { GatewayError } from '../../../base/errors.js';
import { yieldToEventLoop } from '../../../base/waits.js';
import { flatOperation } from './compiled-subset.js';
import { recordResolvers, STILL_OPEN, Outcomes, type RecordedContext } from './outcomes.js';
import { serializabilityChecks, type IsSerializable } from './serializable-values.js';
import { findVariableFaults, type ListLimits } from './variable-faults.js';

/** Executions before compilation, which takes as long as several executions and does not pay for rare operations. */
const INTERPRETED = 5;

/** Size of a request body in bytes above which coercion and execution yield to the event loop. */
export const LARGE_BODY = 16 * 1024;

/** Limit of operations in a document up to which they are compiled. */
const MAX_OPERATIONS = 10;

/** Scalar of the SDL that passes any JSON value unchanged. */
const ANYTHING = 'JSON';

interface Compiled {
  readonly run: CompiledQuery['query'];
  readonly checks: ReadonlyMap<FieldNode, IsSerializable>;
  /** Document for graphql-js that takes coerced variables. */
  readonly coercedDocument: DocumentNode;
}

interface Operation {
  executions: number;
  /** Undefined until compilation pays; null if graphql-js runs the operation. */
  compiled: Compiled | null | undefined;
}

/** Part of an operation's context that execution reads. */
export interface ExecutionContext extends RecordedContext {
  /** Size of the request body in bytes. */
  readonly bodyBytes: number;
  /** These two are absent only in tests of execution. */
  readonly operationLog?: Pick<OperationLog, 'run'>;
  readonly cutOff?: Pick<CutOff, 'begin' | 'mayHaveWritten' | 'end' | 'abort'>;
}

type Args = ExecutionArgs & { readonly contextValue: ExecutionContext };

type Variables = Readonly<Record<string, unknown>>;

type Result = ExecutionResult | Promise<ExecutionResult>;

/** Runs an operation whose document is valid. */
export type Execute = (args: Args) => Result;

/**
 * Creates execution with the same answers as `execute` of graphql-js. Compiled code runs an operation that has come a
 * few times and is clearly inside a proven subset, and is kept as long as its document. If anything in it fails,
 * graphql-js answers with the recorded results of the resolvers.
 *
 * @param schema changed in place: its resolvers are recorded from now on
 */
export function createExecute(schema: GraphQLSchema, limits: ListLimits): Execute {
  recordResolvers(schema);
  const operations = new WeakMap<OperationDefinitionNode, Operation>();

  function compiledOf(document: DocumentNode, ast: OperationDefinitionNode): Compiled | null {
    const operation = operations.get(ast) ?? { executions: 0, compiled: undefined };
    if (operation.executions === 0) operations.set(ast, operation);
    operation.executions += 1;
    if (operation.compiled === undefined && operation.executions > INTERPRETED) {
      operation.compiled = compile(schema, document, ast);
    }
    return operation.compiled ?? null;
  }

  function run(args: Args, ast: OperationDefinitionNode): Result {
    const compiled = compiledOf(args.document, ast);
    if (compiled !== null) {
      const coerced = coerce(ast, args);
      return coerced instanceof GraphQLError ? { errors: [coerced] } : runCompiled(compiled, args, coerced);
    }
    record(args, ast);
    return execute(args);
  }

  /** Yields to the event loop between steps, because each may block it for long. */
  async function runLarge(args: Args, ast: OperationDefinitionNode): Promise<ExecutionResult> {
    await yieldToEventLoop();
    const coerced = coerce(ast, args);
    if (coerced instanceof GraphQLError) return { errors: [coerced] };
    await yieldToEventLoop();
    const compiled = compiledOf(args.document, ast);
    if (compiled !== null) return runCompiled(compiled, args, coerced);
    record(args, ast);
    return execute({ ...args, document: withCoercedVariables(args.document, ast), variableValues: coerced });
  }

  return (args) => {
    const { operationLog, bodyBytes } = args.contextValue;
    operationLog?.run(args);
    const ast = getOperationAST(args.document, args.operationName);
    if (!ast) return execute(args);
    const { document, variableValues } = args;
    const fault = findVariableFaults({ schema, document, operation: ast, values: variableValues ?? {} }, limits);
    if (fault !== undefined) return { errors: [fault] };
    return bodyBytes > LARGE_BODY ? runLarge(args, ast) : run(args, ast);
  };
}

/** Records resolvers of operations that may have a part of their answer when they are cut short. */
function record({ contextValue }: Args, { selectionSet: { selections } }: OperationDefinitionNode): void {
  if (selections.length > 1 || selections[0]?.kind !== Kind.FIELD) contextValue.outcomes = new Outcomes();
}

/**
 * Answers an operation that is still running with the root fields that have ended. Each other root field is null, with
 * an error at its own path. From now on no resolver of the operation is called.
 *
 * @param errorOf makes the error of a root field, by the type of its operation and its response name
 */
export async function answerSoFar(
  args: Args,
  errorOf: (operation: OperationDefinitionNode['operation'], field: string | number) => Error,
): Promise<ExecutionResult> {
  const ast = getOperationAST(args.document, args.operationName);
  if (!ast) return execute(args);
  const outcomes = (args.contextValue.outcomes ??= new Outcomes());
  outcomes.cut();
  const { errors = [] } = await execute(args);
  const open = new Map<string | number, Error>();
  for (const { originalError, path: [field] = [] } of errors) {
    if (originalError === STILL_OPEN && field !== undefined) open.set(field, errorOf(ast.operation, field));
  }
  outcomes.cut(open);
  return execute(args);
}

/** Longest wait at the time limit for a job that is being submitted or cancelled, in milliseconds. */
const WRITE_MS = 2_000;

/**
 * Ends operations that exceed the time limit. Their root fields that have ended are answered, and nothing begins from
 * then on.
 *
 * @param timeoutMs longest execution including authentication, in milliseconds
 */
export function withTimeLimit(execute: Execute, timeoutMs: number): Execute {
  return (args) => {
    const result = execute(args);
    return isPromise(result) ? inTime(result, timeoutMs, args) : result;
  };
}

function inTime(result: Promise<ExecutionResult>, timeoutMs: number, args: Args): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => void endOverdue(args, timeoutMs).then(resolve, reject), timeoutMs);
    void result.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

async function endOverdue(args: Args, timeoutMs: number): Promise<ExecutionResult> {
  const { cutOff } = args.contextValue;
  await cutOff?.end(WRITE_MS);
  // Users read the message; operators, who can change the limit, read the log.
  const cause = new Error('the operation took longer than REQUEST_TIMEOUT_SECONDS');
  const seconds = timeoutMs / 1000;
  const timeout = new GatewayError('OperationTimeout', { seconds }, { cause });
  const unknown = new GatewayError('OutcomeUnknown', { seconds }, { cause });
  const notStarted = new GatewayError('NotStarted', {}, { cause });
  const answer = await answerSoFar(args, (operation, field) => {
    if (operation !== OperationTypeNode.MUTATION) return timeout;
    return cutOff?.mayHaveWritten(field) === true ? unknown : notStarted;
  });
  // Aborted later than answered, because a field whose calls are aborted would count as ended.
  cutOff?.abort(timeout);
  return answer;
}

/** Coerces checked variables of an operation (GraphQL, section "Coercing Variable Values"), or returns the error. */
function coerce(ast: OperationDefinitionNode, { schema, variableValues }: Args): Variables | GraphQLError {
  if (!ast.variableDefinitions?.length) return {};
  const { coerced, errors = [] } = getVariableValues(schema, ast.variableDefinitions, variableValues ?? {});
  return coerced ?? errors[0] ?? new GraphQLError('');
}

function runCompiled({ run, checks, coercedDocument }: Compiled, args: Args, variableValues: Variables): Result {
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
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const flat = operations.length > MAX_OPERATIONS ? undefined : flatOperation(schema, document, ast);
  if (flat === undefined) return null;
  const flatDocument: DocumentNode = { kind: Kind.DOCUMENT, definitions: [flat.operation] };
  const compiled = compileQuery(schema, withCoercedVariables(flatDocument, flat.operation));
  if (!isCompiledQuery(compiled)) return null;
  const coercedDocument = withCoercedVariables(document, ast);
  return { run: compiled.query, checks: serializabilityChecks(flat.fields), coercedDocument };
}

/** Returns the document with variables of a scalar that passes coerced values unchanged. */
function withCoercedVariables(document: DocumentNode, ast: OperationDefinitionNode): DocumentNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: ANYTHING } } as const;
  const variableDefinitions = (ast.variableDefinitions ?? []).map(({ kind, variable }) => ({ kind, variable, type }));
  const definitions = document.definitions.map((each) => (each === ast ? { ...ast, variableDefinitions } : each));
  return { ...document, definitions };
}
