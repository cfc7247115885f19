import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';
import BackgroundDatabase from 'libsql/promise';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SqliteDatabase, type SqliteDatabaseOptions } from '../../../src/jobs/engines/sqlite/database.js';
import { DATABASE_FILE } from '../../../src/jobs/engines/sqlite/database-file.js';
import { describeError } from '../../../src/base/errors.js';
import { captureLog } from '../../support/captured-log.js';
import { closeAfterTest, forEachTest, temporaryDirectory } from '../../support/resources.js';
import { waitFor } from '../../support/wait-for.js';

const UNAVAILABLE = { code: 'ServiceUnavailable' };
const LONG_MS = 1e15;
const PAGE = 4_096;

const directory = forEachTest(temporaryDirectory);
const log = forEachTest(captureLog);
let file: string;
beforeEach(() => {
  file = join(directory.path, DATABASE_FILE);
});

async function openDatabase(options: Partial<SqliteDatabaseOptions> = {}): Promise<SqliteDatabase> {
  return closeAfterTest(await SqliteDatabase.open({ directory: directory.path, logger: log.logger, ...options }));
}

function remember(database: SqliteDatabase, id: string): () => number {
  return () => database.query('INSERT INTO callback_ids VALUES (?, ?)').run(id, LONG_MS);
}

/** Remembers an id in one of the ten steps after which the log is copied. */
function rememberAndGiveBack(database: SqliteDatabase, id: string): () => number {
  return () => {
    database.giveBack(1);
    return remember(database, id)();
  };
}

function ids(database: SqliteDatabase): Promise<readonly unknown[]> {
  return database.read<readonly unknown[]>(() =>
    database.query('SELECT id FROM callback_ids ORDER BY id').all().flat(),
  );
}

describe('The SQLite database', () => {
  it('returns what an action returned, and writes nothing of one that throws', async () => {
    const database = await openDatabase();
    const fail = (): never => {
      remember(database, 'failed')();
      throw new Error('an accident');
    };
    const [first, failed, last] = await Promise.allSettled([
      database.transact(remember(database, 'a')),
      database.transact(fail),
      database.transact(remember(database, 'b')),
    ]);
    expect([first, last]).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 1 },
    ]);
    expect(failed).toMatchObject({ reason: { message: 'an accident' } });
    expect(await ids(database)).toEqual(['a', 'b']);
  });

  it('leaves one file when it is closed, with all that was waiting, and refuses everything afterwards', async () => {
    const database = await openDatabase();
    const waiting = database.transact(remember(database, 'a'));
    await database.writeDeferred(remember(database, 'b'));
    await database.close();
    await waiting;
    expect((await readdir(directory.path)).toSorted()).toEqual([DATABASE_FILE]);
    await expect(database.transact(remember(database, 'c'))).rejects.toMatchObject(UNAVAILABLE);
    await expect(ids(database)).rejects.toMatchObject(UNAVAILABLE);
    expect(await ids(await openDatabase())).toEqual(['a', 'b']);
  });
});

describe('Another process beside the SQLite database', () => {
  const spied: (() => void)[] = [];
  afterEach(() => spied.splice(0).forEach((restore) => restore()));

  /** Acts before each statement that a method is called with. */
  function spyOn(prototype: object, method: string, act: (sql: string) => void): void {
    const original: unknown = Reflect.get(prototype, method);
    Reflect.set(prototype, method, function spy(this: unknown, sql: string) {
      act(sql);
      return Reflect.apply(original as () => unknown, this, [sql]) as unknown; // a method of the class
    });
    spied.push(() => Reflect.set(prototype, method, original));
  }

  it('commits nothing while the log is copied, by whichever connection', async () => {
    const database = await openDatabase();
    const other = closeAfterTest(new Database(file, { timeout: 0 }));
    /** Tries to commit in the middle of a copy. */
    const seen: string[] = [];
    const tryToCommit = (sql: string): void => {
      if (!sql.includes('wal_checkpoint')) return;
      try {
        other.exec('BEGIN IMMEDIATE');
        other.exec('ROLLBACK');
        seen.push('free');
      } catch (error) {
        seen.push(describeError(error));
      }
    };
    spyOn(BackgroundDatabase.prototype, 'exec', tryToCommit);
    spyOn(Database.prototype, 'prepare', tryToCommit);
    for (let step = 0; step < 25; step += 1) await database.transact(rememberAndGiveBack(database, String(step)));
    expect(seen.length).toBeGreaterThanOrEqual(2);
    expect(seen.filter((outcome) => !outcome.includes('locked'))).toEqual([]);
  });

  it('is named when it takes the write lock in the middle of a copy, and keeps it', async () => {
    const database = await openDatabase();
    const other = closeAfterTest(new Database(file, { timeout: 0 }));
    spyOn(BackgroundDatabase.prototype, 'exec', (sql) => {
      if (sql.startsWith('UPDATE probe') && !other.inTransaction) other.exec('BEGIN IMMEDIATE');
    });
    const write = async (): Promise<void> => {
      for (let step = 0; step <= 10; step += 1) await database.transact(rememberAndGiveBack(database, String(step)));
    };
    await expect(write()).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/the write lock is held.*Find the other program/) },
    });
    other.exec('ROLLBACK');
  });
});

