import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { startCallbackProxy } from '../support/callback-proxy.js';
import { startProgram, type ChildProgram } from '../support/child-program.js';
import { describeOnSqs, startFauxqs, type Fauxqs, type TestQueue } from '../support/fauxqs.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { expectEveryAccountOnce } from './account-judge.js';

const IN_TIME = 240_000;
const SCRIPT = fileURLToPath(new URL('processes/queue-function.ts', import.meta.url));

/** Where messages lie, besides the records in Redis. */
interface MessagePlace {
  readonly environment: Parameters<typeof startTestGateway>[0];
  /** For the queue function, behind the arguments that all have. */
  readonly args: readonly string[];
  readonly close?: () => Promise<unknown>;
  /** Whether every message was acknowledged. */
  readonly isEmpty: (redis: RedisServer) => Promise<boolean>;
}

function survivesKills(open: (directory: string) => Promise<MessagePlace>): void {
  const functions: ChildProgram[] = [];
  const directory = forAllTests(temporaryDirectory);
  const redis = forAllTests(() => startRedis());
  const proxy = forAllTests(startCallbackProxy);
  const place = forAllTests(() => open(directory.path));
  const gateway = forAllTests(() =>
    startTestGateway(
      {
        ...proxy.environment,
        REDIS_URL: redis.url,
        // A delivery that finds the job running waits for as long as its lease.
        JOB_LEASE_SECONDS: '3',
        // An account is held for as long as it takes to start the next queue function.
        BACKEND_TIMEOUT_SECONDS: '240',
        ...place.environment,
      },
      { production: true },
    ),
  );

  async function startFunction(): Promise<ChildProgram> {
    const { TASK_CALLBACK_API_KEY: key = '', JOB_ENCRYPTION_KEY: masterKey = '' } = PRODUCTION_ENVIRONMENT;
    const program = await startProgram(process.execPath, {
      args: ['--import', 'tsx', SCRIPT, proxy.environment.GATEWAY_URL, key, masterKey, redis.url, ...place.args],
      logFile: path.join(directory.path, `${functions.length}.log`),
      env: { NODE_OPTIONS: '' },
    });
    functions.push(closeAfterTest(program));
    await waitFor('the queue function', async () => (await program.output()).includes('consuming'), IN_TIME);
    return program;
  }

  it('in the middle of a job, or between the reply and its acknowledgement, loses nothing, and nothing is done twice', async () => {
    const items = createAccounts('killed', 5);
    const hold = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'killed-2' });
    const first = await startFunction();
    const { jobId } = await startJob(gateway, 'accounts', items);
    await hold.held();
    await first.kill();
    // The gateway goes on with the job; the next queue function has to come again.
    const second = await startFunction();
    await waitFor('the redelivery', () => proxy.calls.length >= 2, IN_TIME);
    // It gets the reply, and is killed before it knows.
    proxy.answer('forward-and-hold');
    hold.release();
    const isReplayed = ({ headers }: { readonly headers: object }): boolean => 'x-job-replayed' in headers;
    const reply = await waitFor('the reply', () => proxy.replies.findLast(isReplayed), IN_TIME);
    await second.kill();
    expect(await pollJob(gateway, 'accounts', jobId)).toMatchObject({ completed: true, status: 'Success' });

    proxy.answer('forward');
    const before = proxy.replies.length;
    await startFunction();
    const again = await waitFor('the last delivery', () => proxy.replies[before], IN_TIME);
    expect([again.status, again.body, isReplayed(again)]).toEqual([200, reply.body, true]);
    expectEveryAccountOnce(gateway.sandbox.journal, jobId, items, again.body);
    const ids = gateway.sandbox.journal.effects('userAccountCreated').map(({ id }) => String(id));
    const progress = { done: items.length, total: items.length };
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ createdUserAccountId: ids, progress });
    // The message is acknowledged in the end.
    await waitFor('the queue to be empty', () => place.isEmpty(redis), IN_TIME);
    expect(new Set(proxy.calls.map(({ headers }) => headers['x-job-id']))).toEqual(new Set([jobId]));
  });
}

describeWith(['redis-server'], 'A queue function that is killed', () =>
  survivesKills(() =>
    Promise.resolve({
      environment: {},
      args: [],
      async isEmpty(redis) {
        const client = redis.client();
        return (await client.keys('{gateway}:jobs:user-accounts*').finally(() => client.disconnect())).length === 0;
      },
    }),
  ),
);

describeOnSqs('A queue function on Amazon SQS that is killed', () =>
  survivesKills(async (directory) => {
    const sqs: Fauxqs = await startFauxqs();
    const queue: TestQueue = await sqs.createQueue();
    return {
      environment: { SQS_QUEUE_URL: queue.url },
      args: [queue.url, directory],
      close: () => sqs.stop(),
      isEmpty: async () => (await queue.size()) === 0,
    };
  }),
);
