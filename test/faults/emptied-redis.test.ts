/** Redis loses jobs under two gateways: one of them says so, once, and what is ordered from then on is done once. */
import { appendFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { MARK, MARK_EVERY_MS } from '../../src/jobs/engines/redis/mark.js';
import { entriesOf, type LogEntry } from '../support/captured-log.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, requestStatus, startJob } from '../support/started-jobs.js';
import { startSharedGround } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { IN_TIME } from './site.js';

jest.setTimeout(2 * IN_TIME);

describeWith(['redis-server'], 'A Redis that is', () => {
  // Each gateway has to be able to read the jobs of the other.
  const ground = forAllTests(() => startSharedGround());
  const server = forAllTests(() => startRedis({ appendOnly: true }));
  const start = (): Promise<TestGateway> =>
    startTestGateway({ ...ground.environment, REDIS_URL: server.url, METRICS_PORT: '0' }, { sandbox: ground.sandbox });
  const gateways = [forAllTests(start), forAllTests(start)] as const;
  const client = forAllTests(() => server.client());
  afterEach(() => ground.sandbox.journal.clear());

  const lines = (): readonly LogEntry[] => gateways.flatMap((gateway) => entriesOf(gateway.logged(), 'store.forgot'));
  async function counted(): Promise<number> {
    const values = gateways.map(async (gateway) =>
      (await gateway.scrape()).value('gateway_log_events_total', { event: 'store.forgot' }),
    );
    return (await Promise.all(values)).reduce<number>((sum, value = 0) => sum + value, 0);
  }
  /** Both gateways have looked at the mark: each does once a minute. */
  async function bothLook(): Promise<void> {
    const times = new Set([await client.hget(MARK, 'at')]);
    const look = async (): Promise<boolean> => times.add(await client.hget(MARK, 'at')).size > gateways.length;
    await waitFor('both to look at the mark', look, IN_TIME);
  }

  /** Copies its files, with a mark as it was long ago, to beside them. @returns where they are */
  async function copyFiles(): Promise<string> {
    const [, directory = ''] = await client.config('GET', 'dir');
    const files = join(directory, 'appendonlydir');
    // So that no command is copied in part.
    server.pause();
    await cp(files, `${files}.old`, { recursive: true }).finally(() => server.resume());
    const command = ['HSET', MARK, 'at', String(Number(await client.hget(MARK, 'at')) - 2 * MARK_EVERY_MS)];
    const parts = command.map((part) => `$${part.length}\r\n${part}\r\n`);
    await appendFile(`${files}.old/appendonly.aof.1.incr.aof`, `*${parts.length}\r\n${parts.join('')}`);
    return files;
  }

  let losses = 0;
  it.each<[way: string, mark: string, lose: (files: string) => Promise<unknown>]>([
    ['emptied', 'missing', () => client.flushall()],
    ['started without its files', 'missing', (files) => server.restart(() => rm(files, { recursive: true }))],
    ['put back', 'behind', (files) => server.restart(() => cp(`${files}.old`, files, { recursive: true }))],
  ])('%s loses jobs, which is told once, in the log and in the metrics', async (way, mark, lose) => {
    const [gateway, other] = gateways;
    const files = await copyFiles();
    const before = await startJob(gateway, 'mobiles', [{ id: 1, name: 'Before' }]);
    await finishedJob(other, 'mobiles', before.jobId, IN_TIME);
    expect([lines().length, await counted()]).toEqual([losses, losses]);
    const hold = ground.sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${way}-0` });
    const cut = await startJob(gateway, 'accounts', createAccounts(way, 3));
    await hold.held();

    await lose(files);
    losses += 1;
    hold.release();
    await bothLook();
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'error', mark }));
    const asked = [requestStatus(other, 'mobiles', before.jobId), requestStatus(other, 'accounts', cut.jobId)];
    const codes = (await Promise.all(asked)).flatMap(({ errors }) => errors?.map(({ extensions }) => extensions.code));
    expect(codes).toEqual(['NotFound', 'NotFound']);
    const { jobId } = await startJob(other, 'mobiles', [{ id: 4, name: 'After' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId, IN_TIME)).toMatchObject({ status: 'Success' });
    expect([lines().length, await counted()]).toEqual([losses, losses]);
    // The job that was cut off began no further item.
    expect(ground.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId)).toEqual([`${way}-0`]);
    expect(ground.sandbox.journal.effects('mobileUpdated').map(({ id }) => id)).toEqual([1, 4]);
  });
});
