/** A running gateway whose Redis or S3 goes away: refuses what it cannot do, and goes on when they are back. */
import { randomUUID } from 'node:crypto';
import { ListMultipartUploadsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders, MOBILES } from '../support/job-requests.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { finishedJob, pollJob, requestStart, requestStatus, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

interface LogLine {
  readonly event: string;
  readonly fault?: string;
  readonly dependency?: string;
}

/** What was logged about a dependency since some place of the log. */
function linesAbout(gateway: TestGateway, dependency: string, since: number): readonly LogLine[] {
  return gateway
    .logged()
    .slice(since)
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine) // written by our own logger
    .filter((line) => line.dependency === dependency);
}

/** An outage: how it begins and ends, what is said about it, and whether records can still be read meanwhile. */
interface Outage {
  begin(server: RedisServer): Promise<void> | void;
  end(server: RedisServer): Promise<void> | void;
  readonly complaint: RegExp;
  readonly readable: boolean;
}

async function administer(server: RedisServer, command: string): Promise<void> {
  const client = server.client();
  const [name = '', ...args] = command.split(' ');
  await client.call(name, ...args);
  client.disconnect();
}

const OUTAGES: Readonly<Record<string, Outage>> = {
  killed: {
    begin: (server) => server.kill(),
    end: (server) => server.restart(),
    complaint: /Redis cannot be reached.*Check the host and port in REDIS_URL/,
    readable: false,
  },
  paused: {
    begin: (server) => server.pause(),
    end: (server) => server.resume(),
    complaint: /Redis does not answer in time/,
    readable: false,
  },
  'read-only': {
    begin: (server) => administer(server, 'REPLICAOF 127.0.0.1 1'),
    end: (server) => administer(server, 'REPLICAOF NO ONE'),
    complaint: /Redis is read-only.*Point REDIS_URL to the primary/,
    readable: true,
  },
  full: {
    begin: (server) => administer(server, 'CONFIG SET maxmemory 1'),
    end: (server) => administer(server, 'CONFIG SET maxmemory 0'),
    complaint: /Redis is full.*Raise its maxmemory/,
    readable: true,
  },
};

describeWith(['redis-server'], 'a gateway whose Redis goes away', () => {
  let server: RedisServer;
  let gateway: TestGateway;
  beforeAll(async () => {
    server = await startRedis({ port: 'tcp', appendOnly: true });
    // A claim whose answer was lost may stand nevertheless, until its lease runs out.
    gateway = await startTestGateway({ REDIS_URL: server.url, JOB_LEASE_SECONDS: '2' }, { production: true });
  });
  afterAll(async () => {
    await gateway.close();
    await server.stop();
  });

  afterEach(async () => {
    server.resume();
    await administer(server, 'REPLICAOF NO ONE');
    await administer(server, 'CONFIG SET maxmemory 0');
  });

  const call = (jobId: string): Promise<Reply> =>
    gateway.callback(MOBILES, [{ id: 1, name: jobId }], jobHeaders(jobId));
  const effectsOf = (jobId: string): number =>
    gateway.sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === jobId).length;

  it.each(Object.entries(OUTAGES))(
    'refuses work while it is %s, says why once, and recovers',
    async (_name, outage) => {
      const known = randomUUID();
      expect((await call(known)).status).toBe(200);
      const since = gateway.logged().length;
      await outage.begin(server);

      const refused = randomUUID();
      for (const reply of await Promise.all([call(refused), call(refused)])) {
        expect({ status: reply.status, body: reply.body }).toEqual({
          status: 503,
          body: { message: 'Redis is temporarily unavailable. Try again later.' },
        });
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const start = await requestStart(gateway, 'mobiles', [{ id: 1, name: 'x' }]);
      expect(start.errors).toMatchObject([{ extensions: { code: 'ServiceUnavailable', status: 503, path: ['job'] } }]);
      if (outage.readable) {
        const readable = await waitFor('the record to be read', async () => {
          return (await requestStatus(gateway, 'mobiles', known)).data?.['status'];
        });
        expect(readable).toMatchObject({ status: 'Success' });
      } else {
        const { errors } = await requestStatus(gateway, 'mobiles', known);
        expect(errors).toMatchObject([{ extensions: { code: 'ServiceUnavailable', status: 503, path: ['status'] } }]);
      }
      // What needs no Redis goes on.
      const { data } = await gateway.graphql(
        'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }',
      );
      expect(data).toEqual({ userLogin: { otpRequired: false } });
      expect((await gateway.rest('GET', '/health/live')).status).toBe(200);
      // Whoever routes requests learns of it, from the first check on.
      expect(await gateway.rest('GET', '/health/ready?strict=true')).toMatchObject({
        status: 503,
        body: { Status: 'NG', Stores: { 'job-store': 'NG', queue: 'NG', 'object-store': 'OK' } },
      });
      expect(effectsOf(refused)).toBe(0);
      // Nobody is told meanwhile that it is well again, whatever of it can still be read.
      expect(linesAbout(gateway, 'Redis', since).filter(({ event }) => event !== 'dependency.failed')).toEqual([]);

      await outage.end(server);
      await waitFor('the gateway to recover', async () => (await call(refused)).status === 200);
      expect(effectsOf(refused)).toBe(1);
      expect(await pollJob(gateway, 'mobiles', known)).toMatchObject({ status: 'Success' });
      const [complaint, ...others] = linesAbout(gateway, 'Redis', since);
      expect(complaint?.fault).toMatch(outage.complaint);
      expect(others.map(({ event }) => event)).toEqual(['dependency.recovered']);
      // What was refused is a line each, without a stack.
      const refusals = gateway
        .logged()
        .slice(since)
        .split('\n')
        .filter((line) => /"event":"(request|operation)\.refused"/.test(line));
      expect(refusals.length).toBeGreaterThan(2);
      expect(refusals.filter((line) => !line.includes('"level":"warn"') || line.includes('"stack"'))).toEqual([]);
    },
  );

  it('starts while Redis is away, refuses work, and serves as soon as it is there', async () => {
    await server.kill();
    const early = await startTestGateway({ REDIS_URL: server.url }, { production: true });
    try {
      const jobId = randomUUID();
      const work = (): Promise<Reply> => early.callback(MOBILES, [{ id: 1, name: jobId }], jobHeaders(jobId));
      expect((await work()).status).toBe(503);
      await server.restart();
      await waitFor('the gateway to serve', async () => (await work()).status === 200);
    } finally {
      await server.restart();
      await early.close();
    }
  });
});

