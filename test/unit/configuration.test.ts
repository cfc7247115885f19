/** The environment: every variable with its defaults, what it takes, what it refuses, and how faults are reported. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigError, type Config, type Program } from '../../src/base/config/config.js';
import { DEVELOPMENT_CALLBACK_KEY, loadConfig } from '../../src/base/config/load-config.js';
import { findTracingFaults } from '../../src/base/config/tracing-faults.js';
import { VARIABLE_NAMES, VARIABLES, type VariableName } from '../../src/base/config/variables.js';
import { findTrivialKeys } from '../../src/base/config/trivial-keys.js';
import { VECTORS } from '../support/vectors.js';

type Environment = Partial<Record<VariableName, string>>;

const bytes = (step: number): Buffer => Buffer.from(Array.from({ length: 32 }, (_, index) => index * step));
const KEY = bytes(7).toString('base64url');
/** The shortest and the longest that are taken. */
const SHORT_SECRET = Buffer.alloc(24, 3);
const LONG_SECRET = Buffer.alloc(64, 4);

const OTHER_KEY = bytes(5).toString('base64url');

const BACKENDS: Environment = {
  BACKEND_API_URL: 'http://backend-api.internal',
  GEO_API_URL: 'http://geo-api.internal',
  VOIP_API_URL: 'https://voip-api.internal',
  TOKEN_ISSUSERS: 'https://issuer.example',
};

const PRODUCTION: Environment = {
  ...BACKENDS,
  NODE_ENV: 'production',
  BACKEND_API_KEY: 'key-for-backend-api',
  TASK_CALLBACK_API_KEY: 'sixteen-or-more-characters',
  JOB_ENCRYPTION_KEY: KEY,
  DATA_DIR: '/var/lib/gateway',
};

