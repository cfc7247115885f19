import { parseMasterKeys, parseSigningSecrets } from './key-ring.js';
import { parseRedisUrl, RedisUrlError } from './redis-url.js';
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
  shownValue,
  text,
  type Reading,
  type Variable,
} from './variable.js';

const PORTS = { min: 0, max: 65_535 };
const BACKEND = { development: 'built-in sandbox', production: 'required' };

/** Every variable of the programs: parser, default and meaning. `deploy/configuration.md` is generated from it. */
export const VARIABLES = {
  NODE_ENV: choice(['development', 'production', 'test'], 'development', {
    meaning: 'production refuses to start with anything missing or unsafe',
    production: '`production`',
  }),
  HOST: text({ development: '127.0.0.1', production: '0.0.0.0' }, 'address to listen on'),
  PORT: integer(8_080, PORTS, 'port to listen on'),
  METRICS_PORT: optional(
    'port on which `/metrics` answers Prometheus, at the address of `HOST`; unset: nothing is measured',
    integer(0, PORTS, '').read,
  ),
  BASE_PATH: { meaning: 'prefix in front of every route', development: 'empty', read: readBasePath },
  BACKEND_API_URL: optional({ meaning: 'backend-api', ...BACKEND }, readUrl),
  GEO_API_URL: optional({ meaning: 'geo-api', ...BACKEND }, readUrl),
  VOIP_API_URL: optional({ meaning: 'voip-api', ...BACKEND }, readUrl),
  BACKEND_API_KEY: optional(
    {
      meaning:
        '`x-api-key` of service calls to backend-api; a second, comma-separated one is tried where the first is ' +
        'refused, for rotation',
      development: 'sandbox key',
      production: 'required',
    },
    readKeys,
  ),
  GEO_API_KEY: optional('`x-api-key` of calls to geo-api', readKey),
  VOIP_API_KEY: optional('`x-api-key` of calls to voip-api', readKey),
  TOKEN_ISSUSERS: optional(
    {
      meaning: 'accepted values of `iss` or `aud`, comma-separated',
      development: 'sandbox issuer',
      production: 'required',
    },
    listOf,
  ),
  TASK_CALLBACK_API_KEY: optional(
    {
      meaning: '`x-api-key` that callbacks must carry, 16 characters or more',
      development: '`development-callback-key`',
      production: 'required',
    },
    readCallbackKey,
  ),
  TASK_CALLBACK_API_KEY_PREVIOUS: optional('second accepted key, for rotation', readCallbackKey),
  CALLBACK_SIGNING_SECRET: optional(
    'signs callbacks (Standard Webhooks), and once set every callback must be signed: `whsec_` and base64 of ' +
      '24 to 64 bytes; a second, comma-separated one for rotation',
    (secrets, { name, fault }) => {
      const parsed = parseSigningSecrets(secrets);
      if (parsed === undefined) {
        fault(`${name} must be one secret, or two separated by a comma, each whsec_ and base64 of 24 to 64 bytes.`);
      }
      return parsed;
    },
  ),
  GATEWAY_URL: optional(
    {
      meaning: 'where the queue function finds the gateway',
      development: 'own address',
      production: 'own address; required by the queue function',
    },
    readUrl,
  ),
  PUBLIC_URL: optional(
    {
      meaning: 'where browsers find the gateway, `BASE_PATH` included; download links begin with it',
      development: 'own address',
      production: 'unset: links are relative to the root of the origin',
    },
    readUrl,
  ),
  REDIS_URL: optional(
    {
      meaning:
        '`redis:` or `rediss:` URL of the job store and queue, several of them comma-separated for a Cluster, or ' +
        '`redis+sentinel://host:port,host:port/name` ([redis.md](redis.md)); unset: embedded in `DATA_DIR`',
      production: 'required unless `DATA_DIR` is set',
    },
    readRedisUrl,
  ),
  REDIS_PASSWORD_FILE: optional('file with the password for `REDIS_URL`, which then has none', readSecretFile),
  SQS_QUEUE_URL: optional(
    'URL of a standard queue of Amazon SQS in place of the queue in Redis, with credentials from the AWS SDK’s ' +
      'own chain; unset: the queue is where the jobs are',
    readQueueUrl,
  ),
  S3_BUCKET: optional(
    {
      meaning: 'bucket of the object store, with credentials from the AWS SDK’s own chain; unset: files in `DATA_DIR`',
      production: 'required unless `DATA_DIR` is set',
    },
    asIs,
  ),
  S3_REGION: optional({ meaning: 'region of the bucket', development: '`us-east-1`' }, asIs),
  S3_ENDPOINT: optional('URL of an S3 server that is not Amazon’s', readUrl),
  S3_FORCE_PATH_STYLE: optional(
    { meaning: '`true` puts the bucket into the path, as most servers but Amazon’s want it', development: '`false`' },
    flag('false', '').read,
  ),
  DATA_DIR: optional(
    {
      meaning: 'directory of embedded jobs and reports; in production, setting it selects these',
      development: '`.data`',
      production: 'unset',
    },
    asIs,
  ),
  JOB_ENCRYPTION_KEY: optional(
    {
      meaning: '32 bytes, base64url; a second, comma-separated key still decrypts, for rotation',
      development: 'generated into `DATA_DIR`',
      production: 'required',
    },
    (keys, { name, fault }) => {
      const parsed = parseMasterKeys(keys);
      if (parsed === undefined) {
        fault(`${name} must be one key, or two separated by a comma, of 32 bytes in base64url each.`);
      }
      return parsed;
    },
  ),
  PERSISTED_OPERATIONS_FILE: optional(
    'JSON file of the documents that are accepted by the SHA-256 of each: `{ hash: document }`, or a manifest ' +
      'of Apollo',
    asIs,
  ),
  PERSISTED_OPERATIONS: optional(
    'with `PERSISTED_OPERATIONS_FILE`: `only` refuses every other operation, `allow` accepts them',
    choice(['only', 'allow'], 'only', '').read,
  ),
  PUBLISH_SCHEMA: flag(
    { development: 'true', production: 'false' },
    'serves `/schema.graphql`, `/openapi.json`, `/openapi.yaml` and `/docs` to everybody',
  ),
  PUBLIC_KEY_MAX_AGE_SECONDS: seconds(
    0,
    { min: 0, max: 86_400 },
    'how long fetched public keys may be reused; 0 fetches on every request. A token of an unknown `kid` has ' +
      'them fetched again, at most once in 10 s',
  ),
  LOG_LEVEL: choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'least severe event that is logged, or `silent`; for people in development, JSON in production',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'collector of traces (OpenTelemetry, OTLP over HTTP as JSON); without one nothing of it is loaded',
    readUrl,
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    'URL of the collector with its whole path; to `OTEL_EXPORTER_OTLP_ENDPOINT`, `/v1/traces` is added',
    readUrl,
  ),
  OTEL_TRACES_EXPORTER: choice(['otlp', 'none'], 'otlp', '`none` turns traces off'),
  OTEL_SDK_DISABLED: flag('false', '`true` turns traces off, too'),
  OTEL_SERVICE_NAME: optional(
    {
      meaning: 'name of the program in traces, in metrics (`target_info`) and in the log',
      development: '`gateway`, `queue-function`',
    },
    asIs,
  ),
  JOB_LEASE_SECONDS: seconds(
    60,
    { min: 1, max: 3_600 },
    'lease of a running job; after a crash, another process takes the job over when it has run out',
  ),
  JOB_DEADLINE_SECONDS: seconds(3_600, { min: 1, max: 86_400 }, 'longest time a callback may run'),
  JOB_PATIENCE_SECONDS: seconds(
    60,
    { min: 0, max: 86_400 },
    'how long a job waits for a backend that is down; then each further item is tried once, until one is answered',
  ),
  JOBS_MAX_OPEN_PER_ORG: integer(100, { min: 1 }, 'most jobs of an organisation that have not ended'),
  JOBS_MAX_OPEN_BYTES_PER_ORG: integer(
    33_554_432,
    { min: 1 },
    'most bytes of these jobs together, encrypted as in the queue',
  ),
  JOBS_MAX_RUNNING_PER_ORG: integer(
    2,
    { min: 1 },
    'most jobs of an organisation that run while another one has work; without others there is no limit',
  ),
  GRAPHQL_MAX_BODY_BYTES: integer(2_097_152, { min: 1 }, 'largest GraphQL request body'),
  CALLBACK_MAX_BODY_BYTES: integer(5_242_880, { min: 1 }, 'largest callback request body'),
  BULK_MAX_ITEMS: integer(1_000, { min: 1 }, 'most items of a bulk job'),
  REPORT_MAX_DRIVERS: integer(10_000, { min: 1 }, 'most drivers of a report'),
  GRAPHQL_MAX_DEPTH: integer(10, { min: 1 }, 'deepest selection of an operation'),
  GRAPHQL_MAX_ALIASES: integer(15, { min: 0 }, 'most aliases of an operation'),
  GRAPHQL_MAX_ROOT_FIELDS: integer(10, { min: 1 }, 'most root fields of an operation'),
  GRAPHQL_MAX_DIRECTIVES: integer(50, { min: 0 }, 'most directives of an operation'),
  GRAPHQL_MAX_TOKENS: integer(1_000, { min: 1 }, 'most tokens of a document'),
  GRAPHQL_MAX_JOB_STARTS: integer(3, { min: 0 }, 'most jobs that an operation starts'),
  LOGIN_RATE_PER_MINUTE: integer(
    5,
    { min: 1 },
    'wrong passwords and codes a minute per account and address; 4 times as many per address',
  ),
  OTP_SEND_RATE_PER_MINUTE: integer(
    1,
    { min: 1 },
    '`sendOtp` a minute per account and address; 5 times as many an hour, 20 times as many per address',
  ),
  MAX_EVENT_LOOP_DELAY_MS: integer(
    200,
    { min: 1 },
    'longest delay of the process, and longest wait of a GraphQL request once requests have queued for half a ' +
      'second, in milliseconds; beyond it, a request is refused with 503, and delayed by up to a second while ' +
      'there are over 2,000 refusals a second',
  ),
  REQUEST_TIMEOUT_SECONDS: seconds(
    30,
    { min: 1, max: 3_600 },
    'longest time to receive a request, to execute a GraphQL one, and without a byte of the reply taken',
  ),
  BACKEND_TIMEOUT_SECONDS: seconds(10, { min: 1, max: 3_600 }, 'time-out of a call to a backend'),
  SHUTDOWN_DELAY_SECONDS: seconds(
    { development: 0, production: 5 },
    { min: 0, max: 600 },
    'time between failing readiness and closing, for load balancers to notice',
  ),
  SHUTDOWN_DRAIN_SECONDS: seconds(25, { min: 0, max: 3_600 }, 'time for running work to end on shutdown'),
  QUEUE_MAX_ATTEMPTS: integer(5, { min: 1, max: 100 }, 'delivery attempts of a job message'),
  QUEUE_PATIENCE_SECONDS: seconds(
    86_400,
    { min: 1, max: 604_800 },
    'how long after it was accepted a job message waits for what is not its own fault, such as a gateway that ' +
      'cannot be reached or refuses the key; backend-api has to remember every `Idempotency-Key` for that long',
  ),
  CORS_ORIGINS: {
    meaning: 'origins that browsers may call from, comma-separated',
    development: 'any on this machine',
    production: 'none',
    read: readOrigins,
  },
  TRUSTED_PROXIES: integer(
    0,
    { min: 0, max: 32 },
    'number of proxies in front, whose `X-Forwarded-For` entries are believed',
  ),
  ALLOW_TEST_OTP: flag({ development: 'true', production: 'false' }, 'allows `sendTestOtp`'),
  REPORT_LOCALE: choice(['en', 'ja'], 'en', 'language of reports, `en` or `ja`'),
  REPORT_TIME_ZONE: optional(
    {
      meaning:
        'time zone whose calendar day a report covers, by its IANA name, such as `Europe/Berlin`: 23 or 25 hours ' +
        'where clocks change',
      development: 'the offset of `date`',
    },
    readTimeZone,
  ),
  REPORT_SPEED_LIMIT_KMH: integer(80, { min: 1, max: 300 }, 'speed limit that reports mark, in km/h'),
  REPORT_OVER_LIMIT_MIN_SECONDS: seconds(
    10,
    { min: 1, max: 3_600 },
    'time over the limit from which reports count a stretch',
  ),
  REPORT_DRIVING_RULES: optional(
    {
      meaning: 'rules about the time at the wheel that reports hold days against: `japan-2024`, `eu-561` or `off`',
      development: '`japan-2024` where `REPORT_LOCALE` is `ja`, else `off`',
    },
    choice(['japan-2024', 'eu-561', 'off'], 'off', '').read,
  ),
  REPORT_MAX_TAGGED_PAGES: integer(
    300,
    { min: 0, max: 100_000 },
    'most pages (the cover, and one a driver) of reports that are tagged for screen readers',
  ),
  REPORT_FORM_FILE: optional(
    {
      meaning: 'JSON file of the form that is filled in by hand: `{ "ja": { "blocks", "labels", "stamps", "era" } }`',
      development: 'as the language has it',
    },
    asIs,
  ),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

