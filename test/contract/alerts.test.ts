/** The alerts of `deploy/alerts.yaml`: each fires when it should, and is silent when all is well. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { alertRules } from '../support/alert-rules.js';
import { Promtool, type MadeSeries as Series } from '../support/promtool.js';
import { runbookPage } from '../support/deploy-pages.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';

/** Trouble that lies between: that of a new program fires an alert, what is small or comes and goes does not. */
const BETWEEN = { firstBurst: true, slowBurn: false, flapping: false };

interface Made extends Readonly<Record<keyof typeof BETWEEN, Series>> {
  /** Series at whose end it fires. */
  readonly bad: Series;
  /** Series of the same when all is well. */
  readonly well: Series;
  /** The trouble with which it is the other way round. */
  readonly unlike?: keyof typeof BETWEEN;
  /** Series of the half hour after the trouble, where they are not those of `well`. */
  readonly after?: Series;
  /** Length of the series; 30 by default. */
  readonly minutes?: number;
}

const operations = (outcome: string): string =>
  `gateway_graphql_operation_duration_seconds_count{operation="Mobiles",outcome="${outcome}"}`;
const operationsUpTo = (le: string, outcome = 'ok'): string =>
  `gateway_graphql_operation_duration_seconds_bucket{operation="Mobiles",outcome="${outcome}",le="${le}"}`;
const dependency = (name: string): string => `gateway_dependency_up{dependency="${name}",instance="a"}`;
const calls = (outcome: string, call = 'reverseGeocode', backend = 'geo-api'): string =>
  `gateway_backend_call_duration_seconds_count{backend="${backend}",call="${call}",outcome="${outcome}",instance="a"}`;
const callsUpTo = (le: string, outcome = 'cut_off', call = 'reverseGeocode'): string =>
  `gateway_backend_call_duration_seconds_bucket{backend="geo-api",call="${call}",outcome="${outcome}",le="${le}"}`;
const backendCalls = (outcome: string, call: string): string => calls(outcome, call, 'backend-api');
const LOG_INS = { [backendCalls('ok', 'login')]: '0+9x30' };
const LOGGED_IN = backendCalls('ok', 'login');
const LIMITED = 'gateway_graphql_errors_total{code="TooManyRequests",reason="TooManyLoginsFromNetwork"}';
const HEALTH = dependency('backend-api');
const OBJECTS = dependency('object-store');
const tokens = (outcome: string): string => `gateway_authentications_total{outcome="${outcome}"}`;
const refusedTokens = (reason: string): string =>
  `gateway_authentications_total{outcome="invalid_token",reason="${reason}"}`;
const UNAUTHORIZED = 'gateway_token_calls_total{outcome="unauthorized"}';
const TOKEN_CALLS = 'gateway_token_calls_total{outcome="other"}';
const UP = 'up{job="vehicle-location-gateway",instance="a"}';
const ANOTHER = 'up{job="vehicle-location-gateway",instance="b"}';
const UPTIME = 'process_uptime_seconds{job="vehicle-location-gateway",instance="a"}';
const CERTIFICATE =
  'probe_ssl_earliest_cert_expiry{job="outside-of-the-gateway",instance="https://gateway.example.com"}';
const refusals = (code: string): string => `gateway_graphql_errors_total{code="${code}"}`;
const NOT_LISTED = 'gateway_client_operations_total{client="web",version="1",outcome="not_listed"}';
const QUEUE_FUNCTION = 'up{job="vehicle-location-queue-function",instance="c"}';
const USED = 'gateway_storage_used_bytes{storage="data-dir",instance="a"}';
const LIMIT = { 'gateway_storage_limit_bytes{storage="data-dir",instance="a"}': '100x30' };
const KEY_FAILURES = 'gateway_key_fetch_failures_total';
const KEY_FETCHES = { gateway_key_fetch_duration_seconds_count: '0+100x30' };
const OPEN_JOBS = 'gateway_open_jobs_ratio{instance="a"}';
const nearLimit = (reason: string): string =>
  `gateway_organisation_limit_ratio{org="acme",reason="${reason}",instance="a"}`;
const BUSY = 'nodejs_eventloop_utilization_ratio{instance="a"}';
const LATE = 'nodejs_eventloop_delay_p99_seconds{instance="a"}';
const HEAP = 'v8js_memory_heap_used_bytes{v8js_heap_space_name="old_space",instance="a"}';
const HEAP_LIMIT = { 'v8js_memory_heap_limit_bytes{instance="a"}': '1000x30' };
const CIRCUIT = 'gateway_circuit_open{backend="backend-api",caller="user",mode="read"}';
const WAITING = 'gateway_backend_calls_waiting{backend="backend-api",purpose="calls"}';
const DEPTH = 'gateway_queue_depth{instance="a"}';
const OLDEST = 'gateway_queue_oldest_seconds';
const FAILED_PUTS = 'gateway_object_store_operation_duration_seconds_count{operation="put",outcome="failed"}';
const FAILED_DRAWING = 'gateway_report_start_failures_total{job="vehicle-location-gateway",instance="a"}';
const runs = (outcome: string): string =>
  `gateway_job_duration_seconds_count{kind="driving-reports",outcome="${outcome}"}`;
