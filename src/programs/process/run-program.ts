import { once } from 'node:events';
import { createServer } from 'node:net';
import { format } from 'node:util';
import { ConfigError, type Config, type Program } from '../../base/config/config.js';
import { loadConfig } from '../../base/config/load-config.js';
import { describeError, ServiceUnavailableError, toLine } from '../../base/errors.js';
import { findTrivialKeys } from '../../base/config/trivial-keys.js';
import { createLogger, forPeople, type Logger, type WatchableLogger } from '../../base/logging/logger.js';
import { OnceInAWhile } from '../../base/once-in-a-while.js';
import { readCommit, readVersion } from '../../base/config/version.js';
import { openKeyRing } from '../../base/config/open-key-ring.js';
import type { Findings } from '../../jobs/engines/job-engine.js';
import { openJobEngine, openSharedJobEngine } from '../../jobs/engines/open-job-engine.js';
import { openObjects } from '../../objects/open-objects.js';
import { runWithArguments } from './read-arguments.js';
import { LogOutput, resultsWritten } from './standard-output.js';

export interface ProcessContext {
  readonly config: Config;
  readonly logger: WatchableLogger;
  readonly version: string;
  readonly commit: string;
  /** Writes to standard output among the lines of the log, for people. */
  readonly print: (text: string) => void;
}

/** Checks the requirements of a program besides its stores. */
type FindFindings = (config: Config) => Promise<Partial<Findings>>;

export interface RunningProgram {
  /** Stops gracefully. @returns the names of the steps that failed or timed out */
  close(): Promise<readonly string[]>;
}

const EXIT_SUCCESS = 0;
const EXIT_FAILURE = 1;
/** Exit code of a faulty configuration (`EX_CONFIG` of sysexits). */
const EXIT_CONFIG = 78;

/**
 * Runs a program as this process: environment, options, signals and exit codes. `--check-config`, `--help`, `--version`
 * and unknown options do not start it.
 *
 * @param start starts the program; an error ends the process with exit code 1
 * @param findFindings further checks of `--check-config`
 */
export async function runProgram(
  program: ProgramService,
  start: (context: ProcessContext) => Promise<RunningProgram>,
  findFindings: FindFindings = () => Promise.resolve({}),
): Promise<void> {
  const code = await runWithArguments(
    {
      args: process.argv.slice(2),
      print: (text) => void process.stdout.write(`${text}\n`),
      complain: (text) => void process.stderr.write(`${text}\n`),
    },
    { help: SERVICE_HELP[program] },
    { 'check-config': { type: 'boolean' } },
    async ({ values }) => {
      const config = readConfig(program);
      if (values['check-config']) await checkAndExit(config, program, findFindings);
      await runService(config, program, start);
    },
  );
  if (code !== undefined) await endWithResults(code);
}

async function runService(
  config: Config,
  program: ProgramService,
  start: (context: ProcessContext) => Promise<RunningProgram>,
): Promise<undefined> {
  const [version, commit] = [readVersion(), readCommit()];
  const output = new LogOutput();
  const logger = createLogger({
    level: config.logLevel,
    program: { service: config.telemetry.serviceName ?? program, version, commit },
    destination: config.production ? output : await forPeople(output),
  });
  output.onLost = (lines) => logger.event('log.lines_lost', { lines });
  const print = (text: string): void => output.write(text);
  logWarnings(logger);
  for (const doubt of config.doubts) logger.event('config.doubtful', { reason: doubt });
  try {
    // Starts after the signal handlers are set, so that a signal during the start counts.
    const starting = Promise.resolve({ config, logger, version, commit, print }).then(start);
    exitOnSignals(starting, logger);
    await starting;
  } catch (err) {
    if (err instanceof ConfigError) exitOnConfigError(err);
    logger.event('program.start_failed', { program, ...explained(err, config) });
    process.exit(EXIT_FAILURE);
  }
}

/** Describes an error for people; adds the error with its stack at detailed log levels. */
function explained(err: unknown, { logLevel }: Config): { readonly reason: string; readonly err?: unknown } {
  const cause = err instanceof ServiceUnavailableError ? (err.cause ?? err) : err;
  return { reason: describeError(cause), ...(['debug', 'trace'].includes(logLevel) && { err }) };
}

function readConfig(program: Program): Config {
  try {
    return loadConfig(process.env, program);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    exitOnConfigError(error);
  }
}

function exitOnConfigError({ message, doubts }: ConfigError): never {
  process.stderr.write(`${shown(doubts)}${message}\n`);
  process.exit(EXIT_CONFIG);
}

