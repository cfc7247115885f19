/**
 * Configuration from the environment, which no other folder reads. `variables.ts` lists every variable with its parser,
 * default and meaning; `loadConfig` reads them all once and reports all faults together.
 */
import {
  ConfigError,
  type Config,
  type Environment,
  type ObjectsConfig,
  type Place,
  type Program,
  type ValueAt,
} from './config.js';
import { readEnvironment, type EnvironmentReader, type Placed } from './environment.js';
import { findTracingFaults } from './tracing-faults.js';
import { hasRedisPassword, withRedisPassword } from './redis-url.js';

/** Development defaults of secrets; production refuses to start with them. */
export const DEVELOPMENT_CALLBACK_KEY = 'development-callback-key';
const DEVELOPMENT_BACKEND_KEY = 'development-backend-key';

/** Reads the keys. Production requires them and refuses development defaults; only the gateway calls backend-api. */
function readKeys({ values, isSet, uses, fault, production, gatewayInProduction }: EnvironmentReader) {
  const refuseDefault = (name: keyof typeof values, developmentValue: string): void => {
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
    'keys.backendApi': values.BACKEND_API_KEY ?? ([DEVELOPMENT_BACKEND_KEY] as const),
    'keys.callback': [callback, ...(previous === undefined ? [] : [previous])] as const,
  };
}

/** Path at which a collector receives traces (OpenTelemetry Protocol, "OTLP/HTTP Request"). */
const TRACES_PATH = '/v1/traces';

/** Reads the OpenTelemetry variables that switch traces on or off; the SDK reads the others. */
function readTracesEndpoint({ values }: EnvironmentReader): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values;
  const isOff = values.OTEL_SDK_DISABLED || values.OTEL_TRACES_EXPORTER === 'none';
  const endpoint = whole ?? (base === undefined ? undefined : `${base}${TRACES_PATH}`);
  return isOff ? undefined : endpoint;
}

/** Reads the address of the metrics. The port is separate, because users of the gateway must not read metrics. */
function readMetrics({ values, placed, fault, program }: EnvironmentReader): Config['metrics'] {
  const { METRICS_PORT: port } = values;
  if (port === undefined) return undefined;
  if (program === 'gateway' && port === placed['listen.port'] && port !== 0) {
    fault(`METRICS_PORT must be another port than PORT, and both are ${port}.`);
  }
  return { host: placed['listen.host'], port };
}

/** Returns the data directory. Production uses the embedded stores only if `DATA_DIR` is set. */
function readDataDir({ values, isSet, fault, production }: EnvironmentReader): string {
  if (production && !isSet('DATA_DIR') && !isSet('REDIS_URL')) {
    fault('REDIS_URL is required in production, unless DATA_DIR is set to keep jobs and reports on this machine.');
  }
  return values.DATA_DIR ?? '.data';
}

/**
 * Reads the object store: a bucket if one is set, otherwise files, which production uses only if `DATA_DIR` is set.
 * Credentials of a bucket come from the AWS SDK's own chain.
 */
function readObjects(reader: EnvironmentReader, dataDir: string): ObjectsConfig {
  const { values, isSet, fault, production, gatewayInProduction } = reader;
  const { S3_BUCKET: bucket, S3_REGION: region = 'us-east-1', S3_ENDPOINT: endpoint } = values;
  const retentionDays = values.REPORT_RETENTION_DAYS;
  if (bucket !== undefined) {
    const forcePathStyle = values.S3_FORCE_PATH_STYLE ?? false;
    return { kind: 's3', bucket, region, endpoint, forcePathStyle, retentionDays };
  }
  for (const name of (['S3_REGION', 'S3_ENDPOINT', 'S3_FORCE_PATH_STYLE'] as const).filter(isSet)) {
    fault(`${name} is set without S3_BUCKET; reports would go to DATA_DIR.`);
  }
  if (production && !isSet('DATA_DIR')) {
    if (gatewayInProduction) {
      fault('S3_BUCKET is required in production, unless DATA_DIR is set to keep jobs and reports on this machine.');
    } else if (isSet('SQS_QUEUE_URL')) {
      fault(
        'S3_BUCKET is required with SQS_QUEUE_URL, as for the gateway, unless DATA_DIR is a directory that they share: ' +
          'large bodies of jobs are read from there.',
      );
    }
  }
  return { kind: 'files', dataDir, retentionDays };
}

function readRedisUrl({ values, isSet, fault }: EnvironmentReader): string | undefined {
  const { REDIS_URL: url, REDIS_PASSWORD_FILE: password } = values;
  if (!isSet('REDIS_PASSWORD_FILE')) return url;
  if (!isSet('REDIS_URL')) fault('REDIS_PASSWORD_FILE is set without REDIS_URL; jobs would be kept in DATA_DIR.');
  if (url === undefined || password === undefined) return url;
  if (hasRedisPassword(url)) fault('REDIS_URL has a password, and REDIS_PASSWORD_FILE is set; leave one out.');
  return withRedisPassword(url, password);
}

