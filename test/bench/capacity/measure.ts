import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { createLogger } from '../../../src/logger.js';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { BuiltPrograms, type ServingProgram } from '../../support/built-programs.js';
import type { ChildProgram } from '../../support/child-program.js';
import { BACKEND_KEY, backendEnvironment, graphqlAt, PRODUCTION_ENVIRONMENT } from '../../support/gateway.js';
import { DRIVING_REPORT, MOBILES } from '../../support/job-requests.js';
import { startRedis } from '../../support/redis-server.js';
import { OPERATIONS } from '../../support/started-jobs.js';
import { waitFor } from '../../support/wait-for.js';
import type { Cost, Costs } from './costs.js';
import { memoryMbOf, processorMsOf } from './process-figures.js';

const LIST = `{ mobiles(first: 50) { edges { node {
  id num name position { latitude longitude speedKmh address } voice { online talkGroup }
} } pageInfo { hasNextPage endCursor } } }`;
const LOGIN = 'mutation { userLogin(loginId: "demo", password: "demo-password") { session { accessToken } } }';

/** Items of the small and of the large job whose difference is the cost of an item. */
const SIZES = { small: 1, large: 200 } as const;
/** Drivers of the small and of the large report. */
const DRIVERS = { small: 1, large: 40 } as const;
const IDLE_MS = 10_000;
/** What is done behind a reply is over then. */
const QUIET_MS = 300;
/** Requests under way at a time: how a gateway is used, and not how long one takes. */
const AT_ONCE = 8;

/** What stands between the clients and the backends. */
interface Site {
  readonly gateway: ServingProgram;
  readonly queueFunction: ChildProgram;
  readonly redis: Redis;
  readonly sandbox: Sandbox;
  /** What backends were asked so far. */
  readonly asked: { keyFetches: number; backendCalls: number };
}

