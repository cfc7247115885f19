import { readArguments } from '../process/read-arguments.js';
import { UsageError } from '../process/usage-error.js';
import { readAge, readKind, readLimit, type JobSelection } from './selection.js';

/** Selection of one job by its id. */
export type OneJob = JobSelection & { readonly jobId: string };

/** Parsed command with its options. */
export type JobsCommand = {
  /** True if the answer is JSON. */
  readonly json: boolean;
} & (
  | { readonly name: 'list' | 'queue'; readonly selection: JobSelection }
  | { readonly name: 'show'; readonly selection: OneJob }
  | {
      readonly name: 'replay';
      readonly selection: JobSelection;
      /** True to start new jobs with the failed items instead. */
      readonly failedItems: boolean;
      /** True to report the effects without making them. */
      readonly dryRun: boolean;
    }
);

const OPTIONS = {
  kind: { type: 'string' },
  org: { type: 'string' },
  reason: { type: 'string' },
  'older-than': { type: 'string' },
  'newer-than': { type: 'string' },
  limit: { type: 'string' },
  all: { type: 'boolean' },
  'failed-items': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

type Option = keyof typeof OPTIONS;

/** Options of each command besides {@link COMMON_OPTIONS}. */
const OWN_OPTIONS: Readonly<Record<JobsCommand['name'], readonly Option[]>> = {
  queue: [],
  list: ['reason', 'older-than', 'newer-than', 'limit'],
  show: [],
  replay: ['reason', 'older-than', 'newer-than', 'limit', 'all', 'failed-items', 'dry-run'],
};
const COMMON_OPTIONS: readonly Option[] = ['kind', 'org', 'json'];

/** Parses the arguments. @throws {UsageError} naming the fault */
export function parseCommandLine(
  args: readonly string[],
): JobsCommand | { readonly name: 'help' } | { readonly name: 'version' } {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [name, jobId, ...others] = positionals;
  if (values.help || name === 'help') return { name: 'help' };
  if (values.version) return { name: 'version' };
  if (name === undefined) throw new UsageError('A command is missing.');
  if (!isCommand(name)) throw new UsageError(`There is no command "${name}".`);
  const given = Object.keys(values) as Option[]; // parseArgs refuses others
  const foreign = given.find((option) => !COMMON_OPTIONS.includes(option) && !OWN_OPTIONS[name].includes(option));
  if (foreign !== undefined) throw new UsageError(`--${foreign} does not go with ${name}.`);
  const takesId = name === 'show' || name === 'replay';
  const [surplus] = takesId ? others : [jobId, ...others];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);

  const { json = false, 'failed-items': failedItems = false, 'dry-run': dryRun = false } = values;
  const { 'older-than': minAge, 'newer-than': maxAge } = values;
  const selection: JobSelection = {
    ...(values.kind !== undefined && { kind: readKind(values.kind) }),
    ...(values.org !== undefined && { org: values.org }),
    ...(values.reason !== undefined && { reason: values.reason }),
    ...(minAge !== undefined && { minAgeMs: readAge('--older-than', minAge) }),
    ...(maxAge !== undefined && { maxAgeMs: readAge('--newer-than', maxAge) }),
    ...(values.limit !== undefined && { limit: readLimit(values.limit) }),
  };
  switch (name) {
    case 'list':
    case 'queue':
      return { name, selection, json };
    case 'show':
      if (jobId === undefined) throw new UsageError('The id of a job is missing.');
      return { name, selection: { ...selection, jobId }, json };
    case 'replay':
      requireCondition(jobId, selection, values.all);
      return { name, selection: { ...selection, ...(jobId !== undefined && { jobId }) }, failedItems, dryRun, json };
  }
}

/** Requires an id, a condition or `--all`, so that a forgotten condition does not replay every dead letter. */
function requireCondition(jobId: string | undefined, selection: JobSelection, all: boolean | undefined): void {
  if (jobId !== undefined && all) throw new UsageError('--all does not go with the id of a job.');
  if (jobId === undefined && !all && Object.keys(selection).length === 0) {
    throw new UsageError('Which dead letters are meant is missing: an id, a condition such as --kind, or --all.');
  }
}

function isCommand(name: string): name is JobsCommand['name'] {
  return Object.hasOwn(OWN_OPTIONS, name);
}
