/** Bounds of the open and running jobs of an organisation, and how it makes way for another one. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { REDIS_ACL } from '../../src/jobs/engines/redis/redis-faults.js';
import { signCallback } from '../../src/jobs/record/callback-signature.js';
import { entriesOf } from '../support/captured-log.js';
import type { Hold } from '../support/test-sandbox.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts, jobHeaders, MOBILES, reportOf, USER_ACCOUNTS } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, forEachTest } from '../support/resources.js';
import { finishedJob, pollJob, requestStart, startJob } from '../support/started-jobs.js';
import { startBackends, startSharedGround } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const SECRET = randomBytes(32);

const backends = forAllTests(startBackends);
const ground = forEachTest(() => startSharedGround(backends));

/** @param redis where jobs are kept; embedded when left out */
function limitsHold(redis?: { readonly url: string }): void {
  // `test/contract/organisation-jobs-contract.ts` asks every engine the same.
  const itOnOneEngine = redis === undefined ? it : (): void => undefined;
  let gateway: TestGateway;
  async function start(environment: Parameters<typeof startTestGateway>[0]): Promise<void> {
    gateway = closeAfterTest(
      await startTestGateway({ ...ground.environment, ...(redis && { REDIS_URL: redis.url }), ...environment }, ground),
    );
  }

  const rename = (id: number): object[] => [{ id, name: 'Renamed' }];
  const globex = (): Promise<string> => gateway.bearer({ loginId: 'globex-admin' });
  const ended = (jobId: string): Promise<boolean> =>
    waitFor('the other job to end', async () => (await pollJob(gateway, 'mobiles', jobId, await globex())).completed);
  const holdMobiles = (org: string): Hold =>
    ground.sandbox.faults.hold({ operation: 'updateMobile', match: (target) => target.org === org });

  itOnOneEngine('refuses a job beyond JOBS_MAX_OPEN_PER_ORG in words for people, and nobody else', async () => {
    await start({ JOBS_MAX_OPEN_PER_ORG: '2' });
    const held = holdMobiles('acme');
    const accepted = [await startJob(gateway, 'mobiles', rename(1)), await startJob(gateway, 'mobiles', rename(2))];
    const { data, errors } = await requestStart(gateway, 'mobiles', rename(3));
    expect(data).toEqual({ job: null });
    expect(errors).toMatchObject([
      {
        message:
          'Your organisation already has as many unfinished jobs as it may have. Try again when one of them has ended.',
        path: ['job'],
        extensions: { code: 'TooManyRequests', status: 429, retryAfterSeconds: 30, path: ['job'] },
      },
    ]);
    await startJob(gateway, 'mobiles', rename(1_001), await globex());
    held.release();
    for (const { jobId } of accepted) await finishedJob(gateway, 'mobiles', jobId);
    await startJob(gateway, 'mobiles', rename(3));
    expect(ground.sandbox.journal.effects('mobileUpdated').map(({ id }) => id)).not.toContain(4);
  });

  itOnOneEngine(
    'refuses what is ordered too fast, and what would be kept beyond the bound, and the log names it',
    async () => {
      await start({ BULK_MAX_ITEMS: '2', REPORT_MAX_DRIVERS: '2', ITEMS_MAX_PER_MINUTE_PER_ORG: '50' });
      const refusal = async () => {
        const { errors = [] } = await requestStart(gateway, 'mobiles', rename(3));
        const [{ reason = '', retryAfterSeconds = 0 } = {}] = errors.map(
          ({ extensions }) => extensions as { reason?: string; retryAfterSeconds?: number }, // as the error table says
        );
        return { reason, retryAfterSeconds };
      };
      const nearLimits = (): readonly object[] => entriesOf(gateway.logged(), 'organisation.near_limit');
      for (const id of [1, 2, 3, 4]) {
        expect(nearLimits()).toEqual([]);
        await startJob(gateway, 'mobiles', rename(id));
      }
      expect(nearLimits()).toMatchObject([{ org: 'acme', reason: 'TooManyOrders', share: 0.8 }]);
      await startJob(gateway, 'mobiles', rename(5));
      const { reason, retryAfterSeconds } = await refusal();
      expect([reason, retryAfterSeconds > 30, retryAfterSeconds <= 60]).toEqual(['TooManyOrders', true, true]);
      await startJob(gateway, 'mobiles', rename(1_001), await globex());
      await gateway.close();

      await start({ JOBS_MAX_KEPT_BYTES_PER_ORG: '5000' });
      let kept = await refusal();
      for (let orders = 0; kept.reason === ''; orders += 1) {
        expect(orders).toBeLessThan(20);
        await waitFor('all to have ended', async () => {
          const { data } = await gateway.graphql(
            '{ jobs(state: FINISHED) { edges { node { jobId } } } }',
            {},
            await gateway.bearer(),
          );
          return (data?.['jobs'] as { edges: unknown[] }).edges.length === 6 + orders;
        });
        kept = await refusal();
      }
      expect([kept.reason, kept.retryAfterSeconds > 6 * 86_400]).toEqual(['TooManyKeptJobs', true]);
      expect(gateway.logged()).toMatch(
        /"org":"acme","reason":"TooManyKeptJobs","share":[\d.]+,"event":"organisation.near_/,
      );
    },
  );

  it('has what it ordered done by a gateway with lower limits, which hold for the next orders and for other callbacks', async () => {
    const orders = {
      reports: reportOf(1, 2),
      accounts: createAccounts(`lowered-${randomUUID()}`, 2),
      mobiles: [1, 2].flatMap(rename),
    };
    await start({ SHUTDOWN_DRAIN_SECONDS: '0' });
    const operations = ['getDrivingRecord', 'createUserAccount', 'updateMobile'] as const;
    const holds = operations.map((operation) => ground.sandbox.faults.hold({ operation }));
    const kinds = Object.keys(orders) as (keyof typeof orders)[]; // as written above
    const jobs = await Promise.all(
      kinds.map(async (kind) => ({ kind, ...(await startJob(gateway, kind, orders[kind])) })),
    );
    await Promise.all(holds.map((hold) => hold.held()));
    await gateway.close();
    for (const hold of holds) hold.release();
    const lowered = { BULK_MAX_ITEMS: '1', REPORT_MAX_DRIVERS: '1', CALLBACK_MAX_BODY_BYTES: '40' };
    await start({
      ...lowered,
      ...(redis === undefined && { CALLBACK_SIGNING_SECRET: `whsec_${SECRET.toString('base64')}` }),
    });
    for (const { kind, jobId } of jobs) {
      expect(await finishedJob(gateway, kind, jobId)).toMatchObject({ status: 'Success', progress: { done: 2 } });
    }
    const { errors = [] } = await requestStart(gateway, 'mobiles', orders.mobiles);
    expect(errors.map(({ extensions }) => extensions.reason)).toEqual(['TooManyItems']);
    const long = await requestStart(gateway, 'mobiles', [{ id: 1, name: 'x'.repeat(40) }]);
    expect(long.errors?.map(({ message }) => message)).toEqual([
      'The request body is too large. The limit is 40 bytes (CALLBACK_MAX_BODY_BYTES).',
    ]);
    for (const body of [orders.mobiles, [{ id: 1 }, { id: 2 }]]) {
      const [jobId, text] = [randomUUID(), JSON.stringify(body)];
      const signature = signCallback([SECRET], { org: 'acme', jobId }, text, Date.now());
      const headers = { ...jobHeaders(jobId), ...(redis === undefined && signature) };
      expect((await gateway.callback(MOBILES, text, headers)).status).toBe(413);
    }
  });

  it('stops what runs beyond the bound when another organisation waits; nothing is done twice', async () => {
    await start({ JOBS_MAX_RUNNING_PER_ORG: '1' });
    const prefix = `gives-way-${randomUUID()}`;
    const [oldest, newest] = [createAccounts(`${prefix}-a`, 3), createAccounts(`${prefix}-b`, 100)];
    const headers = { oldest: jobHeaders(randomUUID()), newest: jobHeaders(randomUUID()) };
    const { faults } = ground.sandbox;
    const held = faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-a-1` });
    // A hundred of them take far longer than the other organisation needs to come.
    const fault = { kind: 'slow', milliseconds: 300 } as const;
    faults.set({
      operation: 'createUserAccount',
      match: ({ loginId }) => loginId?.startsWith(`${prefix}-b`) ?? false,
      fault,
    });
    const first = gateway.callback(USER_ACCOUNTS, oldest, headers.oldest);
    await held.held();
    const second = gateway.callback(USER_ACCOUNTS, newest, headers.newest);
    await waitFor('the newest to run', () =>
      ground.sandbox.journal.effects('userAccountCreated').some(({ loginId }) => loginId.startsWith(`${prefix}-b`)),
    );
    // A job waits for as long as its own organisation runs another one outside of the queue.
    const other = holdMobiles('globex');
    const outside = gateway.callback(MOBILES, rename(1_002), jobHeaders(randomUUID(), 'globex'));
    await other.held();
    const { jobId } = await startJob(gateway, 'mobiles', rename(1_001), await globex());

    const stopped = await second;
    expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([503, '1']);
    const { completed, progress } = await pollJob(gateway, 'accounts', headers.newest['x-job-id'] ?? '');
    expect([completed, progress.done > 0, progress.done < 100]).toEqual([false, true, true]);
    expect((await gateway.callback(USER_ACCOUNTS, newest, headers.newest)).status).toBe(503);
    held.release();
    expect((await first).status).toBe(200);
    other.release();
    expect((await outside).status).toBe(200);
    await ended(jobId);
    faults.clear();
    const resumed = await gateway.callback(USER_ACCOUNTS, newest, headers.newest);
    expect(resumed.status).toBe(200);
    const created = ground.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId);
    expect(created.filter((loginId) => loginId.startsWith(`${prefix}-b`))).toEqual(
      newest.map(({ userAccountInput }) => userAccountInput.loginId),
    );
    expect(gateway.logged()).toContain('"event":"job.gave_way"');
  });
}

describe('an organisation, with embedded jobs', () => limitsHold());

describeWith(['redis-server'], 'an organisation, with jobs in Redis', () => {
  /** Those of the page for operators, and of the error when one is missing. */
  const [commands = '', ...keys] = Array.from(REDIS_ACL.matchAll(/`([^`]+)`/g), ([, right = '']) => right);
  const redis = forEachTest(() => startRedis({ rights: [...commands.split(' '), ...keys.map((key) => `~${key}`)] }));
  limitsHold(redis);

  it('fills no Redis with jobs that have ended: another one is served when it may order no more', async () => {
    await redis.call('CONFIG', 'SET', 'maxmemory', '16mb');
    const gateway = closeAfterTest(await startTestGateway({ ...ground.environment, REDIS_URL: redis.url }, ground));
    // Failures make records large.
    const fault = { kind: 'status', status: 404, body: { message: 'x'.repeat(500) } } as const;
    ground.sandbox.faults.set({ operation: 'updateMobile', match: ({ org }) => org === 'acme', fault });
    const items = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: 'Renamed' }));
    for (let reason = ''; reason !== 'TooManyKeptJobs';) {
      const { data, errors = [] } = await requestStart(gateway, 'mobiles', items);
      const job = data?.['job'] as { readonly jobId: string } | null; // as selected
      reason = errors[0]?.extensions.reason ?? '';
      if (job === null) expect(reason).toBe('TooManyKeptJobs');
      else await finishedJob(gateway, 'mobiles', job.jobId);
    }
    const { jobId } = await startJob(
      gateway,
      'mobiles',
      [{ id: 1_001 }],
      await gateway.bearer({ loginId: 'globex-admin' }),
    );
    await waitFor('the job of another one to end', async () => {
      const globex = await gateway.bearer({ loginId: 'globex-admin' });
      return (await pollJob(gateway, 'mobiles', jobId, globex)).completed;
    });
  });
});
