import { DRIVING_RULES, LONGEST_RECORD_DAYS, type Place, REPORT_LOCALES, type ValueAt } from './config.js';
import { parseMasterKeys, parseSigningSecrets } from './key-ring.js';
import { parseRedisUrl, RedisUrlError } from './redis-url.js';
import { timeZoneNamed } from './time-zone.js';
import {
  choice,
  flag,
  integer,
  listOf,
  optional,
  readKey,
  readSecretFile,
  readUrl,
  seconds,
  secret,
  shownValue,
  text,
  type VariableContext,
  type Variable,
} from './variable.js';

const PORTS = { min: 0, max: 65_535 };
const BACKEND = { development: 'built-in sandbox', production: 'required' };

/** Place of a variable that `load-config.ts` combines with others. */
const COMBINED = undefined;

type VariableRow = Variable<unknown, undefined> | { [At in Place]: Variable<ValueAt<At>, At> }[Place];

/**
 * Every variable of the programs: place in the configuration, parser, default and meaning. A secret may also be in a
 * file, named by the variable with `_FILE` at its end. `deploy/configuration.md` is generated from the table.
 */
export const VARIABLES = {
  NODE_ENV: choice(
    COMBINED,
    ['development', 'production', 'test'],
    { development: 'development', production: 'production' },
    'mode of the program; with `production`, a program with missing or unsafe settings does not start',
  ),
  HOST: text('listen.host', { development: '127.0.0.1', production: '0.0.0.0' }, 'address to listen on'),
  PORT: integer('listen.port', 8_080, 'port to listen on', PORTS),
  METRICS_PORT: optional(
    COMBINED,
    'port on which `/metrics` answers Prometheus, at the address of `HOST`; without it, nothing is measured',
    integer(COMBINED, 0, '', PORTS).read,
  ),
  BASE_PATH: { at: 'basePath', meaning: 'prefix in front of every route', development: 'empty', read: readBasePath },
  BACKEND_API_URL: optional(COMBINED, 'URL of backend-api', readUrl, BACKEND),
  GEO_API_URL: optional(COMBINED, 'URL of geo-api', readUrl, BACKEND),
  VOIP_API_URL: optional(COMBINED, 'URL of voip-api', readUrl, BACKEND),
  BACKEND_API_KEY: secret(
    COMBINED,
    '`x-api-key` of service calls to backend-api. During a key change, a second key follows after a ' +
      'comma; it is tried if the first one is refused',
    readKeys,
    { development: 'sandbox key', production: 'required' },
  ),
  GEO_API_KEY: secret('keys.geoApi', '`x-api-key` of calls to geo-api', readKey),
  VOIP_API_KEY: secret('keys.voipApi', '`x-api-key` of calls to voip-api', readKey),
  TOKEN_ISSUSERS: optional(COMBINED, 'accepted values of `iss` or `aud`, separated by commas', listOf, {
    development: 'sandbox issuer',
    production: 'required',
  }),
  TASK_CALLBACK_API_KEY: secret(
    COMBINED,
    '`x-api-key` that callbacks must carry, 16 characters or more',
    readCallbackKey,
    { development: '`development-callback-key`', production: 'required' },
  ),
  TASK_CALLBACK_API_KEY_PREVIOUS: secret(
    COMBINED,
    'second accepted key of callbacks during a key change',
    readCallbackKey,
  ),
  CALLBACK_SIGNING_SECRET: secret(
    'keys.callbackSigning',
    'secret that signs callbacks (Standard Webhooks): `whsec_` and base64 of 24 to 64 bytes. If it is ' +
      'set, every callback must be signed. During a change, a second secret follows after a comma',
    required(
      parseSigningSecrets,
      'must be one secret, or two separated by a comma, each whsec_ and base64 of 24 to 64 bytes.',
    ),
  ),
  MOBILE_UPDATES: choice(
    'mobileUpdates',
    ['everyone', 'administrators'],
    'everyone',
    'users who may change mobiles in bulk, of those that they see: `everyone` or `administrators`',
  ),
  CALLBACKS_ORDERED_ONLY: flag(
    'callbacksOrderedOnly',
    'false',
    '`true` refuses callbacks of account jobs that no user ordered through the gateway (422)',
  ),
  GATEWAY_URL: optional('gatewayUrl', 'URL at which the queue function calls the gateway', readUrl, {
    development: 'own address',
    production: 'own address for a gateway; required for the queue function',
  }),
  PUBLIC_URL: optional(
    'publicUrl',
    'URL of the gateway for browsers, including `BASE_PATH`; download links begin with it',
    readUrl,
    { development: 'own address', production: 'unset: links are relative to the root of the origin' },
  ),
  REDIS_URL: secret(
    COMBINED,
    '`redis:` or `rediss:` URL of the job store and the queue; several URLs, separated by commas, for a ' +
      'Cluster; `redis+sentinel://host:port,host:port/name` for sentinels ([redis.md](redis.md)). Without ' +
      'it, jobs are embedded in `DATA_DIR`',
    readRedisUrl,
    { production: 'required unless `DATA_DIR` is set' },
  ),
  REDIS_PASSWORD_FILE: optional(
    COMBINED,
    'file with the password for a `REDIS_URL` that contains no password',
    readSecretFile,
  ),
  SQS_QUEUE_URL: optional(
    'sqsQueueUrl',
    'URL of a standard queue of Amazon SQS, which replaces the queue in Redis; the AWS SDK finds the ' +
      'credentials. Without it, the queue is in the job store',
    readQueueUrl,
  ),
  S3_BUCKET: optional(
    COMBINED,
    'bucket of the object store; the AWS SDK finds the credentials. Without it, reports are files in ' + '`DATA_DIR`',
    asIs,
    { production: 'required unless `DATA_DIR` is set' },
  ),
  S3_REGION: optional(COMBINED, 'region of the bucket', asIs, { development: '`us-east-1`' }),
  S3_ENDPOINT: optional(COMBINED, 'URL of an S3 server that is not Amazon’s', readUrl),
  S3_FORCE_PATH_STYLE: optional(
    COMBINED,
    '`true` puts the bucket into the path of the URL, as most servers except Amazon’s require',
    flag(COMBINED, 'false', '').read,
    { development: '`false`' },
  ),
  DATA_DIR: optional(
    COMBINED,
    'directory of embedded jobs and reports; in production, setting it selects the embedded stores',
    asIs,
    { development: '`.data`', production: 'unset' },
  ),
  JOB_ENCRYPTION_KEY: secret(
    'keys.jobEncryption',
    'key of 32 bytes in base64url that encrypts jobs and signs download links. During a key change, a ' +
      'second key follows after a comma; the second key encrypts and signs nothing new',
    required(parseMasterKeys, 'must be one key, or two separated by a comma, of 32 bytes in base64url each.'),
    { development: 'generated into `DATA_DIR`', production: 'required' },
  ),
  PERSISTED_OPERATIONS_FILE: optional(
    COMBINED,
    'JSON file of accepted documents by their SHA-256: `{ hash: document }`, or a manifest of Apollo',
    asIs,
  ),
  PERSISTED_OPERATIONS: optional(
    COMBINED,
    'use of `PERSISTED_OPERATIONS_FILE`: `only` refuses all other operations, `allow` accepts them',
    choice(COMBINED, ['only', 'allow'], 'only', '').read,
  ),
  PUBLISH_SCHEMA: flag(
    'publishSchema',
    { development: 'true', production: 'false' },
    '`true` serves `/schema.graphql`, `/errors.json`, `/openapi.json`, `/openapi.yaml` and `/docs` to everyone',
  ),
  PUBLIC_KEY_MAX_AGE_SECONDS: seconds(
    'publicKeyMaxAgeMs',
    0,
    'time for which fetched public keys are reused; 0 fetches them for every request. For a token with ' +
      'an unknown `kid`, they are fetched again, at most five times a minute',
    { min: 0, max: 86_400 },
  ),
  LOG_LEVEL: choice(
    'logLevel',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'least severe level that is logged, or `silent`. Lines are readable text in development and JSON in ' +
      'production',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    COMBINED,
    'URL of the collector of traces (OpenTelemetry, OTLP over HTTP as JSON); without it, no tracing code ' +
      'is loaded',
    readUrl,
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    COMBINED,
    'URL of the collector with its whole path, instead of `OTEL_EXPORTER_OTLP_ENDPOINT` with `/v1/traces` added',
    readUrl,
  ),
  OTEL_TRACES_EXPORTER: choice(COMBINED, ['otlp', 'none'], 'otlp', '`none` turns traces off'),
  OTEL_SDK_DISABLED: flag(COMBINED, 'false', '`true` also turns traces off'),
  OTEL_SERVICE_NAME: optional(
    'telemetry.serviceName',
    'name of the program in traces, in metrics (`target_info`) and in the log',
    asIs,
    { development: '`gateway`, `queue-function`' },
  ),
  JOB_LEASE_SECONDS: seconds(
    'jobs.leaseMs',
    60,
    'duration of the lease of a running job; after a crash, another gateway takes over the job when the ' +
      'lease has expired',
    { min: 1, max: 3_600 },
  ),
  JOB_DEADLINE_SECONDS: seconds('jobs.deadlineMs', 3_600, 'longest time that a callback may run', {
    min: 1,
    max: 86_400,
  }),
  JOB_PATIENCE_SECONDS: seconds(
    'jobs.patienceMs',
    60,
    'time for which a job waits while a backend is down. After that time, each further item is tried ' +
      'once until a call is answered',
    { min: 0, max: 86_400 },
  ),
  JOBS_CONCURRENCY: optional(
    'jobs.concurrency',
    'largest number of jobs that one consumer handles at the same time, 1 to 64; embedded reports of an ' +
      'organisation come one at a time',
    integer(COMBINED, 0, '', { min: 1, max: 64 }).read,
    { development: '`16` for embedded jobs, `8` for the queue function' },
  ),
  JOBS_MAX_OPEN_PER_ORG: integer(
    'jobs.organisation.maxOpen',
    100,
    'largest number of jobs of an organisation that have not ended',
  ),
  JOBS_MAX_OPEN_BYTES_PER_ORG: integer(
    'jobs.organisation.maxOpenBytes',
    33_554_432,
    'largest total size of the jobs of an organisation that have not ended, in bytes, encrypted as in the queue',
  ),
  JOBS_MAX_RUNNING_PER_ORG: integer(
    'jobs.organisation.maxRunning',
    2,
    'largest number of jobs of an organisation that run while another organisation has work; without ' +
      'such work there is no limit',
  ),
  JOBS_MAX_KEPT_BYTES_PER_ORG: integer(
    'jobs.organisation.maxKeptBytes',
    268_435_456,
    'largest total size of the records of the jobs of an organisation that have ended, in bytes; with Redis, at most an ' +
      'eighth of its `maxmemory`. One user may have half of it if another one has ordered within a week',
  ),
  ITEMS_MAX_PER_MINUTE_PER_ORG: integer(
    COMBINED,
    330_000,
    'largest number of items of bulk jobs and drivers of reports that an organisation may order within a minute; a job ' +
      'counts as ten at least. One user may order half of it if another one has ordered within a week. At least twice ' +
      'the larger of `BULK_MAX_ITEMS` and `REPORT_MAX_DRIVERS`, which raise the default',
  ),
  GRAPHQL_MAX_BODY_BYTES: integer('limits.graphqlMaxBodyBytes', 2_097_152, 'largest GraphQL request body, in bytes'),
  CALLBACK_MAX_BODY_BYTES: integer(
    'limits.callbackMaxBodyBytes',
    5_242_880,
    'largest body of an order, and of a callback of a job that no user ordered, in bytes',
  ),
  BULK_MAX_ITEMS: integer('limits.bulkMaxItems', 1_000, 'largest number of items in a bulk job'),
  REPORT_MAX_DRIVERS: integer('limits.reportMaxDrivers', 10_000, 'largest number of drivers in a report'),
  GRAPHQL_MAX_DEPTH: integer('limits.graphqlMaxDepth', 10, 'largest depth of the selections in an operation'),
  GRAPHQL_MAX_ALIASES: integer(
    'limits.graphqlMaxAliases',
    15,
    'largest number of aliases in an operation, after equal fields are merged',
    { min: 0 },
  ),
  GRAPHQL_MAX_ROOT_FIELDS: integer(
    'limits.graphqlMaxRootFields',
    10,
    'largest number of root fields in an operation, after equal ones are merged',
  ),
  GRAPHQL_MAX_DIRECTIVES: integer(
    'limits.graphqlMaxDirectives',
    50,
    'largest number of directives in an operation, after equal fields are merged',
    { min: 0 },
  ),
  GRAPHQL_MAX_REPEATS: integer(
    'limits.graphqlMaxRepeats',
    100,
    'largest number of fields of one name in a selection set',
  ),
  GRAPHQL_MAX_TOKENS: integer('limits.graphqlMaxTokens', 1_000, 'largest number of tokens in a document'),
  GRAPHQL_MAX_JOB_STARTS: integer(
    'limits.graphqlMaxJobStarts',
    3,
    'largest number of jobs that an operation may start',
    { min: 0 },
  ),
  GRAPHQL_MAX_ANSWER_BYTES: integer(
    'limits.graphqlMaxAnswerBytes',
    4_194_304,
    'largest text of the jobs in the answer of an operation, in bytes; one job is answered whole, whatever its size',
  ),
  LOGIN_RATE_PER_MINUTE: integer(
    'limits.loginRatePerMinute',
    5,
    'number of wrong passwords and codes that are allowed per minute for each account and address; for ' +
      'each address, 4 times as many; of wrong refresh tokens for each address, 60 times as many; for each /56 of ' +
      'IPv6, 3 times as many as for an address, and for a /48, 5 times, or 50 times if the /56 has not failed',
  ),
  OTP_SEND_RATE_PER_MINUTE: integer(
    'limits.otpSendRatePerMinute',
    1,
    'number of `sendOtp` calls that are allowed per minute for each account and address; per hour, 5 ' +
      'times as many; for each address, 20 times as many, and for /56 and /48 of IPv6 as many more as above',
  ),
  MAX_EVENT_LOOP_DELAY_MS: integer(
    'maxEventLoopDelayMs',
    200,
    'longest delay of the process, and longest wait of a GraphQL request after requests have waited for ' +
      'half a second without a pause, in milliseconds. Beyond it, a request is refused with 503. With more ' +
      'than 2,000 refusals a second, refusals are delayed by up to a second',
  ),
  REQUEST_TIMEOUT_SECONDS: seconds(
    'requestTimeoutMs',
    30,
    'longest time for receiving a request, for executing a GraphQL request, and for a client that takes ' +
      'no byte of a reply',
    { min: 1, max: 3_600 },
  ),
  KEEP_ALIVE_SECONDS: seconds(
    'keepAliveMs',
    65,
    'time for which the gateway keeps a connection without a request. Set it above the idle time of what ' +
      'stands in front (60 s for load balancers of AWS, 600 s for those of Google Cloud), because a request on ' +
      'a connection that the gateway has just closed is lost',
    { min: 1, max: 3_600 },
  ),
  BACKEND_TIMEOUT_SECONDS: seconds('backendTimeoutMs', 10, 'time limit of a call to a backend', { min: 1, max: 3_600 }),
  SHUTDOWN_DELAY_SECONDS: seconds(
    'shutdown.delayMs',
    { development: 0, production: 5 },
    'time at shutdown between the failure of readiness and the close of the port, so that load balancers notice',
    { min: 0, max: 600 },
  ),
  SHUTDOWN_DRAIN_SECONDS: seconds('shutdown.drainMs', 25, 'time at shutdown in which running work may end', {
    min: 0,
    max: 3_600,
  }),
  QUEUE_MAX_ATTEMPTS: integer('jobs.maxAttempts', 5, 'largest number of delivery attempts for a job message', {
    min: 1,
    max: 100,
  }),
  QUEUE_PATIENCE_SECONDS: seconds(
    'jobs.queuePatienceMs',
    86_400,
    'time after the acceptance of a job for which its message waits, if a fault is not its own; examples ' +
      'are a gateway that cannot be reached or that refuses the key. backend-api must remember every ' +
      '`Idempotency-Key` for that time',
    { min: 1, max: 604_800 },
  ),
  CORS_ORIGINS: {
    at: 'corsOrigins',
    meaning: 'origins from which browsers may call, separated by commas',
    development: 'any on this machine',
    production: 'none',
    read: readOrigins,
  },
  TRUSTED_PROXIES: integer(
    'trustedProxies',
    0,
    'number of proxies in front of the gateway whose `X-Forwarded-For` entries are trusted',
    { min: 0, max: 32 },
  ),
  ALLOW_TEST_OTP: flag('allowTestOtp', { development: 'true', production: 'false' }, '`true` allows `sendTestOtp`'),
  REPORT_LOCALE: choice('report.locale', REPORT_LOCALES, 'en', 'language of reports, `en` or `ja`'),
  REPORT_RETENTION_DAYS: integer(
    COMBINED,
    LONGEST_RECORD_DAYS + 1,
    'time for which reports are kept, in days; the gateway removes older files from `DATA_DIR`, and `--check-config` ' +
      'holds the lifecycle rule of the bucket against it; the record of duty (業務記録) is kept for one year (trucks) ' +
      'or three (chartered buses) in Japan',
    { min: LONGEST_RECORD_DAYS + 1, max: 36_500 },
  ),
  REPORT_TIME_ZONE: optional(
    'report.timeZone',
    'IANA name, such as `Europe/Berlin`, of the time zone whose calendar day a report covers; a day with ' +
      'a clock change has 23 or 25 hours',
    readTimeZone,
    { development: 'the offset of `date`' },
  ),
  REPORT_SPEED_LIMIT_KMH: integer('report.speedLimitKmh', 80, 'speed limit that reports mark, in km/h', {
    min: 1,
    max: 300,
  }),
  REPORT_OVER_LIMIT_MIN_SECONDS: integer(
    'report.overLimitMinSeconds',
    10,
    'shortest time over the speed limit that reports count as a stretch',
    { min: 1, max: 3_600 },
  ),
  REPORT_DRIVING_RULES: optional(
    COMBINED,
    'rules on driving time with which reports compare each duty: `japan-2024`, `eu-561`, ' +
      '`eu-561-occasional` (occasional passenger services) or `off`',
    choice(COMBINED, DRIVING_RULES, 'off', '').read,
    { development: '`japan-2024` if `REPORT_LOCALE` is `ja`, otherwise `off`' },
  ),
  REPORT_MAX_TAGGED_PAGES: integer(
    'report.maxTaggedPages',
    300,
    'largest number of pages (the cover, and one for each driver) of a report with tags for screen readers',
    { min: 0, max: 100_000 },
  ),
  REPORT_FORM_FILE: optional(
    'report.formFile',
    'JSON file that describes the form for handwriting, `{ "ja": { "blocks", "labels", "stamps", "era" } }`, and ' +
      'the name, logo, language, time zone and rules of each of `organisations`',
    asIs,
    { development: 'default form of the language' },
  ),
} as const satisfies Readonly<Record<string, VariableRow>>;

