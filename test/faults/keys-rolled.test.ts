/** Two gateways on one Redis, of which one has the new JOB_ENCRYPTION_KEY already, in one step. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BACKEND_KEY, startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts, jobHeaders, outcomeOf, USER_ACCOUNTS } from '../support/job-requests.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const IN_TIME = 240_000;
const [OLD, NEW] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
const [UNROLLED, ROLLED] = [OLD, `${NEW},${OLD}`];

describeWith(['redis-server'], 'while JOB_ENCRYPTION_KEY is rolled in one step', () => {
  let redis: RedisServer;
  let sandbox: Sandbox;
  beforeAll(async () => {
    redis = await startRedis({ port: 'tcp' });
    sandbox = await startSandbox({
      logger: createLogger({ level: 'silent', pretty: false }),
      backendApiKey: BACKEND_KEY,
    });
  });
  afterAll(async () => {
    await sandbox.close();
    await redis.stop();
  });

  const start = (key: string): Promise<TestGateway> =>
    startTestGateway({ REDIS_URL: redis.url, JOB_ENCRYPTION_KEY: key }, { sandbox });

  /** Accounts that were created, by login id. */
  const created = (prefix: string): readonly string[] =>
    sandbox.journal
      .effects('userAccountCreated')
      .map(({ loginId }) => loginId)
      .filter((loginId) => loginId.startsWith(prefix));

  it.each([
    ['rolled gateway, then to the other one', 'rolled', ROLLED, UNROLLED],
    ['gateway that is not rolled, then to the rolled one', 'unrolled', UNROLLED, ROLLED],
  ])(
    'a job that comes to the %s, is delayed or replayed, and done once',
    async (_order, name, firstKey, secondKey) => {
      const [first, second] = await Promise.all([start(firstKey), start(secondKey)]);
      try {
        const byId = jobHeaders(randomUUID());
        const byContent = { 'x-org-id': 'acme' };
        for (const [prefix, headers] of [
          [`${name}-id`, byId],
          [`${name}-content`, byContent],
        ] as const) {
          const items = createAccounts(prefix, 3);
          const done = await first.callback(USER_ACCOUNTS, items, headers);
          expect(done).toMatchObject({ status: 200, body: { status: 'Success' } });
          const meanwhile = await second.callback(USER_ACCOUNTS, items, headers);
          if (meanwhile.status === 200) expect(outcomeOf(meanwhile)).toEqual({ ...outcomeOf(done), replayed: 'true' });
          else expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([503, '10']);
          const finallyRolled = await start(ROLLED);
          const replay = await finallyRolled.callback(USER_ACCOUNTS, items, headers);
          await finallyRolled.close();
          expect(outcomeOf(replay)).toEqual({ ...outcomeOf(done), replayed: 'true' });
          expect(created(prefix)).toHaveLength(3);
        }
      } finally {
        await first.close();
        await second.close();
      }
    },
    IN_TIME,
  );

  it(
    'a job started at the rolled gateway waits while only the other one is there, and is done afterwards',
    async () => {
      const rolled = await start(ROLLED);
      sandbox.faults.set({ operation: 'createUserAccount', fault: { kind: 'slow', milliseconds: 1_000 } });
      const { jobId } = await startJob(rolled, 'accounts', createAccounts('waiting', 3));
      await waitFor('the job to begin', () => created('waiting').length > 0);
      const unrolled = await start(UNROLLED);
      await rolled.close();
      sandbox.faults.clear();
      try {
        await waitFor('the job to wait', () => unrolled.logged().includes('delivery.key_unknown'), IN_TIME);
      } finally {
        await unrolled.close();
      }
      const again = await start(ROLLED);
      try {
        expect(await finishedJob(again, 'accounts', jobId, IN_TIME)).toMatchObject({ status: 'Success', errors: null });
        expect(created('waiting')).toHaveLength(3);
      } finally {
        await again.close();
      }
    },
    IN_TIME,
  );
});