const FAILED_RUNS = runs('failed');
const items = (outcome: string): string => `gateway_job_items_total{kind="mobiles",outcome="${outcome}"}`;
const ITEMS_DONE = { [items('done')]: '0+0.5x30' };
const deliveries = (outcome: string, reason: string): string =>
  `gateway_deliveries_total{kind="mobiles",outcome="${outcome}",reason="${reason}"}`;
const refusedKey = (scope: string): string => `gateway_backend_key_refused{scope="${scope}"}`;
const KEY_REFUSED = refusedKey('organisations');
const NOT_BY_ALL = { [refusedKey('everybody')]: '0x30' };
const UNREADABLE = 'gateway_log_events_total{event="delivery.payload_unreadable",level="error"}';
const UNEXPECTED = 'gateway_log_events_total{event="operation.failed",level="error"}';
const UNREADABLE_BUCKET = 'gateway_log_events_total{event="objects.unreadable",level="error",instance="a"}';
const FORGOTTEN = 'gateway_log_events_total{event="store.forgot",level="error"}';
const AHEAD = 'gateway_log_events_total{event="store.clock_ahead",level="error"}';
const OUTSIDE = 'probe_success{job="outside-of-the-gateway",instance="https://gateway.example.com"}';
const OPEN_FILES = 'process_open_fds{job="vehicle-location-gateway",instance="a"}';
const ALL_FILES = 'process_max_fds{job="vehicle-location-gateway",instance="a"}';
const MAX_FILES = { [ALL_FILES]: '1000x30' };
const FILES_USED_UP = 'gateway_log_events_total{job="vehicle-location-gateway",event="process.descriptors_used_up"}';
const STORE_CALLS = 'gateway_job_store_operation_duration_seconds_count{job="vehicle-location-gateway",instance="a"}';
const STORE_QUICK =
  'gateway_job_store_operation_duration_seconds_bucket{job="vehicle-location-gateway",instance="a",le="0.1"}';
const mark = (id: string, instance: string): string => `gateway_store_mark_info{mark="${id}",instance="${instance}"}`;
const commit = (name: string, instance: string): string =>
  `target_info{service_name="gateway",commit="${name}",instance="${instance}"}`;
const LOST_LINES = 'gateway_log_lines_lost_total{job="vehicle-location-gateway",instance="a"}';
const REFUSED_CALLBACKS =
  'http_server_request_duration_seconds_count{http_request_method="POST",' +
  'http_route="/api/v1/Mobile/BulkUpdateCallback",http_response_status_code="401"}';

/** @param last of the values, series that stand beside them in all cases */
function one(series: string, ...values: readonly [string, string, string, string, string, Series?]): Made {
  const [bad, well, firstBurst, slowBurn, flapping, beside] = values;
  const of = (each: string): Series => ({ ...beside, [series]: each });
  return { bad: of(bad), well: of(well), firstBurst: of(firstBurst), slowBurn: of(slowBurn), flapping: of(flapping) };
}

