import { JOB_KINDS, type JobKind } from '../../jobs/record/job-kinds.js';
import type { QueuedMessage, DeadLetter, QueueLoad } from '../../jobs/record/job-queue.js';
import type { JobIdentity } from '../../jobs/record/job-record.js';

/** Numbers of messages of one kind of job, or of all. */
export interface QueueFigures {
  readonly kind: JobKind | 'all';
  /** Messages that are due and not taken by a consumer. */
  readonly waiting: number;
  /** Messages that come due later; null if the queue does not count them separately. */
  readonly delayed: number | null;
  readonly inHand: number;
  readonly deadLetters: number;
  /** Time since the oldest message, dead letters apart, was accepted, in seconds; null without messages. */
  readonly oldestSeconds: number | null;
}

/** Returns the figures of the kind, or of each kind and all together. @param now milliseconds since 1970 */
export function queueFigures(
  messages: readonly QueuedMessage[],
  deadLetters: readonly DeadLetter[],
  kind: JobKind | undefined,
  now: number,
): readonly QueueFigures[] {
  return (kind === undefined ? [...JOB_KINDS, 'all' as const] : [kind]).map((of) => {
    const isOfKind = (job: JobIdentity): boolean => of === 'all' || job.kind === of;
    const meant = messages.filter(isOfKind);
    const count = (state: QueuedMessage['state']): number => meant.filter((each) => each.state === state).length;
    const oldest = meant.reduce((min, { acceptedAt = Infinity }) => Math.min(min, acceptedAt), Infinity);
    return {
      kind: of,
      waiting: count('waiting'),
      delayed: count('delayed'),
      inHand: count('in hand'),
      deadLetters: deadLetters.filter(({ message }) => isOfKind(message)).length,
      oldestSeconds: secondsSince(oldest, now),
    };
  });
}

/** Returns the figures of a queue that only counts its messages, approximately. */
export function countedFigures({ oldestSince = Infinity, ...counts }: QueueLoad, now: number): QueueFigures {
  return { kind: 'all', ...counts, delayed: null, oldestSeconds: secondsSince(oldestSince, now) };
}

function secondsSince(time: number, now: number): number | null {
  return time === Infinity ? null : Math.max(0, Math.floor((now - time) / 1000));
}
