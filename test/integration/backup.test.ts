/** Copies of what is kept, made while jobs run: a gateway that is started on one goes on with them. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CopyObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { backendEnvironment, startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts, reportOf } from '../support/job-requests.js';
import { startRadosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import {
  closeAfterTest,
  forAllTests,
  forEachTest,
  processVariables,
  temporaryDirectory,
} from '../support/resources.js';
import { finishedJob, requestStatus, startJob, tableOfReport } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith, requireTool } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const ITEMS = 40;

const directory = forEachTest(temporaryDirectory);
const sandbox = forEachTest(startBackends);

/** A gateway on these backends. Its leases are short, so that the next one need not wait for them. */
async function startGateway(
  environment: Parameters<typeof startTestGateway>[0],
  dataDir: string,
): Promise<TestGateway> {
  const settings = {
    ...backendEnvironment(sandbox),
    JOB_LEASE_SECONDS: '1',
    // The fetch of a key has two seconds, which a busy machine may take.
    PUBLIC_KEY_MAX_AGE_SECONDS: '3600',
    ...environment,
  };
  return closeAfterTest(await startTestGateway(settings, { sandbox, dataDir }));
}

interface Drill {
  readonly prefix: string;
  readonly environment: Parameters<typeof startTestGateway>[0];
  readonly dataDir: string;
  /** Makes the copy. @returns how a gateway is started on it */
  readonly makeCopy: () => Promise<{ environment: Parameters<typeof startTestGateway>[0]; dataDir: string }>;
}

/**
 * Orders a report that is made, and accounts of which half are created; has the copy made then; lets the accounts be
 * done, and orders one more. The gateway on the copy has the report, ends the accounts without creating one twice, and
 * knows nothing later.
 */