async function checkAndExit(config: Config, program: Program, findFindings: FindFindings): Promise<never> {
  // Libraries of the stores would log the same faults.
  logWarnings(createLogger({ level: 'silent' }));
  const addresses = await Promise.all([config.listen, config.metrics].map(findAddressDoubts));
  const further = await findFindings(config);
  const stores = await findStoreFindings(config, program);
  const doubts = [...config.doubts, ...addresses.flat(), ...(further.doubts ?? []), ...stores.doubts];
  // The keys of development are public on purpose.
  const trivialKeys = config.production ? findTrivialKeys(config.keys, program) : [];
  const faults = [...trivialKeys, ...(further.faults ?? []), ...stores.faults];
  if (faults.length > 0) exitOnConfigError(new ConfigError(faults, doubts));
  const mode = config.production ? 'production' : 'development';
  process.stdout.write(`${shown(doubts)}The configuration is complete, and what it names can be used, for ${mode}.\n`);
  return endWithResults(EXIT_SUCCESS);
}

function shown(doubts: readonly string[]): string {
  return doubts.map((doubt) => `Look at this: ${doubt}\n`).join('');
}

/** Tries to listen. A failure is only a doubt, because the running program itself usually uses the port. */
async function findAddressDoubts(address: Config['metrics']): Promise<readonly string[]> {
  if (address === undefined) return [];
  const server = createServer();
  try {
    server.listen(address);
    await once(server, 'listening');
    return [];
  } catch (error) {
    return [`Nothing can listen at ${address.host}:${address.port} now: ${describeError(error)}.`];
  } finally {
    server.close();
  }
}

/** Ends this process once its results are written, as a failure if they cannot be. */
async function endWithResults(code: number): Promise<never> {
  process.exit((await resultsWritten()) ? code : EXIT_FAILURE);
}

/** Shuts down gracefully at the first signal, at once at the second. */
function exitOnSignals(starting: Promise<RunningProgram>, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(EXIT_FAILURE);
    stopping = true;
    logger.event('program.stopping', { signal });
    const stopped = starting.then(
      (program) => program.close(),
      () => ['start'],
    );
    void stopped.then((unfinished) => {
      logger.event('program.stopped', { unfinished });
      process.exit(unfinished.length === 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    });
  };
  for (const signal of STOPPING_SIGNALS) process.on(signal, stop);
}

/** SIGHUP comes when a terminal or a session ends; Node.js resets what `nohup` sets. */
const STOPPING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Checks the stores of a configuration, so that a wrong password or bucket shows before it is used. In production, also
 * finds what a restart of the stores would lose.
 */
async function findStoreFindings(config: Config, program: Program): Promise<Findings> {
  // The check returns the faults that the stores would log.
  const logger = createLogger({ level: 'silent' });
  try {
    const jobs =
      program === 'gateway' ? await openJobEngine(config, logger) : await openSharedJobEngine(config, logger);
    const objects = program === 'gateway' ? await openObjects(config.objects, logger) : undefined;
    const reports = objects?.openReports({ keyRing: await openKeyRing(config), linkBase: () => config.basePath });
    const engines = [jobs, ...(reports ? [reports] : [])];
    const [unusable = [], ...others] = await Promise.all(engines.map((engine) => engine.check()));
    const losses = config.production
      ? await jobs.losses?.().catch((error: unknown) => {
          // An unusable store may not say what it would lose.
          if (unusable.length === 0) throw error;
          return undefined;
        })
      : undefined;
    await Promise.all(engines.map((engine) => engine.close()));
    return { faults: [...unusable, ...(losses?.faults ?? []), ...others.flat()], doubts: losses?.doubts ?? [] };
  } catch (error) {
    if (error instanceof ConfigError) return { faults: error.faults, doubts: [] };
    return { faults: [`The stores cannot be opened: ${describeError(error)}`], doubts: [] };
  }
}

/** Time within which the same warning is not logged again, in milliseconds: a day. */
const REPEAT_WARNING_MS = 86_400_000;

/**
 * Logs warnings and console output of Node and of libraries, each text once a day, because some come with every
 * connection. Node itself would write plain text to standard error, between the lines of the log.
 */
function logWarnings(logger: Logger): void {
  const logged = new OnceInAWhile({ everyMs: REPEAT_WARNING_MS });
  const warned = (reason: string): void => {
    if (logged.isDue(reason)) logger.event('process.warned', { reason });
  };
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => warned(`${name}: ${message}`));
  for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) {
    console[method] = (...words: unknown[]) => warned(toLine(format(...words)));
  }
}

type ProgramService = Exclude<Program, 'jobs'>;

const OPTIONS_HELP = `Options:
  --check-config   check the configuration and ask the stores it names; nothing
                   is started
  --help           this text
  --version        version and commit

All settings come from the environment; deploy/configuration.md lists them.
SIGTERM, SIGINT, SIGHUP and SIGQUIT stop it in order, a second one at once.

Exit codes: 0 done; 1 it could not start, or something was left undone when it
stopped; 64 wrong usage; 78 wrong configuration.`;

const SERVICE_HELP: Readonly<Record<ProgramService, string>> = {
  gateway: `The gateway: GraphQL, the callbacks of jobs, health checks. Without any setting
it starts in development, with simulated backends.

Usage: node dist/main.js [--check-config]

${OPTIONS_HELP}`,
  'queue-function': `The queue function: takes jobs from the queue in Redis and calls the gateway's
callbacks.

Usage: node dist/queue-function.js [--check-config]

${OPTIONS_HELP}`,
};
