/** Traces at their collector, and a collector that takes none. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { VariableName } from '../../src/base/config/variables.js';
import type { SandboxRequest } from '../../src/sandbox/watched-requests.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { entriesOf } from '../support/captured-log.js';
import { graphqlAt, postJson, productionAt, startTestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders, reportOf } from '../support/job-requests.js';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { startRadosgw } from '../support/radosgw.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, processVariables } from '../support/resources.js';
import { finishedJob, OPERATIONS, startJob } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const SERVER = 2;
const CLIENT = 3;

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const FROM_OUTSIDE = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const REPORT = reportOf(1, 2, 3);

function traced(receiver: OtlpReceiver): Partial<Record<VariableName, string>> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan[] {
  return spans.filter((span) => span.name === name);
}

/** Names from a span up to the first of its trace that was received. */
function ancestry(spans: readonly ReceivedSpan[], span: ReceivedSpan | undefined): string[] {
  if (span === undefined) return [];
  return [
    span.name,
    ...ancestry(
      spans,
      spans.find(({ spanId }) => spanId === span.parentSpanId),
    ),
  ];
}

describe('a gateway with a collector', () => {
  const receiver = forAllTests(startOtlpReceiver);
  let spans: readonly ReceivedSpan[];
  let ofReport: readonly ReceivedSpan[];
  let lines: readonly Record<string, unknown>[];
  let calls: readonly SandboxRequest[];
  let reportId: string;

  beforeAll(async () => {
    const gateway = await startTestGateway(traced(receiver));
    const bearer = await gateway.bearer();
    const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
      postJson(`${gateway.url}/graphql`, body, { authorization: bearer, traceparent: FROM_OUTSIDE, ...headers });
    const ordered = await post({ query: `query Named { me { Org } }` });
    expect(ordered.status).toBe(200);
    gateway.sandbox.faults.set({
      operation: 'getDrivingRecord',
      mobileId: '2',
      fault: { kind: 'status', status: 404 },
    });
    const order = { query: OPERATIONS.reports.start, variables: { value: REPORT } };
    const started = await post(order, { tracestate: 'vendor=state' });
    reportId = ((await started.json()) as { data: { job: { jobId: string } } }).data.job.jobId; // as selected
    const { downloadUrl } = await finishedJob(gateway, 'reports', reportId);
    expect((await fetch(new URL(downloadUrl ?? '', gateway.url))).status).toBe(200);

    gateway.sandbox.faults.set({ operation: 'updateMobile', mobileId: '3', fault: { kind: 'status', status: 422 } });
    const updates = Array.from({ length: 60 }, (_, index) => ({ id: index === 50 ? 3 : 1, name: 'Renamed' }));
    const mobiles = await startJob(gateway, 'mobiles', updates);
    expect(await finishedJob(gateway, 'mobiles', mobiles.jobId)).toMatchObject({ status: 'Failure' });
    await gateway.rest('GET', '/health/ready');
    await fetch(`${gateway.url}/none`);
    const hold = gateway.sandbox.faults.hold({ operation: 'listTags' });
    const leaving = new AbortController();
    const query = { query: 'query Left { tags { name } }' };
    const left = postJson(`${gateway.url}/graphql`, query, { authorization: bearer }, leaving.signal);
    await hold.held();
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');

    calls = gateway.sandbox.journal.requests();
    await gateway.close();
    spans = receiver.spans();
    ofReport = spans.filter(({ traceId }) => traceId === TRACE_ID);
    lines = entriesOf(gateway.logged());
  });

  it('continues the trace of its caller, from the mutation through the queue to the upload', () => {
    const [mutation] = named(ofReport, 'POST /graphql').filter(({ spanId }) =>
      ofReport.some((span) => span.name === 'mutation' && span.parentSpanId === spanId),
    );
    expect(mutation).toMatchObject({
      kind: SERVER,
      parentSpanId: '00f067aa0ba902b7',
      service: 'gateway',
      attributes: { 'http.route': '/graphql', 'http.request.method': 'POST', 'http.response.status_code': 200 },
    });
    const [upload] = named(ofReport, 'object-store put');
    expect(ancestry(ofReport, upload)).toEqual([
      'object-store put',
      'run driving-reports',
      'POST /api/v1/DrivingReport/GenerateCallback',
      'deliver driving-reports',
      'mutation',
      'POST /graphql',
    ]);
    expect(upload?.attributes).toEqual({ 'gateway.object_store.kind': 'files' });
  });

  it('names operations, and what they call, with calls below who makes them', () => {
    const [query] = named(ofReport, 'query');
    expect(query?.attributes).toMatchObject({ 'graphql.operation.name': 'Named', 'graphql.operation.type': 'query' });
    expect(ancestry(ofReport, named(ofReport, 'backend-api lookupMobiles')[0])).toEqual([
      'backend-api lookupMobiles',
      'mutation',
      'POST /graphql',
    ]);
    expect(named(ofReport, 'backend-api getPublicKeys')[0]).toMatchObject({ kind: CLIENT, failed: false });
    const [submit] = named(ofReport, 'job-store submit');
    expect(ancestry(ofReport, submit)[1]).toBe('mutation');
    const queue = { 'messaging.system': 'sqlite', 'messaging.destination.name': 'jobs' };
    expect(submit?.attributes).toMatchObject({ ...queue, 'messaging.operation.type': 'send' });
    const delivered = { ...queue, 'messaging.operation.type': 'process', 'messaging.message.id': reportId };
    expect(named(ofReport, 'deliver driving-reports')[0]?.attributes).toMatchObject(delivered);
    for (const operation of ['claim', 'finish']) {
      expect(named(ofReport, `job-store ${operation}`)[0]?.attributes).toMatchObject({ 'db.system.name': 'sqlite' });
    }
  });

  it('says of each request by whom and of whom it was asked, and the path as a template without its values', () => {
    expect(named(ofReport, 'backend-api getMobile')[0]?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'server.port': expect.any(Number),
      'url.full': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/mobiles\/\{id\}$/),
      'url.template': '/v1/mobiles/{id}',
    });
    const [download] = named(spans, 'GET /files/*key');
    expect(download?.attributes).toMatchObject({ 'url.path': '/files/*key', 'url.scheme': 'http' });
    const texts = spans.flatMap(({ attributes }) => Object.values(attributes).map(String));
    expect(texts.filter((text) => /[?&]|sig=|driving-reports\/|\/none/.test(text))).toEqual([]);
  });

  it('says of a client that has gone away what it left, and calls nothing of it an error', () => {
    const left = spans.find(({ attributes }) => attributes['graphql.operation.name'] === 'Left');
    const [request] = spans.filter(({ spanId }) => spanId === left?.parentSpanId);
    const [call] = named(spans, 'backend-api listTags').filter(({ traceId }) => traceId === left?.traceId);
    expect([left?.failed, request?.failed, call?.failed]).toEqual([false, false, false]);
    expect(left?.attributes).toMatchObject({ 'gateway.graphql.abandoned': true });
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 499 });
    expect(call?.attributes).toMatchObject({ 'gateway.backend.cut_off': true });
  });

  it('has a span for each driver, marked where there is no data, and one for the drawing', () => {
    const items = named(ofReport, 'item');
    expect(items.map(({ attributes, failed }) => [attributes['gateway.job.item'], failed])).toEqual(
      expect.arrayContaining([
        [0, false],
        [1, true],
        [2, false],
      ]),
    );
    const records = named(ofReport, 'backend-api getDrivingRecord');
    expect(records.map((record) => ancestry(ofReport, record)[1])).toEqual(['item', 'item', 'item']);
    expect(records.filter(({ failed }) => failed).map(({ attributes }) => attributes)).toMatchObject([
      { 'http.response.status_code': 404, 'error.type': 'refused' },
    ]);
    expect(named(ofReport, 'draw report')[0]?.attributes).toMatchObject({ 'gateway.report.pages': expect.any(Number) });
    expect(named(ofReport, 'run driving-reports')[0]?.attributes).toMatchObject({
      'gateway.job.id': reportId,
      'gateway.job.items': 3,
      'gateway.job.failed_items': 1,
      'gateway.job.outcome': 'finished',
    });
  });

  it('tells the backends, so that they can go on with the trace', () => {
    const told = calls.filter(({ traceparent }) => traceparent?.includes(TRACE_ID));
    expect(new Set(told.map(({ operation }) => operation))).toEqual(
      new Set(['getPublicKeys', 'lookupMobiles', 'getMobile', 'getDrivingRecord', 'reverseGeocode']),
    );
    for (const { traceparent = '' } of told) {
      expect(ofReport.map(({ spanId }) => spanId)).toContain(traceparent.split('-')[2]);
    }
  });

  it('holds the first items of a long job and those that fail', () => {
    const [run] = named(spans, 'run mobiles');
    const items = named(spans, 'item').filter(({ parentSpanId }) => parentSpanId === run?.spanId);
    expect(items.map(({ attributes }) => attributes['gateway.job.item']).sort((a, b) => Number(a) - Number(b))).toEqual(
      [...Array.from({ length: 20 }, (_, index) => index), 50],
    );
    expect(items.filter(({ failed }) => failed)).toHaveLength(1);
    const updates = calls.filter(({ operation }) => operation === 'updateMobile');
    expect(updates).toHaveLength(60);
    expect(named(spans, 'backend-api updateMobile')).toHaveLength(20);
    // The backend gets the trace all the same.
    expect(updates.every(({ traceparent }) => traceparent?.includes(run?.traceId ?? '-'))).toBe(true);
  });

  it('begins traces with requests and deliveries alone, and with no health check', () => {
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(new Set(roots.map(({ name }) => name))).toEqual(new Set(['POST /graphql', 'GET', 'GET /files/*key']));
    expect(spans.filter(({ name }) => /health|ping/i.test(name))).toEqual([]);
  });

  it('writes the trace to the lines of the log that belong to one', () => {
    const about = lines.filter(({ jobId }) => jobId === reportId);
    const events = about.map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(['job.accepted', 'job.finished', 'delivery.done']));
    expect(about.map((line) => line['trace_id'])).toEqual(about.map(() => TRACE_ID));
    expect(about.filter(({ event }) => event === 'request.handled')).toHaveLength(2);
    expect(lines.find(({ event }) => event === 'shutdown.step_started')).not.toHaveProperty('trace_id');
  });
});

