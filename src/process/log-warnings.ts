import type { Logger } from '../logger.js';

/**
 * Logs what Node and libraries such as the AWS SDK warn of. Node itself would write it to standard error as plain text,
 * between the lines of the log.
 */
export function logWarnings(logger: Logger): void {
  // Its own listener is the first.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => logger.event('process.warned', { reason: `${name}: ${message}` }));
}
