import { GraphQLError, type GraphQLErrorOptions, type GraphQLFormattedError } from 'graphql';
import { endedBy } from '../../clients/call-error.js';
import {
  ERROR_STATUS,
  ERRORS,
  type ErrorArguments,
  type ErrorCode,
  type GraphQLReason,
  type HttpReason,
} from '../../base/error-table.js';
import { asSentence, describeOutage, GatewayError, toLine, type ErrorDetails } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';
import type { CutOff } from './cut-off.js';
import type { OperationLog } from './operation-log.js';

interface ErrorMappingSettings {
  /** True if suggestions of schema names are removed from messages. */
  readonly privateSchema: boolean;
}

interface ErrorContext {
  readonly log: Logger;
  readonly operationLog: Pick<OperationLog, 'answered'>;
  readonly cutOff: Pick<CutOff, 'isAbandoned'>;
}

type AnyError = GraphQLFormattedError | GraphQLError;

/**
 * Returns the errors of a result as callers may see them, and notes them. Without data they decide the status of an
 * `application/graphql-response+json` reply (GraphQL over HTTP, "application/graphql-response+json", status codes): the
 * server's status if set, else that of their code. An `application/json` reply stays 200. If the client has
 * disconnected, errors that follow from that alone are left out.
 */
export function shownErrors(
  { data, errors = [] }: { readonly data?: unknown; readonly errors?: readonly AnyError[] },
  settings: ErrorMappingSettings,
  { log, operationLog, cutOff }: ErrorContext,
): readonly GraphQLError[] {
  const own = cutOff.isAbandoned ? errors.filter((error) => !isOfCutOff(originalOf(error))) : errors;
  const told = new Set<string>();
  const shown = own.map((error) => toGraphQLError(error, settings, { log, told }));
  if (data === undefined) {
    for (const { extensions } of shown) {
      extensions['http'] ??= { status: ERROR_STATUS[extensions['code'] as ErrorCode], spec: true }; // by `outputOf`
    }
  }
  operationLog.answered(shown);
  return shown;
}

/**
 * Turns an error into GraphQL output (specification, "GraphQL authentication error"). Errors of the request itself are
 * `BadInput`. Unexpected errors are `InternalError`, which the log has whole and the caller gets without its text.
 */
function toGraphQLError(
  error: AnyError,
  settings: ErrorMappingSettings,
  { log, told }: { readonly log: Logger; readonly told: Set<string> },
): GraphQLError {
  const original = originalOf(error);
  const path = error.path ?? [];
  if (isGatewayError(original)) {
    // While a dependency is down, every request and many of its fields fail this way: one line each is enough.
    if (original.status >= 500) {
      const reason = describeOutage(original);
      if (!told.has(reason)) log.event('operation.refused', { path, reason });
      told.add(reason);
    }
    return outputOf(error, original);
  }
  if (isRequestError(error, original)) return outputOf(error, ofRequest(error, settings));
  log.event('operation.failed', { err: original ?? error, path });
  return outputOf(error, new GatewayError('InternalError'));
}

/** Returns true for an error of work that was not begun, not received or not waited for. */
function isOfCutOff(error: unknown): boolean {
  if (!isGatewayError(error)) return false;
  return endedBy(error, 'cut off') || error.reason === 'NotStarted' || error.reason === 'BodyCutShort';
}

/** Narrows to any reason; `instanceof` alone leaves the parameter open. */
function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof GatewayError;
}

/** Rows for requests that are refused before an operation; the transport has their status. */
export type RequestReason = Extract<GraphQLReason, HttpReason>;

/** Makes an error of the request itself, with the status of its row. */
export function requestError<Name extends RequestReason>(
  reason: Name,
  ...given: ErrorArguments<Name, ErrorDetails>
): GraphQLError {
  const extensions = { http: { status: ERRORS[reason].status } };
  return asGraphQLError(new GatewayError(reason, ...given), { extensions });
}

export function asGraphQLError(originalError: Error, options: GraphQLErrorOptions = {}): GraphQLError {
  return new GraphQLError(originalError.message, { ...options, originalError });
}

/** Gives an error of graphql-js or of Yoga its reason. The text may name parts of the schema, and quotes no value. */
function ofRequest(error: AnyError, { privateSchema }: ErrorMappingSettings): GatewayError {
  const status = httpOf(error)?.status;
  // Values are removed first, because one may look like a suggestion.
  const bare = QUOTED.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), error.message);
  const shown = privateSchema ? withoutSuggestion(bare) : bare;
  const developerText = asSentence(toLine(shown));
  if (error.message.startsWith('Syntax Error: ')) return new GatewayError('InvalidSyntax', { developerText });
  // The library gives errors of validation a status as well.
  const isOfDocument = status === undefined || (error instanceof GraphQLError && error.nodes !== undefined);
  return new GatewayError(isOfDocument ? 'InvalidDocument' : 'InvalidRequest', { developerText });
}

/**
 * Texts of graphql-js that quote a value, which may be a password: tokens of a document that cannot be parsed, and
 * values that the checks of this gateway let pass. Numbers and strings are removed, names and punctuation stay.
 */
const QUOTED: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^(Syntax Error: .*\b(?:String|BlockString|Int|Float|Comment)) "[^]*"\.$/, '$1.'],
  [/^(Syntax Error: Invalid number, expected digit but got): [^]*$/, '$1 something else.'],
  [/^(Argument "\w+" has) invalid value [^]*$/, '$1 an invalid value.'],
  [/^(Variable "\$\w+") got invalid value [^]*$/, '$1 has an invalid value.'],
];

/** Removes suggested names (fields, types, arguments, input fields, enum values), which graphql-js always puts last. */
function withoutSuggestion(message: string): string {
  const at = message.search(/[\s;]*\bDid you mean\b/i);
  return at < 0 ? message : `${message.slice(0, at).replace(/[.;]$/, '')}.`;
}

/** Turns an error of the HTTP request itself into GraphQL output, for replies without an operation. */
export function toRequestError(error: GatewayError): GraphQLError {
  return outputOf(new GraphQLError(error.message), error);
}

/** Seconds until a retry after `TooManyRequests`, if a busy backend names none. */
const BUSY_BACKEND_SECONDS = 5;

function outputOf(error: AnyError, shown: GatewayError): GraphQLError {
  const { code, reason, values, status, message, fields, retryAfterSeconds = BUSY_BACKEND_SECONDS } = shown;
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
      reason,
      values,
      status,
      path,
      ...(fields && { fields }),
      ...(code === 'TooManyRequests' && { retryAfterSeconds: Math.max(1, retryAfterSeconds) }),
      // The server reads the transport status here and does not send it.
      ...(transport && { http: transport }),
    },
  });
}

function httpOf({ extensions }: AnyError): { readonly status?: number } | undefined {
  return extensions?.['http'] as { readonly status?: number } | undefined; // only the server sets it
}

function originalOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? originalOf(error.originalError) : error;
}

/** True for errors of syntax, validation, variables, arguments or the HTTP request; execution errors have a path. */
function isRequestError(error: AnyError, original: unknown): boolean {
  if (!(original instanceof GraphQLError)) return false;
  const isArgumentError = (original.nodes?.length ?? 0) > 0 && original !== error;
  return error.path === undefined || isArgumentError;
}
