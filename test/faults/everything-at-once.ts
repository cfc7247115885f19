/**
 * Backends flapping, S3 refusing and hanging, Redis restarting, gateways and queue functions killed, and one
 * organisation that sends nothing but nonsense: all at once, over two gateways and two queue functions.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { BACKEND_KEY, backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { chooseSeed } from '../support/seed.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { everythingGoesWrong } from './faults-at-once.js';
import { Fleet } from './fleet.js';
import { HOSTILE, HostileOrganisation } from './hostile-organisation.js';
import { expectEverythingOnce, expectReports } from './order-judge.js';
import { accounts, largeReport, mobiles, report, SAME_FOR_ALL_DAY } from './orders.js';
import { Organisation } from './organisation.js';
import { expectNothingLeft, expectQueueSettled } from './what-is-left.js';

/** `npm run test:soak` asks for more. A round takes many times as long as one of the other suites. */
const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 1) / 5);

const BUCKET = 'reports';
const STARTUP_MS = 180_000;
/** Far more than a round takes that waits for everything there is to wait for. */
const ROUND_MS = 600_000;

/** How long backends take over an item of a job, so that jobs last as long as they do elsewhere. */
const ITEM_MS = 30;
const ITEM_OPERATIONS = new Set<string | undefined>([
  'createUserAccount',
  'updateUserAccount',
  'deleteUserAccount',
  'updateMobile',
  'getDrivingRecord',
]);

/** An unexpected error, wherever it was met. */
const UNEXPECTED =
  /"event":"(request\.failed|operation\.failed|job\.driver_failed|queue\.handler_failed|queue\.consumer_failed|shutdown\.step_\w+)"|uncaughtException|unhandledRejection/;

/** Registers the tests within the `describe` of the caller. */
export function everythingAtOnce(): void {
  let programs: BuiltPrograms;
  let redis: RedisServer;
  let s3: Radosgw;
  let s3Line: TcpProxy;
  let sandbox: Sandbox;
  let fleet: Fleet;
  let acme: Organisation;
  let globex: Organisation;

  beforeAll(async () => {
    const logger = createLogger({ level: 'silent', pretty: false });
    [programs, redis, s3, sandbox] = await Promise.all([
      BuiltPrograms.open(),
      startRedis({ port: 'tcp', appendOnly: true }),
      startRadosgw(),
      startSandbox({ logger, backendApiKey: BACKEND_KEY }),
    ]);
    await s3.createBucket(BUCKET);
    s3Line = await startTcpProxy(Number(new URL(s3.endpoint).port));
    await makeBackendsOrdinary();
    const shared = { ...PRODUCTION_ENVIRONMENT, REDIS_URL: redis.url };
    fleet = await Fleet.start(programs, {
      queueFunction: shared,
      gateway: {
        ...shared,
        ...backendEnvironment(sandbox),
        JOB_LEASE_SECONDS: '3',
        BACKEND_TIMEOUT_SECONDS: '2',
        S3_BUCKET: BUCKET,
        S3_ENDPOINT: `http://127.0.0.1:${s3Line.port}`,
        S3_REGION: s3.region,
        S3_FORCE_PATH_STYLE: 'true',
        AWS_ACCESS_KEY_ID: s3.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
      },
    });
    const { url } = fleet.roundRobin;
    acme = new Organisation('acme', { url, bearer: () => bearer({ loginId: 'demo' }) });
    globex = new Organisation('globex', { url, bearer: () => bearer({ loginId: 'globex-admin' }) });
  }, STARTUP_MS);

  afterAll(async () => {
    await programs.close();
    await fleet.roundRobin.close();
    await s3Line.close();
    await sandbox.close();
    await Promise.all([redis.stop(), s3.stop()]);
  }, STARTUP_MS);

  it(
    `every job of those who mean no harm succeeds, each item once, ${ROUNDS} times`,
    async () => {
      const seed = chooseSeed('everything at once');
      for (let round = 1; round <= ROUNDS; round += 1) await runRound(`${seed}/${round}`);
      if (ROUNDS > 1) await expectQueueSettled(redis, { empty: true });
      await expectNothingLeft({ fleet, s3, bucket: BUCKET });
      expect(await fleet.stop()).toEqual([0, 0, 0, 0]);
    },
    ROUNDS * ROUND_MS,
  );

  async function runRound(seed: string): Promise<void> {
    const startedAt = performance.now();
    const organisations = [acme, globex];
    const before = organisations.map(({ finished }) => finished.length);
    const hostile = new HostileOrganisation(seed, {
      url: fleet.roundRobin.url,
      apiKey: PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '',
      bearer: () => bearer({ claims: { 'org:id': HOSTILE, preferred_username: HOSTILE } }),
      gatewayUrls: () => fleet.gatewayUrls,
      jobIds: () => organisations.flatMap(({ finished }) => finished.map(({ jobId }) => jobId)),
    });
    const faults = new AbortController();
    const settled = new AbortController();
    const attack = hostile.attackUntil(settled.signal);
    const orders = Promise.all([
      acme.orderUntil(faults.signal, [accounts], []),
      acme.orderUntil(faults.signal, [mobiles], [11, 12, 13, 14, 15, 16, 17, 18]),
      acme.orderUntil(faults.signal, [largeReport, report], [21, 22, 23]),
      globex.orderUntil(faults.signal, [accounts], []),
      globex.orderUntil(faults.signal, [mobiles], [1001, 1002, 1003, 1004, 1005, 1006]),
      globex.orderUntil(faults.signal, [report], [1011, 1012]),
    ]);
    try {
      await everythingGoesWrong(seed, { backends: sandbox.faults, s3: s3Line, redis, fleet });
    } finally {
      faults.abort();
    }
    await orders;
    settled.abort();
    await attack;
    await expectQueueSettled(redis, { empty: false });

    expect(hostile.wrongs).toEqual([]);
    expect(fleet.diedByThemselves()).toEqual([]);
    expect((await fleet.log()).filter((line) => UNEXPECTED.test(line))).toEqual([]);
    expectEverythingOnce(organisations, sandbox.journal);
    for (const [index, organisation] of organisations.entries()) await expectReports(organisation, before[index] ?? 0);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(`round ${seed}: ${seconds} s, ${hostile.requests} hostile requests\n`);
  }

  async function bearer(overrides: Parameters<Sandbox['mintToken']>[0]): Promise<string> {
    return `Bearer ${await sandbox.mintToken(overrides)}`;
  }

  /** Everything else that is set later goes before these. */
  async function makeBackendsOrdinary(): Promise<void> {
    sandbox.faults.set({
      match: ({ operation }) => ITEM_OPERATIONS.has(operation),
      fault: { kind: 'slow', milliseconds: ITEM_MS, stage: 'reply' },
    });
    const query = new URLSearchParams({ from: '2026-11-19T00:00:00+09:00', to: '2026-11-20T00:00:00+09:00' });
    const response = await fetch(`${sandbox.backendApiUrl}/v1/mobiles/21/driving-record?${query.toString()}`, {
      headers: { 'x-api-key': BACKEND_KEY, 'x-org-id': 'acme' },
    });
    sandbox.faults.set({
      operation: 'getDrivingRecord',
      match: ({ query: { from } }) => typeof from === 'string' && from.startsWith(SAME_FOR_ALL_DAY),
      fault: { kind: 'status', status: 200, body: await response.json() },
    });
  }
}