/** For each alert, half an hour in which it fires at the end, one in which it does not, and what lies between. */
const MADE: Readonly<Record<string, Made>> = {
  ProgramDown: one(UP, '1x20 0x10', '1x30', '_x20 0x10', '1x14 0 1x13 0', '1x20 0 1 0 1 0 1 0 1 0 1'),
  // Every 90 s; a roll-out, one crash, and two of them are no series.
  ProgramRestarts: {
    ...one(UPTIME, '0+60x20 0 60 0 60 0 60 0 60 0 60', '0+60x30', '_x20 0 60 0 60 0 60 0 60 0', '0+60x14 0+60x14', ''),
    flapping: { [UPTIME]: '0+60x10 0+60x9 0+60x8' },
    after: { [UPTIME]: '60+60x30' },
  },
  NoGateway: one(UP, '1x20 0x10', '1x30', '_x20 0x10', '1x14 0 1x13 0', '1x23 0 1x2 0 1x2'),
  Unreachable: one(OUTSIDE, '1x20 0x10', '1x30', '_x20 0x10', '1x14 0 1x12 0x1', '1x20 0 1x3 0 1x5'),
  // A small site falls silent; all replicas are new, and nothing reaches them; a night falls; and a short pause.
  TrafficStopped: one(
    operations('ok'),
    '0+200x22 4400x8',
    '0+5x22 110x8',
    '0+200x22 stale',
    '0+200x15 3000+100x7 3700+30x8',
    '0+200x24 4800x6',
  ),
  CertificateEnds: one(CERTIFICATE, '1123200x30', '1296000x30', '_x20 1123200x10', '1213000x30', '1296000x27 0x2'),
  CertificateEndsSoon: one(CERTIFICATE, '172800x30', '432000x30', '_x20 172800x10', '262000x30', '432000x27 0x2'),
  NoQueueFunction: {
    bad: { [QUEUE_FUNCTION]: '1x20 stale' },
    // The gateway runs its jobs itself, and there never was one.
    well: { [UP]: '1x30' },
    firstBurst: { [QUEUE_FUNCTION]: '_x20 0x10' },
    slowBurn: { [QUEUE_FUNCTION]: '1x14 0 1x12 0x1' },
    flapping: { [QUEUE_FUNCTION]: '1x23 0x1 1 0x1 1' },
    after: { [QUEUE_FUNCTION]: '1x30' },
  },
  ReplicaMissing: {
    bad: { [UP]: '1x30', [ANOTHER]: '1x22 stale' },
    well: { [UP]: '1x30', [ANOTHER]: '1x30' },
    firstBurst: { [UP]: '_x10 1x20', [ANOTHER]: '_x10 1x14 stale' },
    // Taken away for good.
    slowBurn: { [UP]: '1x30', [ANOTHER]: '1x10 stale' },
    // A rolling update has one more for a moment, and then one fewer.
    flapping: {
      [UP]: '1x30',
      [ANOTHER]: '1x28 stale',
      'up{job="vehicle-location-gateway",instance="c"}': '_x20 1x5 stale',
    },
  },
  RequestsFail: {
    bad: { [operations('ok')]: '0+90x30', [operations('failed')]: '0+10x30' },
    // Addresses are missing, and nothing else.
    well: { [operations('ok')]: '0+10x30', [operations('incomplete')]: '0+90x30' },
    firstBurst: { [operations('failed')]: '_x20 0+10x10' },
    slowBurn: { [operations('ok')]: '0+96x30', [operations('failed')]: '0+4x30' },
    flapping: { [operations('ok')]: '0+90x30', [operations('failed')]: '0x25 20 40x3' },
  },
  RequestsRefused: {
    bad: { [operations('ok')]: '0+40x30', [operations('refused')]: '0+60x30', [refusals('BadInput')]: '0+60x30' },
    // Limits speak for themselves.
    well: { [operations('refused')]: '0+60x30', [refusals('TooManyRequests')]: '0+60x30' },
    firstBurst: { [operations('refused')]: '_x15 0+60x15', [refusals('BadInput')]: '_x15 0+60x15' },
    slowBurn: { [operations('ok')]: '0+60x30', [operations('refused')]: '0+40x30', [refusals('NotFound')]: '0+80x30' },
    flapping: {
      [operations('ok')]: '0+40x30',
      [operations('refused')]: '0x25 300 600 900x2',
      [refusals('BadInput')]: '0x25 300 600 900x2',
    },
  },
  OperationsNotListed: one(NOT_LISTED, '0+1x30', '5x30', '_x15 0+1x15', '0x5 4x25', '0x26 5x4'),
  RequestsSlow: {
    bad: { [operationsUpTo('5')]: '0+90x30', [operationsUpTo('+Inf')]: '0+100x30' },
    well: Object.fromEntries(['0.5', '2', '+Inf'].map((bound) => [operationsUpTo(bound), '0+100x30'])),
    firstBurst: { [operationsUpTo('5')]: '_x10 0+90x20', [operationsUpTo('+Inf')]: '_x10 0+100x20' },
    slowBurn: { [operationsUpTo('0.5')]: '0+995x30', [operationsUpTo('+Inf')]: '0+1000x30' },
    flapping: {
      [operationsUpTo('2')]: '0+100x25 2500x3 2600',
      ...Object.fromEntries(['5', '+Inf'].map((bound) => [operationsUpTo(bound), '0+100x30'])),
    },
  },
  LoadShed: one(operations('shed'), '0x20 1+5x10', '7x30', '_x20 1+5x10', '0x10 1x10 2x10', '0x23 5x4 9x1'),
  EventLoopBusy: one(BUSY, '0.97x30', '0.6x30', '_x20 0.97x10', '0.6+0.009x30', '0.6x15 1x2 0.6x9 1x2'),
  EventLoopLate: one(LATE, '0.15x30', '0.02x30', '_x20 0.15x10', '0.02+0.002x30', '0.02x15 0.3x2 0.02x9 0.3x2'),
  // The garbage collector takes most of it back.
  HeapNearlyFull: one(HEAP, '900x30', '300x30', '_x18 900x12', '300+18x30', '300x10 900x4 300x10 900x4', HEAP_LIMIT),
  BackendApiDown: {
    bad: { [HEALTH]: '1x20 0x10', [backendCalls('ok', 'login')]: '0+9x20 180x10' },
    well: { [HEALTH]: '1x30', [dependency('geo-api')]: '0x30' },
    // A quiet night.
    firstBurst: { [HEALTH]: '1x20 0x10' },
    // Its health check alone is broken.
    slowBurn: { [HEALTH]: '0x30', [backendCalls('ok', 'login')]: '0+9x30' },
    flapping: { [HEALTH]: '1x20 0 1x7 0' },
  },
  BackendHealthWrong: one(HEALTH, '0x30', '1x30', '_x15 0x15', '1x24 0x5', '1x15 0x5 1 0x5 1', LOG_INS),
  GeoOrVoipApiDown: one(dependency('geo-api'), '0x30', '1x30', '_x20 0x10', '1x14 0x2 1x8 0x3', '1x10 0x3 1x10 0x3 1'),
  // Long ago.
  StoreForgot: one(FORGOTTEN, '0x20 1x10', '0x30', '_x20 0 1x9', '0x10 1x19', '0x5 1x5 2x18'),
  ClockAhead: one(AHEAD, '0x20 1x10', '0x30', '_x20 0 1x9', '0x10 1x19', '0x5 1x5 2x18'),
  JobStoreDown: one(dependency('queue'), '1x20 0x10', '1x30', '_x20 0x10', '1x14 0 1x13 0', '1x20 0 1x3 0 1x4'),
  // A slow answer of every third, and a slow minute, are none.
  JobStoreSlow: one(STORE_QUICK, '0+30x20 600x10', '0+30x30', '_x20 0x10', '0+20x30', '0+30x10 300 330+30x18', {
    [STORE_CALLS]: '0+30x30',
  }),
  MarksDiffer: one(mark('other', 'b'), '1x30', '_x30', '_x20 1x10', '_x26 1x4', '1x4 stale _x9 1x4 stale', {
    [mark('one', 'a')]: '1x30',
  }),
  StorageNearlyFull: one(USED, '50+2x30', '80x30', '_x20 90x10', '50+1x30', '80x10 90x3 80x11 90x3', LIMIT),
  ReportsFillDisk: one(USED, '50+2x30', '80x30', '_x20 90x10', '50+1x30', '80x10 90x3 80x11 90x3', {
    ...LIMIT,
    'gateway_report_files_bytes{org="acme",instance="a"}': '40x30',
  }),
  // An order counts for five minutes.
  OrganisationNearlyFull: one(OPEN_JOBS, '0.5x15 0.9x15', '0.8x30', '_x20 1x10', '0.2+0.01x30', '0x10 0.9x4 0x9 0.9x4'),
  OrganisationKeepsMuch: {
    ...one(nearLimit('TooManyKeptJobs'), '_x20 0.85x10', '_x30', '_x20 0.9x10', '0.8x30', '_x10 0.9x5 stale _x5 0.9x9'),
    // Its next order may come in an hour.
    unlike: 'flapping',
  },
  OrganisationOrdersMuch: one(
    nearLimit('TooManyOrders'),
    '_x15 0.9x15',
    '_x30',
    '_x20 1.1x10',
    '0.8x30',
    '_x10 0.9x4 stale _x9 0.9x4',
  ),
  QueueUnknown: one(DEPTH, '0x20 stale', '0x30', '_x30', '0x28 stale', '0x20 stale 0x5 stale 0', { [UP]: '1x30' }),
  ObjectStoreDown: {
    ...one(OBJECTS, '1x20 0x10', '1x30', '_x20 0x10', '1x30', '1x20 0 1x7 0', { [UNREADABLE_BUCKET]: '0x30' }),
    // It only refuses to be read.
    slowBurn: { [OBJECTS]: '1x20 0x10', [UNREADABLE_BUCKET]: '0x20 0+1x10' },
  },
  UploadsFail: one(FAILED_PUTS, '0x25 1x5', '3x30', '_x22 0x3 4x5', '0x10 1x19', '0x5 1x5 2x18'),
  ReportLinksFail: one(UNREADABLE_BUCKET, '0x20 0+1x10', '7x30', '_x20 0+1x10', '0x9 1x9 2x9 3', '0x10 1x10 2x8'),
  DrawingStuck: one(FAILED_DRAWING, '0x20 0+6x10', '9x30', '_x20 0+6x10', '0x9 1x9 2x9 3', '0x10 2x10 2x8'),
  KeyFetchFails: one(KEY_FAILURES, '0+10x30', '0+1x30', '_x20 0+10x10', '0+4x30', '0x25 10 20 30x2', KEY_FETCHES),
  EverybodyLockedOut: {
    bad: { [tokens('authenticated')]: '0+60x26 1560x4', [tokens('invalid_token')]: '0x26 0+60x4' },
    well: { [tokens('authenticated')]: '0+60x30', [tokens('invalid_token')]: '0+1x30' },
    // Rubbish from outside, however much it is, while users come in; or while none would come.
    unlike: 'firstBurst',
    firstBurst: { [tokens('authenticated')]: '0+60x30', [tokens('invalid_token')]: '0x20 0+9000x10' },
    slowBurn: { [tokens('authenticated')]: '0x30', [tokens('invalid_token')]: '0+9000x30' },
    flapping: { [tokens('authenticated')]: '0+60x27 1620x1 1680', [tokens('invalid_token')]: '0+10x30' },
  },
  IssuerRefused: {
    // One of two issuers is missing.
    bad: { [tokens('authenticated')]: '0+50x30', [refusedTokens('issuer')]: '0+50x30' },
    // Forged and expired ones.
    well: { [tokens('authenticated')]: '0+50x30', [refusedTokens('signature')]: '0+900x30' },
    firstBurst: { [refusedTokens('issuer')]: '_x15 0+9x15' },
    slowBurn: { [tokens('authenticated')]: '0+97x30', [refusedTokens('issuer')]: '0+3x30' },
    flapping: { [tokens('authenticated')]: '0+50x30', [refusedTokens('issuer')]: '0x26 50 100x3' },
  },
  GenuineTokensRefused: {
    bad: { [UNAUTHORIZED]: '0+16x30', [TOKEN_CALLS]: '0+84x30' },
    // A user whose account was closed goes on asking, at night too.
    well: { [UNAUTHORIZED]: '0+3x30', [TOKEN_CALLS]: '0x30' },
    firstBurst: { [UNAUTHORIZED]: '_x15 0+16x15', [TOKEN_CALLS]: '_x15 0+84x15' },
    // One noisy client among many.
    slowBurn: { [UNAUTHORIZED]: '0+12x30', [TOKEN_CALLS]: '0+300x30' },
    // A roll-out of backend-api.
    flapping: { [UNAUTHORIZED]: '0x10 0+40x2 80x18', [TOKEN_CALLS]: '0+100x30' },
  },
  TokensRefused: {
    bad: { [tokens('authenticated')]: '0+40x30', [tokens('invalid_token')]: '0+60x30' },
    // All of very few prove nothing.
    well: { [tokens('authenticated')]: '0x30', [tokens('invalid_token')]: '0+3x30' },
    unlike: 'firstBurst',
    firstBurst: { [tokens('authenticated')]: '0+40x30', [tokens('invalid_token')]: '0x26 0+60x4' },
    slowBurn: { [tokens('authenticated')]: '0+60x30', [tokens('invalid_token')]: '0+40x30' },
    flapping: { [tokens('authenticated')]: '0+40x30', [tokens('invalid_token')]: '0x22 300 600 900x5' },
  },
  LogInFails: {
    // Told within 10 minutes, beside 1,200 operations.
    bad: { [backendCalls('ok', 'login')]: '0+10x20 200x10', [backendCalls('odd', 'login')]: '0x20 0+10x10' },
    // Passwords are refused.
    well: { [backendCalls('ok', 'login')]: '0+1x30', [backendCalls('refused', 'login')]: '0+10x30' },
    firstBurst: { [backendCalls('foreign', 'refreshToken')]: '_x20 0+10x10' },
    slowBurn: { [backendCalls('ok', 'verifyOtp')]: '0+2x30', [backendCalls('failed', 'verifyOtp')]: '0+1x30' },
    // Three of five, as one of three, are too few.
    flapping: { [backendCalls('ok', 'login')]: '0x22 1x2 2x4', [backendCalls('failed', 'login')]: '0x24 1 2 3x3' },
  },
  LogInsLimited: {
    minutes: 90,
    bad: { [LIMITED]: '0x80 0+10x10', [LOGGED_IN]: '0+30x80 2400x10' },
    well: { [LIMITED]: '0+1x90', [LOGGED_IN]: '0+30x90' },
    firstBurst: { [LIMITED]: '_x80 0+10x10', [LOGGED_IN]: '0+30x80 2400x10' },
    // One noisy client, while others come in, and in a night in which nobody would.
    slowBurn: { [LIMITED]: '0+10x90', [LOGGED_IN]: '0+30x90' },
    flapping: { [LIMITED]: '0+10x90', [LOGGED_IN]: '0+30x15 450x75' },
    after: { [LIMITED]: '100x30', [LOGGED_IN]: '2400+30x30' },
  },
  BackendCallBroken: {
    // No account can be made, 30 an hour: told within 30 minutes.
    bad: { [backendCalls('odd', 'createUserAccount')]: '0+0.5x30', [operations('ok')]: '0+1200x30' },
    well: { [backendCalls('refused', 'createUserAccount')]: '0+9x30', [calls('failed')]: '0+9x30' },
    // Every report fails, 2 a minute: told within 15 minutes.
    firstBurst: {
      [backendCalls('ok', 'getDrivingRecord')]: '0+2x15 30x15',
      [backendCalls('failed', 'getDrivingRecord')]: '_x15 0+2x15',
    },
    slowBurn: { [backendCalls('ok', 'listTags')]: '0+2x30', [backendCalls('failed', 'listTags')]: '0+1x30' },
    flapping: {
      [backendCalls('ok', 'listTags')]: '0x22 1x2 2x4',
      [backendCalls('failed', 'listTags')]: '0x24 1 2 3x3',
    },
  },
  BackendCallsFail: {
    bad: { [calls('ok')]: '0+70x30', [calls('failed')]: '0+10x30', [calls('not_sent')]: '0+20x30' },
    well: { [calls('ok')]: '0+70x30', [calls('refused')]: '0+30x30' },
    firstBurst: { [calls('failed')]: '_x20 0+10x10' },
    slowBurn: { [calls('ok')]: '0+85x30', [calls('failed')]: '0+15x30' },
    flapping: { [calls('ok')]: '0+10x30', [calls('failed')]: '0x27 30 60 90' },
  },
  BackendCallsSlow: {
    // One list takes 6 s, and everything else is quick.
    bad: { [calls('ok', 'listMobiles')]: '0+10x30', [callsUpTo('2', 'ok', 'listMobiles')]: '0x30' },
    // Only a job waits.
    well: { [calls('ok', 'getDrivingRecord')]: '0+10x30', [callsUpTo('2', 'ok', 'getDrivingRecord')]: '0x30' },
    firstBurst: { [calls('cut_off')]: '_x15 0+5x15', [callsUpTo('2')]: '_x15 0x15' },
    slowBurn: { [calls('ok')]: '0+100x30', [callsUpTo('2', 'ok')]: '0+95x30' },
    flapping: { [calls('ok', 'listMobiles')]: '0x28 10 20', [callsUpTo('2', 'ok', 'listMobiles')]: '0x30' },
  },
  CircuitOpen: one(CIRCUIT, '0x20 1x10', '0x30', '_x20 1x10', '0x14 1 0x13 1', '0x20 1x1 0x5 1x1'),
  CallsWait: one(WAITING, '3x30', '0x30', '_x20 3x10', '0x14 1x3 0x8 1x2', '0x15 9x3 0x1 9x3 0x1 9x3'),
  QueueNotDrained: one(OLDEST, '0+60x30', '0x30', '_x5 0+60x25', '0+25x30', '0x10 0+50x19'),
  DeliveriesTurnedAway: {
    bad: { [deliveries('delayed', 'wrong_address')]: '0x10 1+1x20', [deliveries('done', 'handled')]: '5x30' },
    // One that comes again meanwhile proves nothing.
    well: { [deliveries('delayed', 'running')]: '0+1x30', [deliveries('done', 'handled')]: '5x30' },
    firstBurst: {
      [deliveries('delayed', 'not_authorized')]: '_x24 0 9 18 27 36 45 54',
      [deliveries('done', 'handled')]: '_x24 0x6',
    },
    // One that is turned away once, and others that are done beside it.
    slowBurn: { [deliveries('delayed', 'not_reached')]: '0x28 1x1', [deliveries('done', 'handled')]: '5x30' },
    flapping: { [deliveries('delayed', 'not_reached')]: '0+1x30', [deliveries('done', 'handled')]: '0+1x30' },
  },
  BackendKeyRefused: {
    ...one(KEY_REFUSED, '1x20 2x10', '0x30', '_x20 2x9', '1x30', '0x10 1x5 0x10 1x5', NOT_BY_ALL),
    firstBurst: { [KEY_REFUSED]: '_x20 1x9', [refusedKey('everybody')]: '_x20 1x9' },
  },
  OrganisationKeyRefused: {
    ...one(KEY_REFUSED, '1x30', '0x30', '_x20 1x9', '2x30', '0x14 1x1 0x11 1x1', NOT_BY_ALL),
    // Refused for all, it is the other alert that fires.
    slowBurn: { [KEY_REFUSED]: '1x30', [refusedKey('everybody')]: '1x30' },
  },
  DeadLetters: one('gateway_dead_letters', '2x25 3x5', '2x30', '_x20 0 3x9', '2x15 3x14', '2x24 5x2 2x2'),
  JobKindFails: {
    bad: { [runs('finished')]: '0+2x15 30x15', [runs('nothing_done')]: '0x15 0+2x15' },
    well: { [runs('finished')]: '0+2x30', [runs('stopped')]: '0+9x30' },
    firstBurst: { [runs('failed')]: '_x20 0+1x10' },
    slowBurn: { [runs('finished')]: '0+2x30', [runs('nothing_done')]: '0+1x30' },
    flapping: { [runs('finished')]: '0x20 1x4 2x4', [runs('failed')]: '0x24 1 2 3x3' },
  },
  JobsFail: one(FAILED_RUNS, '0x20 1 2 3 4x7', '0x20 1x10', '_x22 0x3 6x5', '0x20 1x9', '0x10 1x13 2x5'),
  ItemsFail: one(items('failed'), '0+6x30', '0+0.4x30', '_x20 0x1 300x8', '0x10 18x19', '0x28 60x1', ITEMS_DONE),
  // Three that were forged.
  KeysDiffer: one(UNREADABLE, '0x20 0+1x10', '1x30', '_x22 0x3 9x5', '0x24 1 2 3x3', '0x20 2x4 4x4'),
  CallbacksRefused: one(REFUSED_CALLBACKS, '0+2x30', '0x30', '_x22 0x3 9x5', '0x24 1 2 3x3', '0x20 2x4 4x4'),
  DescriptorsUsedUp: {
    ...one(OPEN_FILES, '300x20 990x10', '700x30', '_x20 990x9', '0+29x30', '300x27 1000 300x1', MAX_FILES),
    // Prometheus never saw them open.
    firstBurst: { [FILES_USED_UP]: '0x25 1x4' },
    unlike: 'flapping',
  },
  VersionsDiffer: {
    minutes: 90,
    bad: { [commit('new', 'a')]: '1x90', [commit('old', 'b')]: '1x90' },
    well: { [commit('new', 'a')]: '1x90', [commit('new', 'b')]: '1x90' },
    firstBurst: { [commit('new', 'a')]: '_x20 1x70', [commit('old', 'b')]: '_x20 1x70' },
    slowBurn: { [commit('new', 'a')]: '1x90', [commit('old', 'b')]: '_x44 1x46' },
    // Two roll-outs.
    flapping: { [commit('new', 'a')]: '1x90', [commit('old', 'b')]: '1x30 stale _x20 1x35 stale' },
    after: { [commit('old', 'b')]: 'stale' },
  },
  LogLinesLost: { ...one(LOST_LINES, '0+20x30', '7x30', '0x25 900x4', '0x20 1x9', '0x5 900x24'), unlike: 'slowBurn' },
  UnexpectedErrors: one(UNEXPECTED, '0+2x30', '0x30', '_x22 0x3 9x5', '0x25 1x5', '0x20 2x4 4x4'),
};

