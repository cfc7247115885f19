/**
 * Outages of backends, Redis and S3 on a running gateway: what it refuses, how its jobs go on afterwards, and whether
 * dashboard, alerts and log alone name the cause.
 */
import { randomUUID } from 'node:crypto';
import {
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ERRORS } from '../../src/base/error-table.js';
import { entriesOf, type LogEntry } from '../support/captured-log.js';
import { startTestGateway, type Reply } from '../support/gateway.js';
import { createAccounts, DRIVING_REPORT, jobHeaders, MOBILES, reportOf } from '../support/job-requests.js';
import { OperatorsView } from './operators-view.js';
import { readPdf } from '../support/pdf-text.js';
import { startRadosgw } from '../support/radosgw.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, processVariables } from '../support/resources.js';
import { finishedJob, pollJob, requestStart, requestStatus, startJob, warningsOf } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { succeeds, waitFor } from '../support/wait-for.js';

const BUCKET = 'reports';
const MEBIBYTE = 1024 * 1024;
/** Threads that draw reports give way to everything else on the machine. */
const IN_TIME = 600_000;
jest.setTimeout(IN_TIME);
/** Enough for a report of more than one part, which S3 wants to be 5 MiB at least. */
const LARGE = 800;
const SMALL = 3;
/** Less than one try of 30 s for which reports once held every place. */
const SLOTS_FREE_MS = 29_000;
const TOOLS = ['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd', 'promtool'];

const reportWith = (count: number): object =>
  reportOf(...Array.from({ length: count }, (_, index) => (index % 200) + 1));

