/**
 * The only place that reads the environment. Every variable stands in `variables.ts` with its meaning;
 * `loadConfig` reads them all once and reports every fault at the same time.
 */
import { readKeys, type KeysConfig } from './keys.js';
import { readStorage, type StorageConfig } from './storage.js';
import { EnvironmentReader, type Environment } from './environment-reader.js';

export { DEVELOPMENT_CALLBACK_KEY } from './keys.js';
export type { S3Config } from './storage.js';
export { ConfigError } from './environment-reader.js';
export { VARIABLES, type VariableName } from './variables.js';

/** Where the backends are, or that the built-in sandbox stands in for them. */
export type BackendsConfig =
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'urls'; readonly backendApi: string; readonly geoApi: string; readonly voipApi: string };

/** The validated configuration. Times are milliseconds. */
export interface Config extends StorageConfig {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  /** Empty, or starting with `/` and not ending with one. */
  readonly basePath: string;
  /** Undefined: derived from the port that is listened on. */
  readonly gatewayUrl: string | undefined;
  readonly backends: BackendsConfig;
  readonly keys: KeysConfig;
  /** Undefined: the sandbox's own issuer. */
  readonly tokenIssuers: readonly string[] | undefined;
  readonly publicKeyMaxAgeMs: number;
  readonly logLevel: string;
  readonly jobs: { readonly leaseMs: number; readonly deadlineMs: number; readonly maxAttempts: number };
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
    readonly loginPerMinute: number;
    readonly otpSendPerMinute: number;
  };
  readonly requestTimeoutMs: number;
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
  };
}

/** The programs that are configured here; only the gateway needs backends and an object store. */
export type Program = 'gateway' | 'queue-function' | 'jobs';

/**
 * Reads and checks the whole environment.
 *
 * @param environment usually that of the process
 * @param program what is required in production depends on it
 * @throws {ConfigError} with every fault, when there is any
 */
export function loadConfig(environment: Environment, program: Program = 'gateway'): Config {
  const reader = new EnvironmentReader(environment);
  const production = reader.choice('NODE_ENV', ['development', 'production', 'test'], 'development') === 'production';
  const gateway = production && program === 'gateway';

  const config: Config = {
    production,
    listen: {
      host: reader.text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
      port: reader.integer('PORT', 8080, 0, 65_535),
    },
    basePath: readBasePath(reader),
    gatewayUrl: readGatewayUrl(reader, production && program === 'queue-function'),
    backends: readBackends(reader, gateway),
    keys: readKeys(reader, production, gateway),
    tokenIssuers: readIssuers(reader, gateway),
    publicKeyMaxAgeMs: 1000 * reader.integer('PUBLIC_KEY_MAX_AGE_SECONDS', 0, 0, 86_400),
    ...readStorage(reader, production, gateway),
    logLevel: reader.choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    jobs: {
      leaseMs: 1000 * reader.integer('JOB_LEASE_SECONDS', 60, 1, 3_600),
      deadlineMs: 1000 * reader.integer('JOB_DEADLINE_SECONDS', 3_600, 1, 86_400),
      maxAttempts: reader.integer('QUEUE_MAX_ATTEMPTS', 5, 1, 100),
    },
    limits: {
      graphqlBodyBytes: reader.integer('GRAPHQL_MAX_BODY_BYTES', 2 * 1024 * 1024, 1),
      callbackBodyBytes: reader.integer('CALLBACK_MAX_BODY_BYTES', 5 * 1024 * 1024, 1),
      bulkItems: reader.integer('BULK_MAX_ITEMS', 1_000, 1),
      reportDrivers: reader.integer('REPORT_MAX_DRIVERS', 10_000, 1),
      depth: reader.integer('GRAPHQL_MAX_DEPTH', 10, 1),
      aliases: reader.integer('GRAPHQL_MAX_ALIASES', 15, 0),
      rootFields: reader.integer('GRAPHQL_MAX_ROOT_FIELDS', 10, 1),
      directives: reader.integer('GRAPHQL_MAX_DIRECTIVES', 50, 0),
      tokens: reader.integer('GRAPHQL_MAX_TOKENS', 1_000, 1),
      loginPerMinute: reader.integer('LOGIN_RATE_PER_MINUTE', 5, 1),
      otpSendPerMinute: reader.integer('OTP_SEND_RATE_PER_MINUTE', 1, 1),
    },
    requestTimeoutMs: 1000 * reader.integer('REQUEST_TIMEOUT_SECONDS', 30, 1, 3_600),
    backendTimeoutMs: 1000 * reader.integer('BACKEND_TIMEOUT_SECONDS', 10, 1, 3_600),
    shutdown: {
      delayMs: 1000 * reader.integer('SHUTDOWN_DELAY_SECONDS', production ? 5 : 0, 0, 600),
      drainMs: 1000 * reader.integer('SHUTDOWN_DRAIN_SECONDS', 25, 0, 3_600),
    },
    corsOrigins: readOrigins(reader),
    trustedProxies: reader.integer('TRUSTED_PROXIES', 0, 0, 32),
    allowTestOtp: reader.choice('ALLOW_TEST_OTP', ['true', 'false'], production ? 'false' : 'true') === 'true',
    report: {
      locale: reader.choice('REPORT_LOCALE', ['en', 'ja'], 'en'),
      speedLimitKmh: reader.integer('REPORT_SPEED_LIMIT_KMH', 80, 1, 300),
      maxTaggedPages: reader.integer('REPORT_MAX_TAGGED_PAGES', 300, 0, 100_000),
    },
  };
  reader.throwFaults();
  return config;
}