/** The alert whose silence tells that no other one can fire. */
const ALWAYS = 'Watchdog';

describe('every alert', () => {
  it.each(alertRules().map((rule) => [rule.alert, rule] as const))('says what to do: %s', (_name, rule) => {
    expect(['critical', 'warning', ...(rule.alert === ALWAYS ? ['none'] : [])]).toContain(rule.labels['severity']);
    const words = ['description', 'evidence', 'remedy'] as const;
    expect(Object.keys(rule.annotations).toSorted()).toEqual([...words, 'runbook_url', 'summary']);
    for (const text of Object.values(rule.annotations)) expect(text.length).toBeGreaterThan(20);
    const [, anchor = ''] = /^\{\{ \$externalLabels\.runbook_base \}\}#(\w+)$/.exec(rule.annotations.runbook_url) ?? [];
    expect(anchor).toBe(rule.alert.toLowerCase());
    const [, rest = ''] = runbookPage().split(`\n## ${rule.alert}\n`);
    const [section = ''] = rest.split('\n## ');
    const said = [...section.matchAll(/^\*\*(\w+)\.\*\* (.*)$/gm)].map(([, word = '', text]) => [
      word.toLowerCase(),
      text,
    ]);
    expect(said).toEqual(words.map((word) => [word, rule.annotations[word]]));
  });
});

