/** What the embedded queue does with what is too old, too far away, or damaged. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asBinary, type Key } from 'lmdb';
import { DamagedEntries } from '../../src/engines/lmdb/damaged-entries.js';
import { takeExclusiveUse } from '../../src/engines/lmdb/exclusive-use.js';
import { LmdbDatabase } from '../../src/engines/lmdb/database.js';
import { LmdbJobQueue } from '../../src/engines/lmdb/job-queue.js';
import { LmdbJobRecords } from '../../src/engines/lmdb/job-records.js';
import { ProgressNotes } from '../../src/engines/lmdb/progress-notes.js';
import { createLmdbJobStore } from '../../src/engines/lmdb/job-store.js';
import { LmdbMessages } from '../../src/engines/lmdb/messages.js';
import { LmdbReplayMemory } from '../../src/engines/lmdb/replay-memory.js';
import { sweep } from '../../src/engines/lmdb/sweeper.js';
import { DamagedEntryError } from '../../src/engines/lmdb/table.js';
import {
  DEAD_LETTER_RETENTION_MS,
  type Disposition,
  type JobMessage,
  type QueueConsumer,
} from '../../src/job-record/job-queue.js';
import type { JobStore } from '../../src/job-record/job-store.js';
import { captureLog, type CapturedLog } from '../support/captured-log.js';
import { waitFor } from '../support/wait-for.js';

const START = 1_800_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const CLAIM = { fingerprints: ['print'], total: 3, leaseMs: 60_000, retentionMs: 600_000, nonce: 'n' } as const;

function message(jobId: string): JobMessage {
  const described = { total: 3, fingerprint: 'print', retentionMs: 600_000 };
  return { kind: 'mobiles', org: 'acme', jobId, payload: `payload of ${jobId}`, described };
}

/** Id of a message, and key of a record. */
const keyOf = (jobId: string): string => `job:{mobiles:acme:${jobId}}`;

let directory: string;
let database: LmdbDatabase;
let records: LmdbJobRecords;
let messages: LmdbMessages;
let damaged: DamagedEntries;
let queue: LmdbJobQueue;
let store: JobStore;
let log: CapturedLog;
let now: number;
let consumers: QueueConsumer[];
let deliveries: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bounds-'));
  log = captureLog();
  database = await LmdbDatabase.open({ directory, logger: log.logger });
  now = START;
  consumers = [];
  deliveries = [];
  const clock = (): number => now;
  damaged = new DamagedEntries(database, log.logger);
  records = new LmdbJobRecords(database, damaged, new ProgressNotes(join(directory, 'progress')));
  messages = new LmdbMessages(database, damaged);
  const times = { leaseMs: 30_000, pollMs: 5 };
  queue = new LmdbJobQueue({ database, records, messages, clock, logger: log.logger, maxAttempts: 2, times });
  store = createLmdbJobStore(database, records, clock);
});

afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close()));
  await database.close();
  await rm(directory, { recursive: true });
});

function sweepAll(): Promise<number> {
  const clock = (): number => now;
  const replayMemory = new LmdbReplayMemory(database, damaged, clock);
  return sweep({ database, records, messages, replayMemory, damaged, clock });
}

function consume(disposition: (jobId: string) => Disposition): void {
  consumers.push(
    queue.consume(
      ({ message: { jobId } }) => {
        deliveries.push(jobId);
        return Promise.resolve(disposition(jobId));
      },
      { concurrency: 1 },
    ),
  );
}

/** Submits jobs that die, the consumer of which then rests. */
async function die(...jobIds: readonly string[]): Promise<void> {
  const before = (await queue.deadLetters()).length;
  consume(() => ({ kind: 'dead', reason: 'no use' }));
  for (const jobId of jobIds) await queue.submit(message(jobId));
  await waitFor('the dead letters', async () => (await queue.deadLetters()).length === before + jobIds.length);
  await consumers.pop()?.close();
}

async function deadJobs(): Promise<string[]> {
  return (await queue.deadLetters()).map(({ message: { jobId } }) => jobId);
}

