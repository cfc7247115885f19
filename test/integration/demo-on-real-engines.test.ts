/** `npm run demo` with `REDIS_URL` and `S3_BUCKET` pointing at real servers. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';

const BUCKET = 'reports';

describeWith(['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd'], 'npm run demo on real engines', () => {
  let programs: BuiltPrograms;
  let redis: RedisServer;
  let s3: Radosgw;
  let directory: string;
  beforeAll(async () => {
    [programs, redis, s3, directory] = await Promise.all([
      BuiltPrograms.open(),
      startRedis({ port: 'tcp', password: 'secret' }),
      startRadosgw(),
      mkdtemp(path.join(tmpdir(), 'gateway-demo-test-')),
    ]);
    await s3.createBucket(BUCKET);
  });
  afterAll(async () => {
    await programs.close();
    await Promise.all([redis.stop(), s3.stop(), rm(directory, { recursive: true })]);
  });

  it('is right in every step, and keeps jobs in Redis and the report in the bucket', async () => {
    const { code, stdout, stderr } = await programs.run(
      [path.join(programs.directory, 'dist/demo/main.js')],
      {
        GATEWAY_URL: '',
        LOGIN_ID: '',
        PASSWORD: '',
        JOB_ENCRYPTION_KEY: '',
        REDIS_URL: redis.url,
        S3_BUCKET: BUCKET,
        S3_ENDPOINT: s3.endpoint,
        S3_REGION: s3.region,
        S3_FORCE_PATH_STYLE: 'true',
        AWS_ACCESS_KEY_ID: s3.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
      },
      directory,
    );
    expect(stderr).toBe('');
    expect(stdout).toContain('Every step was right.');
    expect(code).toBe(0);

    const client = redis.client();
    const records = (await client.keys('job:{*')).map((key) => /\{([^:]*):/.exec(key)?.[1]);
    client.disconnect();
    expect(records).toEqual(expect.arrayContaining(['driving-reports', 'user-accounts', 'mobiles']));
    const bucket = s3.client();
    const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    bucket.destroy();
    expect(Contents.map(({ Key }) => Key)).toEqual([expect.stringMatching(/^driving-reports\/org\/acme\/.*\.pdf$/)]);
    expect(await readdir(directory)).toEqual([expect.stringMatching(/^driving-report-.*\.pdf$/)]);
  });
});
