import { once } from 'node:events';
import { createServer } from 'node:net';
import { format } from 'node:util';
import { ConfigError, type Config, type Program } from '../../base/config/config.js';
import { loadConfig } from '../../base/config/load-config.js';
import { describeError, isDiskFull, ServiceUnavailableError, toLine } from '../../base/errors.js';
import { findTracingFaults } from '../../base/config/tracing-faults.js';
import { findTrivialKeys } from '../../base/config/trivial-keys.js';
import { createLogger, forPeople, type Logger, type WatchableLogger } from '../../base/logging/logger.js';
import { OnceInAWhile } from '../../base/once-in-a-while.js';
import { readCommit, readVersion } from '../../base/package-file.js';
import { openKeyRing } from '../../base/config/open-key-ring.js';
import type { Findings } from '../../jobs/engines/job-engine.js';
import { openJobEngine, openSharedJobEngine } from '../../jobs/engines/open-job-engine.js';
import { openObjects } from '../../objects/open-objects.js';
import { runWithArguments } from './read-arguments.js';
import { Interruption, lookAtThis, runProgram, SIGNALS } from './run-program.js';
import { LogOutput } from './standard-output.js';
import { EXIT } from './supported-node.js';

export interface ServiceContext {
  readonly config: Config;
  readonly logger: WatchableLogger;
  readonly version: string;
  readonly commit: string;
  /** Writes to standard output among the lines of the log, for people. */
  readonly print: (text: string) => void;
  /** Stops the service in order, so that it is started again: it ends with exit code 75. */
  readonly giveUp: () => void;
}

/** Checks the requirements of a service besides its stores. */
type FindFindings = (config: Config) => Promise<Partial<Findings>>;

export interface RunningService {
  /** Stops gracefully. @returns the names of the steps that failed or timed out */
  close(): Promise<readonly string[]>;
}

/**
 * Runs a service as this process until a signal arrives: environment, options, log and shutdown. `--check-config`,
 * `--help`, `--version` and unknown options do not start it.
 *
 * @param start starts the service; an error ends the process with exit code 1
 * @param findFindings further checks of `--check-config`
 */
export function runService(
  service: ProgramService,
  start: StartService,
  findFindings: FindFindings = () => Promise.resolve({}),
): Promise<void> {
  return runProgram((context) =>
    runWithArguments(
      context,
      { help: SERVICE_HELP[service] },
      { 'check-config': { type: 'boolean' } },
      async ({ values }) => {
        const config = loadConfig(context.environment, service);
        if (!values['check-config']) return serve(config, service, start, context.signal);
        const tracingFaults = findTracingFaults(context.environment);
        const doubts = await findDoubtsOf(config, service, async (of) => {
          const { faults = [], ...found } = await findFindings(of);
          return { ...found, faults: [...tracingFaults, ...faults] };
        });
        const mode = config.production ? 'production' : 'development';
        context.print(
          `${lookAtThis(doubts)}The configuration is complete, and what it names can be used, for ${mode}.`,
        );
        return EXIT.done;
      },
    ),
  );
}

type StartService = (context: ServiceContext) => Promise<RunningService>;

/** Starts a service, and stops it gracefully at the first signal, at once at the second. */
async function serve(
  config: Config,
  service: ProgramService,
  start: StartService,
  signal: AbortSignal,
): Promise<number> {
  const [version, commit] = [readVersion(), readCommit()];
  const output = new LogOutput();
  const logger = createLogger({
    level: config.logLevel,
    program: { service: config.telemetry.serviceName ?? service, version, commit },
    destination: config.production ? output : await forPeople(output),
  });
  output.onLost = (lines) => logger.event('log.lines_lost', { lines });
  logWarnings(logger);
  for (const doubt of config.doubts) logger.event('config.doubtful', { reason: doubt });
  let code: number = EXIT.done;
  const givenUp = new AbortController();
  const giveUp = (): void => {
    code = EXIT.again;
    givenUp.abort();
  };
  const stop = (): void => {
    const reason: unknown = signal.reason;
    if (reason instanceof Interruption) logger.event('program.stopping', { signal: reason.signal });
    else logger.event('program.given_up');
    for (const each of SIGNALS) process.on(each, () => process.exit(EXIT.failed));
  };
  const end = AbortSignal.any([signal, givenUp.signal]);
  const stopping = (end.aborted ? Promise.resolve() : once(end, 'abort')).then(stop);
  try {
    const running = await start({ config, logger, version, commit, print: (text) => output.write(text, true), giveUp });
    await stopping;
    const unfinished = await running.close();
    logger.event('program.stopped', { unfinished });
    process.exit(unfinished.length > 0 && code === EXIT.done ? EXIT.failed : code);
  } catch (err) {
    if (err instanceof ConfigError) throw err;
    logger.event('program.start_failed', { program: service, ...explained(err, config) });
    process.exit(isDiskFull(err) ? EXIT.again : EXIT.failed);
  }
}

/** Describes an error for people; adds the error with its stack at detailed log levels. */
function explained(err: unknown, { logLevel }: Config): { readonly reason: string; readonly err?: unknown } {
  const cause = err instanceof ServiceUnavailableError ? (err.cause ?? err) : err;
  return { reason: describeError(cause), ...(['debug', 'trace'].includes(logLevel) && { err }) };
}

/** @returns doubts, one line each @throws {ConfigError} naming each fault */
async function findDoubtsOf(
  config: Config,
  service: ProgramService,
  findFindings: FindFindings,
): Promise<readonly string[]> {
  // Libraries of the stores would log the same faults.
  logWarnings(createLogger({ level: 'silent' }));
  // A queue function does not listen at PORT.
  const listens = service === 'gateway' ? [config.listen, config.metrics] : [config.metrics];
  const addresses = await Promise.all(listens.map(findAddressDoubts));
  const further = await findFindings(config);
  const stores = await findStoreFindings(config, service);
  const doubts = [...config.doubts, ...addresses.flat(), ...(further.doubts ?? []), ...stores.doubts];
  // The keys of development are public on purpose.
  const trivialKeys = config.production ? findTrivialKeys(config.keys, service) : [];
  const faults = [...trivialKeys, ...(further.faults ?? []), ...stores.faults];
  if (faults.length > 0) throw new ConfigError(faults, doubts);
  return doubts;
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

/**
 * Checks the stores of a configuration, so that a wrong password or bucket shows before it is used. In production, also
 * finds what a restart of the stores would lose.
 */
async function findStoreFindings(config: Config, service: ProgramService): Promise<Findings> {
  // The check returns the faults that the stores would log.
  const logger = createLogger({ level: 'silent' });
  try {
    const jobs =
      service === 'gateway'
        ? await openJobEngine(config, logger, { onOrder: undefined, onChange: undefined })
        : await openSharedJobEngine(config, logger, { onOrder: undefined, onChange: undefined });
    const objects = service === 'gateway' ? await openObjects(config.objects, logger) : undefined;
    const reports = objects?.openReports({
      keyRing: await openKeyRing(config, undefined),
      linkBase: () => config.basePath,
      onLargest: undefined,
    });
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
stopped; 64 wrong usage; 75 start it again: its disk is full, or has failed;
78 wrong configuration.`;

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
