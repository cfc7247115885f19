/** `node dist/main.js --check-config` names each fault of the configuration and its remedy, and starts nothing. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import path from 'node:path';
import { PutBucketLifecycleConfigurationCommand, type LifecycleRule } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { breachesAreMeant } from '../support/backend-contracts.js';
import { BuiltPrograms, type EndedProgram } from '../support/built-programs.js';
import { makeCertificate } from '../support/certificate.js';
import { freePorts } from '../support/child-program.js';
import { startFauxqs } from '../support/fauxqs.js';
import { BACKEND_KEY, productionAt } from '../support/gateway.js';
import { listenOnLoopback, serveOnLoopback } from '../support/loopback.js';
import { hashOf } from '../support/persisted-operations.js';
import { startRadosgw } from '../support/radosgw.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { ofNginx, startRouter } from '../support/router.js';
import { describeOnSmallDisk, makeSmallDisk } from '../support/small-disk.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeOnSqs, describeWith } from '../support/system-tools.js';

const EX_CONFIG = 78;
const PASSWORD = 'the-password-of-redis';

// Exchanged URLs lead to backends that do not know the call.
breachesAreMeant();

const programs = forAllTests(() => BuiltPrograms.open());
const dataDir = forAllTests(temporaryDirectory);
const sandbox = forAllTests(startBackends);

/** Checks, and fails when anything but the verdict is written. */
async function check(env: NodeJS.ProcessEnv, program = 'dist/main.js'): Promise<EndedProgram> {
  const ended = await programs.run([program, '--check-config'], { ...productionAt(sandbox), PORT: '0', ...env });
  expect(ended.code === 0 ? ended.stderr : ended.stdout).toBe('');
  return ended;
}

/** Returns the faults that it names, one line each. */
async function faultsOf(env: NodeJS.ProcessEnv, program?: string): Promise<string[]> {
  const { code, stderr } = await check(env, program);
  expect(code).toBe(EX_CONFIG);
  const [headline, ...faults] = stderr
    .replaceAll(/^Look at this: .*\n/gm, '')
    .trimEnd()
    .split('\n');
  expect(headline).toBe(`The configuration has ${faults.length} fault(s):`);
  return faults;
}

