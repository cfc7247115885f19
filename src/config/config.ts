/**
 * The only reader of the environment. `variables.ts` lists every variable with its parser, default and meaning;
 * `loadConfig` reads them all once and reports every fault at the same time.
 */
import { ConfigError, readEnvironment, type Environment, type Program, type Reader } from './environment.js';
import { readKeys, type KeysConfig } from './keys.js';
import { readStorage, type StorageConfig } from './storage.js';
import { readMetrics, readTelemetry, type MetricsConfig, type TelemetryConfig } from './telemetry.js';

/** Operations accepted by the hash of their document. */
interface PersistedOperationsConfig {
  /** Path of a JSON file: documents by their SHA-256 in hexadecimal. */
  readonly file: string;
  /** True if any other operation is refused. */
  readonly only: boolean;
}

/** Requires both variables or neither: a file alone does not say if other operations are refused. */
function readPersistedOperations({ values, isSet, fault }: Reader): PersistedOperationsConfig | undefined {
  const { PERSISTED_OPERATIONS_FILE: file, PERSISTED_OPERATIONS: mode } = values;
  if (file === undefined) {
    if (isSet('PERSISTED_OPERATIONS')) fault('PERSISTED_OPERATIONS is set without PERSISTED_OPERATIONS_FILE.');
    return undefined;
  }
  if (!isSet('PERSISTED_OPERATIONS')) {
    fault(
      'PERSISTED_OPERATIONS_FILE is set without PERSISTED_OPERATIONS: say only, or allow to accept others as well.',
    );
  }
  return { file, only: mode === 'only' };
}

/** URLs of the backends, or the built-in sandbox in their place. */
type BackendsConfig =
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'urls'; readonly backendApi: string; readonly geoApi: string; readonly voipApi: string };

/** Requires all three URLs or none. None selects the sandbox, except in production. */
function readBackends({ values, isSet, fault, gatewayInProduction }: Reader): BackendsConfig {
  const { BACKEND_API_URL: backendApi, GEO_API_URL: geoApi, VOIP_API_URL: voipApi } = values;
  if (backendApi !== undefined && geoApi !== undefined && voipApi !== undefined) {
    return { kind: 'urls', backendApi, geoApi, voipApi };
  }
  const names = ['BACKEND_API_URL', 'GEO_API_URL', 'VOIP_API_URL'] as const;
  const unset = names.filter((name) => !isSet(name));
  if (gatewayInProduction) {
    for (const name of unset) fault(`${name} is required in production; the sandbox is not for production.`);
  } else if (unset.length > 0 && unset.length < names.length) {
    fault(`Set all of ${names.join(', ')}, or none to use the sandbox; missing: ${unset.join(', ')}.`);
  }
  return { kind: 'sandbox' };
}

/** Reads the accepted token issuers; undefined for the sandbox's own. */
function readIssuers({ values, isSet, fault, gatewayInProduction }: Reader): readonly string[] | undefined {
  const issuers = values.TOKEN_ISSUSERS;
  if (issuers?.length === 0) fault('TOKEN_ISSUSERS must name at least one issuer.');
  if (issuers === undefined && (gatewayInProduction || isSet('BACKEND_API_URL'))) {
    fault('TOKEN_ISSUSERS is required, comma-separated, unless the sandbox is used.');
  }
  return issuers;
}

export { ConfigError, UnusableDataError, type Program } from './environment.js';
export { DEVELOPMENT_CALLBACK_KEY } from './keys.js';
export type { S3Config } from './storage.js';
export { VARIABLES, type VariableName } from './variables.js';

/** The validated configuration. Times are milliseconds. */
export interface Config extends StorageConfig {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  /** Undefined: nothing is measured. */
  readonly metrics: MetricsConfig | undefined;
  /** Empty, or starting with `/` and not ending with one. */
  readonly basePath: string;
  /** Undefined: derived from the listening port. */
  readonly gatewayUrl: string | undefined;
  /** URL of the gateway for browsers, base path included. Undefined: unknown. */
  readonly publicUrl: string | undefined;
  readonly backends: BackendsConfig;
  readonly keys: KeysConfig;
  /** Undefined: the sandbox's own issuer. */
  readonly tokenIssuers: readonly string[] | undefined;
  /** Undefined: any operation is accepted. */
  readonly persistedOperations: PersistedOperationsConfig | undefined;
  /** True if the SDL and the OpenAPI file are public. */
  readonly publishesSchema: boolean;
  readonly publicKeyMaxAgeMs: number;
  readonly logLevel: string;
  readonly telemetry: TelemetryConfig;
  readonly jobs: {
    readonly leaseMs: number;
    readonly deadlineMs: number;
    /** Time for which a job waits for a backend that is down. */
    readonly patienceMs: number;
    readonly maxAttempts: number;
    /** Time for which a message waits in the queue for reasons that are not its own. */
    readonly queuePatienceMs: number;
    /** Limits for each organisation. */
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
  /** Delay of the event loop beyond which GraphQL requests are refused. */
  readonly maxEventLoopDelayMs: number;
  readonly backendTimeoutMs: number;
  readonly shutdown: { readonly delayMs: number; readonly drainMs: number };
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: number;
  readonly allowTestOtp: boolean;
  readonly report: {
    /** Name of the IANA Time Zone Database; absent, the offset of the requested date holds. */
    readonly timeZone: string | undefined;
    readonly locale: 'en' | 'ja';
    readonly speedLimitKmh: number;
    /** Shortest time over the limit that counts as a stretch. */
    readonly overLimitMinMs: number;
    readonly drivingRules: 'japan-2024' | 'eu-561' | 'off';
    /** Limit of pages, a cover and one per driver, up to which reports are tagged for screen readers. */
    readonly maxTaggedPages: number;
    /** Path of a JSON file: forms by language. */
    readonly formFile: string | undefined;
  };
}

/**
 * Reads and checks the whole environment.
 *
 * @param environment usually that of the process
 * @param program determines the variables required in production
 * @throws {ConfigError} with every fault, if there is any
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
      timeZone: values.REPORT_TIME_ZONE,
      locale: values.REPORT_LOCALE,
      speedLimitKmh: values.REPORT_SPEED_LIMIT_KMH,
      overLimitMinMs: values.REPORT_OVER_LIMIT_MIN_SECONDS,
      drivingRules: values.REPORT_DRIVING_RULES ?? (values.REPORT_LOCALE === 'ja' ? 'japan-2024' : 'off'),
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
