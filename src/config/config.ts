/**
 * The only place that reads the environment. Every variable stands in `variables.ts` with its parser, default and
 * meaning; `loadConfig` reads them all once and reports every fault at the same time.
 */
import { readBackends, readIssuers, type BackendsConfig } from './backends.js';
import { ConfigError, readEnvironment, type Environment, type Program, type Reader } from './environment.js';
import { readKeys, type KeysConfig } from './keys.js';
import { readPersistedOperations, type PersistedOperationsConfig } from './persisted-operations.js';
import { readStorage, type StorageConfig } from './storage.js';
import { readMetrics, readTelemetry, type MetricsConfig, type TelemetryConfig } from './telemetry.js';

export { ConfigError, UnusableDataError, type Program } from './environment.js';
export { DEVELOPMENT_CALLBACK_KEY } from './keys.js';
export type { S3Config } from './storage.js';
export { VARIABLES, type VariableName } from './variables.js';

/** The validated configuration. Times are milliseconds. */
export interface Config extends StorageConfig {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  /** Where metrics are read; undefined: nothing is measured. */
  readonly metrics: MetricsConfig | undefined;
  /** Empty, or starting with `/` and not ending with one. */
  readonly basePath: string;
  /** Undefined: derived from the port that is listened on. */
  readonly gatewayUrl: string | undefined;
  /** Where browsers find the gateway, its base path included. Undefined: not known. */
  readonly publicUrl: string | undefined;
  readonly backends: BackendsConfig;
  readonly keys: KeysConfig;
  /** Undefined: the sandbox's own issuer. */
  readonly tokenIssuers: readonly string[] | undefined;
  /** Undefined: operations are accepted as they are written. */
  readonly persistedOperations: PersistedOperationsConfig | undefined;
  /** Whether everybody may read the SDL and the OpenAPI file. */
  readonly publishesSchema: boolean;
  readonly publicKeyMaxAgeMs: number;
  readonly logLevel: string;
  readonly telemetry: TelemetryConfig;
  readonly jobs: {
    readonly leaseMs: number;
    readonly deadlineMs: number;
    /** How long a job waits for a backend that is down. */
    readonly patienceMs: number;
    readonly maxAttempts: number;
    /** How long a message waits in the queue for what is not its own fault. */
    readonly queuePatienceMs: number;
    /** What one organisation may have under way. */
    readonly organisation: { readonly maxOpen: number; readonly maxOpenBytes: number; readonly maxRunning: number };
  };
  readonly limits: {
    readonly graphqlBodyBytes: number;
    readonly callbackBodyBytes: number;
    readonly bulkItems: number;
    readonly reportDrivers: number;
    readonly depth: number;
    readonly aliases: number;
    readonly rootFields: number;
    readonly directives: number;
    readonly tokens: number;
    readonly jobStarts: number;
    readonly loginPerMinute: number;
    readonly otpSendPerMinute: number;
  };
  readonly requestTimeoutMs: number;
  /** How late the event loop may be before GraphQL requests are refused. */
  readonly maxEventLoopDelayMs: number;
  readonly backendTimeoutMs: number;
  readonly shutdown: { readonly delayMs: number; readonly drainMs: number };
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: number;
  readonly allowTestOtp: boolean;
  readonly report: {
    readonly locale: 'en' | 'ja';
    readonly speedLimitKmh: number;
    /** Reports of more pages, counting the cover and one for each driver, are not tagged for screen readers. */
    readonly maxTaggedPages: number;
    /** Path of a JSON file with forms by language. */
    readonly formFile: string | undefined;
  };
}

/**
 * Reads and checks the whole environment.
 *
 * @param environment usually that of the process
 * @param program what is required in production depends on it
 * @throws {ConfigError} with every fault, when there is any
 */
export function loadConfig(environment: Environment, program: Program = 'gateway'): Config {
  const reader = readEnvironment(environment, program);
  const { values } = reader;
  const config: Config = {
    production: reader.production,
    listen: { host: values.HOST, port: values.PORT },
    metrics: readMetrics(reader),
    basePath: values.BASE_PATH,
    gatewayUrl: readGatewayUrl(reader),
    publicUrl: values.PUBLIC_URL,
    backends: readBackends(reader),
    keys: readKeys(reader),
    tokenIssuers: readIssuers(reader),
    persistedOperations: readPersistedOperations(reader),
    publishesSchema: values.PUBLISH_SCHEMA,
    publicKeyMaxAgeMs: values.PUBLIC_KEY_MAX_AGE_SECONDS,
    ...readStorage(reader),
    logLevel: values.LOG_LEVEL,
    telemetry: readTelemetry(reader),
    jobs: {
      leaseMs: values.JOB_LEASE_SECONDS,
      deadlineMs: values.JOB_DEADLINE_SECONDS,
      patienceMs: values.JOB_PATIENCE_SECONDS,
      maxAttempts: values.QUEUE_MAX_ATTEMPTS,
      queuePatienceMs: values.QUEUE_PATIENCE_SECONDS,
      organisation: {
        maxOpen: values.JOBS_MAX_OPEN_PER_ORG,
        maxOpenBytes: values.JOBS_MAX_OPEN_BYTES_PER_ORG,
        maxRunning: values.JOBS_MAX_RUNNING_PER_ORG,
      },
    },
    limits: {
      graphqlBodyBytes: values.GRAPHQL_MAX_BODY_BYTES,
      callbackBodyBytes: values.CALLBACK_MAX_BODY_BYTES,
      bulkItems: values.BULK_MAX_ITEMS,
      reportDrivers: values.REPORT_MAX_DRIVERS,
      depth: values.GRAPHQL_MAX_DEPTH,
      aliases: values.GRAPHQL_MAX_ALIASES,
      rootFields: values.GRAPHQL_MAX_ROOT_FIELDS,
      directives: values.GRAPHQL_MAX_DIRECTIVES,
      tokens: values.GRAPHQL_MAX_TOKENS,
      jobStarts: values.GRAPHQL_MAX_JOB_STARTS,
      loginPerMinute: values.LOGIN_RATE_PER_MINUTE,
      otpSendPerMinute: values.OTP_SEND_RATE_PER_MINUTE,
    },
    requestTimeoutMs: values.REQUEST_TIMEOUT_SECONDS,
    maxEventLoopDelayMs: values.MAX_EVENT_LOOP_DELAY_MS,
    backendTimeoutMs: values.BACKEND_TIMEOUT_SECONDS,
    shutdown: { delayMs: values.SHUTDOWN_DELAY_SECONDS, drainMs: values.SHUTDOWN_DRAIN_SECONDS },
    corsOrigins: values.CORS_ORIGINS,
    trustedProxies: values.TRUSTED_PROXIES,
    allowTestOtp: values.ALLOW_TEST_OTP,
    report: {
      locale: values.REPORT_LOCALE,
      speedLimitKmh: values.REPORT_SPEED_LIMIT_KMH,
      maxTaggedPages: values.REPORT_MAX_TAGGED_PAGES,
      formFile: values.REPORT_FORM_FILE,
    },
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  return config;
}

function readGatewayUrl({ values, isSet, production, fault, program }: Reader): string | undefined {
  if (production && program === 'queue-function' && !isSet('GATEWAY_URL')) {
    fault('GATEWAY_URL is required: it is where the queue function calls the gateway.');
  }
  return values.GATEWAY_URL;
}
