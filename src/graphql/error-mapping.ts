import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { describeError, ERROR_STATUS, GatewayError, toLine, type ErrorCode } from '../errors.js';
import type { Logger } from '../logging/logger.js';

const MASKED_MESSAGE = 'Something went wrong on our side. Try again later.';

/** Prefix that graphql-armor puts before a limit, although the syntax is valid. */
const ARMOR_PREFIX = /^Syntax Error: (?=.+ limit of \d+ exceeded)/;

/** Settings of the mapping. */
export interface ErrorMappingOptions {
  readonly log: Logger;
  /** Limit on the request body in bytes, for its error. */
  readonly maxBodyBytes: number;
  /** True if suggestions of schema names are removed from messages. */
  readonly privateSchema: boolean;
}

/** The part of a result that the mapping reads. */
interface FailedResult {
  readonly data?: unknown;
  readonly errors?: readonly (GraphQLFormattedError | GraphQLError)[];
}

/**
 * Returns errors of a result as callers may see them. Without data they decide the status of an
 * `application/graphql-response+json` reply (GraphQL over HTTP, "application/graphql-response+json", status codes): the
 * server's status if set, else that of their code. An `application/json` reply stays 200.
 */
export function shownErrors(
  { data, errors = [] }: FailedResult,
  options: ErrorMappingOptions,
): readonly GraphQLError[] {
  const shown = errors.map((error) => toGraphQLError(error, options));
  if (data === undefined) {
    for (const { extensions } of shown) {
      extensions['http'] ??= { status: ERROR_STATUS[extensions['code'] as ErrorCode], spec: true }; // of `formatted`
    }
  }
  return shown;
}

/**
 * Turns an error into GraphQL output (specification, "GraphQL authentication error"); no other function does.
 * `extensions` always holds `code`, `status` and `path`. Errors of the request itself become `BadInput`. Unexpected
 * errors become `InternalError`, logged whole and shown masked.
 */
export function toGraphQLError(
  error: GraphQLFormattedError | GraphQLError,
  { log, maxBodyBytes, privateSchema }: ErrorMappingOptions,
): GraphQLError {
  const original = originalOf(error);
  const path = error.path ?? [];
  if (original instanceof GatewayError && original.code !== 'InternalError') {
    // While a dependency is down, every request fails this way: one line each is enough.
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
 * Removes suggested names (fields, types, arguments, input fields, enum values) from a message. graphql-js always puts
 * them last, in validation and in execution.
 */
function withoutSuggestion(message: string): string {
  const at = message.search(/[\s;]*\bDid you mean\b/i);
  return at < 0 ? message : `${message.slice(0, at).replace(/[.;]$/, '')}.`;
}

/** Turns an error of the HTTP request itself into GraphQL output, for replies without an operation. */
export function toRequestError({ code, message }: GatewayError): GraphQLError {
  return formatted(new GraphQLError(message), code, message);
}

/** Returns the pause of every `TooManyRequests`, with a default for busy backends that give none. */
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
  // `spec` keeps the transport status at 200 for `application/json`. It applies to errors of a document, not to
  // requests without a document.
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
      // The server reads the transport status here and does not send it.
      ...(transport && { http: transport }),
    },
  });
}

interface TransportHints {
  readonly status?: number;
  readonly spec?: boolean;
}

function httpOf({ extensions }: GraphQLFormattedError | GraphQLError): TransportHints | undefined {
  return extensions?.['http'] as TransportHints | undefined; // only the server sets it
}

function originalOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? originalOf(error.originalError) : error;
}

/** True for errors of syntax, validation, variables, arguments or the HTTP request; execution errors have a path. */
function isRequestError(error: GraphQLFormattedError | GraphQLError, original: unknown): boolean {
  if (!(original instanceof GraphQLError)) return false;
  const isArgumentError = (original.nodes?.length ?? 0) > 0 && original !== error;
  return error.path === undefined || isArgumentError;
}
