/**
 * A backend whose port is closed for 20 seconds in the middle of jobs, as while it is restarted: no item fails, and each
 * is done once. All jobs wait through the same 20 seconds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultTarget, Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { accepts } from '../support/child-program.js';
import { backendEnvironment, graphqlAt, PRODUCTION_ENVIRONMENT, startTestGateway } from '../support/gateway.js';
import { createAccounts, type AccountItem } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import type { JobGateway, StartedKind } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { requireTool } from '../support/system-tools.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';
import { together } from './together.js';
import { WatchedJob } from './watched-job.js';

const AWAY_MS = 20_000;
const STARTUP_MS = 120_000;
/** Long enough for everything on a busy machine. */
const LIMIT_MS = 240_000;

const CREATES = 1_000;
const ITEMS = 300;
const MIDDLE = ITEMS / 4;

const updates = Array.from({ length: ITEMS }, (_, index) => ({
  id: index === MIDDLE ? 101 : 1 + (index % 5),
  name: `Name ${index}`,
}));
const drivers = Array.from({ length: ITEMS }, (_, index) => ({
  mobileId: String(index === MIDDLE ? 102 : 1 + (index % 5)),
  employeeCode: `E-${index}`,
  employeeName: '佐藤 健一',
}));

/** Whether a request is for the item that a job is in the middle of when the port is closed. */
const isInTheMiddle = ({ mobileId = '', loginId = '' }: FaultTarget): boolean =>
  ['101', '102'].includes(mobileId) || [`embedded-${MIDDLE}`, `shared-${MIDDLE}`].includes(loginId);

/** A gateway, and how it is ended. */
interface Started {
  readonly gateway: JobGateway;
  close(): Promise<void>;
}

/** Jobs in Redis, with the programs as they are deployed. */
async function startPrograms(sandbox: Sandbox, environment: NodeJS.ProcessEnv): Promise<Started> {
  const [programs, redis] = await Promise.all([BuiltPrograms.open(), startRedis({ port: 'tcp' })]);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'restart-in-a-job-'));
  const shared = { ...environment, ...PRODUCTION_ENVIRONMENT, REDIS_URL: redis.url };
  const { url } = await programs.startGateway({ ...shared, DATA_DIR: dataDir });
  await programs.startQueueFunction({ ...shared, GATEWAY_URL: url });
  return {
    gateway: { graphql: graphqlAt(url), bearer: async () => `Bearer ${await sandbox.mintToken()}` },
    async close() {
      await programs.close();
      await redis.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

describe('backend-api, its port closed for 20 seconds in the middle of jobs,', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let sandbox: Sandbox;
  let line: TcpProxy;
  let embedded: JobGateway;
  let shared: JobGateway | undefined;

  beforeAll(async () => {
    sandbox = await startBackends();
    line = await startTcpProxy(Number(new URL(sandbox.backendApiUrl).port));
    closing.push(
      () => sandbox.close(),
      () => line.close(),
    );
    const environment = {
      ...backendEnvironment(sandbox),
      BACKEND_API_URL: `http://127.0.0.1:${line.port}`,
      JOB_PATIENCE_SECONDS: '60',
      // Users are recognised while backend-api is away.
      PUBLIC_KEY_MAX_AGE_SECONDS: '3600',
    };
    const gateway = await startTestGateway(environment, { sandbox });
    closing.push(() => gateway.close());
    embedded = gateway;
    if (!requireTool('redis-server')) return;
    const programs = await startPrograms(sandbox, environment);
    closing.push(() => programs.close());
    shared = programs.gateway;
  }, STARTUP_MS);

  afterAll(async () => {
    sandbox.faults.clear();
    for (const close of closing.reverse()) await close();
  }, STARTUP_MS);

  it(
    'costs no update, no driver and no account, and each is done once',
    async () => {
      const watch = (gateway: JobGateway, kind: StartedKind, value: unknown): Promise<WatchedJob> =>
        WatchedJob.start(gateway, kind, value, LIMIT_MS);
      const middle = sandbox.faults.hold({ match: isInTheMiddle });
      const creates = { embedded: createAccounts('embedded', CREATES), shared: createAccounts('shared', ITEMS) };
      const jobs = await Promise.all([
        watch(embedded, 'accounts', creates.embedded),
        watch(embedded, 'mobiles', updates),
        watch(embedded, 'reports', { date: '2026-11-19T00:00:00+09:00', drivers }),
        ...(shared ? [watch(shared, 'accounts', creates.shared)] : []),
      ]);
      await middle.held(jobs.length);

      await line.shut();
      // What was under way may still take effect; nobody hears of it.
      middle.release();
      expect(await accepts(line.port)).toBe(false);
      const since = performance.now();
      await together([delay(AWAY_MS), ...jobs.map((job) => job.standsStill(since))]);
      await waitFor('the port to be free', () =>
        line.reopen().then(
          () => true,
          () => false,
        ),
      );

      await together(jobs.map(({ ended }) => ended));
      const [accounts, mobiles, report, sharedAccounts] = await Promise.all(jobs.map(({ ended }) => ended));
      for (const job of jobs) job.expectSteadyProgress();
      const done = { status: 'Success', errors: null };
      expect(accounts).toMatchObject({ ...done, createdUserAccountId: idsOf('embedded', creates.embedded) });
      if (shared) {
        expect(sharedAccounts).toMatchObject({ ...done, createdUserAccountId: idsOf('shared', creates.shared) });
      }
      expect(mobiles).toMatchObject({ ...done, progress: { done: ITEMS, total: ITEMS } });
      expect(report).toMatchObject({ ...done, errorList: null, progress: { done: ITEMS, total: ITEMS } });
      const updated = sandbox.journal.effects('mobileUpdated').map(({ patch }) => patch.name);
      expect(withoutRepetition(updated)).toEqual(updates.map(({ name }) => name));
    },
    LIMIT_MS,
  );

  /** Fails unless each account was created once and in order. @returns the ids they got */
  function idsOf(prefix: string, items: readonly AccountItem[]): number[] {
    const created = sandbox.journal
      .effects('userAccountCreated')
      .filter(({ loginId }) => loginId.startsWith(`${prefix}-`));
    expect(created.map(({ loginId }) => loginId)).toEqual(
      items.map(({ userAccountInput }) => userAccountInput.loginId),
    );
    return created.map(({ id }) => id);
  }
});

/** Of an update in doubt, which is repeated, the first effect. */
function withoutRepetition(names: readonly (string | undefined)[]): (string | undefined)[] {
  return names.filter((name, index) => name !== names[index - 1]);
}