export type VariableName = keyof typeof VARIABLES;

export const VARIABLE_NAMES = Object.keys(VARIABLES) as readonly VariableName[]; // keys of a literal

/** Returns true for a variable of an object store. Its directory, `DATA_DIR`, also holds other data. */
export function isOfObjectStore(name: string): boolean {
  return name.startsWith('S3_');
}

function readBasePath(given: string | undefined, { name, fault }: VariableContext): string {
  const path = (given ?? '').replace(/\/+$/, '');
  if (path === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return path;
  fault(
    `${name} must start with / and hold only letters, digits and . _ ~ -, and is ${path.startsWith('/') ? `"${path}"` : shownValue(path)}.`,
  );
  return '';
}

/** Makes a parser that records a fault, behind the name of the variable, where another one returns undefined. */
function required<T>(parse: (text: string) => T | undefined, fault: string) {
  return (given: string, context: VariableContext): T | undefined => {
    const parsed = parse(given);
    if (parsed === undefined) context.fault(`${context.name} ${fault}`);
    return parsed;
  };
}

function readKeys(given: string, context: VariableContext): readonly [string, string?] {
  const [current = '', other, ...more] = listOf(given).map((key) => readKey(key, context));
  if (current === '' || more.length > 0) context.fault(`${context.name} must be one key, or two separated by a comma.`);
  return other === undefined ? [current] : [current, other];
}

function readCallbackKey(given: string, context: VariableContext): string {
  if (given.length < 16) context.fault(`${context.name} must have 16 characters or more.`);
  return readKey(given, context);
}

function readRedisUrl(given: string, { name, fault }: VariableContext): string | undefined {
  try {
    parseRedisUrl(given);
    return given;
  } catch (error) {
    if (!(error instanceof RedisUrlError)) throw error;
    fault(`${name} ${error.message}`);
    return undefined;
  }
}

function readQueueUrl(given: string, context: VariableContext): string | undefined {
  const url = readUrl(given, context);
  if (url?.endsWith('.fifo')) {
    context.fault(
      `${context.name} names a FIFO queue, which delivers the jobs of one organisation one by one. Use a standard queue.`,
    );
  }
  return url;
}

function readTimeZone(given: string, { name, fault }: VariableContext): string | undefined {
  const zone = timeZoneNamed(given);
  if (zone === undefined) {
    fault(`${name} must be a time zone by its IANA name, such as Europe/Berlin, and is ${shownValue(given)}.`);
  }
  return zone;
}

function asIs(given: string): string {
  return given;
}

function readOrigins(given: string | undefined, { name, fault }: VariableContext): readonly string[] {
  const origins = listOf(given ?? '');
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      const shown = /^https?:\/\/[^@]*$/.test(origin) ? `"${origin}"` : shownValue(origin);
      fault(`${name} must hold origins such as https://app.example.com, and holds ${shown}.`);
    }
  }
  return origins;
}
