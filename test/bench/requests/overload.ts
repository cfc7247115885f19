import { parseArgs } from 'node:util';
import type { Arrivals, ArrivalsResult, LoadRequest } from '../programs/load-protocol.js';
import { askOnce, requestOf } from './cells.js';
import { commitOf } from './machine.js';
import { prepare } from './prepare.js';
import { median, spread, tableOf } from './section.js';
import { Stage, type RunningServer } from './stage.js';

/**
 * `npm run bench:overload`: pages of mobiles that arrive at shares of the capacity that a closed load has just shown,
 * and a client that sends 94 % of the requests, all pages, beside 19 that ask for `me`.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '6' } },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

/** Shares of the capacity, and of what is answered in time at least: of the arrivals below 1, of the capacity above. */
const LOADS = [
  [0.5, 1],
  [0.9, 0.95],
  [1.1, 0.85],
  [2, 0.8],
] as const;

const CLIENTS = 20;
const HEAVY_SHARE = 0.94;
const CAPACITY_SECONDS = 3;
const CONNECTIONS = 32;

await prepare();
const stage = await Stage.open({ TRUSTED_PROXIES: '1' });
try {
  const server = await stage.server('gateway');
  const pages = await expecting('mobiles', server);
  const me = await expecting('me', server);
  for (let turn = 0; turn < 3; turn += 1) await capacityOf(server, pages);
  const figures = new Map<string, Figures[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [share, least] of LOADS) {
      const capacity = await capacityOf(server, pages);
      const perSecond = (share * capacity) / CLIENTS;
      const clients = Array.from({ length: CLIENTS }, (_, index) => ({ request: from(index, pages), perSecond }));
      const results = await load(server, clients);
      add(`${share} × the capacity; at least ${least}`, figuresOf(results, Math.min(1, 1 / share)));
    }
    const total = 2 * (await capacityOf(server, pages));
    const small = (total * (1 - HEAVY_SHARE)) / (CLIENTS - 1);
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      index === 0
        ? { request: from(index, pages), perSecond: total * HEAVY_SHARE }
        : { request: from(index, me), perSecond: small },
    );
    const [heavy, ...others] = await load(server, clients);
    add('19 small clients beside a heavy one; at least 0.95', figuresOf(others));
    if (heavy) add('the heavy client', figuresOf([heavy]));
  }
  const columns = ['load', 'arrivals/s', 'answered within 1 s', 'refused', 'median ms', 'p99 ms'];
  const rows = [...figures].map(([name, all]) => [
    name,
    spread(all.map(({ arrivals }) => arrivals)),
    spread(
      all.map(({ answered }) => answered),
      3,
    ),
    spread(
      all.map(({ refused }) => refused),
      3,
    ),
    spread(all.map(({ middle }) => middle)),
    spread(all.map(({ p99 }) => p99)),
  ]);
  process.stdout.write(`commit ${commitOf('.')}\n\n${tableOf({ columns, rows }).join('\n')}\n`);

  function add(name: string, each: Figures): void {
    figures.set(name, [...(figures.get(name) ?? []), each]);
  }
} finally {
  await stage.close();
}

interface Figures {
  readonly arrivals: number;
  /** Share of the arrivals, or of those that the capacity allows. */
  readonly answered: number;
  readonly refused: number;
  readonly middle: number;
  readonly p99: number;
}

/** @param allowed share of the arrivals that can be answered */
function figuresOf(results: readonly ArrivalsResult[], allowed = 1): Figures {
  const sum = (name: 'arrived' | 'inTime' | 'refused'): number => results.reduce((all, each) => all + each[name], 0);
  const times = results.flatMap((each) => each.times).toSorted((a, b) => a - b);
  return {
    arrivals: sum('arrived') / seconds,
    answered: sum('inTime') / (sum('arrived') * allowed),
    refused: sum('refused') / sum('arrived'),
    middle: median(times),
    p99: times[Math.floor(times.length * 0.99)] ?? NaN,
  };
}

function load({ origin }: RunningServer, clients: readonly Arrivals[]): Promise<ArrivalsResult[]> {
  return stage.load.runOpen({ origin, clients, seconds });
}

/** Requests a second that a closed load gets answered. */
async function capacityOf({ origin }: RunningServer, request: LoadRequest): Promise<number> {
  const until = { seconds: CAPACITY_SECONDS };
  const result = await stage.load.run({ origin, request, connections: CONNECTIONS, until });
  return result.good / result.seconds;
}

/** The request of a workload, with the reply that it gets. */
async function expecting(workload: 'mobiles' | 'me', server: RunningServer): Promise<LoadRequest> {
  const request = requestOf(workload, stage);
  return { ...request, expected: (await askOnce(server, request)).text };
}

/** The request as the client of an address sends it. */
function from(index: number, request: LoadRequest): LoadRequest {
  return { ...request, headers: { ...request.headers, 'x-forwarded-for': `198.51.${index}.1` } };
}
