/** Passwords are at rest nowhere in clear, and the keys that see to that can be changed without losing a job. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { startCallbackProxy, type CallbackProxy } from '../support/callback-proxy.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  createAccount,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  outcomeOf,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { startBackends, startSharedGround, type SharedGround } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

const PASSWORD = 'Correct-Horse_7!バッテリー';

let proxy: CallbackProxy;
let backends: Sandbox;
let ground: SharedGround;

beforeAll(async () => {
  backends = await startBackends();
});
beforeEach(async () => {
  [proxy, ground] = await Promise.all([startCallbackProxy(), startSharedGround(backends)]);
});
afterEach(async () => {
  await proxy.close();
  await ground.close();
});
afterAll(() => backends.close());

/** Files under a directory that hold a text in one of the ways in which it could be kept without encryption. */
async function filesWith(directory: string, text: string): Promise<string[]> {
  const forms = [
    Buffer.from(text),
    Buffer.from(JSON.stringify(text).slice(1, -1)),
    Buffer.from(text, 'utf16le'),
    Buffer.from(
      Buffer.from(text)
        .toString('base64')
        .replace(/.{2}=*$/, ''),
    ),
    Buffer.from(Buffer.from(text).toString('hex')),
  ];
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (forms.some((form) => bytes.includes(form))) found.push(entry.name);
  }
  return found;
}

/** The password is nowhere; the job's id, which may be, is found, so the search does look at the right files. */
async function expectPasswordHidden(gateway: TestGateway, jobId: string): Promise<void> {
  expect(await filesWith(gateway.dataDir, jobId)).not.toEqual([]);
  expect(await filesWith(gateway.dataDir, PASSWORD)).toEqual([]);
  expect(gateway.logged()).toContain(jobId);
  for (const part of [PASSWORD, JSON.stringify(PASSWORD).slice(1, -1), 'Correct-Horse']) {
    expect(gateway.logged()).not.toContain(part);
  }
}

describe('the passwords of an account job', () => {
  const items = [
    createAccount('secret-0', { password: PASSWORD }),
    updateAccount('secret-0', { password: PASSWORD }),
    createAccount('secret-0', { password: PASSWORD }),
    deleteAccount('secret-0'),
  ];

  it('are in no file and not in the log: while it waits, while it runs, and when it has ended', async () => {
    const gateway = await startTestGateway({ ...ground.environment, ...proxy.environment, LOG_LEVEL: 'trace' }, ground);
    try {
      proxy.answer({ status: 503, headers: { 'retry-after': '1' } }, 'forward');
      const held = ground.sandbox.faults.hold({ operation: 'updateUserAccount' });
      const { jobId } = await startJob(gateway, 'accounts', items);
      await waitFor('the first delivery', () => proxy.calls.length > 0);
      await expectPasswordHidden(gateway, jobId);
      await held.held();
      await expectPasswordHidden(gateway, jobId);
      held.release();
      expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({
        errors: ['[2] secret-0: loginId is taken'],
      });
      await expectPasswordHidden(gateway, jobId);
      // They did reach backend-api.
      const login = await gateway.graphql(
        'mutation($password: String!) { userLogin(loginId: "demo", password: $password) { otpRequired } }',
        { password: PASSWORD },
      );
      expect(login.errors?.[0]?.extensions.code).toBe('InvalidCredentials');
      await expectPasswordHidden(gateway, jobId);
    } finally {
      await gateway.close();
    }
  });

  it('are in no file and not in the log when it is a dead letter', async () => {
    const gateway = await startTestGateway({ ...ground.environment, ...proxy.environment, LOG_LEVEL: 'trace' }, ground);
    try {
      proxy.answer({ status: 422, body: { message: 'no' } });
      const { jobId } = await startJob(gateway, 'accounts', items);
      expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Failure' });
      await expectPasswordHidden(gateway, jobId);
    } finally {
      await gateway.close();
    }
  });

  it('are in no file and not in the log when they come with a callback, be it refused or not', async () => {
    const gateway = await startTestGateway({ ...ground.environment, LOG_LEVEL: 'trace' }, ground);
    try {
      const jobId = randomUUID();
      const faulty = [createAccount('x', { password: PASSWORD, isAdmin: PASSWORD })];
      const refused = await gateway.callback(USER_ACCOUNTS, faulty, jobHeaders(jobId));
      expect(refused.status).toBe(400);
      expect(refused.text).not.toContain('Correct-Horse');
      const cut = await gateway.callback(USER_ACCOUNTS, JSON.stringify(faulty).slice(0, -5), jobHeaders(jobId));
      expect([cut.status, cut.text.includes('Correct-Horse')]).toEqual([400, false]);
      expect((await gateway.callback(USER_ACCOUNTS, items, jobHeaders(jobId))).status).toBe(200);
      expect((await gateway.callback(USER_ACCOUNTS, items.slice(1), jobHeaders(jobId))).status).toBe(422);
      await expectPasswordHidden(gateway, jobId);
    } finally {
      await gateway.close();
    }
  });
});

