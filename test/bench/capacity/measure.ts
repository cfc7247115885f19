import { cpus } from 'node:os';
import { repeated } from '../job-site.js';
import { residentMiB } from '../processor-time.js';
import { commitOf } from '../requests/machine.js';
import { mapCost, type Cost, type Costs } from './costs.js';
import { openSite, shareOfQueue, type Site } from './site.js';
import { worksAt } from './works.js';

/** Items of the small and of the large job whose difference is the cost of an item. */
const SIZES = { small: 1, large: 200 } as const;
const DRIVERS = { small: 1, large: 40 } as const;
const IDLE_MS = 10_000;
/** Requests under way at a time: how a gateway is used, and not how long one takes. */
const AT_ONCE = 8;
/** How many of each are looked at command by command. */
const SAMPLED = 10;

/** Runs one gateway, one queue function and a Redis that syncs every write, and measures what each kind of work costs. */
export async function measureCosts(log: (line: string) => void): Promise<Costs> {
  const site = await openSite();
  try {
    return await measureAt(site, log);
  } finally {
    await site.close();
  }
}

async function measureAt(site: Site, log: (line: string) => void): Promise<Costs> {
  const works = await worksAt(site);

  const measure = async (name: string, count: number, run: () => Promise<unknown>, atOnce = AT_ONCE): Promise<Cost> => {
    // The first runs cost several times as much.
    await repeated(count, atOnce, run);
    await site.settled();
    const before = await site.figures();
    await repeated(count, atOnce, run);
    await site.settled();
    const after = await site.figures();
    const queueShare = await shareOfQueue(site, () => repeated(Math.min(count, SAMPLED), atOnce, run));
    const one = mapCost((figure) => Math.max(0, after[figure] - before[figure]) / count);
    const cost = { ...one, queueCommands: one.redisCommands * queueShare };
    const memory = `${Math.round(residentMiB(site.gateway.pid))} MB`;
    log(`${name}: ${JSON.stringify(mapCost((figure) => round(cost[figure])))}, memory of the gateway ${memory}`);
    return cost;
  };

  // More at once of one account would be refused, as if somebody guessed passwords.
  const login = await measure('login', 1_000, works.login, 2);
  const list = await measure('list', 2_000, works.list);
  const polled = await works.orderMobiles(1);
  await site.settled();
  const poll = await measure('poll', 6_000, () => works.pollMobiles(polled));
  const whole = await measure('ordered job of one item', 500, () => works.orderMobiles(SIZES.small));
  const small = await measure('called job of one item', 1_000, () => works.callMobiles(SIZES.small));
  const large = await measure('called job of many items', 40, () => works.callMobiles(SIZES.large));
  const smallReport = await measure('report of one driver', 150, () => works.callReport(DRIVERS.small));
  const largeReport = await measure('report of many drivers', 20, () => works.callReport(DRIVERS.large));
  const idle = await measureIdle(site);

  const item = per(large, small, SIZES.large - SIZES.small);
  const page = per(largeReport, smallReport, DRIVERS.large - DRIVERS.small);
  // Ordering adds the mutation, the queue and the queue function to a job that is only called.
  const ordering = mapCost((figure) => Math.max(0, whole[figure] - small[figure]));
  return {
    measured: [
      `${new Date().toISOString().slice(0, 10)}, commit ${commitOf('.') ?? 'unknown'}`,
      `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores; Node.js ${process.version}`,
      'one gateway, one queue function, simulated backends and a Redis that syncs every write, on the same cores',
    ],
    work: rounded({
      login,
      list,
      start: ordering,
      poll,
      job: mapCost((figure) => Math.max(0, small[figure] - item[figure])),
      item,
      report: mapCost((figure) => Math.max(0, smallReport[figure] - page[figure])),
      page,
    }),
    idle,
    memoryMb: {
      gateway: Math.round(residentMiB(site.gateway.pid)),
      queueFunction: Math.round(residentMiB(site.queueFunction.pid)),
    },
  };
}

/** Measures the commands to Redis, a second, of idle programs. */
async function measureIdle(site: Site): Promise<Costs['idle']> {
  const idle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  await site.settled(1_000);
  const before = await site.figures();
  await idle();
  const after = await site.figures();
  const queueShare = await shareOfQueue(site, idle);
  const perSecond = (figure: keyof Cost): number => ((after[figure] - before[figure]) * 1_000) / IDLE_MS;
  return {
    redisCommands: round(perSecond('redisCommands')),
    queueCommands: round(perSecond('redisCommands') * queueShare),
    redisMs: round(perSecond('redisMs')),
  };
}

function per(large: Cost, small: Cost, count: number): Cost {
  return mapCost((figure) => Math.max(0, large[figure] - small[figure]) / count);
}

function rounded(work: Costs['work']): Costs['work'] {
  const entries = Object.entries(work).map(([kind, cost]) => [kind, mapCost((figure) => round(cost[figure]))]);
  return Object.fromEntries(entries) as Costs['work']; // the same keys
}

/** To three significant figures. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}
