import { isPromise } from '@envelop/core';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { processRegularResult } from 'graphql-yoga';
import { createDocumentCache } from '../documents/document-cache.js';
import type { Execute } from '../execution/compiled-execution.js';
import { asGraphQLError } from '../error-mapping.js';
import type { Pipeline } from '../pipeline.js';
import type { ParsedBody, RequestContext } from '../context.js';
import { paramsIn } from './request-body.js';
import { toReply, TYPE_HEADERS, type GraphQLReply, type ReplyType } from './reply.js';

type Result = ExecutionResult | Promise<ExecutionResult>;

/** Request in the context of an operation, as plugins read it. */
const POST = { method: 'POST' };

/** Creates a handler that runs operations without the Fetch API, which would take most of the time of a small one. */
export function createDirectHandler(pipeline: Pipeline) {
  // Validity depends on a document's text alone, so a document is validated once.
  const valid = createDocumentCache<DocumentNode>();
  // Yoga makes these functions anew at each access.
  const { getEnveloped, fetchAPI } = pipeline.yoga;

  /** Parses and validates a document. @throws {GraphQLError} the document cannot be parsed */
  function check(pipe: Enveloped, query: string): DocumentNode | readonly GraphQLError[] {
    const document = pipe.parse(query);
    const errors = pipe.validate(pipe.schema, document);
    if (errors.length > 0) return errors;
    valid.set(query, document);
    return document;
  }

  function execute(body: ParsedBody, context: RequestContext): Result {
    const params = pipeline.findDocument(paramsIn(body), context);
    const { query = '', variables, operationName } = params;
    context.params = params;
    context.request = POST;
    const start = (run: Execute, document: DocumentNode): Result =>
      run({ schema: pipeline.schema, document, contextValue: context, variableValues: variables, operationName });
    const known = valid.get(query);
    const type = known && getOperationAST(known, operationName)?.operation;
    // No plugin takes part in what comes after validation, and a whole pipe takes a twentieth of a small operation.
    if (known && type && type !== OperationTypeNode.SUBSCRIPTION) return start(pipeline.execute, known);
    const pipe: Enveloped = getEnveloped(context);
    const document = check(pipe, query);
    if (!('kind' in document)) return { errors: document };
    const isSubscription = getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
    return start(isSubscription ? pipe.subscribe : pipeline.execute, document);
  }

  return {
    /** Runs an operation. @returns a promise only if something had to be awaited */
    run(body: ParsedBody, context: RequestContext): Result {
      try {
        const result = execute(body, context);
        return isPromise(result) ? result.catch(failed) : result;
      } catch (error) {
        return failed(error);
      }
    },
    reply(result: ExecutionResult, type: ReplyType, context: RequestContext): GraphQLReply | Promise<GraphQLReply> {
      if (result.errors === undefined) {
        return { status: 200, headers: TYPE_HEADERS[type], body: JSON.stringify(result) };
      }
      const errors = pipeline.errorsOf(result, context);
      return toReply(processRegularResult({ ...result, errors }, fetchAPI, type));
    },
  };
}

/** The steps of an operation, plugins included; typed `any` by the library. */
interface Enveloped {
  readonly schema: GraphQLSchema;
  readonly parse: (query: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
  readonly subscribe: Execute;
}

function failed(error: unknown): ExecutionResult {
  return { errors: [toError(error)] };
}

/** Wraps errors as Yoga does. */
function toError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return asGraphQLError(error instanceof Error ? error : new Error(String(error)));
}
