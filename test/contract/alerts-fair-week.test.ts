/** A week in which all is well: two roll-outs, backups each night, the last day of a month, a noisy client. */
import { expect, it } from '@jest/globals';
import { alertRules } from '../support/alert-rules.js';
import { Promtool, type MadeSeries } from '../support/promtool.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';

const DAY = 1_440;
const WEEK = 7 * DAY;
const at = (day: number, hour: number, minute = 0): number => day * DAY + hour * 60 + minute;
const between = (minute: number, from: number, minutes: number): boolean => minute >= from && minute < from + minutes;

/** Minute at which each instance is replaced: two roll-outs, one instance after another. */
const RESTARTS = { a: [at(1, 10), at(3, 16)], b: [at(1, 10, 5), at(3, 16, 5)], c: [at(1, 10, 10), at(3, 16, 10)] };
type Instance = keyof typeof RESTARTS;

const NOISY = { from: at(2, 14), minutes: 60 };

/** Share of the busiest minute: office hours, little at night and on the weekend, thrice as much on the last day. */
function traffic(minute: number): number {
  const day = Math.floor(minute / DAY);
  const hour = (minute % DAY) / 60;
  // People come between five and eight, and go between five and eight.
  const present = Math.max(0, Math.min(1, (hour - 5) / 3, (20 - hour) / 3));
  return 0.005 + 0.3 * present * (day >= 5 ? 0.1 : 1) * (day === 4 ? 3 : 1);
}

const isBackup = (minute: number): boolean => between(minute % DAY, 2 * 60, 20);
const isNoisy = (minute: number): boolean => between(minute, NOISY.from, NOISY.minutes);
const startOf = (instance: Instance, minute: number): number =>
  RESTARTS[instance].findLast((restart) => restart <= minute) ?? 0;

/** Writes a value for each minute; an instance shows none in the minute in which it is replaced. */
function gauge(instance: Instance, value: (minute: number) => number | string): string {
  return Array.from({ length: WEEK }, (_, minute) => (RESTARTS[instance].includes(minute) ? '_' : value(minute))).join(
    ' ',
  );
}

/** Writes a counter that grows by so much in each minute, and begins anew with its instance. */
function counter(instance: Instance, growth: (minute: number) => number): string {
  let sum = 0;
  return gauge(instance, (minute) => {
    if (minute > 0 && startOf(instance, minute) === minute - 1) sum = 0;
    sum += growth(minute);
    return Math.round(sum * 10) / 10;
  });
}

/** Series of one gateway, which has half of the traffic. */
function gatewaySeries(instance: 'a' | 'b'): MadeSeries {
  const ofInstance = `job="vehicle-location-gateway",instance="${instance}"`;
  const requests = (share: number) => counter(instance, (minute) => 3_000 * share * traffic(minute));
  const named = (name: string, labels = ''): string => `${name}{${ofInstance}${labels && `,${labels}`}}`;
  const dependencies = ['backend-api', 'geo-api', 'voip-api', 'job-store', 'queue', 'object-store'];
  const operation = (outcome: string): string => `operation="Mobiles",outcome="${outcome}"`;
  const call = (name: string, outcome: string): string => `backend="backend-api",call="${name}",outcome="${outcome}"`;
  const duration = 'gateway_graphql_operation_duration_seconds';
  const calls = 'gateway_backend_call_duration_seconds';
  const store = 'gateway_job_store_operation_duration_seconds';
  const steady: readonly (readonly [name: string, labels: string, value: number | string])[] = [
    ['v8js_memory_heap_used_bytes', 'v8js_heap_space_name="old_space"', 300],
    ['v8js_memory_heap_limit_bytes', '', 1_000],
    ['process_open_fds', '', 200],
    ['process_max_fds', '', 1_000],
    ['gateway_queue_depth', '', 3],
    ['gateway_queue_oldest_seconds', '', 20],
    ['gateway_dead_letters', '', 0],
    ['gateway_open_jobs_ratio', '', 0.3],
    ['gateway_circuit_open', 'backend="backend-api",caller="user",mode="read"', 0],
    ['gateway_backend_calls_waiting', 'backend="backend-api",purpose="calls"', 0],
    ['gateway_backend_key_refused', 'scope="organisations"', 0],
    ['gateway_backend_key_refused', 'scope="everybody"', 0],
    ['gateway_store_mark_info', 'mark="one"', 1],
    ['gateway_storage_limit_bytes', 'storage="data-dir"', 100],
    ...dependencies.map((name) => ['gateway_dependency_up', `dependency="${name}"`, 1] as const),
  ];
  return {
    ...Object.fromEntries(steady.map(([name, labels, value]) => [named(name, labels), gauge(instance, () => value)])),
    [`up{${ofInstance}}`]: gauge(instance, () => 1).replaceAll('_', '0'),
    [named('process_uptime_seconds')]: gauge(instance, (minute) => 60 * (minute - startOf(instance, minute))),
    [named('gateway_storage_used_bytes', 'storage="data-dir"')]: gauge(instance, (minute) =>
      isBackup(minute) ? 75 : 60,
    ),
    [named('nodejs_eventloop_utilization_ratio')]: gauge(instance, (minute) => 0.05 + 0.6 * traffic(minute)),
    [named('nodejs_eventloop_delay_p99_seconds')]: gauge(instance, () => 0.02),
    [named(`${duration}_count`, operation('ok'))]: requests(0.97),
    [named(`${duration}_count`, operation('refused'))]: counter(
      instance,
      (minute) => 90 * traffic(minute) + (isNoisy(minute) ? 300 : 0),
    ),
    [named(`${duration}_count`, operation('failed'))]: requests(0.0002),
    [named(`${duration}_bucket`, `${operation('ok')},le="2"`)]: requests(0.969),
    [named(`${duration}_bucket`, `${operation('ok')},le="+Inf"`)]: requests(0.97),
    [named('gateway_graphql_errors_total', 'code="UnAuthenticated",reason="TokenInvalid"')]: requests(0.02),
    [named('gateway_graphql_errors_total', 'code="BadInput",reason="InvalidInput"')]: requests(0.005),
    // One client tries passwords, and is refused.
    [named('gateway_graphql_errors_total', 'code="TooManyRequests",reason="TooManyLoginsFromNetwork"')]: counter(
      instance,
      (minute) => (isNoisy(minute) ? 300 : 0),
    ),
    [named('gateway_authentications_total', 'outcome="authenticated",reason=""')]: requests(0.9),
    [named('gateway_authentications_total', 'outcome="invalid_token",reason="expiry"')]: requests(0.02),
    [named('gateway_key_fetch_duration_seconds_count')]: requests(0.92),
    [named('gateway_key_fetch_failures_total')]: requests(0.0002),
    [named(`${calls}_count`, call('listMobiles', 'ok'))]: requests(0.8),
    [named(`${calls}_count`, call('listMobiles', 'failed'))]: requests(0.0005),
    [named(`${calls}_bucket`, `${call('listMobiles', 'ok')},le="2"`)]: requests(0.799),
    [named(`${calls}_count`, call('login', 'ok'))]: requests(0.02),
    [named(`${calls}_count`, call('login', 'refused'))]: counter(
      instance,
      (minute) => 6 * traffic(minute) + (isNoisy(minute) ? 40 : 0),
    ),
    // A backup on the disk of Redis makes every fourth operation slow.
    [named(`${store}_bucket`, 'operation="read",outcome="ok",le="0.1"')]: counter(
      instance,
      (minute) => 600 * traffic(minute) * (isBackup(minute) ? 0.75 : 0.999),
    ),
    [named(`${store}_count`, 'operation="read",outcome="ok"')]: requests(0.2),
    [named('gateway_job_duration_seconds_count', 'kind="mobiles",outcome="finished"')]: requests(0.01),
    [named('gateway_job_duration_seconds_count', 'kind="mobiles",outcome="failed"')]: requests(0.00001),
    [named('gateway_job_items_total', 'kind="mobiles",outcome="done"')]: requests(0.2),
    [named('gateway_job_items_total', 'kind="mobiles",outcome="failed"')]: requests(0.004),
    ...commitSeries('gateway', instance),
  };
}