function readBasePath(reader: EnvironmentReader): string {
  const path = (reader.text('BASE_PATH') ?? '').replace(/\/+$/, '');
  if (path === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return path;
  reader.fault(`BASE_PATH must start with / and hold only letters, digits and . _ ~ -, and is "${path}".`);
  return '';
}

function readGatewayUrl(reader: EnvironmentReader, required: boolean): string | undefined {
  if (required && reader.text('GATEWAY_URL') === undefined) {
    reader.fault('GATEWAY_URL is required: it is where the queue function calls the gateway.');
  }
  return reader.url('GATEWAY_URL');
}

function readBackends(reader: EnvironmentReader, production: boolean): BackendsConfig {
  const names = ['BACKEND_API_URL', 'GEO_API_URL', 'VOIP_API_URL'] as const;
  const [backendApi, geoApi, voipApi] = names.map((name) => reader.url(name));
  const unset = names.filter((name) => reader.text(name) === undefined);
  if (backendApi !== undefined && geoApi !== undefined && voipApi !== undefined) {
    return { kind: 'urls', backendApi, geoApi, voipApi };
  }
  if (production) {
    for (const name of unset) reader.fault(`${name} is required in production; the sandbox is not for production.`);
  } else if (unset.length > 0 && unset.length < names.length) {
    reader.fault(`Set all of ${names.join(', ')}, or none to use the sandbox; missing: ${unset.join(', ')}.`);
  }
  return { kind: 'sandbox' };
}

function readIssuers(reader: EnvironmentReader, production: boolean): readonly string[] | undefined {
  const issuers = reader.list('TOKEN_ISSUSERS');
  if (issuers?.length === 0) reader.fault('TOKEN_ISSUSERS must name at least one issuer.');
  if (issuers === undefined && (production || reader.text('BACKEND_API_URL') !== undefined)) {
    reader.fault('TOKEN_ISSUSERS is required, comma-separated, unless the sandbox is used.');
  }
  return issuers;
}

function readOrigins(reader: EnvironmentReader): readonly string[] {
  const origins = reader.list('CORS_ORIGINS') ?? [];
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      reader.fault(`CORS_ORIGINS must hold origins such as https://app.example.com, and holds "${origin}".`);
    }
  }
  return origins;
}
