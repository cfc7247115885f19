import { isJobKind, JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';
import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity } from '../job-record/job-record.js';
import { UsageError } from '../process/usage-error.js';

/** Conditions for jobs; every given one must hold. */
export interface JobSelection {
  readonly jobId?: string;
  readonly kind?: JobKind;
  /** Empty: jobs without an organisation. */
  readonly org?: string;
  /** Minimum age of dead letters, in milliseconds. */
  readonly minAgeMs?: number;
  /** Maximum age of dead letters, in milliseconds. */
  readonly maxAgeMs?: number;
  /** Text in the reason of dead letters. */
  readonly reason?: string;
  /** Maximum number of dead letters; the oldest are taken. */
  readonly limit?: number;
}

/** Returns whether a job matches the id, kind and organisation. */
export function isMeant({ jobId, kind, org }: JobSelection, job: JobIdentity): boolean {
  return (
    (jobId === undefined || job.jobId === jobId) &&
    (kind === undefined || job.kind === kind) &&
    (org === undefined || (job.org ?? '') === org)
  );
}

/** Returns the matching dead letters, in the given order. @param now milliseconds since 1970 */
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

/** Parses a kind of job. @throws {UsageError} */
export function readKind(text: string): JobKind {
  if (!isJobKind(text)) throw new UsageError(`--kind must be one of ${JOB_KINDS.join(', ')}, and is "${text}".`);
  return text;
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a length of time such as `90s`, `15m`, `2h` or `3d`. @returns milliseconds @throws {UsageError} */
export function readAge(option: string, text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined || !(unit === 's' || unit === 'm' || unit === 'h' || unit === 'd')) {
    throw new UsageError(`${option} must be a number and s, m, h or d, such as 90s or 2h, and is "${text}".`);
  }
  return Number(count) * UNIT_MS[unit];
}

/** Parses a number of dead letters. @throws {UsageError} */
export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    throw new UsageError(`--limit must be a whole number from 1, and is "${text}".`);
  }
  return Number(text);
}
