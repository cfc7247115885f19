/**
 * Measures how jobs recover: `npm run bench:disasters -- [--only ENGINE]`. Two sites get the same orders side by side;
 * one meets the disaster, the other is its control. Each engine meets those that it can have. It takes ten minutes at
 * most.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BuiltPrograms } from '../support/built-programs.js';
import { startBackends } from '../support/successive-gateways.js';
import { succeeds, waitFor } from '../support/wait-for.js';
import { JOB_ENGINES, openJobSite, type JobEngineName, type JobSite } from './job-site.js';
import { commitOf } from './requests/machine.js';
import { median, tableOf, verdict } from './requests/section.js';

const { values: given } = parseArgs({ options: { only: { type: 'string', default: '' } } });

/** Orders a second of each site, far below its capacity. */
const RATE = 10;
const DISASTER_MS = 5_000;
/** Length of a measurement; the median of three in a row counts. */
const WINDOW_MS = 2_000;
const WINDOWS = 3;
/** Least share of the control's jobs a second, and the time after which a site has not recovered. */
const LEAST = 0.9;
const RECOVERS_MS = 40_000;

interface Disaster {
  readonly name: string;
  readonly engines: readonly JobEngineName[];
  /** Lasts for about `DISASTER_MS`. */
  readonly strike: (site: JobSite) => Promise<unknown>;
}

const SHARED = ['Redis', 'SQS'] as const;

const DISASTERS: readonly Disaster[] = [
  {
    name: 'store restarted',
    engines: SHARED,
    strike: ({ redis }) => redis?.restart(() => delay(DISASTER_MS / 2)) ?? Promise.resolve(),
  },
  {
    name: 'connections killed all the time',
    engines: SHARED,
    strike: async ({ redis }) => {
      for (const until = performance.now() + DISASTER_MS; performance.now() < until;) {
        await succeeds(redis?.call('CLIENT', 'KILL', 'TYPE', 'normal') ?? Promise.resolve());
        await delay(100);
      }
    },
  },
  {
    name: 'store slow by 250 ms',
    engines: SHARED,
    strike: async ({ proxy }) => {
      proxy?.set({ answersAfterMs: 250 });
      await delay(DISASTER_MS);
      proxy?.set('open');
    },
  },
  { name: 'one of two gateways killed', engines: SHARED, strike: (site) => site.killGateway(0) },
  {
    name: 'killed again and again',
    engines: JOB_ENGINES,
    strike: async (site) => {
      for (let kills = 0; kills < 3; kills += 1) {
        await site.killGateway(0);
        await delay(500);
      }
    },
  },
];

/** Orders jobs at a steady rate until it is stopped. */
function load(site: JobSite) {
  const accepted: string[] = [];
  const underWay = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const ordering = site.order().then((jobId) => {
      if (jobId !== undefined) accepted.push(jobId);
      underWay.delete(ordering);
    });
    underWay.add(ordering);
  }, 1_000 / RATE);
  return {
    accepted,
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

/** Jobs of both sites within some time. @returns the share of the control */
async function shareOf(hit: JobSite, control: JobSite): Promise<number> {
  const before = [hit.done(), control.done()] as const;
  await delay(WINDOW_MS);
  return (hit.done() - before[0]) / Math.max(1, control.done() - before[1]);
}

async function meet(engine: JobEngineName, disaster: Disaster, [hit, control]: readonly [JobSite, JobSite]) {
  hit.forget();
  control.forget();
  const loads = [load(hit), load(control)] as const;
  await delay(2_000);
  await disaster.strike(hit);
  const endedAt = performance.now();
  const shares: number[] = [];
  let recovered = NaN;
  while (Number.isNaN(recovered) && performance.now() - endedAt < RECOVERS_MS) {
    shares.push(await shareOf(hit, control));
    const isBack = shares.length >= WINDOWS && median(shares.slice(-WINDOWS)) >= LEAST;
    // It was back when the first of these began.
    if (isBack) recovered = performance.now() - endedAt - WINDOWS * WINDOW_MS;
  }
  await Promise.all(loads.map((each) => each.stop()));
  const open = await openOf(hit, loads[0].accepted);
  const doubt = (await hit.inDoubt(open)).length;
  const share = median(shares.slice(-WINDOWS));
  return [
    engine,
    disaster.name,
    share.toFixed(2),
    verdict(LEAST, share),
    (recovered / 1_000).toFixed(1),
    `${doubt}`,
    `${open.length - doubt}`,
  ];
}

/** Returns the accepted jobs that do not end. */
async function openOf(site: JobSite, jobIds: readonly string[]): Promise<readonly string[]> {
  const open = new Set(jobIds);
  const allEnd = waitFor(
    'the jobs to end',
    async () => {
      for (const jobId of open) if (await site.isFinished(jobId).catch(() => false)) open.delete(jobId);
      return open.size === 0;
    },
    60_000,
  );
  await succeeds(allEnd);
  return [...open];
}

const programs = await BuiltPrograms.open();
const rows: string[][] = [];
try {
  for (const engine of JOB_ENGINES) {
    if (!engine.includes(given.only)) continue;
    const sandboxes = [await startBackends(), await startBackends()] as const;
    const gateways = engine === 'SQLite' ? 1 : 2;
    const sites = [
      await openJobSite(engine, { programs, sandbox: sandboxes[0], gateways }),
      await openJobSite(engine, { programs, sandbox: sandboxes[1], gateways }),
    ] as const;
    for (const disaster of DISASTERS) {
      if (!disaster.engines.includes(engine)) continue;
      rows.push(await meet(engine, disaster, sites));
      process.stdout.write(`${rows.at(-1)?.join(' | ') ?? ''}\n`);
    }
    await Promise.all(sites.map((site) => site.close()));
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  }
} finally {
  await programs.close();
}
const columns = [
  'Engine',
  'Disaster',
  'share of the control',
  `at least ${LEAST}`,
  'seconds until then',
  'in doubt',
  'lost',
];
process.stdout.write(`\ncommit ${commitOf('.') ?? 'unknown'}\n\n${tableOf({ columns, rows }).join('\n')}\n`);
