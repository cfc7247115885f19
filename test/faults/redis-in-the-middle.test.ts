import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import { createAccounts, DRIVING_REPORT, jobHeaders, MOBILES, reportOf } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { chooseSeed } from '../support/seed.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { deliverAccounts, deliverUntilHandled, expectEveryAccountOnce } from './replicas.js';

const ITEMS = 60;
const UPDATES = 300;
const LEASE_SECONDS = 1;

describeWith(['redis-server'], 'In the middle of a job, a Redis', () => {
  const sandbox = forAllTests(startBackends);
  const server = forAllTests(() => startRedis({ appendOnly: true }));
  const start = (): Promise<TestGateway> =>
    startTestGateway(
      { REDIS_URL: server.url, JOB_LEASE_SECONDS: String(LEASE_SECONDS) },
      { production: true, sandbox },
    );
  const gateways = [forAllTests(start), forAllTests(start)] as const;

  afterEach(async () => {
    sandbox.faults.clear();
    sandbox.journal.clear();
    await server.recover();
    // A gateway that still reconnects refuses the first delivery of the next test, which waits for what comes of it.
    for (const gateway of gateways) {
      await waitFor('readiness', async () => (await gateway.rest('GET', '/health/ready?strict=true')).status === 200);
    }
  });

  it('that is killed three times repeats no account, and only those updates of mobiles that it had not written down', async () => {
    const random = randomFrom(chooseSeed('kills of Redis'));
    const [jobId, mobilesId] = [randomUUID(), randomUUID()];
    const items = createAccounts(jobId, ITEMS);
    // The names say which update it was.
    const names = Array.from({ length: UPDATES }, (_, index) => `${mobilesId} ${index}`);
    const updates = names.map((name, index) => ({ id: index + 1, name }));
    let turn = 0;
    const either = (): Promise<TestGateway> => Promise.resolve(gateways[turn++ % 2 === 0 ? 0 : 1]);
    const handled = deliverUntilHandled(either, jobId, items);
    const updated = deliverUntilHandled(either, mobilesId, updates, MOBILES);
    // The note of the first update is written during the second one, and before the third.
    await sandbox.journal.waitFor({ operation: 'updateMobile' }, 3);
    for (const third of [0, 20, 40]) {
      await sandbox.journal.waitFor({ operation: 'createUserAccount' }, random.integer(third + 1, third + 18));
      await server.kill();
      await server.restart();
    }
    const reply = await handled;
    expectEveryAccountOnce(sandbox.journal, jobId, items, reply.text);
    expect(await deliverUntilHandled(either, jobId, items)).toEqual({ ...reply, replayed: true });

    expect(JSON.parse((await updated).text)).toEqual({ status: 'Success' });
    const made = sandbox.journal.effects('mobileUpdated').map(({ patch }) => names.indexOf(patch.name ?? ''));
    const again = made.flatMap((index, at) => (at > 0 && index <= (made[at - 1] ?? 0) ? [index] : []));
    // Each attempt goes on where a note survived, of which there is one of the first update at least.
    expect(again).not.toContain(0);
    expect(made.filter((index, at) => !made.slice(0, at).includes(index))).toEqual([...names.keys()]);
  });

  it('that becomes read-only stops the job, which goes on where it was when writing is possible again', async () => {
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
    expect((await deliverAccounts(gateway.url, jobId, items))?.status).toBe(503);
    expect(sandbox.journal.effects('userAccountCreated').length).toBeLessThan(ITEMS);

    await client.replicaof('NO', 'ONE');
    client.disconnect();
    const reply = await deliverUntilHandled(() => Promise.resolve(gateway), jobId, items);
    expectEveryAccountOnce(sandbox.journal, jobId, items, reply.text);
  });

  it('that hangs for longer than the lease leaves one owner, and nothing is done twice', async () => {
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
  });

  it('that does not know the end of a report that was stored leaves one PDF and one table with the same bytes', async () => {
    const [gateway] = gateways;
    const jobId = randomUUID();
    const deliver = (): Promise<Reply> => gateway.callback(DRIVING_REPORT, reportOf(1, 2), jobHeaders(jobId));
    const directory = path.join(gateway.dataDir, 'objects');
    const files = async (): Promise<string[]> => {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      // Beside the time by which files grow old.
      const stored = entries.filter((entry) => entry.isFile() && entry.name !== 'clock.json');
      return stored.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
    };
    const first = await deliver();
    expect(first).toMatchObject({ status: 200, body: { errorList: null } });
    const stored = await files();
    expect(stored).toEqual(
      ['pdf', 'csv'].map((type) => expect.stringMatching(`/org/acme/2026-11-19/${jobId}\\.${type}$`)),
    );
    const bytes = await Promise.all(stored.map((file) => readFile(file)));

    // As if the process had died behind the upload: the record does not know that the job was done.
    const client = server.client();
    const key = `job:{driving-reports:acme:${jobId}}`;
    await client.hset(key, { completed: 0, state: 'running' });
    await client.hdel(key, 'callback_result_status', 'callback_result_body', 'finished_at');
    for (const file of stored) await writeFile(file, 'something else');
    const second = await deliver();
    expect(await client.hget(key, 'attempt')).toBe('2');
    client.disconnect();
    expect([second.text, second.headers.get('x-job-replayed')]).toEqual([first.text, null]);
    expect(await Promise.all(stored.map((file) => readFile(file)))).toEqual(bytes);
    expect(await files()).toEqual(stored);
  });
});
