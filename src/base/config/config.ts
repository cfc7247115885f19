/**
 * Configuration from the environment, which no other folder reads. `variables.ts` lists every variable with its parser,
 * default and meaning; `loadConfig` reads them all once and reports all faults together.
 */
import { ConfigError, readEnvironment, type Environment, type Program, type EnvironmentReader } from './environment.js';
import { hasRedisPassword, withRedisPassword } from './redis-url.js';
import { readObjects } from './objects.js';
import { limitsOf, type VariableName } from './variables.js';

/** Development defaults of secrets; production refuses to start with them. */
export const DEVELOPMENT_CALLBACK_KEY = 'development-callback-key';
const DEVELOPMENT_BACKEND_KEY = 'development-backend-key';

/** Reads the secrets. Production requires them and refuses development defaults; only the gateway calls backend-api. */
function readKeys({ values, isSet, uses, fault, production, gatewayInProduction }: EnvironmentReader) {
  const refuseDefault = (name: VariableName, developmentValue: string): void => {
    if (!production || ![values[name]].flat().includes(developmentValue)) return;
    fault(`${name} is the development default, which is not safe in production.`);
  };
  if (gatewayInProduction && !isSet('BACKEND_API_KEY')) fault('BACKEND_API_KEY is required in production.');
  refuseDefault('BACKEND_API_KEY', DEVELOPMENT_BACKEND_KEY);
  for (const name of ['TASK_CALLBACK_API_KEY', 'JOB_ENCRYPTION_KEY'] as const) {
    if (production && uses(name) && !isSet(name)) fault(`${name} is required in production.`);
  }
  refuseDefault('TASK_CALLBACK_API_KEY', DEVELOPMENT_CALLBACK_KEY);
  refuseDefault('TASK_CALLBACK_API_KEY_PREVIOUS', DEVELOPMENT_CALLBACK_KEY);
  const callback = values.TASK_CALLBACK_API_KEY ?? DEVELOPMENT_CALLBACK_KEY;
  const previous = values.TASK_CALLBACK_API_KEY_PREVIOUS;
  return {
    /** Sent with service calls; the second one if the first is refused. */
    backendApi: values.BACKEND_API_KEY ?? ([DEVELOPMENT_BACKEND_KEY] as const),
    geoApi: values.GEO_API_KEY,
    voipApi: values.VOIP_API_KEY,
    /** Keys accepted from queue functions; queue functions send the first. */
    callback: [callback, ...(previous === undefined ? [] : [previous])] as const,
    /** Callbacks are signed with all secrets, and one signature must match; undefined: no signature is required. */
    callbackSigning: values.CALLBACK_SIGNING_SECRET,
    /** True if callbacks of accounts need a user's order. */
    orderedOnly: values.CALLBACKS_ORDERED_ONLY,
    /** Keys of 32 bytes; the first encrypts. Undefined: the key is in the data directory. */
    jobEncryption: values.JOB_ENCRYPTION_KEY,
  };
}

/** Path at which a collector receives traces (OpenTelemetry Protocol, "OTLP/HTTP Request"). */
const TRACES_PATH = '/v1/traces';

/** Reads the OpenTelemetry variables that switch traces on or off; the SDK reads the others. */
function readTelemetry({ values }: EnvironmentReader) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values;
  const isOff = values.OTEL_SDK_DISABLED || values.OTEL_TRACES_EXPORTER === 'none';
  const endpoint = whole ?? (base === undefined ? undefined : `${base}${TRACES_PATH}`);
  return {
    /** URL that receives traces; undefined: no traces. */
    tracesEndpoint: isOff ? undefined : endpoint,
    /** Name in traces and in the log; undefined: the name of the program. */
    serviceName: values.OTEL_SERVICE_NAME,
  };
}

/** Reads the address of the metrics. The port is separate, because users of the gateway must not read metrics. */
function readMetrics({ values, fault }: EnvironmentReader) {
  const { HOST: host, PORT, METRICS_PORT: port } = values;
  if (port === undefined) return undefined;
  if (port === PORT && port !== 0) fault(`METRICS_PORT must be another port than PORT, and both are ${port}.`);
  return { host, port };
}

