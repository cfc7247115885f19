import { isPromise } from '@envelop/core';
import {
  execute,
  getOperationAST,
  GraphQLError,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  type SourceLocation,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { CutOff } from '../cut-off.js';
import type { GraphQLParams } from 'graphql-yoga';
import { withCoercedVariables } from './coerced-variables.js';
import { flatOperation } from './flat-operation.js';
import type { OperationNotes } from '../operation-notes.js';
import { findLongList, type ListLimits } from '../limits/list-bounds.js';
import { expandedSelections } from '../limits/operation-size.js';
import { exactInputFault, findVariableFault } from './variable-faults.js';
import { turn } from '../../turn.js';

/** Executions of an operation before it is compiled, which takes as long as some: what comes once is not worth it. */
const INTERPRETED = 5;

/** Selections, fragments written out, up to which an operation is compiled: some 20 ms, once. */
const MAX_SELECTIONS = 500;

/** The same for operations with large variables, which are compiled when they first come: some 2 ms. */
const MAX_SELECTIONS_AT_ONCE = 50;

/** From here on, in bytes of the request body, compiled code coerces variables so much faster that it always pays. */
export const LARGE_BODY = 16 * 1024;

/** Operations of one document that are compiled. */
const MAX_OPERATIONS = 10;

/** Compiled code makes objects with literals, in which this name is no key. */
const UNSAFE_NAME = '__proto__';

type Run = CompiledQuery['query'];

interface Operation {
  executions: number;
  /** Selections, fragments written out. */
  readonly size: number;
  /** Undefined until it is worth it; null when it cannot be compiled. */
  run: Run | null | undefined;
}

/** What execution reads of the context of an operation. */
export interface ExecutionContext {
  /** Size of the request body. */
  readonly bodyBytes: number;
  /** Of the request. */
  readonly params?: Pick<GraphQLParams, 'extensions'> | undefined;
  /** Absent where nobody wants to know. */
  readonly notes?: Pick<OperationNotes, 'run'>;
  /** Absent where nothing is called. */
  readonly cutOff?: Pick<CutOff, 'abort'>;
}

/** Runs an operation whose document is valid. */
export type Execute = (args: ExecutionArgs & { readonly contextValue: ExecutionContext }) => Result;

type Result = ExecutionResult | Promise<ExecutionResult>;

/**
 * Execution as graphql-js does it, by code that is compiled once an operation has come a few times. Wrong variables
 * are left to graphql-js, which says best what is wrong with them, unless there are so many that it would take too
 * long. How many there are is looked at first.
 *
 * What is compiled goes with its document, and that with the cache of documents.
 */
export function createExecute(schema: GraphQLSchema, limits: ListLimits): Execute {
  const documents = new WeakMap<DocumentNode, Map<string, Operation>>();

  function operationOf({ document, operationName }: ExecutionArgs): Operation | undefined {
    const operations = documents.get(document) ?? new Map<string, Operation>();
    documents.set(document, operations);
    const name = operationName ?? '';
    const known = operations.get(name);
    if (known !== undefined || operations.size === MAX_OPERATIONS) return known;
    const operation: Operation = { executions: 0, size: expandedSelections(document), run: undefined };
    operations.set(name, operation);
    return operation;
  }

  /** @param maxAtOnce selections up to which it need not have come before */
  function compiledOf(args: ExecutionArgs, maxAtOnce: number): Run | null {
    const operation = operationOf(args);
    if (operation === undefined) return null;
    operation.executions += 1;
    if (operation.run !== undefined) return operation.run;
    if (operation.size > maxAtOnce && operation.executions <= INTERPRETED) return null;
    operation.run = operation.size > MAX_SELECTIONS ? null : compile(schema, args);
    return operation.run;
  }

  function run(args: ExecutionArgs): Result {
    const compiled = compiledOf(args, 0);
    return compiled === null ? execute(args) : runCompiled(compiled, args);
  }

  /** Each step may take as long as others should wait. */
  async function runLarge(args: ExecutionArgs): Promise<ExecutionResult> {
    await turn();
    const fault = faultOf(schema, args);
    if (fault !== undefined) return { errors: [new GraphQLError(fault)] };
    await turn();
    const compiled = compiledOf(args, MAX_SELECTIONS_AT_ONCE);
    return compiled === null ? execute(withCoercedVariables(schema, args)) : runCompiled(compiled, args);
  }

  function runCompiled(compiled: Run, args: ExecutionArgs): Result {
    const result = compiled(args.rootValue, args.contextValue, args.variableValues ?? undefined);
    if (isPromise(result)) return result.then((settled) => asInterpreted(settled, args.document));
    // Without data nothing has been resolved: variables are wrong.
    return 'data' in result ? asInterpreted(result, args.document) : execute(args);
  }

  return (args) => {
    const { notes, bodyBytes } = args.contextValue;
    notes?.run(args);
    const unusable = unusableInput(schema, args, limits);
    if (unusable !== undefined) return { errors: [unusable] };
    return bodyBytes > LARGE_BODY ? runLarge(args) : run(args);
  };
}

/** The same result as graphql-js writes it: errors first, and with their places in the document. */
function asInterpreted({ data, errors }: ExecutionResult, { loc }: DocumentNode): ExecutionResult {
  if (errors === undefined) return { data: data ?? null };
  const lines = loc?.source.body.split(LINE_END) ?? [];
  const located = errors.map(
    ({ message, locations = [], path, originalError }) =>
      new GraphQLError(message, {
        ...(loc && { source: loc.source, positions: locations.map((place) => offsetOf(place, lines)) }),
        ...(path && { path }),
        ...(originalError && { originalError }),
      }),
  );
  return { errors: located, data: data ?? null };
}

/** What ends a line (GraphQL, section "Line Terminators"); groups keep it in the split text. */
const LINE_END = /(\r\n|[\n\r])/;

function offsetOf({ line, column }: SourceLocation, lines: readonly string[]): number {
  const before = lines.slice(0, 2 * (line - 1));
  return before.reduce((length, text) => length + text.length, 0) + column - 1;
}

function compile(schema: GraphQLSchema, { document, operationName }: ExecutionArgs): Run | null {
  const operation = getOperationAST(document, operationName);
  if (!operation || document.loc?.source.body.includes(UNSAFE_NAME)) return null;
  const flat = flatOperation(schema, document, operation);
  const compiled = flat && compileQuery(schema, flat);
  return compiled && isCompiledQuery(compiled) ? compiled.query : null;
}

/** What is wrong with variables, and what stands beside them, whatever their operation does with them. */
function unusableInput(
  schema: GraphQLSchema,
  { document, operationName, variableValues: variables, contextValue: { params } }: Parameters<Execute>[0],
  limits: ListLimits,
): GraphQLError | undefined {
  const extensions = params?.extensions;
  if (!variables && !extensions) return undefined;
  const operation = getOperationAST(document, operationName);
  const longList = operation && variables ? findLongList(schema, operation, variables, limits) : undefined;
  return longList === undefined ? exactInputFault({ variables, extensions }) : new GraphQLError(longList);
}

function faultOf(
  schema: GraphQLSchema,
  { document, operationName, variableValues }: ExecutionArgs,
): string | undefined {
  const operation = getOperationAST(document, operationName);
  return operation ? findVariableFault(schema, operation, variableValues ?? {}) : undefined;
}
