/**
 * Errors of the gateway, constructed from the rows of `error-table.ts`. One function per transport turns them into
 * output (`http/error-handler.ts`, `graphql/error-mapping.ts`). Any other error becomes an `InternalError` there, and
 * its text stays internal.
 */
import {
  ERROR_STATUS,
  ERRORS,
  textOf,
  type ErrorArguments,
  type ErrorCode,
  type FieldReason,
  type GraphQLReason,
  type ItemErrorCode,
  type ItemReason,
  type Values,
  type ValuesOf,
} from './error-table.js';

/** Fault of something that was given; it never contains the value. */
export interface Fault {
  readonly reason: FieldReason;
  /** The same in words, to be read after the name of the field. */
  readonly message: string;
  readonly values: Values;
}

export interface FieldFault extends Fault {
  /** Path of the argument: its name, then fields and indexes. */
  readonly path: readonly (string | number)[];
}

export function faultOf<Name extends FieldReason>(reason: Name, ...[values]: ErrorArguments<Name>): Fault {
  return { reason, message: textOf(reason, values), values: values ?? {} };
}

/** Number of faults at which checks stop. */
export const MAX_FAULTS = 10;

/** Details of an error beside its text: the cause, for the log only, and faults of arguments. */
export interface ErrorDetails extends ErrorOptions {
  /** {@link MAX_FAULTS} at most. */
  readonly fields?: readonly FieldFault[];
  /** Words for values in the message. */
  readonly words?: Readonly<Record<string, string>>;
  /** Whole seconds until a retry makes sense, if known. */
  readonly retryAfterSeconds?: number | undefined;
}

/** An error as in the specification, with a message written for the caller. */
export class GatewayError<Name extends GraphQLReason = GraphQLReason> extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly fields: readonly FieldFault[] | undefined;
  readonly values: Values;

  /** @param reason row of the table; decides text, code and status */
  constructor(
    readonly reason: Name,
    ...[values = {}, details]: ErrorArguments<Name, ErrorDetails>
  ) {
    super(textOf(reason, values, details?.words), details);
    this.code = ERRORS[reason].code;
    this.values = values;
    this.fields = details?.fields;
    this.retryAfterSeconds = details?.retryAfterSeconds;
  }

  /** Status of the code (specification, "Errors"). */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Makes the error of faulty arguments. @param fields at least one fault; the message names the first */
export function invalidInput(fields: readonly FieldFault[]): GatewayError {
  const [first, ...others] = fields;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  const fault = first === undefined ? '' : `${pathText(first.path)} ${first.message}`;
  const reasons = fields.map(({ reason }) => reason);
  return new GatewayError('InvalidInput', { reasons }, { fields, words: { reasons: `${toLine(fault)}${more}` } });
}

/** Makes the error of a job's list that is too long. @param path place of the list, from its argument on */
export function tooManyItems(values: ValuesOf<'TooManyItems'>, path: FieldFault['path']): GatewayError {
  const fields = [{ path, ...faultOf('ListTooLong', { max: values.limit }) }];
  return new GatewayError('TooManyItems', values, { fields, words: { found: `${values.found} in ${pathText(path)}` } });
}

/** Formats a path as in JavaScript: `items[0].type`. */
export function pathText(path: FieldFault['path']): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');
}

/** Characters that change the lines and the order of the text around them: controls, embeddings and overrides. */
const DISTURBING = /[\p{Cc}\u202A-\u202E]/gu;

/** Returns a text of a backend that disturbs no other text: on one line, with each isolate closed (UAX #9). */
export function undisturbing(text: string): string {
  const shown = text.replace(/[\t\n\v\f\r\u0085]+/g, ' ').replace(DISTURBING, '');
  let open = 0;
  for (const character of shown) {
    if (/[\u2066-\u2068]/.test(character)) open += 1;
    else if (character === '\u2069' && open > 0) open -= 1;
  }
  return shown + '\u2069'.repeat(open);
}

/** Makes a sentence, with a capital and a full stop, of a text from elsewhere. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}${/[.!?…。！？]$/.test(trimmed) ? '' : '.'}`;
}

/** Failure of one item of a job; the caller of the job reads the message. */
export class ItemFailure<Name extends ItemReason = ItemReason> extends Error {
  override readonly name = 'ItemFailure';
  readonly code: ItemErrorCode;
  readonly values: Values;

  constructor(
    readonly reason: Name,
    ...[values = {}]: ErrorArguments<Name>
  ) {
    super(textOf(reason, values));
    this.code = ERRORS[reason].item;
    this.values = values;
  }
}

