import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Mobile, Tag, UserAccount } from '../src/clients/backend-api.js';
import type { MobileEdge, UserAccountEdge } from '../src/gateway/graphql/pagination.js';
import type { JobStatus, JobProgress } from '../src/jobs/job-status.js';
import type { StartedJob } from '../src/jobs/job-start.js';
import type { AuthUser } from '../src/gateway/auth/auth-user.js';
import type { GatewayContext, Authenticated } from '../src/gateway/graphql/context.js';
export type Maybe<T> = T | null | undefined;
export type InputMaybe<T> = T | null | undefined;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string | number; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A point in time, RFC 3339: a string such as `2026-11-22T09:30:00.000Z`. */
  DateTime: { input: Date; output: Date | string; }
  /**
   * Any JSON value: a string, a number, a boolean, null, a list or an object, nested up to 60 levels (64 with the input
   * around it). It is passed on as it is. As in I-JSON (RFC 7493), whole numbers are from -9007199254740991 to
   * 9007199254740991 (1e21 is refused), other numbers are those of IEEE 754, and text is well-formed Unicode.
   */
  JSON: { input: unknown; output: unknown; }
};

/** The authenticated user, as the claims of the token say. */
export type AuthUser = {
  __typename?: 'AuthUser';
  /** User name in the vehicle-location backend (claim `preferred_username`). */
  BackendUser: Scalars['String']['output'];
  /** User identifier in the chat service (claim `chat_id`). */
  ChatId: Maybe<Scalars['String']['output']>;
  /** Administrator flag (claim `is_admin`). */
  IsAdmin: Scalars['Boolean']['output'];
  /** Token issuer (claim `iss`); empty when the token was admitted by its audience and names no issuer. */
  Issuser: Scalars['String']['output'];
  /** Login identifier when logged in on behalf of another user (claim `loggedin_id`). */
  LoggedInId: Maybe<Scalars['String']['output']>;
  /** Organisation code (claim `org:id`). */
  Org: Scalars['String']['output'];
  /** Region (claim `region`). */
  Region: Scalars['String']['output'];
};

/** Status of a bulk user account job. */
export type BulkOperationUserAccountStatus = JobStatus & {
  __typename?: 'BulkOperationUserAccountStatus';
  /** Whether it was cancelled before it ended. Until it has ended, what had begun is being finished. */
  cancelled: Scalars['Boolean']['output'];
  /** Whether the job has ended. */
  completed: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  createdAt: Scalars['DateTime']['output'];
  /** Identifiers of the created accounts, also if other items failed. */
  createdUserAccountId: Maybe<Array<Scalars['ID']['output']>>;
  /** One text per failed item, `[index] id: reason`; null when none failed. */
  errors: Maybe<Array<Scalars['String']['output']>>;
  /** Number of `failures`; 0 until the job has ended. */
  failureCount: Scalars['Int']['output'];
  /** Failures of the job one by one, all without arguments; empty if there are none. */
  failures: Array<JobFailure>;
  /** When the job ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The same as `jobId`, for caches of clients. */
  id: Scalars['ID']['output'];
  /**
   * The same in parts; also null for a job that was never begun, or that an earlier version ended.
   * @deprecated Use `failures`, which every kind of job has, whatever ended it.
   */
  itemErrors: Maybe<Array<ItemError>>;
  /** Identifier of the job. */
  jobId: Scalars['ID']['output'];
  /** Kind of the job. */
  kind: JobKind;
  /** User who ordered it; null when no user did. */
  orderedBy: Maybe<JobOrderer>;
  /**
   * Seconds until the next poll is worth it: 1 in the first ten seconds and while the job runs, 5 while it is pending, 10
   * after ten minutes. A job that has ended changes no more.
   */
  pollAfterSeconds: Scalars['Int']['output'];
  /** Progress of the job, in items. */
  progress: JobProgress;
  /** State of the job. */
  state: JobState;
  /** Outcome; null until the job has ended. */
  status: Maybe<JobOutcome>;
  /** Notes about the job that are not failures, ten at most; empty if there are none. */
  warnings: Array<JobWarning>;
};


/** Status of a bulk user account job. */
export type BulkOperationUserAccountStatusFailuresArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Status of a bulk mobile update. */
export type BulkUpdateMobileStatus = JobStatus & {
  __typename?: 'BulkUpdateMobileStatus';
  /** Whether it was cancelled before it ended. Until it has ended, what had begun is being finished. */
  cancelled: Scalars['Boolean']['output'];
  /** Whether the job has ended. */
  completed: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  createdAt: Scalars['DateTime']['output'];
  /** One text per failed item, `[index] id: reason`; null when none failed. */
  errors: Maybe<Array<Scalars['String']['output']>>;
  /** Number of `failures`; 0 until the job has ended. */
  failureCount: Scalars['Int']['output'];
  /** Failures of the job one by one, all without arguments; empty if there are none. */
  failures: Array<JobFailure>;
  /** When the job ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The same as `jobId`, for caches of clients. */
  id: Scalars['ID']['output'];
  /**
   * The same in parts; also null for a job that was never begun, or that an earlier version ended.
   * @deprecated Use `failures`, which every kind of job has, whatever ended it.
   */
  itemErrors: Maybe<Array<ItemError>>;
  /** Identifier of the job. */
  jobId: Scalars['ID']['output'];
  /** Kind of the job. */
  kind: JobKind;
  /** User who ordered it; null when no user did. */
  orderedBy: Maybe<JobOrderer>;
  /**
   * Seconds until the next poll is worth it: 1 in the first ten seconds and while the job runs, 5 while it is pending, 10
   * after ten minutes. A job that has ended changes no more.
   */
  pollAfterSeconds: Scalars['Int']['output'];
  /** Progress of the job, in items. */
  progress: JobProgress;
  /** State of the job. */
  state: JobState;
  /** Outcome; null until the job has ended. */
  status: Maybe<JobOutcome>;
  /** Notes about the job that are not failures, ten at most; empty if there are none. */
  warnings: Array<JobWarning>;
};


