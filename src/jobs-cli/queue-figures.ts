import { JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';
import type { QueuedMessage, DeadLetter, QueueLoad } from '../job-record/job-queue.js';

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
  const ofKind = (each: JobKind): QueueFigures =>
    figuresOf(
      each,
      messages.filter((message) => message.kind === each),
      deadLetters.filter(({ message }) => message.kind === each),
      now,
    );
  if (kind !== undefined) return [ofKind(kind)];
  return [...JOB_KINDS.map(ofKind), figuresOf('all', messages, deadLetters, now)];
}

function figuresOf(
  kind: QueueFigures['kind'],
  messages: readonly QueuedMessage[],
  deadLetters: readonly DeadLetter[],
  now: number,
): QueueFigures {
  const count = (state: QueuedMessage['state']): number => messages.filter((each) => each.state === state).length;
  const oldest = messages.reduce((min, { acceptedAt = Infinity }) => Math.min(min, acceptedAt), Infinity);
  return {
    kind,
    waiting: count('waiting'),
    delayed: count('delayed'),
    inHand: count('in hand'),
    deadLetters: deadLetters.length,
    oldestSeconds: oldest === Infinity ? null : secondsSince(oldest, now),
  };
}

/** Returns the figures of a queue that only counts its messages, approximately. */
export function countedFigures({ oldestSince, ...counts }: QueueLoad, now: number): QueueFigures {
  return {
    kind: 'all',
    ...counts,
    delayed: null,
    oldestSeconds: oldestSince === undefined ? null : secondsSince(oldestSince, now),
  };
}

function secondsSince(time: number, now: number): number {
  return Math.max(0, Math.floor((now - time) / 1000));
}