/** The faults of an environment; empty when it can be used. */
function faultsOf(environment: Environment, program?: Program): readonly string[] {
  try {
    loadConfig(environment, program);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const PASSWORD = 'p@ss: /wörd%41';
const directory = mkdtempSync(path.join(tmpdir(), 'gateway-test-'));
const PASSWORD_FILE = path.join(directory, 'password');
const EMPTY_FILE = path.join(directory, 'empty');
writeFileSync(PASSWORD_FILE, `${PASSWORD}\n`);
writeFileSync(EMPTY_FILE, ' \n');
/** A sparse file of 200 MB. */
const HUGE_FILE = path.join(directory, 'huge');
writeFileSync(HUGE_FILE, '');
truncateSync(HUGE_FILE, 200_000_000);
afterAll(() => rmSync(directory, { recursive: true }));

/** A text of a variable, and what it is read as; where several variables make a value, the place of it. */
type Row = readonly [
  text: string,
  value: unknown,
  more?: undefined | { readonly at?: string; readonly with?: Environment },
];

const word = (text: string, ...more: [Row[2]?]): Row => [text, text, ...more];
const backend = (name: 'backendApi' | 'geoApi' | 'voipApi'): Row => [
  'https://backend.example:81/base/',
  'https://backend.example:81/base',
  { at: `backends.${name}`, with: BACKENDS },
];
const COLLECTOR: Environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const traces = { at: 'telemetry.tracesEndpoint', with: COLLECTOR };
const QUEUE_URL = 'https://sqs.eu-central-1.amazonaws.com/123456789012/jobs';
const bucket = (at: string) => ({ at: `objects.${at}`, with: { S3_BUCKET: 'reports' } });

/** Variables without a row hold a number, and have a place of their own. */
const ROWS: Readonly<Partial<Record<VariableName, Row>>> = {
  NODE_ENV: ['production', true, { at: 'production', with: PRODUCTION }],
  HOST: word('::1'),
  METRICS_PORT: ['7', 7, { at: 'metrics.port' }],
  BASE_PATH: ['/tenant-1/gateway/', '/tenant-1/gateway'],
  BACKEND_API_URL: backend('backendApi'),
  GEO_API_URL: backend('geoApi'),
  VOIP_API_URL: backend('voipApi'),
  BACKEND_API_KEY: ['first-key, second-key', ['first-key', 'second-key'], { at: 'keys.backendApi' }],
  GEO_API_KEY: word('a-word-of-a-test'),
  VOIP_API_KEY: word('a-word-of-a-test'),
  TOKEN_ISSUSERS: [' https://a.example ,b,', ['https://a.example', 'b'], { at: 'tokenIssuers' }],
  TASK_CALLBACK_API_KEY: word('a-word-of-a-test', { at: 'keys.callback.0' }),
  TASK_CALLBACK_API_KEY_PREVIOUS: word('a-word-of-a-test', { at: 'keys.callback.1' }),
  CALLBACK_SIGNING_SECRET: [
    `whsec_${SHORT_SECRET.toString('base64')} , whsec_${LONG_SECRET.toString('base64')}`,
    [SHORT_SECRET, LONG_SECRET],
  ],
  GATEWAY_URL: word('https://gateway.example/base'),
  PUBLIC_URL: ['https://fleet.example/base/', 'https://fleet.example/base'],
  REDIS_URL: word('rediss://:password@redis:6380/1', { at: 'redisUrl' }),
  SQS_QUEUE_URL: word(QUEUE_URL, { with: { REDIS_URL: 'redis://redis' } }),
  REDIS_PASSWORD_FILE: [
    PASSWORD_FILE,
    `redis://user:${encodeURIComponent(PASSWORD)}@redis`,
    { at: 'redisUrl', with: { REDIS_URL: 'redis://user@redis' } },
  ],
  S3_BUCKET: word('a-word-of-a-test', { at: 'objects.bucket' }),
  S3_REGION: word('ap-northeast-1', bucket('region')),
  S3_ENDPOINT: word('http://127.0.0.1:7480', bucket('endpoint')),
  S3_FORCE_PATH_STYLE: ['true', true, bucket('forcePathStyle')],
  REPORT_RETENTION_DAYS: ['366', 366, { at: 'objects.retentionDays' }],
  DATA_DIR: word('/data', { at: 'dataDir' }),
  ITEMS_MAX_PER_MINUTE_PER_ORG: ['20000', 20_000, { at: 'jobs.organisation.maxItemsPerMinute' }],
  JOB_ENCRYPTION_KEY: [`${KEY}, ${OTHER_KEY}=`, [bytes(7), bytes(5)]],
  PERSISTED_OPERATIONS_FILE: word('/list.json', {
    at: 'persistedOperations.file',
    with: { PERSISTED_OPERATIONS: 'allow' },
  }),
  PERSISTED_OPERATIONS: [
    'allow',
    false,
    { at: 'persistedOperations.only', with: { PERSISTED_OPERATIONS_FILE: '/list.json' } },
  ],
  MOBILE_UPDATES: ['administrators', 'administrators'],
  CALLBACKS_ORDERED_ONLY: ['true', true],
  PUBLISH_SCHEMA: ['false', false],
  LOG_LEVEL: word('silent'),
  OTEL_EXPORTER_OTLP_ENDPOINT: ['http://collector:4318/', 'http://collector:4318/v1/traces', { at: traces.at }],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: word('http://traces:4318/take', traces),
  OTEL_TRACES_EXPORTER: ['none', undefined, traces],
  OTEL_SDK_DISABLED: ['true', undefined, traces],
  OTEL_SERVICE_NAME: word('a-word-of-a-test'),
  CORS_ORIGINS: ['https://a.example, http://localhost:3000', ['https://a.example', 'http://localhost:3000']],
  ALLOW_TEST_OTP: ['false', false],
  REPORT_LOCALE: word('ja'),
  REPORT_TIME_ZONE: word('Europe/Berlin'),
  REPORT_DRIVING_RULES: word('eu-561', { at: 'report.drivingRules' }),
  REPORT_FORM_FILE: word('/form.json'),
};

/** Milliseconds in the unit of a variable, where its value is in milliseconds. */
const unitOf = (name: VariableName): number =>
  name.endsWith('_SECONDS') && VARIABLES[name].at?.endsWith('Ms') ? 1_000 : 1;
const rowOf = (name: VariableName): Row => ROWS[name] ?? ['7', 7 * unitOf(name)];

/** The value of a variable in a configuration, at the place that the table of variables says. */
function valueIn(config: Config, name: VariableName): unknown {
  const place = VARIABLES[name].at ?? rowOf(name)[2]?.at ?? '';
  return place.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], config);
}

const WITHOUT_ENVIRONMENT = loadConfig({});
const fallbackOf = (name: VariableName): unknown => valueIn(WITHOUT_ENVIRONMENT, name);

