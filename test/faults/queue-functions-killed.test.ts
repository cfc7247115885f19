import { afterAll, expect, it } from '@jest/globals';
import { describeOnSqs, startFauxqs, type Fauxqs, type TestQueue } from '../support/fauxqs.js';
import { createAccounts } from '../support/job-requests.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { expectEveryAccountOnce } from './account-judge.js';
import { IN_TIME, killedQueueFunctions } from './killed-queue-functions.js';

describeWith(['redis-server'], 'A queue function', () => {
  const site = killedQueueFunctions('queue-function.ts', () => Promise.resolve({ environment: {}, args: [] }));

  it(
    'killed between the reply and its acknowledgement loses nothing, and nothing is done twice',
    async () => {
      const { gateway, proxy, redis, startFunction } = site();
      const first = await startFunction();
      const items = createAccounts('unacknowledged', 20);
      proxy.answer('forward-and-hold', 'forward');
      const { jobId } = await startJob(gateway, 'accounts', items);
      // The gateway has replied; the queue function will never know.
      const reply = await waitFor('the reply', () => proxy.replies[0], IN_TIME);
      expect(JSON.parse(reply.body)).toMatchObject({ status: 'Success' });
      await first.kill();
      expect(await pollJob(gateway, 'accounts', jobId)).toMatchObject({ completed: true, status: 'Success' });

      await startFunction();
      const again = await waitFor('the redelivery', () => proxy.replies[1], IN_TIME);
      expect([reply.status, again.status, again.body]).toEqual([200, 200, reply.body]);
      expect([reply, again].map(({ headers }) => headers['x-job-replayed'])).toEqual([undefined, 'true']);
      const status = await finishedJob(gateway, 'accounts', jobId);
      expect(expectEveryAccountOnce(gateway.sandbox.journal, jobId, items, again.body)).toEqual({ repeated: 0 });
      const ids = gateway.sandbox.journal.effects('userAccountCreated').map(({ id }) => id);
      expect(status).toMatchObject({ status: 'Success', createdUserAccountId: ids, progress: { done: 20, total: 20 } });
      // The message is acknowledged in the end.
      const client = redis.client();
      await waitFor(
        'the queue to be empty',
        async () => (await client.keys('{gateway}:jobs:user-accounts*')).length === 0,
      );
      client.disconnect();
      expect(proxy.replies).toHaveLength(2);
    },
    IN_TIME,
  );
});

describeOnSqs('A queue function on Amazon SQS', () => {
  let sqs: Fauxqs;
  let queue: TestQueue;
  const site = killedQueueFunctions('sqs-queue-function.ts', async (directory) => {
    sqs = await startFauxqs();
    queue = await sqs.createQueue();
    // Whoever finds the job running is told to wait for as long as its lease.
    return { environment: { JOB_LEASE_SECONDS: '3', SQS_QUEUE_URL: queue.url }, args: [queue.url, directory] };
  });
  afterAll(() => sqs.stop());

  it(
    'killed in the middle of a job has its message delivered again, and nothing is done twice',
    async () => {
      const { gateway, proxy, startFunction } = site();
      const first = await startFunction();
      const items = createAccounts('in-the-middle', 5);
      const hold = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'in-the-middle-2' });
      const { jobId } = await startJob(gateway, 'accounts', items);
      await hold.held();
      await first.kill();
      // The gateway goes on with the job; the next queue function is told to come again.
      const second = await startFunction();
      await waitFor('the redelivery', () => proxy.calls.length >= 2, IN_TIME);
      hold.release();
      expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Success' });
      await waitFor('the queue to be empty', async () => (await queue.size()) === 0, IN_TIME);
      const created = gateway.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId);
      expect(created).toEqual(items.map(({ userAccountInput }) => userAccountInput.loginId));
      await waitFor('its line', async () => (await second.output()).includes('"event":"delivery.done"'));
      expect(new Set(proxy.calls.map(({ headers }) => headers['x-job-id']))).toEqual(new Set([jobId]));
    },
    IN_TIME,
  );
});
