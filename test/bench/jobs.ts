/**
 * Measures jobs: `npm run bench:jobs -- [CHECKOUT …] [--turns N] [--only ENGINE]`. The programs in `dist/` of this
 * checkout, and of others if named, run jobs of one item in turns, beside bare commits of the same database and bare
 * BullMQ. Ratios are those within a turn.
 *
 * --turns   number of turns, 3 by default
 * --only    only SQLite, Redis or SQS
 * --count   orders of a turn, 1,000 by default
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Queue, Worker } from 'bullmq';
import Database from 'libsql';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { startRedis } from '../support/redis-server.js';
import { startBackends } from '../support/successive-gateways.js';
import { JOB_ENGINES, openJobSite, repeated, type JobEngineName, type JobSite } from './job-site.js';
import { commitOf } from './requests/machine.js';
import { median, ratioInTurns, spread, tableOf } from './requests/section.js';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    count: { type: 'string', default: '1000' },
  },
});
const [turns, count] = [Number(given.turns), Number(given.count)];
const WARM_UP = 300;
const BEGUN = 100;
const ORDERS_AT_ONCE = 8;
/** Share of the capacity at which orders come steadily. */
const STEADY = 0.8;
/** Pause after the last job in {@link JobSite.settled}. */
const SETTLED_MS = 400;
/** Number of messages that bare BullMQ handles at a time, as many as the embedded consumer. */
const BARE_AT_ONCE = 16;

type Figures = Readonly<Record<string, number>>;

/** Orders jobs while none runs, lets them run, and orders others one after another. */
async function measure(site: JobSite, sandbox: Awaited<ReturnType<typeof startBackends>>): Promise<Figures> {
  await repeated(WARM_UP, ORDERS_AT_ONCE, site.order);
  await site.settled();
  site.forget();
  const hold = sandbox.faults.hold({ operation: 'updateMobile' });
  // The consumers are full then, and ask for no further job.
  await repeated(64, ORDERS_AT_ONCE, site.order);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const before = site.processorMs();
  const orderSeconds = await repeated(count, ORDERS_AT_ONCE, site.order);
  const ordered = site.processorMs();
  const startedAt = performance.now();
  hold.release();
  await site.settled();
  const jobSeconds = (performance.now() - startedAt - SETTLED_MS) / 1_000;
  const ended = site.processorMs();
  const begun: number[] = [];
  for (let index = 0; index < BEGUN; index += 1) {
    site.forget();
    const begins = sandbox.journal.waitFor({ operation: 'updateMobile' });
    const orderedAt = performance.now();
    await site.order();
    await begins;
    begun.push(performance.now() - orderedAt);
  }
  begun.sort((a, b) => a - b);
  const { perSecond } = await ordersAndJobs(site, Infinity);
  const { share } = await ordersAndJobs(site, STEADY * perSecond);
  const jobs = count + 64;
  const per = (name: keyof typeof before): Figures => ({
    [`${name}, ms an order`]: (ordered[name] - before[name]) / count,
    [`${name}, ms a job`]: (ended[name] - ordered[name]) / jobs,
  });
  return {
    'orders a second': count / orderSeconds,
    'jobs a second': jobs / jobSeconds,
    'order to begin, ms: median': median(begun),
    '95 of 100': begun[94] ?? NaN,
    worst: begun.at(-1) ?? NaN,
    'orders and jobs together, a second': perSecond,
    [`at ${STEADY} of that: worked off, of what is ordered`]: share,
    ...per('gateway'),
    ...(site.redis && { ...per('queue function'), ...per('Redis') }),
  };
}

/**
 * Orders jobs at a rate while others run.
 *
 * @returns jobs a second until all are done, and jobs that are done while the second half is ordered, of that half
 */
async function ordersAndJobs(site: JobSite, perSecond: number) {
  site.forget();
  const startedAt = performance.now();
  let [ordered, doneBefore] = [0, 0];
  await repeated(count, ORDERS_AT_ONCE, async () => {
    ordered += 1;
    if (ordered === count / 2) doneBefore = site.done();
    const dueInMs = (1_000 * ordered) / perSecond - (performance.now() - startedAt);
    if (dueInMs > 0) await delay(dueInMs);
    await site.order();
  });
  const share = (site.done() - doneBefore) / (count / 2);
  await site.settled();
  return { perSecond: count / ((performance.now() - startedAt - SETTLED_MS) / 1_000), share };
}

