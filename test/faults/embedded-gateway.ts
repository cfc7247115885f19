import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';
import { DATABASE_FILE } from '../../src/jobs/engines/sqlite/database-file.js';
import { LOCK_FILE } from '../../src/jobs/engines/sqlite/gateway-lock.js';
import type { ServingProgram } from '../support/built-programs.js';
import { productionAt } from '../support/gateway.js';
import { makeSmallDisk } from '../support/small-disk.js';
import type { Site } from './site.js';

/** A gateway with embedded jobs, on a disk of its own. */
export type EmbeddedGateway = Awaited<ReturnType<typeof startEmbeddedGateway>>;

export async function startEmbeddedGateway({
  programs,
  sandbox,
  bearer,
}: Pick<Site, 'programs' | 'sandbox' | 'bearer'>) {
  const disk = await makeSmallDisk(64);
  const environment = { ...productionAt(sandbox), DATA_DIR: disk.directory, BACKEND_TIMEOUT_SECONDS: '2' };
  const started: ServingProgram[] = [];
  const current = (): ServingProgram => started.at(-1) as ServingProgram; // one is started below
  const start = async (): Promise<void> => void started.push(await programs.startGateway(environment));
  await start();
  return {
    disk,
    bearer,
    get url() {
      return current().url;
    },
    /** Kills it (`kill -9`) and starts it again after a while. */
    async kill(downMs: number): Promise<void> {
      await current().kill();
      await delay(downMs);
      await start();
    },
    /** Whether it runs or not. */
    spoilLock: () => writeFile(path.join(disk.directory, LOCK_FILE), 'rubbish'),
    /** Opens its jobs as another program does, such as `sqlite3`, and leaves a transaction open for a while. */
    async useBeside(statements: readonly string[], milliseconds: number): Promise<void> {
      const database = new Database(path.join(disk.directory, DATABASE_FILE), { timeout: 5_000 });
      for (const statement of statements) database.exec(statement);
      await delay(milliseconds);
      database.exec('ROLLBACK');
      database.close();
    },
    async log(): Promise<readonly string[]> {
      return (await Promise.all(started.map((program) => program.output()))).flatMap((output) => output.split('\n'));
    },
    async stop(): Promise<number | null> {
      await current().stop();
      return current().exitCode();
    },
    close: () => disk.close(),
  };
}
