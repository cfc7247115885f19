import { ConfigError, loadConfig, type Config, type Program } from '../config/config.js';
import { describeError } from '../errors.js';
import { openJobEngine, openKeyRing, openObjectEngine, openSharedJobEngine } from '../engines/open-engines.js';
import { createLogger, type Logger } from '../logger.js';

/** What a program starts from. */
export interface ProcessContext {
  readonly config: Config;
  readonly logger: Logger;
}

/** A program that runs. */
export interface RunningProgram {
  /** Stops in order. @returns whether everything closed cleanly */
  close(): Promise<boolean>;
}

const EXIT_SUCCESS = 0;
const EXIT_FAILURE = 1;
/** Exit code of a faulty configuration (`EX_CONFIG` of sysexits). */
const EXIT_CONFIG = 78;

const CHECK_OPTION = '--check-config';

/**
 * Runs a program as this process: environment, options, signals and exit codes.
 *
 * With `--check-config` the configuration and the stores it names are checked, and nothing is started.
 *
 * @param program which one; it decides what the configuration must hold
 * @param start starts the program; throwing ends the process with exit code 1
 */
export async function runProcess(
  program: Program,
  start: (context: ProcessContext) => Promise<RunningProgram>,
): Promise<void> {
  const config = readConfig(program);
  if (process.argv.includes(CHECK_OPTION)) await checkAndExit(config, program);
  const logger = createLogger({ level: config.logLevel, pretty: !config.production });
  try {
    const starting = start({ config, logger });
    // A program that is told to stop while it starts stops in order, too.
    exitOnSignals(starting, logger);
    await starting;
  } catch (err) {
    if (err instanceof ConfigError) exitOnConfigError(err);
    logger.fatal({ err }, `the ${program} could not be started: ${describeError(err)}`);
    end(EXIT_FAILURE);
  }
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

async function checkAndExit(config: Config, program: Program): Promise<never> {
  const faults = await storeFaults(config, program);
  if (faults.length > 0) exitOnConfigError(new ConfigError(faults));
  process.stdout.write('The configuration is complete, and the stores it names can be used.\n');
  end(EXIT_SUCCESS);
}

/** Asks the stores as well, so that a wrong password or bucket shows before anything depends on it. */
async function storeFaults(config: Config, program: Program): Promise<readonly string[]> {
  // What the stores would log is what they answer here.
  const logger = createLogger({ level: 'silent', pretty: false });
  try {
    const engines =
      program === 'gateway'
        ? [await openJobEngine(config, logger), openObjectEngine(config, await openKeyRing(config), logger)]
        : [openSharedJobEngine(config, logger)];
    const faults = await Promise.all(engines.map((engine) => engine.check()));
    await Promise.all(engines.map((engine) => engine.close()));
    return faults.flat();
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    return [`The stores cannot be opened: ${describeError(error)}`];
  }
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
    logger.info({ signal }, 'shutting down');
    const closed = starting.then(
      (program) => program.close(),
      () => false,
    );
    void closed.then((clean) => end(clean ? EXIT_SUCCESS : EXIT_FAILURE));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
