/** The command line with which operators look after jobs and dead letters. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig, type Config } from './config/config.js';
import { openKeyRing } from './config/open-key-ring.js';
import type { JobEngine } from './engines/job-engine.js';
import { openJobEngine } from './engines/open-job-engine.js';
import { describeError, GatewayError, notFound, ServiceUnavailableError } from './errors.js';
import { createLogger } from './logger.js';
import { HELP, parseCommandLine, UsageError, type JobSelection, type JobsCommand } from './jobs-cli/command-line.js';
import { failedItemsOf, findDeadLetter, replay, selectDeadLetters } from './jobs-cli/dead-letters.js';
import { jobText, listText } from './jobs-cli/describe-jobs.js';
import { replayFailedItems } from './jobs-cli/failed-items.js';
import { runCommand, type CommandContext } from './process/run-command.js';

/** Exit codes; those above 63 are from sysexits. */
const EXIT = { done: 0, refused: 1, usage: 64, unavailable: 69, config: 78 } as const;

await runCommand(async (context) => {
  const { args, environment, print, complain, signal } = context;
  try {
    const command = parseCommandLine(args);
    if (command.name === 'help') {
      print(HELP);
      return EXIT.done;
    }
    const config = loadConfig(environment, 'jobs');
    const engine = await openEngine(config);
    try {
      // An operator who interrupts this does not wait for a store that does not answer.
      await Promise.race([interrupted(signal), answer(command, engine, config, context)]);
      return EXIT.done;
    } finally {
      await engine.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    return explain(error, complain);
  }
});

/** Rejects when the operator interrupts. */
async function interrupted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  signal.throwIfAborted();
}

async function answer(
  command: Exclude<JobsCommand, { name: 'help' }>,
  engine: JobEngine,
  config: Config,
  { print, complain }: CommandContext,
): Promise<void> {
  // Waits for the connection. What it finds besides keeps nobody from looking.
  const faults = await engine.check();
  await engine.jobStore.ping();
  for (const fault of faults) complain(fault);
  print(await run(command, engine, config));
}

/** @returns what there is to say */
async function run(
  command: Exclude<JobsCommand, { name: 'help' }>,
  engine: JobEngine,
  config: Config,
): Promise<string> {
  const { selection } = command;
  switch (command.name) {
    case 'list':
      return listText(await selectDeadLetters(engine.queue, selection));
    case 'show':
      return show(command.selection, engine);
    case 'replay':
      if (command.failedItems) return replayItems(command.selection, engine, config);
      await replay(engine, selection);
      return `Job ${command.selection.jobId} is delivered again.`;
  }
}

/** Kind, organisation and id name a record; without a dead letter all three have to be given. */
async function show(
  selection: JobSelection & { readonly jobId: string },
  { queue, jobStore }: JobEngine,
): Promise<string> {
  const { jobId, kind } = selection;
  const [letter] = await selectDeadLetters(queue, selection);
  if (letter !== undefined || kind === undefined) {
    const found = await findDeadLetter(queue, selection);
    const record = await jobStore.read(found.message);
    return jobText(found.message, found, record, await failedItemsOf(jobStore, found.message, record));
  }
  const job = { kind, org: selection.org, jobId };
  const record = await jobStore.read(job);
  if (record === undefined) throw notFound(`There is no such job: ${jobId} of kind ${kind}.`);
  return jobText(job, undefined, record, await failedItemsOf(jobStore, job, record));
}

async function replayItems(
  selection: JobSelection & { readonly jobId: string },
  engine: JobEngine,
  config: Config,
): Promise<string> {
  const { jobId, items, unfinished } = await replayFailedItems(
    { ...engine, keyRing: await openKeyRing(config) },
    selection,
  );
  const rest = unfinished > 0 ? ` ${unfinished} items were not done; replay the job itself for those.` : '';
  return `Job ${jobId} is started with the ${items} items that failed.${rest}`;
}

/** Opens what the environment names. A directory that holds no jobs is a mistake, not a new store. */
async function openEngine(config: Config): Promise<JobEngine> {
  const directory = join(config.dataDir, 'jobs');
  if (config.redisUrl === undefined && !existsSync(directory)) {
    throw new ConfigError([
      `DATA_DIR has no jobs: ${directory} does not exist. Set DATA_DIR as for the gateway, or REDIS_URL.`,
    ]);
  }
  // What the stores would log is said by the errors they throw.
  return openJobEngine(config, createLogger({ level: 'silent', pretty: false }));
}

/** Says what went wrong. @returns the exit code */
function explain(error: unknown, complain: (line: string) => void): number {
  if (error instanceof UsageError) {
    complain(`${error.message} See: npm run jobs -- --help`);
    return EXIT.usage;
  }
  const cause = error instanceof ServiceUnavailableError ? error.cause : error;
  complain(describeError(cause ?? error));
  if (error instanceof ServiceUnavailableError) return EXIT.unavailable;
  if (error instanceof ConfigError) return EXIT.config;
  if (error instanceof GatewayError) return EXIT.refused;
  throw error;
}
