import { afterAll, beforeAll } from '@jest/globals';
import { describeOnSqs, startFauxqs, type Fauxqs } from '../support/fauxqs.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { jobQueueContract } from './job-queue-contract.js';
import { openOnSqs } from './sqs-engine.js';

describeOnSqs('The job queue on Amazon SQS, of which fauxqs stands in, where no script may touch two slots', () => {
  let server: RedisServer;
  let sqs: Fauxqs;

  beforeAll(async () => {
    server = await startRedis({ port: 'tcp', cluster: true, password: 'secret' });
    sqs = await startFauxqs();
  });

  afterAll(async () => {
    await sqs.stop();
    await server.stop();
  });

  jobQueueContract(() => openOnSqs(server, sqs));
});
