import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import type { JobKind } from '../../../src/jobs/record/job-kinds.js';
import type { JobMessage, JobQueue } from '../../../src/jobs/record/job-queue.js';
import { sealPayload } from '../../../src/jobs/record/payload-encryption.js';
import { dropDeadLetter, jobOfFailedItems, replayFailedItems } from '../../../src/programs/jobs-cli/dead-letters.js';
import { claimed } from '../../support/stored-jobs.js';
import { createMemoryJobStore } from '../jobs/memory-job-store.js';

const BODY = [{ id: 1 }, { id: 2 }, { id: 3 }];
const keyRing = new KeyRing([new Uint8Array(32)]);

/** One dead letter of a kind, whose second item failed and whose third was not reached. */
async function deadLetterOf(kind: JobKind) {
  const job = { kind, org: 'acme', jobId: 'job-1' };
  const jobStore = createMemoryJobStore();
  const described = { total: BODY.length, fingerprint: 'f', retentionMs: 60_000 };
  const { fencingToken } = await claimed(jobStore, job, { fingerprints: ['f'] });
  const items = [{ index: 0 }, { index: 1, failure: 'refused' }];
  await jobStore.checkpoint(job, fencingToken, { done: 2, checkpoint: '{}', items });
  await jobStore.release(job, fencingToken);
  await jobStore.fail(job, described, { status: 500, body: '{}' });

  const message: JobMessage = { ...job, described, payload: sealPayload(keyRing, job, JSON.stringify(BODY)) };
  const queue: JobQueue = {
    consume: () => ({ close: () => Promise.resolve() }),
    deadLetters: () =>
      Promise.resolve([{ message: job, reason: 'The callback answered 500.', attempts: 1, diedAt: 0 }]),
    deadMessage: () => Promise.resolve(message),
    replay: () => Promise.resolve(false),
    drop: () => Promise.resolve(false),
    load: () => Promise.resolve({ waiting: 0, inHand: 0, deadLetters: 1, oldestSince: undefined }),
  };
  return { job, ports: { queue, jobStore, keyRing } };
}

it('A drop that comes too late is refused, and leaves no note', async () => {
  const { job, ports } = await deadLetterOf('mobiles');
  const [letter] = await ports.queue.deadLetters();
  if (letter === undefined) throw new Error('There is a dead letter.');
  await expect(dropDeadLetter(ports, letter, false)).rejects.toMatchObject({ name: 'RefusedCommandError' });
  expect(await ports.jobStore.read(job)).not.toHaveProperty('dropped');
});

describe('the failed items of a dead letter', () => {
  it('are said to be replayed already when another operator does it at the same time', async () => {
    const { job, ports } = await deadLetterOf('mobiles');
    const record = await ports.jobStore.read(job);
    if (record === undefined) throw new Error('The dead letter has a record.');
    const submission = {
      submit: () => Promise.resolve({ record, isNew: false }),
      submitAgain: () => Promise.resolve(),
    };
    await expect(replayFailedItems({ ...ports, submission }, keyRing, job, false)).rejects.toMatchObject({
      name: 'RefusedCommandError',
      message: 'The failed items were replayed already, as job job-1:failed-items.',
    });
  });

  it('stay what they are where the job is one piece', async () => {
    const { job, ports } = await deadLetterOf('driving-reports');
    await expect(jobOfFailedItems(ports, job)).rejects.toMatchObject({
      name: 'RefusedCommandError',
      message: 'A job of the kind driving-reports is run as a whole. Replay it without --failed-items.',
    });
  });
});
