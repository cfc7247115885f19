export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string | number; output: string; }
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

/** The authenticated user, as the claims of the token say. */
export type AuthUser = {
  /** User name in the vehicle-location backend (claim `preferred_username`). */
  readonly BackendUser: Scalars['String']['output'];
  /** User identifier in the chat service (claim `chat_id`). */
  readonly ChatId: Maybe<Scalars['String']['output']>;
  /** Administrator flag (claim `is_admin`). */
  readonly IsAdmin: Scalars['Boolean']['output'];
  /** Token issuer (claim `iss`); empty when the token was admitted by its audience and names no issuer. */
  readonly Issuser: Scalars['String']['output'];
  /** Login identifier when logged in on behalf of another user (claim `loggedin_id`). */
  readonly LoggedInId: Maybe<Scalars['String']['output']>;
  /** Organisation code (claim `org:id`). */
  readonly Org: Scalars['String']['output'];
  /** Region (claim `region`). */
  readonly Region: Scalars['String']['output'];
};

/** Status of a bulk user account job. */
export type BulkOperationUserAccountStatus = JobStatus & {
  /** Whether it was cancelled before it ended. Until it has ended, what had begun is being finished. */
  readonly cancelled: Scalars['Boolean']['output'];
  /** Whether the job has ended. */
  readonly completed: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** Identifiers of the created accounts, also if other items failed. */
  readonly createdUserAccountId: Maybe<ReadonlyArray<Scalars['ID']['output']>>;
  /** One text per failed item, `[index] id: reason`; null when none failed. */
  readonly errors: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Number of `failures`; 0 until the job has ended. */
  readonly failureCount: Scalars['Int']['output'];
  /** Failures of the job one by one, all without arguments; empty if there are none. */
  readonly failures: ReadonlyArray<JobFailure>;
  /** When the job ended. */
  readonly finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The same as `jobId`, for caches of clients. */
  readonly id: Scalars['ID']['output'];
  /**
   * The same in parts; also null for a job that was never begun, or that an earlier version ended.
   * @deprecated Use `failures`, which every kind of job has, whatever ended it.
   */
  readonly itemErrors: Maybe<ReadonlyArray<ItemError>>;
  /** Identifier of the job. */
  readonly jobId: Scalars['ID']['output'];
  /** Kind of the job. */
  readonly kind: JobKind;
  /** User who ordered it; null when no user did. */
  readonly orderedBy: Maybe<JobOrderer>;
  /**
   * Seconds until the next poll is worth it: 1 in the first ten seconds and while the job runs, 5 while it is pending, 10
   * after ten minutes. A job that has ended changes no more.
   */
  readonly pollAfterSeconds: Scalars['Int']['output'];
  /** Progress of the job, in items. */
  readonly progress: JobProgress;
  /** State of the job. */
  readonly state: JobState;
  /** Outcome; null until the job has ended. */
  readonly status: Maybe<JobOutcome>;
  /** Notes about the job that are not failures, ten at most; empty if there are none. */
  readonly warnings: ReadonlyArray<JobWarning>;
};


/** Status of a bulk user account job. */
export type BulkOperationUserAccountStatusFailuresArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Status of a bulk mobile update. */
export type BulkUpdateMobileStatus = JobStatus & {
  /** Whether it was cancelled before it ended. Until it has ended, what had begun is being finished. */
  readonly cancelled: Scalars['Boolean']['output'];
  /** Whether the job has ended. */
  readonly completed: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** One text per failed item, `[index] id: reason`; null when none failed. */
  readonly errors: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Number of `failures`; 0 until the job has ended. */
  readonly failureCount: Scalars['Int']['output'];
  /** Failures of the job one by one, all without arguments; empty if there are none. */
  readonly failures: ReadonlyArray<JobFailure>;
  /** When the job ended. */
  readonly finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The same as `jobId`, for caches of clients. */
  readonly id: Scalars['ID']['output'];
  /**
   * The same in parts; also null for a job that was never begun, or that an earlier version ended.
   * @deprecated Use `failures`, which every kind of job has, whatever ended it.
   */
  readonly itemErrors: Maybe<ReadonlyArray<ItemError>>;
  /** Identifier of the job. */
  readonly jobId: Scalars['ID']['output'];
  /** Kind of the job. */
  readonly kind: JobKind;
  /** User who ordered it; null when no user did. */
  readonly orderedBy: Maybe<JobOrderer>;
  /**
   * Seconds until the next poll is worth it: 1 in the first ten seconds and while the job runs, 5 while it is pending, 10
   * after ten minutes. A job that has ended changes no more.
   */
  readonly pollAfterSeconds: Scalars['Int']['output'];
  /** Progress of the job, in items. */
  readonly progress: JobProgress;
  /** State of the job. */
  readonly state: JobState;
  /** Outcome; null until the job has ended. */
  readonly status: Maybe<JobOutcome>;
  /** Notes about the job that are not failures, ten at most; empty if there are none. */
  readonly warnings: ReadonlyArray<JobWarning>;
};