describeWith(['amtool'], 'deploy/alertmanager.yaml', () => {
  const run = promisify(execFile);
  const file = fileURLToPath(new URL('../../deploy/alertmanager.yaml', import.meta.url));

  it('is understood by Alertmanager', async () => {
    expect((await run('amtool', ['check-config', file])).stdout).toContain('SUCCESS');
  });

  it('has a message for Slack that says what the runbook says, with a link to it', async () => {
    const { receivers } = parse(readFileSync(file, 'utf8')) as {
      receivers: { name: string; slack_configs?: Readonly<Record<'text' | 'title_link', string>>[] }[]; // ours
    };
    const [{ text, title_link: link } = { text: '', title_link: '' }] =
      receivers.find(({ name }) => name === 'slack')?.slack_configs ?? [];
    const annotations = {
      summary: 'S',
      description: 'D',
      evidence: 'E',
      remedy: 'R',
      runbook_url: 'https://runbook#x',
    };
    const alerts = [
      { status: 'firing', annotations },
      { status: 'firing', annotations: { ...annotations, summary: 'T' } },
    ];
    const { path: directory } = closeAfterTest(await temporaryDirectory());
    const data = path.join(directory, 'data.json');
    writeFileSync(data, JSON.stringify({ status: 'firing', alerts }));
    const rendered = async (template: string): Promise<string> => {
      const given = ['--template.glob=/nonexistent', `--template.data=${data}`, `--template.text=${template}`];
      return (await run('amtool', ['template', 'render', ...given])).stdout.trim();
    };
    expect(await rendered(text)).toBe('*S*\n*T*\n*Description.* D\n*Evidence.* E\n*Remedy.* R');
    expect(await rendered(link)).toBe('https://runbook#x');
  });
});