/** How many entries each table has. */
const counts = (...tables: string[]): Promise<number[]> =>
  database.read(() => tables.map((name) => database.table(name).getCount()));

const QUEUE_TABLES = ['queue-messages', 'queue-standings', 'queue-by-due-time'];
const ALL_TABLES = [...QUEUE_TABLES, 'dead-letters', 'dead-letter-times', 'job-records', 'job-records-by-expiry'];

describe('A dead letter', () => {
  it('is kept for 30 days, and its message as long', async () => {
    await die('old');
    now += DAY_MS;
    await die('young');
    now += DEAD_LETTER_RETENTION_MS - DAY_MS;
    await sweepAll();
    expect(await deadJobs()).toEqual(['old', 'young']);
    now += 1;
    await sweepAll();
    expect(await deadJobs()).toEqual(['young']);
    expect(await queue.deadMessage(message('old'))).toBeUndefined();
    expect(await queue.replay(message('old'))).toBe(false);
    expect(await queue.replay(message('young'))).toBe(true);
    expect(await counts('dead-letters', 'dead-letter-times', 'queue-messages')).toEqual([0, 0, 1]);
  });

  it('leaves with hundreds of others in transactions of which none is long', async () => {
    const ids = Array.from({ length: 450 }, (_, index) => `job-${index}`);
    await database.transact(() => {
      for (const id of ids) {
        messages.add(message(id), now);
        messages.moveToDeadLetters(keyOf(id), { reason: 'no use', diedAt: now });
      }
    });
    now += DEAD_LETTER_RETENTION_MS + 1;
    const transactions = jest.spyOn(database, 'transact');
    await sweepAll();
    expect(transactions.mock.calls.length).toBeGreaterThan(3);
    expect(await counts('dead-letters', 'dead-letter-times', 'queue-messages')).toEqual([0, 0, 0]);
  });

  it('that was replayed, or submitted again, is not swept away with its former death', async () => {
    await die('replayed', 'submitted-again');
    await queue.replay(message('replayed'));
    await queue.submit(message('submitted-again'));
    now += DEAD_LETTER_RETENTION_MS + 1;
    await sweepAll();
    consume(() => ({ kind: 'done' }));
    await waitFor('both', () => deliveries.length === 4);
    expect(deliveries.slice(2).sort()).toEqual(['replayed', 'submitted-again']);
  });
});

describe('The list of dead letters', () => {
  it('looks at nothing that their messages carry', async () => {
    await die('one', 'two');
    await database.transact(() => {
      for (const id of ['one', 'two']) database.table('queue-messages').putSync(keyOf(id), 'garbage');
    });
    expect(await deadJobs()).toEqual(['one', 'two']);
    expect(log.complaints()).toEqual([]);
    await expect(queue.deadMessage(message('one'))).rejects.toThrow(DamagedEntryError);
  });
});

describe('A message that a wrong clock put far away', () => {
  it('comes due within five minutes of the next sweep', async () => {
    now = START + 365 * DAY_MS;
    consume(() => ({ kind: 'delay', delayMs: 1_000 }));
    await queue.submit(message('far'));
    await waitFor('the delay', () => deliveries.length === 1);
    await consumers.pop()?.close();
    now = START;
    expect(await sweepAll()).toBe(1);
    expect(await sweepAll()).toBe(0);
    consume(() => ({ kind: 'done' }));
    now += 5 * 60_000 - 1;
    await queue.submit(message('near'));
    await waitFor('the near one', () => deliveries.includes('near'));
    expect(deliveries).toEqual(['far', 'near']);
    now += 1;
    await waitFor('the far one', () => deliveries.length === 3);
    expect(deliveries).toEqual(['far', 'near', 'far']);
  });

  it('is never put further away than five minutes by what it is told', async () => {
    consume(() => (deliveries.length === 1 ? { kind: 'delay', delayMs: 365 * DAY_MS } : { kind: 'done' }));
    await queue.submit(message('delayed'));
    await queue.submit(message('next'));
    await waitFor('the next one', () => deliveries.length === 2);
    now += 5 * 60_000;
    await waitFor('the delayed one', () => deliveries.length === 3);
  });
});

