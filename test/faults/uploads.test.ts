import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders } from '../support/job-requests.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';

const IN_TIME = 60_000;
const BODY = {
  date: '2026-11-19T12:34:56+09:00',
  drivers: [1, 2, 3].map((id) => ({ mobileId: String(id), employeeCode: `E-${id}`, employeeName: `Driver ${id}` })),
};

describeWith(['redis-server'], 'The upload of a driving report', () => {
  let server: RedisServer;
  let dataDir: string;
  let gateway: TestGateway;

  beforeEach(async () => {
    server = await startRedis({ port: 'tcp' });
    dataDir = await mkdtemp(join(tmpdir(), 'uploads-'));
    gateway = await startTestGateway({ REDIS_URL: server.url }, { dataDir });
  }, IN_TIME);

  afterEach(async () => {
    await gateway.close();
    await server.stop();
    await rm(dataDir, { recursive: true });
  }, IN_TIME);

  const deliver = (jobId: string): Promise<Reply> => gateway.callback(DRIVING_REPORT, BODY, jobHeaders(jobId));
  const directory = (): string => join(dataDir, 'objects/driving-reports');
  const pathOf = (jobId: string): string => join(directory(), `org/acme/2026-11-19/${jobId}.pdf`);

  async function files(): Promise<string[]> {
    const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  it('that cannot be stored leaves nothing behind, and is made by the next delivery', async () => {
    const jobId = randomUUID();
    // Where the report has to go stands something else.
    await mkdir(join(dataDir, 'objects'), { recursive: true });
    await writeFile(directory(), '');
    expect((await deliver(jobId)).status).toBeGreaterThanOrEqual(500);
    expect(await files()).toEqual(['driving-reports']);

    await rm(directory());
    expect(await deliver(jobId)).toMatchObject({ status: 200, body: { errorList: null } });
    expect(await files()).toEqual([`${jobId}.pdf`]);
  }, IN_TIME);

  it('that is made again overwrites the same key with the same bytes', async () => {
    const jobId = randomUUID();
    const first = await deliver(jobId);
    const bytes = await readFile(pathOf(jobId));
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');

    // As if the process had died behind the upload: the record does not know that the job was done.
    const client = server.client();
    const key = `job:{driving-reports:acme:${jobId}}`;
    await client.hset(key, { completed: 0, state: 'running' });
    await client.hdel(key, 'callback_result_status', 'callback_result_body', 'finished_at');
    await writeFile(pathOf(jobId), 'something else');
    const second = await deliver(jobId);
    expect(await client.hget(key, 'attempt')).toBe('2');
    client.disconnect();

    expect(second.headers.get('x-job-replayed')).toBeNull();
    expect(second.text).toBe(first.text);
    expect((await readFile(pathOf(jobId))).equals(bytes)).toBe(true);
    expect(await files()).toEqual([`${jobId}.pdf`]);
  }, IN_TIME);
});
