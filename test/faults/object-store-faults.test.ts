/** Jobs and shutdowns while the bucket refuses or never answers; which answers are refusals is for the unit tests. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { BACKEND_KEY, backendEnvironment, PRODUCTION_ENVIRONMENT, startTestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders } from '../support/job-requests.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startRedis } from '../support/redis-server.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { together } from './together.js';

const IN_TIME = 240_000;
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'secret' };
const REPORT = {
  date: '2026-11-19T00:00:00+09:00',
  drivers: [{ mobileId: '1', employeeCode: 'E-1', employeeName: 'Driver 1' }],
};

const bucketAt = (port: number): Record<string, string> => ({
  S3_BUCKET: 'reports',
  S3_ENDPOINT: `http://127.0.0.1:${port}`,
  S3_FORCE_PATH_STYLE: 'true',
});

describe('A bucket that refuses', () => {
  beforeAll(() => void Object.assign(process.env, CREDENTIALS));
  afterAll(() => {
    for (const name of Object.keys(CREDENTIALS)) Reflect.deleteProperty(process.env, name);
  });

  const REFUSALS = [
    [403, 'AccessDenied', 'The S3 credentials may not use the bucket. Grant s3:PutObject'],
    [404, 'NoSuchBucket', 'The bucket does not exist. Create it, or correct S3_BUCKET.'],
  ] as const;

  /** Orders a report that no bucket takes, and waits for its end. */
  async function order(
    [status, code, advice]: (typeof REFUSALS)[number],
    environment: Parameters<typeof startTestGateway>[0],
  ): Promise<void> {
    const asked: number[] = [];
    const server = createHttpServer((request, response) => {
      asked.push(performance.now());
      request.resume().on('end', () => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));
    });
    const settings = { ...bucketAt(await listenOnLoopback(server)), QUEUE_MAX_ATTEMPTS: '3', ...environment };
    const gateway = await startTestGateway(settings);
    try {
      const { jobId } = await startJob(gateway, 'reports', REPORT);
      expect(await finishedJob(gateway, 'reports', jobId)).toMatchObject({
        status: 'Failure',
        errors: ['The callback answered 500.'],
      });
      expect(asked).toHaveLength(3);
      const [first = 0, second = 0, third = 0] = asked;
      expect(second - first).toBeGreaterThan(950);
      expect(third - second).toBeGreaterThan(1_950);
      expect(gateway.logged()).toContain(`"fault":"${advice}`);
      await waitFor('the dead letter', () => gateway.logged().includes('"event":"delivery.dead_letter"'));
    } finally {
      await gateway.close();
      server.close();
    }
  }

  it(
    'uses up the attempts of a report, whose record ends with a reason, and the log says what to change',
    () => together(REFUSALS.map((refusal) => order(refusal, {}))),
    IN_TIME,
  );

  describeWith(['redis-server'], 'while jobs are in Redis', () => {
    it(
      'does the same',
      async () => {
        const server = await startRedis({ port: 'tcp' });
        try {
          await order(REFUSALS[0], { REDIS_URL: server.url });
        } finally {
          await server.stop();
        }
      },
      IN_TIME,
    );
  });
});

describe('A bucket that refuses once', () => {
  beforeAll(() => void Object.assign(process.env, CREDENTIALS));
  afterAll(() => {
    for (const name of Object.keys(CREDENTIALS)) Reflect.deleteProperty(process.env, name);
  });

  it(
    'costs no driver a second call: the next attempt draws the report of what the first one fetched',
    async () => {
      let uploads = 0;
      const server = createHttpServer((request, response) => {
        request.resume().on('end', () => {
          uploads += 1;
          if (uploads === 1) response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
          else response.writeHead(200, { etag: '"etag"' }).end();
        });
      });
      const gateway = await startTestGateway(bucketAt(await listenOnLoopback(server)));
      try {
        const drivers = ['1', '2', '77777', '3'].map((mobileId) => ({
          mobileId,
          employeeCode: `E-${mobileId}`,
          employeeName: `Driver ${mobileId}`,
        }));
        const path = DRIVING_REPORT;
        const headers = jobHeaders(randomUUID());
        expect((await gateway.callback(path, { ...REPORT, drivers }, headers)).status).toBe(500);
        const reply = await gateway.callback(path, { ...REPORT, drivers }, headers);
        expect(reply).toMatchObject({ status: 200, body: { errorList: [{ mobileId: '77777', code: 'NotFound' }] } });
        const asked = gateway.sandbox.journal
          .requests({ operation: 'getDrivingRecord' })
          .map((request) => /mobiles\/(\d+)/.exec(request.path)?.[1]);
        // Only whoever could not be had is asked for again.
        expect(asked.toSorted()).toEqual(['1', '2', '3', '77777', '77777']);
        expect(gateway.sandbox.journal.requests({ backend: 'geo-api' })).toHaveLength(3);
      } finally {
        await gateway.close();
        server.close();
      }
    },
    IN_TIME,
  );
});

describe('A bucket that never answers', () => {
  const sockets = new Set<Socket>();
  let server: Server;
  let port: number;
  let sandbox: Sandbox;
  let programs: BuiltPrograms;
  let dataDir: string;

  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).resume();
    });
    port = await listenOnLoopback(server);
    programs = await BuiltPrograms.open();
    dataDir = await mkdtemp(join(tmpdir(), 'object-store-faults-'));
    const logger = createLogger({ level: 'silent', pretty: false });
    sandbox = await startSandbox({ logger, backendApiKey: BACKEND_KEY });
  }, IN_TIME);

  afterAll(async () => {
    await programs.close();
    await sandbox.close();
    await rm(dataDir, { recursive: true });
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }, IN_TIME);

  it(
    'does not outlive SHUTDOWN_DRAIN_SECONDS: the process ends, every step in time',
    async () => {
      const gateway = await programs.startGateway({
        ...PRODUCTION_ENVIRONMENT,
        ...backendEnvironment(sandbox),
        ...bucketAt(port),
        ...CREDENTIALS,
        DATA_DIR: dataDir,
        SHUTDOWN_DRAIN_SECONDS: '3',
      });
      const reply = fetch(`${gateway.url}${DRIVING_REPORT}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '',
          ...jobHeaders(randomUUID()),
        },
        body: JSON.stringify(REPORT),
      }).then(({ status }) => status);
      await waitFor('the upload to begin', () => sockets.size > 0);
      const signalledAt = performance.now();
      gateway.signal('SIGTERM');
      await waitFor('the process to end', () => !gateway.isRunning());
      expect(performance.now() - signalledAt).toBeLessThan(8_000);
      expect(await reply).toBe(503);
      expect(gateway.exitCode()).toBe(0);
      expect(await gateway.output()).toMatch(/"unfinished":\[\][^\n]*"event":"program.stopped"/);
    },
    IN_TIME,
  );
});