/** Commits one row each, which the disk has before the next one. */
async function bareCommits(): Promise<Figures> {
  const directory = await mkdtemp(path.join(tmpdir(), 'bare-commits-'));
  const database = new Database(path.join(directory, 'bare.db'));
  database.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)',
  );
  const insert = database.prepare('INSERT INTO rows (text) VALUES (?)');
  const text = 'x'.repeat(1_000);
  const [startedAt, usage] = [performance.now(), process.cpuUsage()];
  for (let row = 0; row < count; row += 1) insert.run([text]);
  const figures = {
    'bare commits a second': (count * 1_000) / (performance.now() - startedAt),
    'ms a commit': processMs(usage) / count,
  };
  database.close();
  await rm(directory, { recursive: true });
  return figures;
}

/** Adds messages to a queue of BullMQ on a Redis that flushes each write, and handles them. */
async function bareBullMq(): Promise<Figures> {
  const redis = await startRedis({ appendOnly: true });
  const connection = { url: redis.url, maxRetriesPerRequest: null };
  const queue = new Queue('bare', { connection });
  const data = { text: 'x'.repeat(1_000) };
  await repeated(count, ORDERS_AT_ONCE, () => queue.add('bare', data, { removeOnComplete: true }));
  const [startedAt, usage] = [performance.now(), process.cpuUsage()];
  let handled = 0;
  await new Promise<void>((resolve) => {
    const worker = new Worker('bare', () => Promise.resolve(), { connection, concurrency: BARE_AT_ONCE });
    worker.on('completed', () => {
      handled += 1;
      if (handled === count) void worker.close().then(resolve);
    });
  });
  const figures = {
    'bare messages a second': (count * 1_000) / (performance.now() - startedAt),
    'ms a message': processMs(usage) / count,
  };
  await queue.close();
  await redis.stop();
  return figures;
}

function processMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const checkouts = [ROOT, ...positionals.map((name) => path.resolve(name))];
const built = await Promise.all(
  checkouts.map((checkout) => BuiltPrograms.open(checkout === ROOT ? undefined : checkout)),
);
const sandbox = await startBackends();

async function turnOf(engine: JobEngineName): Promise<readonly Figures[]> {
  const bare = await (engine === 'SQLite' ? bareCommits() : bareBullMq());
  const all: Figures[] = [];
  for (const programs of built) {
    const site = await openJobSite(engine, { programs, sandbox });
    try {
      all.push({ ...(await measure(site, sandbox)), ...bare });
    } finally {
      await site.close();
    }
  }
  return all;
}

try {
  process.stdout.write(
    `${new Date().toISOString().slice(0, 16)}, commit ${commitOf('.') ?? 'unknown'}, ${turns} turns\n`,
  );
  for (const engine of JOB_ENGINES) {
    if (!engine.includes(given.only)) continue;
    const rounds: (readonly Figures[])[] = [];
    for (let turn = 0; turn < turns; turn += 1) rounds.push(await turnOf(engine));
    const rows = Object.keys(rounds[0]?.[0] ?? {}).map((figure) => {
      const columns = checkouts.map((_, index) => rounds.map((round) => round[index]?.[figure] ?? NaN));
      const [own = [], ...others] = columns;
      const digits = median(own) < 20 ? 2 : 0;
      const ratios = others.map((other) => ratioInTurns(own, other).toFixed(2));
      return [figure, ...columns.map((values) => spread(values, digits)), ...ratios];
    });
    const names = checkouts.map((checkout) => commitOf(checkout) ?? checkout);
    const columns = [engine, ...names, ...names.slice(1).map((name) => `ratio to ${name}`)];
    process.stdout.write(`\n${tableOf({ columns, rows }).join('\n')}\n`);
  }
} finally {
  await Promise.all(built.map((programs) => programs.close()));
  await sandbox.close();
}