describe('The line of transactions', () => {
  it('has an end, and moves on when another process lets go of the write lock', async () => {
    const database = await openDatabase({ flush: () => Promise.resolve() });
    // On a busy machine they would wait for too long.
    const time = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    closeAfterTest({ close: () => time.mockRestore() });
    const other = closeAfterTest(new Database(file, { timeout: 0 }));
    other.exec('BEGIN IMMEDIATE');
    const waiting = Array.from({ length: 10_001 }, (_, id) => database.transact(remember(database, String(id))));
    const [last] = await Promise.allSettled(waiting.splice(-1));
    expect(last).toMatchObject({ reason: { cause: { message: expect.stringContaining('too much waits') } } });
    other.exec('ROLLBACK');
    await Promise.all(waiting);
    expect(await ids(database)).toHaveLength(10_000);
  });
});

describe('A slow disk', () => {
  /** Flushes that the test ends. */
  function gate() {
    const waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
    const flush = (): Promise<void> => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    return { flush, waiting };
  }

  it('holds up writes, and reads of what it still has to take', async () => {
    const { flush, waiting } = gate();
    const database = await openDatabase({ flush });
    const first = ids(database);
    await waitFor('the flush of what was written before', () => waiting.length === 1);
    waiting.pop()?.resolve();
    await first;
    const told: string[] = [];
    const written = database.transact(remember(database, 'a')).then(() => told.push('written'));
    await waitFor('a flush', () => waiting.length === 1);
    const read = ids(database).then((found) => told.push(`read ${found.join()}`));
    const later = database.transact(remember(database, 'b')).then(() => told.push('later'));
    await delay(20);
    expect(told).toEqual([]);
    waiting[0]?.resolve();
    await Promise.all([written, read]);
    const readLater = ids(database).then((found) => told.push(`read ${found.join()}`));
    await waitFor('the next flush', () => waiting.length === 2);
    expect(told.toSorted()).toEqual(['read a', 'written']);
    waiting[1]?.resolve();
    await Promise.all([later, readLater]);
    expect(told.toSorted()).toEqual(['later', 'read a', 'read a,b', 'written']);
  });

  it('does not hold up progress, which outlives the process and is flushed soon', async () => {
    const { flush, waiting } = gate();
    const database = await openDatabase({ flush });
    await database.writeDeferred(remember(database, 'a'));
    expect(waiting).toHaveLength(0);
    await waitFor('a flush of it', () => waiting.length === 1);
    waiting[0]?.resolve();
  });

  it('holds up reads of what another process has written', async () => {
    const [first, second] = [gate(), gate()];
    const database = await openDatabase({ flush: first.flush });
    const other = await openDatabase({ flush: second.flush });
    const told: string[] = [];
    const written = database.transact(remember(database, 'a')).then(() => told.push('written'));
    await waitFor('a flush', () => first.waiting.length === 1);
    const read = ids(other).then((found) => told.push(`read ${found.join()}`));
    await waitFor('a flush by the reader', () => second.waiting.length === 1);
    expect(told).toEqual([]);
    second.waiting[0]?.resolve();
    await read;
    expect(told).toEqual(['read a']);
    first.waiting[0]?.resolve();
    await written;
  });

  it('that fails ends all use until the next start, and is told to the owner', async () => {
    const { flush, waiting } = gate();
    let lost = 0;
    const database = await openDatabase({ flush, onLost: () => (lost += 1) });
    const [first, read] = [database.transact(remember(database, 'a')), ids(database)];
    await waitFor('a flush', () => waiting.length === 1);
    const [later, readLater] = [database.transact(remember(database, 'b')), ids(database)];
    await delay(20);
    waiting[0]?.reject(new Error('an accident of the disk'));
    const all = await Promise.allSettled([first, read, later, readLater, ids(database), database.ping()]);
    expect(all).toEqual(all.map(() => expect.objectContaining({ reason: expect.objectContaining(UNAVAILABLE) })));
    expect([lost, waiting.length, database.isInDoubt()]).toEqual([1, 1, true]);
    expect(log.text()).toMatch(/could not be flushed \(an accident of the disk\)\. .*start the gateway again/);
  });

  it('is given up after five seconds, and the outcome is not known', async () => {
    const { flush, waiting } = gate();
    const database = await openDatabase({ flush });
    await expect(database.transact(remember(database, 'a'))).rejects.toMatchObject({
      ...UNAVAILABLE,
      cause: { message: expect.stringContaining('nothing was written within 5000 ms') },
    });
    waiting[0]?.resolve();
  });
});

