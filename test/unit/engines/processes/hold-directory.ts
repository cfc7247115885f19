/** Opens the engine of a directory for itself alone and says so. Argument: the directory. Runs until it is killed. */
import { openSqliteEngine } from '../../../../src/engines/sqlite/open-sqlite.js';
import { createLogger } from '../../../../src/logging/logger.js';

const [, , directory = ''] = process.argv;
const logger = createLogger({ level: 'silent' });
await openSqliteEngine({ directory, logger, maxAttempts: 3, exclusive: true });
process.stdout.write('held\n');
setInterval(() => undefined, 60_000);
