import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DamagedEntries } from '../../../src/engines/lmdb/damaged-entries.js';
import { LmdbDatabase } from '../../../src/engines/lmdb/database.js';
import { LmdbJobRecords } from '../../../src/engines/lmdb/job-records.js';
import { ProgressNotes } from '../../../src/engines/lmdb/progress-notes.js';
import { LmdbMessages } from '../../../src/engines/lmdb/messages.js';
import { LmdbReplayMemory } from '../../../src/engines/lmdb/replay-memory.js';
import { createLmdbJobStore } from '../../../src/engines/lmdb/job-store.js';
import { sweep } from '../../../src/engines/lmdb/sweeper.js';
import type { JobIdentity } from '../../../src/job-record/job-record.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';

describe('The sweeper', () => {
  let directory: string;
  let database: LmdbDatabase;
  let records: LmdbJobRecords;
  let messages: LmdbMessages;
  let damaged: DamagedEntries;
  let log: CapturedLog;
  let now: number;
  const clock = (): number => now;

  beforeEach(async () => {
    now = 1_000_000;
    directory = await mkdtemp(join(tmpdir(), 'lmdb-'));
    log = captureLog();
    database = await LmdbDatabase.open({ directory, logger: log.logger });
    damaged = new DamagedEntries(database, log.logger);
    records = new LmdbJobRecords(database, damaged, new ProgressNotes(join(directory, 'progress')));
    messages = new LmdbMessages(database, damaged);
  });

  afterEach(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });

  const sweepAll = (): Promise<number> =>
    sweep({
      database,
      records,
      messages,
      replayMemory: new LmdbReplayMemory(database, damaged, clock),
      damaged,
      clock,
    });
  const job = (id: number): JobIdentity => ({ kind: 'mobiles', org: 'acme', jobId: String(id) });

  /** How many entries lie in the tables, expired ones included. */
  function stored(): Promise<readonly number[]> {
    return database.read(() => ['job-records', 'job-records-by-expiry'].map((name) => database.table(name).getCount()));
  }

  async function failJobs(from: number, to: number, retentionMs: number): Promise<void> {
    const store = createLmdbJobStore(database, records, clock);
    await Promise.all(
      Array.from({ length: to - from }, (_, index) =>
        store.fail(job(from + index), { total: 1, fingerprint: 'print', retentionMs }, { status: 503, body: '{}' }),
      ),
    );
  }

  it('removes every record that has expired and no other', async () => {
    await failJobs(0, 450, 1_000);
    await failJobs(450, 460, 2_000);
    expect(await stored()).toEqual([460, 460]);
    now += 1_000;
    expect(await sweepAll()).toBe(450);
    expect(await stored()).toEqual([10, 10]);
    expect(await sweepAll()).toBe(0);
    now += 1_000;
    expect(await sweepAll()).toBe(10);
    expect(await stored()).toEqual([0, 0]);
  });

  it('goes by the time of expiry that a record got last', async () => {
    const store = createLmdbJobStore(database, records, clock);
    const claim = { fingerprints: ['print'] as const, total: 1, leaseMs: 1_000, retentionMs: 1_000, nonce: 'n' };
    const outcome = await store.claim(job(1), claim);
    if (outcome.outcome !== 'claimed') throw new Error('The job is new.');
    await store.renew(job(1), outcome.fencingToken, 10_000);
    now += 5_000;
    expect(await sweepAll()).toBe(0);
    await store.release(job(1), outcome.fencingToken);
    now += 1_000;
    expect(await store.read(job(1))).toBeUndefined();
    expect(await stored()).toEqual([1, 1]);
    expect(await sweepAll()).toBe(1);
    expect(await stored()).toEqual([0, 0]);
  });

  it('leaves a record alone that took the place of an expired one', async () => {
    await failJobs(1, 2, 1_000);
    now += 1_000;
    await failJobs(1, 2, 1_000);
    expect(await stored()).toEqual([1, 1]);
    expect(await sweepAll()).toBe(0);
    expect(records.get(job(1), now)).toMatchObject({ state: 'finished' });
  });
});
