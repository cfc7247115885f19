import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts, MOBILES } from '../support/job-requests.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { chooseSeed } from '../support/seed.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { expectEveryAccountOnce } from './account-judge.js';
import { deliverAccounts, deliverUntilHandled } from './replicas.js';

const ITEMS = 60;
const LEASE_SECONDS = 1;
const IN_TIME = 240_000;

describeWith(['redis-server'], 'In the middle of a job, a Redis', () => {
  let server: RedisServer;
  let sandbox: Sandbox;
  let gateways: readonly [TestGateway, TestGateway];

  beforeAll(async () => {
    sandbox = await startBackends();
    server = await startRedis({ port: 'tcp', appendOnly: true });
    const start = (): Promise<TestGateway> =>
      startTestGateway(
        { REDIS_URL: server.url, JOB_LEASE_SECONDS: String(LEASE_SECONDS) },
        { production: true, sandbox },
      );
    gateways = [await start(), await start()];
  }, IN_TIME);

  afterEach(async () => {
    sandbox.faults.clear();
    sandbox.journal.clear();
    await server.recover();
    // A gateway that still reconnects refuses the first delivery of the next test, which waits for what comes of it.
    for (const gateway of gateways) {
      await waitFor('readiness', async () => (await gateway.rest('GET', '/health/ready?strict=true')).status === 200);
    }
  });

  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await sandbox.close();
    await server.stop();
  });

  it(
    'that is killed and restarted, three times, loses and repeats nothing',
    async () => {
      const random = randomFrom(chooseSeed('kills of Redis'));
      const jobId = randomUUID();
      const items = createAccounts(jobId, ITEMS);
      let turn = 0;
      const handled = deliverUntilHandled(() => Promise.resolve(gateways[turn++ % 2 === 0 ? 0 : 1]), jobId, items);
      for (const third of [0, 20, 40]) {
        await sandbox.journal.waitFor({ operation: 'createUserAccount' }, random.integer(third + 1, third + 18));
        await server.kill();
        await server.restart();
      }
      const reply = await handled;
      expectEveryAccountOnce(sandbox.journal, jobId, items, reply.text);
      expect(await deliverUntilHandled(() => Promise.resolve(gateways[0]), jobId, items)).toEqual({
        status: 200,
        text: reply.text,
        replayed: true,
      });
    },
    IN_TIME,
  );

  it(
    'that is killed and restarted leaves out no mobile, and has those updated again that it had not written down',
    async () => {
      const random = randomFrom(chooseSeed('kills of Redis, mobiles'));
      const jobId = randomUUID();
      // The names say which update it was.
      const names = Array.from({ length: 300 }, (_, index) => `${jobId} ${index}`);
      const items = names.map((name, index) => ({ id: index + 1, name }));
      const made = (): number[] =>
        sandbox.journal.effects('mobileUpdated').map(({ patch }) => names.indexOf(patch.name ?? ''));
      let turn = 0;
      const handled = deliverUntilHandled(
        () => Promise.resolve(gateways[turn++ % 2 === 0 ? 0 : 1]),
        jobId,
        items,
        MOBILES,
      );
      for (const third of [0, 100, 200]) {
        const killAt = random.integer(third + 10, third + 90);
        await waitFor(`update ${killAt}`, () => made().includes(killAt));
        await server.kill();
        await server.restart();
      }
      expect(JSON.parse((await handled).text)).toEqual({ status: 'Success' });

      const updates = made();
      const again = updates.flatMap((index, at) => (at > 0 && index <= (updates[at - 1] ?? 0) ? [index] : []));
      // Each attempt goes on where a note survived, of which there is one of the first update at least.
      expect(again.length).toBeGreaterThan(0);
      expect(again).not.toContain(0);
      expect(updates.filter((index, at) => !updates.slice(0, at).includes(index))).toEqual([...names.keys()]);
    },
    IN_TIME,
  );

  it(
    'that becomes read-only stops the job, which goes on where it was when writing is possible again',
    async () => {
      const jobId = randomUUID();
      const items = createAccounts(jobId, ITEMS);
      const client = server.client();
      const [gateway] = gateways;
      const held = sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${jobId}-${ITEMS / 2}` });
      const before = deliverAccounts(gateway.url, jobId, items);
      await held.held();
      // A replica of a server that does not answer: it serves what it has and takes no writes.
      await client.replicaof('127.0.0.1', 1);
      held.release();
      expect((await before)?.status).toBe(503);
      const refused = await deliverAccounts(gateway.url, jobId, items);
      expect(refused?.status).toBe(503);
      const created = sandbox.journal.effects('userAccountCreated').length;
      expect(created).toBeLessThan(ITEMS);

      await client.replicaof('NO', 'ONE');
      client.disconnect();
      const reply = await deliverUntilHandled(() => Promise.resolve(gateway), jobId, items);
      expectEveryAccountOnce(sandbox.journal, jobId, items, reply.text);
    },
    IN_TIME,
  );

  it(
    'that hangs for longer than the lease leaves one owner, and nothing is done twice',
    async () => {
      const jobId = randomUUID();
      const items = createAccounts(jobId, ITEMS);
      const [first, second] = gateways;
      const before = deliverAccounts(first.url, jobId, items);
      await sandbox.journal.waitFor({ operation: 'createUserAccount' }, ITEMS / 2);
      server.pause();
      const pausedAt = performance.now();
      const meanwhile = deliverUntilHandled(() => Promise.resolve(second), jobId, items);
      await waitFor('the lease to run out', () => performance.now() - pausedAt > 1_500 * LEASE_SECONDS);
      server.resume();
      const reply = await meanwhile;
      expectEveryAccountOnce(sandbox.journal, jobId, items, reply.text);
      // The first owner either kept the job or learned that it had lost it; there is one outcome.
      const late = await before;
      expect([200, 409, 503]).toContain(late?.status);
      if (late?.status === 200) expect(late.text).toBe(reply.text);
    },
    IN_TIME,
  );

  it(
    'that hangs while an owner waits for its backend fences that owner off',
    async () => {
      const jobId = randomUUID();
      const items = createAccounts(jobId, ITEMS);
      const [first, second] = gateways;
      const client = server.client();
      const held = sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${jobId}-30`, stage: 'reply' });
      const stale = deliverAccounts(first.url, jobId, items);
      await held.held();
      const taken = deliverUntilHandled(() => Promise.resolve(second), jobId, items);
      // As if the owner's renewals did not come through: its lease is over, and it does not know.
      const endLeaseOfFirst = `
        local attempt = redis.call('HGET', KEYS[1], 'attempt')
        if attempt == '1' then redis.call('HSET', KEYS[1], 'lease_expires_at', '1') end
        return attempt`;
      await waitFor(
        'the take-over',
        async () => (await client.eval(endLeaseOfFirst, 1, `job:{user-accounts:acme:${jobId}}`)) === '2',
      );
      held.release();
      const reply = await taken;
      client.disconnect();
      expect(expectEveryAccountOnce(sandbox.journal, jobId, items, reply.text)).toEqual({ repeated: 1 });
      expect((await stale)?.status).toBe(409);
    },
    IN_TIME,
  );
});
