import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../../src/errors.js';
import {
  startOrphanSweeper,
  sweepOrphans,
  type OrphanSweep,
  type UnfinishedJob,
} from '../../../src/engines/redis/orphan-sweep.js';
import type { JobRecord } from '../../../src/job-record/job-record.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { deferred, waitFor } from '../../support/wait-for.js';

const PENDING: JobRecord = {
  state: 'pending',
  total: 1,
  done: 0,
  createdAt: 1,
  attempt: 0,
  fingerprint: 'print',
  retentionMs: 1,
  expiresAt: 2,
};
const NOW_OR_EARLIER = { olderThanMs: 0 };

/** Jobs in batches of at most so many, each of which comes once. */
function unfinishedJobs(count: number, batch: number): UnfinishedJob[][] {
  const jobs = Array.from({ length: count }, (_, index): UnfinishedJob => {
    const jobId = `job-${index}`;
    return { kind: 'mobiles', org: 'acme', jobId, member: jobId };
  });
  return Array.from({ length: Math.ceil(count / batch) }, (_, at) => jobs.slice(at * batch, (at + 1) * batch));
}

describe('A sweep of orphans', () => {
  let log: CapturedLog;
  let asked: string[];
  let ended: string[];
  let removed: string[];
  let seen: string[];

  beforeEach(() => {
    log = captureLog();
    [asked, ended, removed, seen] = [[], [], [], []];
  });

  /** Jobs that the queue does not know, by default. */
  function sweepOf(batches: UnfinishedJob[][], changes: Partial<OrphanSweep> = {}): OrphanSweep {
    return {
      store: {
        read: ({ jobId }) => {
          asked.push(jobId);
          return Promise.resolve(PENDING);
        },
        fail: ({ jobId }) => {
          ended.push(jobId);
          return Promise.resolve(true);
        },
      },
      unfinished: {
        notSeenSince: () => Promise.resolve(batches.shift() ?? []),
        remove: (jobs) => Promise.resolve(void removed.push(...jobs.map(({ member }) => member))),
        seen: (jobs) => Promise.resolve(void seen.push(...jobs.map(({ member }) => member))),
      },
      isDeliverable: () => Promise.resolve(false),
      goOn: () => Promise.resolve(true),
      logger: log.logger,
      ...changes,
    };
  }

  it.each(['asks about', 'ends'])('%s all jobs of a batch before any answer is there', async (step) => {
    const answered = deferred();
    const reached: string[] = [];
    const sweep = sweepOf(unfinishedJobs(50, 50));
    const held = async ({ jobId }: { readonly jobId: string }): Promise<boolean> => {
      reached.push(jobId);
      await answered.promise;
      return true;
    };
    const sweeping = sweepOrphans(
      step === 'ends' ? { ...sweep, store: { ...sweep.store, fail: held } } : { ...sweep, isDeliverable: held },
      NOW_OR_EARLIER,
    );
    await waitFor('all to be reached', () => reached.length === 50);
    answered.resolve();
    expect(await sweeping).toBe(step === 'ends' ? 50 : 0);
    expect(step === 'ends' ? removed : seen).toHaveLength(50);
  });

  it('ends no record after it has to stop, and begins no other batch', async () => {
    const stopping = new AbortController();
    const options = { ...NOW_OR_EARLIER, stopping: stopping.signal };
    const isDeliverable = (): Promise<boolean> => {
      stopping.abort();
      return Promise.resolve(false);
    };
    const told = sweepOf(unfinishedJobs(10, 5), { isDeliverable });
    expect(await sweepOrphans(told, options)).toBe(0);
    expect([ended, asked.length]).toEqual([[], 5]);
  });

  it('begins no other batch when it has to stop while records are ended', async () => {
    const stopping = new AbortController();
    const sweep = sweepOf(unfinishedJobs(10, 5));
    const fail: OrphanSweep['store']['fail'] = () => {
      stopping.abort();
      return Promise.resolve(true);
    };
    const options = { ...NOW_OR_EARLIER, stopping: stopping.signal };
    expect(await sweepOrphans({ ...sweep, store: { ...sweep.store, fail } }, options)).toBe(5);
    expect(asked).toHaveLength(5);
  });

  it('does nothing while another process sweeps, and ends when another one has taken over', async () => {
    const elsewhere = sweepOf(unfinishedJobs(5, 5), { goOn: () => Promise.resolve(false) });
    expect(await sweepOrphans(elsewhere, NOW_OR_EARLIER)).toBe(0);
    expect(asked).toEqual([]);
    let batches = 0;
    const takenOver = sweepOf(unfinishedJobs(10, 5), { goOn: () => Promise.resolve(batches++ === 0) });
    expect(await sweepOrphans(takenOver, NOW_OR_EARLIER)).toBe(5);
    expect(asked).toHaveLength(5);
  });

  it('goes on behind a record that cannot be read, and not behind a store that is away', async () => {
    const broken = (error: Error): OrphanSweep => {
      const sweep = sweepOf(unfinishedJobs(3, 3));
      const read: OrphanSweep['store']['read'] = (job) =>
        job.jobId === 'job-1' ? Promise.reject(error) : sweep.store.read(job);
      return { ...sweep, store: { ...sweep.store, read } };
    };
    expect(await sweepOrphans(broken(new Error('damaged')), NOW_OR_EARLIER)).toBe(2);
    expect(removed).toEqual(['job-0', 'job-2']);
    expect(seen).toEqual(['job-1']);
    expect(log.complaints()).toEqual(['queue.orphan_unreadable']);
    const away = sweepOrphans(broken(new ServiceUnavailableError('Redis')), NOW_OR_EARLIER);
    await expect(away).rejects.toThrow(ServiceUnavailableError);
  });
});

describe('The sweeper of orphans', () => {
  it('is closed at once although a sweep hangs', async () => {
    const log = captureLog();
    let stopping: AbortSignal | undefined;
    const sweepOrphans = (options: { readonly stopping?: AbortSignal }): Promise<number> => {
      stopping = options.stopping;
      return new Promise(() => undefined);
    };
    const sweeper = startOrphanSweeper({ queue: { sweepOrphans }, logger: log.logger, olderThanMs: 0, everyMs: 1 });
    await waitFor('the sweep', () => stopping !== undefined);
    const closedAt = performance.now();
    await sweeper.close();
    expect(stopping?.aborted).toBe(true);
    expect(performance.now() - closedAt).toBeLessThan(3_000);
  });
});
