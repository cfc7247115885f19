import { UsageError, type ReadArguments } from '../process/read-arguments.js';
import { JOB_KINDS, type JobKind } from '../../jobs/record/job-kinds.js';
import type { DeadLetter } from '../../jobs/record/job-queue.js';
import type { JobIdentity, JobRecord } from '../../jobs/record/job-record.js';
import { present } from '../../jobs/record/stored-fields.js';

export type OneJob = JobSelection & { readonly jobId: string };

const STATES = ['pending', 'running', 'finished', 'any'] as const satisfies readonly (JobRecord['state'] | 'any')[];

const OUTCOMES = ['success', 'failure'] as const;
export type JobOutcome = (typeof OUTCOMES)[number];

/** Switches of a command; false unless given. */
type Switch = 'json' | 'follow' | 'failedItems' | 'dryRun' | 'yes';

export type JobsCommand = Readonly<Record<Switch, boolean>> &
  (
    | { readonly name: 'list' | 'queue' | 'drop' | 'replay'; readonly selection: JobSelection }
    | {
        readonly name: 'list jobs';
        /** Without an organisation, the organisations are listed. */
        readonly selection: JobSelection;
        readonly state: (typeof STATES)[number];
        readonly outcome: JobOutcome | undefined;
      }
    | { readonly name: 'show' | 'cancel'; readonly selection: OneJob }
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
  outcome: { type: 'string' },
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
  'list of jobs': ['state', 'outcome', 'older-than', 'newer-than', 'limit'],
  show: ['follow'],
  cancel: ['dry-run', 'yes'],
  drop: ['reason', 'older-than', 'newer-than', 'limit', 'all', 'dry-run', 'yes'],
  replay: ['reason', 'older-than', 'newer-than', 'limit', 'all', 'failed-items', 'dry-run'],
} as const satisfies Readonly<Record<string, readonly Option[]>>;
const COMMON_OPTIONS: readonly Option[] = ['kind', 'org', 'json'];

export function readJobsCommand({ values, positionals }: ReadArguments<typeof JOBS_OPTIONS>): JobsCommand {
  const [name, jobId] = positionals;
  if (name === undefined) throw new UsageError('A command is missing.');
  if (!isCommand(name)) throw new UsageError(`There is no command "${name}".`);
  const given = Object.keys(values) as Option[]; // parseArgs refuses others
  const ofJobs = name === 'list' && (values.state !== undefined || values.outcome !== undefined);
  const command = ofJobs ? 'list of jobs' : name;
  const allowed: readonly Option[] = [...COMMON_OPTIONS, ...OWN_OPTIONS[command]];
  const foreign = given.find((option) => !allowed.includes(option));
  if (foreign !== undefined) throw new UsageError(`--${foreign} does not go with ${command}.`);
  if (jobId !== undefined && (name === 'list' || name === 'queue')) {
    throw new UsageError(`"${jobId}" is one argument too many.`);
  }

  const { json = false, follow = false, 'failed-items': failedItems = false, 'dry-run': dryRun = false } = values;
  const switches = { json, follow, failedItems, dryRun, yes: values.yes ?? false };
  const selection: JobSelection = present({
    jobId,
    kind: values.kind === undefined ? undefined : readWord('kind', values.kind, JOB_KINDS),
    org: values.org,
    reason: values.reason,
    minAgeMs: readAge('older-than', values['older-than']),
    maxAgeMs: readAge('newer-than', values['newer-than']),
    limit: values.limit === undefined ? undefined : readLimit(values.limit),
  });
  if (name === 'show' || name === 'cancel') {
    if (jobId === undefined) throw new UsageError('The id of a job is missing.');
    return { name, selection: { ...selection, jobId }, ...switches };
  }
  if (ofJobs) {
    const state = readWord('state', values.state ?? 'any', STATES);
    const outcome = values.outcome === undefined ? undefined : readWord('outcome', values.outcome, OUTCOMES);
    return { name: 'list jobs', selection, state, outcome, ...switches };
  }
  if (name === 'drop' || name === 'replay') {
    // A forgotten condition does not mean every dead letter.
    if (jobId !== undefined && values.all) throw new UsageError('--all does not go with the id of a job.');
    if (!values.all && Object.keys(selection).length === 0) {
      throw new UsageError('Which dead letters are meant is missing: an id, a condition such as --kind, or --all.');
    }
  }
  return { name, selection, ...switches };
}

function isCommand(name: string): name is Exclude<keyof typeof OWN_OPTIONS, 'list of jobs'> {
  return name !== 'list of jobs' && Object.hasOwn(OWN_OPTIONS, name);
}

/** Conditions for jobs; every given one must hold. */
export interface JobSelection {
  readonly jobId?: string;
  readonly kind?: JobKind;
  /** Empty: jobs without an organisation. */
  readonly org?: string;
  /** Minimum and maximum age, of dead letters since they died, of jobs since they were ordered. */
  readonly minAgeMs?: number;
  readonly maxAgeMs?: number;
  /** Text in the reason of dead letters. */
  readonly reason?: string;
  /** Maximum number: of the oldest dead letters, of the newest jobs. */
  readonly limit?: number;
}

export function isSelected({ jobId, kind, org }: JobSelection, job: JobIdentity): boolean {
  return (
    (jobId === undefined || job.jobId === jobId) &&
    (kind === undefined || job.kind === kind) &&
    (org === undefined || (job.org ?? '') === org)
  );
}

/** Returns the matching dead letters, in the given order. @param now milliseconds since 1970 */
export function selectedDeadLetters(
  selection: JobSelection,
  deadLetters: readonly DeadLetter[],
  now: number,
): readonly DeadLetter[] {
  const { reason = '', limit } = selection;
  return deadLetters
    .filter(({ message, diedAt, reason: why }) => {
      return isSelected(selection, message) && isOfAge(selection, now - diedAt) && why.includes(reason);
    })
    .slice(0, limit);
}

export function isOfAge({ minAgeMs = -Infinity, maxAgeMs = Infinity }: JobSelection, ageMs: number): boolean {
  return ageMs >= minAgeMs && ageMs <= maxAgeMs;
}

function readWord<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === text);
  if (word === undefined) throw new UsageError(`--${option} must be one of ${words.join(', ')}, and is "${text}".`);
  return word;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a length of time such as `90s`, `15m`, `2h` or `3d`. @returns milliseconds @throws {UsageError} */
function readAge(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,6})(.)$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs !== undefined) return Number(count) * unitMs;
  throw new UsageError(`--${option} must be a number and s, m, h or d, such as 90s or 2h, and is "${text}".`);
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    throw new UsageError(`--limit must be a whole number from 1, and is "${text}".`);
  }
  return Number(text);
}
