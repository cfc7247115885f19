import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { processRegularResult, type GraphQLParams } from 'graphql-yoga';
import type { RequestContext } from './context.js';
import { shownErrors } from './error-mapping.js';
import { exactInputFault } from './exact-input.js';
import type { GraphQLReply, ReplyType } from './reply.js';
import type { Pipeline } from './pipeline.js';

/** What plugins read of the request in the context of an operation. */
const POST = { method: 'POST' };

/**
 * Runs an operation through the pipeline without the Fetch API around it, which costs most of a small request. Its
 * plugins and what becomes of errors are those of every other request.
 *
 * @param params that have the types they should
 */
export async function runDirectly(
  pipeline: Pipeline,
  params: GraphQLParams,
  context: RequestContext,
): Promise<ExecutionResult> {
  const fault = exactInputFault(params);
  if (fault !== undefined) return { errors: [fault] };
  const { query = '', variables, operationName } = params;
  // One object from here on: plugins extend it, and resolvers get it.
  const initial = Object.assign(context, { params, request: POST });
  const pipe: Enveloped = pipeline.getEnveloped(initial);
  try {
    const document = pipe.parse(query);
    const errors = pipe.validate(pipe.schema, document);
    if (errors.length > 0) return { errors };
    const args = {
      schema: pipe.schema,
      document,
      contextValue: await pipe.contextFactory(),
      variableValues: variables,
      operationName,
    };
    const isSubscription = getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
    return await (isSubscription ? pipe.subscribe : pipe.execute)(args);
  } catch (error) {
    return { errors: [toError(error)] };
  }
}

/** The steps of an operation, plugins included; typed `any` by the library. */
interface Enveloped {
  readonly schema: GraphQLSchema;
  readonly parse: (query: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
  readonly contextFactory: () => unknown;
  readonly execute: (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;
  readonly subscribe: (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;
}

/** As Yoga hands errors on. */
function toError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

/** A result as it is sent. */
export async function replyTo(
  result: ExecutionResult,
  { type, maxBodyBytes, context: { log } }: { type: ReplyType; maxBodyBytes: number; context: RequestContext },
  { fetchAPI }: Pipeline,
): Promise<GraphQLReply> {
  const { errors } = result;
  if (errors === undefined) {
    return { status: 200, headers: [['content-type', `${type}; charset=utf-8`]], body: JSON.stringify(result) };
  }
  const reply = processRegularResult({ ...result, errors: shownErrors(errors, { log, maxBodyBytes }) }, fetchAPI, type);
  return { status: reply.status, headers: [...reply.headers], body: await reply.text() };
}
