import { once } from 'node:events';
import { ConfigError, loadConfig, type Config } from '../config/config.js';
import { openKeyRing } from '../config/open-key-ring.js';
import type { JobEngine } from '../engines/job-engine.js';
import { openJobEngine } from '../engines/open-job-engine.js';
import { describeError, GatewayError, ServiceUnavailableError } from '../errors.js';
import { createLogger } from '../logging/logger.js';
import { parseCommandLine } from './command-line.js';
import { HELP } from './help.js';
import { runJobsCommand } from './run-jobs-command.js';
import type { CommandContext } from '../process/run-command.js';
import { RefusedCommandError, UsageError } from '../process/usage-error.js';
import { readVersion } from '../config/version.js';

/** Exit codes; those above 63 are from sysexits. */
const EXIT = { done: 0, refused: 1, usage: 64, unavailable: 69, config: 78 } as const;

/** Reads the arguments, opens the stores and runs the command. @returns the exit code */
export async function runJobsProgram(context: CommandContext): Promise<number> {
  const { args, environment, columns, print, complain, signal } = context;
  try {
    const command = parseCommandLine(args);
    if (command.name === 'help' || command.name === 'version') {
      print(command.name === 'help' ? HELP : readVersion());
      return EXIT.done;
    }
    const config = loadConfig(environment, 'jobs');
    const engine = await openEngine(config);
    const answer = async (): Promise<boolean> => {
      // Waits for the connection. Its faults do not stop the command.
      const faults = await engine.check();
      await engine.jobStore.ping();
      for (const fault of faults) complain(fault);
      const tools = { engine, openKeys: () => openKeyRing(config), maxWidth: columns, print, complain };
      return runJobsCommand(command, tools);
    };
    try {
      // An interruption does not wait for a store that does not answer.
      return (await Promise.race([interrupted(signal), answer()])) ? EXIT.done : EXIT.refused;
    } finally {
      await engine.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    return explain(error, complain);
  }
}

/** Rejects at an interruption. */
async function interrupted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

/** Opens the configured stores. A directory without jobs is an error, not a new store. */
function openEngine(config: Config): Promise<JobEngine> {
  // Silent: the errors of the stores say what they would log.
  const logger = createLogger({ level: 'silent', pretty: false });
  return openJobEngine(config, logger, { existing: true }).catch((cause: unknown) => {
    throw cause instanceof ConfigError ? cause : new ServiceUnavailableError('job store', { cause });
  });
}

/** Prints an error. @returns the exit code */
function explain(error: unknown, complain: (line: string) => void): number {
  if (error instanceof UsageError) {
    complain(`${error.message} See: npm run jobs -- --help`);
    return EXIT.usage;
  }
  const cause = error instanceof ServiceUnavailableError ? error.cause : error;
  complain(describeError(cause ?? error));
  if (error instanceof ServiceUnavailableError) return EXIT.unavailable;
  if (error instanceof ConfigError) return EXIT.config;
  if (error instanceof RefusedCommandError || error instanceof GatewayError) return EXIT.refused;
  throw error;
}