/** Status of a bulk mobile update. */
export type BulkUpdateMobileStatusFailuresArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** A driver without a page in the report. */
export type DriverError = {
  /** Kind of failure. */
  readonly code: JobFailureCode;
  /** Employee code. */
  readonly employeeCode: Scalars['String']['output'];
  /** Reason of the failure. */
  readonly message: Scalars['String']['output'];
  /** Mobile station identifier; empty where a job was cancelled that nobody ran, with all its drivers. */
  readonly mobileId: Scalars['ID']['output'];
  /** Stable name of the message, by which a front end translates it; null where an earlier version noted none. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** Values in the message by name, so that a translation needs no English; `{}` without one. */
  readonly values: Scalars['JSON']['output'];
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

/** Status of a driving report job. */
export type DrivingReportsStatus = JobStatus & {
  /** Whether it was cancelled before it ended. Until it has ended, what had begun is being finished. */
  readonly cancelled: Scalars['Boolean']['output'];
  /** Whether the job has ended. */
  readonly completed: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** Link to the PDF for the next five minutes: a URL, or a path from the root of the gateway’s origin. Poll for a new one. */
  readonly downloadUrl: Maybe<Scalars['String']['output']>;
  /** Time until which `downloadUrl` and `tableUrl` work; null without one. */
  readonly downloadUrlExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** The same in seconds from the answer, because clocks of browsers may be wrong; null without a `downloadUrl`. */
  readonly downloadUrlExpiresIn: Maybe<Scalars['Int']['output']>;
  /** Drivers without a page; null when there are none. */
  readonly errorList: Maybe<ReadonlyArray<DriverError>>;
  /** One text per failed driver; null if none failed. */
  readonly errors: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Number of `failures`; 0 until the job has ended. */
  readonly failureCount: Scalars['Int']['output'];
  /** Failures of the job one by one, all without arguments; empty if there are none. */
  readonly failures: ReadonlyArray<JobFailure>;
  /** When the job ended. */
  readonly finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The same as `jobId`, for caches of clients. */
  readonly id: Scalars['ID']['output'];
  /** Identifier of the job. */
  readonly jobId: Scalars['ID']['output'];
  /** Object key of the PDF; null if there is none. */
  readonly key: Maybe<Scalars['String']['output']>;
  /** Kind of the job. */
  readonly kind: JobKind;
  /** User who ordered it; null when no user did. */
  readonly orderedBy: Maybe<JobOrderer>;
  /**
   * Seconds until the next poll is worth it: 1 in the first ten seconds and while the job runs, 5 while it is pending, 10
   * after ten minutes. A job that has ended changes no more.
   */
  readonly pollAfterSeconds: Scalars['Int']['output'];
  /** Progress of the job, in drivers. */
  readonly progress: JobProgress;
  /** State of the job. */
  readonly state: JobState;
  /** Outcome; null until the job has ended. */
  readonly status: Maybe<JobOutcome>;
  /**
   * Where the figures of the report can be downloaded as a table for as long: CSV in UTF-8, a row for each driver and for
   * each trip. Null without a PDF, with the warning `TableMissing`, and for reports of earlier versions.
   */
  readonly tableUrl: Maybe<Scalars['String']['output']>;
  /** Notes about the job that are not failures, ten at most; empty if there are none. */
  readonly warnings: ReadonlyArray<JobWarning>;
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
  /** Kind of failure. */
  readonly code: JobFailureCode;
  /** Place of the item in the list, from 0. */
  readonly index: Scalars['Int']['output'];
  /** Login identifier of the account, or identifier of the mobile; null where a job was cancelled that nobody ran. */
  readonly item: Maybe<Scalars['ID']['output']>;
  /** Reason of the failure. */
  readonly message: Scalars['String']['output'];
  /** Stable name of the message, by which a front end translates it; null where an earlier version noted none. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** Values in the message by name, so that a translation needs no English; `{}` without one. */
  readonly values: Scalars['JSON']['output'];
};

/** A job that was accepted. An organisation may have a number of them that have not ended; beyond: `TooManyRequests`. */
export type Job = {
  /** Whether it was cancelled before it ended. */
  readonly cancelled: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The same as `jobId`. `Job` and the status of a job share it: caches need the type as well. */
  readonly id: Scalars['ID']['output'];
  /** Pass it to the status query of the same kind. */
  readonly jobId: Scalars['ID']['output'];
  /** State at the time of the answer. */
  readonly state: JobState;
  /** Status at the time of the answer, read on demand, so that caches show it at once; null where there is no record. */
  readonly status: Maybe<JobStatus>;
};

/** A page of jobs. */
export type JobConnection = {
  /** The jobs of this page. */
  readonly edges: ReadonlyArray<JobEdge>;
  /** Start and end of the page. */
  readonly pageInfo: PageInfo;
};

/** An entry of a page of jobs. */
export type JobEdge = {
  /** Pass it as `after` to continue after this job. */
  readonly cursor: Scalars['String']['output'];
  /** The job, with everything that its status query tells. */
  readonly node: Maybe<JobStatus>;
};

/** A failure inside a job, or of the job as a whole. */
export type JobFailure = {
  /** Kind of failure; `InternalError` also where an earlier version noted none. */
  readonly code: JobFailureCode;
  /** Place of the item or driver in the list, from 0; null where it is not known, and for the job as a whole. */
  readonly index: Maybe<Scalars['Int']['output']>;
  /** Reason of the failure. */
  readonly message: Scalars['String']['output'];
  /** Stable name of the message, by which a front end translates it; null where an earlier version noted none. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** Identifier of the mobile, login identifier of the account or employee code of the driver; null where it is not known. */
  readonly subject: Maybe<Scalars['String']['output']>;
  /** Values in the message by name, so that a translation needs no English; `{}` without one. */
  readonly values: Scalars['JSON']['output'];
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
  /** User name in the vehicle-location backend (claim `preferred_username`). */
  readonly BackendUser: Scalars['String']['output'];
  /** Login identifier when logged in on behalf of another user (claim `loggedin_id`). */
  readonly LoggedInId: Maybe<Scalars['String']['output']>;
};

/** Outcomes of a job. */
export type JobOutcome =
  /** Something failed or was not done: `errors`. */
  | 'Failure'
  /** All was done. */
  | 'Success';

/** Progress of a job. */
export type JobProgress = {
  /** Items handled so far. */
  readonly done: Scalars['Int']['output'];
  /** Items handled so far that failed; null where it is not known, as for a report that has not ended. */
  readonly failed: Maybe<Scalars['Int']['output']>;
  /** Items in all. */
  readonly total: Scalars['Int']['output'];
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
  readonly cancelled: Scalars['Boolean']['output'];
  /** Whether the job has ended. */
  readonly completed: Scalars['Boolean']['output'];
  /** When the job was accepted. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** One text per failure; null if there is none. */
  readonly errors: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Number of `failures`; 0 until the job has ended. */
  readonly failureCount: Scalars['Int']['output'];
  /** Failures of the job one by one, all without arguments; empty if there are none. */
  readonly failures: ReadonlyArray<JobFailure>;
  /** When the job ended. */
  readonly finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The same as `jobId`, for caches of clients. */
  readonly id: Scalars['ID']['output'];
  /** Identifier of the job. */
  readonly jobId: Scalars['ID']['output'];
  /** Kind of the job. */
  readonly kind: JobKind;
  /** User who ordered it; null when no user did. */
  readonly orderedBy: Maybe<JobOrderer>;
  /**
   * Seconds until the next poll is worth it: 1 in the first ten seconds and while the job runs, 5 while it is pending, 10
   * after ten minutes. A job that has ended changes no more.
   */
  readonly pollAfterSeconds: Scalars['Int']['output'];
  /** Progress of the job. */
  readonly progress: JobProgress;
  /** State of the job. */
  readonly state: JobState;
  /** Outcome; null until the job has ended. */
  readonly status: Maybe<JobOutcome>;
  /** Notes about the job that are not failures, ten at most; empty if there are none. */
  readonly warnings: ReadonlyArray<JobWarning>;
};


/** Fields of every job status. */
export type JobStatusFailuresArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** A note about a job that is not a failure. */
export type JobWarning = {
  /** Subject of the note. */
  readonly code: JobWarningCode;
  /** The same in words. */
  readonly message: Scalars['String']['output'];
  /** Stable name of the message, by which a front end translates it; null where an earlier version noted none. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** Values in the message by name, so that a translation needs no English; `{}` without one. */
  readonly values: Scalars['JSON']['output'];
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
  /** Ties the one-time password to this log-in; pass it to `verifyOtp`. */
  readonly challenge: Maybe<Scalars['String']['output']>;
  /** Whether a one-time password is needed to obtain the session. */
  readonly otpRequired: Scalars['Boolean']['output'];
  /** The session; null when a one-time password is needed first. */
  readonly session: Maybe<Session>;
};

/**
 * A mobile: a vehicle or device of the organisation. `tags`, `voice` and the `address` of its position come from a backend that may not answer. Then they are
 * null, with a `ServiceUnavailable` error at their path for 21 of them, of which the last one gives the number of all, and
 * for one of each root field at least. So a null without an error means that there is no value, unless the same field has
 * such an error elsewhere in the root field: then it may be one of those without an error of their own.
 */
export type Mobile = {
  /** Mobile station identifier. */
  readonly id: Scalars['ID']['output'];
  /** Name. */
  readonly name: Scalars['String']['output'];
  /** Mobile number or label. */
  readonly num: Scalars['String']['output'];
  /** Last known position; null when none is known. */
  readonly position: Maybe<Position>;
  /** Tags; null while they are not available, with or without an error of its own. */
  readonly tags: Maybe<ReadonlyArray<Tag>>;
  /** Voice presence; null when unknown, or while the voice service does not answer, with or without an error of its own. */
  readonly voice: Maybe<Voice>;
};

/** A page of mobiles. */
export type MobileConnection = {
  /** The mobiles of this page. */
  readonly edges: ReadonlyArray<MobileEdge>;
  /** Start and end of the page. */
  readonly pageInfo: PageInfo;
  /** Mobiles of all pages; null when the backend does not tell. */
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

/** An entry of a page of mobiles. */
export type MobileEdge = {
  /** Pass it as `after` to continue after this entry; null if the backend gives only the cursor of the last entry. */
  readonly cursor: Maybe<Scalars['String']['output']>;
  /**
   * The mobile. Null, with a `ServiceUnavailable` error at its path, if the backend's answer for it cannot be read; the
   * others of the page are not affected. A page has 21 such errors at most, of which the last one gives the number of all.
   */
  readonly node: Maybe<Mobile>;
};

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

export type Mutation = {
  /**
   * Cancel a job that the user finds with `job`; any other is `NotFound`. Items that have begun are finished within
   * seconds; the others fail with `not done, the job was cancelled`. A report is still made of the drivers it has, and
   * names the others in `errorList`. The job ends as any other does: poll it. A job that does not run at that moment ends
   * at once, and its failures name only the indexes of its items. A job that has ended stays as it is: `cancelled` says
   * whether it was cancelled.
   */
  readonly cancelJob: Maybe<Job>;
  /**
   * Exchange a refresh token for a new session. Each token is good for one use. A repetition within 60 s gets the same
   * session, until its own refresh token is used: browsers repeat a request by themselves when the connection closes.
   */
  readonly refreshUserToken: Maybe<Session>;
  /**
   * Send a one-time password to the address registered for the account. Limited per account and address, and every
   * request per address. Repeated within a minute, it answers with the one that was sent. An account that gets more than
   * ten an hour gets others only for networks from which it was logged in or refreshed within a day.
   */
  readonly sendOtp: Maybe<OtpDelivery>;
  /**
   * Issue a one-time password for testing. Answers `Forbidden` in production unless it is allowed there. Counts together
   * with `sendOtp`.
   */
  readonly sendTestOtp: Maybe<OtpDelivery>;
  /**
   * Create, update and delete user accounts, one after another. Administrators only.
   * Poll it with `fetchBulkOperationUserAccountStatus`.
   */
  readonly startBulkOperationUserAccount: Maybe<Job>;
  /**
   * Update mobiles, one after another. Poll it with `fetchBulkUpdateMobileStatus`. A user may change each mobile that the
   * user sees, unless the installation leaves that to administrators (`MOBILE_UPDATES`): then it is `Forbidden` for others.
   */
  readonly startBulkUpdateMobile: Maybe<Job>;
  /** Order the driving report of one day. Poll it with `fetchDrivingReportsStatus`. */
  readonly startDrivingReports: Maybe<Job>;
  /**
   * Log in. Either a session comes back, or `otpRequired` is true and the session is obtained with `verifyOtp`.
   * Wrong passwords are limited per account and address, and per address; other failures count a little.
   */
  readonly userLogin: Maybe<LoginResult>;
  /**
   * Exchange a one-time password for a session. Wrong ones count together with the wrong passwords of `userLogin`. A
   * repetition within 10 s from the same address gets the same session.
   */
  readonly verifyOtp: Maybe<Session>;
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
  items: ReadonlyArray<UserAccountOperationInput>;
};


export type MutationStartBulkUpdateMobileArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  items: ReadonlyArray<MobileUpdateInput>;
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
  /** Lifetime of the one-time password in seconds; of one that was sent before, what is left of it. */
  readonly expiresIn: Scalars['Int']['output'];
  /**
   * Whether no new one was sent, because one was sent to the account within the last minute for the same address of the
   * client.
   */
  readonly isRepeated: Scalars['Boolean']['output'];
  /** Address to which it was sent, masked. */
  readonly sentTo: Scalars['String']['output'];
};

/** Start and end of a page of a list. */
export type PageInfo = {
  /**
   * Pass it as `after` to get the next page if `hasNextPage`. On the last page of jobs it is the `cursor` of the last entry;
   * on the last page of mobiles and accounts it is null, because the backend tells no cursor there.
   */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** Whether another page follows. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether this is a later page than the first one. Pages are read forwards only. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The `cursor` of the first entry; null when it has none. */
  readonly startCursor: Maybe<Scalars['String']['output']>;
};

/** Last known position of a mobile. */
export type Position = {
  /** Address of the position; null when unknown, or while the geo service does not answer, with or without an error of its own. */
  readonly address: Maybe<Scalars['String']['output']>;
  /** Degrees clockwise from north. */
  readonly heading: Scalars['Float']['output'];
  /** Latitude in degrees, positive north. */
  readonly latitude: Scalars['Float']['output'];
  /** Longitude in degrees, positive east. */
  readonly longitude: Scalars['Float']['output'];
  /** Time at which the position was recorded. */
  readonly recordedAt: Scalars['DateTime']['output'];
  /** Speed in kilometres an hour. */
  readonly speedKmh: Scalars['Float']['output'];
};

export type Query = {
  /** Outcome of a bulk user account job. Administrators only. */
  readonly fetchBulkOperationUserAccountStatus: Maybe<BulkOperationUserAccountStatus>;
  /** Outcome of a bulk mobile update, for the users who find a driving report job. */
  readonly fetchBulkUpdateMobileStatus: Maybe<BulkUpdateMobileStatus>;
  /**
   * Outcome of a driving report job. A job belongs to the user who ordered it (`BackendUser`); administrators see all jobs
   * of their organisation, and a job that no user ordered is found by everybody there. Any other job is `NotFound`.
   */
  readonly fetchDrivingReportsStatus: Maybe<DrivingReportsStatus>;
  /** Outcome of a job of any kind, for the users who find it with the query of its kind; for other users it is `NotFound`. */
  readonly job: Maybe<JobStatus>;
  /**
   * Jobs that the user ordered with the mutations of this schema within the last seven days, newest first, so that a
   * reloaded page finds its jobs again. Administrators see the jobs of all users of their organisation. Only they see
   * account jobs; other users who ask for that kind are refused with `Forbidden`.
   */
  readonly jobs: Maybe<JobConnection>;
  /** The user the token belongs to. */
  readonly me: Maybe<AuthUser>;
  /** One mobile. An unknown or invisible id is `NotFound`. */
  readonly mobile: Maybe<Mobile>;
  /** Mobiles the user may see, one page at a time. */
  readonly mobiles: Maybe<MobileConnection>;
  /** Version of the running service. */
  readonly serviceVersion: Maybe<Scalars['String']['output']>;
  /** Every tag of the organisation. */
  readonly tags: Maybe<ReadonlyArray<Tag>>;
  /** User accounts, one page at a time. */
  readonly userAccounts: Maybe<UserAccountConnection>;
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
  tagIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};


export type QueryUserAccountsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Tokens of a session. */
export type Session = {
  /** Bearer token for the `Authorization` header. */
  readonly accessToken: Scalars['String']['output'];
  /** Lifetime of the access token in seconds. */
  readonly expiresIn: Scalars['Int']['output'];
  /** Token for `refreshUserToken`. */
  readonly refreshToken: Scalars['String']['output'];
};

/** A tag that groups mobiles. */
export type Tag = {
  /** Tag identifier. */
  readonly id: Scalars['ID']['output'];
  /** Name. */
  readonly name: Scalars['String']['output'];
};

/** A user account. */
export type UserAccount = {
  /** Function restriction code. */
  readonly functionRestriction: Maybe<Scalars['Int']['output']>;
  /** Account identifier. */
  readonly id: Scalars['ID']['output'];
  /** Entries of the individual filter. */
  readonly indivs: Maybe<ReadonlyArray<Maybe<Scalars['JSON']['output']>>>;
  /** Administrator flag. */
  readonly isAdmin: Scalars['Boolean']['output'];
  /** Entries of the landmark category filter. */
  readonly landmarkCategories: Maybe<ReadonlyArray<Maybe<Scalars['JSON']['output']>>>;
  /** Login identifier. */
  readonly loginId: Scalars['String']['output'];
  /** Display name. */
  readonly name: Scalars['String']['output'];
  /** Whether chat is enabled. */
  readonly useChat: Maybe<Scalars['Boolean']['output']>;
  /** Whether the connection limit is enabled. */
  readonly useConnectionLimit: Maybe<Scalars['Boolean']['output']>;
  /** Whether the individual filter is enabled. */
  readonly useIndivFilter: Maybe<Scalars['Boolean']['output']>;
  /** Whether the landmark category filter is enabled. */
  readonly useLandmarkCategoryFilter: Maybe<Scalars['Boolean']['output']>;
  /** Whether the group filter is enabled. */
  readonly useVPTGrpFilter: Maybe<Scalars['Boolean']['output']>;
  /** Entries of the group filter. */
  readonly vptGrps: Maybe<ReadonlyArray<Maybe<Scalars['JSON']['output']>>>;
};

/** A page of user accounts. */
export type UserAccountConnection = {
  /** The accounts of this page. */
  readonly edges: ReadonlyArray<UserAccountEdge>;
  /** Start and end of the page. */
  readonly pageInfo: PageInfo;
  /** Accounts of all pages; null when the backend does not tell. */
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

/** An entry of a page of user accounts. */
export type UserAccountEdge = {
  /** Pass it as `after` to continue after this entry; null if the backend gives only the cursor of the last entry. */
  readonly cursor: Maybe<Scalars['String']['output']>;
  /**
   * The account. Null, with a `ServiceUnavailable` error at its path, if the backend's answer for it cannot be read; the
   * others of the page are not affected. A page has 21 such errors at most, of which the last one gives the number of all.
   */
  readonly node: Maybe<UserAccount>;
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

/** Voice presence of a mobile. */
export type Voice = {
  /** Whether the mobile can be reached by voice now. */
  readonly online: Scalars['Boolean']['output'];
  /** The talk group it listens to. */
  readonly talkGroup: Maybe<Scalars['String']['output']>;
};


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
  readonly TooManyKeptJobs: Readonly<Record<string, never>>;
  readonly TooManyOrders: Readonly<Record<string, never>>;
  readonly TooManyJobLists: { readonly seconds: number };
  readonly TooManyAttempts: Readonly<Record<string, never>>;
  readonly TooManyForBackend: { readonly backendText: string };
  readonly BackendUnavailable: Readonly<Record<string, never>>;
  readonly OddRecords: { readonly count: number };
  readonly AddressesUnavailable: Readonly<Record<string, never>>;
  readonly VoiceUnavailable: Readonly<Record<string, never>>;
  readonly ValuesUnavailable: { readonly count: number };
  readonly StoreUnavailable: Readonly<Record<string, never>>;
  readonly ReportsUnavailable: Readonly<Record<string, never>>;
  readonly ShuttingDown: Readonly<Record<string, never>>;
  readonly Busy: Readonly<Record<string, never>>;
  readonly SessionUnknown: Readonly<Record<string, never>>;
  readonly OperationTimeout: { readonly seconds: number };
  readonly OutcomeUnknown: { readonly seconds: number };
  readonly NotStarted: Readonly<Record<string, never>>;
  readonly InternalError: Readonly<Record<string, never>>;
  readonly InvalidInput: { readonly reasons: readonly string[] };
  readonly EmptyList: Readonly<Record<string, never>>;
  readonly DayNotBegun: Readonly<Record<string, never>>;
  readonly IdempotencyKeyReused: Readonly<Record<string, never>>;
  readonly RefusedByBackend: { readonly backendText: string };
  readonly RequestRefused: Readonly<Record<string, never>>;
  readonly TooManyItems: { readonly found: number; readonly limit: number; readonly variable: 'BULK_MAX_ITEMS' | 'REPORT_MAX_DRIVERS' | 'GRAPHQL_MAX_BODY_BYTES' | 'CALLBACK_MAX_BODY_BYTES' };
  readonly TooManyEntries: { readonly name: string; readonly found: number; readonly limit: number };
  readonly TooManyJobStarts: { readonly found: number; readonly limit: number };
  readonly TooManyRootFields: { readonly found: number; readonly limit: number };
  readonly TooManyAliases: { readonly found: number; readonly limit: number };
  readonly TooManyDirectives: { readonly found: number; readonly limit: number };
  readonly TooManyLevels: { readonly found: number; readonly limit: number };
  readonly TooManyRepeats: { readonly found: number; readonly limit: number };
  readonly AnswerTooLarge: { readonly limit: number };
  readonly TooManyTokens: { readonly limit: number };
  readonly BodyTooLarge: { readonly limit: number; readonly variable: 'BULK_MAX_ITEMS' | 'REPORT_MAX_DRIVERS' | 'GRAPHQL_MAX_BODY_BYTES' | 'CALLBACK_MAX_BODY_BYTES' };
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
  readonly OperationNotListed: Readonly<Record<string, never>>;
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
  readonly RefusedInDoubt: { readonly backendText: string };
  readonly RefusedInDoubtExists: { readonly backendText: string };
  readonly PasswordRefused: Readonly<Record<string, never>>;
  readonly FieldRequired: { readonly field: 'password' | 'name' };
  readonly UnusableId: { readonly name: string };
  readonly UnreadableAnswer: Readonly<Record<string, never>>;
  readonly ItemFailed: Readonly<Record<string, never>>;
  readonly Waiting: Readonly<Record<string, never>>;
  readonly ForeignAnswer: { readonly status: number };
  readonly AddressesMissing: { readonly count: number };
  readonly DayNotOver: Readonly<Record<string, never>>;
  readonly TableMissing: Readonly<Record<string, never>>;
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

/** Reasons whose texts end users read. */
export type UserReason =
  | 'AuthorizationMissing'
  | 'TokenInvalid'
  | 'AdministratorsOnly'
  | 'AccountForbidden'
  | 'ForbiddenByBackend'
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
  | 'TooManyKeptJobs'
  | 'TooManyOrders'
  | 'TooManyJobLists'
  | 'TooManyAttempts'
  | 'TooManyForBackend'
  | 'BackendUnavailable'
  | 'OddRecords'
  | 'AddressesUnavailable'
  | 'VoiceUnavailable'
  | 'ValuesUnavailable'
  | 'StoreUnavailable'
  | 'ReportsUnavailable'
  | 'ShuttingDown'
  | 'Busy'
  | 'SessionUnknown'
  | 'OperationTimeout'
  | 'OutcomeUnknown'
  | 'NotStarted'
  | 'InternalError'
  | 'EmptyList'
  | 'DayNotBegun'
  | 'RefusedByBackend'
  | 'RequestRefused'
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
  | 'RefusedInDoubt'
  | 'RefusedInDoubtExists'
  | 'PasswordRefused'
  | 'FieldRequired'
  | 'UnusableId'
  | 'UnreadableAnswer'
  | 'ItemFailed'
  | 'Waiting'
  | 'ForeignAnswer'
  | 'AddressesMissing'
  | 'DayNotOver'
  | 'TableMissing';

/** A reason with its values, as a reply has them beside `code` and `message`. */
export type Reasoned<Name extends Reason = Reason> = {
  readonly [Each in Name]: { readonly reason: Each; readonly values: ValuesOfReason[Each] };
}[Name];

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
  | 'TooManyKeptJobs'
  | 'TooManyOrders'
  | 'TooManyJobLists'
  | 'TooManyAttempts'
  | 'TooManyForBackend'
  | 'BackendUnavailable'
  | 'OddRecords'
  | 'AddressesUnavailable'
  | 'VoiceUnavailable'
  | 'ValuesUnavailable'
  | 'StoreUnavailable'
  | 'ReportsUnavailable'
  | 'ShuttingDown'
  | 'Busy'
  | 'SessionUnknown'
  | 'OperationTimeout'
  | 'OutcomeUnknown'
  | 'NotStarted'
  | 'InternalError'
  | 'InvalidInput'
  | 'EmptyList'
  | 'DayNotBegun'
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
  | 'AnswerTooLarge'
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
  | 'OperationNotListed'
  | 'WrongHash'
  | 'TwoDocuments'
  | 'InvalidDocumentId'
  | 'InvalidPersistedQuery';

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

/** Reasons of an entry of `failures`, `itemErrors` or `errorList` of a job. */
export type JobFailureReason =
  | 'ForbiddenByBackend'
  | 'UnknownToBackend'
  | 'TooManyForBackend'
  | 'BackendUnavailable'
  | 'DayNotBegun'
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
  | 'RefusedInDoubt'
  | 'RefusedInDoubtExists'
  | 'PasswordRefused'
  | 'FieldRequired'
  | 'UnusableId'
  | 'UnreadableAnswer'
  | 'ItemFailed';

/** Reasons of an entry of `warnings` of a job. */
export type JobWarningReason =
  | 'Waiting'
  | 'ForeignAnswer'
  | 'AddressesMissing'
  | 'DayNotOver'
  | 'TableMissing';

/** An entry of the list: a code with a reason, its text and its readers, the names of its values, and the places. */
export interface PublishedError {
  readonly code: ErrorCode | JobFailureCode | JobWarningCode;
  readonly reason: Reason;
  readonly text: string;
  readonly readBy: 'users' | 'front ends';
  readonly values: readonly string[];
  readonly where: readonly ('errors' | 'fields' | 'failures' | 'warnings')[];
}
