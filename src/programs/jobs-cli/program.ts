import { once } from 'node:events';
import { ConfigError, type Config } from '../../base/config/config.js';
import { loadConfig } from '../../base/config/load-config.js';
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

/** Variables that every command reads, and those that only `replay --failed-items` reads. */
const isOfStore = (name: string): boolean =>
  isOfObjectStore(name) || /^(NODE_ENV|DATA_DIR|REDIS_|SQS_|QUEUE_PATIENCE_)/.test(name);
const isOfNewJob = (name: string): boolean => /^(JOB_ENCRYPTION_|JOBS_MAX_OPEN_|QUEUE_MAX_ATTEMPTS)/.test(name);

/** Text of `--help`, for a terminal of 80 columns; `deploy/README.md` has it too. */
export const JOBS_HELP = `Looks after jobs, and dead letters: messages that are not delivered any more.

Usage:
npm run jobs -- queue                      # how much waits, and since when
npm run jobs -- list                       # dead letters, oldest first
npm run jobs -- list --outcome failure     # organisations with failed jobs
npm run jobs -- list --org ORG --state any # its jobs, newest first
npm run jobs -- show ID --follow           # a job, and why its items failed
npm run jobs -- replay ID                  # goes on where a dead job stopped
npm run jobs -- replay ID --failed-items   # a new job, of its failed items
npm run jobs -- replay --reason TEXT       # all but those ordered again
npm run jobs -- drop ID                    # removes a dead letter for good
npm run jobs -- cancel ID                  # a job begins no further items

--kind KIND       ${JOB_KINDS.join(', ')}
--org ORG         "" for none
--state STATE     jobs: pending, running, finished, any
--outcome OUTCOME jobs: success or failure
--older-than AGE  since its death or its order: 90s, 15m, 2h, 3d
--newer-than AGE  the same
--reason TEXT     dead letters: their reason contains it
--limit N         oldest dead letters, newest jobs (${USUAL_LIMIT})
--all             replay, drop: every dead letter
--dry-run         replay, drop, cancel: only say what they would do
--yes             drop, cancel: without a question
--follow          each change until the job ends
--json
--help, --version

Settings of a gateway: DATA_DIR, or REDIS_URL, REDIS_PASSWORD_FILE,
SQS_QUEUE_URL; for --failed-items JOB_ENCRYPTION_KEY.

Exit codes: 0 done; 1 no such job, refused, or a followed job failed; 64 wrong
usage; 69 store unreachable; 75 disk full; 78 wrong settings.`;

/** Reads the arguments, opens the stores and runs the command. @returns the exit code */
export function runJobsProgram(context: CommandContext): Promise<number> {
  const usage = { help: JOBS_HELP, hint: 'See: npm run jobs -- --help', max: 2 };
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
