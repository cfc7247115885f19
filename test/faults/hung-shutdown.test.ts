/** A gateway that is asked to end while backends or stores hold what it waits for. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { BuiltPrograms, type ServingProgram } from '../support/built-programs.js';
import { callBack, postJson, productionAt } from '../support/gateway.js';
import {
  createAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  reportOf,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { startSharedGround } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

/** Requests that lead to a call of each operation of a backend: of GraphQL, or a callback with its body. */
const CALLS: Readonly<Record<string, string | readonly [path: string, body: object]>> = {
  login: 'mutation { userLogin(loginId: "demo", password: "wrong") { otpRequired } }',
  refreshToken: 'mutation { refreshUserToken(refreshToken: "r") { expiresIn } }',
  sendOtp: 'mutation { sendOtp(loginId: "demo") { sentTo } }',
  sendTestOtp: 'mutation { sendTestOtp(loginId: "test") { sentTo } }',
  verifyOtp: 'mutation { verifyOtp(loginId: "demo", code: "1") { expiresIn } }',
  getMobile: '{ mobile(id: 1) { name } }',
  listTags: '{ tags { name } }',
  listUserAccounts: '{ userAccounts { edges { node { id } } } }',
  reverseGeocode: '{ mobiles(first: 2) { edges { node { position { address } } } } }',
  getPresence: '{ mobiles(first: 3) { edges { node { voice { online } } } } }',
  lookupMobiles: 'mutation { startBulkUpdateMobile(items: [{ id: 1, name: "n" }]) { jobId } }',
  getDrivingRecord: [DRIVING_REPORT, reportOf(1)],
  updateMobile: [MOBILES, [{ id: 1, name: 'n' }]],
  createUserAccount: [USER_ACCOUNTS, [createAccount('new')]],
};

const programs = forAllTests(() => BuiltPrograms.open());
const ground = forAllTests(startSharedGround);

afterEach(() => ground.sandbox.faults.clear());

function startGateway(environment: NodeJS.ProcessEnv): Promise<ServingProgram> {
  return programs.startGateway({
    ...productionAt(ground.sandbox),
    ALLOW_TEST_OTP: 'true',
    // Longer than a test may take.
    BACKEND_TIMEOUT_SECONDS: '3600',
    REQUEST_TIMEOUT_SECONDS: '3600',
    SHUTDOWN_DRAIN_SECONDS: '1',
    DATA_DIR: ground.dataDir,
    ...environment,
  });
}

/** @returns the status of the reply, if there ever is one */
async function send({ url }: ServingProgram, call: (typeof CALLS)[string] = ''): Promise<number | undefined> {
  const reply =
    typeof call === 'string'
      ? postJson(`${url}/graphql`, { query: call }, { authorization: `Bearer ${await ground.sandbox.mintToken()}` })
      : callBack(`${url}${call[0]}`, call[1], jobHeaders(randomUUID()));
  return reply.then(
    ({ status }) => status,
    () => undefined,
  );
}

async function end(gateway: ServingProgram): Promise<void> {
  gateway.signal('SIGTERM');
  await waitFor('the process to end', () => !gateway.isRunning());
}

it('ends in time, every step of it, whichever call to a backend hangs, and an upload to a bucket as well', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  });
  const gateway = await startGateway({
    S3_BUCKET: 'reports',
    S3_ENDPOINT: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    S3_FORCE_PATH_STYLE: 'true',
    AWS_ACCESS_KEY_ID: 'AK',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  const probes = sockets.size;
  const upload = send(gateway, [DRIVING_REPORT, reportOf()]);
  await waitFor('the upload to begin', () => sockets.size > probes);
  const holds = Object.keys(CALLS).map((operation) => ground.sandbox.faults.hold({ operation }));
  for (const call of Object.values(CALLS)) void send(gateway, call);
  await Promise.all(holds.map((hold) => hold.held()));
  // The rest needs no keys any more.
  const keys = ground.sandbox.faults.hold({ operation: 'getPublicKeys' });
  void fetch(`${gateway.url}/.well-known/jwks.json`).catch(() => undefined);
  await keys.held();
  await end(gateway);
  expect(await upload).toBe(503);
  expect(await gateway.output()).toMatch(/"unfinished":\[\][^\n]*"event":"program.stopped"/);
  expect(gateway.exitCode()).toBe(0);
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

describeWith(['redis-server'], 'with a Redis that has stopped answering', () => {
  it('ends in time and names the steps that did not', async () => {
    const redis = closeAfterTest(await startRedis());
    const gateway = await startGateway({ REDIS_URL: redis.url });
    redis.pause();
    void send(gateway, CALLS['updateMobile']);
    await end(gateway);
    const [, unfinished = ''] =
      /"unfinished":\[([^\]]*)\][^\n]*"event":"program.stopped"/.exec(await gateway.output()) ?? [];
    expect(gateway.exitCode()).toBe(unfinished === '' ? 0 : 1);
  });
});
