import { once } from 'node:events';
import { ConfigError, type Config } from '../../base/config/config.js';
import { loadConfig } from '../../base/config/load-config.js';
import { VARIABLES } from '../../base/config/variables.js';
import { LONGEST_RECORD_DAYS } from '../../base/config/longest-record.js';
import { isOfObjectStore } from '../../base/config/variables.js';
import { openKeyRing } from '../../base/config/open-key-ring.js';
import type { JobEngine } from '../../jobs/engines/job-engine.js';
import { openJobEngine } from '../../jobs/engines/open-job-engine.js';
import { ServiceUnavailableError } from '../../base/errors.js';
import { createLogger } from '../../base/logging/logger.js';
import { JOBS_OPTIONS, readJobsCommand, type JobsCommand } from './command-line.js';
import { requireAnswer, runJobsCommand } from './run-jobs-command.js';
import { EXIT } from '../process/supported-node.js';
import type { CommandContext } from '../process/run-program.js';
import { runWithArguments } from '../process/read-arguments.js';
import { JOB_KINDS } from '../../jobs/record/job-kinds.js';
import { USUAL_LIMIT } from './job-view.js';
import { wrappedText } from '../process/terminal.js';

/** Columns before the meaning of an option, and columns of a terminal. */
const INDENT = 22;
const WIDTH = 80;
const OF_THIS_KIND = wrappedText(`jobs of this kind: ${JOB_KINDS.join(', ')}`, WIDTH - INDENT).join(
  `\n${' '.repeat(INDENT)}`,
);

/** Variables that every command reads, and those that only `replay --failed-items` reads. */
const isOfStore = (name: string): boolean =>
  isOfObjectStore(name) || /^(NODE_ENV|DATA_DIR|REDIS_|SQS_|QUEUE_PATIENCE_)/.test(name);
const isOfNewJob = (name: string): boolean => /^(JOB_ENCRYPTION_|JOBS_MAX_OPEN_|QUEUE_MAX_ATTEMPTS)/.test(name);
const namesOf = (isMeant: (name: string) => boolean): string => Object.keys(VARIABLES).filter(isMeant).join(', ');

const HELP = `Looks after jobs, and dead letters: messages that are not delivered any more.

Usage:
  npm run jobs -- queue                     how much waits, and since when
  npm run jobs -- list                      dead letters, oldest first
  npm run jobs -- show ID                   a job, wherever it is, and what
                                            became of each item that failed
  npm run jobs -- show ID --follow          the same, and each change until the
                                            job ends
  npm run jobs -- replay ID                 deliver a dead letter again
  npm run jobs -- replay --reason TEXT …    deliver all that are meant again
  npm run jobs -- replay … --failed-items   start new jobs with the items that
                                            failed
  npm run jobs -- drop ID                   remove a dead letter; drop takes the
                                            conditions of replay, too
  npm run jobs -- list --org ORG --state STATE
                                            jobs of an organisation, newest
                                            first
  npm run jobs -- cancel ID                 begin no further items of a job

Options:
  --kind KIND         ${OF_THIS_KIND}
  --org ORG           jobs of this organisation; "" for those without one
  --state STATE       pending, running, finished or any
  --older-than AGE    dead letters that died before that: 90s, 15m, 2h, 3d
  --newer-than AGE    dead letters that died after that
  --reason TEXT       dead letters whose reason contains this
  --limit N           the oldest N of them; with --state, the newest N jobs
                      (${USUAL_LIMIT} by default)
  --all               every dead letter, without another condition
  --dry-run           say what replay, drop or cancel would do, and do nothing
  --yes               drop or cancel without a question
  --follow            show each change until the job ends
  --json              answer with JSON instead of text
  --help, --version

show looks for the id among all kinds and organisations, by the key of every
record. For each failed item it shows the place in the list, from 0, and the
reason. With --follow it prints a line for each change of the state, the
progress and the reason for waiting, and the job once it has ended; the exit
code is 0 if it ended with success, 1 if not. An interruption ends only the
command. With --json each of these is one line. A job that was replayed on
Amazon SQS can be followed once it runs.

replay delivers a job under its own id, from its first attempt. It goes on where
it stopped: items that are done, or that failed, are not run again, and a create
in doubt is repeated with the key it had. Until the job is claimed, its status
stays a failure; then it is running. Nothing says what was done once the status
record has expired, ${LONGEST_RECORD_DAYS} days after the failure; such a job is not replayed. Of
many, each is replayed for itself, the oldest first, and one that cannot be does
not keep the others. With an id or not, --dry-run first shows what would be
done. A dead letter that is not named by its id is left out if its organisation
has ordered that kind since, because the replay would undo the later order. So
of several, only the last order is replayed. --dry-run names the others.

replay --failed-items starts a new job, with a new id and the same organisation,
of exactly the items whose failure is in the record. The keys under which
backend-api recognises a repeated create hold the job's id, so they are new as
well; an account that was created although backend-api did not answer is refused
as taken. Items that were never reached, and the one that was under way when the
job stopped, are left to replay without this option, which is why the dead
letter stays. Asking twice starts nothing twice. Only for jobs whose
body is a list of items; any other is run as a whole.

drop removes dead letters for good; the record of the job keeps the reason.
cancel lets a running job begin no further items, and ends any other. Both ask
before they change something; without a terminal they need --yes.

Settings come from the environment of the gateway or of the queue function:
${wrappedText(`${namesOf(isOfStore)}. replay --failed-items also reads ${namesOf(isOfNewJob)}.`, WIDTH).join('\n')}
Payloads and passwords are never shown.

Exit codes: 0 done; 1 no such job, one that cannot be changed, a no to the
question, or a followed one that ended without success; 64 wrong usage; 69 the
store does not answer; 75 its disk is full; 78 wrong configuration.`;

