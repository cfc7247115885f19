import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startCallbackProxy, type CallbackProxy } from '../support/callback-proxy.js';
import { startProgram, type ChildProgram } from '../support/child-program.js';
import { describeOnSqs, startFauxqs, type Fauxqs, type TestQueue } from '../support/fauxqs.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const IN_TIME = 240_000;
const SCRIPT = fileURLToPath(new URL('processes/sqs-queue-function.ts', import.meta.url));

describeOnSqs('A queue function on Amazon SQS', () => {
  let directory: string;
  let server: RedisServer;
  let sqs: Fauxqs;
  let queue: TestQueue;
  let proxy: CallbackProxy;
  let gateway: TestGateway;
  const functions: ChildProgram[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'queue-function-'));
    [server, sqs, proxy] = await Promise.all([startRedis({ port: 'tcp' }), startFauxqs(), startCallbackProxy()]);
    queue = await sqs.createQueue();
    // Whoever finds the job running is told to wait for as long as its lease.
    const lease = { JOB_LEASE_SECONDS: '3' };
    const environment = { ...proxy.environment, ...lease, REDIS_URL: server.url, SQS_QUEUE_URL: queue.url };
    gateway = await startTestGateway(environment, { production: true });
  }, IN_TIME);

  afterEach(async () => {
    await Promise.all(functions.splice(0).map((program) => program.stop()));
    await gateway.close();
    await Promise.all([proxy.close(), sqs.stop(), server.stop()]);
    await rm(directory, { recursive: true });
  }, IN_TIME);

  async function startFunction(): Promise<ChildProgram> {
    const { TASK_CALLBACK_API_KEY: key = '', JOB_ENCRYPTION_KEY: masterKey = '' } = PRODUCTION_ENVIRONMENT;
    const program = await startProgram(process.execPath, {
      args: [
        '--import',
        'tsx',
        SCRIPT,
        server.url,
        queue.url,
        proxy.environment.GATEWAY_URL,
        key,
        masterKey,
        directory,
      ],
      logFile: join(directory, `${functions.length}.log`),
      env: { NODE_OPTIONS: '' },
    });
    functions.push(program);
    await waitFor('the queue function', async () => (await program.output()).includes('consuming'), IN_TIME);
    return program;
  }

  it(
    'killed in the middle of a job has its message delivered again, and nothing is done twice',
    async () => {
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
      expect(await second.output()).toContain(`"event":"delivery.done"`);
      expect(new Set(proxy.calls.map(({ headers }) => headers['x-job-id']))).toEqual(new Set([jobId]));
    },
    IN_TIME,
  );
});
