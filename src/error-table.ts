/**
 * The table of all error texts that a reply or the outcome of a job may hold. Errors are constructed from its rows
 * alone, and `schema/README.md` shows it. The name of a row never changes: front ends get it as `reason` and translate
 * by it. A part in braces is filled in with a value of that name, which front ends get in `values`.
 */

/** Error codes of the GraphQL interface and of report entries, with their statuses. */
export const ERROR_STATUS = {
  UnAuthenticated: 400,
  Forbidden: 403,
  NotFound: 404,
  BadInput: 400,
  InvalidCredentials: 401,
  TooManyRequests: 429,
  ServiceUnavailable: 503,
  InternalError: 500,
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Values that are numbers; `count` is that of all `ids`, of which only the first are given. */
export const NUMBERS = ['count', 'found', 'limit', 'min', 'max', 'seconds'] as const;

/** Values that are lists of names or ids; `reasons` are those of `extensions.fields`, in their order. */
export const LISTS = ['ids', 'names', 'reasons', 'variables'] as const;

/**
 * Types of values by name. They are numbers, names and ids, never phrases, so that another language needs no English.
 * Exceptions are `backendText`, the words of a backend, `developerText`, those of a library about a request, and
 * `fault`, which only queue functions get.
 */
type ValueTypes = Record<(typeof NUMBERS)[number], number> &
  Record<(typeof LISTS)[number], readonly string[]> &
  Record<'field' | 'name' | 'type' | 'variable' | 'backendText' | 'developerText' | 'fault', string>;

type Value = number | string | readonly string[];

/** Values of a text by name. */
export type Values = Readonly<Record<string, Value>>;

const ITEM_ERROR_CODES = [
  'NotFound',
  'Forbidden',
  'BadInput',
  'ServiceUnavailable',
  'InternalError',
  'Cancelled',
] as const satisfies readonly (ErrorCode | 'Cancelled')[];

/** Code of a failed item of a job. */
export type ItemErrorCode = (typeof ITEM_ERROR_CODES)[number];

/** Returns true for a code of failed items. */
export function isItemErrorCode(code: unknown): code is ItemErrorCode {
  return ITEM_ERROR_CODES.some((known) => known === code);
}

/** Code of a warning of a job. */
export type JobWarningCode = 'Waiting' | 'AddressesMissing';

/** Text of an error, with its readers, codes and status. */
export interface ErrorRow {
  /** A sentence with a capital and a full stop, unless `fixedBy` is given. */
  readonly text: string;
  /** Readers: end users of a front end, developers of front ends, or developers of queue functions. */
  readonly read: 'users' | 'front ends' | 'queue functions';
  /** Code in GraphQL; absent if no GraphQL reply has the error. */
  readonly code?: ErrorCode;
  /** HTTP status of REST endpoints, or of the transport of GraphQL; absent if the code alone decides. */
  readonly status?: number;
  /** Code of the failure of an item; a text without a sentence follows `[index] id: `. */
  readonly item?: ItemErrorCode;
  /** True for a fault of an argument or a body; its text follows the path. */
  readonly field?: true;
  /** Code of a warning of a job. */
  readonly warning?: JobWarningCode;
  /** Origin of a text that is not a sentence. */
  readonly fixedBy?:
    | 'the specification'
    | 'clients of persisted queries'
    | 'the form of item errors'
    | 'the form of faults';
}

const item = { read: 'users', fixedBy: 'the form of item errors' } as const;
const field = { read: 'front ends', field: true, fixedBy: 'the form of faults' } as const;
const specification = { read: 'users', code: 'UnAuthenticated', fixedBy: 'the specification' } as const;
const forbidden = { read: 'users', code: 'Forbidden' } as const;
const notFound = { read: 'users', code: 'NotFound' } as const;
const wrong = { read: 'users', code: 'InvalidCredentials' } as const;
const tooMany = { read: 'users', code: 'TooManyRequests' } as const;
const down = { read: 'users', code: 'ServiceUnavailable', status: 503 } as const;
const input = { read: 'front ends', code: 'BadInput' } as const;
const request = { ...input, status: 400 } as const;
const callback = { read: 'queue functions' } as const;
const later = { ...callback, status: 503 } as const;
const http = { read: 'front ends' } as const;

export const ERRORS = {
  AuthorizationMissing: { ...specification, text: 'Authorization header not set' },
  TokenInvalid: { ...specification, text: 'token is invalid' },

  AdministratorsOnly: { ...forbidden, text: 'Only administrators may do this.' },
  AccountForbidden: { ...forbidden, text: 'This is not allowed for this account. Ask an administrator.' },
  ForbiddenByBackend: { ...forbidden, item: 'Forbidden', text: '{backendText}' },
  TestOtpOff: { read: 'front ends', code: 'Forbidden', text: 'Test one-time passwords are not available here.' },

  UnknownJob: { ...notFound, text: 'There is no such job.' },
  UnknownMobile: { ...notFound, text: 'There are no such mobiles: {ids}.' },
  UnknownAccount: { ...notFound, text: 'There is no such account.' },
  UnknownToBackend: { ...notFound, item: 'NotFound', text: '{backendText}' },

  WrongPassword: { ...wrong, text: 'The login id or the password is wrong.' },
  WrongOtp: { ...wrong, text: 'The one-time password is wrong or has expired.' },
  WrongRefreshToken: { ...wrong, text: 'The refresh token is not valid. Log in again.' },

  TooManyLogins: {
    ...tooMany,
    text: 'There were too many attempts to log in to this account. Try again in {seconds} seconds.',
  },
  TooManyLoginsFromNetwork: {
    ...tooMany,
    text: 'There were too many attempts to log in from your network. Try again in {seconds} seconds.',
  },
  TooManyOtps: {
    ...tooMany,
    text: 'One-time passwords were requested too often for this account. Try again in {seconds} seconds.',
  },
  TooManyOtpsFromNetwork: {
    ...tooMany,
    text: 'One-time passwords were requested too often from your network. Try again in {seconds} seconds.',
  },
  TooManyOpenJobs: {
    ...tooMany,
    text: 'Your organisation already has as many unfinished jobs as it may have. Try again when one of them has ended.',
  },
  TooManyJobLists: { ...tooMany, text: 'Lists of jobs are asked for too often. Try again in {seconds} seconds.' },
  TooManyAttempts: { ...tooMany, text: 'There were too many attempts. Try again later.' },
  TooManyForBackend: { ...tooMany, item: 'ServiceUnavailable', text: '{backendText}' },

  BackendUnavailable: {
    ...down,
    item: 'ServiceUnavailable',
    text: 'Vehicles and accounts cannot be reached at the moment. Try again later.',
  },
  OddRecords: { ...down, text: 'This page has {count} entries that cannot be read. Try again later.' },
  AddressesUnavailable: { ...down, text: 'Addresses cannot be looked up at the moment. Try again later.' },
  VoiceUnavailable: { ...down, text: 'The state of voice calls cannot be looked up at the moment. Try again later.' },
  StoreUnavailable: { ...down, text: 'Jobs and log-ins cannot be handled at the moment. Try again later.' },
  ReportsUnavailable: { ...down, text: 'Reports cannot be kept or read at the moment. Try again later.' },
  ShuttingDown: { ...down, text: 'The service is being restarted. Try again later.' },
  Busy: { ...down, text: 'The gateway is busy. Try again in a second.' },
  OperationTimeout: { ...down, text: 'The operation took longer than {seconds} s. Try again later.' },
  OutcomeUnknown: {
    ...down,
    text: 'This took longer than {seconds} s, and may have been done. Load the page again to see whether it was.',
  },
  NotStarted: { ...down, text: 'This was not begun, because time had run out. Nothing was changed. Try again later.' },

  InternalError: {
    read: 'users',
    code: 'InternalError',
    status: 500,
    text: 'Something went wrong on our side. Try again later.',
  },

  InvalidInput: { ...input, text: 'The input cannot be used: {reasons}.' },
  EmptyList: { ...input, read: 'users', text: 'The list is empty: a job needs at least one entry.' },
  IdempotencyKeyReused: { ...input, text: 'This idempotency key was used before with another input. Use a new one.' },
  RefusedByBackend: { ...input, read: 'users', item: 'BadInput', text: '{backendText}' },
  RequestRefused: { ...input, read: 'users', text: 'The request was refused. Check what was sent.' },

  TooManyItems: { ...input, status: 413, text: 'Too many items: {found}. The limit is {limit} ({variable}).' },
  TooManyEntries: { ...input, text: 'Too many entries in a list: {found}. The limit is {limit} ({variables}).' },
  TooManyJobStarts: { ...input, text: 'Too many job starts: {found}. The limit is {limit} (GRAPHQL_MAX_JOB_STARTS).' },
  TooManyRootFields: {
    ...input,
    text: 'Too many root fields: {found}. The limit is {limit} (GRAPHQL_MAX_ROOT_FIELDS).',
  },
  TooManyAliases: { ...input, text: 'Too many aliases: {found}. The limit is {limit} (GRAPHQL_MAX_ALIASES).' },
  TooManyDirectives: { ...input, text: 'Too many directives: {found}. The limit is {limit} (GRAPHQL_MAX_DIRECTIVES).' },
  TooManyLevels: { ...input, text: 'Too many levels of fields: {found}. The limit is {limit} (GRAPHQL_MAX_DEPTH).' },
  TooManyRepeats: {
    ...input,
    text: 'Too many fields of one name where one is enough: {found}. The limit is {limit} (GRAPHQL_MAX_REPEATS).',
  },
  TooManyTokens: { ...input, text: 'Too many tokens: over {limit}. The limit is {limit} (GRAPHQL_MAX_TOKENS).' },
  BodyTooLarge: {
    ...input,
    status: 413,
    text: 'The request body is too large. The limit is {limit} bytes ({variable}).',
  },

  InvalidSyntax: { ...input, text: '{developerText}' },
  InvalidDocument: { ...input, text: '{developerText}' },
  IntrospectionOff: { ...input, text: 'Introspection is off here. Use the file of the schema.' },

  UnknownOperation: { ...input, text: 'The document has no operation with the operationName "{name}".' },
  OperationNotNamed: { ...input, text: 'The document has several operations: give the name of one as operationName.' },
  NoOperation: { ...input, text: 'The document has no operation.' },
  InvalidRequest: { ...request, text: '{developerText}' },
  InvalidQueryString: { ...request, text: 'The query string must be percent-encoded UTF-8.' },
  ParametersRepeated: { ...request, text: 'These parameters of the query string must be given once: {names}.' },
  ParametersNotJson: { ...request, text: 'These parameters of the query string must be JSON: {names}.' },
  BodyCutShort: { ...input, status: 408, text: 'The request body was cut short.' },
  BodyNotUtf8: { ...request, text: 'The request body is not UTF-8.' },
  BodyNotJson: { ...request, text: 'The request body is not JSON.' },
  BodyNotObject: { ...request, text: 'The request body must be a JSON object.' },
  NotJsonContent: { ...input, status: 415, text: 'Content-Type must be application/json, without Content-Encoding.' },
  NotAcceptable: {
    ...input,
    status: 406,
    text: 'Accept must allow application/json or application/graphql-response+json.',
  },

  PersistedQueryNotFound: { ...input, fixedBy: 'clients of persisted queries', text: 'PersistedQueryNotFound' },
  PersistedQueryNotSupported: { ...input, fixedBy: 'clients of persisted queries', text: 'PersistedQueryNotSupported' },
  PersistedOnly: {
    ...request,
    text: 'Only persisted operations run here: name one in documentId or extensions.persistedQuery.',
  },
  WrongHash: { ...request, text: 'The hash that names the document is not that of query.' },
  TwoDocuments: { ...request, text: 'Name one document: documentId and extensions.persistedQuery name two.' },
  InvalidDocumentId: {
    ...request,
    text: 'As documentId give a SHA-256 in lower-case hexadecimal, with or without "sha256:" before it.',
  },
  InvalidPersistedQuery: {
    ...request,
    text: 'As extensions.persistedQuery give version 1 and sha256Hash, in lower-case hexadecimal.',
  },

  Unauthorized: { ...callback, status: 401, fixedBy: 'the specification', text: 'Unauthorized' },
  InvalidBody: { ...callback, status: 400, text: 'The request body does not match the specification.' },
  InvalidHeader: { ...callback, status: 400, text: 'The header {name} {fault}.' },
  JobRunning: { ...callback, status: 409, text: 'This job is running already. Try again later for its outcome.' },
  JobIdReused: { ...callback, status: 422, text: 'This job id was used before with a different body.' },
  StartRefused: { ...callback, status: 422, text: 'The start of this job was refused, so the job is not run.' },
  JobGivenUp: {
    ...callback,
    status: 422,
    text:
      'This job was given up: again and again, gateways that ran it ended or lost their lease. It runs again after a ' +
      'replay.',
  },
  JobNotOrdered: { ...callback, status: 422, text: 'Account jobs run here only if a user ordered them.' },
  JobKeyUnknown: { ...later, text: 'This job was accepted under a key that is not known here yet. Try again later.' },
  JobStopped: { ...later, text: 'The service is shutting down. The job goes on where it stopped.' },
  JobRunsAlone: { ...later, text: 'A job has to run alone in this gateway for a moment. Try again later.' },
  OrganisationBusy: {
    ...later,
    text: 'The organisation runs as many jobs as it may while others have work. Try again later.',
  },

  InvalidTarget: {
    ...http,
    status: 400,
    text: 'The request target must be a path in visible ASCII; percent-encode everything else.',
  },
  InvalidHost: {
    ...http,
    status: 400,
    text: 'The Host header must be given once and name a host, with or without a port.',
  },
  UnknownHost: {
    ...http,
    status: 421,
    text: 'This name is not one of a gateway in development. Add it to PUBLIC_URL, or use localhost.',
  },
  NotFound: { ...http, status: 404, text: 'Not found.' },
  MethodNotAllowed: { ...http, status: 405, text: 'Method not allowed.' },
  MethodUnknown: { ...http, status: 501, text: 'Method not implemented.' },
  TransferCodingUnknown: { ...http, status: 501, text: 'Transfer-Encoding must be chunked.' },
  LinkRefused: {
    read: 'users',
    status: 403,
    text: 'This download link has expired or is not valid. Ask for a new one.',
  },
  TooManyDownloads: { read: 'users', status: 503, text: 'Too many files are being downloaded. Try again in a second.' },

  NotDelivered: { read: 'users', item: 'ServiceUnavailable', text: 'The job could not be delivered. Order it again.' },
  NotBegun: { ...item, item: 'Cancelled', text: 'not done, the job was cancelled' },
  NotKnown: { ...item, item: 'Cancelled', text: 'not known to be done, the job was cancelled' },
  NotBegunGivenUp: { ...item, item: 'InternalError', text: 'not done, the job was given up' },
  NotKnownGivenUp: { ...item, item: 'InternalError', text: 'not known to be done, the job was given up' },
  OutOfTime: { ...item, item: 'ServiceUnavailable', text: 'not done, the time allowed for the job was over' },
  CutOff: { ...item, item: 'ServiceUnavailable', text: 'not known to be done, the time allowed for the job was over' },
  NotFetched: { ...item, item: 'ServiceUnavailable', text: 'not fetched, the time allowed for the job was over' },
  TooOldToRepeat: {
    ...item,
    item: 'ServiceUnavailable',
    text: 'not known to be done, it was begun too long ago to be repeated safely',
  },
  NotConfirmed: {
    ...item,
    item: 'ServiceUnavailable',
    text: 'not known to be done, there was no answer that shows it',
  },
  PasswordRefused: { ...item, item: 'BadInput', text: 'the password was refused' },
  FieldRequired: { ...item, item: 'BadInput', text: '{field} is required to create an account' },
  UnusableId: { ...item, item: 'BadInput', text: '{name} cannot be used as an identifier' },
  UnreadableAnswer: { ...item, item: 'ServiceUnavailable', text: 'the answer for it could not be read' },
  ItemFailed: { ...item, item: 'InternalError', text: 'internal error' },

  Waiting: {
    read: 'users',
    warning: 'Waiting',
    text: 'The job cannot be run at the moment. It is tried again by itself.',
  },
  AddressesMissing: {
    read: 'users',
    warning: 'AddressesMissing',
    text: 'The addresses of {count} drivers could not be looked up. Order the report again to have them.',
  },

  Required: { ...field, text: 'is required' },
  Null: { ...field, text: 'must not be null' },
  UnknownMember: { ...field, text: 'is not known here' },
  WrongType: { ...field, text: 'must be of the type {type}' },
  NotOneOf: { ...field, text: 'must be a value of {type}' },
  NotInteger: { ...field, text: 'must be an integer from {min} to {max}' },
  OutOfRange: { ...field, text: 'must be from {min} to {max}' },
  NumberTooLarge: { ...field, text: 'must be a smaller number' },
  NumberNotExact: { ...field, text: 'must be from {min} to {max}; numbers beyond are not exact' },
  TextLength: { ...field, text: 'must be text of {min} to {max} characters' },
  TextTooLong: { ...field, text: 'must be text of at most {max} characters' },
  TextIllFormed: { ...field, text: 'must be well-formed Unicode text, without half of a surrogate pair' },
  NameIllFormed: { ...field, text: 'as a name must be well-formed Unicode text, without half of a surrogate pair' },
  NotPrintable: { ...field, text: 'must be {min} to {max} printable ASCII characters' },
  NotTimestamp: {
    ...field,
    text: 'must be a timestamp such as 2026-11-20T00:00:00+09:00, seconds from 00 to 59, with Z or an offset',
  },
  NoSuchDate: { ...field, text: 'must be a date of the calendar; this one does not exist' },
  DateOutOfRange: { ...field, text: 'must be from 0001-01-02 to 9999-12-30' },
  NotOperationType: { ...field, read: 'queue functions', text: 'must be 0 (create), 1 (update) or 2 (delete)' },
  NotCursor: { ...field, text: 'must be an endCursor' },
  NotKnownMobile: { ...field, text: 'is no known mobile' },
  ListEmpty: { ...field, text: 'must have an entry at least' },
  ListTooLong: { ...field, text: 'must be a list of at most {max} entries' },
  NestedTooDeep: { ...field, text: 'must not be nested deeper than {max} levels' },
  TooManyUnknownMembers: { ...field, text: 'must have at most {max} members that are not known here' },
  NotValid: { ...field, text: 'is not valid' },
} as const satisfies Readonly<Record<string, ErrorRow>>;

type Table = typeof ERRORS;

/** Name of a row. */
export type Reason = keyof Table;

type ReasonWith<Column extends keyof ErrorRow> = {
  [Name in Reason]: Table[Name] extends Record<Column, NonNullable<ErrorRow[Column]>> ? Name : never;
}[Reason];

/** Rows of errors in GraphQL replies. */
export type GraphQLReason = ReasonWith<'code'>;

/** Rows with an HTTP status. */
export type HttpReason = ReasonWith<'status'>;

/** Rows of failed items. */
export type ItemReason = ReasonWith<'item'>;

/** Rows of faults of arguments and bodies. */
export type FieldReason = ReasonWith<'field'>;

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** Names of the values of a text: its placeholders, and `count` beside `ids`. */
type NamesIn<Text extends string> = Placeholders<Text> | ('ids' extends Placeholders<Text> ? 'count' : never);

/** Values of a row. A placeholder without a type cannot be given one. */
export type ValuesOf<Name extends Reason> = {
  readonly [Part in NamesIn<Table[Name]['text']>]: ValueTypes[Part & keyof ValueTypes] & Value;
};

/** Arguments of an error: the values of its text, optional if it has none, and details. */
export type ErrorArguments<Name extends Reason, Details = never> = Name extends Reason
  ? [NamesIn<Table[Name]['text']>] extends [never]
    ? [values?: Record<string, never>, details?: Details]
    : [values: ValuesOf<Name>, details?: Details]
  : never;

/** Returns true for the name of a row of faults. */
export function isFieldReason(name: unknown): name is FieldReason {
  return Object.entries<ErrorRow>(ERRORS).some(([reason, row]) => reason === name && row.field);
}

/** Returns the names of the values of a row. */
export function valueNamesOf(reason: Reason): readonly string[] {
  const names = Array.from(ERRORS[reason].text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return [...new Set(names.includes('ids') ? [...names, 'count'] : names)];
}

/** Longest wait that is given in seconds; longer ones are given in minutes. */
const MAX_SECONDS_IN_WORDS = 120;

/**
 * Returns a text with its values filled in, in English.
 *
 * @param words words for values that are not understood by themselves
 */
export function textOf(reason: Reason, values: Values = {}, words: Readonly<Record<string, string>> = {}): string {
  return ERRORS[reason].text
    .replace('{seconds} seconds', () => inWords(Number(values['seconds'])))
    .replace('{count} drivers', () => (values['count'] === 1 ? '1 driver' : `${Number(values['count'])} drivers`))
    .replace(/\{(\w+)\}/g, (_part, name: string) => words[name] ?? shown(values[name], values['count']));
}

/** @param count number of all entries of a list of which only the first are given */
function shown(value: Values[string] | undefined, count: Values[string] | undefined): string {
  if (typeof value !== 'object') return String(value);
  const left = Number(count ?? 0) - value.length;
  return `${value.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function inWords(seconds: number): string {
  if (seconds > MAX_SECONDS_IN_WORDS) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
