import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders } from '../support/job-requests.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const IN_TIME = 240_000;
const BODY = {
  date: '2026-11-19T12:34:56+09:00',
  drivers: [1, 2, 3].map((id) => ({ mobileId: String(id), employeeCode: `E-${id}`, employeeName: `Driver ${id}` })),
};

describeWith(['redis-server'], 'The upload of a driving report', () => {
  let server: RedisServer;
  let sandbox: Sandbox;
  let dataDir: string;
  let gateway: TestGateway;

  beforeAll(async () => {
    server = await startRedis({ port: 'tcp' });
    sandbox = await startBackends();
  });
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'uploads-'));
    gateway = await startGateway();
  });

  afterEach(async () => {
    sandbox.faults.clear();
    await gateway.close();
    await rm(dataDir, { recursive: true });
  });
  afterAll(async () => {
    await sandbox.close();
    await server.stop();
  });

  const startGateway = (): Promise<TestGateway> =>
    startTestGateway({ REDIS_URL: server.url, SHUTDOWN_DRAIN_SECONDS: '0' }, { production: true, sandbox, dataDir });
  const deliver = (jobId: string): Promise<Reply> => gateway.callback(DRIVING_REPORT, BODY, jobHeaders(jobId));

  /** Every file of the object store, finished or not. */
  async function files(): Promise<string[]> {
    const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  }

  it(
    'that cannot be stored leaves nothing behind, and the next delivery makes the report',
    async () => {
      const jobId = randomUUID();
      // Where reports have to go stands something else.
      const obstacle = join(dataDir, 'objects', 'objects');
      await mkdir(join(dataDir, 'objects'), { recursive: true });
      await writeFile(obstacle, '');
      expect((await deliver(jobId)).status).toBe(500);
      expect(gateway.logged()).toMatch(/"fault":"Something else lies below DATA_DIR/);
      // It was the upload that failed: the job had been taken up.
      const client = server.client();
      expect(await client.hget(`job:{driving-reports:acme:${jobId}}`, 'attempt')).toBe('1');
      client.disconnect();
      expect(await files()).toEqual([obstacle]);

      await rm(obstacle);
      expect(await deliver(jobId)).toMatchObject({ status: 200, body: { errorList: null } });
      expect(await files()).toEqual([expect.stringMatching(`/org/acme/2026-11-19/${jobId}\\.pdf$`)]);
    },
    IN_TIME,
  );

  it(
    'that is cut off half-way leaves nothing behind, and the next delivery makes the report',
    async () => {
      const jobId = randomUUID();
      const held = sandbox.faults.hold({ operation: 'getDrivingRecord', mobileId: '3' });
      const cutOff = deliver(jobId).then(
        ({ status }) => status,
        () => 'cut off',
      );
      await held.held();
      await waitFor('the upload to begin', async () => (await files().catch(() => [])).length === 1);
      await gateway.close();
      expect([503, 'cut off']).toContain(await cutOff);
      expect(await files()).toEqual([]);

      held.release();
      gateway = await startGateway();
      expect(await deliver(jobId)).toMatchObject({ status: 200, body: { errorList: null } });
      expect(await files()).toEqual([expect.stringMatching(`/org/acme/2026-11-19/${jobId}\\.pdf$`)]);
    },
    IN_TIME,
  );

  it(
    'that is made again overwrites the same key with the same bytes',
    async () => {
      const jobId = randomUUID();
      const first = await deliver(jobId);
      const [path = '', ...others] = await files();
      expect(others).toEqual([]);
      const bytes = await readFile(path);
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');

      // As if the process had died behind the upload: the record does not know that the job was done.
      const client = server.client();
      const key = `job:{driving-reports:acme:${jobId}}`;
      await client.hset(key, { completed: 0, state: 'running' });
      await client.hdel(key, 'callback_result_status', 'callback_result_body', 'finished_at');
      await writeFile(path, 'something else');
      const second = await deliver(jobId);
      expect(await client.hget(key, 'attempt')).toBe('2');
      client.disconnect();

      expect(second).toMatchObject({ status: 200, text: first.text });
      expect(second.headers.get('x-job-replayed')).toBeNull();
      expect((await readFile(path)).equals(bytes)).toBe(true);
      expect(await files()).toEqual([path]);
    },
    IN_TIME,
  );
});