/** Status of a bulk mobile update. */
export type BulkUpdateMobileStatusFailuresArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** A driver without a page in the report. */
export type DriverError = {
  __typename?: 'DriverError';
  /** Kind of failure. */
  code: JobFailureCode;
  /** Employee code. */
  employeeCode: Scalars['String']['output'];
  /** Reason of the failure. */
  message: Scalars['String']['output'];
  /** Mobile station identifier; empty where a job was cancelled that nobody ran, with all its drivers. */
  mobileId: Scalars['ID']['output'];
  /** Stable name of the message, by which a front end translates it; null where an earlier version noted none. */
  reason: Maybe<Scalars['String']['output']>;
  /** Values in the message by name, so that a translation needs no English; `{}` without one. */
  values: Scalars['JSON']['output'];
};

/** A driver of the report. */
export type DriverInput = {
  /** Employee code, 256 characters at most. */
  employeeCode: Scalars['String']['input'];
  /** Employee name, 256 characters at most. */
  employeeName: Scalars['String']['input'];
  /** Mobile station identifier: any text of 1 to 128 characters. */
  mobileId: Scalars['ID']['input'];
};

/** The driving report of one day. */
export type DrivingReportsInput = {
  /**
   * Timestamp with a UTC offset (RFC 3339), from 0001-01-02 to 9999-12-30; the driving day is its calendar day in that
   * offset, or in the time zone of the service if it has one for reports. 20 November in Tokyo is
   * `2026-11-20T00:00:00+09:00`. There, `new Date(2026, 10, 20).toISOString()` orders the 19th, because it ends in `Z`.
   */
  date: Scalars['String']['input'];
  /** One section per driver. */
  drivers: Array<DriverInput>;
};

/** Status of a driving report job. */
export type DrivingReportsStatus = JobStatus & {
  __typename?: 'DrivingReportsStatus';
  /** Whether it was cancelled before it ended. Until it has ended, what had begun is being finished. */
  cancelled: Scalars['Boolean']['output'];
  /** Whether the job has ended. */
  completed: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  createdAt: Scalars['DateTime']['output'];
  /** Link to the PDF for the next five minutes: a URL, or a path from the root of the gateway’s origin. Poll for a new one. */
  downloadUrl: Maybe<Scalars['String']['output']>;
  /** Time until which `downloadUrl` and `tableUrl` work; null without one. */
  downloadUrlExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** The same in seconds from the answer, because clocks of browsers may be wrong; null without a `downloadUrl`. */
  downloadUrlExpiresIn: Maybe<Scalars['Int']['output']>;
  /** Drivers without a page; null when there are none. */
  errorList: Maybe<Array<DriverError>>;
  /** One text per failed driver; null if none failed. */
  errors: Maybe<Array<Scalars['String']['output']>>;
  /** Number of `failures`; 0 until the job has ended. */
  failureCount: Scalars['Int']['output'];
  /** Failures of the job one by one, all without arguments; empty if there are none. */
  failures: Array<JobFailure>;
  /** When the job ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The same as `jobId`, for caches of clients. */
  id: Scalars['ID']['output'];
  /** Identifier of the job. */
  jobId: Scalars['ID']['output'];
  /** Object key of the PDF; null if there is none. */
  key: Maybe<Scalars['String']['output']>;
  /** Kind of the job. */
  kind: JobKind;
  /** User who ordered it; null when no user did. */
  orderedBy: Maybe<JobOrderer>;
  /**
   * Seconds until the next poll is worth it: 1 in the first ten seconds and while the job runs, 5 while it is pending, 10
   * after ten minutes. A job that has ended changes no more.
   */
  pollAfterSeconds: Scalars['Int']['output'];
  /** Progress of the job, in drivers. */
  progress: JobProgress;
  /** State of the job. */
  state: JobState;
  /** Outcome; null until the job has ended. */
  status: Maybe<JobOutcome>;
  /**
   * Where the figures of the report can be downloaded as a table for as long: CSV in UTF-8, a row for each driver and for
   * each trip. Null without a PDF, with the warning `TableMissing`, and for reports of earlier versions.
   */
  tableUrl: Maybe<Scalars['String']['output']>;
  /** Notes about the job that are not failures, ten at most; empty if there are none. */
  warnings: Array<JobWarning>;
};


/** Status of a driving report job. */
export type DrivingReportsStatusFailuresArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
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

/** An item of a bulk job that failed. */
export type ItemError = {
  __typename?: 'ItemError';
  /** Kind of failure. */
  code: JobFailureCode;
  /** Place of the item in the list, from 0. */
  index: Scalars['Int']['output'];
  /** Login identifier of the account, or identifier of the mobile; null where a job was cancelled that nobody ran. */
  item: Maybe<Scalars['ID']['output']>;
  /** Reason of the failure. */
  message: Scalars['String']['output'];
  /** Stable name of the message, by which a front end translates it; null where an earlier version noted none. */
  reason: Maybe<Scalars['String']['output']>;
  /** Values in the message by name, so that a translation needs no English; `{}` without one. */
  values: Scalars['JSON']['output'];
};

/** A job that was accepted. An organisation may have a number of them that have not ended; beyond: `TooManyRequests`. */
export type Job = {
  __typename?: 'Job';
  /** Whether it was cancelled before it ended. */
  cancelled: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  createdAt: Scalars['DateTime']['output'];
  /** The same as `jobId`. `Job` and the status of a job share it: caches need the type as well. */
  id: Scalars['ID']['output'];
  /** Pass it to the status query of the same kind. */
  jobId: Scalars['ID']['output'];
  /** State at the time of the answer. */
  state: JobState;
  /** Status at the time of the answer, read on demand, so that caches show it at once; null where there is no record. */
  status: Maybe<JobStatus>;
};

/** A page of jobs. */
export type JobConnection = {
  __typename?: 'JobConnection';
  /** The jobs of this page. */
  edges: Array<JobEdge>;
  /** Start and end of the page. */
  pageInfo: PageInfo;
};

/** An entry of a page of jobs. */
export type JobEdge = {
  __typename?: 'JobEdge';
  /** Pass it as `after` to continue after this job. */
  cursor: Scalars['String']['output'];
  /** The job, with everything that its status query tells. */
  node: Maybe<JobStatus>;
};

