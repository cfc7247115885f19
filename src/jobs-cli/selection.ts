import { isJobKind, JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';
import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity } from '../job-record/job-record.js';
import { UsageError } from '../process/usage-error.js';

/** Which jobs are meant; every condition given must hold. */
export interface JobSelection {
  readonly jobId?: string;
  readonly kind?: JobKind;
  /** Empty: jobs without an organisation. */
  readonly org?: string;
  /** Dead letters that died at least so long ago, in milliseconds. */
  readonly minAgeMs?: number;
  /** Dead letters that died at most so long ago, in milliseconds. */
  readonly maxAgeMs?: number;
  /** Dead letters whose reason contains this. */
  readonly reason?: string;
  /** So many of them at most, the oldest. */
  readonly limit?: number;
}

/** Whether a job is meant, as far as it can be told without knowing when it died. */
export function isMeant({ jobId, kind, org }: JobSelection, job: JobIdentity): boolean {
  return (
    (jobId === undefined || job.jobId === jobId) &&
    (kind === undefined || job.kind === kind) &&
    (org === undefined || (job.org ?? '') === org)
  );
}

/** The dead letters that are meant, in the order they were given. @param now milliseconds since 1970 */
export function meantLetters(
  selection: JobSelection,
  letters: readonly DeadLetter[],
  now: number,
): readonly DeadLetter[] {
  const { minAgeMs = -Infinity, maxAgeMs = Infinity, reason = '', limit } = selection;
  return letters
    .filter((letter) => {
      const age = now - letter.diedAt;
      return isMeant(selection, letter.message) && age >= minAgeMs && age <= maxAgeMs && letter.reason.includes(reason);
    })
    .slice(0, limit);
}

/** Reads a kind of job. @throws {UsageError} */
export function readKind(text: string): JobKind {
  if (!isJobKind(text)) throw new UsageError(`--kind must be one of ${JOB_KINDS.join(', ')}, and is "${text}".`);
  return text;
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads a length of time such as `90s`, `15m`, `2h` or `3d`. @returns milliseconds @throws {UsageError} */
export function readAge(option: string, text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined || !(unit === 's' || unit === 'm' || unit === 'h' || unit === 'd')) {
    throw new UsageError(`${option} must be a number and s, m, h or d, such as 90s or 2h, and is "${text}".`);
  }
  return Number(count) * UNIT_MS[unit];
}

/** Reads a number of dead letters. @throws {UsageError} */
export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    throw new UsageError(`--limit must be a whole number from 1, and is "${text}".`);
  }
  return Number(text);
}