describeWith(['radosgw', 'ceph-mon', 'ceph-osd'], 'a gateway with a collector and an S3 server', () => {
  const BUCKET = 'reports';
  const UPLOAD = 'object-store put';
  const CALLBACK = `POST ${DRIVING_REPORT}`;
  const s3 = forAllTests(() => startRadosgw(BUCKET));
  const receiver = forAllTests(startOtlpReceiver);
  forAllTests(() => processVariables({ ...s3.variables, OTEL_BSP_SCHEDULE_DELAY: '100' }));
  const gateway = forAllTests(() => startTestGateway({ ...traced(receiver), ...s3.environment(BUCKET) }));

  /** The spans of the trace of an upload, once all up to its request have come. */
  function uploadOf(jobId: string): Promise<{ upload: ReceivedSpan; above: readonly string[] }> {
    return waitFor('the spans of the upload', () => {
      const spans = receiver.spans();
      const run = spans.find(
        ({ name, attributes }) => name.startsWith('run ') && attributes['gateway.job.id'] === jobId,
      );
      const upload = spans.find(({ name, parentSpanId }) => name === UPLOAD && parentSpanId === run?.spanId);
      const above = ancestry(spans, upload);
      return upload !== undefined && above.includes(CALLBACK) && { upload, above };
    });
  }

  it('shows below the run of a job that its report went to S3, and to which bucket', async () => {
    const { jobId } = await startJob(gateway, 'reports', REPORT);
    const { downloadUrl } = await finishedJob(gateway, 'reports', jobId);
    expect((await fetch(downloadUrl ?? '')).status).toBe(200);
    const { upload, above } = await uploadOf(jobId);
    expect(above.slice(0, 3)).toEqual([UPLOAD, 'run driving-reports', CALLBACK]);
    expect(upload).toMatchObject({ kind: CLIENT, failed: false });
    expect(upload.attributes).toEqual({ 'gateway.object_store.kind': 's3', 'aws.s3.bucket': BUCKET });
  });

  it('shows that it did not get there', async () => {
    await s3.kill();
    const reply = await gateway.callback(DRIVING_REPORT, REPORT, jobHeaders('away'));
    expect(reply.status).toBe(503);
    const { upload, above } = await uploadOf('away');
    expect(above).toEqual([UPLOAD, 'run driving-reports', CALLBACK]);
    expect(upload.failed).toBe(true);
    expect(upload.attributes).toMatchObject({ 'gateway.object_store.kind': 's3', 'error.type': 'failed' });
  });
});

