import type { SigningSecrets } from './key-ring.js';

export const REPORT_LOCALES = ['en', 'ja'] as const;
export type ReportLocale = (typeof REPORT_LOCALES)[number];

/** Driving time rules that reports know; `src/reports/day/driving-rules.ts` has their sources. */
export const DRIVING_RULES = ['japan-2024', 'eu-561', 'eu-561-occasional', 'off'] as const;
export type DrivingRules = (typeof DRIVING_RULES)[number];

/** Longest time for which the record of a job is kept after its end, in days. */
export const LONGEST_RECORD_DAYS = 7;

/** The validated configuration. Times are milliseconds unless their name says otherwise. */
export interface Config {
  readonly production: boolean;
  /** Settings that are valid but probably unintended, one line each. */
  readonly doubts: readonly string[];
  readonly listen: Address;
  /** Undefined: nothing is measured. */
  readonly metrics: Address | undefined;
  /** Empty, or starting with `/` and not ending with one. */
  readonly basePath: string;
  /** Undefined: derived from the listening port. */
  readonly gatewayUrl: string | undefined;
  /** URL of the gateway for browsers, base path included. Undefined: unknown. */
  readonly publicUrl: string | undefined;
  readonly backends: { readonly kind: 'sandbox' } | ({ readonly kind: 'urls' } & BackendUrls);
  readonly keys: {
    /** Sent with service calls; the second one if the first is refused. */
    readonly backendApi: readonly [string, string?];
    readonly geoApi: string | undefined;
    readonly voipApi: string | undefined;
    /** Keys accepted from queue functions; queue functions send the first. */
    readonly callback: readonly [string, ...string[]];
    /** Callbacks are signed with all secrets, and one signature must match; undefined: no signature is required. */
    readonly callbackSigning: SigningSecrets | undefined;
    /** Keys of 32 bytes; the first encrypts. Undefined: the key is in the data directory. */
    readonly jobEncryption: readonly [Uint8Array, ...Uint8Array[]] | undefined;
  };
  /** True if callbacks of accounts need a user's order. */
  readonly callbacksOrderedOnly: boolean;
  readonly mobileUpdates: 'everyone' | 'administrators';
  /** Undefined: the sandbox's own issuer. */
  readonly tokenIssuers: readonly string[] | undefined;
  /** Undefined: any operation is accepted. */
  readonly persistedOperations: { readonly file: string; readonly only: boolean } | undefined;
  readonly publishSchema: boolean;
  readonly publicKeyMaxAgeMs: number;
  readonly dataDir: string;
  /** For `parseRedisUrl`. Undefined: jobs and queue are embedded in the data directory. */
  readonly redisUrl: string | undefined;
  /** Undefined: the queue is in the job store. */
  readonly sqsQueueUrl: string | undefined;
  readonly objects: ObjectsConfig;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  readonly telemetry: {
    /** URL that receives traces; undefined: no traces. */
    readonly tracesEndpoint: string | undefined;
    /** Name in traces and in the log; undefined: the name of the program. */
    readonly serviceName: string | undefined;
  };
  readonly jobs: {
    readonly leaseMs: number;
    readonly deadlineMs: number;
    readonly patienceMs: number;
    readonly maxAttempts: number;
    /** Number of jobs that a consumer handles at the same time; undefined: the program's own. */
    readonly concurrency: number | undefined;
    readonly queuePatienceMs: number;
    readonly organisation: {
      readonly maxOpen: number;
      readonly maxOpenBytes: number;
      readonly maxRunning: number;
      readonly maxKeptBytes: number;
      readonly maxItemsPerMinute: number;
    };
  };
  readonly limits: Limits;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly maxEventLoopDelayMs: number;
  readonly backendTimeoutMs: number;
  readonly shutdown: { readonly delayMs: number; readonly drainMs: number };
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: number;
  readonly allowTestOtp: boolean;
  readonly report: {
    readonly timeZone: string | undefined;
    readonly locale: ReportLocale;
    readonly speedLimitKmh: number;
    readonly overLimitMinSeconds: number;
    readonly drivingRules: DrivingRules;
    readonly maxTaggedPages: number;
    readonly formFile: string | undefined;
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

export interface BackendUrls {
  readonly backendApi: string;
  readonly geoApi: string;
  readonly voipApi: string;
}

/** Limits whose errors name their variable, by the names of these variables. */
export interface Limits {
  readonly graphqlMaxBodyBytes: number;
  readonly callbackMaxBodyBytes: number;
  readonly bulkMaxItems: number;
  readonly reportMaxDrivers: number;
  readonly graphqlMaxDepth: number;
  readonly graphqlMaxAliases: number;
  readonly graphqlMaxRootFields: number;
  readonly graphqlMaxDirectives: number;
  readonly graphqlMaxRepeats: number;
  readonly graphqlMaxTokens: number;
  readonly graphqlMaxJobStarts: number;
  readonly graphqlMaxAnswerBytes: number;
  readonly loginRatePerMinute: number;
  readonly otpSendRatePerMinute: number;
}

/** Object store of an installation: the only place that says which one is used. */
export type ObjectsConfig =
  | { readonly kind: 'files'; readonly dataDir: string; readonly retentionDays: number }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly region: string;
      readonly endpoint: string | undefined;
      readonly forcePathStyle: boolean;
      readonly retentionDays: number;
    };

/** Parts of the configuration whose values have places of their own; all other values are whole. */
type Part = 'listen' | 'keys' | 'telemetry' | 'jobs' | 'organisation' | 'limits' | 'shutdown' | 'report';

/** Place of a value in the configuration, such as `jobs.leaseMs`. */
export type Place<T = Config> = {
  [Key in keyof T & string]: Key extends Part ? `${Key}.${Place<T[Key]>}` : Key;
}[keyof T & string];

/** Value at a place. */
export type ValueAt<P extends string, T = Config> = P extends keyof T
  ? T[P]
  : P extends `${infer Key extends keyof T & string}.${infer Rest}`
    ? ValueAt<Rest, T[Key]>
    : never;

export type Program = 'gateway' | 'queue-function' | 'jobs';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Error for an unusable environment: the faults, and doubts that may explain them, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly faults: readonly string[],
    readonly doubts: readonly string[] = [],
  ) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** Error for unusable data where the configuration says; the message is one line. */
export class UnusableDataError extends ConfigError {
  constructor(fault: string, { cause }: ErrorOptions = {}) {
    super([fault]);
    this.message = fault;
    this.cause = cause;
  }
}
