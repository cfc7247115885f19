import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'libsql';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteDatabase } from '../../../src/jobs/engines/sqlite/database.js';
import { DATABASE_FILE } from '../../../src/jobs/engines/sqlite/database-file.js';
import { LOCK_FILE } from '../../../src/jobs/engines/sqlite/gateway-lock.js';
import { MAX_WAIT_MS } from '../../../src/jobs/record/job-queue.js';
import { SqliteJobRecords } from '../../../src/jobs/engines/sqlite/job-records.js';
import { openSqliteEngine, type SqliteEngineOptions, sweep } from '../../../src/jobs/engines/sqlite/open-sqlite.js';
import type { JobEngine } from '../../../src/jobs/engines/job-engine.js';
import { DEAD_LETTER_RETENTION_MS, type Disposition, type JobMessage } from '../../../src/jobs/record/job-queue.js';
import { captureLog } from '../../support/captured-log.js';
import { closeAfterTest, forEachTest, temporaryDirectory } from '../../support/resources.js';
import { claimed, jobMessage } from '../../support/stored-jobs.js';
import { waitFor } from '../../support/wait-for.js';

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
const MESSAGE_LEASE_MS = 30_000;
const CLAIM = { leaseMs: LEASE_MS, retentionMs: HOUR_MS };

const directory = forEachTest(temporaryDirectory);
const log = forEachTest(captureLog);
let now: number;
beforeEach(() => {
  now = 1_800_000_000_000;
});

async function openEngine(options: Partial<SqliteEngineOptions> = {}): Promise<JobEngine> {
  const engine = await openSqliteEngine({
    directory: directory.path,
    logger: log.logger,
    maxAttempts: 2,
    clock: () => now,
    leaseMs: LEASE_MS,
    messageLeaseMs: MESSAGE_LEASE_MS,
    pollMs: 5,
    ...options,
  });
  return closeAfterTest(engine);
}

/** The tables below the engine. */
async function openTables() {
  const database = await SqliteDatabase.open({ directory: directory.path, logger: log.logger, clock: () => now });
  closeAfterTest(database);
  const parts = {
    database,
    records: new SqliteJobRecords(database, log.logger),
    logger: log.logger,
    messageLeaseMs: MESSAGE_LEASE_MS,
    jobLeaseMs: LEASE_MS,
  };
  const count = (table: string): unknown => database.query(`SELECT count(*) FROM ${table}`).first()?.[0];
  const change = (sql: string) => database.transact(() => database.query(sql).run());
  const close = (): Promise<void> => database.close();
  return { sweep: (signal?: AbortSignal) => sweep(parts, signal), count, change, close };
}

const message = (jobId: string): JobMessage =>
  jobMessage(jobId, { described: { total: 1, fingerprint: 'print', retentionMs: HOUR_MS } });

function consume(engine: JobEngine, disposition: Disposition): readonly string[] {
  const taken: string[] = [];
  const consumer = engine.queue.consume(
    ({ message: { jobId } }) => {
      taken.push(jobId);
      return Promise.resolve(disposition);
    },
    { concurrency: 1 },
  );
  closeAfterTest(consumer);
  return taken;
}

describe('A directory of embedded jobs', () => {
  it('names the lock file, and not the jobs, where that is no file', async () => {
    const engine = await openEngine();
    const lock = join(directory.path, LOCK_FILE);
    await rm(lock, { force: true });
    await mkdir(lock);
    const fault = new RegExp(`^The lock of jobs cannot be kept in ${lock}: .*\\. It holds no jobs\\. Remove it`);
    await expect(openEngine({ exclusive: true })).rejects.toThrow(fault);
    expect(await engine.check()).toEqual([expect.stringMatching(fault)]);
  });

  it('shows its lock to other processes when that is complete, as they would make an empty one anew', async () => {
    const script = `const { statSync } = require('node:fs');
      for (let facts, told; facts === undefined; told ??= console.log('looks') ?? true)
        if ((facts = statSync(process.argv[1], { throwIfNoEntry: false }))) console.log(facts.size);`;
    const child = spawn(process.execPath, ['-e', script, join(directory.path, LOCK_FILE)]);
    closeAfterTest({ close: () => child.kill() });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    expect(await lines.next()).toMatchObject({ value: 'looks' });
    await openEngine({ exclusive: true });
    expect(Number((await lines.next()).value)).toBeGreaterThan(0);
  });
});

describe('A file of 0.1.0, whose list knows no orderers', () => {
  it('is refused with the way over 0.2.0', async () => {
    await (await openEngine()).close();
    const tables = await openTables();
    for (const trigger of ['more', 'changed', 'less']) await tables.change(`DROP TRIGGER kept_${trigger}`);
    await tables.change('DROP INDEX jobs_listed');
    await tables.change('ALTER TABLE jobs DROP COLUMN orderer');
    await tables.close();
    await expect(openEngine()).rejects.toThrow(/jobs\.db is of 0\.1\.0\. Start 0\.2\.0 on it/);
  });
});

