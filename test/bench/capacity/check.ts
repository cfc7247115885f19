import { cpus } from 'node:os';
import { KINDS, mapCost, totalCost, type Cost, type Costs, type Kind } from './costs.js';
import type { Assumptions } from './assumptions.js';
import { randomFrom } from '../../../src/sandbox/seed/random.js';
import { busiestMinute } from './simulate.js';
import { openSite } from './site.js';
import { worksAt, type Ordered, type Works } from './works.js';

const SEED = 20_261_122;
const MINUTE_MS = 60_000;
/** What runs for the first time costs several times as much. */
const WARM_UP_MS = 30_000;

/** A run beside what the model says of it. */
export interface Checked {
  /** When, where and what, as sentences. */
  readonly run: readonly string[];
  /** What was done, by kind. */
  readonly counts: Readonly<Record<Kind, number>>;
  readonly model: Cost;
  readonly real: Cost;
}

/** What is run. */
export interface CheckOptions {
  readonly vehicles: number;
  /** Of gateways, and of queue functions. */
  readonly replicas: number;
  readonly assumptions: Assumptions;
  readonly costs: Costs;
  readonly log: (line: string) => void;
}

/**
 * Runs the busiest minute of a fleet against real programs: people come at random, orders are ordered, delivered, run
 * and polled until they end. The model is asked what the same minute costs.
 */
export async function checkModel({ vehicles, replicas, assumptions, costs, log }: CheckOptions): Promise<Checked> {
  const expected = busiestMinute(vehicles, assumptions);
  const site = await openSite(replicas);
  try {
    const works = await worksAt(site);
    log(`${programs(replicas)}; warming up`);
    await runFor(WARM_UP_MS, { expected, works, assumptions });
    await site.settled();
    log(`a minute of ${vehicles} vehicles`);
    const before = await site.figures();
    const startedAt = performance.now();
    const done = await runFor(MINUTE_MS, { expected, works, assumptions });
    await site.settled();
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await site.figures();
    const start = done.job + done.report;
    // Polls are the model's own: how long a job takes is an assumption of it.
    const poll = (start * assumptions['job-seconds']) / assumptions['poll-seconds'];
    const model = withIdle(totalCost({ ...done, poll }, costs), costs, replicas * seconds);
    return {
      run: [
        `${new Date().toISOString().slice(0, 10)}, ${programs(replicas)} on ` +
          `${cpus().length} cores, with backends, Redis and people on the same ones`,
        `the busiest minute of ${vehicles.toLocaleString('en-US')} vehicles: ${sentence(done)}; the model has ` +
          `${Math.round(poll)} polls`,
      ],
      counts: done,
      model,
      real: mapCost((figure) => after[figure] - before[figure]),
    };
  } finally {
    await site.close();
  }
}

/** Beside the work: what programs ask of Redis all the time. */
function withIdle(work: Cost, { idle }: Costs, replicaSeconds: number): Cost {
  return {
    ...work,
    redisCommands: work.redisCommands + idle.redisCommands * replicaSeconds,
    queueCommands: work.queueCommands + idle.queueCommands * replicaSeconds,
    redisMs: work.redisMs + idle.redisMs * replicaSeconds,
  };
}

interface Load {
  /** In a minute. */
  readonly expected: Readonly<Record<Kind, number>>;
  readonly works: Works;
  readonly assumptions: Assumptions;
}

/** @returns what was done of each kind */
async function runFor(ms: number, { expected, works, assumptions }: Load): Promise<Record<Kind, number>> {
  const random = randomFrom(SEED);
  const done = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>; // every kind
  const { 'items-per-job': items, 'drivers-per-report': drivers, 'poll-seconds': pollSeconds } = assumptions;

  const follow = async (job: Ordered): Promise<void> => {
    done.start += 1;
    do {
      await pause(pollSeconds * 1_000);
      done.poll += 1;
    } while (!(await works.poll(job)));
  };
  const deeds: Readonly<Record<'login' | 'list' | 'job' | 'report', () => Promise<unknown>>> = {
    login: works.login,
    list: works.list,
    job: async () => {
      done.item += items;
      await follow(await works.orderMobiles(items));
    },
    report: async () => {
      done.page += drivers;
      await follow(await works.orderReport(drivers));
    },
  };
  const under = Object.entries(deeds).flatMap(([name, deed]) => {
    const kind = name as keyof typeof deeds; // its own key
    const count = Math.round((expected[kind] * ms) / MINUTE_MS);
    return Array.from({ length: count }, async () => {
      await pause(random.between(0, ms));
      done[kind] += 1;
      await deed();
    });
  });
  await Promise.all(under);
  return done;
}

function sentence(counts: Readonly<Record<Kind, number>>): string {
  const { login, list, job, item, report, page, poll } = counts;
  return `${login} logins, ${list} lists, ${job} jobs of ${item} items, ${report} reports of ${page} drivers, ${poll} polls`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function programs(replicas: number): string {
  return replicas === 1 ? 'one gateway and one queue function' : `${replicas} gateways and ${replicas} queue functions`;
}