/** A failure inside a job, or of the job as a whole. */
export type JobFailure = {
  __typename?: 'JobFailure';
  /** Kind of failure; `InternalError` also where an earlier version noted none. */
  code: JobFailureCode;
  /** Place of the item or driver in the list, from 0; null where it is not known, and for the job as a whole. */
  index: Maybe<Scalars['Int']['output']>;
  /** Reason of the failure. */
  message: Scalars['String']['output'];
  /** Stable name of the message, by which a front end translates it; null where an earlier version noted none. */
  reason: Maybe<Scalars['String']['output']>;
  /** Identifier of the mobile, login identifier of the account or employee code of the driver; null where it is not known. */
  subject: Maybe<Scalars['String']['output']>;
  /** Values in the message by name, so that a translation needs no English; `{}` without one. */
  values: Scalars['JSON']['output'];
};

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

/** The user who ordered a job, as the claims of the token said. */
export type JobOrderer = {
  __typename?: 'JobOrderer';
  /** User name in the vehicle-location backend (claim `preferred_username`). */
  BackendUser: Scalars['String']['output'];
  /** Login identifier when logged in on behalf of another user (claim `loggedin_id`). */
  LoggedInId: Maybe<Scalars['String']['output']>;
};

/** Outcomes of a job. */
export type JobOutcome =
  /** Something failed or was not done: `errors`. */
  | 'Failure'
  /** All was done. */
  | 'Success';

/** Progress of a job. */
export type JobProgress = {
  __typename?: 'JobProgress';
  /** Items handled so far. */
  done: Scalars['Int']['output'];
  /** Items handled so far that failed; null where it is not known, as for a report that has not ended. */
  failed: Maybe<Scalars['Int']['output']>;
  /** Items in all. */
  total: Scalars['Int']['output'];
};

/** States of a job. */
export type JobState =
  /** Ended; the outcome is known. */
  | 'FINISHED'
  /** Accepted, not started. */
  | 'PENDING'
  /** Being handled. */
  | 'RUNNING';

/** Fields of every job status. */
export type JobStatus = {
  /** Whether it was cancelled before it ended. Until it has ended, what had begun is being finished. */
  cancelled: Scalars['Boolean']['output'];
  /** Whether the job has ended. */
  completed: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  createdAt: Scalars['DateTime']['output'];
  /** One text per failure; null if there is none. */
  errors: Maybe<Array<Scalars['String']['output']>>;
  /** Number of `failures`; 0 until the job has ended. */
  failureCount: Scalars['Int']['output'];
  /** Failures of the job one by one, all without arguments; empty if there are none. */
  failures: Array<JobFailure>;
  /** When the job ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The same as `jobId`, for caches of clients. */
  id: Scalars['ID']['output'];
  /** Identifier of the job. */
  jobId: Scalars['ID']['output'];
  /** Kind of the job. */
  kind: JobKind;
  /** User who ordered it; null when no user did. */
  orderedBy: Maybe<JobOrderer>;
  /**
   * Seconds until the next poll is worth it: 1 in the first ten seconds and while the job runs, 5 while it is pending, 10
   * after ten minutes. A job that has ended changes no more.
   */
  pollAfterSeconds: Scalars['Int']['output'];
  /** Progress of the job. */
  progress: JobProgress;
  /** State of the job. */
  state: JobState;
  /** Outcome; null until the job has ended. */
  status: Maybe<JobOutcome>;
  /** Notes about the job that are not failures, ten at most; empty if there are none. */
  warnings: Array<JobWarning>;
};


/** Fields of every job status. */
export type JobStatusFailuresArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** A note about a job that is not a failure. */
export type JobWarning = {
  __typename?: 'JobWarning';
  /** Subject of the note. */
  code: JobWarningCode;
  /** The same in words. */
  message: Scalars['String']['output'];
  /** Stable name of the message, by which a front end translates it; null where an earlier version noted none. */
  reason: Maybe<Scalars['String']['output']>;
  /** Values in the message by name, so that a translation needs no English; `{}` without one. */
  values: Scalars['JSON']['output'];
};

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

/** Outcome of a log-in. */
export type LoginResult = {
  __typename?: 'LoginResult';
  /** Ties the one-time password to this log-in; pass it to `verifyOtp`. */
  challenge: Maybe<Scalars['String']['output']>;
  /** Whether a one-time password is needed to obtain the session. */
  otpRequired: Scalars['Boolean']['output'];
  /** The session; null when a one-time password is needed first. */
  session: Maybe<Session>;
};

/**
 * A mobile: a vehicle or device of the organisation. `tags`, `voice` and the `address` of its position come from a backend that may not answer. Then they are
 * null, with a `ServiceUnavailable` error at their path for 21 of them, of which the last one gives the number of all, and
 * for one of each root field at least. So a null without an error means that there is no value, unless the same field has
 * such an error elsewhere in the root field: then it may be one of those without an error of their own.
 */
export type Mobile = {
  __typename?: 'Mobile';
  /** Mobile station identifier. */
  id: Scalars['ID']['output'];
  /** Name. */
  name: Scalars['String']['output'];
  /** Mobile number or label. */
  num: Scalars['String']['output'];
  /** Last known position; null when none is known. */
  position: Maybe<Position>;
  /** Tags; null while they are not available, with or without an error of its own. */
  tags: Maybe<Array<Tag>>;
  /** Voice presence; null when unknown, or while the voice service does not answer, with or without an error of its own. */
  voice: Maybe<Voice>;
};