/** Reads the storage settings. Production uses the embedded stores only if `DATA_DIR` is set. */
function readStorage(reader: EnvironmentReader) {
  const { values, isSet, fault, production } = reader;
  if (production && !isSet('DATA_DIR') && !isSet('REDIS_URL')) {
    fault('REDIS_URL is required in production, unless DATA_DIR is set to keep jobs and reports on this machine.');
  }
  const dataDir = values.DATA_DIR ?? '.data';
  return {
    dataDir,
    /** For `parseRedisUrl`. Undefined: jobs and queue are embedded in the data directory. */
    redisUrl: readRedisUrl(reader),
    /** Undefined: the queue is in the job store. */
    sqsQueueUrl: values.SQS_QUEUE_URL,
    objects: readObjects(reader, dataDir),
  };
}

/** Returns the URL, with the password from the file if there is one. */
function readRedisUrl({ values, isSet, fault }: EnvironmentReader): string | undefined {
  const { REDIS_URL: url, REDIS_PASSWORD_FILE: password } = values;
  if (!isSet('REDIS_PASSWORD_FILE')) return url;
  if (!isSet('REDIS_URL')) fault('REDIS_PASSWORD_FILE is set without REDIS_URL; jobs would be kept in DATA_DIR.');
  if (url === undefined || password === undefined) return url;
  if (hasRedisPassword(url)) fault('REDIS_URL has a password, and REDIS_PASSWORD_FILE is set; leave one out.');
  return withRedisPassword(url, password);
}

