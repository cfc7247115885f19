import { ConfigError, loadConfig, type Config, type Program } from './config.js';
import { openJobEngine, openKeyRing, openObjectEngine } from './engines.js';
import { createLogger, type Logger } from './logger.js';

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
  const logger = createLogger({ level: config.logLevel, pretty: !config.production });
  if (process.argv.includes(CHECK_OPTION)) await checkAndExit(config, logger);
  try {
    exitOnSignals(await start({ config, logger }), logger);
  } catch (err) {
    if (err instanceof ConfigError) exitOnConfigError(err);
    logger.fatal({ err }, `the ${program} could not be started`);
    process.exit(1);
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
  process.exit(EXIT_CONFIG);
}

/** Asks the stores as well, so that a wrong password or bucket shows before anything depends on it. */
async function checkAndExit(config: Config, logger: Logger): Promise<never> {
  const jobEngine = await openJobEngine(config, logger);
  const objectEngine = openObjectEngine(config, await openKeyRing(config), logger);
  const faults = [...await jobEngine.check(), ...await objectEngine.check()];
  await Promise.all([jobEngine.close(), objectEngine.close()]);
  if (faults.length === 0) {
    process.stdout.write('The configuration is complete, and the stores it names can be used.\n');
    process.exit(0);
  }
  exitOnConfigError(new ConfigError(faults));
}

/** The first signal shuts down in order, the second one at once. */
function exitOnSignals(program: RunningProgram, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'shutting down');
    void program.close().then((clean) => process.exit(clean ? 0 : 1));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