/** A page of mobiles. */
export type MobileConnection = {
  __typename?: 'MobileConnection';
  /** The mobiles of this page. */
  edges: Array<MobileEdge>;
  /** Start and end of the page. */
  pageInfo: PageInfo;
  /** Mobiles of all pages; null when the backend does not tell. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** An entry of a page of mobiles. */
export type MobileEdge = {
  __typename?: 'MobileEdge';
  /** Pass it as `after` to continue after this entry; null if the backend gives only the cursor of the last entry. */
  cursor: Maybe<Scalars['String']['output']>;
  /**
   * The mobile. Null, with a `ServiceUnavailable` error at its path, if the backend's answer for it cannot be read; the
   * others of the page are not affected. A page has 21 such errors at most, of which the last one gives the number of all.
   */
  node: Maybe<Mobile>;
};

/** A change of one mobile; fields that are left out stay as they are. */
export type MobileUpdateInput = {
  /** Mobile station identifier. */
  id: Scalars['ID']['input'];
  /** Name, 256 characters at most. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Mobile number or label, 256 characters at most. */
  num?: InputMaybe<Scalars['String']['input']>;
  /** Tag identifiers, 1000 at most. */
  tagIds?: InputMaybe<Array<Scalars['ID']['input']>>;
};

export type Mutation = {
  __typename?: 'Mutation';
  /**
   * Cancel a job that the user finds with `job`; any other is `NotFound`. Items that have begun are finished within
   * seconds; the others fail with `not done, the job was cancelled`. A report is still made of the drivers it has, and
   * names the others in `errorList`. The job ends as any other does: poll it. A job that does not run at that moment ends
   * at once, and its failures name only the indexes of its items. A job that has ended stays as it is: `cancelled` says
   * whether it was cancelled.
   */
  cancelJob: Maybe<Job>;
  /**
   * Exchange a refresh token for a new session. Each token is good for one use. A repetition within 60 s gets the same
   * session, until its own refresh token is used: browsers repeat a request by themselves when the connection closes.
   */
  refreshUserToken: Maybe<Session>;
  /**
   * Send a one-time password to the address registered for the account. Limited per account and address, and every
   * request per address. Repeated within a minute, it answers with the one that was sent. An account that gets more than
   * ten an hour gets others only for networks from which it was logged in or refreshed within a day.
   */
  sendOtp: Maybe<OtpDelivery>;
  /**
   * Issue a one-time password for testing. Answers `Forbidden` in production unless it is allowed there. Counts together
   * with `sendOtp`.
   */
  sendTestOtp: Maybe<OtpDelivery>;
  /**
   * Create, update and delete user accounts, one after another. Administrators only.
   * Poll it with `fetchBulkOperationUserAccountStatus`.
   */
  startBulkOperationUserAccount: Maybe<Job>;
  /**
   * Update mobiles, one after another. Poll it with `fetchBulkUpdateMobileStatus`. A user may change each mobile that the
   * user sees, unless the installation leaves that to administrators (`MOBILE_UPDATES`): then it is `Forbidden` for others.
   */
  startBulkUpdateMobile: Maybe<Job>;
  /** Order the driving report of one day. Poll it with `fetchDrivingReportsStatus`. */
  startDrivingReports: Maybe<Job>;
  /**
   * Log in. Either a session comes back, or `otpRequired` is true and the session is obtained with `verifyOtp`.
   * Wrong passwords are limited per account and address, and per address; other failures count a little.
   */
  userLogin: Maybe<LoginResult>;
  /**
   * Exchange a one-time password for a session. Wrong ones count together with the wrong passwords of `userLogin`. A
   * repetition within 10 s from the same address gets the same session.
   */
  verifyOtp: Maybe<Session>;
};


export type MutationCancelJobArgs = {
  jobId: Scalars['ID']['input'];
};


export type MutationRefreshUserTokenArgs = {
  refreshToken: Scalars['String']['input'];
};


export type MutationSendOtpArgs = {
  loginId: Scalars['String']['input'];
};


export type MutationSendTestOtpArgs = {
  loginId: Scalars['String']['input'];
};


export type MutationStartBulkOperationUserAccountArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  items: Array<UserAccountOperationInput>;
};


export type MutationStartBulkUpdateMobileArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  items: Array<MobileUpdateInput>;
};


export type MutationStartDrivingReportsArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: DrivingReportsInput;
};


export type MutationUserLoginArgs = {
  loginId: Scalars['String']['input'];
  password: Scalars['String']['input'];
};


export type MutationVerifyOtpArgs = {
  challenge?: InputMaybe<Scalars['String']['input']>;
  code: Scalars['String']['input'];
  loginId: Scalars['String']['input'];
};

/** Delivery of a one-time password. */
export type OtpDelivery = {
  __typename?: 'OtpDelivery';
  /** Lifetime of the one-time password in seconds; of one that was sent before, what is left of it. */
  expiresIn: Scalars['Int']['output'];
  /**
   * Whether no new one was sent, because one was sent to the account within the last minute for the same address of the
   * client.
   */
  isRepeated: Scalars['Boolean']['output'];
  /** Address to which it was sent, masked. */
  sentTo: Scalars['String']['output'];
};

/** Start and end of a page of a list. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /**
   * Pass it as `after` to get the next page if `hasNextPage`. On the last page of jobs it is the `cursor` of the last entry;
   * on the last page of mobiles and accounts it is null, because the backend tells no cursor there.
   */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether another page follows. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether this is a later page than the first one. Pages are read forwards only. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The `cursor` of the first entry; null when it has none. */
  startCursor: Maybe<Scalars['String']['output']>;
};

/** Last known position of a mobile. */
export type Position = {
  __typename?: 'Position';
  /** Address of the position; null when unknown, or while the geo service does not answer, with or without an error of its own. */
  address: Maybe<Scalars['String']['output']>;
  /** Degrees clockwise from north. */
  heading: Scalars['Float']['output'];
  /** Latitude in degrees, positive north. */
  latitude: Scalars['Float']['output'];
  /** Longitude in degrees, positive east. */
  longitude: Scalars['Float']['output'];
  /** Time at which the position was recorded. */
  recordedAt: Scalars['DateTime']['output'];
  /** Speed in kilometres an hour. */
  speedKmh: Scalars['Float']['output'];
};

export type Query = {
  __typename?: 'Query';
  /** Outcome of a bulk user account job. Administrators only. */
  fetchBulkOperationUserAccountStatus: Maybe<BulkOperationUserAccountStatus>;
  /** Outcome of a bulk mobile update, for the users who find a driving report job. */
  fetchBulkUpdateMobileStatus: Maybe<BulkUpdateMobileStatus>;
  /**
   * Outcome of a driving report job. A job belongs to the user who ordered it (`BackendUser`); administrators see all jobs
   * of their organisation, and a job that no user ordered is found by everybody there. Any other job is `NotFound`.
   */
  fetchDrivingReportsStatus: Maybe<DrivingReportsStatus>;
  /** Outcome of a job of any kind, for the users who find it with the query of its kind; for other users it is `NotFound`. */
  job: Maybe<JobStatus>;
  /**
   * Jobs that the user ordered with the mutations of this schema within the last seven days, newest first, so that a
   * reloaded page finds its jobs again. Administrators see the jobs of all users of their organisation. Only they see
   * account jobs; other users who ask for that kind are refused with `Forbidden`.
   */
  jobs: Maybe<JobConnection>;
  /** The user the token belongs to. */
  me: Maybe<AuthUser>;
  /** One mobile. An unknown or invisible id is `NotFound`. */
  mobile: Maybe<Mobile>;
  /** Mobiles the user may see, one page at a time. */
  mobiles: Maybe<MobileConnection>;
  /** Version of the running service. */
  serviceVersion: Maybe<Scalars['String']['output']>;
  /** Every tag of the organisation. */
  tags: Maybe<Array<Tag>>;
  /** User accounts, one page at a time. */
  userAccounts: Maybe<UserAccountConnection>;
};


