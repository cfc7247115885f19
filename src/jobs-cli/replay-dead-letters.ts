import { GatewayError, ServiceUnavailableError } from '../errors.js';
import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity } from '../job-record/job-record.js';
import { recordOf, replay, type JobPorts, jobOfFailedItems, type ReplayPorts } from './dead-letters.js';
import { RefusedCommandError } from '../process/read-arguments.js';

/** Outcome of the replay of a dead letter, or of its dry run. */
export interface ReplayedDeadLetter {
  readonly job: JobIdentity;
  readonly outcome: 'replayed' | 'refused';
  /** Job started with the failed items, number of these items, and number of unfinished items. */
  readonly jobId?: string;
  readonly items?: number;
  readonly unfinished?: number;
  /** Reason of the refusal. */
  readonly reason?: string;
}

export interface ReplayOptions {
  readonly dryRun: boolean;
  /** Receives the outcome of each dead letter. */
  readonly onReplayed: (replayed: ReplayedDeadLetter) => void;
}

/** Delivers dead letters again, one after another; a refused one does not stop the others. */
export function replayDeadLetters(
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

/** Starts a new job with the failed items of each dead letter; a refused one does not stop the others. */
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

/** Handles dead letters one after another. @throws {ServiceUnavailableError} which ends the loop */
async function each(
  letters: readonly DeadLetter[],
  { onReplayed }: ReplayOptions,
  run: (job: JobIdentity) => Promise<ReplayedDeadLetter>,
): Promise<void> {
  for (const { message: job } of letters) {
    try {
      onReplayed(await run(job));
    } catch (error) {
      const isRefusal = error instanceof RefusedCommandError || error instanceof GatewayError;
      if (!isRefusal || error instanceof ServiceUnavailableError) throw error;
      onReplayed({ job, outcome: 'refused', reason: error.message });
    }
  }
}

/** Describes the outcome for a dead letter in a sentence. */
export function replayText(
  { job, outcome, jobId, items = 0, unfinished = 0, reason }: ReplayedDeadLetter,
  dryRun: boolean,
): string {
  if (outcome === 'refused') return `Job ${job.jobId} is not replayed: ${reason ?? ''}`;
  const is = dryRun ? 'would be' : 'is';
  if (jobId === undefined) return `Job ${job.jobId} ${is} delivered again.`;
  const rest = unfinished > 0 ? ` ${unfinished} items were not done; replay the job itself for those.` : '';
  return `Job ${jobId} ${is} started with the ${items} items that failed.${rest}`;
}
