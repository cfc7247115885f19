import { describeError, ServiceUnavailableError } from '../../errors.js';
import { MAX_WAIT_MS } from '../../job-record/job-queue.js';
import type { JobIdentity, JobRecord, JobResult } from '../../job-record/job-record.js';
import type { JobStore } from '../../job-record/job-store.js';
import { parseIdentity } from '../../job-record/stored-message.js';
import type { Logger } from '../../logging/logger.js';
import { withinTime } from '../../waits.js';
import type { RedisClient } from './clients.js';
import { KEY_PREFIX } from './script.js';

/** Pause between two sweeps of any process, in milliseconds. */
export const SWEEP_EVERY_MS = 5 * 60 * 1000;

export interface OrphanSweep {
  readonly store: Pick<JobStore, 'read' | 'fail'>;
  readonly unfinished: Pick<UnfinishedJobs, 'notSeenSince' | 'seen' | 'remove'>;
  /** Returns true if the queue will deliver the job. */
  readonly isDeliverable: (job: UnfinishedJob) => Promise<boolean>;
  /** Called before every batch; false ends the sweep. */
  readonly goOn: () => Promise<boolean>;
  readonly logger: Logger;
}

export interface SweepOptions {
  /** Jobs submitted or checked more recently are left alone. */
  readonly olderThanMs: number;
  /** Ends the sweep before its next step. */
  readonly stopping?: AbortSignal;
}

/** Reply of a job that will not be delivered. */
export const ORPHANED_JOB: JobResult = {
  status: 503,
  body: JSON.stringify({
    message: 'The job was lost before it was finished. See what it did before starting it again.',
  }),
};

/**
 * Ends unfinished records that the queue will not deliver, so that polling ends. It takes a few round trips for each
 * batch, because the jobs of a batch are read together and ended together.
 *
 * @returns number of ended records
 */
export async function sweepOrphans(sweep: OrphanSweep, { olderThanMs, stopping }: SweepOptions): Promise<number> {
  const { store, unfinished, goOn } = sweep;
  const startedAt = Date.now();
  let ended = 0;
  while (!stopping?.aborted && (await goOn())) {
    const jobs = await unfinished.notSeenSince(startedAt - olderThanMs);
    if (jobs.length === 0) break;
    const fates = await Promise.all(jobs.map((job) => fateOf(job, sweep)));
    if (stopping?.aborted) break;
    const isOver = await Promise.all(
      jobs.map(async (job, index) => {
        const fate = fates[index];
        if (typeof fate !== 'object') return fate === 'over';
        const isEnded = await store.fail(job, fate, ORPHANED_JOB);
        if (isEnded) ended += 1;
        return isEnded;
      }),
    );
    if (stopping?.aborted) break;
    await unfinished.remove(jobs.filter((_, index) => isOver[index]));
    // With a time after the start of this sweep, they are not checked again.
    await unfinished.seen(
      jobs.filter((_, index) => !isOver[index]),
      Date.now() + 1,
    );
  }
  return ended;
}

/** Returns what is known of a job; for an orphan, its record. */
async function fateOf(
  job: UnfinishedJob,
  { store, isDeliverable, logger }: OrphanSweep,
): Promise<'over' | 'on its way' | 'unreadable' | JobRecord> {
  try {
    const [record, deliverable] = await Promise.all([store.read(job), isDeliverable(job)]);
    if (record === undefined || record.state === 'finished') return 'over';
    return deliverable ? 'on its way' : record;
  } catch (error) {
    if (error instanceof ServiceUnavailableError) throw error;
    // A damaged record concerns its own job, not the sweep.
    logger.event('queue.orphan_unreadable', { jobId: job.jobId, kind: job.kind, reason: describeError(error) });
    return 'unreadable';
  }
}

export interface OrphanSweeperOptions {
  readonly queue: { sweepOrphans(options: SweepOptions): Promise<number> };
  readonly logger: Logger;
  /** Jobs submitted more recently are left alone. The maximum run time of a job is a good value. */
  readonly olderThanMs: number;
  /** Pause between two sweeps; 5 minutes by default. */
  readonly everyMs?: number;
}