describeWith(['promtool'], 'the alerts, on made data', () => {
  const promtool = forAllTests(() => Promtool.open());

  it('can be read by Prometheus, and so can its configuration', async () => {
    await promtool.checkConfiguration(new URL('../../deploy/prometheus.yaml', import.meta.url));
  });

  it('are all tried', () => {
    expect([ALWAYS, ...Object.keys(MADE)]).toEqual(alertRules().map(({ alert }) => alert));
  });

  it('fire always where silence is the sign', async () => {
    expect(await promtool.faultsOf({ series: {}, fires: { [ALWAYS]: true } })).toBe('');
  });

  it.each([
    ['at the end of a working day', '0+200x60 12000x1380 12000+200x60 24000x20', false],
    ['at noon', '0+200x200 40000x1240 40000+200x60 52000x20', true],
  ])('tell that traffic stops %s as yesterday has it', async (_when, values, fires) => {
    const series = {
      [operations('ok')]: values,
      'gateway_graphql_operation_duration_seconds_count{operation="Probe"}': '0+4x1530',
    };
    expect(await promtool.faultsOf({ series, fires: { TrafficStopped: fires }, atMinute: 1_510 })).toBe('');
  });

  it.each([
    ['the bucket', OBJECTS],
    ['the job store', dependency('job-store')],
  ])('do not page for jobs whose cause has ended: %s', async (_what, gauge) => {
    const series = {
      [gauge]: '1x10 0x10 1x20',
      [UNREADABLE_BUCKET]: '0x40',
      [runs('finished')]: '0+1x10 10x12 10+1x18',
      [runs('failed')]: '0x10 0+2x12 24x18',
    };
    const fires = { JobKindFails: false, ObjectStoreDown: false, JobStoreDown: false };
    const minutes = [18, 22, 24, 28, 32, 36];
    const cases = minutes.map((atMinute) => ({
      series,
      fires:
        atMinute === 18
          ? { JobKindFails: false, [gauge === OBJECTS ? 'ObjectStoreDown' : 'JobStoreDown']: true }
          : fires,
      atMinute,
    }));
    expect(await promtool.faultsOf(...cases)).toBe('');
  });

  it('name the keys, not the tokens, where no key can be fetched and some tokens are wrong as always', async () => {
    const series = {
      [tokens('authenticated')]: '0+60x20 1200x10',
      [tokens('invalid_token')]: '0+4x30',
      [tokens('unavailable')]: '0x20 0+60x10',
      [KEY_FAILURES]: '0x20 0+60x10',
      gateway_key_fetch_duration_seconds_count: '0+60x30',
    };
    const cases = [22, 24, 26, 28, 30].map((atMinute) => ({ series, fires: { EverybodyLockedOut: false }, atMinute }));
    const named = { series, fires: { EverybodyLockedOut: false, KeyFetchFails: true }, atMinute: 27 };
    expect(await promtool.faultsOf(...cases, named)).toBe('');
  });

  it.each(Object.entries(MADE))('fire when they should, and are silent otherwise: %s', async (name, made) => {
    const { bad, well, firstBurst, slowBurn, flapping, unlike, minutes = 30 } = made;
    const ends = { bad: true, well: false, ...BETWEEN, ...(unlike && { [unlike]: !BETWEEN[unlike] }) };
    const tried = { bad, well, firstBurst, slowBurn, flapping };
    const troubles = Object.keys(tried) as (keyof typeof tried)[]; // its own
    const cases = troubles.map((trouble) => {
      return { series: tried[trouble], fires: { [name]: ends[trouble] }, atMinute: minutes };
    });
    const after = { series: recovered(made), fires: { [name]: false }, atMinute: minutes + 60 };
    // Without any data, only that alert fires which says so.
    const noData = { series: {}, fires: { [name]: name === 'NoGateway' } };
    expect(await promtool.faultsOf(...cases, after, noData)).toBe('');
  });
});

