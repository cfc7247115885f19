/** Metrics of a running gateway on METRICS_PORT. */
import { METHODS as ALL_METHODS } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { METRICS } from '../../src/programs/telemetry/metric-table.js';
import { startCallbackProxy } from '../support/callback-proxy.js';
import { postJson, startTestGateway, type TestGateway } from '../support/gateway.js';
import { MOBILES, jobHeaders, reportOf } from '../support/job-requests.js';
import { naming, writeOperations } from '../support/persisted-operations.js';
import { sendRaw } from '../support/raw-http.js';
import { startRedis } from '../support/redis-server.js';
import { runJobsCommand } from '../support/jobs-command.js';
import { closeAfterTest, forAllTests, gatewayForAllTests } from '../support/resources.js';
import type { Scrape } from '../support/scraped-metrics.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

/** `fetch` sends all but these. */
const METHODS = ALL_METHODS.filter((method) => !['CONNECT', 'TRACE'].includes(method));

describe('the metrics of a gateway', () => {
  const gateway = gatewayForAllTests({
    METRICS_PORT: '0',
    // Calls that are held stay so, however long a busy machine takes to send the others.
    BACKEND_TIMEOUT_SECONDS: '240',
    TASK_CALLBACK_API_KEY: 'the-current-callback-key',
    TASK_CALLBACK_API_KEY_PREVIOUS: 'the-previous-callback-key',
  });
  const fresh = async (environment: Parameters<typeof startTestGateway>[0]): Promise<TestGateway> =>
    closeAfterTest(await startTestGateway({ METRICS_PORT: '0', ...environment }));

  /** By how much a value grows while something is done; what is not there yet counts as 0. */
  async function growth(
    work: () => Promise<unknown>,
    name: string,
    labels: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const before = (await gateway.scrape()).value(name, labels) ?? 0;
    await work();
    // A request counts once its reply has left.
    return waitFor(`${name} to grow`, async () => ((await gateway.scrape()).value(name, labels) ?? 0) - before);
  }

  const growthBetween =
    (before: Scrape, after: Scrape) =>
    (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);

  it('are all there, each with its type and nothing else', async () => {
    const { types } = await gateway.scrape();
    const expected = Object.entries(METRICS).map(([name, { type }]) => [name, type] as const);
    expect(new Map([...types].sort())).toEqual(new Map([...expected].sort()));
  });

  it('are shown in the text format of Prometheus, also to a client that prefers OpenMetrics', async () => {
    const { headers } = await fetch(gateway.metricsUrl(), {
      headers: { accept: 'application/openmetrics-text; version=1.0.0, text/plain; q=0.5' },
    });
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('stand at one path of one port, and nothing else does', async () => {
    const url = gateway.metricsUrl();
    const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
      (await fetch(new URL(path, url), init)).status;
    expect(await statusOf('/metrics?anything')).toBe(200);
    for (const path of ['/', '/metrics/', '/health/live', '/graphql', '/metrics2'])
      expect(await statusOf(path)).toBe(404);
    expect(await statusOf('/metrics', { method: 'POST', body: 'x' })).toBe(405);
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
  });

  it('tell requests by method, route and status', async () => {
    const count = 'http_server_request_duration_seconds_count';
    const live = { http_request_method: 'GET', http_route: '/health/live', http_response_status_code: '200' };
    expect(await growth(() => gateway.rest('GET', '/health/live'), count, live)).toBe(1);
    const unauthorized = { http_request_method: 'POST', http_route: MOBILES, http_response_status_code: '401' };
    expect(await growth(() => fetch(`${gateway.url}${MOBILES}`, { method: 'POST' }), count, unauthorized)).toBe(1);
    expect(await growth(() => fetch(`${gateway.url}/nowhere`), count, { http_route: '' })).toBe(1);
    const uncommon = { http_request_method: '_OTHER', http_route: '' };
    expect(await growth(() => fetch(`${gateway.url}/nowhere`, { method: 'PROPFIND' }), count, uncommon)).toBe(1);
    const noHttp = (): Promise<unknown> => sendRaw(gateway.url, 'NO HTTP AT ALL\r\n\r\n');
    const refused = { http_response_status_code: '400' };
    expect(await growth(noHttp, 'gateway_http_requests_refused_total', refused)).toBe(1);
    expect((await gateway.scrape()).value('http_server_active_requests')).toBe(0);
  });

  it('begin at 0 for each end whose first burst raises an alert', async () => {
    const scraped = await (await fresh({})).scrape();
    const kind = 'driving-reports';
    for (const [name, labels] of [
      ['gateway_object_store_operation_duration_seconds_count', { operation: 'put', outcome: 'failed' }],
      ['gateway_job_duration_seconds_count', { kind, outcome: 'failed' }],
      ['gateway_deliveries_total', { kind, outcome: 'delayed', reason: 'not_authorized' }],
      ['http_server_request_duration_seconds_count', { http_route: MOBILES, http_response_status_code: '401' }],
      ['gateway_authentications_total', { outcome: 'authenticated' }],
      ['gateway_log_events_total', { event: 'delivery.payload_unreadable' }],
    ] as const) {
      expect([name, scraped.value(name, labels)]).toEqual([name, 0]);
    }
  });

  it('tell how full the disk of DATA_DIR is if jobs or reports are on it, and which stores are away', async () => {
    const redis = { REDIS_URL: 'redis://127.0.0.1:1' };
    const bucket = { S3_BUCKET: 'reports', S3_ENDPOINT: 'http://127.0.0.1:1' };
    for (const [away, ...expected] of [
      [{}, true, 1, 1],
      [bucket, true, 1, 0],
      [redis, true, 0, 1],
      [{ ...redis, ...bucket }, false, 0, 0],
    ] as const) {
      const scraped = await (await fresh(away)).scrape();
      const disk = (part: string) => scraped.value(`gateway_storage_${part}_bytes`, { storage: 'data-dir' }) ?? 0;
      const up = (dependency: string) => scraped.value('gateway_dependency_up', { dependency });
      const isWatched = 0 < disk('used') && disk('used') <= disk('limit');
      expect([away, isWatched, up('job-store'), up('object-store')]).toEqual([away, ...expected]);
    }
  });

  it('tell operations by name and outcome, and errors by code', async () => {
    const count = 'gateway_graphql_operation_duration_seconds_count';
    const bearer = await gateway.bearer();
    const as = (operation: string, outcome: string): Record<string, string> => ({ operation, outcome });
    expect(await growth(() => gateway.graphql('query Who { me { Org } }', {}, bearer), count, as('Who', 'ok'))).toBe(1);
    expect(await growth(() => gateway.graphql('query Who { me { Org } }'), count, as('Who', 'refused'))).toBe(1);
    expect(await growth(() => gateway.graphql('{ serviceVersion }'), count, as('unnamed', 'ok'))).toBe(1);
    expect(await growth(() => gateway.graphql('{ nonsense }'), count, as('none', 'refused'))).toBe(1);
    gateway.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'status', status: 500 } });
    const tags = (): Promise<unknown> => gateway.graphql('query Tags { tags { id } }', {}, bearer);
    expect(await growth(tags, 'gateway_graphql_errors_total', { code: 'ServiceUnavailable' })).toBe(1);
    expect((await gateway.scrape()).value(count, as('Tags', 'failed'))).toBe(1);
    // An answer that lacks an address is no failure.
    gateway.sandbox.faults.set({ operation: 'reverseGeocode', fault: { kind: 'status', status: 500 } });
    const query = 'query Where { mobiles { edges { node { id position { address } } } } }';
    expect(await growth(() => gateway.graphql(query, {}, bearer), count, as('Where', 'incomplete'))).toBe(1);
    // Through Yoga.
    const get = (): Promise<unknown> => fetch(`${gateway.url}/graphql?query=query+Asked{serviceVersion}`);
    expect(await growth(get, count, as('serviceVersion', 'ok'))).toBe(1);
    const wrong = (): Promise<unknown> => fetch(`${gateway.url}/graphql?query=query+Wrong{me{Org}}`);
    expect(await growth(wrong, 'gateway_graphql_errors_total', { code: 'UnAuthenticated' })).toBe(1);
  });

  it('tell authentications, how the keys are fetched, and calls of backends', async () => {
    const outcomes = 'gateway_authentications_total';
    const ask = (bearer?: string) => () => gateway.graphql('{ tags { id } }', {}, bearer);
    const good = ask(await gateway.bearer());
    expect(await growth(good, outcomes, { outcome: 'authenticated' })).toBe(1);
    expect(await growth(ask(), outcomes, { outcome: 'no_token' })).toBe(1);
    expect(await growth(ask('Bearer forged'), outcomes, { outcome: 'invalid_token' })).toBe(1);
    expect(await growth(good, 'gateway_key_fetch_duration_seconds_count')).toBe(1);
    const calls = 'gateway_backend_call_duration_seconds_count';
    const listTags = { backend: 'backend-api', call: 'listTags' };
    expect(await growth(good, calls, { ...listTags, outcome: 'ok' })).toBe(1);
    const tokenCalls = 'gateway_token_calls_total';
    for (const [status, outcome] of [
      [401, 'unauthorized'],
      [403, 'other'],
    ] as const) {
      gateway.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'status', status } });
      expect(await growth(good, tokenCalls, { outcome })).toBe(1);
    }
    for (const [outcome, fault] of [
      ['refused', { kind: 'status', status: 403 }],
      ['foreign', { kind: 'status', status: 404 }],
      ['failed', { kind: 'status', status: 503 }],
      ['odd', { kind: 'garbage' }],
    ] as const) {
      gateway.sandbox.faults.set({ operation: 'listTags', fault });
      expect(await growth(good, calls, { ...listTags, outcome })).toBeGreaterThanOrEqual(1);
    }
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'status', status: 500 } });
    expect(await growth(good, outcomes, { outcome: 'unavailable' })).toBe(1);
    expect(await growth(good, 'gateway_key_fetch_failures_total')).toBe(1);
  });

  it('tell circuits, for whom they are open, and who waits for a connection', async () => {
    const bearer = await gateway.bearer();
    const circuit = { backend: 'backend-api', caller: 'user', mode: 'read' };
    expect((await gateway.scrape()).value('gateway_circuit_open', circuit)).toBe(0);
    gateway.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'status', status: 500 } });
    await waitFor('the circuit to open', async () => {
      await Promise.all(Array.from({ length: 5 }, () => gateway.graphql('{ tags { id } }', {}, bearer)));
      return (await gateway.scrape()).value('gateway_circuit_open', circuit) === 1;
    });
    const open = await gateway.scrape();
    expect(open.value('gateway_circuit_open_parties', circuit)).toBe(1);
    expect(open.value('gateway_log_events_total', { event: 'circuit.opened', level: 'warn' })).toBe(1);
    const notSent = { call: 'listTags', outcome: 'not_sent' };
    const refused = (): Promise<unknown> => gateway.graphql('{ tags { id } }', {}, bearer);
    expect(await growth(refused, 'gateway_backend_call_duration_seconds_count', notSent)).toBe(1);
    gateway.sandbox.faults.clear();
    await waitFor('the circuit to close', async () => {
      await gateway.graphql('{ tags { id } }', {}, bearer);
      return (await gateway.scrape()).value('gateway_circuit_open', circuit) === 0;
    });

    const hold = gateway.sandbox.faults.hold({ operation: 'listTags' });
    const asked = Array.from({ length: 70 }, () => gateway.graphql('{ tags { id } }', {}, bearer));
    const calls = { backend: 'backend-api', purpose: 'calls' };
    // One organisation alone gets half of the connections.
    const waiting = await waitFor('calls to wait', async () => {
      const scraped = await gateway.scrape();
      return scraped.value('gateway_backend_calls_waiting', calls) === 6 && scraped;
    });
    expect(waiting.value('gateway_backend_connections_in_use', calls)).toBe(64);
    expect(waiting.value('gateway_backend_connections_max', calls)).toBe(128);
    hold.release();
    await Promise.all(asked);
  });

  it('tell jobs from order to end, their items, and what became of their messages', async () => {
    const before = await gateway.scrape();
    gateway.sandbox.faults.set({ operation: 'updateMobile', mobileId: '2', fault: { kind: 'status', status: 404 } });
    const items = [1, 2, 3].map((id) => ({ id, name: `Mobile ${id}` }));
    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '3' });
    const { jobId } = await startJob(gateway, 'mobiles', items);
    await hold.held();
    // The queue is looked at once a second.
    const during = await waitFor('the message to be in hand', async () => {
      const scraped = await gateway.scrape();
      return scraped.value('gateway_queue_in_hand') === 1 && scraped;
    });
    expect(during.value('gateway_jobs_running', { kind: 'mobiles' })).toBe(1);
    hold.release();
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Failure' });
    const after = await waitFor('the message to be settled', async () => {
      const scraped = await gateway.scrape();
      return scraped.value('gateway_queue_in_hand') === 0 && scraped;
    });
    const grown = growthBetween(before, after);
    const kind = 'mobiles';
    expect(after.value('gateway_open_jobs_ratio')).toBeGreaterThan(0);
    for (const [name, labels, by] of [
      ['gateway_jobs_ordered_total', { kind }, 1],
      ['gateway_job_starts_total', { kind }, 1],
      ['gateway_job_retries_total', { kind }, 0],
      ['gateway_job_wait_seconds_count', { kind }, 1],
      ['gateway_job_duration_seconds_count', { kind, outcome: 'finished' }, 1],
      ['gateway_job_items_total', { kind, outcome: 'done' }, 2],
      ['gateway_job_items_total', { kind, outcome: 'failed' }, 1],
      ['gateway_job_items_total', { kind, outcome: 'cancelled' }, 0],
      ['gateway_deliveries_total', { kind, outcome: 'done' }, 1],
      ['gateway_key_uses_total', { key: 'encryption', generation: 'current' }, 2],
    ] as const) {
      expect([name, labels, grown(name, labels)]).toEqual([name, labels, by]);
    }
    expect(after.value('gateway_jobs_running', { kind })).toBe(0);
    expect(after.value('gateway_queue_depth')).toBe(0);
  });

  it('tell reports: their pages, how long they were drawn, and that they were stored', async () => {
    const before = await gateway.scrape();
    const { jobId } = await startJob(gateway, 'reports', reportOf(1, 2));
    expect((await finishedJob(gateway, 'reports', jobId)).downloadUrl).toBeTruthy();
    const after = await gateway.scrape();
    const grown = growthBetween(before, after);
    // A cover and at least a page each.
    expect(grown('gateway_report_pages_total')).toBeGreaterThanOrEqual(3);
    expect(grown('gateway_report_duration_seconds_count', { outcome: 'drawn' })).toBe(1);
    expect(grown('gateway_report_drawing_seconds_count')).toBe(1);
    const drawing = grown('gateway_report_drawing_seconds_sum');
    expect(drawing).toBeGreaterThan(0);
    expect(drawing).toBeLessThanOrEqual(grown('gateway_report_duration_seconds_sum'));
    // The PDF and its table.
    const put = { operation: 'put', outcome: 'ok' };
    expect(grown('gateway_object_store_operation_duration_seconds_count', put)).toBe(2);
  });

  it('tell which of two callback keys was carried, and never the key', async () => {
    const call = (key: string) => (): Promise<unknown> =>
      gateway.callback(MOBILES, [], { ...jobHeaders(`with-${key}`), 'x-api-key': key });
    const uses = 'gateway_key_uses_total';
    const previous = { key: 'callback', generation: 'previous' };
    expect(await growth(call('the-previous-callback-key'), uses, previous)).toBe(1);
    const current = { key: 'callback', generation: 'current' };
    expect(await growth(call('the-current-callback-key'), uses, current)).toBe(1);
    expect((await gateway.scrape()).text).not.toMatch(/-callback-key/);
  });

  it('tell about the process, and who it is', async () => {
    const scraped = await gateway.scrape();
    const used = scraped.value('v8js_memory_heap_used_bytes') ?? 0;
    expect(used).toBeGreaterThan(1e6);
    expect(used).toBeLessThan(scraped.value('v8js_memory_heap_limit_bytes') ?? 0);
    expect(scraped.value('process_memory_usage_bytes')).toBeGreaterThan(used);
    expect(scraped.value('process_cpu_time_seconds_total', { cpu_mode: 'user' })).toBeGreaterThan(0);
    expect(scraped.value('nodejs_eventloop_utilization_ratio')).toBeLessThanOrEqual(1);
    expect(scraped.value('nodejs_eventloop_delay_max_seconds')).toBeGreaterThanOrEqual(0);
    const [info] = scraped.samples.filter(({ name }) => name === 'target_info');
    expect(info?.labels).toEqual({ service_name: 'gateway', service_version: '0.0.0-test', commit: 'unknown' });
  });

  it('do not grow with names that a client makes up', async () => {
    const seriesOf = async (): Promise<number> => (await gateway.scrape()).samples.length;
    const bearer = await gateway.bearer();
    const flood = async (from: number): Promise<void> => {
      for (let number = from; number < from + 150; number += 1) {
        await gateway.graphql(`query Made${number} { ${number % 2 === 0 ? 'me { Org }' : 'serviceVersion'} }`);
        await gateway.graphql(`query Own${number} { me { Org } }`, {}, bearer);
        await fetch(`${gateway.url}/made-up/${number}`, { method: METHODS[number % METHODS.length] ?? '' });
        await fetch(`${gateway.url}/files/made/up/${number}?exp=1&sig=x`);
      }
    };
    await flood(0);
    const names = (await gateway.scrape()).values('gateway_graphql_operation_duration_seconds_count', 'operation');
    // The first hundred of users, those that stand for others, and the root fields of strangers.
    expect(names.length).toBeLessThanOrEqual(105);
    expect(names).toEqual(expect.arrayContaining(['other', 'serviceVersion', 'Own50']));
    expect(names.filter((name) => name.startsWith('Made'))).toEqual([]);
    const series = await seriesOf();
    await flood(1_000);
    expect(await seriesOf()).toBe(series);
  });
});

