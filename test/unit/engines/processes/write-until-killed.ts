/**
 * Claims one job after the other and writes the id of each when its claim is acknowledged, until it is killed.
 * Argument: directory.
 */
import { createLogger } from '../../../../src/logging/logger.js';
import { openSqliteEngine } from '../../../../src/engines/sqlite/open-sqlite.js';
import { claimed } from '../../../support/stored-jobs.js';

const [, , directory = ''] = process.argv;
const logger = createLogger({ level: 'silent' });
const { jobStore } = await openSqliteEngine({ directory, logger, maxAttempts: 3 });

async function claimForEver(writer: number): Promise<never> {
  for (let index = 0; ; index += 1) {
    const jobId = `${String(writer)}-${String(index)}`;
    await claimed(jobStore, { kind: 'mobiles', org: 'acme', jobId });
    process.stdout.write(`${jobId}\n`);
  }
}

await Promise.all([1, 2, 3, 4].map(claimForEver));
