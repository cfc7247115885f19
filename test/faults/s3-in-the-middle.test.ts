import { randomUUID } from 'node:crypto';
import { GetObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BACKEND_KEY, startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders } from '../support/job-requests.js';
import { readPdf } from '../support/pdf-text.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { describeWith } from '../support/system-tools.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';

const BUCKET = 'reports';
const CREDENTIALS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
/** Threads that draw reports give way to everything else on the machine, so a large report may take minutes. */
const IN_TIME = 600_000;
const MEBIBYTE = 1024 * 1024;
/** Enough for a report of more than one part, which S3 wants to be 5 MiB at least. */
const LARGE = 450;
const SMALL = 20;
/** Has twelve trips on the day: each takes bytes, for which fewer drivers do. */
const BUSY_MOBILE = 120;
const DATE = '2026-11-19T12:34:56+09:00';

describeWith(['radosgw', 'ceph-mon', 'ceph-osd'], 'In the middle of a report, an S3 server', () => {
  let s3: Radosgw;
  let bucket: S3Client;
  let proxy: TcpProxy;
  let sandbox: Sandbox;
  let gateway: TestGateway;

  beforeAll(async () => {
    s3 = await startRadosgw();
    await s3.createBucket(BUCKET);
    bucket = s3.client();
    proxy = await startTcpProxy(Number(new URL(s3.endpoint).port));
    sandbox = await startSandbox({
      logger: createLogger({ level: 'silent', pretty: false }),
      backendApiKey: BACKEND_KEY,
    });
    // Every driver had the same day: to make up hundreds of them takes longer than to draw them.
    sandbox.faults.set({
      operation: 'getDrivingRecord',
      fault: { kind: 'status', status: 200, body: await drivingRecord() },
    });
    // The AWS SDK looks for credentials where it runs, which is here.
    process.env['AWS_ACCESS_KEY_ID'] = s3.accessKeyId;
    process.env['AWS_SECRET_ACCESS_KEY'] = s3.secretAccessKey;
    gateway = await startTestGateway(
      {
        S3_BUCKET: BUCKET,
        S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
        S3_FORCE_PATH_STYLE: 'true',
        // It is the S3 server that fails here, and never a backend on a busy machine.
        BACKEND_TIMEOUT_SECONDS: '60',
      },
      { sandbox },
    );
  }, IN_TIME);

  afterEach(() => proxy.set('open'));

  afterAll(async () => {
    for (const name of CREDENTIALS) Reflect.deleteProperty(process.env, name);
    await gateway.close();
    await proxy.close();
    await sandbox.close();
    bucket.destroy();
    await s3.stop();
  }, IN_TIME);

  /** A busy day of a mobile, as backend-api has it. */
  async function drivingRecord(): Promise<unknown> {
    const query = new URLSearchParams({ from: '2026-11-19T00:00:00+09:00', to: '2026-11-20T00:00:00+09:00' });
    const response = await fetch(
      `${sandbox.backendApiUrl}/v1/mobiles/${BUSY_MOBILE}/driving-record?${query.toString()}`,
      { headers: { 'x-api-key': BACKEND_KEY, 'x-org-id': 'acme' } },
    );
    return response.json();
  }

  const deliver = (jobId: string, driverCount: number): Promise<Reply> => {
    const drivers = Array.from({ length: driverCount }, (_, index) => ({
      mobileId: String((index % 200) + 1),
      employeeCode: `E-${index}`,
      employeeName: `Driver ${index}`,
    }));
    return gateway.callback(DRIVING_REPORT, { date: DATE, drivers }, jobHeaders(jobId));
  };

  /** Keys of what is in the bucket of a job, whole or in parts. */
  async function keysOf(jobId: string): Promise<{ readonly whole: string[]; readonly inParts: string[] }> {
    const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    const { Uploads = [] } = await bucket.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
    const ofJob = (keys: readonly { readonly Key?: string | undefined }[]): string[] =>
      keys.flatMap(({ Key = '' }) => (Key.includes(jobId) ? [Key] : []));
    return { whole: ofJob(Contents), inParts: ofJob(Uploads) };
  }

  /** The job was handled: one whole report with every driver, and no parts beside it. */
  async function expectOneReport(jobId: string, driverCount: number, reply: Reply): Promise<void> {
    expect(reply).toMatchObject({ status: 200, body: { errorList: null } });
    const { whole, inParts } = await keysOf(jobId);
    expect(whole).toEqual([expect.stringContaining(`${jobId}.pdf`)]);
    expect(inParts).toEqual([]);
    const { Body } = await bucket.send(new GetObjectCommand({ Bucket: BUCKET, Key: whole[0] }));
    const pdf = (await Body?.transformToByteArray()) ?? new Uint8Array();
    if (driverCount === LARGE) expect(pdf.length).toBeGreaterThan(5 * MEBIBYTE);
    const {
      pages: [last],
    } = await readPdf(pdf, -1);
    expect(last).toContain(`E-${driverCount - 1}`);
  }

  it.each<[string, Parameters<TcpProxy['set']>[0], number]>([
    ['refuses connections', 'refusing', SMALL],
    ['cuts every connection in the middle of a part', { cutAfterBytes: 2 * MEBIBYTE }, LARGE],
  ])(
    'that %s leaves nothing behind, and the next delivery makes the report',
    async (_fault, line, driverCount) => {
      const jobId = randomUUID();
      proxy.set(line);
      const before = proxy.faults;
      const failed = await deliver(jobId, driverCount);
      expect(proxy.faults).toBeGreaterThan(before);
      expect(failed.status).toBe(503);
      expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(failed.body).toEqual({ message: 'the object store is temporarily unavailable. Try again later.' });
      expect(await keysOf(jobId)).toEqual({ whole: [], inParts: [] });

      proxy.set('open');
      await expectOneReport(jobId, driverCount, await deliver(jobId, driverCount));
    },
    IN_TIME,
  );

  it.each<[string, Parameters<TcpProxy['set']>[0]]>([
    ['cuts a connection once is sent the report again', { cutAfterBytes: 32 * 1024, once: true }],
    ['hangs for a while delays the report and nothing else', 'stalling'],
  ])(
    'that %s',
    async (_fault, line) => {
      const jobId = randomUUID();
      proxy.set(line);
      const before = proxy.faults;
      const handled = deliver(jobId, SMALL);
      await waitFor('the fault to happen', () => proxy.faults > before, IN_TIME);
      proxy.set('open');
      await expectOneReport(jobId, SMALL, await handled);
    },
    IN_TIME,
  );
});
