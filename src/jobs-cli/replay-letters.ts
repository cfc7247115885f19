import { GatewayError, ServiceUnavailableError } from '../errors.js';
import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity } from '../job-record/job-record.js';
import { recordOf, replay, type JobPorts } from './dead-letters.js';
import { jobOfFailedItems, type ReplayPorts } from './failed-items.js';

/** What became of a dead letter, or would become of it. */
export interface ReplayedLetter {
  readonly job: JobIdentity;
  readonly outcome: 'replayed' | 'refused';
  /** The job that was started of the items that failed, how many they are, and how many were never finished. */
  readonly jobId?: string;
  readonly items?: number;
  readonly unfinished?: number;
  /** Why it was refused. */
  readonly reason?: string;
}

/** How dead letters are replayed. */
export interface ReplayOptions {
  readonly dryRun: boolean;
  /** Told of each when it is done. */
  readonly onReplayed: (replayed: ReplayedLetter) => void;
}

/** Delivers dead letters again, one after another; one that cannot be does not keep the others. */
export function replayLetters(
  { queue, jobStore }: JobPorts,
  letters: readonly DeadLetter[],
  options: ReplayOptions,
): Promise<void> {
  return each(letters, options, async (job) => {
    await recordOf(jobStore, job);
    if (!options.dryRun) await replay(queue, job);
    return { job, outcome: 'replayed' };
  });
}

/** Starts a new job of the items that failed of each; in the same way. */
export function replayFailedItems(
  ports: ReplayPorts,
  letters: readonly DeadLetter[],
  options: ReplayOptions,
): Promise<void> {
  return each(letters, options, async (job) => {
    const { message, unfinished } = await jobOfFailedItems(ports, job);
    if (!options.dryRun) await ports.submission.submit(message);
    return { job, outcome: 'replayed', jobId: message.jobId, items: message.described.total, unfinished };
  });
}

/** @throws {ServiceUnavailableError} which ends it: nothing more can be done */
async function each(
  letters: readonly DeadLetter[],
  { onReplayed }: ReplayOptions,
  run: (job: JobIdentity) => Promise<ReplayedLetter>,
): Promise<void> {
  for (const { message: job } of letters) {
    try {
      onReplayed(await run(job));
    } catch (error) {
      if (!(error instanceof GatewayError) || error instanceof ServiceUnavailableError) throw error;
      onReplayed({ job, outcome: 'refused', reason: error.message });
    }
  }
}

/** A sentence of what became of a dead letter. */
export function replayText(
  { job, outcome, jobId, items = 0, unfinished = 0, reason }: ReplayedLetter,
  dryRun: boolean,
): string {
  if (outcome === 'refused') return `Job ${job.jobId} is not replayed: ${reason ?? ''}`;
  const is = dryRun ? 'would be' : 'is';
  if (jobId === undefined) return `Job ${job.jobId} ${is} delivered again.`;
  const rest = unfinished > 0 ? ` ${unfinished} items were not done; replay the job itself for those.` : '';
  return `Job ${jobId} ${is} started with the ${items} items that failed.${rest}`;
}
