/** A gateway that is asked to end while backends or stores hold what it waits for. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms, type ServingProgram } from '../support/built-programs.js';
import { BACKEND_KEY, backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders, MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const REPORT = {
  date: '2026-11-19T00:00:00+09:00',
  drivers: [{ mobileId: '1', employeeCode: 'E-1', employeeName: 'Driver 1' }],
};

/** What each operation of a backend is called for. */
const CALLS: Readonly<
  Record<string, { readonly graphql: string } | { readonly callback: string; readonly body: unknown }>
> = {
  login: { graphql: 'mutation { userLogin(loginId: "demo", password: "wrong") { otpRequired } }' },
  refreshToken: { graphql: 'mutation { refreshUserToken(refreshToken: "r") { expiresIn } }' },
  sendOtp: { graphql: 'mutation { sendOtp(loginId: "demo") { sentTo } }' },
  sendTestOtp: { graphql: 'mutation { sendTestOtp(loginId: "test") { sentTo } }' },
  verifyOtp: { graphql: 'mutation { verifyOtp(loginId: "demo", code: "1") { expiresIn } }' },
  getMobile: { graphql: '{ mobile(id: 1) { name } }' },
  listTags: { graphql: '{ tags { name } }' },
  listUserAccounts: { graphql: '{ userAccounts { edges { node { id } } } }' },
  reverseGeocode: { graphql: '{ mobiles(first: 2) { edges { node { position { address } } } } }' },
  getPresence: { graphql: '{ mobiles(first: 3) { edges { node { voice { online } } } } }' },
  lookupMobiles: { graphql: 'mutation { startBulkUpdateMobile(items: [{ id: 1, name: "n" }]) { jobId } }' },
  getDrivingRecord: { callback: DRIVING_REPORT, body: REPORT },
  updateMobile: { callback: MOBILES, body: [{ id: 1, name: 'n' }] },
  createUserAccount: {
    callback: USER_ACCOUNTS,
    body: [{ type: 0, userAccountInput: { loginId: 'new', password: 'p', name: 'n' } }],
  },
};

let sandbox: Sandbox;
let programs: BuiltPrograms;
let dataDir: string;

beforeAll(async () => {
  programs = await BuiltPrograms.open();
  dataDir = await mkdtemp(join(tmpdir(), 'hung-shutdown-'));
  const logger = createLogger({ level: 'silent', pretty: false });
  sandbox = await startSandbox({ logger, backendApiKey: BACKEND_KEY });
});
afterEach(() => sandbox.faults.clear());
afterAll(async () => {
  await programs.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true });
});

function startGateway(environment: NodeJS.ProcessEnv = {}): Promise<ServingProgram> {
  return programs.startGateway({
    ...PRODUCTION_ENVIRONMENT,
    ...backendEnvironment(sandbox),
    ALLOW_TEST_OTP: 'true',
    BACKEND_TIMEOUT_SECONDS: '60',
    REQUEST_TIMEOUT_SECONDS: '60',
    SHUTDOWN_DRAIN_SECONDS: '1',
    DATA_DIR: dataDir,
    ...environment,
  });
}

/** Sends what leads to a call, without waiting for an answer, which may never come. */
async function send(gateway: ServingProgram, operation: string): Promise<void> {
  const call = CALLS[operation];
  if (call === undefined) throw new Error(`Nothing calls ${operation}.`);
  const [path, headers, body] =
    'graphql' in call
      ? ['/graphql', { authorization: `Bearer ${await sandbox.mintToken()}` }, { query: call.graphql }]
      : [
          call.callback,
          { 'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '', ...jobHeaders(randomUUID()) },
          call.body,
        ];
  void fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }).catch(() => undefined);
}

/** How long a gateway takes to end, in milliseconds. */
async function timeToEnd(gateway: ServingProgram): Promise<number> {
  const signalledAt = performance.now();
  gateway.signal('SIGTERM');
  await waitFor('the process to end', () => !gateway.isRunning());
  return performance.now() - signalledAt;
}

it('ends in time, every step of it, whichever call to a backend hangs', async () => {
  const gateway = await startGateway();
  const holds = Object.keys(CALLS).map((operation) => sandbox.faults.hold({ operation }));
  for (const operation of Object.keys(CALLS)) await send(gateway, operation);
  await Promise.all(holds.map((hold) => hold.held()));
  // What follows needs keys no more.
  const keys = sandbox.faults.hold({ operation: 'getPublicKeys' });
  void fetch(`${gateway.url}/.well-known/jwks.json`).catch(() => undefined);
  await keys.held();
  // The steps of a process with nothing to do, a second to drain, and what is cut off after that.
  expect(await timeToEnd(gateway)).toBeLessThan(10_000);
  expect(await gateway.output()).toMatch(/"unfinished":\[\][^\n]*"event":"program.stopped"/);
  expect(gateway.exitCode()).toBe(0);
});

describeWith(['redis-server'], 'with a Redis that has stopped answering', () => {
  it('ends in time and names the steps that did not', async () => {
    const redis = await startRedis({ port: 'tcp' });
    try {
      const gateway = await startGateway({ REDIS_URL: redis.url });
      redis.pause();
      await send(gateway, 'updateMobile');
      // Each step has its own time, of which the longest is 7 s here.
      expect(await timeToEnd(gateway)).toBeLessThan(20_000);
      const [, unfinished = ''] =
        /"unfinished":\[([^\]]*)\][^\n]*"event":"program.stopped"/.exec(await gateway.output()) ?? [];
      expect(gateway.exitCode()).toBe(unfinished === '' ? 0 : 1);
    } finally {
      await redis.stop();
    }
  });
});
