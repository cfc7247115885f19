/** Dead letters as builds before the table of dead letters without payloads have left them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { JobEngine } from '../../../src/engines/job-engine.js';
import { LmdbDatabase } from '../../../src/engines/lmdb/database.js';
import { openLmdbEngine } from '../../../src/engines/lmdb/open-lmdb.js';
import type { JobMessage } from '../../../src/job-record/job-queue.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';

const DIED_AT = Date.UTC(2026, 10, 20);
const DEATH = { attempts: 5, reason: 'The callback answered 500.' };

let directory: string;
let log: CapturedLog;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'earlier-'));
  log = captureLog();
});
afterEach(() => rm(directory, { recursive: true }));

function message(jobId: string): JobMessage {
  const described = { total: 3, fingerprint: 'print', retentionMs: 600_000 };
  return { kind: 'mobiles', org: 'acme', jobId, payload: `payload of ${jobId}`, described };
}

async function leave(letters: Readonly<Record<string, unknown>>): Promise<void> {
  const database = await LmdbDatabase.open({ directory, logger: log.logger });
  const table = database.table<unknown, [number, string]>('queue-dead-letters');
  await database.transact(() => {
    for (const [index, [jobId, letter]] of Object.entries(letters).entries()) {
      table.putSync([DIED_AT + index, `job:{mobiles:acme:${jobId}}`], letter);
    }
  });
  await database.close();
}

const open = (): Promise<JobEngine> => openLmdbEngine({ directory, logger: log.logger, maxAttempts: 5 });

it('are listed, shown and replayed like others', async () => {
  await leave(
    Object.fromEntries(
      ['one', 'two'].map((jobId, index) => [jobId, { message: message(jobId), diedAt: DIED_AT + index, ...DEATH }]),
    ),
  );
  const engine = await open();
  expect(await engine.queue.deadLetters()).toEqual(
    ['one', 'two'].map((jobId, index) => ({
      message: { kind: 'mobiles', org: 'acme', jobId },
      diedAt: DIED_AT + index,
      ...DEATH,
    })),
  );
  expect(await engine.queue.deadMessage(message('two'))).toEqual(message('two'));
  expect(await engine.queue.replay(message('one'))).toBe(true);
  await engine.close();
  // Once, and not again at the next start.
  const again = await open();
  expect((await again.queue.deadLetters()).map(({ message: { jobId } }) => jobId)).toEqual(['two']);
  await again.close();
});

it('that cannot be read are set aside, and cost no other', async () => {
  await leave({ broken: { reason: 7 }, whole: { message: message('whole'), diedAt: DIED_AT + 1, ...DEATH } });
  const engine = await open();
  expect((await engine.queue.deadLetters()).map(({ message: { jobId } }) => jobId)).toEqual(['whole']);
  expect(log.complaints()).toEqual(['store.entry_damaged']);
  await engine.close();
});