describe('after JOB_ENCRYPTION_KEY was rotated to "new,old"', () => {
  const [oldKey, newKey] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  const before = { JOB_ENCRYPTION_KEY: oldKey };
  const after = { JOB_ENCRYPTION_KEY: `${newKey},${oldKey}` };

  it('a message that was sealed with the old key is delivered', async () => {
    const first = await startTestGateway({ ...before, ...proxy.environment }, ground);
    proxy.answer({ status: 503, headers: { 'retry-after': '1' } });
    const { jobId } = await startJob(first, 'accounts', [createAccount('sealed', { password: PASSWORD })]);
    await waitFor('a delivery', () => proxy.calls.length > 0);
    await first.close();

    const second = await startTestGateway(after, ground);
    try {
      expect(await finishedJob(second, 'accounts', jobId)).toMatchObject({
        status: 'Success',
        createdUserAccountId: [expect.any(Number)],
      });
    } finally {
      await second.close();
    }
  });

  it('without the old key that message waits for it: nothing is lost, and its poller sees a job that is pending', async () => {
    const first = await startTestGateway({ ...before, ...proxy.environment }, ground);
    proxy.answer({ status: 503, headers: { 'retry-after': '1' } });
    const { jobId } = await startJob(first, 'mobiles', [{ id: 1, name: 'sealed' }]);
    await waitFor('a delivery', () => proxy.calls.length > 0);
    await first.close();

    const second = await startTestGateway({ JOB_ENCRYPTION_KEY: newKey }, ground);
    try {
      await waitFor('the message to be put off', () => second.logged().includes('"event":"delivery.delayed"'), 60_000);
      expect(await pollJob(second, 'mobiles', jobId)).toMatchObject({ state: 'PENDING', completed: false });
      expect(ground.sandbox.journal.effects()).toEqual([]);
    } finally {
      await second.close();
    }
  });

  it('fingerprints and derived ids of the old key still match, and its download links still work', async () => {
    const named = jobHeaders(randomUUID());
    const report = { date: '2026-11-19T00:00:00Z', drivers: [] };
    const first = await startTestGateway(before, ground);
    const byId = await first.callback(MOBILES, [{ id: 1, name: 'by id' }], named);
    const byContent = await first.callback(MOBILES, [{ id: 2, name: 'by content' }], { 'x-org-id': 'acme' });
    await first.callback(DRIVING_REPORT, report, jobHeaders('linked'));
    const { downloadUrl } = await pollJob(first, 'reports', 'linked');
    await first.close();

    const second = await startTestGateway(after, ground);
    try {
      const again = await second.callback(MOBILES, [{ id: 1, name: 'by id' }], named);
      expect(outcomeOf(again)).toEqual({ status: 200, text: byId.text, replayed: 'true' });
      expect((await second.callback(MOBILES, [{ id: 1, name: 'other' }], named)).status).toBe(422);
      const same = await second.callback(MOBILES, [{ id: 2, name: 'by content' }], { 'x-org-id': 'acme' });
      expect(outcomeOf(same)).toEqual({ status: 200, text: byContent.text, replayed: 'true' });
      expect(same.headers.get('x-job-id')).toBe(byContent.headers.get('x-job-id'));
      const { pathname, search } = new URL(downloadUrl ?? '');
      expect((await fetch(`${second.url}${pathname}${search}`)).status).toBe(200);
      // A new job is accepted.
      const fresh = await second.callback(MOBILES, [], { 'x-org-id': 'acme' });
      expect(outcomeOf(fresh)).toMatchObject({ status: 200, replayed: null });
    } finally {
      await second.close();
    }
  });
});
