/** Jobs on several servers of Redis, one of which is killed while they run, or whose slots move. */
import { beforeAll, expect, it, jest } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { startTestGateway } from '../support/gateway.js';
import { runJobsCommand } from '../support/jobs-command.js';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.js';
import { startRedisSentinels } from '../support/redis-sentinels.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { accounts, expectEverythingOnce, Organisation } from './orders.js';
import { IN_TIME } from './site.js';

interface FailingServers {
  readonly url: string;
  /** Kills one that jobs lie in, and resolves when another one has taken its place. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

const QUEUE_KEY = '{gateway}:jobs:wait';
const ORDERS = 4;

function survivesFailover(open: () => Promise<FailingServers>) {
  const servers = forAllTests(open);
  const programs = forAllTests(() => BuiltPrograms.open());
  const gateway = forAllTests(() => startTestGateway({ REDIS_URL: servers.url, JOB_LEASE_SECONDS: '2' }));
  const acme = forAllTests(() => new Organisation('acme', gateway, 'demo'));
  beforeAll(() => {
    const fault = { kind: 'slow', milliseconds: 50, stage: 'reply' } as const;
    gateway.sandbox.faults.set({ match: ({ path }) => path.includes('/user-accounts'), fault });
  });

  const settled = new Set<string>();

  /** True for an order whose message the log calls lost or not: its answer was on the connection to the killed server. */
  function isInDoubt(jobId: string): boolean {
    const lines = gateway.logged().split('\n');
    return lines.some((line) => line.includes('"queue.enqueue_in_doubt"') && line.includes(jobId));
  }

  /** Waits for all that was accepted, and for the queue to be empty. A job without a message is swept much later. */
  async function expectAllDoneOnce(): Promise<void> {
    for (const order of acme.accepted.filter(({ jobId }) => !settled.has(jobId))) {
      settled.add(order.jobId);
      if (isInDoubt(order.jobId)) acme.doubtful.push(order);
      else await acme.finish(order);
    }
    const environment = { REDIS_URL: servers.url };
    await waitFor('the queue to be empty', async () => {
      const { stdout } = await runJobsCommand(['queue', '--json'], environment, gateway.dataDir);
      const { queue } = JSON.parse(stdout) as { readonly queue: readonly Record<string, unknown>[] }; // as it promises
      const [all] = queue.slice(-1);
      return all !== undefined && ['waiting', 'delayed', 'inHand', 'deadLetters'].every((figure) => all[figure] === 0);
    });
    expectEverythingOnce([acme], gateway.sandbox.journal);
    // The check finds the servers good.
    const development = { ...environment, DATA_DIR: gateway.dataDir, JOB_ENCRYPTION_KEY: '' };
    expect(await programs.run(['dist/main.js', '--check-config'], development)).toMatchObject({ code: 0 });
  }

  it('whose server with the queue is killed in the middle of jobs does all that was accepted, each item once', async () => {
    for (let count = 0; count < ORDERS; count += 1) await acme.place(accounts);
    await waitFor('some accounts', () => gateway.sandbox.journal.effects('userAccountCreated').length >= 5);
    const failing = servers.failOver();
    // Accepted while no server answers, or when one does again.
    const meanwhile = acme.place(accounts);
    await failing;
    await meanwhile;
    await acme.place(accounts);
    await expectAllDoneOnce();
  });

  return { acme, gateway, expectAllDoneOnce };
}

jest.setTimeout(IN_TIME);

describeWith(['redis-server'], 'A Redis behind sentinels', () => {
  survivesFailover(() => startRedisSentinels({ password: 'of the, sentinels' }));
});

describeWith(['redis-server'], 'A Redis Cluster', () => {
  let cluster: RedisCluster;
  const { acme, gateway, expectAllDoneOnce } = survivesFailover(async () => {
    cluster = await startRedisCluster({ password: 'of the, Cluster' });
    return {
      url: cluster.url,
      failOver: async () => cluster.failOver(await cluster.primaryOf(QUEUE_KEY)),
      stop: () => cluster.stop(),
    };
  });

  it('whose slots move from server to server in the middle of jobs does all that was accepted, each item once', async () => {
    const held = gateway.sandbox.faults.hold({ match: ({ loginId }) => loginId?.endsWith('-5') === true });
    const orders = [await acme.place(accounts), await acme.place(accounts), await acme.place(accounts)];
    await held.held(orders.length);
    // The next note of the running job is refused, because its keys lie on two servers.
    await cluster.moveSlotOf(`job:{user-accounts:acme:${orders[0]?.jobId}}`, () => {
      held.release();
      return cluster.refusesCommands();
    });
    const ordered = [acme.place(accounts)];
    await cluster.moveSlotOf('jobs:{acme}', () => ordered.push(acme.place(accounts)));
    await cluster.moveSlotOf(QUEUE_KEY, async () => {
      ordered.push(acme.place(accounts));
      await cluster.refusesCommands();
    });
    await Promise.all(ordered);
    await expectAllDoneOnce();
  });
});
