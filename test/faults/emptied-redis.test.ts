/** Redis loses everything under two gateways: one of them says so, once, and what is ordered from then on is done once. */
import { expect, it, jest } from '@jest/globals';
import { MARK } from '../../src/engines/redis/mark.js';
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

describeWith(['redis-server'], 'A Redis that is emptied', () => {
  // Each gateway has to be able to read the jobs of the other.
  const ground = forAllTests(() => startSharedGround());
  const server = forAllTests(() => startRedis({ appendOnly: true }));
  const start = (): Promise<TestGateway> =>
    startTestGateway({ ...ground.environment, REDIS_URL: server.url, METRICS_PORT: '0' }, { sandbox: ground.sandbox });
  const gateways = [forAllTests(start), forAllTests(start)] as const;
  const client = forAllTests(() => server.client());

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

  it('is told once, in the log and in the metrics, and not at the first start', async () => {
    const [gateway, other] = gateways;
    const before = await startJob(gateway, 'mobiles', [{ id: 1, name: 'Before' }]);
    await finishedJob(other, 'mobiles', before.jobId, IN_TIME);
    expect([lines(), await counted()]).toEqual([[], 0]);
    const hold = ground.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'cut-0' });
    const cut = await startJob(gateway, 'accounts', createAccounts('cut', 3));
    await hold.held();

    await client.flushall();
    hold.release();
    await bothLook();
    expect([lines(), await counted()]).toEqual([[expect.objectContaining({ level: 'error' })], 1]);
    const asked = [requestStatus(other, 'mobiles', before.jobId), requestStatus(other, 'accounts', cut.jobId)];
    const codes = (await Promise.all(asked)).flatMap(({ errors }) => errors?.map(({ extensions }) => extensions.code));
    expect(codes).toEqual(['NotFound', 'NotFound']);
    const { jobId } = await startJob(other, 'mobiles', [{ id: 4, name: 'After' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId, IN_TIME)).toMatchObject({ status: 'Success' });
    await bothLook();
    expect([lines().length, await counted()]).toEqual([1, 1]);
    // The job that was cut off began no further item.
    expect(ground.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId)).toEqual(['cut-0']);
    expect(ground.sandbox.journal.effects('mobileUpdated').map(({ id }) => id)).toEqual([1, 4]);
  });
});
