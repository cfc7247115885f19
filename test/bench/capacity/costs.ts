import { readFileSync } from 'node:fs';

export const KINDS = ['login', 'list', 'start', 'poll', 'job', 'item', 'report', 'page'] as const;

export type Kind = (typeof KINDS)[number];

export const MEANING: Readonly<Record<Kind, string>> = {
  login: 'a log-in',
  list: '50 mobiles with address and voice',
  start: 'the order of a job',
  poll: 'a status poll',
  job: 'the delivery, start and end of a bulk job, without its items',
  item: 'an item of a bulk job',
  report: 'the delivery, start and storage of a report, without its pages',
  page: 'a driver of a report: fetching the data and drawing a page',
};

/** Figures of the cost of one piece of work, processor times in milliseconds. */
export const FIGURES = [
  // All threads of the gateway.
  'gatewayMs',
  'queueFunctionMs',
  'redisMs',
  // As Redis counts them: those inside scripts too.
  'redisCommands',
  // Those of them on the keys of the queue, which lie in one slot of a Cluster.
  'queueCommands',
  'keyFetches',
  // To backend-api, geo-api and voip-api, key fetches included.
  'backendCalls',
  'reportBytes',
] as const;

export type Cost = Readonly<Record<(typeof FIGURES)[number], number>>;

/** A cost, figure by figure. */
export function mapCost(value: (figure: keyof Cost) => number): Cost {
  const entries = FIGURES.map((figure) => [figure, value(figure)]);
  return Object.fromEntries(entries) as Record<keyof Cost, number>; // every figure
}

/** Adds the costs of so many pieces of each kind. */
export function totalCost(counts: Readonly<Record<Kind, number>>, { work }: Costs): Cost {
  return mapCost((figure) => KINDS.reduce((sum, kind) => sum + counts[kind] * work[kind][figure], 0));
}

export interface Costs {
  /** When and where it was measured, as sentences. */
  readonly measured: readonly string[];
  readonly work: Readonly<Record<Kind, Cost>>;
  /** Commands to Redis, a second, of a gateway and a queue function together while they have nothing to do. */
  readonly idle: { readonly redisCommands: number; readonly queueCommands: number; readonly redisMs: number };
  /** Resident memory under this load, in MB. */
  readonly memoryMb: { readonly gateway: number; readonly queueFunction: number };
}

/** The one file of figures; `npm run bench:capacity -- --measure` writes it. */
export const COSTS_FILE = new URL('costs.json', import.meta.url);

export function readCosts(): Costs {
  return JSON.parse(readFileSync(COSTS_FILE, 'utf8')) as Costs; // written by measure.ts alone
}
