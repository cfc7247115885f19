/**
 * The only place that reads the environment. Every variable stands in `variables.ts` with its meaning;
 * `loadConfig` reads them all once and reports every fault at the same time.
 */
import { EnvironmentReader, listOf, type Environment } from './environment-reader.js';
import type { VariableName } from './variables.js';

export { ConfigError } from './environment-reader.js';
export { VARIABLES, type VariableName } from './variables.js';

/** Development values of secrets; production refuses to start with them. */
export const DEVELOPMENT_CALLBACK_KEY = 'development-callback-key';
const DEVELOPMENT_BACKEND_KEY = 'development-backend-key';

/** Where the backends are, or that the built-in sandbox stands in for them. */
export type BackendsConfig =
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'urls'; readonly backendApi: string; readonly geoApi: string; readonly voipApi: string };

/** The bucket of the object store. Credentials come from the AWS SDK's own chain. */
export interface S3Config {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
}

/** The validated configuration. Times are milliseconds. */
export interface Config {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  /** Empty, or starting with `/` and not ending with one. */
  readonly basePath: string;
  /** Undefined: derived from the port that is listened on. */
  readonly gatewayUrl: string | undefined;
  readonly backends: BackendsConfig;
  readonly keys: {
    readonly backendApi: string;
    readonly geoApi: string | undefined;
    readonly voipApi: string | undefined;
    /** Keys accepted from queue functions; the first is the one to send. */
    readonly callback: readonly [string, ...string[]];
    /** 32 bytes each, the first encrypts; undefined: kept in the data directory. */
    readonly jobEncryption: readonly [Uint8Array, ...Uint8Array[]] | undefined;
  };
  /** Undefined: the sandbox's own issuer. */
  readonly tokenIssuers: readonly string[] | undefined;
  readonly publicKeyMaxAgeMs: number;
  readonly dataDir: string;
  /** Undefined: jobs and queue are embedded in the data directory. */
  readonly redisUrl: string | undefined;
  /** Undefined: objects are files in the data directory. */
  readonly s3: S3Config | undefined;
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
    logLevel: reader.choice(
      'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info',
    ),
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

function readKeys(reader: EnvironmentReader, production: boolean, gateway: boolean): Config['keys'] {
  const secret = (name: VariableName, developmentValue: string, required: boolean): string => {
    const value = reader.key(name);
    if (required && value === undefined) reader.fault(`${name} is required in production.`);
    if (production && value === developmentValue) {
      reader.fault(`${name} is the development default, which is not safe in production.`);
    }
    return value ?? developmentValue;
  };
  const callback = secret('TASK_CALLBACK_API_KEY', DEVELOPMENT_CALLBACK_KEY, production);
  const previous = reader.key('TASK_CALLBACK_API_KEY_PREVIOUS');
  for (const [name, value] of [['TASK_CALLBACK_API_KEY', callback], ['TASK_CALLBACK_API_KEY_PREVIOUS', previous]]) {
    if (value !== undefined && value.length < 16) reader.fault(`${name} must have 16 characters or more.`);
  }
  if (production && previous === DEVELOPMENT_CALLBACK_KEY) {
    reader.fault('TASK_CALLBACK_API_KEY_PREVIOUS is the development default, which is not safe in production.');
  }
  return {
    backendApi: secret('BACKEND_API_KEY', DEVELOPMENT_BACKEND_KEY, gateway),
    geoApi: reader.key('GEO_API_KEY'),
    voipApi: reader.key('VOIP_API_KEY'),
    callback: previous === undefined ? [callback] : [callback, previous],
    jobEncryption: readJobEncryptionKeys(reader, production),
  };
}

function readJobEncryptionKeys(
  reader: EnvironmentReader,
  production: boolean,
): readonly [Uint8Array, ...Uint8Array[]] | undefined {
  const text = reader.text('JOB_ENCRYPTION_KEY');
  if (text === undefined) {
    if (production) reader.fault('JOB_ENCRYPTION_KEY is required in production.');
    return undefined;
  }
  const keys = parseMasterKeys(text);
  if (keys === undefined) {
    reader.fault('JOB_ENCRYPTION_KEY must be one key, or two separated by a comma, of 32 bytes in base64url each.');
  }
  return keys;
}

/**
 * Reads one or two keys of 32 bytes, in base64url and separated by a comma.
 *
 * @returns undefined when the text is anything else
 */
export function parseMasterKeys(text: string): readonly [Uint8Array, ...Uint8Array[]] | undefined {
  const texts = listOf(text);
  const [first, ...rest] = texts.map((entry) => Buffer.from(entry, 'base64url'));
  const allValid = texts.every((entry) => /^[A-Za-z0-9_-]{43}=?$/.test(entry));
  return first === undefined || rest.length > 1 || !allValid ? undefined : [first, ...rest];
}

function readIssuers(reader: EnvironmentReader, production: boolean): readonly string[] | undefined {
  const issuers = reader.list('TOKEN_ISSUSERS');
  if (issuers?.length === 0) reader.fault('TOKEN_ISSUSERS must name at least one issuer.');
  if (issuers === undefined && (production || reader.text('BACKEND_API_URL') !== undefined)) {
    reader.fault('TOKEN_ISSUSERS is required, comma-separated, unless the sandbox is used.');
  }
  return issuers;
}

type StorageConfig = Pick<Config, 'dataDir' | 'redisUrl' | 's3'>;

/** In production the embedded stores are a decision, not a default: `DATA_DIR` has to be set for them. */
function readStorage(reader: EnvironmentReader, production: boolean, gateway: boolean): StorageConfig {
  const directory = reader.text('DATA_DIR');
  const redisUrl = readRedisUrl(reader);
  const s3 = readS3(reader);
  if (production && directory === undefined) {
    const missing = [
      ...(redisUrl === undefined ? ['REDIS_URL'] : []),
      ...(gateway && s3 === undefined ? ['S3_BUCKET'] : []),
    ];
    for (const name of missing) {
      reader.fault(`${name} is required in production, unless DATA_DIR is set to keep jobs and reports on this machine.`);
    }
  }
  return { dataDir: directory ?? '.data', redisUrl, s3 };
}

function readRedisUrl(reader: EnvironmentReader): string | undefined {
  const text = reader.text('REDIS_URL');
  if (text === undefined || /^rediss?:\/\/[^/]/.test(text)) return text;
  // The text may hold a password, so it is not repeated.
  reader.fault('REDIS_URL must be a redis: or rediss: URL.');
  return undefined;
}

function readS3(reader: EnvironmentReader): S3Config | undefined {
  const bucket = reader.text('S3_BUCKET');
  const others = ['S3_REGION', 'S3_ENDPOINT', 'S3_FORCE_PATH_STYLE'] as const;
  const endpoint = reader.url('S3_ENDPOINT');
  const forcePathStyle = reader.choice('S3_FORCE_PATH_STYLE', ['true', 'false'], 'false') === 'true';
  if (bucket === undefined) {
    for (const name of others.filter((other) => reader.text(other) !== undefined)) {
      reader.fault(`${name} is set without S3_BUCKET; reports would go to DATA_DIR.`);
    }
    return undefined;
  }
  return { bucket, region: reader.text('S3_REGION') ?? 'us-east-1', endpoint, forcePathStyle };
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