/** Runs one gateway, one queue function and a Redis that syncs every write, and measures what each kind of work costs. */
export async function measureCosts(log: (line: string) => void): Promise<Costs> {
  const programs = await BuiltPrograms.open();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gateway-capacity-'));
  const server = await startRedis({ appendOnly: true, port: 'tcp' });
  const redis = server.client();
  const logger = createLogger({ level: 'silent', pretty: false });
  const sandbox = await startSandbox({ logger, backendApiKey: BACKEND_KEY });
  try {
    const env = {
      ...PRODUCTION_ENVIRONMENT,
      ...backendEnvironment(sandbox),
      REDIS_URL: server.url,
      DATA_DIR: dataDir,
      JOBS_MAX_OPEN_PER_ORG: '10000',
    };
    const gateway = await programs.startGateway(env);
    const queueFunction = await programs.startQueueFunction({ ...env, GATEWAY_URL: gateway.url });
    const asked = { keyFetches: 0, backendCalls: 0 };
    return await measureAt({ gateway, queueFunction, redis, sandbox, asked }, log);
  } finally {
    redis.disconnect();
    await programs.close();
    await sandbox.close();
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
}

async function measureAt(site: Site, log: (line: string) => void): Promise<Costs> {
  const { gateway, queueFunction, redis, sandbox } = site;
  const callbackKey = PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '';
  const bearer = `Bearer ${await sandbox.mintToken()}`;
  const graphql = async (query: string, variables?: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { data, text } = await graphqlAt(gateway.url)(query, variables, bearer);
    if (data === undefined || data === null || text.includes('"errors":[')) throw new Error(text);
    return data;
  };
  let jobs = 0;
  const startMobiles = (items: number) => async (): Promise<string> => {
    jobs += 1;
    const value = Array.from({ length: items }, (_, index) => ({ id: index + 1, name: `Name ${jobs}` }));
    const { job } = await graphql(OPERATIONS.mobiles.start, { value });
    return (job as { jobId: string }).jobId; // as selected
  };
  const callback = (route: string, body: unknown) => async (): Promise<void> => {
    jobs += 1;
    const headers = {
      'content-type': 'application/json',
      'x-api-key': callbackKey,
      'x-job-id': `measured-${jobs}`,
      'x-org-id': 'acme',
    };
    const reply = await fetch(`${gateway.url}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (reply.status !== 200) throw new Error(`${route} answered ${reply.status}: ${await reply.text()}`);
  };
  const report = (drivers: number): (() => Promise<void>) =>
    callback(DRIVING_REPORT, {
      date: new Date(Date.now() - 86_400_000).toISOString().replace(/T.*/, 'T00:00:00+09:00'),
      drivers: Array.from({ length: drivers }, (_, index) => ({
        mobileId: String(index + 1),
        employeeCode: `E-${index}`,
        employeeName: `Driver ${index}`,
      })),
    });

  const measure = async (name: string, count: number, run: () => Promise<unknown>, atOnce = AT_ONCE): Promise<Cost> => {
    // What runs for the first time costs several times as much.
    await repeat(count, run, atOnce);
    await settled();
    const before = await figuresOf(site);
    await repeat(count, run, atOnce);
    await settled();
    const after = await figuresOf(site);
    const cost = mapCost((key) => Math.max(0, after[key] - before[key]) / count);
    log(`${name}: ${JSON.stringify(mapCost((key) => round(cost[key])))}`);
    return cost;
  };
  /** Queue function and gateway after the last order; jobs that are delivered meanwhile belong to it. */
  const settled = async (quietMs = QUIET_MS): Promise<void> => {
    await waitFor(
      'the queue to be empty',
      async () => (await redis.exists('{gateway}:jobs:wait', '{gateway}:jobs:active')) === 0,
      300_000,
    );
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  };

  // More at once of one account would be refused, as if somebody guessed passwords.
  const login = await measure('login', 1_000, () => graphql(LOGIN), 2);
  const list = await measure('list', 2_000, () => graphql(LIST));
  const polled = await startMobiles(1)();
  await settled();
  const poll = await measure('poll', 6_000, () => graphql(OPERATIONS.mobiles.poll, { jobId: polled }));
  const whole = await measure('ordered job of one item', 500, startMobiles(SIZES.small));
  const small = await measure('called job of one item', 1_000, callback(MOBILES, itemsOf(SIZES.small)));
  const large = await measure('called job of many items', 40, callback(MOBILES, itemsOf(SIZES.large)));
  const smallReport = await measure('report of one driver', 150, report(DRIVERS.small));
  const largeReport = await measure('report of many drivers', 20, report(DRIVERS.large));
  await settled(1_000);
  const idleBefore = await figuresOf(site);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idleAfter = await figuresOf(site);

  const item = per(large, small, SIZES.large - SIZES.small);
  const page = per(largeReport, smallReport, DRIVERS.large - DRIVERS.small);
  // What ordering adds to a job that is only called: mutation, queue and queue function.
  const ordering = mapCost((key) => Math.max(0, whole[key] - small[key]));
  const perSecond = (key: keyof Cost): number => round(((idleAfter[key] - idleBefore[key]) * 1_000) / IDLE_MS);
  return {
    measured: [
      `${new Date().toISOString().slice(0, 10)}, commit ${gitDescription()}`,
      `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores; Node.js ${process.version}`,
      'one gateway, one queue function, simulated backends and a Redis that syncs every write, on the same cores',
    ],
    work: rounded({
      login,
      list,
      start: ordering,
      poll,
      job: mapCost((key) => Math.max(0, small[key] - item[key])),
      item,
      report: mapCost((key) => Math.max(0, smallReport[key] - page[key])),
      page,
    }),
    idle: { redisCommands: perSecond('redisCommands'), redisMs: perSecond('redisMs') },
    memoryMb: { gateway: memoryMbOf(gateway.pid), queueFunction: memoryMbOf(queueFunction.pid) },
  };
}

function itemsOf(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Renamed ${index}` }));
}

async function repeat(count: number, run: () => Promise<unknown>, atOnce: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await run();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** What everybody has used and asked for since they were started. */
async function figuresOf({ gateway, queueFunction, redis, sandbox, asked }: Site): Promise<Cost> {
  const info = `${await redis.info('cpu')}${await redis.info('stats')}`;
  const figure = (name: string): number => Number(new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]);
  // The journal keeps the last of them only.
  const requests = sandbox.journal.requests();
  asked.keyFetches += requests.filter(({ operation }) => operation === 'getPublicKeys').length;
  asked.backendCalls += requests.length;
  sandbox.journal.clear();
  return {
    gatewayMs: processorMsOf(gateway.pid),
    queueFunctionMs: processorMsOf(queueFunction.pid),
    redisMs: (figure('used_cpu_user') + figure('used_cpu_sys')) * 1_000,
    redisCommands: figure('total_commands_processed'),
    ...asked,
  };
}

function per(large: Cost, small: Cost, count: number): Cost {
  return mapCost((key) => Math.max(0, large[key] - small[key]) / count);
}

function mapCost(value: (key: keyof Cost) => number): Cost {
  return {
    gatewayMs: value('gatewayMs'),
    queueFunctionMs: value('queueFunctionMs'),
    redisMs: value('redisMs'),
    redisCommands: value('redisCommands'),
    keyFetches: value('keyFetches'),
    backendCalls: value('backendCalls'),
  };
}

function rounded(work: Costs['work']): Costs['work'] {
  const entries = Object.entries(work).map(([kind, cost]) => [kind, mapCost((key) => round(cost[key]))]);
  return Object.fromEntries(entries) as Costs['work']; // the same keys
}

/** To three significant figures. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}

function gitDescription(): string {
  return spawnSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).stdout.trim() || 'unknown';
}
