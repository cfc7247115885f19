import { startFauxqs } from '../support/fauxqs.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { jobQueueContract } from './job-queue-contract.js';
import { openOnSqs } from './sqs-engine.js';
import { describeOnSqs } from '../support/system-tools.js';

describeOnSqs('The job queue on Amazon SQS, of which fauxqs stands in, where no script may touch two slots', () => {
  const server = forAllTests(() => startRedis({ cluster: true, password: 'secret' }));
  const sqs = forAllTests(startFauxqs);

  jobQueueContract(() => openOnSqs(server, sqs));
});