describeWith(['promtool'], 'the alerts on gauges', () => {
  const promtool = forAllTests(() => Promtool.open());

  it.each<[name: string, gauge: string, values: string, beside?: Series]>([
    ['Unreachable', OUTSIDE, '1x20 0x8 stale'],
    ['BackendApiDown', HEALTH, '1x20 0x8 stale'],
    ['BackendHealthWrong', HEALTH, '0x29 stale', LOG_INS],
    ['GeoOrVoipApiDown', dependency('geo-api'), '0x29 stale'],
    ['JobStoreDown', dependency('queue'), '1x20 0x8 stale'],
    ['ObjectStoreDown', OBJECTS, '1x20 0x8 stale'],
    ['BackendKeyRefused', KEY_REFUSED, '1x20 2x8 stale', NOT_BY_ALL],
    ['DescriptorsUsedUp', OPEN_FILES, '300x20 990x8 stale', { [ALL_FILES]: '1000x29 stale' }],
  ])('go on while a scrape fails: %s', async (name, gauge, values, beside = {}) => {
    const series = { ...beside, [gauge]: values };
    expect(await promtool.faultsOf({ series, fires: { [name]: true }, atMinute: 30 })).toBe('');
  });
});

describeWith(['promtool'], 'clients that disconnect', () => {
  const promtool = forAllTests(() => Promtool.open());
  /** Operations and calls of an outcome, so many a minute, and how many of them end within two seconds. */
  function ended(outcome: 'ok' | 'abandoned', all: number, within: number, two = '2'): Series {
    const call = outcome === 'ok' ? 'ok' : 'cut_off';
    const [everyone, quick] = [`0+${all}x30`, `0+${within}x30`];
    return {
      ...Object.fromEntries([two, '5'].map((bound) => [operationsUpTo(bound, outcome), quick])),
      [operationsUpTo('+Inf', outcome)]: everyone,
      [operations(outcome)]: everyone,
      [callsUpTo(two, call)]: quick,
      [calls(call)]: everyone,
    };
  }

  it.each([
    ['within two seconds fire no alert, however many they are', ended('abandoned', 40, 40), ended('ok', 10, 10), false],
    ['after a longer wait do', ended('abandoned', 30, 10), ended('ok', 50, 50), true],
    ['after a longer wait do in Prometheus 3', ended('abandoned', 30, 10, '2.0'), ended('ok', 50, 50, '2.0'), true],
  ])('%s', async (_what, alone, others, slow) => {
    const fires = { RequestsFail: false, RequestsSlow: slow, BackendCallsFail: false, BackendCallsSlow: slow };
    expect(await promtool.faultsOf({ series: alone, fires }, { series: { ...alone, ...others }, fires })).toBe('');
  });

  it('hide no failure of the others', async () => {
    const series = {
      ...ended('abandoned', 900, 900),
      ...ended('ok', 90, 90),
      [operations('failed')]: '0+10x30',
      [calls('failed')]: '0+30x30',
    };
    expect(await promtool.faultsOf({ series, fires: { RequestsFail: true, BackendCallsFail: true } })).toBe('');
  });
});

/** Returns half an hour of trouble, and an hour after it: counters stay, and gauges are as they are when all is well. */
function recovered({ bad, well, after = {} }: Made): Series {
  return Object.fromEntries(
    Object.entries(bad).map(([series, values]) => {
      const isCounter = /_(total|count|bucket)(\{|$)/.test(series);
      const good = isCounter ? `${lastOf(values)}x30` : (after[series] ?? well[series] ?? '');
      return [series, `${values} ${good} ${good} ${isCounter ? '' : good}`];
    }),
  );
}

function lastOf(values: string): number {
  const [, start = '', step = '0', times = '0'] =
    /^(-?\d+)(?:\+(\d+))?(?:x(\d+))?$/.exec(values.split(' ').at(-1) ?? '') ?? [];
  return Number(start) + Number(step) * Number(times);
}