/** Maximum wait of a stopped sweep for its current commands, in case Redis hangs. */
const STOP_MS = 1_000;

/** Sweeps orphans periodically until closed; every process may do so. It does not keep the process alive. */
export function startOrphanSweeper(options: OrphanSweeperOptions): { close(): Promise<void> } {
  const { queue, logger, olderThanMs, everyMs = SWEEP_EVERY_MS } = options;
  const stopping = new AbortController();
  let sweep: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      const ended = await queue.sweepOrphans({ olderThanMs, stopping: stopping.signal });
      if (ended > 0) logger.event('queue.orphans_ended', { ended });
    } catch (error) {
      // The connection has logged an unreachable Redis.
      if (error instanceof ServiceUnavailableError || stopping.signal.aborted) return;
      logger.event('queue.sweep_failed', { reason: describeError(error) });
    }
  }

  const timer = setInterval(() => {
    sweep ??= run().finally(() => (sweep = undefined));
  }, everyMs).unref();
  return {
    async close() {
      clearInterval(timer);
      stopping.abort();
      if (sweep !== undefined) await withinTime(sweep, STOP_MS);
    },
  };
}

/** Key of the index. It is in the slot of the queue, because the records have separate slots. */
const UNFINISHED = `${KEY_PREFIX}:unfinished`;

const BATCH = 200;

export interface UnfinishedJob extends JobIdentity {
  readonly member: string;
}

type UnfinishedJobs = ReturnType<typeof createUnfinishedJobs>;

/**
 * Creates the index of submitted jobs by the time of their last check, milliseconds since 1970. A job enters it before
 * its record and its queue entry are written, so that whatever a crash leaves is found. It leaves when a check finds it
 * finished.
 */
export function createUnfinishedJobs(client: RedisClient, logger: Logger) {
  function read(member: string): UnfinishedJob | undefined {
    try {
      return { ...parseIdentity(JSON.parse(member)), member };
    } catch (error) {
      logger.event('queue.orphan_unreadable', { reason: describeError(error) });
      return undefined;
    }
  }

  return {
    async add({ kind, org, jobId }: JobIdentity, now: number): Promise<void> {
      await client.zadd(UNFINISHED, now, JSON.stringify({ kind, org, jobId }));
    },

    /** Returns jobs last checked before a time, oldest first, a few hundred at most. Invalid members are removed. */
    async notSeenSince(time: number): Promise<readonly UnfinishedJob[]> {
      for (;;) {
        const members = await client.zrangebyscore(UNFINISHED, '-inf', time, 'LIMIT', 0, BATCH);
        const jobs = members.flatMap((member) => read(member) ?? []);
        if (jobs.length === members.length) return jobs;
        const readable = new Set(jobs.map(({ member }) => member));
        await client.zrem(UNFINISHED, ...members.filter((member) => !readable.has(member)));
      }
    },

    /** Makes jobs due that a wrong clock entered with a future time. */
    async capTimes(now: number): Promise<void> {
      const ahead = await client.zrangebyscore(UNFINISHED, now + MAX_WAIT_MS, '+inf', 'LIMIT', 0, BATCH);
      if (ahead.length > 0) await client.zadd(UNFINISHED, 'XX', ...ahead.flatMap((member) => [now, member]));
    },

    /** Notes that jobs were checked and will be delivered. */
    async seen(jobs: readonly UnfinishedJob[], now: number): Promise<void> {
      if (jobs.length > 0) await client.zadd(UNFINISHED, 'XX', ...jobs.flatMap(({ member }) => [now, member]));
    },

    async remove(jobs: readonly UnfinishedJob[]): Promise<void> {
      if (jobs.length > 0) await client.zrem(UNFINISHED, ...jobs.map(({ member }) => member));
    },
  };
}