describe('The sums of what is kept', () => {
  const RECORDS = `SELECT org, coalesce(orderer, ''), sum(octet_length(record)), count(*) FROM jobs
    WHERE listed = 1 GROUP BY 1, 2`;

  it('are those of the records, also of a file of 0.2.0, which has none', async () => {
    const first = await openEngine();
    await first.submission.submit(message('before'));
    await first.close();
    const before = await openTables();
    for (const trigger of ['more', 'changed', 'less']) await before.change(`DROP TRIGGER kept_${trigger}`);
    await before.change('DROP TABLE kept');
    await before.close();
    const engine = await openEngine({ exclusive: true });
    await engine.submission.submit(message('after'));
    await engine.jobStore.cancel(message('before'), { attempt: 0, done: 0, result: { status: 200, body: '{}' } });
    const tables = await openTables();
    expect([tables.count('kept'), tables.count(`(SELECT * FROM kept EXCEPT ${RECORDS})`)]).toEqual([1, 0]);
    await tables.change('DELETE FROM jobs');
    expect(tables.count('kept')).toBe(0);
  });
});

describe('A clock that was ahead', () => {
  it('leaves neither leases nor waits that are longer than they can be', async () => {
    const engine = await openEngine();
    now += 9 * HOUR_MS;
    for (const id of ['running', 'taken', 'delayed']) await engine.submission.submit(message(id));
    await claimed(engine.jobStore, message('running'), CLAIM);
    const { change, sweep: sweepAll } = await openTables();
    await change(
      `UPDATE messages SET token = 'gone', due_at = due_at + ${MESSAGE_LEASE_MS} WHERE id = 'mobiles:taken'`,
    );
    now -= 9 * HOUR_MS;
    await sweepAll();
    expect((await engine.jobStore.read(message('running')))?.lease?.expiresAt).toBe(now + LEASE_MS);
    const states = Object.fromEntries(
      ((await engine.inspection.queued()) ?? []).map(({ jobId, state, dueAt }) => [jobId, [state, dueAt]]),
    );
    expect(states).toEqual({
      running: ['delayed', now + MAX_WAIT_MS],
      taken: ['in hand', undefined],
      delayed: ['delayed', now + MAX_WAIT_MS],
    });
    const taken = consume(engine, { kind: 'done' });
    now += MESSAGE_LEASE_MS;
    await waitFor('the message that was being handled', () => taken.length === 1);
    now += LEASE_MS;
    await claimed(engine.jobStore, message('running'), CLAIM);
  });
});

describe('A clock that is put forward by 30 days', () => {
  const LEAP_MS = 30 * 24 * HOUR_MS;

  it('hides no record and removes nothing, neither while the gateway runs nor at its next start', async () => {
    const engine = await openEngine();
    await claimed(engine.jobStore, message('half-done'), CLAIM);
    const { sweep: sweepAll, close } = await openTables();
    await sweepAll();
    now += LEAP_MS;
    await sweepAll();
    await close();
    expect(await engine.jobStore.read(message('half-done'))).toMatchObject({ state: 'running' });
    const next = await openTables();
    await next.sweep();
    expect(next.count('jobs')).toBe(1);
    expect(await engine.organisations.list(message('half-done').org, { limit: 1 })).toMatchObject({ jobs: [] });
    expect(await (await openEngine()).jobStore.read(message('half-done'))).toMatchObject({ state: 'running' });
    expect(log.complaints()).toEqual(['store.clock_ahead', 'store.clock_ahead']);
  });

  it.each([
    ['restarts no job whose owner lives', LEAP_MS],
    ['or by less than a day, for which a record is not kept, restarts no job whose owner lives', 2 * HOUR_MS],
  ])('%s', async (_, leapMs) => {
    const engine = await openEngine({ exclusive: true });
    const taken: string[] = [];
    const ends: (() => void)[] = [];
    const consumer = engine.queue.consume(
      ({ message: { jobId } }) => {
        taken.push(jobId);
        return new Promise((resolve) => ends.push(() => resolve({ kind: 'done' })));
      },
      { concurrency: 4 },
    );
    closeAfterTest(consumer);
    closeAfterTest({ close: () => ends.forEach((end) => end()) });
    await engine.submission.submit(message('running'));
    await waitFor('it to be taken', () => taken.length === 1);
    const { fencingToken } = await claimed(engine.jobStore, message('running'), CLAIM);
    now += leapMs;
    await engine.submission.submit(message('later'));
    await waitFor('a later one to be taken', () => taken.includes('later'));
    expect(taken).toEqual(['running', 'later']);
    await expect(claimed(engine.jobStore, message('running'), CLAIM)).rejects.toThrow('ended in running');
    expect(await engine.jobStore.renew(message('running'), fencingToken, LEASE_MS)).toBe('held');
  });
});