describeWith(TOOLS, 'an outage', () => {
  const redis = forAllTests(() => startRedis({ appendOnly: true }));
  const s3 = forAllTests(() => startRadosgw(BUCKET));
  const bucket = forAllTests(
    () => s3.client(),
    (client) => client.destroy(),
  );
  forAllTests(() => processVariables(s3.variables));
  const line = forAllTests(() => startTcpProxy(Number(new URL(s3.endpoint).port)));
  const gateway = forAllTests(() =>
    startTestGateway({
      METRICS_PORT: '0',
      REDIS_URL: redis.url,
      ...s3.environment(BUCKET),
      S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
      QUEUE_MAX_ATTEMPTS: '2',
      // A claim whose answer was lost may stand nevertheless, until its lease runs out.
      JOB_LEASE_SECONDS: '2',
      BACKEND_TIMEOUT_SECONDS: '60',
    }),
  );
  const view = forAllTests(() => OperatorsView.open(gateway));
  let loggedBefore: number;

  const user = forAllTests(async () => ({ bearer: await gateway.bearer() }));
  beforeEach(async () => {
    await view.begin();
    loggedBefore = gateway.logged().length;
  });
  afterEach(async () => {
    line.set('open');
    gateway.sandbox.faults.clear();
    gateway.sandbox.journal.clear();
    await Promise.all([redis.recover(), s3.recover()]);
  });

  const logged = (): string => gateway.logged().slice(loggedBefore);
  const hasLogged = (event: string, jobId?: string): boolean =>
    entriesOf(logged(), event).some((entry) => jobId === undefined || entry['jobId'] === jobId);
  const linesAbout = (dependency: string): readonly LogEntry[] =>
    entriesOf(logged()).filter((entry) => entry['dependency'] === dependency);
  /** It said once why it failed. */
  function expectToldOnce(dependency: string, says: RegExp): void {
    expect(linesAbout(dependency).filter(({ fault = '' }) => says.test(fault))).toHaveLength(1);
  }
  /** A recovery is logged once it came, and not before. */
  function expectRecovered(dependency: string, isOver: boolean): void {
    const events = linesAbout(dependency).map(({ event }) => event);
    expect(events.includes('dependency.recovered')).toBe(isOver);
    expect(events.at(-1)).toBe(isOver ? 'dependency.recovered' : 'dependency.failed');
  }
  const call = (jobId: string): Promise<Reply> =>
    gateway.callback(MOBILES, [{ id: 1, name: jobId }], jobHeaders(jobId));
  const askForMobiles = (): Promise<unknown> => {
    const query = 'query Mobiles { mobiles(first: 3) { edges { node { id position { address } voice { online } } } } }';
    // Shown over half an hour, they are more than the least number of each alert.
    return Promise.all(Array.from({ length: 20 }, () => gateway.graphql(query, {}, user.bearer)));
  };

  it('of nothing shows nothing', async () => {
    await askForMobiles();
    await view.expectToShow({
      down: [],
      alerts: [],
      panels: [['GraphQL operations', { operation: 'Mobiles' }]],
      log: [],
    });
  });

  it('of backend-api differs from the others, and shows in keys and requests', async () => {
    gateway.sandbox.faults.set({ backend: 'backend-api', fault: { kind: 'down' } });
    await askForMobiles();
    await view.expectToShow({
      down: ['backend-api'],
      alerts: ['BackendApiDown', 'KeyFetchFails', 'LogInFails', 'BackendCallsFail', 'RequestsFail'],
      panels: [
        ['Authentications', { outcome: 'unavailable' }],
        ['Errors by code', { code: 'ServiceUnavailable' }],
      ],
      log: [['readiness.not_ready', /"dependency":"backend-api","reason":".+"/]],
    });
  });

  it('of the public keys alone shows where they are fetched, and all dependencies as up', async () => {
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'status', status: 500 } });
    await askForMobiles();
    await view.expectToShow({
      down: [],
      alerts: ['KeyFetchFails', 'LogInFails', 'RequestsFail'],
      panels: [
        ['Fetches of the public keys that fail', {}],
        ['Authentications', { outcome: 'unavailable' }],
      ],
      log: [['operation.refused', /"reason":"backend-api answered 500"/]],
    });
  });

  it.each([
    [401, ['GenuineTokensRefused'], [['Authentications', { outcome: 'unauthorized' }]], ['backend.token_refused']],
    // A user's rights.
    [403, [], [['Errors by code', { code: 'Forbidden' }]], []],
  ] as const)(
    'of sessions at backend-api, whose %d refuse verified tokens, is one if users are logged out',
    async (status, alerts, panels, told) => {
      gateway.sandbox.faults.set({ operation: 'listMobiles', fault: { kind: 'status', status } });
      for (let round = 0; round < 7; round += 1) await askForMobiles();
      await view.expectToShow({ down: [], alerts, panels, log: told.map((event) => [event, /"call":"listMobiles"/]) });
      expect(entriesOf(logged(), 'backend.token_refused')).toHaveLength(told.length);
    },
  );

  it('of the health check of backend-api alone is no outage', async () => {
    gateway.sandbox.faults.set({
      operation: 'getHealth',
      backend: 'backend-api',
      fault: { kind: 'status', status: 500 },
    });
    await askForMobiles();
    await view.expectToShow({
      down: ['backend-api'],
      alerts: ['BackendHealthWrong'],
      panels: [['Calls by outcome', { backend: 'backend-api', outcome: 'ok' }]],
      log: [['readiness.not_ready', /"reason":"backend-api answered 500"/]],
    });
  });

  it.each(['geo-api', 'voip-api'] as const)(
    'of %s differs from the others, and shows in its calls',
    async (backend) => {
      gateway.sandbox.faults.set({ backend, fault: { kind: 'down' } });
      await askForMobiles();
      await view.expectToShow({
        down: [backend],
        alerts: ['GeoOrVoipApiDown', 'BackendCallsFail'],
        panels: [['Calls by outcome', { backend, outcome: 'failed' }]],
        log: [['readiness.not_ready', new RegExp(`"dependency":"${backend}","reason":".+"`)]],
      });
    },
  );

  const administer = async (...[name, ...args]: [string, ...string[]]): Promise<void> => {
    const client = redis.client();
    await client.call(name, ...args);
    client.disconnect();
  };

  it.each<{
    readonly name: string;
    readonly begin: () => Promise<void> | void;
    readonly end?: () => Promise<void>;
    readonly says: RegExp;
    readonly isRead: boolean;
  }>([
    { name: 'killed', begin: () => redis.kill(), says: /Redis cannot be reached.*REDIS_URL/, isRead: false },
    { name: 'hung', begin: () => redis.pause(), says: /Redis does not answer in time/, isRead: false },
    {
      name: 'read-only',
      begin: () => administer('REPLICAOF', '127.0.0.1', '1'),
      says: /Redis is read-only.*Point REDIS_URL to the primary/,
      isRead: true,
    },
    {
      name: 'full',
      begin: () => administer('CONFIG', 'SET', 'maxmemory', '1'),
      end: () => administer('CONFIG', 'SET', 'maxmemory', '0'),
      says: /Redis is full.*Raise its maxmemory/,
      isRead: true,
    },
  ])(
    'of a Redis that is $name refuses jobs, is logged once with its cause, and is over by itself',
    async ({ begin, end = () => redis.recover(), says, isRead }) => {
      const [known, refused] = [randomUUID(), randomUUID()];
      expect((await call(known)).status).toBe(200);
      await begin();
      try {
        for (const reply of await Promise.all([call(refused), call(refused)])) {
          expect([reply.status, reply.body]).toEqual([503, { message: ERRORS.StoreUnavailable.text }]);
          expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
        }
        const unavailable = { code: 'ServiceUnavailable', status: 503 };
        for (let count = 0; count < 5; count += 1) {
          const { errors } = await requestStart(gateway, 'mobiles', [{ id: 1, name: 'x' }], user.bearer);
          expect(errors).toMatchObject([{ extensions: { ...unavailable, path: ['job'] } }]);
        }
        await waitFor('the record to be read, or not', async () => {
          const { data, errors } = await requestStatus(gateway, 'mobiles', known, user.bearer);
          if (isRead) return data?.['status'];
          expect(errors).toMatchObject([{ extensions: { ...unavailable, path: ['status'] } }]);
          return true;
        });
        // Requests that need no Redis are answered, and load balancers learn of the outage from the first check on.
        expect((await gateway.graphql('{ mobile(id: 1) { id } }', {}, user.bearer)).data).toEqual({
          mobile: { id: '1' },
        });
        expect((await gateway.rest('GET', '/health/live')).status).toBe(200);
        expect(await gateway.rest('GET', '/health/ready?strict=true')).toMatchObject({
          status: 503,
          body: { Status: 'NG', Stores: { 'job-store': 'NG', queue: 'NG', 'object-store': 'OK' } },
        });
        expect(gateway.sandbox.journal.effects('mobileUpdated')).toHaveLength(1);
        await view.expectToShow({
          down: ['job-store', 'queue'],
          alerts: ['JobStoreDown', 'RequestsFail', ...(isRead ? [] : ['QueueUnknown'])],
          panels: [
            ['Errors by code', { code: 'ServiceUnavailable' }],
            ['Warnings and errors of the log', { event: 'dependency.failed' }],
          ],
          log: [['dependency.failed', says]],
        });
        // It counts as down meanwhile, although some of it can still be read.
        expectRecovered('Redis', false);
      } finally {
        await end();
      }
      await waitFor('the gateway to recover', async () => (await call(refused)).status === 200);
      expect(gateway.sandbox.journal.effects('mobileUpdated').map(({ patch }) => patch.name)).toEqual([known, refused]);
      expect(await pollJob(gateway, 'mobiles', known)).toMatchObject({ status: 'Success' });
      expectToldOnce('Redis', says);
      expectRecovered('Redis', true);
      // Each refusal is one line, without a stack.
      const refusals = ['request.refused', 'operation.refused'].flatMap((event) => entriesOf(logged(), event));
      expect(refusals.length).toBeGreaterThan(2);
      expect(refusals.filter((each) => each.level !== 'warn' || JSON.stringify(each).includes('"stack"'))).toEqual([]);
    },
  );

  it('of Redis does not keep a gateway from starting, which serves as soon as it is over', async () => {
    await redis.kill();
    const early = closeAfterTest(await startTestGateway({ REDIS_URL: redis.url }, { production: true }));
    const work = (): Promise<Reply> => early.callback(MOBILES, [{ id: 1, name: 'early' }], jobHeaders('early'));
    expect((await work()).status).toBe(503);
    await redis.restart();
    await waitFor('the gateway to serve', async () => (await work()).status === 200);
  });

  describe('of S3', () => {
    /** Keys of what is in the bucket of a job, whole or in parts. */
    async function keysOf(jobId: string): Promise<{ readonly whole: string[]; readonly inParts: string[] }> {
      const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: BUCKET }));
      const { Uploads = [] } = await bucket.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
      const ofJob = (keys: readonly { readonly Key?: string | undefined }[]): string[] =>
        keys.flatMap(({ Key = '' }) => (Key.includes(jobId) ? [Key] : []));
      return { whole: ofJob(Contents), inParts: ofJob(Uploads) };
    }
    const deliver = (jobId: string, driverCount = SMALL): Promise<Reply> =>
      gateway.callback(DRIVING_REPORT, reportWith(driverCount), jobHeaders(jobId));
    function expectPutOff({ status, body, headers }: Reply): void {
      expect([status, body]).toEqual([503, { message: ERRORS.ReportsUnavailable.text }]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    /** One whole report with every driver and its table, and no parts beside them. */
    async function expectOneReport(jobId: string): Promise<void> {
      expect(await keysOf(jobId)).toEqual({
        whole: ['csv', 'pdf'].map((type) => expect.stringContaining(`${jobId}.${type}`)),
        inParts: [],
      });
      const { whole } = await keysOf(jobId);
      const { Body } = await bucket.send(new GetObjectCommand({ Bucket: BUCKET, Key: whole[1] }));
      const { pages } = await readPdf((await Body?.transformToByteArray()) ?? new Uint8Array(), -1);
      expect(pages[0]).toContain(`E-${SMALL}`);
    }

    it('that is gone puts off the report that was being made, names its cause, and leaves one report behind', async () => {
      const hold = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
      const { jobId } = await startJob(gateway, 'reports', reportWith(SMALL), user.bearer);
      await hold.held();
      await line.shut();
      hold.release();
      await waitFor('the job to be put off', () => hasLogged('delivery.delayed', jobId));
      expectPutOff(await deliver(randomUUID()));
      expect(await pollJob(gateway, 'reports', jobId)).toMatchObject({ completed: false, status: null });
      await view.expectToShow({
        down: ['object-store'],
        alerts: ['ObjectStoreDown', 'UploadsFail'],
        panels: [
          ['Object store', { operation: 'put', outcome: 'failed' }],
          ['Deliveries', { outcome: 'delayed' }],
        ],
        log: [['dependency.failed', /The S3 server cannot be reached.*S3_ENDPOINT/]],
      });
      await waitFor('the port to be free', () => succeeds(line.reopen()));
      const { status, downloadUrl } = await finishedJob(gateway, 'reports', jobId);
      expect(status).toBe('Success');
      expect((await (await fetch(downloadUrl ?? '')).text()).slice(0, 5)).toBe('%PDF-');
      await expectOneReport(jobId);
      await waitFor('readiness', async () => (await gateway.rest('GET', '/health/ready?strict=true')).status === 200);
      expectToldOnce('the object store', /S3 server cannot be reached.*S3_ENDPOINT/);
      expectRecovered('the object store', true);
    });

    it.each([
      {
        name: 'is not there',
        begin: () => bucket.send(new DeleteBucketCommand({ Bucket: BUCKET })),
        end: () => s3.createBucket(BUCKET),
        says: /Create it, or correct S3_BUCKET/,
      },
      {
        name: 'may be read and not written',
        begin: () => s3.deny('s3:PutObject', BUCKET),
        end: () => s3.allow(BUCKET),
        says: /The S3 credentials may not use the bucket/,
      },
    ])(
      'whose bucket $name names its cause, and its report waits, uses up no attempt and asks for no driver twice',
      async ({ begin, end, says }) => {
        // It is deleted, which takes an empty one.
        const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: BUCKET }));
        for (const { Key } of Contents) await bucket.send(new DeleteObjectCommand({ Bucket: BUCKET, Key }));
        let waiting: string;
        await begin();
        try {
          const { jobId } = await startJob(gateway, 'reports', reportWith(SMALL), user.bearer);
          // More often than it has attempts.
          const putOff = (): number =>
            entriesOf(logged(), 'delivery.delayed').filter((entry) => entry['jobId'] === jobId).length;
          await waitFor('the report to be put off', () => putOff() > 2, IN_TIME);
          expect(await warningsOf(gateway, jobId)).toEqual(['Waiting']);
          expect(gateway.sandbox.journal.requests({ operation: 'getDrivingRecord' })).toHaveLength(SMALL);
          waiting = jobId;
          await view.expectToShow({
            down: ['object-store'],
            alerts: ['ObjectStoreDown', 'UploadsFail'],
            panels: [['Object store', { operation: 'put', outcome: 'failed' }]],
            log: [['dependency.failed', says]],
          });
        } finally {
          await end();
        }
        expect(await finishedJob(gateway, 'reports', waiting, IN_TIME)).toMatchObject({ status: 'Success' });
        await expectOneReport(waiting);
        expect(logged()).not.toContain('delivery.dead_letter');
      },
    );

    it('that may be written and not read is told by what users meet: reports are made, and their links fail', async () => {
      await s3.deny('s3:GetObject', BUCKET);
      try {
        const { jobId } = await startJob(gateway, 'reports', reportWith(SMALL), user.bearer);
        const { status, downloadUrl } = await finishedJob(gateway, 'reports', jobId, IN_TIME);
        expect([status, (await fetch(downloadUrl ?? '')).status]).toEqual(['Success', 403]);
        // Questions for readiness begin it, as those of a load balancer do.
        const isTold = async (): Promise<boolean> => {
          await gateway.rest('GET', '/health/ready');
          return hasLogged('objects.unreadable');
        };
        await waitFor('the read of the next minute', isTold, IN_TIME);
        await view.expectToShow({
          down: ['object-store'],
          alerts: ['ReportLinksFail'],
          panels: [['Warnings and errors of the log', { event: 'objects.unreadable' }]],
          log: [['objects.unreadable', /not read, so their links fail\..*Grant s3:PutObject, s3:GetObject/]],
          // As in each minute that follows.
          others: { 'gateway_log_events_total{event="objects.unreadable",level="error",instance="a"}': '0+1x30' },
        });
      } finally {
        await s3.allow(BUCKET);
      }
    });

    /** Every driver had the same busy day: to make up hundreds of them takes longer than to draw them. */
    async function sameDayForAll(): Promise<() => void> {
      const query = new URLSearchParams({ from: '2026-11-19T00:00:00+09:00', to: '2026-11-20T00:00:00+09:00' });
      const busy = await fetch(
        `${gateway.sandbox.backendApiUrl}/v1/mobiles/1/driving-record?${query.toString()}`, // with seven trips
        { headers: { 'x-api-key': 'development-backend-key', 'x-org-id': 'acme' } },
      );
      return gateway.sandbox.faults.set({
        operation: 'getDrivingRecord',
        fault: { kind: 'status', status: 200, body: await busy.json() },
      });
    }

    it('that accepts connections and never answers holds up no job of accounts or mobiles, and takes its reports later', async () => {
      const before = line.faults;
      line.set('stalling');
      // More than this gateway handles at a time.
      const reports = await Promise.all(
        Array.from({ length: 6 }, () => startJob(gateway, 'reports', reportWith(SMALL), user.bearer)),
      );
      await waitFor('a report to meet the fault', () => line.faults > before, IN_TIME);
      for (const [kind, body] of [
        ['accounts', createAccounts('not-held-up', 2)],
        ['mobiles', [{ id: 1, name: 'not held up' }]],
      ] as const) {
        const { jobId } = await startJob(gateway, kind, body, user.bearer);
        expect(await finishedJob(gateway, kind, jobId, SLOTS_FREE_MS)).toMatchObject({ status: 'Success' });
      }
      for (const report of reports) {
        expect(await pollJob(gateway, 'reports', report.jobId)).toMatchObject({ completed: false });
      }
      const isTold = /^dependency.failed The S3 server does not answer in time/;
      const said = (): string[] => linesAbout('the object store').map(({ event, fault = '' }) => `${event} ${fault}`);
      await waitFor('the fault to be told', () => said().some((each) => isTold.test(each)), IN_TIME);
      line.set('open');
      for (const report of reports) {
        const outcome = await finishedJob(gateway, 'reports', report.jobId, IN_TIME);
        expect(outcome).toMatchObject({ status: 'Success', errorList: null });
        await expectOneReport(report.jobId);
      }
    });

    it.each<[string, Parameters<TcpProxy['set']>[0]]>([
      ['cuts a connection once is sent the report again', { cutAfterBytes: 16 * 1024, once: true }],
      ['hangs for a while delays the report and nothing else', 'stalling'],
    ])('that %s', async (_fault, fault) => {
      const jobId = randomUUID();
      const before = line.faults;
      line.set(fault);
      const handled = deliver(jobId);
      await waitFor('the fault to happen', () => line.faults > before, IN_TIME);
      line.set('open');
      expect(await handled).toMatchObject({ status: 200, body: { errorList: null } });
      await expectOneReport(jobId);
    });

    it('that cuts every connection in the middle of a part leaves no part behind, and the next delivery makes the report', async () => {
      const off = await sameDayForAll();
      const large = randomUUID();
      const before = line.faults;
      line.set({ cutAfterBytes: 2 * MEBIBYTE });
      expectPutOff(await deliver(large, LARGE));
      expect(line.faults).toBeGreaterThan(before);
      expect(await keysOf(large)).toEqual({ whole: [], inParts: [] });
      off();

      const small = randomUUID();
      line.set('refusing');
      expectPutOff(await deliver(small));
      line.set('open');
      expect(await deliver(small)).toMatchObject({ status: 200, body: { errorList: null } });
      await expectOneReport(small);
    });
  });
});
