import { ConfigError, type Config, type Program } from '../config/config.js';
import { openKeyRing } from '../config/open-key-ring.js';
import { openJobEngine, openSharedJobEngine } from '../engines/open-job-engine.js';
import { describeError } from '../errors.js';
import { createLogger } from '../logging/logger.js';
import { openObjectEngine } from '../objects/open-object-engine.js';

/**
 * Asks the stores that a configuration names, so that a wrong password or bucket shows before anything depends on it.
 *
 * @returns one line per fault, with what to change; empty when all is well
 */
export async function findStoreFaults(config: Config, program: Program): Promise<readonly string[]> {
  // What the stores would log is what they answer here.
  const logger = createLogger({ level: 'silent', pretty: false });
  try {
    const engines =
      program === 'gateway'
        ? [await openJobEngine(config, logger), await openObjectEngine(config, await openKeyRing(config), logger)]
        : [await openSharedJobEngine(config, logger)];
    const faults = await Promise.all(engines.map((engine) => engine.check()));
    await Promise.all(engines.map((engine) => engine.close()));
    return faults.flat();
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    return [`The stores cannot be opened: ${describeError(error)}`];
  }
}
