import { startFauxqs } from '../support/fauxqs.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { organisationJobsContract } from './organisation-jobs-contract.js';
import { openOnSqs } from './sqs-engine.js';
import { describeOnSqs } from '../support/system-tools.js';

describeOnSqs('The jobs of organisations on Redis, beside a queue on Amazon SQS', () => {
  const server = forAllTests(() => startRedis({ cluster: true, password: 'secret' }));
  const sqs = forAllTests(startFauxqs);

  organisationJobsContract((limits) => openOnSqs(server, sqs, { limits }));
});