describe('The sweeper', () => {
  it('removes what has expired, with all that belongs to it, and nothing else', async () => {
    const engine = await openEngine();
    const { fencingToken } = await claimed(engine.jobStore, message('expires'), CLAIM);
    const items = [{ index: 0, createdId: 1 }];
    await engine.jobStore.checkpoint(message('expires'), fencingToken, { done: 1, checkpoint: '{}', items });
    await engine.replayMemory.remember('short', HOUR_MS);
    for (let index = 0; index < 50; index += 1) await engine.submission.submit(message(`dies-${index}`));
    const taken = consume(engine, { kind: 'dead', reason: 'no use' });
    await waitFor('all to die', async () => taken.length === 50 && (await engine.queue.deadLetters()).length === 50);
    now += DEAD_LETTER_RETENTION_MS;
    await engine.submission.submit(message('stays'));
    await engine.replayMemory.remember('long', HOUR_MS);
    await waitFor('the last to die', () => taken.length === 51);
    const { sweep: sweepAll, count } = await openTables();
    now += 1;
    await sweepAll();
    expect(['jobs', 'items', 'messages', 'payloads', 'callback_ids'].map(count)).toEqual([1, 0, 1, 1, 1]);
    expect(await sweepAll()).toBe(0);
  });
});

describe('Space that is no longer needed', () => {
  const jobsFile = (): string => join(directory.path, DATABASE_FILE);
  const MEBIBYTE = 1_048_576;

  /** Opens the jobs as the gateway does, lets large ones end, and sweeps. */
  async function expectToShrink(): Promise<void> {
    const engine = await openEngine({ exclusive: true });
    for (let index = 0; index < 20; index += 1) {
      await engine.submission.submit({ ...message(`large-${index}`), payload: 'x'.repeat(MEBIBYTE) });
    }
    const taken = consume(engine, { kind: 'done' });
    await waitFor('all to end', () => taken.length === 20);
    await waitFor('the queue to be empty', async () => (await engine.inspection.queued())?.length === 0);
    expect(statSync(jobsFile()).size).toBeGreaterThan(10 * MEBIBYTE);
    await (await openTables()).sweep();
    await waitFor('the file to get shorter', () => statSync(jobsFile()).size < 9 * MEBIBYTE);
  }

  it('is given back to the file system', async () => {
    await expectToShrink();
  });

  it('is given back by a file of 0.2.0 from its first start on', async () => {
    await (await openEngine()).close();
    const file = new Database(jobsFile());
    file.exec('PRAGMA auto_vacuum=NONE; VACUUM');
    file.close();
    await expectToShrink();
  });
});

describe('A damaged entry', () => {
  it('of a record costs its own job, which can still be ended', async () => {
    const engine = await openEngine();
    for (const id of ['broken', 'healthy']) await engine.submission.submit(message(id));
    await (await openTables()).change("UPDATE jobs SET record = 'x' WHERE id = 'mobiles:broken'");
    await expect(engine.jobStore.read(message('broken'))).rejects.toThrow('damaged');
    expect(await engine.jobStore.read(message('healthy'))).toMatchObject({ state: 'pending' });
    const result = { status: 503, body: '{}' };
    expect(await engine.jobStore.fail(message('broken'), message('broken').described, result)).toBe(true);
    expect(await engine.jobStore.read(message('broken'))).toMatchObject({ state: 'finished', result });
    expect(log.complaints()).toEqual(['store.entry_damaged']);
  });

  it.each([
    ['that is no JSON', "UPDATE messages SET body = 'x' WHERE id = 'mobiles:broken'"],
    ['that is no message', "UPDATE messages SET body = '{}' WHERE id = 'mobiles:broken'"],
    ['without its payload', "DELETE FROM payloads WHERE id = 'mobiles:broken'"],
  ])('of a message %s makes it a dead letter, ends its record, and costs no other', async (_, damage) => {
    const engine = await openEngine();
    for (const id of ['broken', 'healthy']) await engine.submission.submit(message(id));
    await (await openTables()).change(damage);
    const taken = consume(engine, { kind: 'done' });
    await waitFor('the healthy one', () => taken.length === 1);
    expect(taken).toEqual(['healthy']);
    expect(await engine.queue.deadLetters()).toMatchObject([{ reason: expect.stringContaining('is damaged') }]);
    expect(await engine.jobStore.read(message('broken'))).toMatchObject({ state: 'finished', result: { status: 500 } });
    expect(log.complaints()).toEqual(['store.entry_damaged']);
  });

  it('of the outcome of an item costs that item, and the job goes on behind it', async () => {
    const engine = await openEngine();
    const { fencingToken } = await claimed(engine.jobStore, message('job-1'), CLAIM);
    const items = [0, 1].map((index) => ({ index, createdId: index }));
    await engine.jobStore.checkpoint(message('job-1'), fencingToken, { done: 2, checkpoint: '{}', items });
    await (await openTables()).change("UPDATE items SET outcome = 'x' WHERE item = 0");
    expect(await engine.jobStore.readItems(message('job-1'))).toEqual([
      { index: 0, failure: expect.stringContaining('cannot be read') },
      { index: 1, createdId: 1 },
    ]);
  });
});