describe('every variable', () => {
  it.each(VARIABLE_NAMES)('%s is read where it belongs, and has another value without an environment', (name) => {
    const [text, value, more] = rowOf(name);
    expect(valueIn(loadConfig({ ...more?.with, [name]: ` ${text} ` }), name)).toEqual(value);
    if (value !== undefined) expect(fallbackOf(name)).not.toEqual(value);
  });

  it('has a place of its own, or shares in a value', () => {
    const places = VARIABLE_NAMES.map((name) => VARIABLES[name].at ?? name);
    expect(new Set(places).size).toBe(VARIABLE_NAMES.length);
  });

  it.each(VARIABLE_NAMES)('%s counts as unset when it is empty or blank', (name) => {
    for (const blank of ['', '  ']) expect(valueIn(loadConfig({ [name]: blank }), name)).toEqual(fallbackOf(name));
  });

  it('has the default that the table of variables says, where that is a number or a word', () => {
    const said = VARIABLE_NAMES.flatMap((name) => {
      const [, text = ''] = /^`([\w.]+)`$/.exec(VARIABLES[name].development) ?? [];
      const isText = text === '' || ['NODE_ENV', 'OTEL_TRACES_EXPORTER', 'OTEL_SDK_DISABLED'].includes(name);
      return isText || String(fallbackOf(name)).startsWith('undefined') ? [] : [[name, text] as const];
    });
    expect(said.length).toBeGreaterThan(30);
    for (const [name, text] of said) {
      const value = fallbackOf(name);
      expect([name, typeof value === 'number' ? String(value / unitOf(name)) : String(value)]).toEqual([name, text]);
    }
  });

  it('has the same default in production, except for these', () => {
    const inProduction = (name: VariableName): unknown => valueIn(loadConfig(PRODUCTION), name);
    const changed = VARIABLE_NAMES.filter(
      (name) => !(name in PRODUCTION) && JSON.stringify(inProduction(name)) !== JSON.stringify(fallbackOf(name)),
    );
    expect(changed.map((name) => [name, inProduction(name)])).toEqual([
      ['HOST', '0.0.0.0'],
      ['PUBLISH_SCHEMA', false],
      ['SHUTDOWN_DELAY_SECONDS', 5_000],
      ['ALLOW_TEST_OTP', false],
    ]);
  });
});

/** A text about a variable: its name, and these words behind it. */
function about(name: string, words: RegExp): unknown {
  return expect.stringMatching(new RegExp(`^${name} ${words.source}`));
}