describe('the metrics of a gateway that takes persisted operations alone', () => {
  it('tell these operations by name, and all others as one', async () => {
    const listed = 'query Listed { serviceVersion }';
    const file = closeAfterTest(await writeOperations([listed]));
    const gateway = closeAfterTest(
      await startTestGateway({ METRICS_PORT: '0', PERSISTED_OPERATIONS_FILE: file.path, PERSISTED_OPERATIONS: 'only' }),
    );
    const post = (body: object): Promise<Response> => postJson(`${gateway.url}/graphql`, body);
    await post({ extensions: naming(listed) });
    await post({ query: 'query Unlisted { serviceVersion }' });
    const names = (await gateway.scrape()).values('gateway_graphql_operation_duration_seconds_count', 'operation');
    expect(new Set(names)).toEqual(new Set(['Listed', 'none']));
  });
});

describe('the life of jobs', () => {
  const proxy = forAllTests(startCallbackProxy);
  const gateway = forAllTests(() => startTestGateway({ METRICS_PORT: '0', ...proxy.environment }));

  it('adds up: ordered and replayed jobs that have not ended are open, however they end', async () => {
    const kind = 'mobiles';
    const start = async (): Promise<string> =>
      (
        await startJob(
          gateway,
          kind,
          [1, 2].map((id) => ({ id, name: `Mobile ${id}` })),
        )
      ).jobId;
    const jobs = (...args: string[]) => runJobsCommand(args, { DATA_DIR: gateway.dataDir }, gateway.dataDir);
    const expectLife = async (open: number, ends: Readonly<Record<string, number>>, items: readonly number[]) => {
      const scraped = await gateway.scrape();
      const sum = (name: string, label: readonly string[] = ['']): number[] =>
        label.map((outcome) => scraped.value(name, { kind, ...(outcome && { outcome }) }) ?? NaN);
      const [ordered = NaN, replayed = NaN] = ['ordered', 'replayed'].flatMap((of) => sum(`gateway_jobs_${of}_total`));
      const ended = sum('gateway_jobs_ended_total', ['finished', 'cancelled', 'dead']);
      expect(ended).toEqual([ends['finished'], ends['cancelled'], ends['dead']]);
      expect(ordered + replayed - ended.reduce((all, each) => all + each)).toBe(open);
      expect(sum('gateway_job_items_total', ['done', 'failed', 'cancelled'])).toEqual(items);
    };

    proxy.answer({ status: 503 });
    const cancelled = await start();
    await expectLife(1, { finished: 0, cancelled: 0, dead: 0 }, [0, 0, 0]);
    await gateway.graphql(`mutation { cancelJob(jobId: "${cancelled}") { state } }`, {}, await gateway.bearer());
    await expectLife(0, { finished: 0, cancelled: 1, dead: 0 }, [0, 0, 2]);
    proxy.answer({ status: 422 });
    const dead = await start();
    await finishedJob(gateway, kind, dead);
    await expectLife(0, { finished: 0, cancelled: 1, dead: 1 }, [0, 2, 2]);
    proxy.answer('forward');
    await waitFor('the dead letter', async () => (await jobs('replay', dead)).code === 0);
    await finishedJob(gateway, kind, dead);
    await finishedJob(gateway, kind, await start());
    await expectLife(0, { finished: 2, cancelled: 1, dead: 1 }, [4, 2, 2]);
  });
});

