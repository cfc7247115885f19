// Generated from src/error-table.ts; run `npm run codegen` instead of editing.

/** Values of each reason. */
export interface ValuesOfReason {
  readonly AuthorizationMissing: Readonly<Record<string, never>>;
  readonly TokenInvalid: Readonly<Record<string, never>>;
  readonly AdministratorsOnly: Readonly<Record<string, never>>;
  readonly AccountForbidden: Readonly<Record<string, never>>;
  readonly ForbiddenByBackend: { readonly backendText: string };
  readonly TestOtpOff: Readonly<Record<string, never>>;
  readonly UnknownJob: Readonly<Record<string, never>>;
  readonly UnknownMobile: { readonly ids: readonly string[]; readonly count: number };
  readonly UnknownAccount: Readonly<Record<string, never>>;
  readonly UnknownToBackend: { readonly backendText: string };
  readonly WrongPassword: Readonly<Record<string, never>>;
  readonly WrongOtp: Readonly<Record<string, never>>;
  readonly WrongRefreshToken: Readonly<Record<string, never>>;
  readonly TooManyLogins: { readonly seconds: number };
  readonly TooManyLoginsFromNetwork: { readonly seconds: number };
  readonly TooManyOtps: { readonly seconds: number };
  readonly TooManyOtpsFromNetwork: { readonly seconds: number };
  readonly TooManyOpenJobs: Readonly<Record<string, never>>;
  readonly TooManyJobLists: { readonly seconds: number };
  readonly TooManyAttempts: Readonly<Record<string, never>>;
  readonly TooManyForBackend: { readonly backendText: string };
  readonly BackendUnavailable: Readonly<Record<string, never>>;
  readonly OddRecords: { readonly count: number };
  readonly AddressesUnavailable: Readonly<Record<string, never>>;
  readonly VoiceUnavailable: Readonly<Record<string, never>>;
  readonly StoreUnavailable: Readonly<Record<string, never>>;
  readonly ReportsUnavailable: Readonly<Record<string, never>>;
  readonly ShuttingDown: Readonly<Record<string, never>>;
  readonly Busy: Readonly<Record<string, never>>;
  readonly OperationTimeout: { readonly seconds: number };
  readonly OutcomeUnknown: { readonly seconds: number };
  readonly NotStarted: Readonly<Record<string, never>>;
  readonly InternalError: Readonly<Record<string, never>>;
  readonly InvalidInput: { readonly reasons: readonly string[] };
  readonly EmptyList: Readonly<Record<string, never>>;
  readonly IdempotencyKeyReused: Readonly<Record<string, never>>;
  readonly RefusedByBackend: { readonly backendText: string };
  readonly RequestRefused: Readonly<Record<string, never>>;
  readonly TooManyItems: { readonly found: number; readonly limit: number; readonly variable: string };
  readonly TooManyEntries: { readonly found: number; readonly limit: number; readonly variables: readonly string[] };
  readonly TooManyJobStarts: { readonly found: number; readonly limit: number };
  readonly TooManyRootFields: { readonly found: number; readonly limit: number };
  readonly TooManyAliases: { readonly found: number; readonly limit: number };
  readonly TooManyDirectives: { readonly found: number; readonly limit: number };
  readonly TooManyLevels: { readonly found: number; readonly limit: number };
  readonly TooManyRepeats: { readonly found: number; readonly limit: number };
  readonly TooManyTokens: { readonly limit: number };
  readonly BodyTooLarge: { readonly limit: number; readonly variable: string };
  readonly InvalidSyntax: { readonly developerText: string };
  readonly InvalidDocument: { readonly developerText: string };
  readonly IntrospectionOff: Readonly<Record<string, never>>;
  readonly UnknownOperation: { readonly name: string };
  readonly OperationNotNamed: Readonly<Record<string, never>>;
  readonly NoOperation: Readonly<Record<string, never>>;
  readonly InvalidRequest: { readonly developerText: string };
  readonly InvalidQueryString: Readonly<Record<string, never>>;
  readonly ParametersRepeated: { readonly names: readonly string[] };
  readonly ParametersNotJson: { readonly names: readonly string[] };
  readonly BodyCutShort: Readonly<Record<string, never>>;
  readonly BodyNotUtf8: Readonly<Record<string, never>>;
  readonly BodyNotJson: Readonly<Record<string, never>>;
  readonly BodyNotObject: Readonly<Record<string, never>>;
  readonly NotJsonContent: Readonly<Record<string, never>>;
  readonly NotAcceptable: Readonly<Record<string, never>>;
  readonly PersistedQueryNotFound: Readonly<Record<string, never>>;
  readonly PersistedQueryNotSupported: Readonly<Record<string, never>>;
  readonly PersistedOnly: Readonly<Record<string, never>>;
  readonly WrongHash: Readonly<Record<string, never>>;
  readonly TwoDocuments: Readonly<Record<string, never>>;
  readonly InvalidDocumentId: Readonly<Record<string, never>>;
  readonly InvalidPersistedQuery: Readonly<Record<string, never>>;
  readonly NotDelivered: Readonly<Record<string, never>>;
  readonly NotBegun: Readonly<Record<string, never>>;
  readonly NotKnown: Readonly<Record<string, never>>;
  readonly NotBegunGivenUp: Readonly<Record<string, never>>;
  readonly NotKnownGivenUp: Readonly<Record<string, never>>;
  readonly OutOfTime: Readonly<Record<string, never>>;
  readonly CutOff: Readonly<Record<string, never>>;
  readonly NotFetched: Readonly<Record<string, never>>;
  readonly TooOldToRepeat: Readonly<Record<string, never>>;
  readonly NotConfirmed: Readonly<Record<string, never>>;
  readonly PasswordRefused: Readonly<Record<string, never>>;
  readonly FieldRequired: { readonly field: string };
  readonly UnusableId: { readonly name: string };
  readonly UnreadableAnswer: Readonly<Record<string, never>>;
  readonly ItemFailed: Readonly<Record<string, never>>;
  readonly Waiting: Readonly<Record<string, never>>;
  readonly AddressesMissing: { readonly count: number };
  readonly Required: Readonly<Record<string, never>>;
  readonly Null: Readonly<Record<string, never>>;
  readonly UnknownMember: Readonly<Record<string, never>>;
  readonly WrongType: { readonly type: string };
  readonly NotOneOf: { readonly type: string };
  readonly NotInteger: { readonly min: number; readonly max: number };
  readonly OutOfRange: { readonly min: number; readonly max: number };
  readonly NumberTooLarge: Readonly<Record<string, never>>;
  readonly NumberNotExact: { readonly min: number; readonly max: number };
  readonly TextLength: { readonly min: number; readonly max: number };
  readonly TextTooLong: { readonly max: number };
  readonly TextIllFormed: Readonly<Record<string, never>>;
  readonly NameIllFormed: Readonly<Record<string, never>>;
  readonly NotPrintable: { readonly min: number; readonly max: number };
  readonly NotTimestamp: Readonly<Record<string, never>>;
  readonly NoSuchDate: Readonly<Record<string, never>>;
  readonly DateOutOfRange: Readonly<Record<string, never>>;
  readonly NotCursor: Readonly<Record<string, never>>;
  readonly NotKnownMobile: Readonly<Record<string, never>>;
  readonly ListEmpty: Readonly<Record<string, never>>;
  readonly ListTooLong: { readonly max: number };
  readonly NestedTooDeep: { readonly max: number };
  readonly TooManyUnknownMembers: { readonly max: number };
  readonly NotValid: Readonly<Record<string, never>>;
}

