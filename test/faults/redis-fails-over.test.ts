/** Jobs on several servers of Redis, one of which is killed while they run, or whose slots move. */
import { expect, it } from '@jest/globals';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.js';
import { startRedisSentinels } from '../support/redis-sentinels.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { accountEffects, accounts, ACCOUNTS, expectEverythingOnce, Organisation } from './orders.js';
import { IN_TIME, Site } from './site.js';

/** Servers one of which can be killed. */
interface FailingServers {
  readonly url: string;
  /** Kills one that jobs lie in, and resolves when another one has taken its place. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

const QUEUE_KEY = '{gateway}:jobs:wait';
/** Orders that are there when a server fails. */
const ORDERS = 4;

function survivesFailover(open: () => Promise<FailingServers>): { site: () => Site; acme: () => Organisation } {
  const servers = forAllTests(open);
  const site = forAllTests(() => Site.start({ size: 1, environment: { REDIS_URL: servers.url }, itemMs: 50 }));
  const acme = forAllTests(() => new Organisation('acme', site, 'demo'));

  it(
    'whose server with the queue is killed in the middle of jobs does all that was accepted, each item once',
    async () => {
      for (let count = 0; count < ORDERS; count += 1) await acme.place(accounts);
      await waitFor('some accounts', () => site.sandbox.journal.effects('userAccountCreated').length >= 5);
      const failing = servers.failOver();
      // Accepted while nobody serves, or when somebody does again.
      const meanwhile = acme.place(accounts);
      await failing;
      await meanwhile;
      await acme.place(accounts);
      await expectAllDoneOnce(site, acme);
    },
    IN_TIME,
  );

  return { site: () => site, acme: () => acme };
}

/** Waits for all that was accepted, and for the queue to be empty. */
async function expectAllDoneOnce(site: Site, acme: Organisation): Promise<void> {
  for (const order of acme.accepted.slice(acme.finished.length)) await acme.finish(order);
  await waitFor('the queue to be empty', async () => {
    const { stdout } = await site.run('dist/jobs-cli.js', 'queue', '--json');
    const { queue } = JSON.parse(stdout) as { readonly queue: readonly Record<string, unknown>[] }; // as it promises
    const [all] = queue.slice(-1);
    return all !== undefined && ['waiting', 'delayed', 'inHand', 'deadLetters'].every((figure) => all[figure] === 0);
  });
  expectEverythingOnce([acme], site.sandbox.journal);
  // Every check finds the servers good.
  expect(await site.run('dist/main.js', '--check-config')).toMatchObject({ code: 0 });
}

describeWith(['redis-server'], 'A Redis behind sentinels', () => {
  survivesFailover(() => startRedisSentinels({ password: 'of the, sentinels' }));
});

describeWith(['redis-server'], 'A Redis Cluster', () => {
  let cluster: RedisCluster;
  const { site, acme } = survivesFailover(async () => {
    cluster = await startRedisCluster({ password: 'of the, Cluster' });
    return {
      url: cluster.url,
      failOver: async () => cluster.failOver(await cluster.primaryOf(QUEUE_KEY)),
      stop: () => cluster.stop(),
    };
  });

  it(
    'whose slots move from server to server in the middle of jobs does all that was accepted, each item once',
    async () => {
      const orders = [await acme().place(accounts), await acme().place(accounts), await acme().place(accounts)];
      const running = await waitFor('a job to run', () =>
        orders.find(({ name }) => {
          const done = accountEffects(name, site().sandbox.journal).length;
          return done > 0 && done < ACCOUNTS / 2;
        }),
      );
      // What the running job notes next is refused, because one half of it is here and the other one there.
      await cluster.moveSlotOf(`job:{user-accounts:acme:${running.jobId}}`, () => cluster.refusesCommands());
      const ordered = [acme().place(accounts)];
      await cluster.moveSlotOf('jobs:{acme}', () => ordered.push(acme().place(accounts)));
      await cluster.moveSlotOf(QUEUE_KEY, async () => {
        ordered.push(acme().place(accounts));
        await cluster.refusesCommands();
      });
      await Promise.all(ordered);
      await expectAllDoneOnce(site(), acme());
    },
    IN_TIME,
  );
});
