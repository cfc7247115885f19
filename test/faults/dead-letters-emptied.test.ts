/** An operator empties dead letters, and no later order of a user is undone, with the effects counted at backend-api. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { startCallbackProxy } from '../support/callback-proxy.js';
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

const engines = requireTool('redis-server') ? (['embedded', 'in Redis'] as const) : (['embedded'] as const);

describe.each(engines)('With jobs %s, dead letters', (where) => {
  const redis = where === 'embedded' ? undefined : forAllTests(() => startRedis());
  const proxy = forAllTests(startCallbackProxy);
  const gateway = forAllTests(() => {
    const stores = redis && { REDIS_URL: redis.url };
    return startTestGateway({ ...backendEnvironment(sandbox), ...stores, ...proxy.environment }, { sandbox });
  });
  afterEach(() => proxy.answer('forward'));

  const jobs = (...args: string[]) => {
    const stores = redis ? { REDIS_URL: redis.url } : { DATA_DIR: gateway.dataDir };
    return runJobsCommand(args, stores, gateway.dataDir);
  };

  const order = (id: number, name: string) => startJob(gateway, 'mobiles', [{ id, name }]);

  /** Orders a job that becomes a dead letter before anything of it is done. */
  async function dies(id: number, name: string): Promise<string> {
    proxy.answer({ status: 422 });
    const { jobId } = await order(id, name);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({
      status: 'Failure',
      errors: ['The job could not be delivered. Order it again.'],
    });
    proxy.answer('forward');
    return jobId;
  }

  const names = (): readonly unknown[] => sandbox.journal.effects('mobileUpdated').map(({ patch }) => patch.name);

  it('are replayed unless the user has ordered again, and dropped or replayed by their id', async () => {
    const overtaken = await dies(1, 'old name');
    const again = await order(1, 'new name');
    await finishedJob(gateway, 'mobiles', again.jobId);
    // A dead letter behind that order is not concerned.
    const lost = await dies(2, 'late name');

    const replayed = await jobs('replay', '--all');
    expect(replayed).toMatchObject({ code: 0, stderr: '' });
    expect(replayed.stdout).toContain(`Job ${overtaken} is left out: mobiles was ordered again`);
    expect(replayed.stdout).toContain(`Job ${lost} is delivered again.`);
    await waitFor('the replayed job', () => names().includes('late name'));
    expect(names()).toEqual(['new name', 'late name']);

    expect(await jobs('drop', overtaken, '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect((await jobs('list')).stdout).toBe('There are no dead letters.\n');
    expect((await jobs('replay', overtaken)).code).toBe(1);
    expect(await finishedJob(gateway, 'mobiles', overtaken)).toMatchObject({ status: 'Failure' });

    const named = await dies(3, 'by its id');
    await finishedJob(gateway, 'mobiles', (await order(3, 'since then')).jobId);
    expect(await jobs('replay', named)).toMatchObject({ code: 0 });
    await waitFor('the job that was named', () => names().includes('by its id'));
    expect(names()).toEqual(['new name', 'late name', 'since then', 'by its id']);
  });
});