/** Requires both variables or neither, because a file alone does not say if other operations are refused. */
function readPersistedOperations({ values, isSet, fault }: EnvironmentReader) {
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

/** Requires all three URLs of the backends or none. Without URLs, the sandbox is used, except in production. */
function readBackends({ values, isSet, fault, gatewayInProduction }: EnvironmentReader) {
  const { BACKEND_API_URL: backendApi, GEO_API_URL: geoApi, VOIP_API_URL: voipApi } = values;
  if (backendApi !== undefined && geoApi !== undefined && voipApi !== undefined) {
    return { kind: 'urls', backendApi, geoApi, voipApi } as const;
  }
  const names = ['BACKEND_API_URL', 'GEO_API_URL', 'VOIP_API_URL'] as const;
  const unset = names.filter((name) => !isSet(name));
  if (gatewayInProduction) {
    for (const name of unset) fault(`${name} is required in production; the sandbox is not for production.`);
  } else if (unset.length > 0 && unset.length < names.length) {
    fault(`Set all of ${names.join(', ')}, or none to use the sandbox; missing: ${unset.join(', ')}.`);
  }
  return { kind: 'sandbox' } as const;
}

/** Reads the accepted token issuers; undefined for the sandbox's own. */
function readIssuers({ values, isSet, fault, gatewayInProduction }: EnvironmentReader): readonly string[] | undefined {
  const issuers = values.TOKEN_ISSUSERS;
  if (issuers?.length === 0) fault('TOKEN_ISSUSERS must name at least one issuer.');
  if (issuers === undefined && (gatewayInProduction || isSet('BACKEND_API_URL'))) {
    fault('TOKEN_ISSUSERS is required, comma-separated, unless the sandbox is used.');
  }
  return issuers;
}

export { ConfigError, UnusableDataError, type Environment, type Program } from './environment.js';
export { VARIABLES, type LimitVariable, type VariableName } from './variables.js';

/** The validated configuration. Times are milliseconds. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/**
 * Reads and checks the whole environment.
 *
 * @param environment usually that of the process
 * @param program determines the variables required in production
 * @param uses returns true for a variable that the program uses, by default for all; the others are not read
 * @throws {ConfigError} with every fault, if there is any
 */
export function loadConfig(
  environment: Environment,
  program: Program = 'gateway',
  uses: EnvironmentReader['uses'] = () => true,
): Config {
  const reader = readEnvironment(environment, program, uses);
  const config = configOf(reader);
  findContradictions(reader, config);
  if (reader.faults.length > 0) throw new ConfigError(reader.faults, reader.doubts);
  return config;
}

/** Puts the configuration together. `variables.ts` says what each value means. */
function configOf(reader: EnvironmentReader) {
  const { values } = reader;
  return {
    production: reader.production,
    /** Settings that are valid but probably unintended, one line each. */
    doubts: reader.doubts,
    listen: { host: values.HOST, port: values.PORT },
    /** Undefined: nothing is measured. */
    metrics: readMetrics(reader),
    /** Empty, or starting with `/` and not ending with one. */
    basePath: values.BASE_PATH,
    /** Undefined: derived from the listening port. */
    gatewayUrl: values.GATEWAY_URL,
    /** URL of the gateway for browsers, base path included. Undefined: unknown. */
    publicUrl: values.PUBLIC_URL,
    backends: readBackends(reader),
    keys: readKeys(reader),
    /** Undefined: the sandbox's own issuer. */
    tokenIssuers: readIssuers(reader),
    /** Undefined: any operation is accepted. */
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
    limits: limitsOf(values),
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
}

/** Addresses that no other machine reaches. */
const LOOPBACK = /^(localhost|127\.[\d.]+|::1)$/;

/** Days for which trucks in Japan keep the record of duty: one year. */
const DAYS_OF_RECORD = 365;

function findContradictions(
  { values, isSet, fault, doubt, program, production, gatewayInProduction }: EnvironmentReader,
  { redisUrl, objects }: Config,
): void {
  const { HOST, BASE_PATH } = values;
  if (program !== 'jobs' && !isSet('NODE_ENV') && !LOOPBACK.test(HOST)) {
    fault(
      `HOST is ${HOST}, which other machines reach, and NODE_ENV is not set. Set NODE_ENV to production, or to ` +
        'development where everybody may use development keys.',
    );
  }
  if (production && program === 'queue-function' && !isSet('GATEWAY_URL')) {
    fault('GATEWAY_URL is required: it is where the queue function calls the gateway.');
  }
  if (isSet('SQS_QUEUE_URL') && !isSet('REDIS_URL')) {
    fault('SQS_QUEUE_URL is set without REDIS_URL; SQS takes messages, and Redis keeps the jobs.');
  }
  if (program !== 'gateway') return;
  for (const name of ['GATEWAY_URL', 'PUBLIC_URL'] as const) {
    const url = values[name];
    const path = url === undefined ? BASE_PATH : new URL(url).pathname.replace(/\/$/, '');
    if (!path.endsWith(BASE_PATH)) {
      doubt(`${name} does not end with BASE_PATH, which is ${BASE_PATH}. That is right only if a proxy adds it.`);
    } else if (BASE_PATH === '' && path !== '') {
      doubt(`${name} has the path ${path}, and BASE_PATH is empty. That is right only if a proxy removes it.`);
    }
  }
  if (!gatewayInProduction) return;
  if (isSet('DATA_DIR') && redisUrl !== undefined && objects.kind !== 'files') {
    doubt('DATA_DIR is set, and nothing uses it: jobs are in Redis, and reports in the bucket.');
  }
  if (values.TASK_CALLBACK_API_KEY?.includes(',')) {
    doubt(
      'TASK_CALLBACK_API_KEY has a comma, which is part of it. ' +
        'The second key belongs in TASK_CALLBACK_API_KEY_PREVIOUS.',
    );
  }
  if (values.ALLOW_TEST_OTP) {
    doubt('ALLOW_TEST_OTP is true, which is for development: sendTestOtp is open to everybody.');
  }
  if (values.REPORT_LOCALE === 'ja' && objects.retentionDays <= DAYS_OF_RECORD) {
    doubt(
      `REPORT_RETENTION_DAYS is ${objects.retentionDays}: reports are gone after that. The record of duty (業務記録) ` +
        'is kept for one year by trucks, and for three by chartered buses. Keep reports that are this record elsewhere, ' +
        'or for 366 or 1096 days.',
    );
  }
  for (const [shorter, longer, effect] of [
    ['BACKEND_TIMEOUT_SECONDS', 'REQUEST_TIMEOUT_SECONDS', 'which then bounds the calls of jobs alone'],
    ['JOB_LEASE_SECONDS', 'JOB_DEADLINE_SECONDS', 'so a job of a crashed gateway waits for longer than it may run'],
  ] as const) {
    if (values[shorter] >= values[longer]) doubt(`${longer} is not above ${shorter}, ${effect}.`);
  }
}
