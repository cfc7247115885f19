/**
 * The table of all error texts that a reply or the outcome of a job may hold. Errors are constructed from its rows
 * alone, and `schema/errors.md` shows it. The name of a row never changes: front ends get it as `reason` and translate
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

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Values that are numbers; `count` is that of all `ids`, of which only the first are given. */
export const NUMBERS = ['count', 'found', 'limit', 'min', 'max', 'seconds', 'status'] as const;

/** Values that are lists of names or ids; `reasons` are those of `extensions.fields`, in their order. */
export const LISTS = ['ids', 'names', 'reasons'] as const;

/** Values that are one of a closed list, which front ends get as types. */
export const CHOICES = {
  field: ['password', 'name'],
  variable: ['BULK_MAX_ITEMS', 'REPORT_MAX_DRIVERS', 'GRAPHQL_MAX_BODY_BYTES', 'CALLBACK_MAX_BODY_BYTES'],
} as const;

type Choices = typeof CHOICES;

/**
 * Types of values by name. They are numbers, names and ids, never phrases, so that another language needs no English.
 * Exceptions are `backendText`, the words of a backend, `developerText`, those of a library about a request, and
 * `fault`, which only queue functions get.
 */
type ValueTypes = Record<(typeof NUMBERS)[number], number> &
  Record<(typeof LISTS)[number], readonly string[]> & {
    readonly [Name in keyof Choices]: Choices[Name][number];
  } & Record<'name' | 'type' | 'backendText' | 'developerText' | 'fault', string>;

type Value = number | string | readonly string[];

export type Values = Readonly<Record<string, Value>>;

const ITEM_CODES = ['NotFound', 'Forbidden', 'BadInput', 'ServiceUnavailable', 'InternalError', 'Cancelled'] as const;

export type ItemErrorCode = (typeof ITEM_CODES)[number];

export function isItemErrorCode(code: unknown): code is ItemErrorCode {
  return ITEM_CODES.some((known) => known === code);
}

export type JobWarningCode = 'Waiting' | 'ForeignAnswer' | 'AddressesMissing' | 'DayNotOver' | 'TableMissing';

/** Text of an error, with its readers, codes and status. */
export interface ErrorRow {
  /** A sentence with a capital and a full stop, unless `fixedBy` is given. */
  readonly text: string;
  /** The same text for a `count` or `max` of 1, where the number is written out. */
  readonly one?: string;
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
  readonly warning?: JobWarningCode;
  /** Origin of a text that is not a sentence. */
  readonly fixedBy?:
    | 'the specification'
    | 'clients of persisted queries'
    | 'the form of item errors'
    | 'the form of faults';
}

/** Makes a function that adds a text to these columns. */
function row<const Columns extends Omit<ErrorRow, 'text'>>(columns: Columns) {
  return <const Text extends string>(text: Text) => ({ ...columns, text });
}

const users = row({ read: 'users' });
const specification = row({ read: 'users', code: 'UnAuthenticated', fixedBy: 'the specification' });
const forbidden = row({ read: 'users', code: 'Forbidden' });
const notFound = row({ read: 'users', code: 'NotFound' });
const wrong = row({ read: 'users', code: 'InvalidCredentials' });
const tooMany = row({ read: 'users', code: 'TooManyRequests' });
const down = row({ read: 'users', code: 'ServiceUnavailable', status: 503 });
const input = row({ read: 'front ends', code: 'BadInput' });
const request = row({ read: 'front ends', code: 'BadInput', status: 400 });
const callbackRow = row({ read: 'queue functions', status: 422 });
const later = row({ read: 'queue functions', status: 503 });
const http = row({ read: 'front ends', status: 400 });
const cancelled = row({ read: 'users', item: 'Cancelled', fixedBy: 'the form of item errors' });
const undone = row({ read: 'users', item: 'ServiceUnavailable', fixedBy: 'the form of item errors' });
const badItem = row({ read: 'users', item: 'BadInput', fixedBy: 'the form of item errors' });
const failed = row({ read: 'users', item: 'InternalError', fixedBy: 'the form of item errors' });
const field = row({ read: 'front ends', field: true, fixedBy: 'the form of faults' });

