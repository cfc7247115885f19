import { beforeAll, it } from '@jest/globals';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { RedisJobStore } from '../../src/jobs/engines/redis/job-store.js';
import { captureLog } from '../support/captured-log.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { chooseSeed } from '../support/seed.js';
import { describeWith } from '../support/system-tools.js';
import { HISTORIES, holdAgainstMemory } from './job-store-histories.js';

describeWith(['redis-server'], 'The job store on Redis', () => {
  const server = forAllTests(startRedis);
  const redis = forAllTests(() => new RedisConnection({ url: server.url, logger: captureLog().logger }));
  beforeAll(() => redis.ready());

  it("is that in memory under any interleaving, whatever the owners' clocks do", async () => {
    const seed = chooseSeed('job store on Redis against the one in memory');
    await holdAgainstMemory(
      (clock) => {
        const store = new RedisJobStore({ redis, clockOffsetMs: () => clock() - Date.now() });
        const enqueue = store.enqueue.bind(store);
        return Object.assign(store, {
          enqueue: async (...given: Parameters<typeof enqueue>) => (await enqueue(...given)).isNew,
        });
      },
      { numRuns: HISTORIES, seed },
    );
  });
});
