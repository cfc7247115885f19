import { useEngine } from '@envelop/core';
import {
  getOperationAST,
  Kind,
  subscribe,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
  type GraphQLSchema,
  defaultFieldResolver,
  getDirectiveValues,
  isObjectType,
} from 'graphql';
import { createYoga, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { BoundsDirectiveArgs } from '../../../generated/graphql.js';
import { guardSchema } from '../auth/guard.js';
import type { Authenticate } from '../auth/bearer-token.js';
import type { Limits } from '../../base/config/config.js';
import { GatewayError, toLine, faultOf, invalidInput, MAX_FAULTS, type FieldFault } from '../../base/errors.js';
import { identifierIn } from '../../base/wire/json-content.js';
import { guardMutations } from './cut-off.js';
import { createExecute, withTimeLimit } from './execution/compiled-execution.js';
import { createDocumentCache } from './documents/document-cache.js';
import { documentRulesPlugin, parseWithin, validateWith, type DocumentRules } from './documents/document-rules.js';
import { asGraphQLError, requestError, shownErrors } from './error-mapping.js';
import { jsonRequestsOnly, judgedParams } from './handlers/request-body.js';
import {
  createFindDocument,
  type FindDocument,
  persistedOperationsPlugin,
  type PersistedOperationsOptions,
} from './documents/persisted-operations.js';
import type { RequestContext } from './context.js';

export interface PipelineOptions extends DocumentRules {
  readonly schema: GraphQLSchema;
  readonly authenticate: Authenticate;
  readonly endpoint: string;
  readonly limits: Limits;
  /** Longest execution of an operation, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Undefined: all documents are accepted. */
  readonly persistedOperations?: PersistedOperationsOptions | undefined;
}

/** The pipeline of all operations, from either handler. */
export type Pipeline = ReturnType<typeof createPipeline>;

type ErrorsOf = (result: Parameters<typeof shownErrors>[0], context: RequestContext) => readonly GraphQLError[];

/** Creates the pipeline. Guards the schema's protected fields in place, so pass a fresh schema. */
export function createPipeline(options: PipelineOptions) {
  const { schema, limits, privateSchema } = options;
  const namedDocument = createFindDocument(options.persistedOperations);
  const findDocument: FindDocument = (given, context) => judgedParams(namedDocument(given, context));
  const errorsOf: ErrorsOf = (result, context) => shownErrors(result, { privateSchema }, context);
  // Before the guard, which wraps these checks.
  boundArguments(schema);
  guardMutations(schema);
  guardSchema(schema, options.authenticate);
  // Replaces envelop's `execute`, which asks all plugins and so creates a quarter of the objects of a small operation.
  // Only the engine plugin affects it. The limit includes authentication. Every context comes from a handler.
  const execute = withTimeLimit(createExecute(schema, limits), options.requestTimeoutMs);
  const yoga = createYoga<RequestContext>({
    schema,
    graphqlEndpoint: options.endpoint,
    graphiql: false,
    landingPage: false,
    // Yoga's health check answers every URL with this ending. A space turns it off, because no URL ends with one.
    healthCheckEndpoint: ' ',
    // CORS belongs to the HTTP layer.
    cors: false,
    multipart: false,
    batching: false,
    extraParamNames: ['documentId'],
    // The parser of this gateway has a limit, after which the connection stays usable or closes in order.
    maxRequestBodySize: false,
    // Only `toGraphQLError` turns errors into output and logs them.
    maskedErrors: false,
    logging: false,
    parserAndValidationCache: { documentCache: createDocumentCache(), errorCache: createDocumentCache() },
    plugins: [
      jsonRequestsOnly(),
      persistedOperationsPlugin(findDocument),
      // Yoga's own executor orders the keys of a response differently from graphql-js.
      useEngine({
        parse: parseWithin(limits),
        validate: validateWith({ hideSuggestions: privateSchema }),
        execute: execute as (args: ExecutionArgs) => unknown,
        subscribe,
      }),
      operationsNamed(),
      // These refusals cost little, and so come before the keys are fetched.
      documentRulesPlugin(options),
      // Last, so that it sees every error.
      errorOutput(errorsOf),
    ],
  });
  return { yoga, schema, findDocument, execute, errorsOf };
}

/** Creates a plugin that refuses requests whose document has no operation of the given name. */
function operationsNamed(): Plugin<object, RequestContext> {
  return { onParse: () => requireOperation };
}

function requireOperation({
  result,
  context,
}: {
  readonly result: unknown;
  readonly context: YogaInitialContext;
}): void {
  // Typed `any` by the library.
  const document = result as DocumentNode | Error;
  const { operationName } = context.params;
  if (document instanceof Error || getOperationAST(document, operationName)) return;
  // Yoga does not check its type.
  if (operationName != null && typeof operationName !== 'string') {
    throw requestError('InvalidRequest', { developerText: 'operationName must be text.' });
  }
  const hasOperation = document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const refusal = !hasOperation
    ? new GatewayError('NoOperation')
    : operationName == null
      ? new GatewayError('OperationNotNamed')
      : new GatewayError('UnknownOperation', { name: toLine(operationName) });
  throw asGraphQLError(refusal, { nodes: document.definitions });
}

/** Creates a plugin that gives errors of operations and of the HTTP request one shape. */
function errorOutput(errorsOf: ErrorsOf): Plugin<object, RequestContext> {
  return {
    onResultProcess(hook) {
      const { result, serverContext } = hook;
      if (Array.isArray(result) || !('errors' in result)) return;
      hook.setResult({ ...result, errors: errorsOf(result, serverContext) });
    },
  };
}

const DIRECTIVE = 'bounds';

/**
 * Puts a check in front of the resolver of every field with an argument that carries `@bounds`: outside the bounds, it
 * throws `BadInput` naming arguments and limits. Changes the schema in place. Call it once per schema, before its
 * fields are guarded, so that unauthorized callers do not learn the bounds.
 *
 * @throws {Error} the schema has no such directive
 */
function boundArguments(schema: GraphQLSchema): void {
  const directive = schema.getDirective(DIRECTIVE);
  if (!directive) throw new Error(`The schema does not declare @${DIRECTIVE}.`);
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const bounded = field.args.flatMap(({ name, astNode }) => {
        const bounds: BoundsDirectiveArgs | undefined = astNode ? getDirectiveValues(directive, astNode) : undefined;
        return bounds ? [{ name, bounds }] : [];
      });
      if (bounded.length === 0) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (parent, values: Record<string, unknown>, context, info) => {
        const faults = bounded.flatMap(({ name, bounds }) => boundsFaultsOf([name], values[name], bounds));
        if (faults.length > 0) throw invalidInput(faults.slice(0, MAX_FAULTS));
        return resolve(parent, values, context, info);
      };
    }
  }
}

/** Returns the faults of a value, {@link MAX_FAULTS} at most. */
function boundsFaultsOf(path: FieldFault['path'], value: unknown, bounds: BoundsDirectiveArgs): readonly FieldFault[] {
  const { maxLength, maxItems, min } = bounds;
  if (typeof value === 'string' && typeof maxLength === 'number' && isLonger(value, maxLength)) {
    return [{ path, ...faultOf('TextTooLong', { max: maxLength }) }];
  }
  if (typeof value === 'string' && typeof min === 'number' && (identifierIn(value) ?? -1) < min) {
    return [{ path, ...faultOf('NotInteger', { min, max: Number.MAX_SAFE_INTEGER }) }];
  }
  if (!Array.isArray(value)) return [];
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return [{ path, ...faultOf('ListTooLong', { max: maxItems }) }];
  }
  const faults: FieldFault[] = [];
  for (let index = 0; index < value.length && faults.length < MAX_FAULTS; index += 1) {
    faults.push(...boundsFaultsOf([...path, index], value[index], bounds));
  }
  return faults;
}

/** Counts characters as Unicode code points, as JSON Schema does. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}