describe('a collector that takes nothing', () => {
  // Longer than the end waits, and soon over: until then the SDK tries again.
  forAllTests(() => processVariables({ OTEL_EXPORTER_OTLP_TIMEOUT: '2500' }));

  it.each([
    ['refuses', 400 as const, [1]],
    // The end may wait for less than the SDK tries.
    ['hangs', 'hang' as const, [0, 1]],
  ])('because it %s, delays nothing, and does not hold up the end', async (_how, how, said) => {
    const receiver = closeAfterTest(await startOtlpReceiver());
    receiver.answer(how);
    const gateway = await startTestGateway(traced(receiver));
    const bearer = await gateway.bearer();
    for (let times = 0; times < 30; times += 1) {
      expect((await gateway.graphql('{ me { Org } }', undefined, bearer)).errors).toBeUndefined();
    }
    await gateway.close();
    expect(said).toContain(gateway.logged().split('"event":"traces.not_exported"').length - 1);
    expect(gateway.logged()).not.toContain('shutdown.step_overdue');
  });
});

describeWith(['redis-server'], 'a gateway and a queue function', () => {
  it('share the trace of a job, over Redis', async () => {
    const receiver = closeAfterTest(await startOtlpReceiver());
    const sandbox = closeAfterTest(await startBackends());
    const redis = closeAfterTest(await startRedis());
    const programs = closeAfterTest(await BuiltPrograms.open());
    const environment = {
      ...productionAt(sandbox),
      ...traced(receiver),
      REDIS_URL: redis.url,
      DATA_DIR: programs.directory,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=fleet',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    };
    const gateway = await programs.startGateway({ ...environment, OTEL_SERVICE_NAME: 'fleet-gateway' });
    await programs.startQueueFunction({ ...environment, GATEWAY_URL: gateway.url });
    const front = { graphql: graphqlAt(gateway.url), bearer: async () => `Bearer ${await sandbox.mintToken()}` };
    const { jobId } = await startJob(front, 'mobiles', [{ id: 1, name: 'traced' }]);
    await finishedJob(front, 'mobiles', jobId);
    const callback = 'POST /api/v1/Mobile/BulkUpdateCallback';
    const trace = await waitFor('the spans of both', () => {
      const all = receiver.spans();
      const [run] = named(all, 'run mobiles');
      const ofJob = all.filter(({ traceId }) => traceId === run?.traceId);
      return ['mutation', 'deliver mobiles', callback].every((name) => named(ofJob, name).length > 0) && ofJob;
    });
    const [run] = named(trace, 'run mobiles');
    expect(ancestry(trace, run)).toEqual(['run mobiles', callback, 'deliver mobiles', 'mutation', 'POST /graphql']);
    expect(named(trace, 'deliver mobiles')[0]?.service).toBe('queue-function');
    expect(run?.service).toBe('fleet-gateway');
    expect(named(trace, 'job-store claim')[0]?.attributes).toMatchObject({ 'db.system.name': 'redis' });
    expect(receiver.headers[0]).toMatchObject({ 'x-tenant': 'fleet' });
    for (const name of ['deployment.environment.name', 'service.instance.id', 'host.name', 'vcs.ref.head.revision']) {
      expect(receiver.text()).toContain(`"${name}"`);
    }
    expect(await gateway.output()).toContain('"service":"fleet-gateway"');
  });
});
