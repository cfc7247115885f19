/** `node dist/main.js --check-config`: says what to change before anything depends on it, and starts nothing. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PutBucketLifecycleConfigurationCommand, type LifecycleRule } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltPrograms, type EndedProgram } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';

const EX_CONFIG = 78;
const PASSWORD = 'the-password-of-redis';
const SECRETS = [
  PASSWORD,
  'not-the-password',
  PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY,
  PRODUCTION_ENVIRONMENT.JOB_ENCRYPTION_KEY,
];

/** Nobody is asked at these addresses. */
const BACKENDS = {
  BACKEND_API_URL: 'http://127.0.0.1:1',
  GEO_API_URL: 'http://127.0.0.1:1',
  VOIP_API_URL: 'http://127.0.0.1:1',
  BACKEND_API_KEY: 'backend-key-of-the-tests',
  TOKEN_ISSUSERS: 'https://issuer.example.com',
};

let programs: BuiltPrograms;
let dataDir: string;

beforeAll(async () => {
  programs = await BuiltPrograms.open();
  dataDir = await mkdtemp(path.join(tmpdir(), 'gateway-check-'));
});

afterAll(async () => {
  await programs.close();
  await rm(dataDir, { recursive: true });
});

/** Checks, and fails when anything but the verdict is written or a secret is. */
async function check(env: NodeJS.ProcessEnv, program = 'dist/main.js'): Promise<EndedProgram> {
  const ended = await programs.run([program, '--check-config'], { ...BACKENDS, ...PRODUCTION_ENVIRONMENT, ...env });
  for (const secret of SECRETS) expect(ended.stdout + ended.stderr).not.toContain(secret);
  expect(ended.code === 0 ? ended.stderr : ended.stdout).toBe('');
  return ended;
}

/** What is wrong, one line per fault. */
async function faultsOf(env: NodeJS.ProcessEnv, program?: string): Promise<string[]> {
  const { code, stderr } = await check(env, program);
  expect(code).toBe(EX_CONFIG);
  const [headline, ...faults] = stderr.trimEnd().split('\n');
  expect(headline).toBe(`The configuration has ${faults.length} fault(s):`);
  return faults;
}

describe('--check-config', () => {
  it('is content with embedded stores', async () => {
    const { code, stdout } = await check({ DATA_DIR: dataDir });
    expect(stdout).toBe('The configuration is complete, and the stores it names can be used.\n');
    expect(code).toBe(0);
  });

  it('names a data directory that cannot be used', async () => {
    const file = path.join(dataDir, 'a-file');
    await writeFile(file, '');
    expect(await faultsOf({ DATA_DIR: file })).toEqual([expect.stringContaining(file)]);
  });

  it('tells the queue function that it needs a shared queue', async () => {
    const env = { DATA_DIR: dataDir, GATEWAY_URL: 'http://127.0.0.1:1' };
    expect(await faultsOf(env, 'dist/queue-function.js')).toEqual([expect.stringContaining('REDIS_URL is required')]);
  });

  it('names a Redis that is not there', async () => {
    const [port = 0] = await freePorts(1);
    expect(await faultsOf({ DATA_DIR: dataDir, REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${port}` })).toEqual([
      expect.stringMatching(/Redis cannot be reached .*Check the host and port in REDIS_URL/),
    ]);
  });
});

describeWith(['redis-server'], '--check-config with Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis({ port: 'tcp', password: PASSWORD });
  });
  afterAll(() => redis.stop());
  afterEach(async () => {
    await administer('REPLICAOF NO ONE');
    await administer('CONFIG SET maxmemory 0');
    await administer('CONFIG SET maxmemory-policy noeviction');
  });

  async function administer(command: string): Promise<void> {
    const client = redis.client();
    const [name = '', ...args] = command.split(' ');
    await client.call(name, ...args);
    client.disconnect();
  }

  const environment = (url = redis.url): NodeJS.ProcessEnv => ({ DATA_DIR: dataDir, REDIS_URL: url });

  it('is content when all is well, for both programs', async () => {
    expect((await check(environment())).code).toBe(0);
    const queueFunction = { ...environment(), GATEWAY_URL: 'http://127.0.0.1:1' };
    expect((await check(queueFunction, 'dist/queue-function.js')).code).toBe(0);
  });

  it.each([
    ['a wrong password', `:${PASSWORD}@`, ':not-the-password@', /refuses the user or the password.*REDIS_URL/],
    ['a missing password', `:${PASSWORD}@`, '', /requires a password.*REDIS_URL/],
  ])('names %s', async (_case, right, wrong, fault) => {
    expect(await faultsOf(environment(redis.url.replace(right, wrong)))).toEqual([expect.stringMatching(fault)]);
  });

  it.each([
    ['read-only', 'REPLICAOF 127.0.0.1 1', /read-only.*Point REDIS_URL to the primary/],
    ['full', 'CONFIG SET maxmemory 1', /full.*Raise its maxmemory/],
    ['allowed to throw jobs away', 'CONFIG SET maxmemory-policy allkeys-lru', /Set maxmemory-policy to noeviction/],
  ])('names a Redis that is %s', async (_case, command, fault) => {
    await administer(command);
    expect(await faultsOf(environment())).toEqual([expect.stringMatching(fault)]);
  });
});

describeWith(['radosgw', 'ceph-mon', 'ceph-osd'], '--check-config with S3', () => {
  const BUCKET = 'reports';
  const Rules: LifecycleRule[] = [
    {
      ID: 'reports',
      Status: 'Enabled',
      Filter: { Prefix: 'driving-reports/' },
      Expiration: { Days: 8 },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    },
  ];
  let s3: Radosgw;
  beforeAll(async () => {
    s3 = await startRadosgw();
    await s3.createBucket(BUCKET);
    const client = s3.client();
    await client.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket: BUCKET, LifecycleConfiguration: { Rules } }),
    );
    client.destroy();
  });
  afterAll(() => s3.stop());

  const environment = (): NodeJS.ProcessEnv => ({
    DATA_DIR: dataDir,
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_FORCE_PATH_STYLE: 'true',
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  });

  it('is content when all is well', async () => {
    expect((await check(environment())).code).toBe(0);
  });

  it('names a wrong secret key, which it does not print', async () => {
    const faults = await faultsOf({ ...environment(), AWS_SECRET_ACCESS_KEY: 'not-the-password' });
    expect(faults).toEqual([expect.stringMatching(/secret key does not belong.*AWS_SECRET_ACCESS_KEY/)]);
  });

  it('names an unknown access key', async () => {
    const faults = await faultsOf({ ...environment(), AWS_ACCESS_KEY_ID: 'nobody' });
    expect(faults).toEqual([expect.stringMatching(/does not know the access key.*AWS_ACCESS_KEY_ID/)]);
  });

  it('names a bucket that does not exist', async () => {
    const faults = await faultsOf({ ...environment(), S3_BUCKET: 'another' });
    expect(faults).toEqual([expect.stringMatching(/bucket does not exist.*S3_BUCKET/)]);
  });

  it('names both when neither Redis nor S3 is there', async () => {
    const [port = 0] = await freePorts(1);
    const address = `127.0.0.1:${port}`;
    const faults = await faultsOf({
      ...environment(),
      REDIS_URL: `redis://${address}`,
      S3_ENDPOINT: `http://${address}`,
    });
    expect(faults).toEqual([expect.stringContaining('REDIS_URL'), expect.stringContaining('S3_ENDPOINT')]);
  });
});