describeWith(['redis-server'], 'the metrics of a gateway whose Redis does not answer', () => {
  it('come soon, without those of the queue, and come back with it', async () => {
    const redis = closeAfterTest(await startRedis());
    const gateway = closeAfterTest(
      await startTestGateway({ METRICS_PORT: '0', REDIS_URL: redis.url }, { waitsAsUsual: true }),
    );
    closeAfterTest({ close: () => redis.resume() });
    const depth = async (): Promise<number | undefined> => (await gateway.scrape()).value('gateway_queue_depth');
    expect(await depth()).toBe(0);
    redis.pause();
    const startedAt = performance.now();
    const without = await waitFor('the queue to be missing', async () => {
      const scraped = await gateway.scrape();
      return scraped.value('gateway_queue_depth') === undefined && scraped;
    });
    // The command itself would be waited for for 5 s.
    expect(performance.now() - startedAt).toBeLessThan(4_500);
    expect(without.value('gateway_dead_letters')).toBeUndefined();
    expect(without.value('http_server_active_requests')).toBe(0);
    // Each of the two is good for a second from when it was read, and they were not read at the same moment.
    await waitFor('the store to be down', async () => {
      const scraped = await gateway.scrape();
      return scraped.value('gateway_dependency_up', { dependency: 'job-store' }) === 0;
    });
    redis.resume();
    await waitFor('the queue to be back', async () => (await depth()) === 0);
  });
});

describe('METRICS_PORT', () => {
  it('answers until the end of a shutdown', async () => {
    const gateway = await startTestGateway({ METRICS_PORT: '0' });
    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    await startJob(gateway, 'mobiles', [{ id: 1, name: 'A mobile' }]);
    await hold.held();
    const closed = gateway.close();
    await waitFor('readiness to fail', async () => (await fetch(`${gateway.url}/health/ready`)).status === 503);
    expect((await gateway.scrape()).value('gateway_jobs_running', { kind: 'mobiles' })).toBe(1);
    hold.release();
    await closed;
    await expect(fetch(gateway.metricsUrl())).rejects.toThrow();
    const steps = [...gateway.logged().matchAll(/"step":"([^"]+)"/g)].map(([, step]) => step);
    expect(steps.at(-1)).toBe('metrics');
  });

  it('left out leaves nothing to listen to', async () => {
    const gateway = closeAfterTest(await startTestGateway());
    expect(gateway.logged()).not.toContain('metrics.listening');
  });
});
