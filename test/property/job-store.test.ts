import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { createLogger } from '../../src/logging/logger.js';
import { enqueue } from '../../src/job-record/transitions.js';
import { SqliteDatabase } from '../../src/engines/sqlite/database.js';
import { SqliteJobRecords } from '../../src/engines/sqlite/job-records.js';
import { createSqliteJobStore } from '../../src/engines/sqlite/job-store.js';
import { SqliteOrganisations } from '../../src/engines/sqlite/organisations.js';
import { NO_LIMITS } from '../../src/job-record/organisation-jobs.js';
import { connectRedis, type RedisConnection } from '../../src/engines/redis/connection.js';
import { createRedisJobStore } from '../../src/engines/redis/job-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { chooseSeed } from '../support/seed.js';
import { describeWith } from '../support/system-tools.js';
import { createWorld, OWNERS, storeCommands, synchronousClocks, type OpenFor } from './job-store-commands.js';
import { ReferenceJobStore } from './reference-job-store.js';

/** Any history of several owners, with clocks that agree on nothing, is the history of the reference. */
async function holdAgainstReference(openFor: OpenFor, options: { readonly numRuns: number; readonly seed: number }) {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(storeCommands({ maxCommands: 60 }), async (commands) => {
      await fc.asyncModelRun(() => {
        run += 1;
        const model = { store: new ReferenceJobStore(), clocks: synchronousClocks() };
        return { model, real: createWorld(openFor, run, model) };
      }, commands);
    }),
    options,
  );
}

/** `npm run test:soak` makes more, on Redis; on SQLite half as many. */
const HISTORIES = Number(process.env['JOB_STORE_HISTORIES'] ?? 40);

describe('The job store on SQLite', () => {
  const logger = createLogger({ level: 'silent', pretty: false });
  const clocks: (() => number)[] = [];
  let directory: string;
  /** One for each owner, as if each was a process of its own. */
  let databases: SqliteDatabase[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'job-store-property-'));
    databases = [];
    for (let owner = 0; owner < OWNERS; owner += 1) {
      const clock = (): number => clocks[owner]?.() ?? 0;
      databases.push(await SqliteDatabase.open({ directory, logger, clock }));
    }
  });

  afterAll(async () => {
    for (const database of databases) await database.close();
    await rm(directory, { recursive: true });
  });

  it("is the reference model under any interleaving, whatever the owners' clocks do", async () => {
    const seed = chooseSeed('job store on SQLite against the reference');
    let opened = 0;
    const openFor: OpenFor = (clock) => {
      const owner = opened++ % OWNERS;
      const database = databases[owner];
      if (database === undefined) throw new Error('An owner has no database.');
      clocks[owner] = clock;
      const records = new SqliteJobRecords(database, logger);
      return {
        ...createSqliteJobStore({ database, records, organisations: new SqliteOrganisations(database, NO_LIMITS) }),
        // As the queue does it, which adds its message in the same transaction.
        enqueue: (job, described) =>
          database.transact<boolean>(
            (now) => records.update(job, now, (record) => enqueue(record, described, now)).next !== undefined,
          ),
      };
    };
    await holdAgainstReference(openFor, { numRuns: HISTORIES / 2, seed });
  });
});

describeWith(['redis-server'], 'The job store on Redis', () => {
  let server: RedisServer;
  let redis: RedisConnection;

  beforeAll(async () => {
    server = await startRedis();
    redis = connectRedis({ url: server.url, logger: createLogger({ level: 'silent', pretty: false }) });
    await redis.ready();
  });

  afterAll(async () => {
    await redis.close();
    await server.stop();
  });

  it("is the reference model under any interleaving, whatever the owners' clocks do", async () => {
    const seed = chooseSeed('job store on Redis against the reference');
    await holdAgainstReference(
      (clock) => {
        const store = createRedisJobStore({ redis, clockOffsetMs: () => clock() - Date.now() });
        return { ...store, enqueue: async (job, described) => (await store.enqueue(job, described)) !== undefined };
      },
      { numRuns: HISTORIES, seed },
    );
  });
});