describe('A file that is not the one that was opened', () => {
  it.each([
    ['deleted', () => rm(file), /was deleted while jobs were kept in it\..*deploy\/backup\.md/],
    ['deleted with its directory', () => rm(directory.path, { recursive: true }), /was deleted/],
    [
      'replaced',
      async () => {
        await writeFile(`${file}.new`, await readFile(file));
        await rename(`${file}.new`, file);
      },
      /is another file now/,
    ],
  ])('because it was %s is used no more, and nothing is made in its place', async (_, change, said) => {
    const database = await openDatabase();
    await database.write();
    await change();
    await expect(database.transact(remember(database, 'a'))).rejects.toMatchObject(UNAVAILABLE);
    await expect(database.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(database.write()).rejects.toMatchObject({ cause: { message: expect.stringMatching(said) } });
    expect(database.isInDoubt()).toBe(true);
    expect(log.text()).toMatch(said);
    expect(existsSync(join(directory.path, 'probe'))).toBe(false);
  });
});

describe('A damaged file', () => {
  const garbage = (bytes: number): Buffer => Buffer.alloc(bytes, 'another text\n');

  async function overwrite(at: number, bytes: number): Promise<void> {
    const content = await readFile(file);
    garbage(bytes).copy(content, at);
    await writeFile(file, content);
  }

  it.each([
    ['another text', () => writeFile(file, garbage(60_000)), /\(.*file is not a database\)/],
    ['cut off', () => truncate(file, 3 * PAGE), /malformed|page \d+/],
    ['empty', () => truncate(file, 0), /\(it is empty\)/],
    ['gone from beside its log', () => rename(file, `${file}-wal`), /it is gone/],
    ['overwritten at its head', () => overwrite(0, PAGE), /not a database/],
    ['overwritten in its middle', () => overwrite(2 * PAGE, 2 * PAGE), /\(Tree \d+ page \d+: .*\)/],
  ])('that is %s is reported in one line, and is left as it is', async (_, damage, said) => {
    await (await openDatabase()).close();
    await damage();
    const opened = openDatabase();
    await expect(opened).rejects.toMatchObject({ name: 'ConfigError', message: expect.stringMatching(said) });
    await expect(opened).rejects.toThrow(new RegExp(`^${file} is damaged [^\\n]*deploy/backup\\.md`));
    expect(log.text()).toBe('');
  });

  it('that is met while it is used costs what it holds, and shows', async () => {
    const database = await openDatabase();
    await database.transact(remember(database, 'a'));
    await database.close();
    // The index of jobs: nothing that is asked for below lies there.
    const again = await openDatabase();
    const [root] = await again.read<readonly unknown[]>(
      () => again.query("SELECT rootpage FROM sqlite_schema WHERE name = 'messages'").first() ?? [],
    );
    await overwriteInPlace(file, (Number(root) - 1) * PAGE, garbage(PAGE));
    await expect(
      again.read(() => again.query('SELECT count(*) FROM messages NOT INDEXED').first()),
    ).rejects.toMatchObject(UNAVAILABLE);
    expect(await ids(again)).toEqual(['a']);
    expect(again.isInDoubt()).toBe(true);
    await expect(again.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(again.write()).rejects.toMatchObject(UNAVAILABLE);
    expect(log.text()).toMatch(/is damaged .*deploy\/backup\.md/);
  });
});

/** In another process: to close the file in this one would end the locks that SQLite holds on it. */
async function overwriteInPlace(path: string, at: number, bytes: Buffer): Promise<void> {
  const script = `const fs = require('fs'); const file = fs.openSync(process.argv[1], 'r+');
    fs.writeSync(file, Buffer.from(process.argv[3], 'base64'), 0, ${bytes.length}, Number(process.argv[2]));`;
  const child = spawn(process.execPath, ['-e', script, path, String(at), bytes.toString('base64')], {
    stdio: 'inherit',
  });
  await once(child, 'exit');
}
