import { afterAll, beforeAll } from '@jest/globals';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';
import { jobStoreContract } from './job-store-contract.js';
import { openOnRedis } from './redis-engine.js';

describeWith(['redis-server'], 'The job store on Redis, as one node of a Cluster that refuses keys of several slots', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis({ port: 'tcp', cluster: true, password: 'secret' });
  });

  afterAll(async () => {
    await server.stop();
  });

  jobStoreContract(() => openOnRedis(server));
});
