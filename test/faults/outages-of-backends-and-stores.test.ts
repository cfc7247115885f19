/** Outages of backends, Redis and S3, played through with nothing but dashboard, alerts and log to find the cause. */
import { DeleteBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { OperatorsView } from '../support/operators-view.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { requestStart, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const BUCKET = 'reports';
const REPORT = {
  date: '2026-11-19T00:00:00+09:00',
  drivers: [{ mobileId: '1', employeeCode: 'E-1', employeeName: '佐藤 健一' }],
};
const PUTS_FAILED = 'gateway_object_store_operation_duration_seconds_count';
const TOOLS = ['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd', 'promtool'];

/** An outage: how it begins and ends, and what the log says of it. */
interface Outage {
  readonly name: string;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void>;
  readonly says: RegExp;
}

describeWith(TOOLS, 'an outage', () => {
  let redis: RedisServer;
  let s3: Radosgw;
  let bucket: S3Client;
  let gateway: TestGateway;
  let view: OperatorsView;
  let bearer: string;

  beforeAll(async () => {
    [redis, s3] = await Promise.all([startRedis({ port: 'tcp' }), startRadosgw()]);
    await s3.createBucket(BUCKET);
    bucket = s3.client();
    // The AWS SDK looks for credentials where it runs, which is here.
    process.env['AWS_ACCESS_KEY_ID'] = s3.accessKeyId;
    process.env['AWS_SECRET_ACCESS_KEY'] = s3.secretAccessKey;
    gateway = await startTestGateway({
      METRICS_PORT: '0',
      REDIS_URL: redis.url,
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: s3.endpoint,
      S3_FORCE_PATH_STYLE: 'true',
    });
    view = await OperatorsView.open(gateway);
    bearer = await gateway.bearer();
  });
  beforeEach(() => view.begin());
  afterEach(async () => {
    gateway.sandbox.faults.clear();
    await Promise.all([redis.recover(), s3.recover()]);
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), view.close()]);
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) Reflect.deleteProperty(process.env, name);
    bucket.destroy();
    await Promise.all([redis.stop(), s3.stop()]);
  });

  const askForMobiles = (): Promise<unknown> =>
    gateway.graphql(
      'query Mobiles { mobiles(first: 3) { edges { node { id position { address } voice { online } } } } }',
      {},
      bearer,
    );
  const often = (ask: () => Promise<unknown>): Promise<unknown> => Promise.all(Array.from({ length: 5 }, ask));

  it('of nothing shows nothing', async () => {
    await often(askForMobiles);
    await view.expectToShow({
      down: [],
      alerts: [],
      panels: [['GraphQL operations', { operation: 'Mobiles' }]],
      log: [],
    });
  });

  it('of backend-api is told from the others, and shows in keys and requests', async () => {
    gateway.sandbox.faults.set({ backend: 'backend-api', fault: { kind: 'down' } });
    await often(askForMobiles);
    await view.expectToShow({
      down: ['backend-api'],
      alerts: ['BackendApiDown', 'KeyFetchFails', 'BackendCallsFail', 'RequestsFail'],
      panels: [
        ['Authentications', { outcome: 'unavailable' }],
        ['Errors by code', { code: 'ServiceUnavailable' }],
      ],
      log: [['readiness.not_ready', /"dependency":"backend-api","reason":".+"/]],
    });
  });

  it('of the public keys alone shows where they are fetched, and all dependencies as up', async () => {
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'status', status: 500 } });
    await often(askForMobiles);
    await view.expectToShow({
      down: [],
      alerts: ['KeyFetchFails', 'RequestsFail'],
      panels: [
        ['Fetches of the public keys that fail', {}],
        ['Authentications', { outcome: 'unavailable' }],
      ],
      log: [['operation.refused', /"reason":"backend-api answered 500"/]],
    });
  });

  it.each(['geo-api', 'voip-api'] as const)(
    'of %s is told from the others, and shows in its calls',
    async (backend) => {
      gateway.sandbox.faults.set({ backend, fault: { kind: 'down' } });
      await often(askForMobiles);
      await view.expectToShow({
        down: [backend],
        alerts: ['GeoOrVoipApiDown', 'BackendCallsFail'],
        panels: [['Calls by outcome', { backend, outcome: 'failed' }]],
        log: [['readiness.not_ready', new RegExp(`"dependency":"${backend}","reason":".+"`)]],
      });
    },
  );

  const order = (): Promise<unknown> => requestStart(gateway, 'mobiles', [{ id: 1, name: 'A mobile' }], bearer);
  const administer = async (...[name, ...args]: [string, ...string[]]): Promise<void> => {
    const client = redis.client();
    await client.call(name, ...args);
    client.disconnect();
  };
  const recover = (): Promise<void> => redis.recover();

  it.each<Outage & { readonly isRead: boolean }>([
    {
      name: 'killed',
      begin: () => redis.kill(),
      end: recover,
      says: /Redis cannot be reached.*REDIS_URL/,
      isRead: false,
    },
    { name: 'hung', begin: () => redis.pause(), end: recover, says: /Redis does not answer in time/, isRead: false },
    {
      name: 'read-only',
      begin: () => administer('REPLICAOF', '127.0.0.1', '1'),
      end: () => administer('REPLICAOF', 'NO', 'ONE'),
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
    'of a Redis that is $name is told from the others, and the log says that',
    async ({ begin, end, says, isRead }) => {
      await begin();
      try {
        await often(order);
        await view.expectToShow({
          down: ['job-store', 'queue'],
          alerts: ['JobStoreDown', 'RequestsFail', ...(isRead ? [] : ['QueueUnknown'])],
          panels: [
            ['Errors by code', { code: 'ServiceUnavailable' }],
            ['Warnings and errors of the log', { event: 'dependency.failed' }],
          ],
          log: [['dependency.failed', says]],
        });
      } finally {
        await end();
      }
    },
  );

  it('of an S3 server that is gone is told from the others, and its jobs wait', async () => {
    await s3.kill();
    const { jobId } = await startJob(gateway, 'reports', REPORT, bearer);
    await waitFor('the job to be put off', () =>
      gateway
        .logged()
        .split('\n')
        .some((line) => line.includes(jobId) && line.includes('"event":"delivery.delayed"')),
    );
    await view.expectToShow({
      down: ['object-store'],
      alerts: ['ObjectStoreDown', 'UploadsFail'],
      panels: [
        ['Object store', { operation: 'put', outcome: 'failed' }],
        ['Deliveries', { outcome: 'delayed' }],
      ],
      log: [['dependency.failed', /The S3 server cannot be reached.*S3_ENDPOINT/]],
    });
  });

  it.each<Outage>([
    {
      name: 'is not there',
      begin: async () => {
        await bucket.send(new DeleteBucketCommand({ Bucket: BUCKET }));
      },
      end: () => s3.createBucket(BUCKET),
      says: /Create it, or correct S3_BUCKET/,
    },
    {
      name: 'may be read and not written',
      begin: () => s3.denyWrites(BUCKET),
      end: () => s3.allowWrites(BUCKET),
      says: /The S3 credentials may not use the bucket/,
    },
  ])('of a bucket that $name is told from the others, and uses up attempts', async ({ begin, end, says }) => {
    await begin();
    try {
      const kind = 'driving-reports';
      const failedBefore = (await gateway.scrape()).value('gateway_deliveries_total', { kind, outcome: 'failed' }) ?? 0;
      await startJob(gateway, 'reports', REPORT, bearer);
      const after = await waitFor('an attempt to fail', async () => {
        const scraped = await gateway.scrape();
        const failed = scraped.value('gateway_deliveries_total', { kind, outcome: 'failed' }) ?? 0;
        return failed > failedBefore && scraped;
      });
      expect(after.value(PUTS_FAILED, { operation: 'put', outcome: 'failed' })).toBeGreaterThanOrEqual(1);
      await view.expectToShow({
        down: ['object-store'],
        alerts: ['ObjectStoreDown', 'UploadsFail'],
        panels: [['Object store', { operation: 'put', outcome: 'failed' }]],
        log: [['dependency.failed', says]],
      });
    } finally {
      await end();
    }
  });
});