async function runDrill({ prefix, environment, dataDir, makeCopy }: Drill): Promise<void> {
  const gateway = await startGateway(environment, dataDir);
  const { jobId: report } = await startJob(gateway, 'reports', reportOf(1));
  await finishedJob(gateway, 'reports', report);
  const held = sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-20`, stage: 'reply' });
  const { jobId: accounts } = await startJob(gateway, 'accounts', createAccounts(prefix, ITEMS));
  await held.held();
  const copy = await makeCopy();
  held.release();
  await finishedJob(gateway, 'accounts', accounts);
  const { jobId: later } = await startJob(gateway, 'accounts', createAccounts(`${prefix}-later`, 1));
  await finishedJob(gateway, 'accounts', later);
  await gateway.close();

  const restored = await startGateway(copy.environment, copy.dataDir);
  const ended = await finishedJob(restored, 'accounts', accounts);
  const created = sandbox.journal
    .effects('userAccountCreated')
    .filter(({ loginId }) => new RegExp(`^${prefix}-\\d+$`).test(loginId));
  expect(created.map(({ loginId }) => loginId)).toEqual(
    Array.from({ length: ITEMS }, (_, index) => `${prefix}-${index}`),
  );
  expect(ended).toMatchObject({ status: 'Success', createdUserAccountId: created.map(({ id }) => String(id)) });
  const { downloadUrl } = await finishedJob(restored, 'reports', report);
  const { tableUrl } = await tableOfReport(restored, report);
  for (const [link, begin] of [
    [downloadUrl, '%PDF-'],
    [tableUrl, 'row,date'],
  ]) {
    const file = await fetch(new URL(link ?? '', restored.url));
    expect([file.status, (await file.text()).slice(0, begin?.length)]).toEqual([200, begin]);
  }
  const { errors } = await requestStatus(restored, 'accounts', later);
  expect(errors?.[0]?.extensions.code).toBe('NotFound');
}

describe('A backup of a data directory', () => {
  const programs = forAllTests(() => BuiltPrograms.open());

  const backUp = (dataDir: string, ...args: string[]) =>
    programs.run(['dist/backup.js', ...args], { DATA_DIR: dataDir });

  // The copy of the bucket is held by the download on it. Together: both wait until the message that was in hand is delivered again.
  it('is made while jobs run, as a snapshot of Redis is, and a gateway on the copy goes on with them', async () => {
    await Promise.all([drillDataDirectory(), ...(requireTool('redis-server') ? [drillRedis()] : [])]);
  });

  async function drillDataDirectory(): Promise<void> {
    const [dataDir, copy] = [path.join(directory.path, 'data'), path.join(directory.path, 'copy')];
    await runDrill({
      prefix: 'embedded',
      environment: {},
      dataDir,
      makeCopy: async () => {
        const { code, stdout, stderr } = await backUp(dataDir, copy);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toMatch(
          new RegExp(`^${copy}: jobs and queue, 1 report \\(0\\.\\d MB\\), the key of jobs\\.\\n$`),
        );
        return { environment: {}, dataDir: copy };
      },
    });
  }

  /** With reports in a bucket, where there is a server for one; otherwise in files that both gateways share. */
  async function drillRedis(): Promise<void> {
    const redis = closeAfterTest(await startRedis());
    const s3 = ['radosgw', 'ceph-mon', 'ceph-osd'].every(requireTool) ? await openBuckets() : undefined;
    const environment = {
      JOB_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
      REDIS_URL: redis.url,
      ...s3?.environment,
    };
    const dataDir = path.join(directory.path, 'files');
    await runDrill({
      prefix: 'redis',
      environment,
      dataDir,
      makeCopy: async () => {
        const snapshot = await saveSnapshot(redis, path.join(directory.path, 'snapshot.rdb'));
        // After Redis: a report lies in the bucket before its record says so.
        await s3?.copy();
        const restored = closeAfterTest(await startRedis({ snapshot, appendOnly: true }));
        const bucket = s3 && { S3_BUCKET: COPY };
        return { environment: { ...environment, REDIS_URL: restored.url, ...bucket }, dataDir };
      },
    });
  }

  it('can be started beside the gateway it was made of', async () => {
    const [dataDir, copy] = [path.join(directory.path, 'data'), path.join(directory.path, 'copy')];
    const gateway = await startGateway({}, dataDir);
    await startJob(gateway, 'accounts', createAccounts('one', 1));
    expect(await backUp(dataDir, copy)).toMatchObject({ code: 0 });
    const second = await startGateway({}, copy);
    expect((await second.rest('GET', '/health/ready')).status).toBe(200);
  });

  it('leaves alone what is there, and says what else is wrong with its arguments', async () => {
    const [dataDir, copy] = [path.join(directory.path, 'data'), path.join(directory.path, 'copy')];
    await writeFile(copy, 'mine');
    expect(await backUp(dataDir, copy)).toMatchObject({
      code: 64,
      stderr: `${copy} exists already; a copy is made in a directory of its own. See: npm run backup -- --help\n`,
    });
    expect(await readFile(copy, 'utf8')).toBe('mine');
    const missing = await backUp(dataDir);
    expect(missing).toMatchObject({ code: 64, stderr: expect.stringMatching(/^The directory to be made is missing/) });
    expect(await backUp(dataDir, 'a', 'b')).toMatchObject({ code: 64, stderr: expect.stringContaining('"b" is one') });
    expect(await backUp(dataDir, '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm run backup'),
    });
  });

  it('is refused where nothing is kept', async () => {
    const refused = await backUp(path.join(directory.path, 'nothing'), path.join(directory.path, 'copy'));
    expect(refused).toMatchObject({ code: 78, stderr: expect.stringContaining('holds neither jobs nor reports') });
    expect(existsSync(path.join(directory.path, 'copy'))).toBe(false);
  });

  it('leaves nothing behind when it cannot be made', async () => {
    const dataDir = path.join(directory.path, 'data');
    await startGateway({}, dataDir);
    await writeFile(path.join(directory.path, 'file'), '');
    const failed = await backUp(dataDir, path.join(directory.path, 'file', 'copy'));
    expect(failed).toMatchObject({ code: 74, stderr: expect.stringMatching(/^No copy was made: /) });
  });
});

describeWith(['redis-server'], 'A move from embedded jobs to Redis', () => {
  it('waits until the queue is empty, leaves old statuses behind with the old gateway, and keeps reports and their links', async () => {
    const programs = closeAfterTest(await BuiltPrograms.open());
    const redis = closeAfterTest(await startRedis({ appendOnly: true }));
    const dataDir = path.join(directory.path, 'data');
    const [embedded, moved] = [{}, { REDIS_URL: redis.url }];
    const waiting = async (): Promise<number> => {
      const { stdout } = await programs.run(['dist/jobs-cli.js', 'queue', '--json'], { DATA_DIR: dataDir });
      const { queue } = JSON.parse(stdout) as { readonly queue: readonly Record<string, number>[] }; // as it promises
      return queue.reduce((sum, { waiting = 0, delayed = 0, inHand = 0 }) => sum + waiting + delayed + inHand, 0);
    };
    const old = await startGateway(embedded, dataDir);
    const held = sandbox.faults.hold({ operation: 'getDrivingRecord', stage: 'reply' });
    const { jobId } = await startJob(old, 'reports', reportOf(1));
    await held.held();
    expect(await waiting()).toBeGreaterThan(0);
    held.release();
    const { downloadUrl } = await finishedJob(old, 'reports', jobId);
    await waitFor('the queue to be empty', async () => (await waiting()) === 0);
    await old.close();

    const next = await startGateway(moved, dataDir);
    const { errors } = await requestStatus(next, 'reports', jobId);
    expect(errors?.[0]?.extensions.code).toBe('NotFound');
    const link = new URL(downloadUrl ?? '', next.url);
    const file = await fetch(new URL(`${link.pathname}${link.search}`, next.url));
    expect([file.status, (await file.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
    const { jobId: later } = await startJob(next, 'accounts', createAccounts('moved', 2));
    expect(await finishedJob(next, 'accounts', later)).toMatchObject({ status: 'Success' });
    await next.close();

    const back = await startGateway(embedded, dataDir);
    expect(await finishedJob(back, 'reports', jobId)).toMatchObject({ status: 'Success' });
  });
});

/** @returns the file of a snapshot of this moment */
async function saveSnapshot(redis: RedisServer, file: string): Promise<string> {
  const client = redis.client();
  const savedAt = await client.lastsave();
  // The second of it is all that shows that a save has ended, so it must be another one.
  await waitFor('the next second', () => Date.now() / 1000 >= savedAt + 1);
  await client.bgsave();
  await waitFor('the snapshot', async () => (await client.lastsave()) > savedAt);
  const [, where = ''] = await client.config('GET', 'dir'); // name and value
  client.disconnect();
  await copyFile(path.join(where, 'dump.rdb'), file);
  return file;
}

const [BUCKET, COPY] = ['reports', 'copy-of-reports'];

/** A server with a bucket and an empty one, which {@link copy} fills as `aws s3 sync` does. */
async function openBuckets() {
  const server = closeAfterTest(await startRadosgw(BUCKET, COPY));
  // The SDK's own chain of credentials, as in production.
  closeAfterTest(processVariables(server.variables));
  const environment = server.environment(BUCKET);
  const copy = async (): Promise<void> => {
    const client = server.client();
    const { Contents: objects = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    expect(objects.length).toBeGreaterThan(0);
    for (const { Key = '' } of objects) {
      const CopySource = `${BUCKET}/${Key.split('/').map(encodeURIComponent).join('/')}`;
      await client.send(new CopyObjectCommand({ Bucket: COPY, Key, CopySource }));
    }
    client.destroy();
  };
  return { environment, copy };
}
