import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A point in time, RFC 3339: a string such as `2026-11-22T09:30:00.000Z`. */
  DateTime: { input: string; output: string; }
  /**
   * Any JSON value: a string, a number, a boolean, null, a list or an object, nested up to 60 levels (64 with the input
   * around it). It is passed on as it is. As in I-JSON (RFC 7493), whole numbers are from -9007199254740991 to
   * 9007199254740991 (1e21 is refused), other numbers are those of IEEE 754, and text is well-formed Unicode.
   */
  JSON: { input: unknown; output: unknown; }
};

/** A driver of the report. */
export type DriverInput = {
  /** Employee code, 256 characters at most. */
  readonly employeeCode: Scalars['String']['input'];
  /** Employee name, 256 characters at most. */
  readonly employeeName: Scalars['String']['input'];
  /** Mobile station identifier: any text of 1 to 128 characters. */
  readonly mobileId: Scalars['ID']['input'];
};

/** The driving report of one day. */
export type DrivingReportsInput = {
  /**
   * Timestamp with a UTC offset (RFC 3339), from 0001-01-02 to 9999-12-30; the driving day is its calendar day in that
   * offset, or in the time zone of the service if it has one for reports. 20 November in Tokyo is
   * `2026-11-20T00:00:00+09:00`. There, `new Date(2026, 10, 20).toISOString()` orders the 19th, because it ends in `Z`.
   */
  readonly date: Scalars['String']['input'];
  /** One section per driver. */
  readonly drivers: ReadonlyArray<DriverInput>;
};

/**
 * Values of `extensions.code` of an error; no field has this type. `extensions.status` is the number in parentheses, and
 * `extensions.path` the place of the field, empty for the request as a whole.
 */
export type ErrorCode =
  /** The request cannot be used; the message says what to change (400). */
  | 'BadInput'
  /** The user may not do this (403). */
  | 'Forbidden'
  /** The gateway failed (500). The request id in the header `X-Request-Id` finds it in the log. */
  | 'InternalError'
  /** The password, one-time password or refresh token is wrong (401). */
  | 'InvalidCredentials'
  /** It does not exist, or the user may not see it (404). */
  | 'NotFound'
  /** A service behind the gateway does not answer, or the gateway is busy (503). Try again later. */
  | 'ServiceUnavailable'
  /** Too many attempts, or too many jobs that have not ended (429). Try again after `extensions.retryAfterSeconds`. */
  | 'TooManyRequests'
  /** The token is missing or not valid (400). Log in, or refresh the session. */
  | 'UnAuthenticated';

/** Codes of failures inside a job. */
export type JobFailureCode =
  /** The item cannot be used; the message says why. */
  | 'BadInput'
  /** The job was cancelled before this was done. */
  | 'Cancelled'
  /** The organisation may not do this. */
  | 'Forbidden'
  /** The gateway failed. Tell an operator, who finds the job in the log. */
  | 'InternalError'
  /** The mobile or the account does not exist, or the organisation may not see it. */
  | 'NotFound'
  /** A service behind the gateway did not answer in time. Order it again later. */
  | 'ServiceUnavailable';

/** Kinds of jobs. */
export type JobKind =
  /** Driving reports; `DrivingReportsStatus`. */
  | 'DRIVING_REPORTS'
  /** Bulk updates of mobiles; `BulkUpdateMobileStatus`. */
  | 'MOBILES'
  /** Bulk operations on user accounts; `BulkOperationUserAccountStatus`. */
  | 'USER_ACCOUNTS';

/** Outcomes of a job. */
export type JobOutcome =
  /** Something failed or was not done: `errors`. */
  | 'Failure'
  /** All was done. */
  | 'Success';

/** States of a job. */
export type JobState =
  /** Ended; the outcome is known. */
  | 'FINISHED'
  /** Accepted, not started. */
  | 'PENDING'
  /** Being handled. */
  | 'RUNNING';

