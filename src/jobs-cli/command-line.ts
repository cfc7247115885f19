import { parseArgs } from 'node:util';
import { describeError } from '../errors.js';
import { JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';

/** Which jobs are meant; every condition given must hold. */
export interface JobSelection {
  readonly jobId?: string;
  readonly kind?: JobKind;
  readonly org?: string;
}

/** What an operator asks for. */
export type JobsCommand =
  | { readonly name: 'help' }
  | { readonly name: 'list'; readonly selection: JobSelection }
  | { readonly name: 'show'; readonly selection: JobSelection & { readonly jobId: string } }
  | {
      readonly name: 'replay';
      readonly selection: JobSelection & { readonly jobId: string };
      readonly failedItems: boolean;
    };

/** The arguments make no command; the message says which one is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Explains the commands. */
export const HELP = `Looks after jobs and dead letters, which are messages that will not be delivered again.

Usage:
  npm run jobs -- list                          dead letters, oldest first
  npm run jobs -- show <id>                     one dead letter and the status record of its job
  npm run jobs -- replay <id>                   deliver the job again
  npm run jobs -- replay <id> --failed-items    start a new job with the items that failed

Options:
  --kind <kind>   only jobs of this kind: ${JOB_KINDS.join(', ')}
  --org <org>     only jobs of this organisation
  --help          this text
With both --kind and --org, show also finds jobs that are no dead letters.

replay <id> delivers the job under its own id, from its first attempt. It goes on where it stopped: items that are
done, or that failed, are not run again, and a create in doubt is repeated with the key it had. Until the job is
claimed, its status stays a failure; then it is running. Nothing says what was done once the status record has
expired, 7 days after the failure; such a job is not replayed.

replay <id> --failed-items starts a new job, with a new id and the same organisation, of exactly the items whose
failure is in the record. The keys under which backend-api recognises a repeated create hold the job's id, so they
are new as well; an account that was created although backend-api did not answer is refused as taken. Items that
were never reached, and the one that was under way when the job stopped, are left to replay <id>, which is why the
dead letter stays. Asking twice starts nothing twice. Only for account and mobile jobs; a report is drawn as a whole.

Settings come from the environment of the gateway or of the queue function: REDIS_URL, or DATA_DIR when jobs are
embedded, and JOB_ENCRYPTION_KEY. Payloads and passwords are never shown.

Exit codes: 0 done; 1 no such job, or it cannot be replayed; 64 wrong usage; 69 the store does not answer;
78 wrong configuration.`;

/**
 * Reads the arguments.
 *
 * @throws {UsageError} naming what is wrong
 */
export function parseCommandLine(args: readonly string[]): JobsCommand {
  const {
    values,
    positionals: [name, jobId, ...others],
  } = parse(args);
  if (values.help || name === 'help') return { name: 'help' };
  const [surplus] = name === 'list' ? [jobId, ...others] : others;
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
  if (values['failed-items'] && name !== 'replay') throw new UsageError('--failed-items goes with replay.');
  const selection = {
    ...(values.kind !== undefined && { kind: kindNamed(values.kind) }),
    ...(values.org !== undefined && { org: values.org }),
  };
  switch (name) {
    case 'list':
      return { name, selection };
    case 'show':
      return { name, selection: { ...selection, jobId: required(jobId) } };
    case 'replay':
      return { name, selection: { ...selection, jobId: required(jobId) }, failedItems: values['failed-items'] };
    case undefined:
      throw new UsageError('A command is missing.');
    default:
      throw new UsageError(`There is no command "${name}".`);
  }
}

interface ParsedArguments {
  readonly values: {
    readonly kind?: string | undefined;
    readonly org?: string | undefined;
    readonly help: boolean;
    readonly 'failed-items': boolean;
  };
  readonly positionals: readonly string[];
}

function parse(args: readonly string[]): ParsedArguments {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        kind: { type: 'string' },
        org: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
        'failed-items': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(describeError(error), { cause: error });
  }
}

function kindNamed(text: string): JobKind {
  const kind = JOB_KINDS.find((candidate) => candidate === text);
  if (kind === undefined) throw new UsageError(`--kind must be one of ${JOB_KINDS.join(', ')}, and is "${text}".`);
  return kind;
}

function required(jobId: string | undefined): string {
  if (jobId === undefined) throw new UsageError('The id of a job is missing.');
  return jobId;
}
