import { configOf } from './config-of.js';

export default configOf('job-record', [
  'test/unit/job-record/*.test.ts',
  'test/unit/key-use.test.ts',
  'test/contract/lmdb-job-store.test.ts',
  'test/contract/lmdb-organisation-jobs.test.ts',
]);
