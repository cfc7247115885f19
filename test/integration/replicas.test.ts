/**
 * Three gateways and two queue functions, each a process of its own, on one Redis and one S3 bucket behind a
 * round-robin. Some of them are ended in the middle of a mixed load.
 */
import { GetObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms, type ServingProgram } from '../support/built-programs.js';
import type { ChildProgram } from '../support/child-program.js';
import { createFrontEnd, type FrontEnd } from '../support/front-end.js';
import { BACKEND_KEY, backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { createAccount, updateAccount } from '../support/job-requests.js';
import { readPdf } from '../support/pdf-text.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.js';
import { OPERATIONS, type PolledStatus, type StartedKind } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const JOBS_PER_KIND = 100;
const MOBILES_PER_JOB = 3;
/** Jobs that have ended when some of the processes are. */
const ENDED_BEFORE_FAILURES = 100;
const BUCKET = 'reports';
const IN_TIME = 600_000;
/** Requests of one kind that are under way at the same time. */
const STARTERS = 6;
const POLLERS = 4;

interface OrderedJob {
  readonly kind: StartedKind;
  /** Position among the jobs of its kind. */
  readonly index: number;
  readonly value: unknown;
}

describeWith(['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd'], 'replicas', () => {
  let programs: BuiltPrograms;
  let redis: RedisServer;
  let s3: Radosgw;
  let sandbox: Sandbox;
  let gateways: readonly ServingProgram[];
  let queueFunctions: readonly ChildProgram[];
  let roundRobin: RoundRobin;
  let frontEnd: FrontEnd;
  let bucket: S3Client;

  beforeAll(async () => {
    const logger = createLogger({ level: 'silent', pretty: false });
    [programs, redis, s3, sandbox] = await Promise.all([
      BuiltPrograms.open(),
      startRedis({ port: 'tcp' }),
      startRadosgw(),
      startSandbox({ logger, backendApiKey: BACKEND_KEY }),
    ]);
    await s3.createBucket(BUCKET);
    bucket = s3.client();
    const shared = { ...PRODUCTION_ENVIRONMENT, REDIS_URL: redis.url };
    const environment = {
      ...shared,
      ...backendEnvironment(sandbox),
      // The round-robin has to notice in time, on a busy machine as well.
      SHUTDOWN_DELAY_SECONDS: '15',
      // One organisation orders everything.
      JOBS_MAX_OPEN_PER_ORG: String(3 * JOBS_PER_KIND),
      TRUSTED_PROXIES: '1',
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: s3.region,
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    };
    gateways = await Promise.all([1, 2, 3].map(() => programs.startGateway(environment)));
    roundRobin = await startRoundRobin(gateways.map(({ url }) => url));
    queueFunctions = await Promise.all(
      [1, 2].map(() => programs.startQueueFunction({ ...shared, GATEWAY_URL: roundRobin.url })),
    );
    frontEnd = createFrontEnd(roundRobin.url);
    await frontEnd.logIn('demo', 'demo-password');
  });

  afterAll(async () => {
    bucket.destroy();
    await programs.close();
    await roundRobin.close();
    await sandbox.close();
    await Promise.all([redis.stop(), s3.stop()]);
  });

  it(
    'finish every job exactly once while a gateway is stopped and a queue function killed',
    async () => {
      const startedAt = performance.now();
      const ended = new Map<OrderedJob, PolledStatus>();
      const failures = endSomeAfter(() => ended.size);
      const load = { over: false };
      const logins = logInUntil(load);
      await runAll(orderJobs(), ended);
      load.over = true;
      await logins;
      const seconds = (performance.now() - startedAt) / 1000;
      await failures;
      const total = 3 * JOBS_PER_KIND;
      const { requests, retried } = frontEnd.tally;
      process.stdout.write(
        `replicas: ${total} jobs in ${seconds.toFixed(1)} s (${(total / seconds).toFixed(1)}/s), ${requests} GraphQL ` +
          `requests, ${retried} retried, ${roundRobin.passedOn} passed on to another replica\n`,
      );

      expect(frontEnd.tally.failures).toEqual([]);
      expect(ended.size).toBe(total);
      for (const status of ended.values()) expect(status).toMatchObject({ status: 'Success', errors: null });
      expectEffectsOnce();
      await expectReports([...ended.values()].flatMap(({ key }) => key ?? []));
      await expectEmptyQueue();
      expect(sandbox.journal.contractViolations()).toEqual([]);
      // Everybody had a part in it.
      expect(new Set(gateways.map(({ url }) => url)).size).toBe(3);
      for (const gateway of gateways) expect(await gateway.output()).toContain('"event":"job.finished"');
      for (const queueFunction of queueFunctions)
        expect(await queueFunction.output()).toContain('"event":"delivery.done"');
    },
    IN_TIME,
  );

  /** The jobs of all kinds, mixed. */
  function orderJobs(): OrderedJob[] {
    return Array.from({ length: JOBS_PER_KIND }, (_, index): OrderedJob[] => [
      {
        kind: 'accounts',
        index,
        value: [
          createAccount(`replica-${index}-a`),
          createAccount(`replica-${index}-b`),
          updateAccount(`replica-${index}-a`, { name: 'renamed' }),
        ],
      },
      { kind: 'mobiles', index, value: mobilesOf(index).map((id) => ({ id, name: `${id} of job ${index}` })) },
      {
        kind: 'reports',
        index,
        value: {
          date: '2026-11-19T00:00:00+09:00',
          drivers: [{ mobileId: String(index + 1), employeeCode: `E-${index}`, employeeName: `運転 ${index}` }],
        },
      },
    ]).flat();
  }

  /** No mobile is in two jobs. */
  function mobilesOf(index: number): number[] {
    return Array.from({ length: MOBILES_PER_JOB }, (_, item) => MOBILES_PER_JOB * index + item + 1);
  }

  /** Starts all jobs, and polls each of them until it has ended. */
  async function runAll(jobs: readonly OrderedJob[], ended: Map<OrderedJob, PolledStatus>): Promise<void> {
    const waiting = [...jobs];
    const underWay: { readonly order: OrderedJob; readonly jobId: string }[] = [];
    const startJobs = async (): Promise<void> => {
      for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
        const { job } = await frontEnd.ask<{ job: { jobId: string } }>(OPERATIONS[order.kind].start, {
          value: order.value,
        });
        underWay.push({ order, jobId: job.jobId });
      }
    };
    const pollJobs = async (): Promise<void> => {
      await waitFor(
        'all jobs to end',
        async () => {
          const next = underWay.shift();
          if (next !== undefined) {
            const { order, jobId } = next;
            const { status } = await frontEnd.ask<{ status: PolledStatus }>(OPERATIONS[order.kind].poll, { jobId });
            if (status.completed) ended.set(order, status);
            else underWay.push(next);
          }
          return ended.size === jobs.length;
        },
        IN_TIME,
      );
    };
    await Promise.all([...Array.from({ length: STARTERS }, startJobs), ...Array.from({ length: POLLERS }, pollJobs)]);
  }

  async function logInUntil(load: { readonly over: boolean }): Promise<void> {
    await waitFor(
      'the load to be over',
      async () => {
        await frontEnd.logIn('demo', 'demo-password');
        return load.over;
      },
      IN_TIME,
    );
  }

  /** Stops a gateway in good order and kills a queue function with whatever it has in hand. */
  async function endSomeAfter(endedJobs: () => number): Promise<void> {
    await waitFor('some jobs to end', () => endedJobs() >= ENDED_BEFORE_FAILURES, IN_TIME);
    const [gateway] = gateways;
    gateway?.signal('SIGTERM');
    await queueFunctions[0]?.kill();
    expect(endedJobs()).toBeLessThan(2 * JOBS_PER_KIND);
    await waitFor('the gateway to stop', () => gateway?.isRunning() === false);
    expect(gateway?.exitCode()).toBe(0);
  }

  function expectEffectsOnce(): void {
    const { journal } = sandbox;
    const accounts = Array.from({ length: JOBS_PER_KIND }, (_, index) => index);
    const created = journal.effects('userAccountCreated').map(({ loginId }) => loginId);
    expect(created.toSorted()).toEqual(
      accounts.flatMap((index) => [`replica-${index}-a`, `replica-${index}-b`]).toSorted(),
    );
    const updated = journal.effects('userAccountUpdated').map(({ loginId }) => loginId);
    expect(updated.toSorted()).toEqual(accounts.map((index) => `replica-${index}-a`).toSorted());
    for (const index of accounts) {
      const effects = journal
        .effects()
        .filter((effect) => 'loginId' in effect && effect.loginId.startsWith(`replica-${index}-`));
      expect(effects.map(({ kind }) => kind)).toEqual([
        'userAccountCreated',
        'userAccountCreated',
        'userAccountUpdated',
      ]);
    }
    const names = journal.effects('mobileUpdated').map(({ id, patch }) => ({ id, name: patch.name }));
    expect(names.toSorted((left, right) => left.id - right.id)).toEqual(
      accounts.flatMap((index) => mobilesOf(index).map((id) => ({ id, name: `${id} of job ${index}` }))),
    );
  }

  async function expectReports(keys: readonly string[]): Promise<void> {
    const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    expect(keys).toHaveLength(JOBS_PER_KIND);
    expect(Contents.map(({ Key }) => Key).toSorted()).toEqual(keys.toSorted());
    for (const key of keys) {
      const { Body } = await bucket.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
      const { pages } = await readPdf((await Body?.transformToByteArray()) ?? new Uint8Array());
      expect(pages.join('\n')).toMatch(/E-\d/);
    }
    const { Uploads = [] } = await bucket.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
    expect(Uploads).toEqual([]);
  }

  /** What the killed queue function had in hand is delivered again when its locks have run out. */
  async function expectEmptyQueue(): Promise<void> {
    const connection = redis.client();
    const queue = new Queue('jobs', { connection, prefix: '{gateway}' });
    try {
      await waitFor('the queue to be empty', async () => {
        const counts = await queue.getJobCounts('wait', 'active', 'delayed', 'prioritized');
        return Object.values(counts).every((count) => count === 0);
      });
      expect(await queue.getFailedCount()).toBe(0);
    } finally {
      await queue.close();
      connection.disconnect();
    }
  }
});