describe('--check-config', () => {
  it('names every fault of keys, files, backends and stores at once, and does not repeat a key', async () => {
    const at = (name: string): string => path.join(dataDir.path, name);
    const [operations, form, notADirectory] = [at('operations.json'), at('form.json'), at('a-file')];
    const valid = hashOf('{ serviceVersion }');
    const invalid = hashOf('{ nothing }');
    await writeFile(operations, JSON.stringify({ abc: '{ serviceVersion }', [invalid]: '{ nothing }' }));
    await writeFile(form, JSON.stringify({ ja: { blocks: ['stamp'], era: 'yes' } }));
    await writeFile(notADirectory, '');
    const keys = {
      TASK_CALLBACK_API_KEY: 'changeme-changeme',
      JOB_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
    };
    const files = { PERSISTED_OPERATIONS_FILE: operations, PERSISTED_OPERATIONS: 'only', REPORT_FORM_FILE: form };
    const faults = await faultsOf({
      ...keys,
      ...files,
      BACKEND_API_KEY: 'k8Xq2-not-the-service-one',
      GEO_API_URL: 'http://127.0.0.1:1',
      VOIP_API_URL: 'http://voip.invalid',
      DATA_DIR: notADirectory,
    });
    expect(faults).toEqual([
      expect.stringContaining('TASK_CALLBACK_API_KEY is easy to guess'),
      expect.stringContaining('JOB_ENCRYPTION_KEY is easy to guess'),
      expect.stringContaining(`${operations}: the entry abc cannot be used`),
      expect.stringContaining(`${form} (REPORT_FORM_FILE) ja.blocks holds "stamp"; there are rollCall`),
      expect.stringContaining(`${form} (REPORT_FORM_FILE) ja.era must be true or false.`),
      expect.stringContaining('backend-api refuses BACKEND_API_KEY.'),
      leadsNowhere('GEO_API_URL', 'ECONNREFUSED'),
      leadsNowhere('VOIP_API_URL', 'ENOTFOUND|EAI_AGAIN'),
      expect.stringContaining(notADirectory),
    ]);
    for (const key of Object.values(keys)) expect(faults.join()).not.toContain(key);

    // backend-api refuses the first key and takes the second one.
    await writeFile(operations, JSON.stringify({ [valid]: '{ serviceVersion }', [invalid]: '{ nothing }' }));
    await writeFile(form, JSON.stringify({ ja: { stamps: ['所長'], era: true } }));
    const asked = sandbox.journal.requests({ operation: 'listTags' }).length;
    const right = { ...files, BACKEND_API_KEY: `${'another'.repeat(3)}-k8Xq2,${BACKEND_KEY}`, DATA_DIR: dataDir.path };
    expect(await check(right)).toMatchObject({
      code: 0,
      stdout:
        `Look at this: ${operations}: the entry ${invalid} is refused when it is called: Cannot query field "nothing" on ` +
        'type "Query".\nThe configuration is complete, and what it names can be used, for production.\n',
    });
    expect(sandbox.journal.requests({ operation: 'listTags' }).slice(asked)).toHaveLength(2);
  });

  const leadsNowhere = (name: string, why = ''): unknown =>
    expect.stringMatching(new RegExp(`${name} leads to nothing that answers as .*: .*${why}`));

  it('is content with the defaults of development, whose keys are public', async () => {
    const { code, stdout, stderr } = await programs.run(['dist/main.js', '--check-config'], {
      NODE_ENV: 'development',
      DATA_DIR: dataDir.path,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('The configuration is complete, and what it names can be used, for development.');
  });

  it('names a backend that is another one', async () => {
    const { backendApiUrl, geoApiUrl, voipApiUrl } = sandbox;
    const exchanged = { BACKEND_API_URL: geoApiUrl, GEO_API_URL: voipApiUrl, VOIP_API_URL: backendApiUrl };
    expect(await faultsOf({ DATA_DIR: dataDir.path, ...exchanged })).toEqual(
      Object.keys(exchanged).map((name) => leadsNowhere(name)),
    );
  });

  it('tells of settings that are valid and probably not meant, and is content all the same', async () => {
    const server = closeAfterTest(createServer());
    const port = await listenOnLoopback(server);
    const env = { DATA_DIR: dataDir.path, HOST: '127.0.0.1', PORT: String(port), JOBS_MAX_RUNING_PER_ORG: '5' };
    const { code, stdout } = await check(env);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'Look at this: JOBS_MAX_RUNING_PER_ORG is not read. Did you mean JOBS_MAX_RUNNING_PER_ORG?',
      expect.stringMatching(`^Look at this: Nothing can listen at 127\\.0\\.0\\.1:${port} now: .*EADDRINUSE`),
    ]);
    expect(code).toBe(0);
  });

  it('refuses settings of traces even without a collector, and doubts a collector that takes none', async () => {
    const wrong = { DATA_DIR: dataDir.path, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(await faultsOf(wrong)).toEqual(['  - OTEL_EXPORTER_OTLP_PROTOCOL must be http/json.']);
    const asked: (string | undefined)[] = [];
    const collector = await serveOnLoopback((request, response) => {
      asked.push(request.headers['x-team']?.toString());
      response.writeHead(asked.length === 1 ? 200 : 401).end('{}');
    });
    const right = { DATA_DIR: dataDir.path, OTEL_EXPORTER_OTLP_HEADERS: 'x-team=fleet' };
    const env = { ...right, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    expect((await check(env)).stdout).not.toContain('Look at this');
    expect((await check(env)).stdout).toMatch(/^Look at this: The collector of traces at \S+ takes none now: .+\.$/m);
    await collector.close();
    const { code, stdout } = await check(env);
    expect(stdout).toMatch(/^Look at this: The collector of traces at \S+ takes none now: .*ECONNREFUSED.*\.$/m);
    expect(code).toBe(0);
    expect(asked).toEqual(['fleet', 'fleet']);
  });

  it('tells of refusals of a user and of a job that are not in the form of the contract', async () => {
    const router = closeAfterTest(await startRouter(sandbox.backendApiUrl));
    const env = { DATA_DIR: dataDir.path, BACKEND_API_URL: router.url };
    expect((await check(env)).stdout).not.toContain('Look at this');
    router.answer((request) => (request === 'GET /v1/mobiles/0' ? ofNginx(404) : 'forward'));
    const { code, stdout } = await check(env);
    expect(stdout.split('\n').slice(0, 2)).toEqual(
      ['user', 'job'].map((caller) =>
        expect.stringMatching(
          `^Look at this: .*refuses the call of a ${caller} with 404 \\(content type text/html, server nginx\\)`,
        ),
      ),
    );
    expect(code).toBe(0);
  });

  it('tells the doubts that explain a fault beside it', async () => {
    const misspelt = { DATA_DIR: dataDir.path, BACKEND_API_KEY: undefined, BACKEND_API_KEI: BACKEND_KEY };
    const { code, stderr } = await check(misspelt);
    expect(stderr).toBe(
      'Look at this: BACKEND_API_KEI is not read. Did you mean BACKEND_API_KEY?\n' +
        'The configuration has 1 fault(s):\n  - BACKEND_API_KEY is required in production.\n',
    );
    expect(code).toBe(EX_CONFIG);
  });
});

describeWith(['openssl'], 'A certificate of a private authority', () => {
  it('is refused with the variable that makes it trusted, and accepted with it', async () => {
    const certificate = closeAfterTest(await makeCertificate(), (made) => made.remove());
    const [cert, key] = await Promise.all([certificate.certFile, certificate.keyFile].map((file) => readFile(file)));
    const server = closeAfterTest(
      createTlsServer({ cert, key }, (_request, response) => response.writeHead(404).end()),
    );
    const url = `https://127.0.0.1:${await listenOnLoopback(server)}`;
    const environment = {
      DATA_DIR: dataDir.path,
      GEO_API_URL: url,
      S3_BUCKET: 'reports',
      S3_ENDPOINT: url,
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: 'k8Xq2',
      AWS_SECRET_ACCESS_KEY: 'not-the-secret-key',
    };
    const remedy = expect.stringMatching(/self-signed certificate.*NODE_EXTRA_CA_CERTS/);
    expect(await faultsOf(environment)).toEqual([remedy, remedy]);
    const faults = await faultsOf({ ...environment, NODE_EXTRA_CA_CERTS: certificate.certFile });
    expect(faults).toEqual([expect.stringContaining('404'), expect.stringContaining('The bucket does not exist')]);
  });
});

/** Every fault of each store has its test beside the store; these tests show that the program prints them. */
describeOnSmallDisk('A full disk', () => {
  it('is named in one line, by the check and by the start', async () => {
    const disk = closeAfterTest(await makeSmallDisk(64));
    const environment = { ...productionAt(sandbox), DATA_DIR: disk.directory, PORT: '0' };
    const full =
      /(?:Jobs|The lock of jobs) cannot be kept in \S+\/(?:jobs\.db|gateway\.lock): database or disk is full\. Free space on its disk; deploy\/backup\.md/;
    await disk.fill();
    expect(await faultsOf({ DATA_DIR: disk.directory })).toEqual([expect.stringMatching(full)]);
    const started = await programs.run(['dist/main.js'], environment);
    // Nothing is wrong with the configuration: the same start succeeds when there is space.
    expect(started).toMatchObject({ code: 75, stderr: expect.stringMatching(`^${full.source}[^\\n]*\\n$`) });
  });
});

describeWith(['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd'], '--check-config with Redis and S3', () => {
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
  const redis = forAllTests(() => startRedis({ password: PASSWORD, appendOnly: true }));
  const s3 = forAllTests(() => startRadosgw(BUCKET));
  beforeAll(async () => {
    const client = s3.client();
    await client.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket: BUCKET, LifecycleConfiguration: { Rules } }),
    );
    client.destroy();
  });

  const environment = (changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    DATA_DIR: dataDir.path,
    REDIS_URL: redis.url,
    ...s3.environment(BUCKET),
    ...s3.variables,
    ...changes,
  });

  it('is content when all is well, for both programs', async () => {
    expect((await check(environment())).code).toBe(0);
    // It calls no backend, and has no key of one; its gateway may start later.
    const [port = 0] = await freePorts(1);
    const gatewayUrl = `http://127.0.0.1:${port}`;
    // Nor does it listen at the port of a gateway beside it.
    const taken = closeAfterTest(createServer());
    const beside = { HOST: '127.0.0.1', PORT: String(await listenOnLoopback(taken)), BACKEND_API_KEY: undefined };
    const checked = await check(environment({ GATEWAY_URL: gatewayUrl, ...beside }), 'dist/queue-function.js');
    expect(checked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Look at this: GATEWAY_URL leads to no gateway now \(.*ECONNREFUSED.*\);/),
    });
    expect(checked.stdout).not.toContain('Nothing can listen');
  });

  it.each([
    [{}, /^Look at this: Answers of GATEWAY_URL lack x-job-id \(HTTP 413\)\./],
    [{ 'x-job-id': 'check-config' }, /^(?!.*GATEWAY_URL)/],
  ])('of the queue function doubts a proxy that drops x-job-id: %j', async (headers, said) => {
    const proxy = await serveOnLoopback((request, response) => {
      request.resume();
      if (request.method === 'GET') response.end('{"Status":"OK"}');
      else response.writeHead(413, headers).end();
    });
    closeAfterTest(proxy);
    const queueFunction = environment({ GATEWAY_URL: proxy.url, BACKEND_API_KEY: undefined });
    expect(await check(queueFunction, 'dist/queue-function.js')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(said),
    });
  });
});