/** Shows the old commit until the first roll-out, and a new one after each. */
function commitSeries(service: string, instance: Instance): MadeSeries {
  const commits = ['first', 'second', 'third'];
  const shown = commits.map((commit, index) => {
    const since = index === 0 ? 0 : (RESTARTS[instance][index - 1] ?? WEEK);
    const until = RESTARTS[instance][index] ?? WEEK;
    const values = Array.from({ length: WEEK }, (_, minute) => {
      if (minute === until) return 'stale';
      return minute > since && minute < until ? 1 : '_';
    });
    return [`target_info{service_name="${service}",commit="${commit}",instance="${instance}"}`, values.join(' ')];
  });
  return Object.fromEntries(shown) as MadeSeries; // pairs of texts
}

function queueFunctionSeries(): MadeSeries {
  const ofInstance = 'job="vehicle-location-queue-function",instance="c"';
  const delivered = (outcome: string, reason: string): string =>
    `gateway_deliveries_total{${ofInstance},kind="mobiles",outcome="${outcome}",reason="${reason}"}`;
  return {
    [`up{${ofInstance}}`]: gauge('c', () => 1).replaceAll('_', '0'),
    [`gateway_queue_depth{${ofInstance}}`]: gauge('c', () => 3),
    [`gateway_store_mark_info{${ofInstance},mark="one"}`]: gauge('c', () => 1),
    [`process_uptime_seconds{${ofInstance}}`]: gauge('c', (minute) => 60 * (minute - startOf('c', minute))),
    [delivered('done', '')]: counter('c', (minute) => 60 * traffic(minute)),
    [delivered('delayed', 'running')]: counter('c', (minute) => 2 * traffic(minute)),
    ...commitSeries('queue-function', 'c'),
  };
}

describeWith(['promtool'], 'A fair week', () => {
  const promtool = forAllTests(() => Promtool.open());

  it('fires no alert but the one that always fires', async () => {
    const outside = 'job="outside-of-the-gateway",instance="https://gateway.example.com"';
    const series = {
      ...gatewaySeries('a'),
      ...gatewaySeries('b'),
      ...queueFunctionSeries(),
      [`probe_success{${outside}}`]: Array.from({ length: WEEK }, () => 1).join(' '),
    };
    const fired = await promtool.firedIn(series, WEEK - 1);
    expect(fired).toEqual(['Watchdog']);
    expect(alertRules().map(({ alert }) => alert)).toContain('Watchdog');
  });

  it('would show an alert: a gateway that is down for ten minutes of it', async () => {
    const down = gauge('a', (minute) => (between(minute, at(0, 12), 10) ? 0 : 1))
      .split(' ')
      .slice(0, DAY)
      .join(' ');
    const series = { 'up{job="vehicle-location-gateway",instance="a"}': down };
    expect(await promtool.firedIn(series, DAY - 1)).toContain('ProgramDown');
  });
});