/** Reads the arguments, opens the stores and runs the command. @returns the exit code */
export function runJobsProgram(context: CommandContext): Promise<number> {
  const usage = { help: HELP, hint: 'See: npm run jobs -- --help', max: 2 };
  return runWithArguments(context, usage, JOBS_OPTIONS, (given) => {
    const command = readJobsCommand(given);
    requireAnswer(command, context.confirm);
    return runWithStores(command, context);
  });
}

async function runWithStores(command: JobsCommand, context: CommandContext): Promise<number> {
  const { environment, columns, complain, signal } = context;
  const createsJobs = command.name === 'replay' && command.failedItems;
  // Large bodies of messages on SQS lie in the object store.
  const usesObjects = (environment['SQS_QUEUE_URL'] ?? '').trim() !== '';
  const uses = (name: string): boolean =>
    isOfStore(name) ? usesObjects || !isOfObjectStore(name) : createsJobs && isOfNewJob(name);
  const config = loadConfig(environment, 'jobs', uses);
  const engine = await openEngine(config);
  const answer = async (): Promise<boolean> => {
    // This waits for the connection. Faults that it finds do not stop the command.
    const faults = await engine.check();
    await engine.jobStore.ping();
    for (const fault of faults) complain(fault);
    return runJobsCommand(command, {
      ...context,
      engine,
      openKeys: () => openKeyRing(config, undefined),
      maxWidth: columns,
    });
  };
  try {
    // An interruption does not wait for a store that does not answer.
    return (await Promise.race([interrupted(signal), answer()])) ? EXIT.done : EXIT.failed;
  } finally {
    await engine.close();
  }
}

/** Rejects at an interruption. */
async function interrupted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

/** Opens the configured stores. A directory without jobs is an error, not a new store. */
function openEngine(config: Config): Promise<JobEngine> {
  // The logger is silent, because the errors of the stores say the same.
  const logger = createLogger({ level: 'silent' });
  return openJobEngine(config, logger, { existing: true, onOrder: undefined, onChange: undefined }).catch(
    (cause: unknown) => {
      throw cause instanceof ConfigError ? cause : new ServiceUnavailableError('job store', { cause });
    },
  );
}
