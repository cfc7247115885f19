/** Progress that is noted beside the records, as it is found by others and after the process has ended. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openLmdbEngine } from '../../../src/engines/lmdb/open-lmdb.js';
import { ProgressNotes } from '../../../src/engines/lmdb/progress-notes.js';
import type { JobEngine } from '../../../src/engines/job-engine.js';
import type { JobIdentity } from '../../../src/job-record/job-record.js';
import { captureLog } from '../../support/captured-log.js';
import { waitFor } from '../../support/wait-for.js';

const JOB: JobIdentity = { kind: 'mobiles', org: 'acme', jobId: 'job' };
const LEASE_MS = 60_000;

let directory: string;
let now: number;
let engines: JobEngine[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'progress-notes-'));
  now = Date.now();
  engines = [];
});
afterEach(async () => {
  for (const engine of engines) await engine.close();
  await rm(directory, { recursive: true });
});

async function open(): Promise<JobEngine> {
  const engine = await openLmdbEngine({ directory, logger: captureLog().logger, maxAttempts: 1, clock: () => now });
  engines.push(engine);
  return engine;
}

async function claim({ jobStore }: JobEngine): Promise<{ fencingToken: string; checkpoint: string | undefined }> {
  const claimed = await jobStore.claim(JOB, {
    total: 9,
    fingerprints: ['print'],
    leaseMs: LEASE_MS,
    retentionMs: 600_000,
    nonce: String(now),
  });
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  return { fencingToken: claimed.fencingToken, checkpoint: claimed.record.checkpoint };
}

const progress = (done: number): { done: number; checkpoint: string; repeatable: true } => ({
  done,
  checkpoint: `[${done}]`,
  repeatable: true,
});

const files = (): Promise<string[]> => readdir(join(directory, 'progress')).catch(() => []);

/** Notes progress until some of it is beside the record: each may be the one whose turn it is to be written there. */
async function noteAside({ jobStore }: JobEngine, fencingToken: string): Promise<number> {
  let done = 0;
  await waitFor('a note beside the record', async () => {
    done += 1;
    await jobStore.checkpoint(JOB, fencingToken, progress(done));
    return (await files()).length === 1;
  });
  return done;
}

describe('progress beside the record', () => {
  it('is seen by others, and is where the job goes on when its owner is gone', async () => {
    const owner = await open();
    const { fencingToken } = await claim(owner);
    const done = await noteAside(owner, fencingToken);
    // The owner closes nothing and gives nothing back, as when it was killed.
    const next = await open();
    expect((await next.jobStore.read(JOB))?.done).toBe(done);
    now += LEASE_MS + 1;
    expect((await claim(next)).checkpoint).toBe(`[${done}]`);
    expect(await owner.jobStore.checkpoint(JOB, fencingToken, { done: 9, checkpoint: '[9]' })).toBe('lost');
    expect((await next.jobStore.read(JOB))?.done).toBe(done);
  });

  it.each(['', 'nonsense', '1 {"fencingToken":"1","done":9,"checkpoint":"[9]"}', ' '.repeat(512)])(
    'counts for nothing when it is damaged: %j',
    async (text) => {
      const owner = await open();
      const { fencingToken } = await claim(owner);
      await owner.jobStore.checkpoint(JOB, fencingToken, { done: 1, checkpoint: '[1]' });
      await noteAside(owner, fencingToken);
      const [file = ''] = await files();
      await writeFile(join(directory, 'progress', file), text);
      const next = await open();
      expect((await next.jobStore.read(JOB))?.checkpoint).toMatch(/^\[\d\]$/);
    },
  );

  it('goes with the job, when that ends and when it is given back', async () => {
    const owner = await open();
    for (const end of ['release', 'finish'] as const) {
      const { fencingToken } = await claim(owner);
      await noteAside(owner, fencingToken);
      if (end === 'finish') await owner.jobStore.finish(JOB, fencingToken, { status: 200, body: '{}' });
      else await owner.jobStore.release(JOB, fencingToken);
      expect(await files()).toEqual([]);
    }
  });
});

describe('a note', () => {
  const noted = { fencingToken: 'token', done: 1, checkpoint: '[1]' };

  it('is not made before the record of the job was written under its token, or long after', async () => {
    const notes = new ProgressNotes(directory);
    expect(notes.write('key', noted)).toBe(false);
    notes.recordWritten('key', 'another token');
    expect(notes.write('key', noted)).toBe(false);
    notes.recordWritten('key', 'token');
    await waitFor('notes to be refused', () => !notes.write('key', noted));
    notes.close();
  });

  it('is not made of what does not fit, or where it cannot be written', async () => {
    const notes = new ProgressNotes(join(directory, 'file'));
    notes.recordWritten('key', 'token');
    expect(notes.write('key', { ...noted, checkpoint: 'x'.repeat(600) })).toBe(false);
    await writeFile(join(directory, 'file'), '');
    expect(notes.write('key', noted)).toBe(false);
    expect(notes.read('key', 'token')).toBeUndefined();
    notes.close();
  });

  it('is read under its own token alone', () => {
    const notes = new ProgressNotes(directory);
    notes.recordWritten('key', 'token');
    expect(notes.write('key', noted)).toBe(true);
    const others = new ProgressNotes(directory);
    expect([others.read('key', 'token'), others.read('key', 'next token')]).toEqual([noted, undefined]);
    notes.close();
  });
});
