/** Outages of dependencies, played through: a running gateway's own metrics make the alert fire that names the cause. */
import { DeleteBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { Promtool, type MadeSeries } from '../support/promtool.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import type { Scrape } from '../support/scraped-metrics.js';
import { requestStart, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const BUCKET = 'reports';
const REPORT = {
  date: '2026-11-19T00:00:00+09:00',
  drivers: [{ mobileId: '1', employeeCode: 'E-1', employeeName: '佐藤 健一' }],
};
const MINUTES = 30;

/** Alerts of which each names another cause. */
const CAUSES = ['BackendApiDown', 'GeoOrVoipApiDown', 'JobStoreDown', 'ObjectStoreDown'] as const;

/** Alerts that show what the outage does besides. */
type Effect = 'KeyFetchFails' | 'BackendCallsFail' | 'RequestsFail' | 'QueueUnknown' | 'UploadsFail';

/** Half an hour in which counters grow from one scrape to the other, and gauges stay as the other has them. */
function halfAnHour(before: Scrape, after: Scrape): MadeSeries {
  const made: Record<string, string> = { 'up{job="vehicle-location-gateway",instance="a"}': `1x${MINUTES}` };
  for (const { name, labels, value } of after.samples) {
    const text = Object.entries({ ...labels, instance: 'a' }).map(([label, of]) => `${label}="${of}"`);
    const isGauge = after.types.get(name) === 'gauge';
    const from = isGauge ? value : (before.value(name, labels) ?? 0);
    made[`${name}{${text.join(',')}}`] = `${from}+${(value - from) / MINUTES}x${MINUTES}`;
  }
  return made;
}

describeWith(['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd', 'promtool'], 'an outage', () => {
  let redis: RedisServer;
  let s3: Radosgw;
  let gateway: TestGateway;
  let promtool: Promtool;
  let bearer: string;
  let before: Scrape;

  beforeAll(async () => {
    [redis, s3, promtool] = await Promise.all([startRedis({ port: 'tcp' }), startRadosgw(), Promtool.open()]);
    await s3.createBucket(BUCKET);
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
    bearer = await gateway.bearer();
    before = await gateway.scrape();
  });
  afterEach(async () => {
    gateway.sandbox.faults.clear();
    await redis.recover();
    await waitFor(
      'all to be well',
      async () => (await gateway.rest('GET', '/health/ready?strict=true')).status === 200,
    );
    before = await gateway.scrape();
  });
  afterAll(async () => {
    await gateway.close();
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) Reflect.deleteProperty(process.env, name);
    await Promise.all([redis.stop(), s3.stop(), promtool.close()]);
  });

  const askForMobiles = (): Promise<unknown> =>
    gateway.graphql(
      'query Mobiles { mobiles(first: 3) { edges { node { id position { address } voice { online } } } } }',
      {},
      bearer,
    );

  /** The dependency shows as down; then this alert fires of those that name a cause, and these as well. */
  async function expectAlerts(
    dependency: string,
    cause: (typeof CAUSES)[number] | undefined,
    effects: readonly Effect[],
  ): Promise<void> {
    const after = await waitFor(`the metrics to show ${dependency}`, async () => {
      const scraped = await gateway.scrape();
      return (scraped.value('gateway_dependency_up', { dependency }) === 0) === (cause !== undefined) && scraped;
    });
    const fires = Object.fromEntries([
      ...CAUSES.map((name) => [name, name === cause] as const),
      ...effects.map((name) => [name, true] as const),
    ]);
    expect(await promtool.faultsOf(halfAnHour(before, after), fires)).toBe('');
  }

  it('of nothing makes no alert fire', async () => {
    await Promise.all(Array.from({ length: 5 }, askForMobiles));
    await expectAlerts('backend-api', undefined, []);
  });

  it('of backend-api is told from the others, and shows in keys and requests', async () => {
    gateway.sandbox.faults.set({ backend: 'backend-api', fault: { kind: 'down' } });
    await Promise.all(Array.from({ length: 5 }, askForMobiles));
    await expectAlerts('backend-api', 'BackendApiDown', ['KeyFetchFails', 'BackendCallsFail', 'RequestsFail']);
  });

  it.each(['geo-api', 'voip-api'] as const)(
    'of %s is told from the others, and shows in its calls',
    async (backend) => {
      gateway.sandbox.faults.set({ backend, fault: { kind: 'down' } });
      await Promise.all(Array.from({ length: 5 }, askForMobiles));
      await expectAlerts(backend, 'GeoOrVoipApiDown', ['BackendCallsFail']);
    },
  );

  it('of Redis is told from the others, and shows in the queue and in requests', async () => {
    await redis.kill();
    const order = (): Promise<unknown> => requestStart(gateway, 'mobiles', [{ id: 1, name: 'A mobile' }], bearer);
    await Promise.all(Array.from({ length: 5 }, order));
    await expectAlerts('job-store', 'JobStoreDown', ['QueueUnknown', 'RequestsFail']);
  });

  it('of a bucket that refuses is told from the others, and shows in uploads', async () => {
    const client = s3.client();
    await client.send(new DeleteBucketCommand({ Bucket: BUCKET }));
    try {
      await startJob(gateway, 'reports', REPORT, bearer);
      const put = { operation: 'put', outcome: 'failed' };
      const failures = 'gateway_object_store_operation_duration_seconds_count';
      await waitFor('an upload to fail', async () => ((await gateway.scrape()).value(failures, put) ?? 0) > 0);
      // The run has failed, its message comes again, and that is a further attempt.
      const kind = 'driving-reports';
      const again = await waitFor('a further attempt', async () => {
        const scraped = await gateway.scrape();
        return scraped.value('gateway_job_retries_total', { kind }) !== 0 && scraped;
      });
      expect(again.value('gateway_job_duration_seconds_count', { kind, outcome: 'failed' })).toBeGreaterThanOrEqual(1);
      expect(again.value('gateway_deliveries_total', { kind, outcome: 'failed' })).toBeGreaterThanOrEqual(1);
      await expectAlerts('object-store', 'ObjectStoreDown', ['UploadsFail']);
    } finally {
      await s3.createBucket(BUCKET);
      client.destroy();
    }
  });
});