describe('a value that cannot be used', () => {
  /** A value of each variable, and the words about it behind the name of the variable. */
  const BAD: readonly (readonly [VariableName, string, RegExp])[] = [
    ['NODE_ENV', 'prod', /must be one of development, production, test, and is "prod"\.$/],
    ['PORT', '80a', /must be a whole number, from 0 to 65535, and is "80a"\.$/],
    ['PORT', '65536', /must/],
    ['PORT', '-1', /must/],
    ['METRICS_PORT', 'x', /must be a whole number, from 0 to 65535, and is "x"\.$/],
    ['METRICS_PORT', '65536', /must/],
    ['METRICS_PORT', '8080', /must be another port than PORT, and both are 8080\.$/],
    ['PORT', '1e3', /must/],
    ['BASE_PATH', 'gateway', /must start with \//],
    ['BASE_PATH', '/a?b', /must/],
    ['BASE_PATH', '/a//b', /must/],
    ['GATEWAY_URL', 'gateway:8080', /must be an absolute http: or https: URL\.$/],
    ['GATEWAY_URL', 'ftp://gateway', /must/],
    ['PUBLIC_URL', 'api.example.com', /must be an absolute/],
    ['S3_ENDPOINT', 's3.internal:9000', /must be an absolute/],
    ['GATEWAY_URL', 'http://gateway?x=1', /must be a URL without user name, password, query and fragment\.$/],
    ['TASK_CALLBACK_API_KEY', '15-characters..', /must have 16 characters or more\.$/],
    ['TASK_CALLBACK_API_KEY_PREVIOUS', 'short', /must have 16/],
    ['TASK_CALLBACK_API_KEY', '鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵', /must hold visible ASCII/],
    ['BACKEND_API_KEY', 'two words', /must hold visible ASCII/],
    ['BACKEND_API_KEY', 'a,b,c', /must be one key, or two separated by a comma/],
    ['GEO_API_KEY', 'line\nbreak', /must hold visible ASCII/],
    ['VOIP_API_KEY', 'é', /must hold visible ASCII/],
    ['TOKEN_ISSUSERS', ' , ', /must name at least one issuer\.$/],
    ['JOB_ENCRYPTION_KEY', 'c2hvcnQ', /must be one key, or two .* of 32 bytes in base64url each\.$/],
    ['JOB_ENCRYPTION_KEY', Buffer.alloc(33).toString('base64url'), /must/],
    ['JOB_ENCRYPTION_KEY', Buffer.alloc(32, 255).toString('base64'), /must/],
    ['JOB_ENCRYPTION_KEY', `${KEY},${OTHER_KEY},${KEY}`, /must/],
    ['JOB_ENCRYPTION_KEY', `${KEY},c2hvcnQ`, /must/],
    ['JOB_ENCRYPTION_KEY', ',', /must/],
    [
      'CALLBACK_SIGNING_SECRET',
      SHORT_SECRET.toString('base64'),
      /must be one secret, or two .*, each whsec_ and base64 of 24 to 64 bytes\.$/,
    ],
    ...[
      `whsec_${SHORT_SECRET.subarray(1).toString('base64')}`,
      `whsec_${Buffer.alloc(65, 5).toString('base64')}`,
      `whsec_${LONG_SECRET.toString('base64').replace('==', '')}`,
      `whsec_${Buffer.alloc(32, 255).toString('base64url')}`,
      `WHSEC_${SHORT_SECRET.toString('base64')}`,
      `whsec_${SHORT_SECRET.toString('base64')},`.repeat(3),
      `whsec_${SHORT_SECRET.toString('base64')},whsec_`,
      ',',
    ].map((text) => ['CALLBACK_SIGNING_SECRET', text, /must/] as const),
    ['LOG_LEVEL', 'verbose', /must be one of trace, debug, info, warn, error, fatal, silent/],
    ['JOB_LEASE_SECONDS', '0', /must be a whole number, from 1 to/],
    ['JOB_DEADLINE_SECONDS', '1.5', /must/],
    ['PUBLIC_KEY_MAX_AGE_SECONDS', '-1', /must/],
    ['BULK_MAX_ITEMS', '0', /must be a whole number, 1 or more, and is "0"\.$/],
    [
      'ITEMS_MAX_PER_MINUTE_PER_ORG',
      '19999',
      /is 19999, and must be 20000 at least, twice the larger of BULK_MAX_ITEMS/,
    ],
    ['REQUEST_TIMEOUT_SECONDS', '0', /must/],
    ['LOGIN_RATE_PER_MINUTE', '0', /must/],
    ['OTP_SEND_RATE_PER_MINUTE', '0', /must/],
    ['TRUSTED_PROXIES', 'true', /must/],
    ['CORS_ORIGINS', '*', /must hold origins such as https:\/\/app\.example\.com, and holds "\*"\.$/],
    ['CORS_ORIGINS', 'https://a.example/', /must/],
    ['CORS_ORIGINS', 'null', /must/],
    ['CORS_ORIGINS', 'https://a.example,a.example', /must .* holds "a\.example"\.$/],
    ['ALLOW_TEST_OTP', 'yes', /must be one of true, false/],
    ['REPORT_LOCALE', 'de', /must be one of en, ja/],
    ['REPORT_TIME_ZONE', 'Europe/Berln', /must be a time zone by its IANA name, .*, and is "Europe\/Berln"\.$/],
    ['REPORT_TIME_ZONE', '+09:00', /must/],
    ['REPORT_SPEED_LIMIT_KMH', '0', /must/],
    ['REPORT_OVER_LIMIT_MIN_SECONDS', '0', /must/],
    ['REPORT_DRIVING_RULES', 'japan', /must be one of japan-2024, eu-561, eu-561-occasional, off/],
    ['REDIS_URL', 'redis.internal:6379', /must be a redis: or rediss: URL, several of them/],
    ['REDIS_PASSWORD_FILE', '/no/such/file', /names a file that cannot be read \(ENOENT\)\.$/],
    ['S3_FORCE_PATH_STYLE', '1', /must be one of true, false/],
  ];

  it.each(BAD)('%s=%j is refused, and the variable is named', (name, text, fault) => {
    expect(faultsOf({ S3_BUCKET: 'reports', REDIS_URL: 'redis://redis', [name]: text })).toEqual([about(name, fault)]);
  });

  it.each([
    [{}, 330_000],
    [{ BULK_MAX_ITEMS: '100', REPORT_MAX_DRIVERS: '50', ITEMS_MAX_PER_MINUTE_PER_ORG: '200' }, 200],
    [{ REPORT_MAX_DRIVERS: '200000' }, 400_000],
  ])('of the orders of a minute is never below twice the largest order: %j', (environment, items) => {
    expect(loadConfig(environment).jobs.organisation.maxItemsPerMinute).toBe(items);
  });

  it('of a number is refused for every variable that holds one', () => {
    const numbers = VARIABLE_NAMES.filter((name) => typeof fallbackOf(name) === 'number');
    expect(numbers.length).toBeGreaterThan(20);
    for (const name of numbers)
      expect(faultsOf({ [name]: 'many' })).toEqual([expect.stringContaining(`${name} must be a whole`)]);
  });
});

const REQUIRED = {
  gateway:
    'BACKEND_API_KEY BACKEND_API_URL GEO_API_URL JOB_ENCRYPTION_KEY REDIS_URL S3_BUCKET TASK_CALLBACK_API_KEY ' +
    'TOKEN_ISSUSERS VOIP_API_URL',
  'queue-function': 'GATEWAY_URL JOB_ENCRYPTION_KEY REDIS_URL TASK_CALLBACK_API_KEY',
} as const;

it.each(['gateway', 'queue-function'] as const)(
  'the faults of a %s without settings are all that production requires',
  (program) => {
    const faults = faultsOf({ NODE_ENV: 'production' }, program);
    expect(faults.filter((fault) => !/ is required|the sandbox is not for production/.test(fault))).toEqual([]);
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual(REQUIRED[program].split(' '));
  },
);

describe('a setting that the OpenTelemetry SDK reads itself', () => {
  const [number, pair] = ['must be a whole number from 1.', /must be name=value/];
  const WRONG: readonly (readonly [name: string, text: string, fault: string | RegExp])[] = [
    ['TRACES_SAMPLER', 'sometimes', /must be always_on, .* or parentbased_traceidratio\.$/],
    ['TRACES_SAMPLER', 'traceidratio', /SAMPLER_ARG is required by this/],
    ['TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1.'],
    ['TRACES_SAMPLER_ARG', '10%', 'must be a number from 0 to 1.'],
    ['BSP_MAX_QUEUE_SIZE', '0', number],
    ['BSP_MAX_EXPORT_BATCH_SIZE', '4096', /must be at most OTEL_BSP_MAX_QUEUE_SIZE/],
    ['BSP_SCHEDULE_DELAY', '-1', /must be a whole number from 0/],
    ['SPAN_LINK_COUNT_LIMIT', 'many', /must be a whole number from 0/],
    ['EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/json.'],
    ['EXPORTER_OTLP_TRACES_PROTOCOL', 'http/protobuf', 'must be http/json.'],
    ['EXPORTER_OTLP_COMPRESSION', 'brotli', 'must be none or gzip.'],
    ['EXPORTER_OTLP_TIMEOUT', '10s', number],
    ['EXPORTER_OTLP_HEADERS', 'a-secret', pair],
    ['EXPORTER_OTLP_TRACES_HEADERS', 'api key=a-secret', pair],
    ['EXPORTER_OTLP_HEADERS', 'api-key=a-secret%0d', pair],
    ['EXPORTER_OTLP_HEADERS', 'api-key=a-secret%', pair],
    ['RESOURCE_ATTRIBUTES', 'region', pair],
    ['EXPORTER_OTLP_CERTIFICATE', path.join(directory, 'none'), 'names a file that cannot be read.'],
    ['EXPORTER_OTLP_CLIENT_KEY', HUGE_FILE, 'names a file that cannot be read.'],
    ['EXPORTER_OTLP_TRACES_CERTIFICATE', PASSWORD_FILE, 'names a file that is not PEM.'],
  ];
  it.each(WRONG)('is refused where there is a collector: OTEL_%s=%s', (name, text, fault) => {
    const wrong: Record<string, string> = { [`OTEL_${name}`]: text };
    const [found = '', ...others] = faultsOf({ ...COLLECTOR, ...wrong });
    expect(found).toMatch(typeof fault === 'string' ? `OTEL_${name} ${fault}` : fault);
    expect(found).not.toContain('a-secret');
    expect(others).toEqual([]);
    expect(findTracingFaults(wrong)).toEqual([found]);
    // Without traces nothing reads it.
    for (const off of [{}, { ...COLLECTOR, OTEL_SDK_DISABLED: 'true' }])
      expect(faultsOf({ ...off, ...wrong })).toEqual([]);
  });

  it('may have any value that the SDK takes', () => {
    const right = {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '1e-3',
      OTEL_BSP_MAX_QUEUE_SIZE: '256',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x-team = a',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production,k8s.pod.name=gateway-0',
    };
    expect(faultsOf({ ...COLLECTOR, ...right })).toEqual([]);
  });
});

/** Settings, and what `--check-config` says of them before it asks anybody. */
describe('settings with a typical mistake', () => {
  const QUEUE_FUNCTION: Environment = {
    NODE_ENV: 'production',
    GATEWAY_URL: 'http://gateway.internal:8080',
    REDIS_URL: 'redis://redis.internal',
    TASK_CALLBACK_API_KEY: PRODUCTION.TASK_CALLBACK_API_KEY ?? '',
    JOB_ENCRYPTION_KEY: KEY,
  };
  /** Environments that are right before the mistake is made. */
  const RIGHT = {
    gateway: [PRODUCTION, 'gateway'],
    shared: [{ ...PRODUCTION, DATA_DIR: '', REDIS_URL: 'redis://redis', S3_BUCKET: 'reports' }, 'gateway'],
    'queue-function': [QUEUE_FUNCTION, 'queue-function'],
    jobs: [QUEUE_FUNCTION, 'jobs'],
    'development gateway': [{}, 'gateway'],
    'development queue-function': [{ REDIS_URL: 'redis://redis' }, 'queue-function'],
  } as const satisfies Record<string, readonly [Environment, Program]>;
  type Where = keyof typeof RIGHT;

  type Changes = Readonly<Record<string, string>>;

  /** @param changes of the settings; an empty text takes one away */
  function saidOf(where: Where, changes: Changes): readonly [string, ...string[]] {
    const [right, program] = RIGHT[where];
    try {
      const { production, keys, doubts } = loadConfig({ ...right, ...changes }, program);
      const trivial = production ? findTrivialKeys(keys, program) : [];
      if (trivial.length > 0) return ['refused', ...trivial];
      return doubts.length > 0 ? ['doubted', ...doubts] : ['fine'];
    } catch (error) {
      if (error instanceof ConfigError) return ['refused', ...error.faults];
      throw error;
    }
  }

  const GUESSED = 'changeme-changeme';
  /** Words about the first variable that is changed, behind its name; or a whole text from its beginning. */
  type Row = readonly [where: Where, Changes, ...words: RegExp[]];

  /** Each with the words of every fault; exit code 78. */
  const REFUSED: readonly Row[] = [
    // Something is missing.
    ['gateway', { BACKEND_API_URL: '' }, /.*the sandbox is not for production/],
    ['shared', { REDIS_URL: '' }, /is required/],
    ['shared', { S3_BUCKET: '' }, /is required/],
    [
      'development gateway',
      { BACKEND_API_URL: 'http://x', TOKEN_ISSUSERS: 'x' },
      /^.*missing: GEO_API_URL, VOIP_API_URL\.$/,
    ],
    ['development gateway', { GEO_API_URL: 'http://x', VOIP_API_URL: 'http://x' }, /^.*missing: BACKEND_API_URL\.$/],
    ['development gateway', { ...BACKENDS, TOKEN_ISSUSERS: '' }, /^TOKEN_ISSUSERS is required/],
    // The mode.
    ['development gateway', { HOST: '0.0.0.0' }, /is 0\.0\.0\.0.* NODE_ENV is not set/],
    ['development queue-function', { HOST: '10.0.0.7' }, /is .* NODE_ENV is not set/],
    // Keys.
    ['gateway', { TASK_CALLBACK_API_KEY: DEVELOPMENT_CALLBACK_KEY }, /is the development default/],
    ['gateway', { TASK_CALLBACK_API_KEY_PREVIOUS: DEVELOPMENT_CALLBACK_KEY }, /is the development default/],
    ['gateway', { BACKEND_API_KEY: 'development-backend-key' }, /is the development default/],
    ['gateway', { TASK_CALLBACK_API_KEY: GUESSED }, /is easy to guess/],
    ['queue-function', { JOB_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64url') }, /is easy to guess/],
    ...(['TASK_CALLBACK_API_KEY', 'JOB_ENCRYPTION_KEY', 'CALLBACK_SIGNING_SECRET'] as const).flatMap((name) =>
      VECTORS.keys[name].split(',').map((published): Row => ['gateway', { [name]: published }, /is easy to guess/]),
    ),
    // Addresses.
    ['gateway', { BACKEND_API_URL: 'backend-api:8080' }, /must be an absolute http: or https: URL/],
    ['gateway', { GEO_API_URL: 'http://user:pass@geo-api' }, /must be a URL without user name/],
    // Redis, bucket and queue.
    ['shared', { REDIS_PASSWORD_FILE: EMPTY_FILE }, /.* which is empty/],
    ['shared', { REDIS_URL: 'redis://:other@redis', REDIS_PASSWORD_FILE: PASSWORD_FILE }, /has a password/],
    ['shared', { REDIS_URL: 'redis://one,redis://:other@two', REDIS_PASSWORD_FILE: PASSWORD_FILE }, /has a password/],
    ['shared', { REDIS_URL: 'redis+sentinel://:other@one/p', REDIS_PASSWORD_FILE: PASSWORD_FILE }, /has a password/],
    ['gateway', { REDIS_PASSWORD_FILE: PASSWORD_FILE }, /is set without REDIS_URL/],
    ['gateway', { S3_REGION: 'eu-west-1' }, /is set without S3_BUCKET/],
    ['shared', { REPORT_RETENTION_DAYS: '7' }, /must be a whole number, from 8 to/],
    ['gateway', { S3_ENDPOINT: 'http://s3' }, /is set without S3_BUCKET/],
    ['gateway', { S3_FORCE_PATH_STYLE: 'true' }, /is set without S3_BUCKET/],
    ['gateway', { SQS_QUEUE_URL: QUEUE_URL }, /is set without REDIS_URL/],
    ['shared', { SQS_QUEUE_URL: `${QUEUE_URL}.fifo` }, /names a FIFO queue/],
    ['queue-function', { SQS_QUEUE_URL: QUEUE_URL }, /^S3_BUCKET is required with SQS_QUEUE_URL/],
    ['jobs', { SQS_QUEUE_URL: QUEUE_URL }, /^S3_BUCKET is required with SQS_QUEUE_URL/],
    // Words and numbers.
    ['gateway', { PERSISTED_OPERATIONS: 'only' }, /is set without PERSISTED_OPERATIONS_FILE\.$/],
    ['gateway', { PERSISTED_OPERATIONS_FILE: '/list.json' }, /is set without PERSISTED_OPERATIONS: say/],
    [
      'gateway',
      { PERSISTED_OPERATIONS: 'true', PERSISTED_OPERATIONS_FILE: '/list.json' },
      /must be one of only, allow, and is "true"\.$/,
    ],
  ];

  /** Warned of, with these words; exit code 0. */
  const DOUBTED: readonly Row[] = [
    // The record of duty.
    [
      'gateway',
      { REPORT_RETENTION_DAYS: '365', REPORT_LOCALE: 'ja' },
      /is 365: reports are gone after that\. .*one year by trucks/,
    ],
    // Addresses.
    ['gateway', { GATEWAY_URL: 'http://x', BASE_PATH: '/fleet' }, /does not end with BASE_PATH, which is \/fleet\./],
    ['gateway', { PUBLIC_URL: 'https://api.example.com', BASE_PATH: '/fleet' }, /does not end with BASE_PATH/],
    ['gateway', { GATEWAY_URL: 'http://gateway/fleet' }, /has the path \/fleet, and BASE_PATH is empty/],
    ['gateway', { PUBLIC_URL: 'https://api.example.com/fleet/' }, /has the path \/fleet, and BASE_PATH is empty/],
    // Redis, bucket and queue.
    ['gateway', { REDIS_URL: 'redis://redis', S3_BUCKET: 'reports' }, /^DATA_DIR is set, and nothing uses it/],
    // Names and quotes.
    ['gateway', { TOKEN_ISSUERS: 'https://issuer.example' }, /is not read\. Did you mean TOKEN_ISSUSERS\?$/],
    ['gateway', { JOBS_LEASE_SECONDS: '60' }, /is not read\. Did you mean JOB_LEASE_SECONDS\?$/],
    ['gateway', { log_level: 'debug' }, /is not read\. Did you mean LOG_LEVEL\?$/],
    ['gateway', { TOKEN_ISSUSERS: '"https://issuer.example"' }, /stands in quotes/],
    ['gateway', { BACKEND_API_KEY: "'k8Xq2-of-backend-api'" }, /stands in quotes/],
    [
      'gateway',
      { TASK_CALLBACK_API_KEY: 'k8Xq2k8Xq2k8Xq2b,k8Xq2k8Xq2k8Xq2c' },
      /has a comma, which is part of it. The second key belongs in TASK_CALLBACK_API_KEY_PREVIOUS/,
    ],
    // Settings that are meant for development, or weaken production.
    ['gateway', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /is 0: .* NODE_EXTRA_CA_CERTS instead/],
    ['gateway', { ALLOW_TEST_OTP: 'true' }, /is true/],
    ['gateway', { REQUEST_TIMEOUT_SECONDS: '5' }, /is not above BACKEND_TIMEOUT_SECONDS/],
    ['gateway', { JOB_DEADLINE_SECONDS: '300', JOB_LEASE_SECONDS: '600' }, /is not above JOB_LEASE_SECONDS/],
  ];

  /** Taken for what is meant, with nothing to say. */
  const FINE: readonly Row[] = [
    ...(Object.keys(RIGHT) as Where[]).map((where) => [where, {}] as const), // keys of a literal
    ['gateway', { REPORT_RETENTION_DAYS: '366', REPORT_LOCALE: 'ja' }],
    ['development gateway', { HOST: '0.0.0.0', NODE_ENV: 'development' }],
    ['development gateway', { HOST: '127.0.0.2' }],
    ['development gateway', { HOST: '::1' }],
    ['gateway', { JOB_ENCRYPTION_KEY: `${KEY}=` }],
    ['gateway', { JOB_ENCRYPTION_KEY: `${KEY}, ${OTHER_KEY}` }],
    ['gateway', { BASE_PATH: '/' }],
    ['gateway', { BASE_PATH: '/fleet', PUBLIC_URL: 'https://api.example.com/a/fleet/' }],
    ['jobs', { SQS_QUEUE_URL: QUEUE_URL, S3_BUCKET: 'reports' }],
    ['queue-function', { SQS_QUEUE_URL: QUEUE_URL, DATA_DIR: '/shared' }],
    ['queue-function', { METRICS_PORT: '8080', PORT: '8080' }],
    ['gateway', { REDIS_URL: 'redis://redis' }],
    ['gateway', { HOSTNAME: 'a', PATH: '/bin', AWS_REGION: 'b', npm_config_cache: 'c' }],
    ['gateway', { JOBS_MAX_RUNING_PER_ORG: ' ' }],
    ['gateway', { LOG_LEVEL: 'warn\n' }],
  ];

  it.each<readonly [verdict: string, ...Row]>([
    ...REFUSED.map((row) => ['refused', ...row] as const),
    ...DOUBTED.map((row) => ['doubted', ...row] as const),
    ...FINE.map((row) => ['fine', ...row] as const),
  ])('is %s: %s with %j', (verdict, where, changes, ...words) => {
    const [changed = ''] = Object.keys(changes);
    const texts = words.map((each) =>
      each.source.startsWith('^') ? expect.stringMatching(each) : about(changed, each),
    );
    expect(saidOf(where, changes)).toEqual([verdict, ...texts]);
  });
});

describe('a secret in a file', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'secrets-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  const KEY = 'a-key-of-some-length';
  const SECRETS = {
    BACKEND_API_KEY: KEY,
    GEO_API_KEY: KEY,
    VOIP_API_KEY: KEY,
    TASK_CALLBACK_API_KEY: KEY,
    TASK_CALLBACK_API_KEY_PREVIOUS: KEY,
    CALLBACK_SIGNING_SECRET: `whsec_${SHORT_SECRET.toString('base64')}`,
    JOB_ENCRYPTION_KEY: Buffer.alloc(32, 'k3').toString('base64url'),
    REDIS_URL: 'redis://user:pass@redis:6379',
  };

  it.each(Object.entries(SECRETS))('is %s, as if it stood in the variable, and both are a fault', (name, secret) => {
    const file = path.join(directory, name);
    writeFileSync(file, `${secret}\n`);
    expect(loadConfig({ [`${name}_FILE`]: file })).toEqual(loadConfig({ [name]: secret }));
    expect(loadConfig({ [`${name}_FILE`]: file })).not.toEqual(loadConfig({}));
    const both = `${name} and ${name}_FILE are both set; leave one out.`;
    expect(faultsOf({ [`${name}_FILE`]: file, [name]: secret })).toContain(both);
    expect(faultsOf({ [`${name}_FILE`]: path.join(directory, 'none') })).toEqual([
      `${name}_FILE names a file that cannot be read (ENOENT).`,
    ]);
    // The secret by mistake in place of the name, a directory, and a file that is none of ours.
    const wrong = { [secret]: 'ENOENT', [directory]: 'ENOTFILE', [HUGE_FILE]: 'EFBIG' };
    for (const [given, code] of Object.entries(wrong)) {
      const fault = `${name}_FILE names a file that cannot be read (${code}).`;
      expect(faultsOf({ [`${name}_FILE`]: given })).toEqual([fault]);
    }
  });
});