describeOnSqs('--check-config with Amazon SQS', () => {
  const redis = forAllTests(() => startRedis({ password: PASSWORD, appendOnly: true }));
  const sqs = forAllTests(startFauxqs);

  const environment = (queueUrl: string, changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    DATA_DIR: dataDir.path,
    REDIS_URL: redis.url,
    SQS_QUEUE_URL: queueUrl,
    GATEWAY_URL: 'http://127.0.0.1:1',
    ...changes,
  });

  it('is content when all is well, for both programs', async () => {
    const { url } = await sqs.createQueue();
    expect((await check(environment(url))).code).toBe(0);
    expect((await check(environment(url), 'dist/queue-function.js')).code).toBe(0);
  });

  it('names what would make dead letters of patient jobs, or forget them, or take none', async () => {
    const queue = await sqs.createQueue(3);
    await queue.set({ MessageRetentionPeriod: '345600', MaximumMessageSize: '65536' });
    expect(await faultsOf(environment(queue.url))).toEqual([
      expect.stringMatching(/The queue makes dead letters after 3 receives.*maxReceiveCount.* 1000\.$/),
      expect.stringMatching(/The queue takes messages of 65536 bytes\. Set MaximumMessageSize to 262144/),
      expect.stringMatching(/The queue forgets messages after 345600 s\. Set its MessageRetentionPeriod to 1209600/),
    ]);
  });
});