export const ERRORS = {
  AuthorizationMissing: specification('Authorization header not set'),
  TokenInvalid: specification('token is invalid'),

  AdministratorsOnly: forbidden('Only administrators may do this.'),
  AccountForbidden: forbidden('This is not allowed for this account. Ask an administrator.'),
  ForbiddenByBackend: { ...forbidden('{backendText}'), item: 'Forbidden' },
  TestOtpOff: { ...forbidden('Test one-time passwords are not available here.'), read: 'front ends' },

  UnknownJob: notFound('There is no such job.'),
  UnknownMobile: notFound('There are no such mobiles: {ids}.'),
  UnknownAccount: notFound('There is no such account.'),
  UnknownToBackend: { ...notFound('{backendText}'), item: 'NotFound' },

  WrongPassword: wrong('The login id or the password is wrong.'),
  WrongOtp: wrong('The one-time password is wrong or has expired.'),
  WrongRefreshToken: wrong('The refresh token is not valid. Log in again.'),

  TooManyLogins: tooMany('There were too many attempts to log in to this account. Try again in {seconds} seconds.'),
  TooManyLoginsFromNetwork: tooMany(
    'There were too many attempts to log in from your network. Try again in {seconds} seconds.',
  ),
  TooManyOtps: tooMany('One-time passwords were requested too often for this account. Try again in {seconds} seconds.'),
  TooManyOtpsFromNetwork: tooMany(
    'One-time passwords were requested too often from your network. Try again in {seconds} seconds.',
  ),
  TooManyOpenJobs: tooMany(
    'Your organisation already has as many unfinished jobs as it may have. Try again when one of them has ended.',
  ),
  TooManyKeptJobs: tooMany(
    'You, or your organisation, have as many finished jobs on record as is allowed. They leave it a week after their end.',
  ),
  TooManyOrders: tooMany('You, or your organisation, ordered as much within a minute as is allowed. Try again later.'),
  TooManyJobLists: tooMany('Lists of jobs are asked for too often. Try again in {seconds} seconds.'),
  TooManyAttempts: tooMany('There were too many attempts. Try again later.'),
  TooManyForBackend: { ...tooMany('{backendText}'), item: 'ServiceUnavailable' },

  BackendUnavailable: {
    ...down('Vehicles and accounts cannot be reached at the moment. Try again later.'),
    item: 'ServiceUnavailable',
  },
  OddRecords: {
    ...down('This page has {count} entries that cannot be read. Try again later.'),
    one: 'This page has 1 entry that cannot be read. Try again later.',
  },
  AddressesUnavailable: down('Addresses cannot be looked up at the moment. Try again later.'),
  VoiceUnavailable: down('The state of voice calls cannot be looked up at the moment. Try again later.'),
  ValuesUnavailable: {
    ...down('This page lacks {count} values at the moment. Try again later.'),
    one: 'This page lacks 1 value at the moment. Try again later.',
  },
  StoreUnavailable: down('Jobs and log-ins cannot be handled at the moment. Try again later.'),
  ReportsUnavailable: down('Reports cannot be kept or read at the moment. Try again later.'),
  ShuttingDown: down('The service is being restarted. Try again later.'),
  Busy: down('The gateway is busy. Try again in a second.'),
  SessionUnknown: down('There was no answer, so it is not known whether this was done. Log in again.'),
  OperationTimeout: down('The operation took longer than {seconds} s. Try again later.'),
  OutcomeUnknown: down(
    'This took longer than {seconds} s, and may have been done. Load the page again to see whether it was.',
  ),
  NotStarted: down('This was not begun, because time had run out. Nothing was changed. Try again later.'),

  InternalError: { ...users('Something went wrong on our side. Try again later.'), code: 'InternalError', status: 500 },

  InvalidInput: input('The input cannot be used: {reasons}.'),
  EmptyList: { ...input('The list is empty: a job needs at least one entry.'), read: 'users' },
  DayNotBegun: {
    ...input('The day begins more than 24 hours after the order. Order its report later.'),
    read: 'users',
    item: 'BadInput',
  },
  IdempotencyKeyReused: input('This idempotency key was used before with another input. Use a new one.'),
  RefusedByBackend: { ...input('{backendText}'), read: 'users', item: 'BadInput' },
  RequestRefused: { ...input('The request was refused. Check what was sent.'), read: 'users' },

  TooManyItems: { ...input('Too many items: {found}. The limit is {limit} ({variable}).'), status: 413 },
  TooManyEntries: input('Too many entries in {name}: {found}. The limit is {limit}.'),
  TooManyJobStarts: input('Too many job starts: {found}. The limit is {limit} (GRAPHQL_MAX_JOB_STARTS).'),
  TooManyRootFields: input('Too many root fields: {found}. The limit is {limit} (GRAPHQL_MAX_ROOT_FIELDS).'),
  TooManyAliases: input('Too many aliases: {found}. The limit is {limit} (GRAPHQL_MAX_ALIASES).'),
  TooManyDirectives: input('Too many directives: {found}. The limit is {limit} (GRAPHQL_MAX_DIRECTIVES).'),
  TooManyLevels: input('Too many levels of fields: {found}. The limit is {limit} (GRAPHQL_MAX_DEPTH).'),
  TooManyRepeats: input(
    'Too many fields of one name where one is enough: {found}. The limit is {limit} (GRAPHQL_MAX_REPEATS).',
  ),
  AnswerTooLarge: input('The answer has too much text of jobs. The limit is {limit} bytes (GRAPHQL_MAX_ANSWER_BYTES).'),
  TooManyTokens: input('Too many tokens: over {limit}. The limit is {limit} (GRAPHQL_MAX_TOKENS).'),
  BodyTooLarge: { ...input('The request body is too large. The limit is {limit} bytes ({variable}).'), status: 413 },

  InvalidSyntax: input('{developerText}'),
  InvalidDocument: input('{developerText}'),
  IntrospectionOff: input('Introspection is off here. Use the file of the schema.'),

  UnknownOperation: input('The document has no operation with the operationName "{name}".'),
  OperationNotNamed: input('The document has several operations: give the name of one as operationName.'),
  NoOperation: input('The document has no operation.'),
  InvalidRequest: request('{developerText}'),
  InvalidQueryString: request('The query string must be percent-encoded UTF-8.'),
  ParametersRepeated: request('These parameters of the query string must be given once: {names}.'),
  ParametersNotJson: request('These parameters of the query string must be JSON: {names}.'),
  BodyCutShort: { ...input('The request body was cut short.'), status: 408 },
  BodyNotUtf8: request('The request body is not UTF-8.'),
  BodyNotJson: request('The request body is not JSON.'),
  BodyNotObject: request('The request body must be a JSON object.'),
  NotJsonContent: { ...input('Content-Type must be application/json, without Content-Encoding.'), status: 415 },
  NotAcceptable: { ...input('Accept must allow application/json or application/graphql-response+json.'), status: 406 },

  PersistedQueryNotFound: { ...input('PersistedQueryNotFound'), fixedBy: 'clients of persisted queries' },
  PersistedQueryNotSupported: { ...input('PersistedQueryNotSupported'), fixedBy: 'clients of persisted queries' },
  PersistedOnly: request('Only persisted operations run here: name one in documentId or extensions.persistedQuery.'),
  OperationNotListed: request('This operation is not in the list of persisted operations; load the page again.'),
  WrongHash: request('The hash that names the document is not that of query.'),
  TwoDocuments: request('Name one document: documentId and extensions.persistedQuery name two.'),
  InvalidDocumentId: request(
    'As documentId give a SHA-256 in lower-case hexadecimal, with or without "sha256:" before it.',
  ),
  InvalidPersistedQuery: request(
    'As extensions.persistedQuery give version 1 and sha256Hash, in lower-case hexadecimal.',
  ),

  Unauthorized: { ...callbackRow('Unauthorized'), status: 401, fixedBy: 'the specification' },
  InvalidBody: { ...callbackRow('The request body does not match the specification.'), status: 400 },
  InvalidHeader: { ...callbackRow('The header {name} {fault}.'), status: 400 },
  JobRunning: { ...callbackRow('This job is running already. Try again later for its outcome.'), status: 409 },
  JobIdReused: callbackRow('This job id was used before with a different body.'),
  StartRefused: callbackRow('The start of this job was refused, so the job is not run.'),
  JobGivenUp: callbackRow(
    'This job was given up: again and again, gateways that ran it ended or lost their lease. It runs again after a replay.',
  ),
  MessageOutdated: callbackRow(
    'This job has ended since the message was put into its queue. It runs again after a replay.',
  ),
  JobNotOrdered: callbackRow('Account jobs run here only if a user ordered them.'),
  KeyNotOrdered: callbackRow('This job id is one that an idempotency key makes, and no user ordered the job.'),
  JobKeyUnknown: later('This job was accepted under a key that is not known here yet. Try again later.'),
  JobStopped: later('The service is shutting down. The job goes on where it stopped.'),
  JobRunsAlone: later('A job has to run alone in this gateway for a moment. Try again later.'),
  OrganisationBusy: later('The organisation runs as many jobs as it may while others have work. Try again later.'),

  InvalidTarget: http('The request target must be a path in visible ASCII; percent-encode everything else.'),
  InvalidHost: http('The Host header must be given once and name a host, with or without a port.'),
  UnknownHost: {
    ...http('This name is not one of a gateway in development. Add it to PUBLIC_URL, or use localhost.'),
    status: 421,
  },
  NotFound: { ...http('Not found.'), status: 404 },
  MethodNotAllowed: { ...http('Method not allowed.'), status: 405 },
  HeadTooLarge: {
    ...http('The head of the request is larger than 16 KiB, often because of a token of many roles.'),
    status: 431,
  },
  MethodUnknown: { ...http('Method not implemented.'), status: 501 },
  TransferCodingUnknown: { ...http('Transfer-Encoding must be chunked.'), status: 501 },
  LinkRefused: { ...users('This download link has expired or is not valid. Ask for a new one.'), status: 403 },
  TooManyDownloads: { ...users('Too many files are being downloaded. Try again in a second.'), status: 503 },

  NotDelivered: { ...users('The job could not be delivered. Order it again.'), item: 'ServiceUnavailable' },
  NotBegun: cancelled('not done, the job was cancelled'),
  NotKnown: cancelled('not known to be done, the job was cancelled'),
  NotBegunGivenUp: failed('not done, the job was given up'),
  NotKnownGivenUp: failed('not known to be done, the job was given up'),
  OutOfTime: undone('not done, the time allowed for the job was over'),
  CutOff: undone('not known to be done, the time allowed for the job was over'),
  NotFetched: undone('not fetched, the time allowed for the job was over'),
  TooOldToRepeat: undone('not known to be done, it was begun too long ago to be repeated safely'),
  NotConfirmed: undone('not known to be done, there was no answer that shows it'),
  RefusedInDoubt: undone('not known to be done: {backendText}'),
  RefusedInDoubtExists: undone('not known to be done: {backendText}; an account with this login id exists'),
  PasswordRefused: badItem('the password was refused'),
  FieldRequired: badItem('{field} is required to create an account'),
  UnusableId: badItem('{name} cannot be used as an identifier'),
  UnreadableAnswer: undone('the answer for it could not be read'),
  ItemFailed: failed('internal error'),

  Waiting: { ...users('The job cannot be run at the moment. It is tried again by itself.'), warning: 'Waiting' },
  ForeignAnswer: {
    ...users('The job waits because of {status} from something in front of the gateway. It is tried again by itself.'),
    warning: 'ForeignAnswer',
  },
  AddressesMissing: {
    ...users('The addresses of {count} drivers could not be looked up. Order the report again to have them.'),
    one: 'The addresses of 1 driver could not be looked up. Order the report again to have them.',
    warning: 'AddressesMissing',
  },
  DayNotOver: {
    ...users('The day of the report was not over when its trips were fetched. Order it again after its end.'),
    warning: 'DayNotOver',
  },
  TableMissing: {
    ...users('The table of the report could not be stored. Order the report again to have it.'),
    warning: 'TableMissing',
  },

  Required: field('is required'),
  Null: field('must not be null'),
  UnknownMember: field('is not known here'),
  WrongType: field('must be of the type {type}'),
  NotOneOf: field('must be a value of {type}'),
  NotInteger: field('must be an integer from {min} to {max}'),
  OutOfRange: field('must be from {min} to {max}'),
  NumberTooLarge: field('must be a smaller number'),
  NumberNotExact: field('must be from {min} to {max}; numbers beyond are not exact'),
  TextLength: field('must be text of {min} to {max} characters'),
  TextTooLong: { ...field('must be text of at most {max} characters'), one: 'must be text of at most 1 character' },
  TextIllFormed: field('must be well-formed Unicode text, without half of a surrogate pair'),
  NameIllFormed: field('as a name must be well-formed Unicode text, without half of a surrogate pair'),
  NotPrintable: field('must be {min} to {max} printable ASCII characters'),
  NotTimestamp: field(
    'must be a timestamp such as 2026-11-20T00:00:00+09:00, seconds from 00 to 59, with Z or an offset',
  ),
  NoSuchDate: field('must be a date of the calendar; this one does not exist'),
  DateOutOfRange: field('must be from 0001-01-02 to 9999-12-30'),
  NotOperationType: { ...field('must be 0 (create), 1 (update) or 2 (delete)'), read: 'queue functions' },
  NotCursor: field('must be an endCursor'),
  NotKnownMobile: field('is no known mobile'),
  ListEmpty: field('must have an entry at least'),
  ListTooLong: { ...field('must be a list of at most {max} entries'), one: 'must be a list of at most 1 entry' },
  NestedTooDeep: {
    ...field('must not be nested deeper than {max} levels'),
    one: 'must not be nested deeper than 1 level',
  },
  TooManyUnknownMembers: {
    ...field('must have at most {max} members that are not known here'),
    one: 'must have at most 1 member that is not known here',
  },
  NotValid: field('is not valid'),
} as const satisfies Readonly<Record<string, ErrorRow>>;

type Table = typeof ERRORS;

export type Reason = keyof Table;

type ReasonWith<Column extends keyof ErrorRow> = {
  [Name in Reason]: Table[Name] extends Record<Column, NonNullable<ErrorRow[Column]>> ? Name : never;
}[Reason];

export type GraphQLReason = ReasonWith<'code'>;

export type HttpReason = ReasonWith<'status'>;

export type ItemReason = ReasonWith<'item'>;

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

export function isFieldReason(name: unknown): name is FieldReason {
  return Object.entries<ErrorRow>(ERRORS).some(([reason, row]) => reason === name && row.field);
}

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
  const { text, one = text }: ErrorRow = ERRORS[reason];
  return ((values['count'] ?? values['max']) === 1 ? one : text)
    .replace('{seconds} seconds', () => inWords(Number(values['seconds'])))
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