export type QueryFetchBulkOperationUserAccountStatusArgs = {
  jobId: Scalars['ID']['input'];
};


export type QueryFetchBulkUpdateMobileStatusArgs = {
  jobId: Scalars['ID']['input'];
};


export type QueryFetchDrivingReportsStatusArgs = {
  jobId: Scalars['ID']['input'];
};


export type QueryJobArgs = {
  jobId: Scalars['ID']['input'];
};


export type QueryJobsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  createdAfter?: InputMaybe<Scalars['DateTime']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  kind?: InputMaybe<JobKind>;
  state?: InputMaybe<JobState>;
};


export type QueryMobileArgs = {
  id: Scalars['ID']['input'];
};


export type QueryMobilesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
  tagIds?: InputMaybe<Array<Scalars['ID']['input']>>;
};


export type QueryUserAccountsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Tokens of a session. */
export type Session = {
  __typename?: 'Session';
  /** Bearer token for the `Authorization` header. */
  accessToken: Scalars['String']['output'];
  /** Lifetime of the access token in seconds. */
  expiresIn: Scalars['Int']['output'];
  /** Token for `refreshUserToken`. */
  refreshToken: Scalars['String']['output'];
};

/** A tag that groups mobiles. */
export type Tag = {
  __typename?: 'Tag';
  /** Tag identifier. */
  id: Scalars['ID']['output'];
  /** Name. */
  name: Scalars['String']['output'];
};

/** A user account. */
export type UserAccount = {
  __typename?: 'UserAccount';
  /** Function restriction code. */
  functionRestriction: Maybe<Scalars['Int']['output']>;
  /** Account identifier. */
  id: Scalars['ID']['output'];
  /** Entries of the individual filter. */
  indivs: Maybe<Array<Maybe<Scalars['JSON']['output']>>>;
  /** Administrator flag. */
  isAdmin: Scalars['Boolean']['output'];
  /** Entries of the landmark category filter. */
  landmarkCategories: Maybe<Array<Maybe<Scalars['JSON']['output']>>>;
  /** Login identifier. */
  loginId: Scalars['String']['output'];
  /** Display name. */
  name: Scalars['String']['output'];
  /** Whether chat is enabled. */
  useChat: Maybe<Scalars['Boolean']['output']>;
  /** Whether the connection limit is enabled. */
  useConnectionLimit: Maybe<Scalars['Boolean']['output']>;
  /** Whether the individual filter is enabled. */
  useIndivFilter: Maybe<Scalars['Boolean']['output']>;
  /** Whether the landmark category filter is enabled. */
  useLandmarkCategoryFilter: Maybe<Scalars['Boolean']['output']>;
  /** Whether the group filter is enabled. */
  useVPTGrpFilter: Maybe<Scalars['Boolean']['output']>;
  /** Entries of the group filter. */
  vptGrps: Maybe<Array<Maybe<Scalars['JSON']['output']>>>;
};

