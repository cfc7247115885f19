/** An operator empties dead letters or cancels a job, and no order is undone; effects are counted at backend-api. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { startCallbackProxy } from '../support/callback-proxy.js';
import { isInstalled, startFauxqs } from '../support/fauxqs.js';
import { backendEnvironment, startTestGateway } from '../support/gateway.js';
import { runJobsCommand } from '../support/jobs-command.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { requireTool } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const sandbox = forAllTests(startBackends);
afterEach(() => sandbox.journal.clear());

const onRedis = requireTool('redis-server') ? ['in Redis', ...(isInstalled() ? ['on Amazon SQS'] : [])] : [];

describe.each(['embedded', ...onRedis])('With jobs %s, dead letters', (where) => {
  const redis = where === 'embedded' ? undefined : forAllTests(() => startRedis());
  const sqs = where === 'on Amazon SQS' ? forAllTests(startFauxqs) : undefined;
  const queue = sqs && forAllTests(() => sqs.createQueue());
  const proxy = forAllTests(startCallbackProxy);
  const stores = () => ({ ...(redis && { REDIS_URL: redis.url }), ...(queue && { SQS_QUEUE_URL: queue.url }) });
  const gateway = forAllTests(() => {
    const environment = { ...backendEnvironment(sandbox), ...stores(), ...proxy.environment };
    return startTestGateway({ ...environment, JOB_PATIENCE_SECONDS: '240' }, { sandbox });
  });
  afterEach(() => proxy.answer('forward'));

  const jobs = (...args: string[]) => runJobsCommand(args, { ...stores(), DATA_DIR: gateway.dataDir }, gateway.dataDir);
  const order = async (id: number, name: string) => (await startJob(gateway, 'mobiles', [{ id, name }])).jobId;

  /** Orders jobs that wait until all are ordered, and become dead letters before anything of them is done. */
  async function dies(id: number, ...names: readonly string[]): Promise<readonly string[]> {
    proxy.answer({ status: 503, headers: { 'retry-after': '1' } });
    const jobIds: string[] = [];
    for (const name of names) jobIds.push(await order(id, name));
    proxy.answer({ status: 422 });
    for (const jobId of jobIds) {
      expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({
        status: 'Failure',
        errors: ['The job could not be delivered. Order it again.'],
      });
      // Its record says so before its message lies among the dead letters.
      await waitFor('the dead letter', async () => (await jobs('list', '--json')).stdout.includes(jobId));
    }
    proxy.answer('forward');
    return jobIds;
  }

  const names = (): readonly unknown[] => sandbox.journal.effects('mobileUpdated').map(({ patch }) => patch.name);

  it('are replayed unless the user has ordered again, done or dead, and dropped or replayed by their id', async () => {
    const [overtaken = ''] = await dies(1, 'old name');
    await finishedJob(gateway, 'mobiles', await order(1, 'new name'));
    // The last dead letter behind that order is not concerned.
    const [older = '', lost = ''] = await dies(1, 'older name', 'late name');

    const replayed = await jobs('replay', '--all');
    expect(replayed).toMatchObject({ code: 0, stderr: '' });
    expect(replayed.stdout).toContain(`Job ${lost} is delivered again.`);
    await waitFor('the replayed job', () => names().includes('late name'));
    expect(names()).toEqual(['new name', 'late name']);

    for (const jobId of [overtaken, older]) {
      expect(replayed.stdout).toContain(`Job ${jobId} is left out: mobiles was ordered again`);
      expect(await jobs('drop', jobId, '--yes')).toMatchObject({ code: 0, stderr: '' });
    }
    expect((await jobs('list')).stdout).toBe('There are no dead letters.\n');
    expect((await jobs('replay', overtaken)).code).toBe(1);
    expect(await finishedJob(gateway, 'mobiles', overtaken)).toMatchObject({ status: 'Failure' });

    const [named = ''] = await dies(3, 'by its id');
    await finishedJob(gateway, 'mobiles', await order(3, 'since then'));
    expect(await jobs('replay', named)).toMatchObject({ code: 0 });
    await waitFor('the job that was named', () => names().includes('by its id'));
    expect(names()).toEqual(['new name', 'late name', 'since then', 'by its id']);
  });

  it('are not made of a job that is cancelled in an outage, which has done what came before and does no more', async () => {
    const over = sandbox.faults.set({ operation: 'updateMobile', mobileId: '7', fault: { kind: 'down' } });
    const { jobId } = await startJob(
      gateway,
      'mobiles',
      [6, 7, 8].map((id) => ({ id, name: `name ${id}` })),
    );
    await sandbox.journal.waitFor({ operation: 'updateMobile' }, 3);
    expect(await jobs('cancel', jobId, '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({
      status: 'Failure',
      errors: [expect.stringMatching(/^\[1\]/), expect.stringMatching(/^\[2\].*the job was cancelled$/)],
    });
    over();
    await finishedJob(gateway, 'mobiles', await order(9, 'afterwards'));
    expect(names()).toEqual(['name 6', 'afterwards']);
    expect((await jobs('list')).stdout).toBe('There are no dead letters.\n');
  });
});
