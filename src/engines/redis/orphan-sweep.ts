import { setTimeout as delay } from 'node:timers/promises';
import { describeError, ServiceUnavailableError } from '../../errors.js';
import { MAX_WAIT_MS } from '../../job-record/job-queue.js';
import type { JobIdentity, JobRecord, JobResult } from '../../job-record/job-record.js';
import type { JobStore } from '../../job-record/job-store.js';
import { parseIdentity } from '../../job-record/stored-message.js';
import type { Logger } from '../../logging/logger.js';
import type { RedisClient } from './clients.js';
import { KEY_PREFIX } from './key-prefix.js';

/** Pause between two sweeps of any process, in milliseconds. */
export const SWEEP_EVERY_MS = 5 * 60 * 1000;

/** Dependencies of a sweep. */
export interface OrphanSweep {
  readonly store: Pick<JobStore, 'read' | 'fail'>;
  readonly unfinished: Pick<UnfinishedJobs, 'notSeenSince' | 'seen' | 'remove'>;
  /** Returns true if the queue will deliver the job. */
  readonly isDeliverable: (job: UnfinishedJob) => Promise<boolean>;
  /** Called before every batch; false ends the sweep. */
  readonly goOn: () => Promise<boolean>;
  readonly logger: Logger;
}

/** Settings of a sweep. */
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

/** Result of checking a job. */
interface Finding {
  readonly job: UnfinishedJob;
  readonly fate: 'over' | 'on its way' | 'unreadable' | { readonly orphan: JobRecord };
}

/**
 * Ends unfinished records that the queue will not deliver, so that polling ends. Queries for the jobs of a batch are
 * sent together, and their records are ended together: a few round trips in total.
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
    const findings = await Promise.all(jobs.map((job) => look(job, sweep)));
    const over = findings.filter(({ fate }) => fate === 'over').map(({ job }) => job);
    if (stopping?.aborted) break;
    const failed = await Promise.all(
      findings.map(async ({ job, fate }) => {
        const isEnded = typeof fate === 'object' && (await store.fail(job, fate.orphan, ORPHANED_JOB));
        return isEnded ? [job] : [];
      }),
    );
    ended += failed.flat().length;
    over.push(...failed.flat());
    if (stopping?.aborted) break;
    await unfinished.remove(over);
    // A time after the start of this sweep, so that it does not check them again.
    await unfinished.seen(
      jobs.filter((job) => !over.includes(job)),
      Date.now() + 1,
    );
  }
  return ended;
}

async function look(job: UnfinishedJob, { store, isDeliverable, logger }: OrphanSweep): Promise<Finding> {
  try {
    const [record, deliverable] = await Promise.all([store.read(job), isDeliverable(job)]);
    if (record === undefined || record.state === 'finished') return { job, fate: 'over' };
    return { job, fate: deliverable ? 'on its way' : { orphan: record } };
  } catch (error) {
    if (error instanceof ServiceUnavailableError) throw error;
    // A damaged record stops its own job, not the sweep.
    logger.event('queue.orphan_unreadable', { jobId: job.jobId, kind: job.kind, reason: describeError(error) });
    return { job, fate: 'unreadable' };
  }
}

/** Schedule of sweeps; times in milliseconds. */
export interface OrphanSweeperOptions {
  readonly queue: { sweepOrphans(options: SweepOptions): Promise<number> };
  readonly logger: Logger;
  /** Jobs submitted more recently are left alone; the deadline of a job is a good value. */
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
    sweep ??= run().finally(() => {
      sweep = undefined;
    });
  }, everyMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      stopping.abort();
      await Promise.race([sweep, delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** In the slot of the queue: records have separate slots, so a script cannot cover both. */
const UNFINISHED = `${KEY_PREFIX}:unfinished`;

/** Maximum number of entries per query. */
const BATCH = 200;

/** Submitted job, and its member of the index. */
export interface UnfinishedJob extends JobIdentity {
  readonly member: string;
}

/** Returns a job's member of the index. */
function unfinishedMember({ kind, org, jobId }: JobIdentity): string {
  return JSON.stringify({ kind, org, jobId });
}

/**
 * Index of submitted jobs by the time of their last check. It is written before record and queue entry, so that partial
 * results of a crash are found; a job leaves it when a check finds it finished.
 */
export class UnfinishedJobs {
  readonly #client: RedisClient;
  readonly #logger: Logger;

  constructor(client: RedisClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** Adds a job. @param now milliseconds since 1970 */
  async add(job: JobIdentity, now: number): Promise<void> {
    await this.#client.zadd(UNFINISHED, now, unfinishedMember(job));
  }

  /** Returns jobs last checked before a time, oldest first, a few hundred at most. Invalid members are removed. */
  async notSeenSince(time: number): Promise<UnfinishedJob[]> {
    for (;;) {
      const members = await this.#client.zrangebyscore(UNFINISHED, '-inf', time, 'LIMIT', 0, BATCH);
      const jobs = members.flatMap((member) => this.#read(member) ?? []);
      if (jobs.length === members.length) return jobs;
      const readable = new Set(jobs.map(({ member }) => member));
      await this.#client.zrem(UNFINISHED, ...members.filter((member) => !readable.has(member)));
    }
  }

  /** Makes jobs due that a wrong clock entered with a time in the future. */
  async capTimes(now: number): Promise<void> {
    const ahead = await this.#client.zrangebyscore(UNFINISHED, now + MAX_WAIT_MS, '+inf', 'LIMIT', 0, BATCH);
    if (ahead.length > 0) await this.#client.zadd(UNFINISHED, 'XX', ...ahead.flatMap((member) => [now, member]));
  }

  /** Notes that jobs were checked and will be delivered. */
  async seen(jobs: readonly UnfinishedJob[], now: number): Promise<void> {
    if (jobs.length > 0) await this.#client.zadd(UNFINISHED, 'XX', ...jobs.flatMap(({ member }) => [now, member]));
  }

  /** Removes jobs. */
  async remove(jobs: readonly UnfinishedJob[]): Promise<void> {
    if (jobs.length > 0) await this.#client.zrem(UNFINISHED, ...jobs.map(({ member }) => member));
  }

  #read(member: string): UnfinishedJob | undefined {
    try {
      return { ...parseIdentity(JSON.parse(member)), member };
    } catch (error) {
      this.#logger.event('queue.orphan_unreadable', { reason: describeError(error) });
      return undefined;
    }
  }
}