/** Codes of notes that are not failures. */
export type JobWarningCode =
  /** A report was made without some of its addresses. Order it again to get them. */
  | 'AddressesMissing'
  /** The day of a report was not over when its trips were fetched: the report has them so far. Order it again afterwards. */
  | 'DayNotOver'
  /**
   * The same, because something in front of the gateway answers in its place; `values.status` is its HTTP status. An operator
   * has to look at the proxy.
   */
  | 'ForeignAnswer'
  /** The PDF of a report was stored, and the table of its figures was not: `tableUrl` is null. */
  | 'TableMissing'
  /** The job could not be run yet, and is tried again by itself. Keep polling. */
  | 'Waiting';

/** A change of one mobile; fields that are left out stay as they are. */
export type MobileUpdateInput = {
  /** Mobile station identifier. */
  readonly id: Scalars['ID']['input'];
  /** Name, 256 characters at most. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Mobile number or label, 256 characters at most. */
  readonly num?: InputMaybe<Scalars['String']['input']>;
  /** Tag identifiers, 1000 at most. */
  readonly tagIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** Fields of a user account. */
export type UserAccountInput = {
  /** Function restriction code. */
  readonly functionRestriction?: InputMaybe<Scalars['Int']['input']>;
  /** Entries of the individual filter, 1000 at most. */
  readonly indivs?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['JSON']['input']>>>;
  /** Administrator flag. */
  readonly isAdmin?: InputMaybe<Scalars['Boolean']['input']>;
  /** Entries of the landmark category filter, 1000 at most. */
  readonly landmarkCategories?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['JSON']['input']>>>;
  /** Login identifier, 1 to 256 characters. */
  readonly loginId: Scalars['String']['input'];
  /** Display name, 256 characters at most; required to create. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Password, 256 characters at most; required to create. */
  readonly password?: InputMaybe<Scalars['String']['input']>;
  /** Whether chat is enabled. */
  readonly useChat?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the connection limit is enabled. */
  readonly useConnectionLimit?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the individual filter is enabled. */
  readonly useIndivFilter?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the landmark category filter is enabled. */
  readonly useLandmarkCategoryFilter?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the group filter is enabled. */
  readonly useVPTGrpFilter?: InputMaybe<Scalars['Boolean']['input']>;
  /** Entries of the group filter, 1000 at most. */
  readonly vptGrps?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['JSON']['input']>>>;
};

/** One operation on a user account. */
export type UserAccountOperationInput = {
  /** The operation. */
  readonly type: UserAccountOperationType;
  /** The account. */
  readonly userAccountInput: UserAccountInput;
};

/** Operations on user accounts. */
export type UserAccountOperationType =
  /** Creates the account. */
  | 'CREATE'
  /** Deletes the account. */
  | 'DELETE'
  /** Changes the fields that are given. */
  | 'UPDATE';

export type LogInMutationVariables = Exact<{
  loginId: Scalars['String']['input'];
  password: Scalars['String']['input'];
}>;


export type LogInMutation = { readonly userLogin: { readonly otpRequired: boolean, readonly session: { readonly accessToken: string, readonly expiresIn: number } | null } | null };

export type WhoAmIQueryVariables = Exact<{ [key: string]: never; }>;


export type WhoAmIQuery = { readonly me: { readonly BackendUser: string, readonly Org: string, readonly Region: string, readonly IsAdmin: boolean } | null };

export type ListMobilesQueryVariables = Exact<{
  first: Scalars['Int']['input'];
}>;


export type ListMobilesQuery = { readonly mobiles: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly num: string, readonly name: string, readonly tags: ReadonlyArray<{ readonly name: string }> | null, readonly position: { readonly speedKmh: number, readonly address: string | null } | null, readonly voice: { readonly online: boolean } | null } | null }>, readonly pageInfo: { readonly hasNextPage: boolean } } | null };

type Outcome_BulkOperationUserAccountStatus_Fragment = { readonly completed: boolean, readonly state: JobState, readonly status: JobOutcome | null, readonly errors: ReadonlyArray<string> | null, readonly progress: { readonly done: number, readonly total: number } };

