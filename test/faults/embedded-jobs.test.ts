import { statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DATABASE_FILE, LOG_BYTES } from '../../src/jobs/engines/sqlite/database-file.js';
import { LOCK_FILE } from '../../src/jobs/engines/sqlite/gateway-lock.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { graphqlAt, productionAt } from '../support/gateway.js';
import { createAccount, createAccounts, reportOf } from '../support/job-requests.js';
import { closeAfterTest, forAllTests, forEachTest, temporaryDirectory } from '../support/resources.js';
import { finishedJob, requestStart, startJob } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';
import { IN_TIME } from './site.js';

jest.setTimeout(IN_TIME);

/** Puts the clock of a process ahead, before anything else is loaded. */
const clockAhead = (hours: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${hours} * 3_600_000;`)}`;

/** Lets each flush fail while a file exists. */
function failingDisk(file: string): string {
  const script = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    const flush = fs.fdatasync;
    fs.fdatasync = (log, done) => fs.existsSync('${file}') ? done(new Error('the disk failed')) : flush(log, done);
    syncBuiltinESMExports();`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

describe('Embedded jobs', () => {
  const programs = forAllTests(() => BuiltPrograms.open());
  const sandbox = forAllTests(startBackends);
  const directory = forEachTest(temporaryDirectory);
  afterEach(() => {
    sandbox.faults.clear();
    sandbox.journal.clear();
  });

  const settings = () => ({
    ...productionAt(sandbox),
    DATA_DIR: directory.path,
    // No test waits for its end.
    JOB_LEASE_SECONDS: '600',
  });
  /** Users have tokens for a day. */
  const bearer = async (): Promise<string> =>
    `Bearer ${await sandbox.mintToken({ claims: { exp: Math.floor(Date.now() / 1_000) + 86_400 } })}`;
  async function start(more: NodeJS.ProcessEnv = {}) {
    const gateway = closeAfterTest(await programs.startGateway({ ...settings(), ...more }));
    return { gateway, bearer, graphql: graphqlAt(gateway.url) };
  }
  type Site = Awaited<ReturnType<typeof start>>;

  /** Connects to the jobs as another program does, such as `sqlite3`. */
  const connect = (): Database.Database =>
    closeAfterTest(new Database(join(directory.path, DATABASE_FILE), { timeout: 5_000 }));

  /** Starts a job, and stops in its middle: its second account exists, and the gateway does not know yet. */
  async function startHalf(site: Site, prefix: string) {
    const loginIds = [0, 1, 2].map((index) => `${prefix}-${index}`);
    const hold = sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-1`, stage: 'reply' });
    const { jobId } = await startJob(site, 'accounts', createAccounts(prefix, loginIds.length));
    await hold.held();
    return {
      goOn: () => hold.release(),
      async expectEachOnce(gateway: Site): Promise<void> {
        expect(await finishedJob(gateway, 'accounts', jobId, IN_TIME)).toMatchObject({ status: 'Success' });
        const created = sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId);
        expect(created.filter((loginId) => loginId.startsWith(prefix))).toEqual(loginIds);
      },
    };
  }

  it('that were cut off go on with the next start of the gateway, whatever their leases, its clock, which was 9 hours ahead, and a lock that is rubbish', async () => {
    const lock = join(directory.path, LOCK_FILE);
    const site = await start({ NODE_OPTIONS: clockAhead(9) });
    const half = await startHalf(site, 'cut');
    for (const change of ['written over', 'replaced', 'removed']) {
      if (change !== 'written over') await rm(lock);
      if (change !== 'removed') await writeFile(lock, 'rubbish');
      expect(await programs.run(['dist/main.js', '--check-config'], settings())).toMatchObject({ code: 0 });
      expect(await programs.run(['dist/jobs-cli.js', 'list'], settings())).toMatchObject({ code: 0, stderr: '' });
      const refused = await programs.run(['dist/main.js'], settings());
      expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/Another gateway uses .*gateway\.lock/) });
    }
    await site.gateway.kill();
    await writeFile(lock, 'rubbish');
    half.goOn();
    expect(await programs.run(['dist/main.js', '--check-config'], settings())).toMatchObject({ code: 0 });
    await half.expectEachOnce(await start());
    const refused = await programs.run(['dist/main.js'], settings());
    expect(refused.stdout).toContain('Another gateway uses');
  });

  it('do not keep the log that grew while another program read', async () => {
    const site = await start();
    const reader = connect();
    reader.exec('BEGIN');
    reader.exec('SELECT count(*) FROM jobs');
    const logBytes = (): number => statSync(join(directory.path, `${DATABASE_FILE}-wal`)).size;
    let ordered = 0;
    const order = async (text: string): Promise<void> => {
      ordered += 1;
      const account = createAccount(`read-${ordered}`, { indivs: [text] });
      const { jobId } = await startJob(site, 'accounts', [account]);
      expect(await finishedJob(site, 'accounts', jobId)).toMatchObject({ status: 'Success' });
    };
    while (logBytes() < 1.5 * LOG_BYTES) await order('x'.repeat(1_000_000));
    reader.exec('COMMIT');
    await waitFor('the log to shrink', async () => {
      await order('x');
      return logBytes() <= LOG_BYTES;
    });
    expect(sandbox.journal.effects('userAccountCreated')).toHaveLength(ordered);
  });

  it('and reports outlive a start whose clock is 400 days ahead, which is told', async () => {
    const site = await start();
    const accounts = await startJob(site, 'accounts', createAccounts('kept', 2));
    const report = await startJob(site, 'reports', reportOf(1));
    await finishedJob(site, 'accounts', accounts.jobId);
    await finishedJob(site, 'reports', report.jobId);
    await site.gateway.stop();
    const ahead = await start({ NODE_OPTIONS: clockAhead(400 * 24) });
    await waitFor('both to be told', async () => {
      const output = await ahead.gateway.output();
      return ['jobs', 'reports'].every((store) => new RegExp(`"store":"${store}".*store\\.clock_ahead`).test(output));
    });
    await ahead.gateway.stop();
    const right = await start();
    expect(await finishedJob(right, 'accounts', accounts.jobId)).toMatchObject({ status: 'Success' });
    const { downloadUrl } = await finishedJob(right, 'reports', report.jobId);
    expect((await fetch(new URL(String(downloadUrl), right.gateway.url))).status).toBe(200);
  });

  it('end the gateway when the disk fails under them, with the code to start it again, and go on with its next start', async () => {
    const fails = join(directory.path, 'disk-fails');
    const site = await start({ NODE_OPTIONS: failingDisk(fails), SHUTDOWN_DRAIN_SECONDS: '1' });
    const half = await startHalf(site, 'failed');
    await writeFile(fails, '');
    const { errors } = await requestStart(site, 'accounts', createAccounts('refused', 1));
    expect(errors).toMatchObject([{ extensions: { code: 'ServiceUnavailable', reason: 'StoreUnavailable' } }]);
    half.goOn();
    await waitFor('the end', () => site.gateway.exitCode() !== null);
    expect(site.gateway.exitCode()).toBe(75);
    expect(await site.gateway.output()).toMatch(/could not be flushed .*start the gateway again[^]*program\.given_up/);
    await rm(fails);
    await half.expectEachOnce(await start());
  });

  it('wait for another program that holds the write lock, which is told as such and not as a full disk', async () => {
    const site = await start();
    const half = await startHalf(site, 'locked');
    const other = connect();
    other.exec('BEGIN IMMEDIATE');
    half.goOn();
    const { errors } = await requestStart(site, 'accounts', createAccounts('refused', 1));
    expect(errors).toMatchObject([{ extensions: { code: 'ServiceUnavailable', reason: 'StoreUnavailable' } }]);
    const says = /the write lock is held.*Find the other program that has jobs\.db open/;
    // Lines are written at the end of the turn in which the answer was sent.
    await waitFor('the line', async () => says.test(await site.gateway.output()));
    expect(await site.gateway.output()).not.toContain('Free space');
    other.exec('ROLLBACK');
    await half.expectEachOnce(site);
  });
});
