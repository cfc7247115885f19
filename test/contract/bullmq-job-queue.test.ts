import { afterAll, beforeAll } from '@jest/globals';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';
import { jobQueueContract } from './job-queue-contract.js';
import { openOnRedis } from './redis-engine.js';

describeWith(['redis-server'], 'The job queue on BullMQ, where no script may touch two slots', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis({ port: 'tcp', cluster: true, password: 'secret' });
  });

  afterAll(async () => {
    await server.stop();
  });

  jobQueueContract(() => openOnRedis(server));
});