describeWith(['radosgw', 'ceph-mon', 'ceph-osd'], 'a gateway whose S3 server goes away', () => {
  const BUCKET = 'reports';
  const CREDENTIALS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  const REPORT = {
    date: '2026-11-19T00:00:00+09:00',
    drivers: [{ mobileId: '1', employeeCode: 'E-1', employeeName: '佐藤 健一' }],
  };
  let s3: Radosgw;
  let bucket: S3Client;
  let gateway: TestGateway;

  beforeAll(async () => {
    s3 = await startRadosgw();
    await s3.createBucket(BUCKET);
    bucket = s3.client();
    // The AWS SDK looks for credentials where it runs, which is here.
    process.env['AWS_ACCESS_KEY_ID'] = s3.accessKeyId;
    process.env['AWS_SECRET_ACCESS_KEY'] = s3.secretAccessKey;
    gateway = await startTestGateway({
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: s3.endpoint,
      S3_FORCE_PATH_STYLE: 'true',
      QUEUE_MAX_ATTEMPTS: '1',
    });
  });
  afterEach(() => gateway.sandbox.faults.clear());
  afterAll(async () => {
    await gateway.close();
    for (const name of CREDENTIALS) Reflect.deleteProperty(process.env, name);
    bucket.destroy();
    await s3.stop();
  });

  it('finishes the report that was being made when it is back, and leaves nothing else behind', async () => {
    const hold = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
    const { jobId } = await startJob(gateway, 'reports', REPORT);
    await hold.held();
    const since = gateway.logged().length;
    await s3.kill();
    hold.release();

    await waitFor('the report to be delayed', () =>
      gateway.logged().slice(since).includes('"event":"delivery.delayed"'),
    );
    const refused = await gateway.callback(DRIVING_REPORT, REPORT, jobHeaders('while-it-is-away'));
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({ message: 'the object store is temporarily unavailable. Try again later.' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await pollJob(gateway, 'reports', jobId)).toMatchObject({ completed: false, status: null });
    const stores = async (): Promise<unknown> => (await gateway.rest('GET', '/health/ready')).body;
    expect(await stores()).toMatchObject({ Status: 'NG', Stores: { 'job-store': 'OK', 'object-store': 'NG' } });

    await s3.restart();
    const { status, key, downloadUrl } = await finishedJob(gateway, 'reports', jobId);
    expect(status).toBe('Success');
    await waitFor('readiness', async () => (await gateway.rest('GET', '/health/ready?strict=true')).status === 200);
    const pdf = await fetch(downloadUrl ?? '');
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    expect(Contents.map(({ Key }) => Key)).toEqual([key]);
    const { Uploads = [] } = await bucket.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
    expect(Uploads).toEqual([]);
    const [complaint, ...others] = linesAbout(gateway, 'the object store', since);
    expect(complaint?.fault).toMatch(/S3 server cannot be reached.*S3_ENDPOINT/);
    expect(others.map(({ event }) => event)).toEqual(['dependency.recovered']);
  });
});
