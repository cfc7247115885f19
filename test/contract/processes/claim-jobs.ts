/**
 * Claims jobs as fast as it can and says which ones it won.
 * Arguments: module, location, ids of jobs. Waits for a line before it starts.
 */
import { once } from 'node:events';
import { claimRequest } from '../../support/stored-jobs.js';
import type { OpenedElsewhere } from '../child-process.js';

const [, , module = '', location = '', ...ids] = process.argv;
// The module comes from the test, which promises that it exports this function.
const { openAt } = (await import(module)) as { openAt: (location: string) => Promise<OpenedElsewhere> };
const { store, close } = await openAt(location);
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