/** Rows of the table for a limit on attempts. */
export type LimitReason = Extract<
  GraphQLReason,
  `TooMany${'Logins' | 'Otps'}${'' | 'FromNetwork'}` | 'TooManyJobLists'
>;

/** Makes the error of a limit on attempts. The readers of the message do not know our configuration. */
export function tooManyRequests(reason: LimitReason, retryAfterMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new GatewayError(reason, { seconds }, { retryAfterSeconds: seconds });
}

/** Reason that users read, for each dependency by its name in the log. */
const REASON_OF_DEPENDENCY = {
  'backend-api': 'BackendUnavailable',
  'geo-api': 'AddressesUnavailable',
  'voip-api': 'VoiceUnavailable',
  'job store': 'StoreUnavailable',
  Redis: 'StoreUnavailable',
  'Amazon SQS': 'StoreUnavailable',
  'the object store': 'ReportsUnavailable',
  'the report renderer': 'ReportsUnavailable',
  'The service': 'ShuttingDown',
  'the gateway': 'ShuttingDown',
} as const;

export type Dependency = keyof typeof REASON_OF_DEPENDENCY;

/** A dependency does not answer; a later retry may help. Only the log names the dependency. */
export class ServiceUnavailableError extends GatewayError<(typeof REASON_OF_DEPENDENCY)[Dependency]> {
  /** @param cause for the log, and other details; a text becomes an error */
  constructor(
    readonly dependency: Dependency,
    cause?: Pick<ErrorDetails, 'cause' | 'retryAfterSeconds'> | string,
  ) {
    super(REASON_OF_DEPENDENCY[dependency], {}, typeof cause === 'string' ? { cause: new Error(cause) } : cause);
  }
}

/** Returns a text for any thrown value, for the log. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ServiceUnavailableError)
    return `${error.dependency} is temporarily unavailable. Try again later.`;
  if (error.message !== '') return error.message;
  // A host with several addresses fails with an error for each address, and without an overall text.
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  return error.name;
}

const MAX_CAUSES = 8;

/**
 * Returns codes and names of an error and its causes, the outermost first: of the operating system (`ENOENT`), of TLS,
 * of SQLite, of a service. It reads properties instead of classes, because errors of the system may come from another
 * realm.
 */
export function codesOf(error: unknown): readonly string[] {
  const codes: unknown[] = [];
  let next = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof next === 'object' && next !== null; depth += 1) {
    const cause: object = next;
    codes.push(...['Code', 'code', 'name'].map((property): unknown => Reflect.get(cause, property)));
    next = Reflect.get(cause, 'cause');
  }
  return codes.filter((code) => typeof code === 'string');
}

/**
 * Finds the row for an error in a table of codes. The AWS SDK may have wrapped an error of the system, whose code is
 * then in the text.
 */
export function byCode<Row = string>(error: unknown, rows: Readonly<Record<string, Row>>): Row | undefined {
  const wrapped = /\bE[A-Z]{4,}\b/.exec(describeError(error)) ?? [];
  const code = [...codesOf(error), ...wrapped].find((each) => Object.hasOwn(rows, each));
  return code === undefined ? undefined : rows[code];
}

/** Returns the HTTP status of an error of the AWS SDK; undefined without a reply. */
export function awsStatusOf(error: unknown): number | undefined {
  const { $metadata } = Object(error) as { readonly $metadata?: { readonly httpStatusCode?: number } }; // by the SDK
  return $metadata?.httpStatusCode;
}

/** Returns true if an error or one of its causes has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codesOf(error).some((code) => codes.includes(code));
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'SQLITE_FULL', 'ENOSPC', 'EDQUOT');
}

/** Returns the cause of a gateway error for the log, if any, else the error. */
export function causeOf(error: unknown): unknown {
  return error instanceof GatewayError ? (error.cause ?? error) : error;
}

/** Returns the cause of an outage for the log, with the name of the dependency in front. */
export function describeOutage(error: unknown): string {
  const cause = describeError(causeOf(error));
  if (!(error instanceof ServiceUnavailableError) || cause.includes(error.dependency)) return cause;
  return `${error.dependency}: ${cause}`;
}

/** Longest text that repeats input of a caller, in characters: about a line. */
const MAX_LINE = 240;

/** Characters kept at each end of a longer text: the subject and the fault. */
const KEPT = 110;

/** Shortens a text that may repeat a caller's input to one line, by omitting the middle. */
export function toLine(text: string): string {
  const cut = text.length > MAX_LINE ? `${text.slice(0, KEPT)} … ${text.slice(-KEPT)}` : text;
  // The cut may have split a character.
  return cut.toWellFormed();
}
