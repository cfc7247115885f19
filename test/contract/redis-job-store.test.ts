import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { claimed } from '../support/stored-jobs.js';
import { describeWith } from '../support/system-tools.js';
import type { EngineUnderTest } from './engine-under-test.js';
import { jobStoreContract } from './job-store-contract.js';
import { openOnRedis } from './redis-engine.js';
import { waitFor } from '../support/wait-for.js';

describeWith(['redis-server'], 'The job store on Redis, where no script may touch two slots', () => {
  const server = forAllTests(() => startRedis({ cluster: true, password: 'secret' }));
  const client = forAllTests(() => server.client());
  let subject: EngineUnderTest;

  jobStoreContract(async () => {
    subject = await openOnRedis(server);
    return subject;
  });

  it('keeps a record as a hash with the fields of the specification, and lets Redis remove it', async () => {
    const { store } = subject;
    const key = 'job:{driving-reports:a%2Eb%7Bc%7D:job%3A1}';
    const job = { kind: 'driving-reports', org: 'a.b{c}', jobId: 'job:1' } as const;
    const { fencingToken } = await claimed(store, job, { total: 1, retentionMs: 3_600_000 });
    const whileLeased = await client.pttl(key);
    expect(whileLeased).toBeGreaterThan(3_600_000);
    expect(whileLeased).toBeLessThanOrEqual(3_660_000);

    await store.finish(job, fencingToken, { status: 200, body: '{"key":null}' });
    await waitFor('the counts to be gone', async () => isDeepStrictEqual(await client.keys('job*'), [key]));
    expect(await client.hgetall(key)).toMatchObject({
      completed: '1',
      callback_result_status: '200',
      callback_result_body: '{"key":null}',
      state: 'finished',
      total: '1',
    });
    const whenFinished = await client.pttl(key);
    expect(whenFinished).toBeGreaterThan(3_500_000);
    expect(whenFinished).toBeLessThanOrEqual(3_600_000);
  });
});