type Outcome_BulkUpdateMobileStatus_Fragment = { readonly completed: boolean, readonly state: JobState, readonly status: JobOutcome | null, readonly errors: ReadonlyArray<string> | null, readonly progress: { readonly done: number, readonly total: number } };

type Outcome_DrivingReportsStatus_Fragment = { readonly completed: boolean, readonly state: JobState, readonly status: JobOutcome | null, readonly errors: ReadonlyArray<string> | null, readonly progress: { readonly done: number, readonly total: number } };

export type OutcomeFragment =
  | Outcome_BulkOperationUserAccountStatus_Fragment
  | Outcome_BulkUpdateMobileStatus_Fragment
  | Outcome_DrivingReportsStatus_Fragment
;

export type OrderReportMutationVariables = Exact<{
  input: DrivingReportsInput;
}>;


export type OrderReportMutation = { readonly startDrivingReports: { readonly jobId: string } | null };

export type ReportStatusQueryVariables = Exact<{
  jobId: Scalars['ID']['input'];
}>;


export type ReportStatusQuery = { readonly fetchDrivingReportsStatus: { readonly downloadUrl: string | null, readonly completed: boolean, readonly state: JobState, readonly status: JobOutcome | null, readonly errors: ReadonlyArray<string> | null, readonly progress: { readonly done: number, readonly total: number } } | null };

export type ChangeAccountsMutationVariables = Exact<{
  items: ReadonlyArray<UserAccountOperationInput>;
}>;


export type ChangeAccountsMutation = { readonly startBulkOperationUserAccount: { readonly jobId: string } | null };

export type AccountsStatusQueryVariables = Exact<{
  jobId: Scalars['ID']['input'];
}>;


export type AccountsStatusQuery = { readonly fetchBulkOperationUserAccountStatus: { readonly completed: boolean, readonly state: JobState, readonly status: JobOutcome | null, readonly errors: ReadonlyArray<string> | null, readonly progress: { readonly done: number, readonly total: number } } | null };

export type UpdateMobilesMutationVariables = Exact<{
  items: ReadonlyArray<MobileUpdateInput>;
}>;


export type UpdateMobilesMutation = { readonly startBulkUpdateMobile: { readonly jobId: string } | null };

export type MobilesStatusQueryVariables = Exact<{
  jobId: Scalars['ID']['input'];
}>;


export type MobilesStatusQuery = { readonly fetchBulkUpdateMobileStatus: { readonly completed: boolean, readonly state: JobState, readonly status: JobOutcome | null, readonly errors: ReadonlyArray<string> | null, readonly progress: { readonly done: number, readonly total: number } } | null };

export declare const LogInDocument: string & DocumentTypeDecoration<LogInMutation, LogInMutationVariables>;
export declare const WhoAmIDocument: string & DocumentTypeDecoration<WhoAmIQuery, WhoAmIQueryVariables>;
export declare const ListMobilesDocument: string & DocumentTypeDecoration<ListMobilesQuery, ListMobilesQueryVariables>;
export declare const OrderReportDocument: string & DocumentTypeDecoration<OrderReportMutation, OrderReportMutationVariables>;
export declare const ReportStatusDocument: string & DocumentTypeDecoration<ReportStatusQuery, ReportStatusQueryVariables>;
export declare const ChangeAccountsDocument: string & DocumentTypeDecoration<ChangeAccountsMutation, ChangeAccountsMutationVariables>;
export declare const AccountsStatusDocument: string & DocumentTypeDecoration<AccountsStatusQuery, AccountsStatusQueryVariables>;
export declare const UpdateMobilesDocument: string & DocumentTypeDecoration<UpdateMobilesMutation, UpdateMobilesMutationVariables>;
export declare const MobilesStatusDocument: string & DocumentTypeDecoration<MobilesStatusQuery, MobilesStatusQueryVariables>;
