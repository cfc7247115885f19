import { ConfigError, loadConfig, type Config, type Program } from '../config/config.js';
import { describeError, ServiceUnavailableError } from '../errors.js';
import { findTrivialKeys } from '../config/trivial-keys.js';
import { createLogger, type Logger, type WatchableLogger } from '../logging/logger.js';
import { readVersion } from '../config/version.js';
import { findStoreFaults } from './check-stores.js';
import { logDestination, logWarnings } from './program-log.js';
import { readArguments } from './read-arguments.js';
import { SERVICE_HELP, type Service } from './service-help.js';
import { UsageError } from './usage-error.js';

/** What a program starts from. */
export interface ProcessContext {
  readonly config: Config;
  readonly logger: WatchableLogger;
  /** Version of the program. */
  readonly version: string;
  /** Writes to standard output, for people. */
  readonly print: (text: string) => void;
}

/** Checks what a program needs besides its stores. */
export type FindFaults = (config: Config) => Promise<readonly string[]>;

/** A program that runs. */
export interface RunningProgram {
  /** Stops in order. @returns the names of the steps that did not end well; empty when all did */
  close(): Promise<readonly string[]>;
}

const EXIT_SUCCESS = 0;
const EXIT_FAILURE = 1;
/** Exit code of wrong arguments (`EX_USAGE` of sysexits). */
const EXIT_USAGE = 64;
/** Exit code of a faulty configuration (`EX_CONFIG` of sysexits). */
const EXIT_CONFIG = 78;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  'check-config': { type: 'boolean' },
} as const;

/** Levels of the log at which stack traces are wanted. */
const DETAILED_LEVELS: ReadonlySet<string> = new Set(['debug', 'trace']);

/**
 * Runs a program as this process: environment, options, signals and exit codes.
 *
 * With `--check-config` the configuration and the stores it names are checked, and nothing is started; nor is it with
 * `--help`, `--version`, or an option that there is not.
 *
 * @param program which one; it decides what the configuration must hold
 * @param start starts the program; throwing ends the process with exit code 1
 * @param findFaults what else there is to check, one line per fault
 */
export async function runProgram(
  program: Service,
  start: (context: ProcessContext) => Promise<RunningProgram>,
  findFaults: FindFaults = () => Promise.resolve([]),
): Promise<void> {
  const options = readOptions();
  if (options.help) printAndExit(SERVICE_HELP[program]);
  const version = readVersion();
  if (options.version) printAndExit(`${version}\n`);
  const config = readConfig(program);
  if (options['check-config']) await checkAndExit(config, program, findFaults);
  const logger = createLogger({
    level: config.logLevel,
    pretty: !config.production,
    program: { service: config.telemetry.serviceName ?? program, version },
    ...(config.production && { destination: logDestination() }),
  });
  logWarnings(logger);
  try {
    // Begins in the next turn: whoever is told to stop while it starts is already listened to.
    const starting = Promise.resolve({ config, logger, version, print }).then(start);
    exitOnSignals(starting, logger);
    await starting;
  } catch (err) {
    if (err instanceof ConfigError) exitOnConfigError(err);
    logger.event('program.start_failed', { program, ...explained(err, config) });
    end(EXIT_FAILURE);
  }
}

/** What went wrong, for people; where in the code is for those who ask for it. */
function explained(err: unknown, { logLevel }: Config): { readonly reason: string; readonly err?: unknown } {
  const cause = err instanceof ServiceUnavailableError ? (err.cause ?? err) : err;
  return { reason: describeError(cause), ...(DETAILED_LEVELS.has(logLevel) && { err }) };
}

function print(text: string): void {
  process.stdout.write(text);
}

function readOptions(): { readonly [Option in keyof typeof OPTIONS]?: boolean } {
  try {
    const { values, positionals } = readArguments(process.argv.slice(2), OPTIONS);
    const [surplus] = positionals;
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
    return values;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} --help says what there is.\n`);
    end(EXIT_USAGE);
  }
}

function printAndExit(text: string): never {
  print(text);
  end(EXIT_SUCCESS);
}

function readConfig(program: Program): Config {
  try {
    return loadConfig(process.env, program);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    exitOnConfigError(error);
  }
}

function exitOnConfigError({ message }: ConfigError): never {
  process.stderr.write(`${message}\n`);
  end(EXIT_CONFIG);
}

async function checkAndExit(config: Config, program: Program, findFaults: FindFaults): Promise<never> {
  // What the libraries behind the stores would say of a fault is told as that.
  logWarnings(createLogger({ level: 'silent', pretty: false }));
  const faults = [
    // Those of development are known to everybody, and meant to be.
    ...(config.production ? findTrivialKeys(config.keys, program) : []),
    ...(await findFaults(config)),
    ...(await findStoreFaults(config, program)),
  ];
  if (faults.length > 0) exitOnConfigError(new ConfigError(faults));
  process.stdout.write('The configuration is complete, and the stores it names can be used.\n');
  end(EXIT_SUCCESS);
}

/**
 * Ends this process, here alone. What is still open, such as a connection that tries again and again or a step of
 * the shutdown that did not end in time, would keep it alive for ever.
 */
function end(code: number): never {
  process.exit(code);
}

/** The first signal shuts down in order, the second one at once. */
function exitOnSignals(starting: Promise<RunningProgram>, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) end(EXIT_FAILURE);
    stopping = true;
    logger.event('program.stopping', { signal });
    const stopped = starting.then(
      (program) => program.close(),
      () => ['start'],
    );
    void stopped.then((unfinished) => {
      logger.event('program.stopped', { unfinished });
      end(unfinished.length === 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