/** A page of user accounts. */
export type UserAccountConnection = {
  __typename?: 'UserAccountConnection';
  /** The accounts of this page. */
  edges: Array<UserAccountEdge>;
  /** Start and end of the page. */
  pageInfo: PageInfo;
  /** Accounts of all pages; null when the backend does not tell. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** An entry of a page of user accounts. */
export type UserAccountEdge = {
  __typename?: 'UserAccountEdge';
  /** Pass it as `after` to continue after this entry; null if the backend gives only the cursor of the last entry. */
  cursor: Maybe<Scalars['String']['output']>;
  /**
   * The account. Null, with a `ServiceUnavailable` error at its path, if the backend's answer for it cannot be read; the
   * others of the page are not affected. A page has 21 such errors at most, of which the last one gives the number of all.
   */
  node: Maybe<UserAccount>;
};

/** Fields of a user account. */
export type UserAccountInput = {
  /** Function restriction code. */
  functionRestriction?: InputMaybe<Scalars['Int']['input']>;
  /** Entries of the individual filter, 1000 at most. */
  indivs?: InputMaybe<Array<InputMaybe<Scalars['JSON']['input']>>>;
  /** Administrator flag. */
  isAdmin?: InputMaybe<Scalars['Boolean']['input']>;
  /** Entries of the landmark category filter, 1000 at most. */
  landmarkCategories?: InputMaybe<Array<InputMaybe<Scalars['JSON']['input']>>>;
  /** Login identifier, 1 to 256 characters. */
  loginId: Scalars['String']['input'];
  /** Display name, 256 characters at most; required to create. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Password, 256 characters at most; required to create. */
  password?: InputMaybe<Scalars['String']['input']>;
  /** Whether chat is enabled. */
  useChat?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the connection limit is enabled. */
  useConnectionLimit?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the individual filter is enabled. */
  useIndivFilter?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the landmark category filter is enabled. */
  useLandmarkCategoryFilter?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the group filter is enabled. */
  useVPTGrpFilter?: InputMaybe<Scalars['Boolean']['input']>;
  /** Entries of the group filter, 1000 at most. */
  vptGrps?: InputMaybe<Array<InputMaybe<Scalars['JSON']['input']>>>;
};

/** One operation on a user account. */
export type UserAccountOperationInput = {
  /** The operation. */
  type: UserAccountOperationType;
  /** The account. */
  userAccountInput: UserAccountInput;
};

/** Operations on user accounts. */
export type UserAccountOperationType =
  /** Creates the account. */
  | 'CREATE'
  /** Deletes the account. */
  | 'DELETE'
  /** Changes the fields that are given. */
  | 'UPDATE';

/** Voice presence of a mobile. */
export type Voice = {
  __typename?: 'Voice';
  /** Whether the mobile can be reached by voice now. */
  online: Scalars['Boolean']['output'];
  /** The talk group it listens to. */
  talkGroup: Maybe<Scalars['String']['output']>;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AuthUser: ResolverTypeWrapper<AuthUser>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  BulkOperationUserAccountStatus: ResolverTypeWrapper<Omit<BulkOperationUserAccountStatus, 'progress'> & { progress: ResolversTypes['JobProgress'] }>;
  BulkUpdateMobileStatus: ResolverTypeWrapper<Omit<BulkUpdateMobileStatus, 'progress'> & { progress: ResolversTypes['JobProgress'] }>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DriverError: ResolverTypeWrapper<DriverError>;
  DriverInput: DriverInput;
  DrivingReportsInput: DrivingReportsInput;
  DrivingReportsStatus: ResolverTypeWrapper<Omit<Omit<DrivingReportsStatus, 'progress'> & { progress: ResolversTypes['JobProgress'] }, "downloadUrl" | "downloadUrlExpiresAt" | "downloadUrlExpiresIn">>;
  ErrorCode: ErrorCode;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ItemError: ResolverTypeWrapper<ItemError>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Job: ResolverTypeWrapper<StartedJob>;
  JobConnection: ResolverTypeWrapper<Omit<JobConnection, 'edges'> & { edges: Array<ResolversTypes['JobEdge']> }>;
  JobEdge: ResolverTypeWrapper<Omit<JobEdge, 'node'> & { node?: Maybe<ResolversTypes['JobStatus']> }>;
  JobFailure: ResolverTypeWrapper<JobFailure>;
  JobFailureCode: JobFailureCode;
  JobKind: JobKind;
  JobOrderer: ResolverTypeWrapper<JobOrderer>;
  JobOutcome: JobOutcome;
  JobProgress: ResolverTypeWrapper<JobProgress>;
  JobState: JobState;
  JobStatus: ResolverTypeWrapper<JobStatus>;
  JobWarning: ResolverTypeWrapper<JobWarning>;
  JobWarningCode: JobWarningCode;
  LoginResult: ResolverTypeWrapper<LoginResult>;
  Mobile: ResolverTypeWrapper<Mobile>;
  MobileConnection: ResolverTypeWrapper<Omit<MobileConnection, 'edges'> & { edges: Array<ResolversTypes['MobileEdge']> }>;
  MobileEdge: ResolverTypeWrapper<MobileEdge>;
  MobileUpdateInput: MobileUpdateInput;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  OtpDelivery: ResolverTypeWrapper<OtpDelivery>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Position: ResolverTypeWrapper<Omit<Position, "address">>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Session: ResolverTypeWrapper<Session>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Tag: ResolverTypeWrapper<Tag>;
  UserAccount: ResolverTypeWrapper<UserAccount>;
  UserAccountConnection: ResolverTypeWrapper<Omit<UserAccountConnection, 'edges'> & { edges: Array<ResolversTypes['UserAccountEdge']> }>;
  UserAccountEdge: ResolverTypeWrapper<UserAccountEdge>;
  UserAccountInput: UserAccountInput;
  UserAccountOperationInput: UserAccountOperationInput;
  UserAccountOperationType: UserAccountOperationType;
  Voice: ResolverTypeWrapper<Voice>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AuthUser: AuthUser;
  Boolean: Scalars['Boolean']['output'];
  BulkOperationUserAccountStatus: Omit<BulkOperationUserAccountStatus, 'progress'> & { progress: ResolversParentTypes['JobProgress'] };
  BulkUpdateMobileStatus: Omit<BulkUpdateMobileStatus, 'progress'> & { progress: ResolversParentTypes['JobProgress'] };
  DateTime: Scalars['DateTime']['output'];
  DriverError: DriverError;
  DriverInput: DriverInput;
  DrivingReportsInput: DrivingReportsInput;
  DrivingReportsStatus: Omit<Omit<DrivingReportsStatus, 'progress'> & { progress: ResolversParentTypes['JobProgress'] }, "downloadUrl" | "downloadUrlExpiresAt" | "downloadUrlExpiresIn">;
  Float: Scalars['Float']['output'];
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  ItemError: ItemError;
  JSON: Scalars['JSON']['output'];
  Job: StartedJob;
  JobConnection: Omit<JobConnection, 'edges'> & { edges: Array<ResolversParentTypes['JobEdge']> };
  JobEdge: Omit<JobEdge, 'node'> & { node?: Maybe<ResolversParentTypes['JobStatus']> };
  JobFailure: JobFailure;
  JobOrderer: JobOrderer;
  JobProgress: JobProgress;
  JobStatus: JobStatus;
  JobWarning: JobWarning;
  LoginResult: LoginResult;
  Mobile: Mobile;
  MobileConnection: Omit<MobileConnection, 'edges'> & { edges: Array<ResolversParentTypes['MobileEdge']> };
  MobileEdge: MobileEdge;
  MobileUpdateInput: MobileUpdateInput;
  Mutation: Record<PropertyKey, never>;
  OtpDelivery: OtpDelivery;
  PageInfo: PageInfo;
  Position: Omit<Position, "address">;
  Query: Record<PropertyKey, never>;
  Session: Session;
  String: Scalars['String']['output'];
  Tag: Tag;
  UserAccount: UserAccount;
  UserAccountConnection: Omit<UserAccountConnection, 'edges'> & { edges: Array<ResolversParentTypes['UserAccountEdge']> };
  UserAccountEdge: UserAccountEdge;
  UserAccountInput: UserAccountInput;
  UserAccountOperationInput: UserAccountOperationInput;
  Voice: Voice;
};

export type BoundsDirectiveArgs = {
  maxItems?: Maybe<Scalars['Int']['input']>;
  maxLength?: Maybe<Scalars['Int']['input']>;
  min?: Maybe<Scalars['Int']['input']>;
};

export type BoundsDirectiveResolver<Result, Parent, ContextType = GatewayContext, Args = BoundsDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type IsAuthenticatedDirectiveArgs = { };

export type IsAuthenticatedDirectiveResolver<Result, Parent, ContextType = GatewayContext, Args = IsAuthenticatedDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type StartsJobDirectiveArgs = { };

export type StartsJobDirectiveResolver<Result, Parent, ContextType = GatewayContext, Args = StartsJobDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AuthUserResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['AuthUser'] = ResolversParentTypes['AuthUser']> = {
  BackendUser?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ChatId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  IsAdmin?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  Issuser?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  LoggedInId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  Org?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  Region?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type BulkOperationUserAccountStatusResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['BulkOperationUserAccountStatus'] = ResolversParentTypes['BulkOperationUserAccountStatus']> = {
  cancelled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  completed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdUserAccountId?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  errors?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  failureCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failures?: Resolver<Array<ResolversTypes['JobFailure']>, ParentType, ContextType, Partial<BulkOperationUserAccountStatusFailuresArgs>>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  itemErrors?: Resolver<Maybe<Array<ResolversTypes['ItemError']>>, ParentType, ContextType>;
  jobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['JobKind'], ParentType, ContextType>;
  orderedBy?: Resolver<Maybe<ResolversTypes['JobOrderer']>, ParentType, ContextType>;
  pollAfterSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['JobProgress'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['JobState'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['JobOutcome']>, ParentType, ContextType>;
  warnings?: Resolver<Array<ResolversTypes['JobWarning']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BulkUpdateMobileStatusResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['BulkUpdateMobileStatus'] = ResolversParentTypes['BulkUpdateMobileStatus']> = {
  cancelled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  completed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  errors?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  failureCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failures?: Resolver<Array<ResolversTypes['JobFailure']>, ParentType, ContextType, Partial<BulkUpdateMobileStatusFailuresArgs>>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  itemErrors?: Resolver<Maybe<Array<ResolversTypes['ItemError']>>, ParentType, ContextType>;
  jobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['JobKind'], ParentType, ContextType>;
  orderedBy?: Resolver<Maybe<ResolversTypes['JobOrderer']>, ParentType, ContextType>;
  pollAfterSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['JobProgress'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['JobState'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['JobOutcome']>, ParentType, ContextType>;
  warnings?: Resolver<Array<ResolversTypes['JobWarning']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DriverErrorResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DriverError'] = ResolversParentTypes['DriverError']> = {
  code?: Resolver<ResolversTypes['JobFailureCode'], ParentType, ContextType>;
  employeeCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mobileId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  values?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export type DrivingReportsStatusResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DrivingReportsStatus'] = ResolversParentTypes['DrivingReportsStatus']> = {
  cancelled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  completed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  downloadUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  downloadUrlExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  downloadUrlExpiresIn?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  errorList?: Resolver<Maybe<Array<ResolversTypes['DriverError']>>, ParentType, ContextType>;
  errors?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  failureCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failures?: Resolver<Array<ResolversTypes['JobFailure']>, ParentType, ContextType, Partial<DrivingReportsStatusFailuresArgs>>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  jobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['JobKind'], ParentType, ContextType>;
  orderedBy?: Resolver<Maybe<ResolversTypes['JobOrderer']>, ParentType, ContextType>;
  pollAfterSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['JobProgress'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['JobState'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['JobOutcome']>, ParentType, ContextType>;
  tableUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  warnings?: Resolver<Array<ResolversTypes['JobWarning']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ItemErrorResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ItemError'] = ResolversParentTypes['ItemError']> = {
  code?: Resolver<ResolversTypes['JobFailureCode'], ParentType, ContextType>;
  index?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  item?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  values?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type JobResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Job'] = ResolversParentTypes['Job']> = {
  cancelled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  jobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['JobState'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['JobStatus']>, ParentType, ContextType>;
};

export type JobConnectionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobConnection'] = ResolversParentTypes['JobConnection']> = {
  edges?: Resolver<Array<ResolversTypes['JobEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type JobEdgeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobEdge'] = ResolversParentTypes['JobEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['JobStatus']>, ParentType, ContextType>;
};

export type JobFailureResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobFailure'] = ResolversParentTypes['JobFailure']> = {
  code?: Resolver<ResolversTypes['JobFailureCode'], ParentType, ContextType>;
  index?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subject?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  values?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export type JobOrdererResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobOrderer'] = ResolversParentTypes['JobOrderer']> = {
  BackendUser?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  LoggedInId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type JobProgressResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobProgress'] = ResolversParentTypes['JobProgress']> = {
  done?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type JobStatusResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobStatus'] = ResolversParentTypes['JobStatus']> = {
  __resolveType: TypeResolveFn<'BulkOperationUserAccountStatus' | 'BulkUpdateMobileStatus' | 'DrivingReportsStatus', ParentType, ContextType>;
};

export type JobWarningResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobWarning'] = ResolversParentTypes['JobWarning']> = {
  code?: Resolver<ResolversTypes['JobWarningCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  values?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export type LoginResultResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['LoginResult'] = ResolversParentTypes['LoginResult']> = {
  challenge?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  otpRequired?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  session?: Resolver<Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
};

export type MobileResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Mobile'] = ResolversParentTypes['Mobile']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  num?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  position?: Resolver<Maybe<ResolversTypes['Position']>, ParentType, ContextType>;
  tags?: Resolver<Maybe<Array<ResolversTypes['Tag']>>, ParentType, ContextType>;
  voice?: Resolver<Maybe<ResolversTypes['Voice']>, ParentType, ContextType>;
};

export type MobileConnectionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['MobileConnection'] = ResolversParentTypes['MobileConnection']> = {
  edges?: Resolver<Array<ResolversTypes['MobileEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type MobileEdgeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['MobileEdge'] = ResolversParentTypes['MobileEdge']> = {
  cursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['Mobile']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  cancelJob?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, Authenticated<ContextType>, RequireFields<MutationCancelJobArgs, 'jobId'>>;
  refreshUserToken?: Resolver<Maybe<ResolversTypes['Session']>, ParentType, ContextType, RequireFields<MutationRefreshUserTokenArgs, 'refreshToken'>>;
  sendOtp?: Resolver<Maybe<ResolversTypes['OtpDelivery']>, ParentType, ContextType, RequireFields<MutationSendOtpArgs, 'loginId'>>;
  sendTestOtp?: Resolver<Maybe<ResolversTypes['OtpDelivery']>, ParentType, ContextType, RequireFields<MutationSendTestOtpArgs, 'loginId'>>;
  startBulkOperationUserAccount?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, Authenticated<ContextType>, RequireFields<MutationStartBulkOperationUserAccountArgs, 'items'>>;
  startBulkUpdateMobile?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, Authenticated<ContextType>, RequireFields<MutationStartBulkUpdateMobileArgs, 'items'>>;
  startDrivingReports?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, Authenticated<ContextType>, RequireFields<MutationStartDrivingReportsArgs, 'input'>>;
  userLogin?: Resolver<Maybe<ResolversTypes['LoginResult']>, ParentType, ContextType, RequireFields<MutationUserLoginArgs, 'loginId' | 'password'>>;
  verifyOtp?: Resolver<Maybe<ResolversTypes['Session']>, ParentType, ContextType, RequireFields<MutationVerifyOtpArgs, 'code' | 'loginId'>>;
};

export type OtpDeliveryResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['OtpDelivery'] = ResolversParentTypes['OtpDelivery']> = {
  expiresIn?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isRepeated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  sentTo?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PositionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Position'] = ResolversParentTypes['Position']> = {
  address?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  heading?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  latitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  recordedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  speedKmh?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  fetchBulkOperationUserAccountStatus?: Resolver<Maybe<ResolversTypes['BulkOperationUserAccountStatus']>, ParentType, Authenticated<ContextType>, RequireFields<QueryFetchBulkOperationUserAccountStatusArgs, 'jobId'>>;
  fetchBulkUpdateMobileStatus?: Resolver<Maybe<ResolversTypes['BulkUpdateMobileStatus']>, ParentType, Authenticated<ContextType>, RequireFields<QueryFetchBulkUpdateMobileStatusArgs, 'jobId'>>;
  fetchDrivingReportsStatus?: Resolver<Maybe<ResolversTypes['DrivingReportsStatus']>, ParentType, Authenticated<ContextType>, RequireFields<QueryFetchDrivingReportsStatusArgs, 'jobId'>>;
  job?: Resolver<Maybe<ResolversTypes['JobStatus']>, ParentType, Authenticated<ContextType>, RequireFields<QueryJobArgs, 'jobId'>>;
  jobs?: Resolver<Maybe<ResolversTypes['JobConnection']>, ParentType, Authenticated<ContextType>, RequireFields<QueryJobsArgs, 'first'>>;
  me?: Resolver<Maybe<ResolversTypes['AuthUser']>, ParentType, Authenticated<ContextType>>;
  mobile?: Resolver<Maybe<ResolversTypes['Mobile']>, ParentType, Authenticated<ContextType>, RequireFields<QueryMobileArgs, 'id'>>;
  mobiles?: Resolver<Maybe<ResolversTypes['MobileConnection']>, ParentType, Authenticated<ContextType>, RequireFields<QueryMobilesArgs, 'first'>>;
  serviceVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  tags?: Resolver<Maybe<Array<ResolversTypes['Tag']>>, ParentType, Authenticated<ContextType>>;
  userAccounts?: Resolver<Maybe<ResolversTypes['UserAccountConnection']>, ParentType, Authenticated<ContextType>, RequireFields<QueryUserAccountsArgs, 'first'>>;
};

export type SessionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Session'] = ResolversParentTypes['Session']> = {
  accessToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresIn?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  refreshToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type TagResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Tag'] = ResolversParentTypes['Tag']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UserAccountResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['UserAccount'] = ResolversParentTypes['UserAccount']> = {
  functionRestriction?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  indivs?: Resolver<Maybe<Array<Maybe<ResolversTypes['JSON']>>>, ParentType, ContextType>;
  isAdmin?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  landmarkCategories?: Resolver<Maybe<Array<Maybe<ResolversTypes['JSON']>>>, ParentType, ContextType>;
  loginId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  useChat?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  useConnectionLimit?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  useIndivFilter?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  useLandmarkCategoryFilter?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  useVPTGrpFilter?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  vptGrps?: Resolver<Maybe<Array<Maybe<ResolversTypes['JSON']>>>, ParentType, ContextType>;
};

export type UserAccountConnectionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['UserAccountConnection'] = ResolversParentTypes['UserAccountConnection']> = {
  edges?: Resolver<Array<ResolversTypes['UserAccountEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type UserAccountEdgeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['UserAccountEdge'] = ResolversParentTypes['UserAccountEdge']> = {
  cursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['UserAccount']>, ParentType, ContextType>;
};

export type VoiceResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Voice'] = ResolversParentTypes['Voice']> = {
  online?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  talkGroup?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = GatewayContext> = {
  AuthUser?: AuthUserResolvers<ContextType>;
  BulkOperationUserAccountStatus?: BulkOperationUserAccountStatusResolvers<ContextType>;
  BulkUpdateMobileStatus?: BulkUpdateMobileStatusResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  DriverError?: DriverErrorResolvers<ContextType>;
  DrivingReportsStatus?: DrivingReportsStatusResolvers<ContextType>;
  ItemError?: ItemErrorResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Job?: JobResolvers<ContextType>;
  JobConnection?: JobConnectionResolvers<ContextType>;
  JobEdge?: JobEdgeResolvers<ContextType>;
  JobFailure?: JobFailureResolvers<ContextType>;
  JobOrderer?: JobOrdererResolvers<ContextType>;
  JobProgress?: JobProgressResolvers<ContextType>;
  JobStatus?: JobStatusResolvers<ContextType>;
  JobWarning?: JobWarningResolvers<ContextType>;
  LoginResult?: LoginResultResolvers<ContextType>;
  Mobile?: MobileResolvers<ContextType>;
  MobileConnection?: MobileConnectionResolvers<ContextType>;
  MobileEdge?: MobileEdgeResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  OtpDelivery?: OtpDeliveryResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Position?: PositionResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  Tag?: TagResolvers<ContextType>;
  UserAccount?: UserAccountResolvers<ContextType>;
  UserAccountConnection?: UserAccountConnectionResolvers<ContextType>;
  UserAccountEdge?: UserAccountEdgeResolvers<ContextType>;
  Voice?: VoiceResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = GatewayContext> = {
  bounds?: BoundsDirectiveResolver<any, any, ContextType>;
  isAuthenticated?: IsAuthenticatedDirectiveResolver<any, any, ContextType>;
  startsJob?: StartsJobDirectiveResolver<any, any, ContextType>;
};