/** Every reason. */
export type Reason = keyof ValuesOfReason;

/** A reason with its values, as a reply has them beside `code` and `message`. */
export type Reasoned<Name extends Reason = Reason> = {
  readonly [Each in Name]: { readonly reason: Each; readonly values: ValuesOfReason[Each] };
}[Name];

/** Codes of `extensions` of an error. */
export type ErrorCode =
  | 'UnAuthenticated'
  | 'Forbidden'
  | 'NotFound'
  | 'InvalidCredentials'
  | 'TooManyRequests'
  | 'ServiceUnavailable'
  | 'InternalError'
  | 'BadInput';

/** Reasons of `extensions` of an error. */
export type ErrorReason =
  | 'AuthorizationMissing'
  | 'TokenInvalid'
  | 'AdministratorsOnly'
  | 'AccountForbidden'
  | 'ForbiddenByBackend'
  | 'TestOtpOff'
  | 'UnknownJob'
  | 'UnknownMobile'
  | 'UnknownAccount'
  | 'UnknownToBackend'
  | 'WrongPassword'
  | 'WrongOtp'
  | 'WrongRefreshToken'
  | 'TooManyLogins'
  | 'TooManyLoginsFromNetwork'
  | 'TooManyOtps'
  | 'TooManyOtpsFromNetwork'
  | 'TooManyOpenJobs'
  | 'TooManyJobLists'
  | 'TooManyAttempts'
  | 'TooManyForBackend'
  | 'BackendUnavailable'
  | 'OddRecords'
  | 'AddressesUnavailable'
  | 'VoiceUnavailable'
  | 'StoreUnavailable'
  | 'ReportsUnavailable'
  | 'ShuttingDown'
  | 'Busy'
  | 'OperationTimeout'
  | 'OutcomeUnknown'
  | 'NotStarted'
  | 'InternalError'
  | 'InvalidInput'
  | 'EmptyList'
  | 'IdempotencyKeyReused'
  | 'RefusedByBackend'
  | 'RequestRefused'
  | 'TooManyItems'
  | 'TooManyEntries'
  | 'TooManyJobStarts'
  | 'TooManyRootFields'
  | 'TooManyAliases'
  | 'TooManyDirectives'
  | 'TooManyLevels'
  | 'TooManyRepeats'
  | 'TooManyTokens'
  | 'BodyTooLarge'
  | 'InvalidSyntax'
  | 'InvalidDocument'
  | 'IntrospectionOff'
  | 'UnknownOperation'
  | 'OperationNotNamed'
  | 'NoOperation'
  | 'InvalidRequest'
  | 'InvalidQueryString'
  | 'ParametersRepeated'
  | 'ParametersNotJson'
  | 'BodyCutShort'
  | 'BodyNotUtf8'
  | 'BodyNotJson'
  | 'BodyNotObject'
  | 'NotJsonContent'
  | 'NotAcceptable'
  | 'PersistedQueryNotFound'
  | 'PersistedQueryNotSupported'
  | 'PersistedOnly'
  | 'WrongHash'
  | 'TwoDocuments'
  | 'InvalidDocumentId'
  | 'InvalidPersistedQuery';