/** Requires both variables or neither, because a file alone does not say if other operations are refused. */
function readPersistedOperations({ values, isSet, fault }: EnvironmentReader): Config['persistedOperations'] {
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
function readBackends({ values, isSet, fault, gatewayInProduction }: EnvironmentReader): Config['backends'] {
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

function readIssuers({ values, isSet, fault, gatewayInProduction }: EnvironmentReader): readonly string[] | undefined {
  const issuers = values.TOKEN_ISSUSERS;
  if (issuers?.length === 0) fault('TOKEN_ISSUSERS must name at least one issuer.');
  if (issuers === undefined && (gatewayInProduction || isSet('BACKEND_API_URL'))) {
    fault('TOKEN_ISSUSERS is required, comma-separated, unless the sandbox is used.');
  }
  return issuers;
}

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
  const config = nested({ ...reader.placed, ...combine(reader) });
  findContradictions(reader, config);
  if (config.telemetry.tracesEndpoint !== undefined) findTracingFaults(environment).forEach(reader.fault);
  if (reader.faults.length > 0) throw new ConfigError(reader.faults, reader.doubts);
  return config;
}

/** Puts values into the objects that their places name. @param values at every place */
function nested(values: Readonly<Record<string, unknown>>): Config {
  const config: Record<string, unknown> = {};
  for (const [place, value] of Object.entries(values)) {
    const path = place.split('.');
    const name = path.pop() ?? '';
    const part = path.reduce((whole, key) => (whole[key] ??= {}) as Record<string, unknown>, config); // made here
    part[name] = value;
  }
  return config as unknown as Config; // a value of its type is at every place
}

/** Returns the number of items that an organisation may order within a minute: twice the largest order at least. */
function readItemsPerMinute({ values, placed, isSet, fault }: EnvironmentReader): number {
  const least = 2 * Math.max(placed['limits.bulkMaxItems'], placed['limits.reportMaxDrivers']);
  const { ITEMS_MAX_PER_MINUTE_PER_ORG: given } = values;
  if (given < least && isSet('ITEMS_MAX_PER_MINUTE_PER_ORG')) {
    fault(
      `ITEMS_MAX_PER_MINUTE_PER_ORG is ${given}, and must be ${least} at least, twice the larger of BULK_MAX_ITEMS ` +
        'and REPORT_MAX_DRIVERS: one user may order half of it.',
    );
  }
  return Math.max(given, least);
}

function combine(reader: EnvironmentReader): Combined {
  const { values, placed } = reader;
  const dataDir = readDataDir(reader);
  return {
    production: reader.production,
    doubts: reader.doubts,
    metrics: readMetrics(reader),
    backends: readBackends(reader),
    ...readKeys(reader),
    tokenIssuers: readIssuers(reader),
    persistedOperations: readPersistedOperations(reader),
    dataDir,
    redisUrl: readRedisUrl(reader),
    objects: readObjects(reader, dataDir),
    'jobs.organisation.maxItemsPerMinute': readItemsPerMinute(reader),
    'telemetry.tracesEndpoint': readTracesEndpoint(reader),
    'report.drivingRules': values.REPORT_DRIVING_RULES ?? (placed['report.locale'] === 'ja' ? 'japan-2024' : 'off'),
  };
}

/** Places without a variable of their own. A row with an unknown place is an error there, and not here too. */
type Combined = { [At in [Exclude<Placed, Place>] extends [never] ? Exclude<Place, Placed> : never]: ValueAt<At> };

const LOOPBACK = /^(localhost|127\.[\d.]+|::1)$/;

/** Days for which trucks in Japan keep the record of duty: one year. */
const DAYS_OF_RECORD = 365;

function findContradictions(
  { values, isSet, fault, doubt, program, production, gatewayInProduction }: EnvironmentReader,
  { listen: { host }, basePath, redisUrl, objects, report, ...config }: Config,
): void {
  if (program !== 'jobs' && !isSet('NODE_ENV') && !LOOPBACK.test(host)) {
    fault(
      `HOST is ${host}, which other machines reach, and NODE_ENV is not set. Set NODE_ENV to production, or to ` +
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
  for (const [name, url] of Object.entries({ GATEWAY_URL: config.gatewayUrl, PUBLIC_URL: config.publicUrl })) {
    const path = url === undefined ? basePath : new URL(url).pathname.replace(/\/$/, '');
    if (!path.endsWith(basePath)) {
      doubt(`${name} does not end with BASE_PATH, which is ${basePath}. That is right only if a proxy adds it.`);
    } else if (basePath === '' && path !== '') {
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
  if (config.allowTestOtp) {
    doubt('ALLOW_TEST_OTP is true, which is for development: sendTestOtp is open to everybody.');
  }
  if (report.locale === 'ja' && objects.retentionDays <= DAYS_OF_RECORD) {
    doubt(
      `REPORT_RETENTION_DAYS is ${objects.retentionDays}: reports are gone after that. The record of duty (業務記録) ` +
        'is kept for one year by trucks, and for three by chartered buses. Keep reports that are this record elsewhere, ' +
        'or for 366 or 1096 days.',
    );
  }
  if (config.backendTimeoutMs >= config.requestTimeoutMs) {
    doubt('REQUEST_TIMEOUT_SECONDS is not above BACKEND_TIMEOUT_SECONDS, which then bounds the calls of jobs alone.');
  }
  if (config.jobs.leaseMs >= config.jobs.deadlineMs) {
    doubt(
      'JOB_DEADLINE_SECONDS is not above JOB_LEASE_SECONDS, so a job of a crashed gateway waits for longer than it may run.',
    );
  }
}