export type VariableName = keyof typeof VARIABLES;

/** Parsed value of each variable. */
export type Values = { readonly [Name in VariableName]: ReturnType<(typeof VARIABLES)[Name]['read']> };

function readBasePath(given: string | undefined, { name, fault }: Reading): string {
  const path = (given ?? '').replace(/\/+$/, '');
  if (path === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return path;
  fault(
    `${name} must start with / and hold only letters, digits and . _ ~ -, and is ${path.startsWith('/') ? `"${path}"` : shownValue(path)}.`,
  );
  return '';
}

/** One key, or two separated by a comma. */
function readKeys(given: string, reading: Reading): readonly [string, string?] {
  const [current = '', other, ...more] = listOf(given).map((key) => readKey(key, reading));
  if (current === '' || more.length > 0) reading.fault(`${reading.name} must be one key, or two separated by a comma.`);
  return other === undefined ? [current] : [current, other];
}

function readCallbackKey(given: string, reading: Reading): string {
  if (given.length < 16) reading.fault(`${reading.name} must have 16 characters or more.`);
  return readKey(given, reading);
}

function readRedisUrl(given: string, { name, fault }: Reading): string | undefined {
  try {
    parseRedisUrl(given);
    return given;
  } catch (error) {
    if (!(error instanceof RedisUrlError)) throw error;
    fault(`${name} ${error.message}`);
    return undefined;
  }
}

function readQueueUrl(given: string, reading: Reading): string | undefined {
  const url = readUrl(given, reading);
  if (url?.endsWith('.fifo')) {
    reading.fault(
      `${reading.name} names a FIFO queue, which delivers the jobs of one organisation one by one. Use a standard queue.`,
    );
  }
  return url;
}

function readTimeZone(given: string, { name, fault }: Reading): string | undefined {
  try {
    // Some versions of Node.js also accept offsets such as +09:00, which have no daylight saving time.
    if (/^[A-Za-z]/.test(given))
      return new Intl.DateTimeFormat('en-US', { timeZone: given }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  fault(`${name} must be a time zone by its IANA name, such as Europe/Berlin, and is ${shownValue(given)}.`);
  return undefined;
}

function asIs(given: string): string {
  return given;
}

function readOrigins(given: string | undefined, { name, fault }: Reading): readonly string[] {
  const origins = listOf(given ?? '');
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      const shown = /^https?:\/\/[^@]*$/.test(origin) ? `"${origin}"` : shownValue(origin);
      fault(`${name} must hold origins such as https://app.example.com, and holds ${shown}.`);
    }
  }
  return origins;
}
