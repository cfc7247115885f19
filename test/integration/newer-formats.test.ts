/** Records of a newer version wait for a program that can read them; none is failed, changed or lost. */
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { DATABASE_FILE } from '../../src/jobs/engines/sqlite/database-file.js';
import { openSqliteEngine } from '../../src/jobs/engines/sqlite/open-sqlite.js';
import { Query } from '../../src/jobs/engines/sqlite/query.js';
import { ENDED_FORMAT, FORMAT } from '../../src/jobs/record/stored-fields.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { startTestGateway } from '../support/gateway.js';
import { createAccounts, jobHeaders, USER_ACCOUNTS } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { forEachTest, temporaryDirectory } from '../support/resources.js';
import { pollJob, requestStatus } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const NEWER = String(ENDED_FORMAT + 1);

describeWith(['redis-server'], 'In Redis', () => {
  const redis = forEachTest(() => startRedis());
  // A job without an owner is taken over soon; on a busy machine a shorter lease ends while it has one.
  const gateway = forEachTest(() => startTestGateway({ REDIS_URL: redis.url, JOB_LEASE_SECONDS: '10' }));
  const client = forEachTest(
    () => redis.client(),
    (opened) => opened.disconnect(),
  );

  it('a record of a newer version is neither run, failed, cancelled nor shown, until a version comes that can read it', async () => {
    const items = createAccounts('waiting', 2);
    const deliver = () => gateway.callback(USER_ACCOUNTS, items, jobHeaders('job-1'));
    // As a job is left that was begun elsewhere.
    const held = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'waiting-1', stage: 'reply' });
    const first = deliver();
    await held.held();
    const key = 'job:{user-accounts:acme:job-1}';
    const before = await client.hgetall(key);
    expect(before['format']).toBe(String(FORMAT));
    await client.hset(key, 'format', NEWER);
    held.release();
    // Its owner may not write what it does not know either.
    expect((await first).status).toBe(503);

    const { status, headers } = await deliver();
    expect([status, Number(headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
    const polled = await requestStatus(gateway, 'accounts', 'job-1');
    expect(polled.errors?.[0]?.extensions.code).toBe('ServiceUnavailable');
    const cancelled = await gateway.graphql(
      'mutation { cancelJob(jobId: "job-1") { jobId } }',
      {},
      await gateway.bearer(),
    );
    expect(cancelled.errors?.[0]?.extensions.code).toBe('ServiceUnavailable');
    const { cancelled_at: cancelledAt, state } = await client.hgetall(key);
    expect([cancelledAt, state]).toEqual([undefined, 'running']);

    await client.hset(key, 'format', String(FORMAT));
    await waitFor('the lease to be free', async () => (await deliver()).status === 200);
    expect((await pollJob(gateway, 'accounts', 'job-1')).status).toBe('Success');
  });
});

describe('A data directory', () => {
  const directory = forEachTest(temporaryDirectory);

  const logger = createLogger({ level: 'silent' });
  const open = () => openSqliteEngine({ directory: directory.path, logger, maxAttempts: 3 });

  it('that a newer version has used is refused with a sentence, and left as it is', async () => {
    await (await open()).close();
    const file = path.join(directory.path, DATABASE_FILE);
    const format = () => new Query(new Database(file, { timeout: 0 }), 'PRAGMA user_version').first();
    expect(format()).toEqual([FORMAT]);
    new Database(file, { timeout: 0 }).exec(`PRAGMA user_version=${FORMAT + 1}`);
    await expect(open()).rejects.toThrow(
      `What lies in ${file} has format ${FORMAT + 1}, and this version knows formats up to ${FORMAT}`,
    );
    expect(format()).toEqual([FORMAT + 1]);
  });
});
