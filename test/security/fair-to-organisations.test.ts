/**
 * One organisation orders as much as its limits allow, and another one a single change, over the programs as they are
 * deployed.
 */
import { describe, expect, it, jest } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { graphqlAt, productionAt } from '../support/gateway.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { startRouter } from '../support/router.js';
import { OPERATIONS, type PolledStatus, type StartedKind } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import type { TestSandbox } from '../support/test-sandbox.js';
import { waitFor } from '../support/wait-for.js';

/** Reports beyond those that can be drawn at once. */
const WAITING = 2;
/** Enough that all of them together take far longer than anything else here. */
const DRIVERS = 75;
/** The jobs of an organisation that run while another one has work. */
const BESIDE_OTHERS = 2;
/** Time that a busy machine may add. */
const SLACK_MS = 4_000;
jest.setTimeout(600_000);

/** A day of so many drivers, each of a mobile of `acme`. */
function report(): object {
  const drivers = Array.from({ length: DRIVERS }, (_, index) => ({
    mobileId: String(index + 1),
    employeeCode: `E${index}`,
    employeeName: `Driver ${index}`,
  }));
  return { date: '2024-05-17T00:00:00+09:00', drivers };
}

/** Data of an operation, asked for again where the interface says that it may be. @throws {Error} anything else */
type Ask = <T>(query: string, variables?: object) => Promise<T>;

const asker =
  (url: string, bearer: string): Ask =>
  <T>(query: string, variables: object = {}) =>
    waitFor('the service to be available', async () => {
      const { data, errors = [], text } = await graphqlAt(url)(query, variables, bearer);
      if (errors.length === 0) return data as T; // as the caller selected
      if (errors.some(({ extensions }) => extensions.code !== 'ServiceUnavailable')) throw new Error(text);
      return undefined;
    });

async function orderReports(ask: Ask, count: number): Promise<string[]> {
  const order = async (): Promise<string> =>
    (await ask<{ job: { jobId: string } }>(OPERATIONS.reports.start, { value: report() })).job.jobId;
  return Promise.all(Array.from({ length: count }, order));
}

async function statusOf(ask: Ask, kind: StartedKind, jobId: string): Promise<PolledStatus> {
  return (await ask<{ status: PolledStatus }>(OPERATIONS[kind].poll, { jobId })).status;
}

/** Changes one mobile. @returns milliseconds from the acceptance of the job to its end, by the store's clock */
async function changeOneMobile(ask: Ask): Promise<number> {
  const value = [{ id: 1_001, name: 'Renamed' }];
  const { job } = await ask<{ job: { jobId: string } }>(OPERATIONS.mobiles.start, { value });
  const { createdAt, finishedAt, status } = await waitFor('the change', async () => {
    const polled = await statusOf(ask, 'mobiles', job.jobId);
    return polled.completed && polled;
  });
  expect(status).toBe('Success');
  return Date.parse(finishedAt ?? '') - Date.parse(createdAt);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** A deployment to ask, by its URL. */
interface Deployment {
  readonly url: string;
  /** Reports that it draws at the same time when no other organisation has work. */
  readonly hands: number;
}

function delaysNoOther(sandbox: TestSandbox, deployment: () => Deployment): void {
  it('starts the job of another organisation within two seconds, and it takes no longer than twice its time alone', async () => {
    const { url, hands } = deployment();
    const [acme, globex] = [
      asker(url, `Bearer ${await sandbox.mintToken()}`),
      asker(url, `Bearer ${await sandbox.mintToken({ loginId: 'globex-admin' })}`),
    ];
    const alone: number[] = [];
    for (let time = 0; time < 3; time += 1) alone.push(await changeOneMobile(globex));

    const jobIds = await orderReports(acme, hands + WAITING);
    const stateOf = async (state: PolledStatus['state']): Promise<number> => {
      const statuses = await Promise.all(jobIds.map((jobId) => statusOf(acme, 'reports', jobId)));
      return statuses.filter((status) => status.state === state).length;
    };
    // Alone it may use all there is.
    await waitFor('its jobs to run', async () => (await stateOf('RUNNING')) >= hands);
    const endedBefore = await stateOf('FINISHED');
    const beside = [await changeOneMobile(globex)];
    const endedMeanwhile = (await stateOf('FINISHED')) - endedBefore;
    beside.push(await changeOneMobile(globex), await changeOneMobile(globex));
    process.stdout.write(
      `fair: alone ${alone.join(' ')} ms, beside ${jobIds.length} reports ${beside.join(' ')} ms, ` +
        `${endedMeanwhile} of them ended meanwhile\n`,
    );
    expect(endedMeanwhile).toBeLessThanOrEqual(BESIDE_OTHERS);
    for (const ms of beside) expect(ms).toBeLessThan(2_000 + 2 * median(alone) + SLACK_MS);
  });
}

describe('an organisation that orders as much as it may', () => {
  const programs = forAllTests(() => BuiltPrograms.open());
  const sandbox = forAllTests(startBackends);
  const dataDir = forAllTests(temporaryDirectory);
  const environment = () => ({ ...productionAt(sandbox), DATA_DIR: dataDir.path });

  describe('with embedded jobs', () => {
    const gateway = forAllTests(
      () => programs.startGateway(environment()),
      (program) => program.kill(),
    );
    delaysNoOther(sandbox, () => ({ url: gateway.url, hands: 1 }));
  });

  describeWith(['redis-server'], 'with two gateways and a queue function on Redis', () => {
    const redis = forAllTests(() => startRedis());
    const shared = () => ({ ...environment(), REDIS_URL: redis.url });
    const gateways = [1, 2].map(() =>
      forAllTests(
        () => programs.startGateway(shared()),
        (program) => program.kill(),
      ),
    );
    const roundRobin = forAllTests(() => startRouter(gateways.map((gateway) => gateway.url)));
    forAllTests(
      () => programs.startQueueFunction({ ...shared(), GATEWAY_URL: roundRobin.url }),
      (program) => program.kill(),
    );
    delaysNoOther(sandbox, () => ({ url: roundRobin.url, hands: 8 }));
  });
});