/** Codes of an entry of `extensions.fields`. */
export type FieldCode =
  | 'BadInput';

/** Reasons of an entry of `extensions.fields`. */
export type FieldReason =
  | 'Required'
  | 'Null'
  | 'UnknownMember'
  | 'WrongType'
  | 'NotOneOf'
  | 'NotInteger'
  | 'OutOfRange'
  | 'NumberTooLarge'
  | 'NumberNotExact'
  | 'TextLength'
  | 'TextTooLong'
  | 'TextIllFormed'
  | 'NameIllFormed'
  | 'NotPrintable'
  | 'NotTimestamp'
  | 'NoSuchDate'
  | 'DateOutOfRange'
  | 'NotCursor'
  | 'NotKnownMobile'
  | 'ListEmpty'
  | 'ListTooLong'
  | 'NestedTooDeep'
  | 'TooManyUnknownMembers'
  | 'NotValid';

/** Codes of an entry of `failures`, `itemErrors` or `errorList` of a job. */
export type JobFailureCode =
  | 'Forbidden'
  | 'NotFound'
  | 'ServiceUnavailable'
  | 'BadInput'
  | 'Cancelled'
  | 'InternalError';

/** Reasons of an entry of `failures`, `itemErrors` or `errorList` of a job. */
export type JobFailureReason =
  | 'ForbiddenByBackend'
  | 'UnknownToBackend'
  | 'TooManyForBackend'
  | 'BackendUnavailable'
  | 'RefusedByBackend'
  | 'NotDelivered'
  | 'NotBegun'
  | 'NotKnown'
  | 'NotBegunGivenUp'
  | 'NotKnownGivenUp'
  | 'OutOfTime'
  | 'CutOff'
  | 'NotFetched'
  | 'TooOldToRepeat'
  | 'NotConfirmed'
  | 'PasswordRefused'
  | 'FieldRequired'
  | 'UnusableId'
  | 'UnreadableAnswer'
  | 'ItemFailed';

/** Codes of an entry of `warnings` of a job. */
export type JobWarningCode =
  | 'Waiting'
  | 'AddressesMissing';

/** Reasons of an entry of `warnings` of a job. */
export type JobWarningReason =
  | 'Waiting'
  | 'AddressesMissing';

/** An entry of the list: a code with a reason, its text, the names of its values, and the places of a reply. */
export interface PublishedError {
  readonly code: ErrorCode | FieldCode | JobFailureCode | JobWarningCode;
  readonly reason: Reason;
  readonly text: string;
  readonly values: readonly string[];
  readonly where: readonly ('errors' | 'fields' | 'failures' | 'warnings')[];
}