describe('A damaged entry', () => {
  const GARBAGE: readonly (readonly [string, unknown])[] = [
    ['of another shape', 'garbage'],
    ['that cannot be decoded', asBinary(Buffer.from([0xd9, 0xff, 0x01]))],
  ];
  const damage = (table: string, key: Key, garbage: unknown = 'garbage'): Promise<void> =>
    database.transact(() => database.table(table).putSync(key, garbage));

  async function expectTheQueueGoesOn(): Promise<void> {
    consume(() => ({ kind: 'done' }));
    await queue.submit(message('healthy'));
    await waitFor('the healthy message', () => deliveries.includes('healthy'));
    expect(deliveries).toEqual(['healthy']);
    await sweepAll();
    now += DEAD_LETTER_RETENTION_MS + DAY_MS;
    await sweepAll();
    await waitFor('nothing to be left', async () => (await counts(...ALL_TABLES)).every((entries) => entries === 0));
    now += DEAD_LETTER_RETENTION_MS + DAY_MS;
    await sweepAll();
    expect(await counts('damaged')).toEqual([0]);
    expect(log.complaints()).not.toContain('queue.unreadable');
  }

  describe.each(GARBAGE)('%s', (_kind, garbage) => {
    it('where a message stands makes it a dead letter, which can be replayed, and ends its record', async () => {
      await queue.submit(message('broken'));
      await damage('queue-standings', keyOf('broken'), garbage);
      consume(() => ({ kind: 'done' }));
      await waitFor('the dead letter', async () => (await deadJobs()).includes('broken'));
      expect(deliveries).toEqual([]);
      expect(log.complaints()).toContain('store.entry_damaged');
      expect(await store.read(message('broken'))).toMatchObject({ state: 'finished', result: { status: 500 } });
      expect(await queue.replay(message('broken'))).toBe(true);
      await waitFor('the replay', () => deliveries.length === 1);
    });

    it('in the place of a message is set aside, and ends its record', async () => {
      await queue.submit(message('broken'));
      await damage('queue-messages', keyOf('broken'), garbage);
      await expectTheQueueGoesOn();
      expect(log.complaints()).toContain('store.entry_damaged');
      expect(log.text()).not.toContain('payload of');
    });

    it('among the dead letters hides no other, and can still be replayed', async () => {
      await die('broken', 'one', 'three');
      await damage('dead-letters', [START, keyOf('broken')], garbage);
      expect(await deadJobs()).toEqual(['broken', 'one', 'three']);
      expect(log.complaints()).toEqual(['store.entry_damaged']);
      const [letter] = await queue.deadLetters();
      expect(letter).toMatchObject({ reason: expect.stringContaining('damaged'), diedAt: START });
      expect(await queue.deadMessage(message('broken'))).toEqual(message('broken'));
      expect(log.complaints()).toHaveLength(1);
      deliveries = [];
      await expectTheQueueGoesOn();
    });

    it('in the place of a record costs its own job, which can still be ended', async () => {
      await queue.submit(message('broken'));
      await damage('job-records', keyOf('broken'), garbage);
      await expect(store.read(message('broken'))).rejects.toThrow(DamagedEntryError);
      await expect(store.claim(message('broken'), CLAIM)).rejects.toThrow(DamagedEntryError);
      const result = { status: 500, body: '{}' };
      expect(await store.fail(message('broken'), message('broken').described, result)).toBe(true);
      expect(await store.read(message('broken'))).toMatchObject({ state: 'finished', result });
      await sweepAll();
      expect(await store.read(message('broken'))).toMatchObject({ state: 'finished', result });
      consume(() => ({ kind: 'done' }));
      await waitFor('the message to go', () => deliveries.length === 1);
      await consumers.pop()?.close();
      deliveries = [];
      await expectTheQueueGoesOn();
    });

    it('in the place of the outcome of an item costs that item, and the job goes on behind it', async () => {
      const job = message('broken');
      const items = [
        { index: 0, createdId: 7 },
        { index: 1, createdId: 8 },
      ];
      const first = await store.claim(job, CLAIM);
      if (first.outcome !== 'claimed') throw new Error('It is new.');
      await store.checkpoint(job, first.fencingToken, { done: 2, checkpoint: '{"next":2}', items });
      await store.release(job, first.fencingToken);
      await damage('job-items', [keyOf('broken'), 0], garbage);
      const outcomes = [
        { index: 0, failure: expect.stringContaining('cannot be read') },
        { index: 1, createdId: 8 },
      ];
      expect(await store.readItems(job)).toEqual(outcomes);
      expect(log.complaints()).toEqual([]);
      const again = await store.claim(job, { ...CLAIM, nonce: 'again' });
      expect(again).toMatchObject({ outcome: 'claimed', items: outcomes, record: { done: 2 } });
      expect(log.complaints()).toEqual(['store.entry_damaged']);
      expect(await store.readItems(job)).toEqual(outcomes);
      expect(await counts('damaged')).toEqual([1]);
    });

    it('in the place of whoever uses the directory alone names nobody', async () => {
      const dead = await takeExclusiveUse(directory, database);
      await damage('exclusive-use', 'gateway', garbage);
      const use = await takeExclusiveUse(directory, database);
      await use.end();
      await dead.end();
      expect(await counts('exclusive-use')).toEqual([0]);
    });

    it('in the place of when a message died leaves its dead letter', async () => {
      await die('broken', 'one');
      await damage('dead-letter-times', keyOf('broken'), garbage);
      expect(await deadJobs()).toEqual(['broken', 'one']);
      expect(await queue.replay(message('one'))).toBe(true);
      await queue.replay(message('broken'));
      deliveries = [];
      consume(() => ({ kind: 'done' }));
      await waitFor('both', () => deliveries.includes('one'));
      await consumers.pop()?.close();
      deliveries = [];
      await expectTheQueueGoesOn();
    });

    it('in the place of a record does not stop the sweeper', async () => {
      await store.fail(message('one'), message('one').described, { status: 500, body: '{}' });
      await store.fail(message('broken'), message('broken').described, { status: 500, body: '{}' });
      await damage('job-records', keyOf('broken'), garbage);
      now += 600_000;
      await sweepAll();
      expect(await counts('job-records', 'job-records-by-expiry')).toEqual([0, 0]);
    });
  });

  it('of which a part is missing is set aside', async () => {
    await queue.submit(message('broken'));
    await database.transact(() => void database.table('queue-messages').removeSync(keyOf('broken')));
    await queue.submit(message('halved'));
    await database.transact(() => void database.table('queue-standings').removeSync(keyOf('halved')));
    await expectTheQueueGoesOn();
    expect(await store.read(message('broken'))).toBeUndefined();
  });

  it('in the index of expiry does not stop the sweeper', async () => {
    await damage('job-records-by-expiry', [START, 5]);
    await damage('job-records-by-expiry', [START, keyOf('nobody')]);
    await store.fail(message('one'), message('one').described, { status: 500, body: '{}' });
    now += 600_000;
    await sweepAll();
    expect(await counts('job-records', 'job-records-by-expiry')).toEqual([0, 0]);
  });

  it.each<[string, Key]>([
    ['no time', 'garbage'],
    ['a time and no message', [START, keyOf('nobody')]],
    ['a time that is not that of its message', [START, keyOf('broken')]],
    ['no id', [START, 5]],
  ])('whose key holds %s is set aside', async (_fault, key) => {
    now += 1;
    await queue.submit(message('broken'));
    await damage('queue-by-due-time', key);
    await damage('dead-letters', key);
    await sweepAll();
    expect(await deadJobs()).toEqual([]);
    consume(() => ({ kind: 'done' }));
    await waitFor('the queue to be empty', async () => (await counts('queue-by-due-time'))[0] === 0);
    await consumers.pop()?.close();
    deliveries = [];
    await expectTheQueueGoesOn();
  });
});
