import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { describeError, ERROR_STATUS, GatewayError, toLine, type ErrorCode } from '../errors.js';
import type { Logger } from '../logging/logger.js';

const MASKED_MESSAGE = 'Something went wrong on our side. Try again later.';

/** Text in which graphql-armor reports a limit, although nothing is wrong with the syntax. */
const ARMOR_PREFIX = /^Syntax Error: (?=.+ limit of \d+ exceeded)/;

/** What the mapping needs besides the error. */
export interface ErrorMappingOptions {
  readonly log: Logger;
  /** Limit on the request body, to be named when it was exceeded. */
  readonly maxBodyBytes: number;
  /** Whether what graphql-js knows of the schema is cut off its messages. */
  readonly privateSchema: boolean;
}

/** The part of a result that the mapping reads. */
interface FailedResult {
  readonly data?: unknown;
  readonly errors?: readonly (GraphQLFormattedError | GraphQLError)[];
}

/**
 * Errors of a result as they may be shown. Without data they decide the status of a reply that is
 * `application/graphql-response+json` (GraphQL over HTTP, "application/graphql-response+json", status codes): where the
 * server has not said which, it is the one that their code stands for. That of `application/json` stays 200.
 */
export function shownErrors(
  { data, errors = [] }: FailedResult,
  options: ErrorMappingOptions,
): readonly GraphQLError[] {
  const shown = errors.map((error) => toGraphQLError(error, options));
  if (data === undefined) {
    for (const { extensions } of shown) {
      extensions['http'] ??= { status: ERROR_STATUS[extensions['code'] as ErrorCode], spec: true }; // by `formatted`
    }
  }
  return shown;
}

/**
 * The one function that turns errors into GraphQL output (specification, "GraphQL authentication error"):
 * `extensions` always holds `code`, `status` and `path`. Errors of the request itself are `BadInput`; what is
 * not ours is `InternalError`, logged whole and shown masked.
 */
export function toGraphQLError(
  error: GraphQLFormattedError | GraphQLError,
  { log, maxBodyBytes, privateSchema }: ErrorMappingOptions,
): GraphQLError {
  const original = originalOf(error);
  const path = error.path ?? [];
  if (original instanceof GatewayError && original.code !== 'InternalError') {
    // While a dependency is down every request says so: a line for each is enough.
    if (original.status >= 500)
      log.event('operation.refused', { path, reason: describeError(original.cause ?? original) });
    return formatted(error, original.code, original.message, pauseOf(original));
  }
  if (isRequestError(error, original)) {
    const message =
      httpOf(error)?.status === 413
        ? `The request body is too large. The limit is ${maxBodyBytes} bytes (GRAPHQL_MAX_BODY_BYTES).`
        : error.message.replace(ARMOR_PREFIX, '');
    return formatted(error, 'BadInput', toLine(privateSchema ? withoutSuggestion(message) : message));
  }
  log.event('operation.failed', { err: original ?? error, path });
  return formatted(error, 'InternalError', MASKED_MESSAGE);
}

/**
 * A message without the names it suggests: of fields, types, arguments, input fields, enum values. graphql-js puts
 * them last, wherever in validation or execution it makes them.
 */
function withoutSuggestion(message: string): string {
  const at = message.search(/[\s;]*\bDid you mean\b/i);
  return at < 0 ? message : `${message.slice(0, at).replace(/[.;]$/, '')}.`;
}

/** An error of the HTTP request itself, for replies that no operation has led to. */
export function toRequestError({ code, message }: GatewayError): GraphQLError {
  return formatted(new GraphQLError(message), code, message);
}

/** When to try again is told with every `TooManyRequests`; a backend that is busy need not say. */
function pauseOf({ code, retryAfterSeconds }: GatewayError): Pause {
  if (code !== 'TooManyRequests') return {};
  return { retryAfterSeconds: Math.max(1, retryAfterSeconds ?? BUSY_BACKEND_SECONDS) };
}

const BUSY_BACKEND_SECONDS = 5;

interface Pause {
  readonly retryAfterSeconds?: number;
}

function formatted(
  error: GraphQLFormattedError | GraphQLError,
  code: ErrorCode,
  message: string,
  pause: Pause = {},
): GraphQLError {
  const { path = [] } = error;
  const { nodes, source, positions } = error instanceof GraphQLError ? error : new GraphQLError(message);
  const http = httpOf(error);
  // `spec` keeps the transport status at 200 for `application/json`; that is for errors of a document, not for a
  // request that holds none.
  const transport = http && (nodes || source ? http : { ...http, spec: false });
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path,
    extensions: {
      code,
      status: ERROR_STATUS[code],
      path,
      ...pause,
      // Read by the server for the transport status and not sent.
      ...(transport && { http: transport }),
    },
  });
}

interface TransportHints {
  readonly status?: number;
  readonly spec?: boolean;
}

function httpOf({ extensions }: GraphQLFormattedError | GraphQLError): TransportHints | undefined {
  return extensions?.['http'] as TransportHints | undefined; // set by the server alone
}

function originalOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? originalOf(error.originalError) : error;
}

/** Errors of syntax, validation, variables, arguments or of the HTTP request; those of execution have a path. */
function isRequestError(error: GraphQLFormattedError | GraphQLError, original: unknown): boolean {
  if (!(original instanceof GraphQLError)) return false;
  const isArgumentError = (original.nodes?.length ?? 0) > 0 && original !== error;
  return error.path === undefined || isArgumentError;
}
