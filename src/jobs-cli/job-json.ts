import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity } from '../job-record/job-record.js';
import type { JobView } from './job-view.js';
import type { QueueFigures } from './queue-figures.js';
import type { ReplayedLetter } from './replay-letters.js';

/*
 * Answers as JSON, for other programs. Points in time are RFC 3339; what is not there is null.
 */

/** Dead letters. */
export function listJson(letters: readonly DeadLetter[]): unknown {
  return { deadLetters: letters.map((letter) => ({ ...identity(letter.message), ...letterJson(letter) })) };
}

/** How much waits in the queue. */
export function queueJson(figures: readonly QueueFigures[], approximate: boolean): unknown {
  return { queue: figures, ...(approximate && { approximate }) };
}

/** A job. */
export function jobJson({ job, record, queued, letter, failures, again }: JobView): unknown {
  return {
    ...identity(job),
    state: record?.state ?? null,
    orderedBy: record?.orderedBy ?? null,
    progress: record ? { done: record.done, total: record.total } : null,
    claims: record?.attempt ?? null,
    createdAt: time(record?.createdAt),
    startedAt: time(record?.startedAt),
    finishedAt: time(record?.finishedAt),
    cancelledAt: time(record?.cancelledAt),
    leasedUntil: time(record?.lease?.expiresAt),
    keptUntil: time(record?.expiresAt),
    reply: record?.result ? { status: record.result.status, body: JSON.parse(record.result.body) as unknown } : null,
    failedItems: failures,
    queue: queued ? { state: queued.state, attempts: queued.attempts, dueAt: time(queued.dueAt) } : null,
    deadLetter: letter ? letterJson(letter) : null,
    startedAgain: again ? { jobId: again.job.jobId, state: again.record.state } : null,
  };
}

/** What became of dead letters that were to be replayed. */
export function replayJson(replayed: readonly ReplayedLetter[], dryRun: boolean): unknown {
  return {
    dryRun,
    jobs: replayed.map(({ job, outcome, jobId, items, unfinished, reason }) => ({
      ...identity(job),
      outcome,
      startedJobId: jobId ?? null,
      items: items ?? null,
      unfinished: unfinished ?? null,
      reason: reason ?? null,
    })),
  };
}

function identity({ kind, org, jobId }: JobIdentity): object {
  return { jobId, kind, org: org ?? null };
}

function letterJson({ diedAt, attempts, reason }: DeadLetter): object {
  return { diedAt: time(diedAt), attempts, reason };
}

function time(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
