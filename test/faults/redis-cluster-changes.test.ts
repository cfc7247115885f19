import { expect, it } from '@jest/globals';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { LIMIT_MS, survivesFailover } from './redis-failover.js';
import { ITEMS } from './redis-site.js';

const QUEUE_KEY = '{gateway}:jobs:wait';

describeWith(['redis-server'], 'A Redis Cluster', () => {
  let cluster: RedisCluster;
  const site = survivesFailover(async () => {
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
      const orders = [await site().order(), await site().order(), await site().order()];
      const running = await waitFor('a job to run', () =>
        orders.find((order) => {
          const done = site().accountsOf(order).length;
          return done > 0 && done < ITEMS / 2;
        }),
      );
      // What the running job notes next is refused, because one half of it is here and the other one there.
      await cluster.moveSlotOf(`job:{user-accounts:acme:${running.jobId}}`, () => cluster.refusesCommands());
      const ordered = [site().order()];
      await cluster.moveSlotOf('jobs:{acme}', () => ordered.push(site().order()));
      await cluster.moveSlotOf(QUEUE_KEY, async () => {
        ordered.push(site().order());
        await cluster.refusesCommands();
      });
      await Promise.all(ordered);
      await site().expectAllDoneOnce();
      expect(await site().run('dist/main.js', '--check-config')).toMatchObject({ code: 0 });
    },
    LIMIT_MS,
  );
});
