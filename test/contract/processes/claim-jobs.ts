/**
 * Claims jobs as fast as it can and says which ones it won.
 * Arguments: module, location, ids of jobs. Waits for a line before it starts.
 */
import { once } from 'node:events';

import type { JobStore } from '../../../src/job-record/job-store.js';
import { claimRequest } from '../../support/stored-jobs.js';

interface Module {
  readonly openJobStoreAt: (
    location: string,
  ) => Promise<{ readonly store: JobStore; readonly close: () => Promise<void> }>;
}

const [, , module = '', location = '', ...ids] = process.argv;
// The module comes from the test, which promises that it exports this function.
const { openJobStoreAt } = (await import(module)) as Module;
const { store, close } = await openJobStoreAt(location);
process.stdout.write('ready\n');
await once(process.stdin, 'data');

process.stdout.write('claiming\n');
const claims = ids.map(async (jobId) => {
  const { outcome } = await store.claim({ kind: 'mobiles', org: 'acme', jobId }, claimRequest());
  return outcome === 'claimed' ? [jobId] : [];
});
process.stdout.write(`${JSON.stringify((await Promise.all(claims)).flat())}\n`);
await close();
process.stdin.destroy();
