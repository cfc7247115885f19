import { LONGEST_RECORD_DAYS } from './longest-record.js';
import { parseMasterKeys, parseSigningSecrets } from './key-ring.js';
import { parseRedisUrl, RedisUrlError } from './redis-url.js';
import {
  choice,
  flag,
  integer,
  limit,
  listOf,
  optional,
  readKey,
  readSecretFile,
  readUrl,
  seconds,
  shownValue,
  text,
  type Limit,
  type VariableContext,
  type Variable,
} from './variable.js';

const PORTS = { min: 0, max: 65_535 };
const BACKEND = { development: 'built-in sandbox', production: 'required' };

/** Every variable of the programs: parser, default and meaning. `deploy/configuration.md` is generated from it. */
export const VARIABLES = {
  NODE_ENV: choice(
    ['development', 'production', 'test'],
    { development: 'development', production: 'production' },
    'mode of the program; with `production`, a program with missing or unsafe settings does not start',
  ),
  HOST: text({ development: '127.0.0.1', production: '0.0.0.0' }, 'address to listen on'),
  PORT: integer(8_080, PORTS, 'port to listen on'),
  METRICS_PORT: optional(
    'port on which `/metrics` answers Prometheus, at the address of `HOST`; without it, nothing is measured',
    integer(0, PORTS, '').read,
  ),
  BASE_PATH: { meaning: 'prefix in front of every route', development: 'empty', read: readBasePath },
  BACKEND_API_URL: optional('URL of backend-api', readUrl, BACKEND),
  GEO_API_URL: optional('URL of geo-api', readUrl, BACKEND),
  VOIP_API_URL: optional('URL of voip-api', readUrl, BACKEND),
  BACKEND_API_KEY: optional(
    '`x-api-key` of service calls to backend-api. During a key change, a second key follows after a ' +
      'comma; it is tried if the first one is refused',
    readKeys,
    { development: 'sandbox key', production: 'required' },
  ),
  GEO_API_KEY: optional('`x-api-key` of calls to geo-api', readKey),
  VOIP_API_KEY: optional('`x-api-key` of calls to voip-api', readKey),
  TOKEN_ISSUSERS: optional('accepted values of `iss` or `aud`, separated by commas', listOf, {
    development: 'sandbox issuer',
    production: 'required',
  }),
  TASK_CALLBACK_API_KEY: optional('`x-api-key` that callbacks must carry, 16 characters or more', readCallbackKey, {
    development: '`development-callback-key`',
    production: 'required',
  }),
  TASK_CALLBACK_API_KEY_PREVIOUS: optional('second accepted key of callbacks during a key change', readCallbackKey),
  CALLBACK_SIGNING_SECRET: optional(
    'secret that signs callbacks (Standard Webhooks): `whsec_` and base64 of 24 to 64 bytes. If it is ' +
      'set, every callback must be signed. During a change, a second secret follows after a comma',
    required(
      parseSigningSecrets,
      'must be one secret, or two separated by a comma, each whsec_ and base64 of 24 to 64 bytes.',
    ),
  ),
  CALLBACKS_ORDERED_ONLY: flag(
    'false',
    '`true` refuses callbacks of account jobs that no user ordered through the gateway (422)',
  ),
  GATEWAY_URL: optional('URL at which the queue function calls the gateway', readUrl, {
    development: 'own address',
    production: 'own address for a gateway; required for the queue function',
  }),
  PUBLIC_URL: optional(
    'URL of the gateway for browsers, including `BASE_PATH`; download links begin with it',
    readUrl,
    { development: 'own address', production: 'unset: links are relative to the root of the origin' },
  ),
  REDIS_URL: optional(
    '`redis:` or `rediss:` URL of the job store and the queue; several URLs, separated by commas, for a ' +
      'Cluster; `redis+sentinel://host:port,host:port/name` for sentinels ([redis.md](redis.md)). Without ' +
      'it, jobs are embedded in `DATA_DIR`',
    readRedisUrl,
    { production: 'required unless `DATA_DIR` is set' },
  ),
  REDIS_PASSWORD_FILE: optional('file with the password for a `REDIS_URL` that contains no password', readSecretFile),
  SQS_QUEUE_URL: optional(
    'URL of a standard queue of Amazon SQS, which replaces the queue in Redis; the AWS SDK finds the ' +
      'credentials. Without it, the queue is in the job store',
    readQueueUrl,
  ),
  S3_BUCKET: optional(
    'bucket of the object store; the AWS SDK finds the credentials. Without it, reports are files in ' + '`DATA_DIR`',
    asIs,
    { production: 'required unless `DATA_DIR` is set' },
  ),
  S3_REGION: optional('region of the bucket', asIs, { development: '`us-east-1`' }),
  S3_ENDPOINT: optional('URL of an S3 server that is not Amazon’s', readUrl),
  S3_FORCE_PATH_STYLE: optional(
    '`true` puts the bucket into the path of the URL, as most servers except Amazon’s require',
    flag('false', '').read,
    { development: '`false`' },
  ),
  DATA_DIR: optional(
    'directory of embedded jobs and reports; in production, setting it selects the embedded stores',
    asIs,
    { development: '`.data`', production: 'unset' },
  ),
  JOB_ENCRYPTION_KEY: optional(
    'key of 32 bytes in base64url that encrypts jobs and signs download links. During a key change, a ' +
      'second key follows after a comma; the second key encrypts and signs nothing new',
    required(parseMasterKeys, 'must be one key, or two separated by a comma, of 32 bytes in base64url each.'),
    { development: 'generated into `DATA_DIR`', production: 'required' },
  ),
  PERSISTED_OPERATIONS_FILE: optional(
    'JSON file of accepted documents by their SHA-256: `{ hash: document }`, or a manifest of Apollo',
    asIs,
  ),
  PERSISTED_OPERATIONS: optional(
    'use of `PERSISTED_OPERATIONS_FILE`: `only` refuses all other operations, `allow` accepts them',
    choice(['only', 'allow'], 'only', '').read,
  ),
  PUBLISH_SCHEMA: flag(
    { development: 'true', production: 'false' },
    '`true` serves `/schema.graphql`, `/errors.json`, `/openapi.json`, `/openapi.yaml` and `/docs` to everyone',
  ),
  PUBLIC_KEY_MAX_AGE_SECONDS: seconds(
    0,
    { min: 0, max: 86_400 },
    'time for which fetched public keys are reused; 0 fetches them for every request. For a token with ' +
      'an unknown `kid`, they are fetched again, at most once in 10 s',
  ),
  LOG_LEVEL: choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'least severe level that is logged, or `silent`. Lines are readable text in development and JSON in ' +
      'production',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'URL of the collector of traces (OpenTelemetry, OTLP over HTTP as JSON); without it, no tracing code ' +
      'is loaded',
    readUrl,
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    'URL of the collector with its whole path, instead of `OTEL_EXPORTER_OTLP_ENDPOINT` with `/v1/traces` added',
    readUrl,
  ),
  OTEL_TRACES_EXPORTER: choice(['otlp', 'none'], 'otlp', '`none` turns traces off'),
  OTEL_SDK_DISABLED: flag('false', '`true` also turns traces off'),
  OTEL_SERVICE_NAME: optional('name of the program in traces, in metrics (`target_info`) and in the log', asIs, {
    development: '`gateway`, `queue-function`',
  }),
  JOB_LEASE_SECONDS: seconds(
    60,
    { min: 1, max: 3_600 },
    'duration of the lease of a running job; after a crash, another gateway takes over the job when the ' +
      'lease has expired',
  ),
  JOB_DEADLINE_SECONDS: seconds(3_600, { min: 1, max: 86_400 }, 'longest time that a callback may run'),
  JOB_PATIENCE_SECONDS: seconds(
    60,
    { min: 0, max: 86_400 },
    'time for which a job waits while a backend is down. After that time, each further item is tried ' +
      'once until a call is answered',
  ),
  JOBS_MAX_OPEN_PER_ORG: integer(100, { min: 1 }, 'largest number of jobs of an organisation that have not ended'),
  JOBS_MAX_OPEN_BYTES_PER_ORG: integer(
    33_554_432,
    { min: 1 },
    'largest total size of the jobs of an organisation that have not ended, in bytes, encrypted as in the queue',
  ),
  JOBS_MAX_RUNNING_PER_ORG: integer(
    2,
    { min: 1 },
    'largest number of jobs of an organisation that run while another organisation has work; without ' +
      'such work there is no limit',
  ),
  GRAPHQL_MAX_BODY_BYTES: limit('graphqlBodyBytes', 2_097_152, { min: 1 }, 'largest GraphQL request body, in bytes'),
  CALLBACK_MAX_BODY_BYTES: limit('callbackBodyBytes', 5_242_880, { min: 1 }, 'largest callback request body, in bytes'),
  BULK_MAX_ITEMS: limit('bulkItems', 1_000, { min: 1 }, 'largest number of items in a bulk job'),
  REPORT_MAX_DRIVERS: limit('reportDrivers', 10_000, { min: 1 }, 'largest number of drivers in a report'),
  GRAPHQL_MAX_DEPTH: limit('depth', 10, { min: 1 }, 'largest depth of the selections in an operation'),
  GRAPHQL_MAX_ALIASES: limit('aliases', 15, { min: 0 }, 'largest number of aliases in an operation'),
  GRAPHQL_MAX_ROOT_FIELDS: limit('rootFields', 10, { min: 1 }, 'largest number of root fields in an operation'),
  GRAPHQL_MAX_DIRECTIVES: limit('directives', 50, { min: 0 }, 'largest number of directives in an operation'),
  GRAPHQL_MAX_REPEATS: limit('repeats', 100, { min: 1 }, 'largest number of fields of one name in a selection set'),
  GRAPHQL_MAX_TOKENS: limit('tokens', 1_000, { min: 1 }, 'largest number of tokens in a document'),
  GRAPHQL_MAX_JOB_STARTS: limit('jobStarts', 3, { min: 0 }, 'largest number of jobs that an operation may start'),
  LOGIN_RATE_PER_MINUTE: limit(
    'loginPerMinute',
    5,
    { min: 1 },
    'number of wrong passwords and codes that are allowed per minute for each account and address; for ' +
      'each address, 4 times as many; for each /56 and /48 of IPv6, 12 and 20 times as many; of wrong refresh ' +
      'tokens for each address, 60 times as many',
  ),
  OTP_SEND_RATE_PER_MINUTE: limit(
    'otpSendPerMinute',
    1,
    { min: 1 },
    'number of `sendOtp` calls that are allowed per minute for each account and address; per hour, 5 ' +
      'times as many; for each address, 20 times as many',
  ),
  MAX_EVENT_LOOP_DELAY_MS: integer(
    200,
    { min: 1 },
    'longest delay of the process, and longest wait of a GraphQL request after requests have waited for ' +
      'half a second without a pause, in milliseconds. Beyond it, a request is refused with 503. With more ' +
      'than 2,000 refusals a second, refusals are delayed by up to a second',
  ),
  REQUEST_TIMEOUT_SECONDS: seconds(
    30,
    { min: 1, max: 3_600 },
    'longest time for receiving a request, for executing a GraphQL request, and for a client that takes ' +
      'no byte of a reply',
  ),
  BACKEND_TIMEOUT_SECONDS: seconds(10, { min: 1, max: 3_600 }, 'time limit of a call to a backend'),
  SHUTDOWN_DELAY_SECONDS: seconds(
    { development: 0, production: 5 },
    { min: 0, max: 600 },
    'time at shutdown between the failure of readiness and the close of the port, so that load balancers notice',
  ),
  SHUTDOWN_DRAIN_SECONDS: seconds(25, { min: 0, max: 3_600 }, 'time at shutdown in which running work may end'),
  QUEUE_MAX_ATTEMPTS: integer(5, { min: 1, max: 100 }, 'largest number of delivery attempts for a job message'),
  QUEUE_PATIENCE_SECONDS: seconds(
    86_400,
    { min: 1, max: 604_800 },
    'time after the acceptance of a job for which its message waits, if a fault is not its own; examples ' +
      'are a gateway that cannot be reached or that refuses the key. backend-api must remember every ' +
      '`Idempotency-Key` for that time',
  ),
  CORS_ORIGINS: {
    meaning: 'origins from which browsers may call, separated by commas',
    development: 'any on this machine',
    production: 'none',
    read: readOrigins,
  },
  TRUSTED_PROXIES: integer(
    0,
    { min: 0, max: 32 },
    'number of proxies in front of the gateway whose `X-Forwarded-For` entries are trusted',
  ),
  ALLOW_TEST_OTP: flag({ development: 'true', production: 'false' }, '`true` allows `sendTestOtp`'),
  REPORT_LOCALE: choice(['en', 'ja'], 'en', 'language of reports, `en` or `ja`'),
  REPORT_RETENTION_DAYS: integer(
    LONGEST_RECORD_DAYS + 1,
    { min: LONGEST_RECORD_DAYS + 1, max: 36_500 },
    'time for which reports are kept, in days; the gateway removes older files from `DATA_DIR`, and `--check-config` ' +
      'holds the lifecycle rule of the bucket against it; the record of duty (業務記録) is kept for one year (trucks) ' +
      'or three (chartered buses) in Japan',
  ),
  REPORT_TIME_ZONE: optional(
    'IANA name, such as `Europe/Berlin`, of the time zone whose calendar day a report covers; a day with ' +
      'a clock change has 23 or 25 hours',
    readTimeZone,
    { development: 'the offset of `date`' },
  ),
  REPORT_SPEED_LIMIT_KMH: integer(80, { min: 1, max: 300 }, 'speed limit that reports mark, in km/h'),
  REPORT_OVER_LIMIT_MIN_SECONDS: seconds(
    10,
    { min: 1, max: 3_600 },
    'shortest time over the speed limit that reports count as a stretch',
  ),
  REPORT_DRIVING_RULES: optional(
    'rules on driving time with which reports compare each duty: `japan-2024`, `eu-561`, ' +
      '`eu-561-occasional` (occasional passenger services) or `off`',
    choice(['japan-2024', 'eu-561', 'eu-561-occasional', 'off'], 'off', '').read,
    { development: '`japan-2024` if `REPORT_LOCALE` is `ja`, otherwise `off`' },
  ),
  REPORT_MAX_TAGGED_PAGES: integer(
    300,
    { min: 0, max: 100_000 },
    'largest number of pages (the cover, and one for each driver) of a report with tags for screen readers',
  ),
  REPORT_FORM_FILE: optional(
    'JSON file that describes the form for handwriting: `{ "ja": { "blocks", "labels", "stamps", "era" } }`',
    asIs,
    { development: 'default form of the language' },
  ),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

export type VariableName = keyof typeof VARIABLES;

export type Values = { readonly [Name in VariableName]: ReturnType<(typeof VARIABLES)[Name]['read']> };

export type LimitVariable = {
  [Name in VariableName]: (typeof VARIABLES)[Name] extends Limit<string> ? Name : never;
}[VariableName];

/** The limits, by the names that their variables give them. */
export type Limits = { readonly [Name in LimitVariable as (typeof VARIABLES)[Name]['limit']]: number };

/** Returns the limits among the values. */
export function limitsOf(values: Values): Limits {
  const names = Object.keys(VARIABLES) as VariableName[]; // keys of a literal
  const limits = names.flatMap((name) => {
    const variable = VARIABLES[name];
    return 'limit' in variable ? [[variable.limit, values[name]] as const] : [];
  });
  return Object.fromEntries(limits) as Limits; // from the same table, whose types fromEntries loses
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
  try {
    // Some versions of Node.js also accept offsets such as +09:00, which have no daylight saving time.
    if (/^[A-Z]/i.test(given)) return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  fault(`${name} must be a time zone by its IANA name, such as Europe/Berlin, and is ${shownValue(given)}.`);
  return undefined;
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
