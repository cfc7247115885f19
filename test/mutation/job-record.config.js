import { configOf } from './config-of.js';

export default configOf('jobs/record', [
  'test/unit/job-record/*.test.ts',
  'test/unit/queue-function/{deliver,sqs-handler}.test.ts',
  'test/unit/key-use.test.ts',
  'test/contract/sqlite-job-store.test.ts',
  'test/contract/sqlite-organisation-jobs.test.ts',
]);
