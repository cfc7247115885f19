/** The alerts of `deploy/alerts.yaml`: each fires when it should, and is silent when all is well. */
import { describe, expect, it } from '@jest/globals';
import { alertRules } from '../support/alert-rules.js';
import { Promtool, type MadeSeries as Series } from '../support/promtool.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';

interface Made {
  /** What there is when it fires. */
  readonly bad: Series;
  /** What there is of the same when all is well. */
  readonly well: Series;
}

const operations = (outcome: string): string =>
  `gateway_graphql_operation_duration_seconds_count{operation="Mobiles",outcome="${outcome}"}`;
const operationsUpTo = (le: string): string =>
  `gateway_graphql_operation_duration_seconds_bucket{operation="Mobiles",outcome="ok",le="${le}"}`;
const dependency = (name: string): string => `gateway_dependency_up{dependency="${name}",instance="a"}`;
const calls = (outcome: string): string =>
  `gateway_backend_call_duration_seconds_count{backend="geo-api",call="reverseGeocode",outcome="${outcome}"}`;
const tokens = (outcome: string): string => `gateway_authentications_total{outcome="${outcome}"}`;
const UP = 'up{job="vehicle-location-gateway",instance="a"}';
const HEAP = 'v8js_memory_heap_used_bytes{v8js_heap_space_name="old_space",instance="a"}';
const HEAP_LIMIT = 'v8js_memory_heap_limit_bytes{instance="a"}';
const CIRCUIT = 'gateway_circuit_open{backend="backend-api",caller="user",mode="read"}';
const WAITING = 'gateway_backend_calls_waiting{backend="backend-api",purpose="calls"}';
const FAILED_PUTS = 'gateway_object_store_operation_duration_seconds_count{operation="put",outcome="failed"}';
const FAILED_RUNS = 'gateway_job_duration_seconds_count{kind="driving-reports",outcome="failed"}';
const items = (outcome: string): string => `gateway_job_items_total{kind="mobiles",outcome="${outcome}"}`;
const deliveries = (outcome: string, reason: string): string =>
  `gateway_deliveries_total{kind="mobiles",outcome="${outcome}",reason="${reason}"}`;
const refusedKey = (scope: string): string => `gateway_backend_key_refused{scope="${scope}"}`;
const UNREADABLE = 'gateway_log_events_total{event="delivery.payload_unreadable",level="error"}';
const UNEXPECTED = 'gateway_log_events_total{event="operation.failed",level="error"}';
const REFUSED_CALLBACKS =
  'http_server_request_duration_seconds_count{http_request_method="POST",' +
  'http_route="/api/v1/Mobile/BulkUpdateCallback",http_response_status_code="401"}';

