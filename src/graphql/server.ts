import { useEngine } from '@envelop/core';
import {
  execute,
  GraphQLError,
  parse,
  subscribe,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import { guardWithGenericAuth } from '../auth/authentication.js';
import type { Authenticate } from '../auth/bearer-token.js';
import { badInput, GatewayError } from '../errors.js';
import { boundArguments } from './argument-bounds.js';
import type { OperationContext, RequestContext, Services } from './context.js';
import { toGraphQLError, toRequestError } from './error-mapping.js';
import { exactInputOnly } from './exact-input.js';
import { jsonRequestsOnly } from './json-requests.js';
import { createLoaders } from './loaders.js';
import { operationLimitPlugins, schemaPrivacyPlugins, type OperationLimits } from './operation-limits.js';

/** How the GraphQL server behaves. */
export interface GraphQLServerOptions {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  readonly authenticate: Authenticate;
  /** Path it is mounted at. */
  readonly endpoint: string;
  readonly limits: OperationLimits & { readonly tokens: number; readonly graphqlBodyBytes: number };
  /** Longest execution of an operation. */
  readonly timeoutMs: number;
  /** Hide the schema: no introspection, no field suggestions. */
  readonly privateSchema: boolean;
}

/** How much later than its operation a call to a backend is cut off, so that the operation names the limit. */
const CUT_OFF_MS = 100;

/** The GraphQL server, to be mounted under `endpoint`. */
export type GraphQLServer = YogaServerInstance<RequestContext, OperationContext>;

/** Creates the GraphQL server. The schema's protected fields are guarded here, so pass a fresh schema. */
export function createGraphQLServer(options: GraphQLServerOptions): GraphQLServer {
  const { schema, services, limits } = options;
  // The guard goes around it.
  boundArguments(schema);
  guardWithGenericAuth(schema, options.authenticate);
  return createYoga<RequestContext, OperationContext>({
    schema,
    graphqlEndpoint: options.endpoint,
    graphiql: false,
    landingPage: false,
    // Its own health check answers every URL that ends so; none ends with a space.
    healthCheckEndpoint: ' ',
    // CORS belongs to the HTTP layer.
    cors: false,
    multipart: false,
    batching: false,
    maxRequestBodySize: limits.graphqlBodyBytes,
    // Errors are turned into output, and logged, by `toGraphQLError` alone.
    maskedErrors: false,
    logging: false,
    context: (context) => {
      const tooLate = AbortSignal.timeout(options.timeoutMs + CUT_OFF_MS);
      const signal = AbortSignal.any([context.request.signal, tooLate]);
      // What resolvers get is this very object: the user will be in it.
      return { loaders: createLoaders(services, context, signal) };
    },
    plugins: [
      jsonRequestsOnly(),
      exactInputOnly(),
      // graphql-js itself: Yoga's own executor puts keys of the response in another order.
      useEngine({
        parse: (source: string, settings: object) => parse(source, { ...settings, maxTokens: limits.tokens }),
        execute,
        subscribe,
      }),
      // Cheap refusals before anything is fetched for the request.
      ...operationLimitPlugins(limits),
      ...(options.privateSchema ? schemaPrivacyPlugins() : []),
      // Around execution, authentication included.
      timeLimit(options.timeoutMs),
      // Last: sees every error, whoever raised it.
      errorOutput(limits.graphqlBodyBytes),
    ],
  });
}

/** Ends operations that take too long; their calls to backends are cut off by the loaders' signal. */
function timeLimit(timeoutMs: number): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn(async (args: ExecutionArgs): Promise<ExecutionResult> => {
        let timer: NodeJS.Timeout | undefined;
        const tooLong = new Promise<ExecutionResult>((resolve) => {
          timer = setTimeout(() => resolve({ errors: [timeoutError(timeoutMs)] }), timeoutMs);
        });
        try {
          const result = executeFn(args) as Promise<ExecutionResult>; // typed `any` by the plugin interface
          return await Promise.race([result, tooLong]);
        } finally {
          clearTimeout(timer);
        }
      });
    },
  };
}

function timeoutError(timeoutMs: number): GraphQLError {
  const message = `The operation took longer than ${timeoutMs / 1000} s (REQUEST_TIMEOUT_SECONDS).`;
  return new GraphQLError(message, { originalError: new GatewayError('ServiceUnavailable', message) });
}

/** Errors of operations and of the HTTP request, in one shape. */
function errorOutput(maxBodyBytes: number): Plugin<object, RequestContext> {
  return {
    onResultProcess(hook) {
      const {
        result,
        serverContext: { log },
      } = hook;
      if (Array.isArray(result) || !('errors' in result)) return;
      const errors = result.errors.map((error) => toGraphQLError(error, { log, maxBodyBytes }));
      hook.setResult({ ...result, errors });
    },
    onResponse(hook) {
      // The server leaves this one without a body.
      if (hook.response.status !== 406) return;
      const error = badInput('Accept must allow application/json or application/graphql-response+json.');
      hook.setResponse(hook.fetchAPI.Response.json({ errors: [toRequestError(error)] }, { status: 406 }));
    },
  };
}
