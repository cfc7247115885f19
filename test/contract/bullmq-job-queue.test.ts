import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { jobQueueContract } from './job-queue-contract.js';
import { openOnRedis } from './redis-engine.js';

describeWith(['redis-server'], 'The job queue on BullMQ, where no script may touch two slots', () => {
  const server = forAllTests(() => startRedis({ cluster: true, password: 'secret' }));

  jobQueueContract(() => openOnRedis(server));
});