/** For each alert, half an hour in which it fires at the end, and one in which it does not. */
const MADE: Readonly<Record<string, Made>> = {
  ProgramDown: { bad: { [UP]: '1x20 0x10' }, well: { [UP]: '1x30' } },
  NoGateway: { bad: { [UP]: '1x20 0x10' }, well: { [UP]: '1x30' } },
  RequestsFail: {
    bad: { [operations('ok')]: '0+90x30', [operations('failed')]: '0+10x30' },
    well: { [operations('ok')]: '0+99x30', [operations('failed')]: '0+1x30' },
  },
  RequestsSlow: {
    bad: { [operationsUpTo('2.5')]: '0+90x30', [operationsUpTo('+Inf')]: '0+100x30' },
    well: { [operationsUpTo('0.5')]: '0+100x30', [operationsUpTo('+Inf')]: '0+100x30' },
  },
  LoadShed: { bad: { [operations('shed')]: '0x20 1+5x10' }, well: { [operations('shed')]: '7x30' } },
  EventLoopBusy: {
    bad: { 'nodejs_eventloop_utilization_ratio{instance="a"}': '0.97x30' },
    well: { 'nodejs_eventloop_utilization_ratio{instance="a"}': '0.6x15 1x2 0.6x15' },
  },
  EventLoopLate: {
    bad: { 'nodejs_eventloop_delay_p99_seconds{instance="a"}': '0.15x30' },
    well: { 'nodejs_eventloop_delay_p99_seconds{instance="a"}': '0.02x15 0.3x2 0.02x15' },
  },
  HeapNearlyFull: {
    bad: { [HEAP]: '900x30', [HEAP_LIMIT]: '1000x30' },
    well: { [HEAP]: '300x30', [HEAP_LIMIT]: '1000x30' },
  },
  BackendApiDown: {
    bad: { [dependency('backend-api')]: '1x20 0x10' },
    well: { [dependency('backend-api')]: '1x30', [dependency('geo-api')]: '0x30' },
  },
  GeoOrVoipApiDown: { bad: { [dependency('geo-api')]: '0x30' }, well: { [dependency('voip-api')]: '1x30' } },
  JobStoreDown: { bad: { [dependency('queue')]: '1x20 0x10' }, well: { [dependency('job-store')]: '1x30' } },
  QueueUnknown: {
    bad: { [UP]: '1x30', 'gateway_queue_depth{instance="a"}': '0x20 stale' },
    well: { [UP]: '1x30', 'gateway_queue_depth{instance="a"}': '0x30' },
  },
  ObjectStoreDown: {
    bad: { [dependency('object-store')]: '1x20 0x10' },
    well: { [dependency('object-store')]: '1x30' },
  },
  UploadsFail: { bad: { [FAILED_PUTS]: '0x25 1x5' }, well: { [FAILED_PUTS]: '3x30' } },
  KeyFetchFails: {
    bad: { gateway_key_fetch_failures_total: '0+10x30', gateway_key_fetch_duration_seconds_count: '0+100x30' },
    well: { gateway_key_fetch_failures_total: '0+1x30', gateway_key_fetch_duration_seconds_count: '0+100x30' },
  },
  TokensRefused: {
    bad: { [tokens('authenticated')]: '0+40x30', [tokens('invalid_token')]: '0+60x30' },
    // All of very few prove nothing.
    well: { [tokens('authenticated')]: '0x30', [tokens('invalid_token')]: '0+1x30' },
  },
  BackendCallsFail: {
    bad: { [calls('ok')]: '0+70x30', [calls('failed')]: '0+10x30', [calls('not_sent')]: '0+20x30' },
    well: { [calls('ok')]: '0+70x30', [calls('refused')]: '0+30x30' },
  },
  CircuitOpen: { bad: { [CIRCUIT]: '0x20 1x10' }, well: { [CIRCUIT]: '0x20 1x1 0x9' } },
  CallsWait: { bad: { [WAITING]: '3x30' }, well: { [WAITING]: '0x20 9x1 0x9' } },
  QueueNotDrained: {
    bad: { gateway_queue_oldest_seconds: '0+60x30' },
    well: { gateway_queue_oldest_seconds: '0+30x15 0x15' },
  },
  DeliveriesTurnedAway: {
    bad: { [deliveries('delayed', 'wrong_address')]: '0x10 1+1x20', [deliveries('done', 'handled')]: '5x30' },
    // One that comes again meanwhile proves nothing, nor does one that is turned away once.
    well: {
      [deliveries('delayed', 'running')]: '0+1x30',
      [deliveries('delayed', 'not_reached')]: '0x20 1x10',
      [deliveries('done', 'handled')]: '5x30',
    },
  },
  BackendKeyRefused: {
    bad: { [refusedKey('organisations')]: '1x30', [refusedKey('everybody')]: '0x20 1x10' },
    well: { [refusedKey('organisations')]: '0x10 1x5 0x15', [refusedKey('everybody')]: '0x30' },
  },
  OrganisationKeyRefused: {
    bad: { [refusedKey('organisations')]: '1x30', [refusedKey('everybody')]: '0x30' },
    well: { [refusedKey('organisations')]: '1x30', [refusedKey('everybody')]: '1x30' },
  },
  DeadLetters: { bad: { gateway_dead_letters: '2x25 3x5' }, well: { gateway_dead_letters: '2x10 5x20' } },
  JobsFail: { bad: { [FAILED_RUNS]: '0x20 1 2 3 4x7' }, well: { [FAILED_RUNS]: '0x20 1x10' } },
  ItemsFail: {
    bad: { [items('done')]: '0+4x30', [items('failed')]: '0+6x30' },
    well: { [items('done')]: '0+96x30', [items('failed')]: '0+4x30' },
  },
  KeysDiffer: { bad: { [UNREADABLE]: '0x25 1x5' }, well: { [UNREADABLE]: '1x30' } },
  CallbacksRefused: { bad: { [REFUSED_CALLBACKS]: '0+2x30' }, well: { [REFUSED_CALLBACKS]: '0x25 1x5' } },
  UnexpectedErrors: { bad: { [UNEXPECTED]: '0+2x30' }, well: { [UNEXPECTED]: '0x25 1x5' } },
};

describe('every alert', () => {
  it.each(alertRules().map((rule) => [rule.alert, rule] as const))('says what to do: %s', (_name, rule) => {
    expect(['critical', 'warning']).toContain(rule.labels['severity']);
    expect(Object.keys(rule.annotations).sort()).toEqual(['act', 'look', 'meaning', 'summary']);
    for (const text of Object.values(rule.annotations)) expect(text.length).toBeGreaterThan(20);
  });
});

describeWith(['promtool'], 'the alerts, on made data', () => {
  const promtool = forAllTests(() => Promtool.open());

  it('can be read by Prometheus, and so can its configuration', async () => {
    await promtool.checkConfiguration(new URL('../../deploy/prometheus.yaml', import.meta.url));
  });

  it('are all tried', () => {
    expect(Object.keys(MADE)).toEqual(alertRules().map(({ alert }) => alert));
  });

  it.each(Object.entries(MADE))('fire when they should, and are silent when all is well: %s', async (name, made) => {
    expect(await promtool.faultsOf(made.bad, { [name]: true })).toBe('');
    expect(await promtool.faultsOf(made.well, { [name]: false })).toBe('');
  });
});
