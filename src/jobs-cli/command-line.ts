import { UsageError, type ReadArguments } from '../process/read-arguments.js';
import { isJobKind, JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';
import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';

export type OneJob = JobSelection & { readonly jobId: string };

/** States of jobs to list. */
const STATES = ['pending', 'running', 'finished', 'any'] as const satisfies readonly (JobRecord['state'] | 'any')[];

export type JobsCommand = { readonly json: boolean } & (
  | { readonly name: 'list' | 'queue'; readonly selection: JobSelection }
  | {
      readonly name: 'list jobs';
      readonly selection: JobSelection & { readonly org: string };
      readonly state: (typeof STATES)[number];
    }
  | { readonly name: 'cancel'; readonly selection: OneJob; readonly dryRun: boolean; readonly yes: boolean }
  | { readonly name: 'drop'; readonly selection: JobSelection; readonly dryRun: boolean; readonly yes: boolean }
  | {
      readonly name: 'show';
      readonly selection: OneJob;
      /** True to show each change until the job ends. */
      readonly follow: boolean;
    }
  | {
      readonly name: 'replay';
      readonly selection: JobSelection;
      /** True to start new jobs with the failed items instead. */
      readonly failedItems: boolean;
      readonly dryRun: boolean;
    }
);

/** Options of all commands, besides `--help` and `--version`. */
export const JOBS_OPTIONS = {
  kind: { type: 'string' },
  org: { type: 'string' },
  reason: { type: 'string' },
  'older-than': { type: 'string' },
  'newer-than': { type: 'string' },
  limit: { type: 'string' },
  state: { type: 'string' },
  yes: { type: 'boolean' },
  all: { type: 'boolean' },
  follow: { type: 'boolean' },
  'failed-items': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type Option = keyof typeof JOBS_OPTIONS;

/** Options of each command besides {@link COMMON_OPTIONS}. */
const OWN_OPTIONS = {
  queue: [],
  list: ['reason', 'older-than', 'newer-than', 'limit'],
  'list --state': ['state', 'limit'],
  show: ['follow'],
  cancel: ['dry-run', 'yes'],
  drop: ['reason', 'older-than', 'newer-than', 'limit', 'all', 'dry-run', 'yes'],
  replay: ['reason', 'older-than', 'newer-than', 'limit', 'all', 'failed-items', 'dry-run'],
} as const satisfies Readonly<Record<string, readonly Option[]>>;
const COMMON_OPTIONS: readonly Option[] = ['kind', 'org', 'json'];

/** Reads a command. @throws {UsageError} naming the fault */
export function readJobsCommand({ values, positionals }: ReadArguments<typeof JOBS_OPTIONS>): JobsCommand {
  const [name, jobId] = positionals;
  if (name === undefined) throw new UsageError('A command is missing.');
  if (!isCommand(name)) throw new UsageError(`There is no command "${name}".`);
  const given = Object.keys(values) as Option[]; // parseArgs refuses others
  const command = name === 'list' && values.state !== undefined ? 'list --state' : name;
  const own: readonly Option[] = OWN_OPTIONS[command];
  const foreign = given.find((option) => !COMMON_OPTIONS.includes(option) && !own.includes(option));
  if (foreign !== undefined) throw new UsageError(`--${foreign} does not go with ${command}.`);
  if (jobId !== undefined && (name === 'list' || name === 'queue')) {
    throw new UsageError(`"${jobId}" is one argument too many.`);
  }

  const { json = false, follow = false, 'failed-items': failedItems = false } = values;
  const { 'dry-run': dryRun = false, yes = false } = values;
  const { 'older-than': minAge, 'newer-than': maxAge } = values;
  const selection: JobSelection = {
    ...(values.kind !== undefined && { kind: readKind(values.kind) }),
    ...(values.org !== undefined && { org: values.org }),
    ...(values.reason !== undefined && { reason: values.reason }),
    ...(minAge !== undefined && { minAgeMs: readAge('--older-than', minAge) }),
    ...(maxAge !== undefined && { maxAgeMs: readAge('--newer-than', maxAge) }),
    ...(values.limit !== undefined && { limit: readLimit(values.limit) }),
  };
  const meant = { ...selection, ...(jobId !== undefined && { jobId }) };
  switch (name) {
    case 'list':
      if (values.state === undefined) return { name, selection, json };
      if (values.org === undefined) throw new UsageError('--state needs --org; "" for jobs without an organisation.');
      return { name: 'list jobs', selection: { ...selection, org: values.org }, state: readState(values.state), json };
    case 'queue':
      return { name, selection, json };
    case 'show':
      return { name, selection: { ...selection, jobId: requireId(jobId) }, follow, json };
    case 'cancel':
      return { name, selection: { ...selection, jobId: requireId(jobId) }, dryRun, yes, json };
    case 'drop':
      requireCondition(jobId, selection, values.all);
      return { name, selection: meant, dryRun, yes, json };
    case 'replay':
      requireCondition(jobId, selection, values.all);
      return { name, selection: meant, failedItems, dryRun, json };
  }
}

function requireId(jobId: string | undefined): string {
  if (jobId === undefined) throw new UsageError('The id of a job is missing.');
  return jobId;
}

/** Requires an id, a condition or `--all`, so that a forgotten condition does not mean every dead letter. */
function requireCondition(jobId: string | undefined, selection: JobSelection, all: boolean | undefined): void {
  if (jobId !== undefined && all) throw new UsageError('--all does not go with the id of a job.');
  if (jobId === undefined && !all && Object.keys(selection).length === 0) {
    throw new UsageError('Which dead letters are meant is missing: an id, a condition such as --kind, or --all.');
  }
}

function isCommand(name: string): name is Exclude<keyof typeof OWN_OPTIONS, 'list --state'> {
  return name !== 'list --state' && Object.hasOwn(OWN_OPTIONS, name);
}

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

/** Returns true if a job matches the id, kind and organisation. */
export function isMeant({ jobId, kind, org }: JobSelection, job: JobIdentity): boolean {
  return (
    (jobId === undefined || job.jobId === jobId) &&
    (kind === undefined || job.kind === kind) &&
    (org === undefined || (job.org ?? '') === org)
  );
}

/** Returns the matching dead letters, in the given order. @param now milliseconds since 1970 */
export function meantDeadLetters(
  selection: JobSelection,
  deadLetters: readonly DeadLetter[],
  now: number,
): readonly DeadLetter[] {
  const { minAgeMs = -Infinity, maxAgeMs = Infinity, reason = '', limit } = selection;
  return deadLetters
    .filter(({ message, diedAt, reason: why }) => {
      const age = now - diedAt;
      return isMeant(selection, message) && age >= minAgeMs && age <= maxAgeMs && why.includes(reason);
    })
    .slice(0, limit);
}

/** Parses a kind of job. @throws {UsageError} */
function readKind(text: string): JobKind {
  if (!isJobKind(text)) throw new UsageError(`--kind must be one of ${JOB_KINDS.join(', ')}, and is "${text}".`);
  return text;
}

/** @throws {UsageError} */
function readState(text: string): (typeof STATES)[number] {
  const state = STATES.find((each) => each === text);
  if (state === undefined) throw new UsageError(`--state must be one of ${STATES.join(', ')}, and is "${text}".`);
  return state;
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a length of time such as `90s`, `15m`, `2h` or `3d`. @returns milliseconds @throws {UsageError} */
function readAge(option: string, text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined || !(unit === 's' || unit === 'm' || unit === 'h' || unit === 'd')) {
    throw new UsageError(`${option} must be a number and s, m, h or d, such as 90s or 2h, and is "${text}".`);
  }
  return Number(count) * UNIT_MS[unit];
}

/** Parses a number of dead letters. @throws {UsageError} */
function readLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    throw new UsageError(`--limit must be a whole number from 1, and is "${text}".`);
  }
  return Number(text);
}
