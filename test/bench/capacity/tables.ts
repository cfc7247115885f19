import { ASSUMPTIONS, DEFAULTS, type AssumptionName, type Assumptions } from './assumptions.js';
import { LONGEST_RECORD_DAYS } from '../../../src/base/config/config.js';
import { KINDS, MEANING, type Costs } from './costs.js';
import { largestFleet, simulate, type Needs } from './simulate.js';

function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const isFigure = (index: number): boolean => rows.every((row) => /^[\d.,]+(\/s)?$/.test(row[index] ?? ''));
  const rule = `|${headings.map((_, index) => (isFigure(index) ? '--:' : '---')).join('|')}|`;
  return [line(headings), rule, ...rows.map(line)].join('\n');
}

/** Table of the work of each kind that one replica carries alone, and of the cost for others. */
export function carriedTable({ work }: Costs, assumptions: Assumptions): string {
  const rows = KINDS.map((kind) => {
    const { gatewayMs, queueFunctionMs, redisMs, redisCommands, keyFetches, backendCalls } = work[kind];
    return [
      MEANING[kind],
      shown(gatewayMs),
      `${shown((1_000 / gatewayMs) * assumptions['busy-share'])}/s`,
      shown(queueFunctionMs),
      shown(redisMs),
      shown(redisCommands),
      shown(keyFetches),
      shown(backendCalls),
    ];
  });
  return markdownTable(
    [
      'Work',
      'Gateway, ms',
      'One gateway',
      'Queue function, ms',
      'Redis, ms',
      'Redis commands',
      'Key fetches',
      'Backend calls',
    ],
    rows,
  );
}

export function fleetTable(fleets: readonly Needs[]): string {
  const rows: readonly (readonly [string, (needs: Needs) => string])[] = [
    ['users', ({ users }) => shown(users)],
    ['GraphQL requests a second', ({ requests }) => shown(requests)],
    ['bulk items a second', ({ items }) => shown(items)],
    ['report pages a second', ({ pages }) => shown(pages)],
    ['**gateways**, including a spare one', ({ gateways }) => String(gateways)],
    ['**queue functions**, including a spare one', ({ queueFunctions }) => String(queueFunctions)],
    ['**Redis commands a second**', ({ redisCommands }) => shown(redisCommands)],
    ['Redis commands a second in the slot of the queue', ({ queueCommands }) => shown(queueCommands)],
    ['Redis, processor cores', ({ redisCores }) => shown(redisCores)],
    ['**key fetches a second**, one for each request', ({ keyFetches }) => shown(keyFetches)],
    ['key fetches a second with keys kept', ({ keptKeyFetches }) => shown(keptKeyFetches)],
    ['requests to backends a second, key fetches included', ({ backendCalls }) => shown(backendCalls)],
    ['jobs a day', ({ jobs }) => shown(jobs)],
    ['reports a day, GB', ({ reportBytes }) => shown(reportBytes / 1e9)],
  ];
  const headings = ['In the busiest minute', ...fleets.map(({ vehicles }) => `${shown(vehicles)} vehicles`)];
  return markdownTable(
    headings,
    rows.map(([name, value]) => [name, ...fleets.map(value)]),
  );
}

/** Days for which Redis keeps the record of a job, and bytes to plan for it. */
const [RECORD_DAYS, RECORD_BYTES] = [LONGEST_RECORD_DAYS, 1_500];

/** Machines of each fleet, for `deploy/README.md`. */
export function machinesTable(fleets: readonly Needs[]): string {
  const size = (bytes: number): string => (bytes < 1e12 ? `${shown(bytes / 1e9)} GB` : `${shown(bytes / 1e12)} TB`);
  const rows: readonly (readonly [string, (needs: Needs) => string])[] = [
    ['gateways, each with 2 cores and 1 GB', ({ gateways }) => String(gateways)],
    ['queue functions, each with 1 core and 256 MB', ({ queueFunctions }) => String(queueFunctions)],
    ['cores in use at the peak', ({ cores }) => shown(cores)],
    [
      'memory of Redis, twice its records',
      ({ jobs }) => size(1e9 * Math.max(1, Math.ceil((2 * jobs * RECORD_DAYS * RECORD_BYTES) / 1e9))),
    ],
    ['bucket with `REPORT_RETENTION_DAYS=8`', ({ reportBytes }) => size(8 * reportBytes)],
    ['bucket after a year, if nothing expires', ({ reportBytes }) => size(366 * reportBytes)],
  ];
  const headings = ['Machines', ...fleets.map(({ vehicles }) => `${shown(vehicles)} vehicles`)];
  return markdownTable(
    headings,
    rows.map(([name, value]) => [name, ...fleets.map(value)]),
  );
}

/** From which fleet on something is the limit. */
export function limitsTable(assumptions: Assumptions, costs: Costs): string {
  const simulated = new Map<number, Needs>();
  const needsOf = (vehicles: number): Needs => {
    const needs = simulated.get(vehicles) ?? simulate(vehicles, assumptions, costs);
    simulated.set(vehicles, needs);
    return needs;
  };
  const upTo = (holds: (needs: Needs) => boolean): string =>
    shown(largestFleet((vehicles) => holds(needsOf(vehicles))));
  const { 'key-fetches-per-second': maxFetches, 'busy-share': busyShare } = assumptions;
  return markdownTable(
    ['Limit', 'Enough for this many vehicles'],
    [
      ['one gateway and a spare one', upTo(({ gateways }) => gateways <= 2)],
      [`${shown(maxFetches)} key fetches a second`, upTo(({ keyFetches }) => keyFetches <= maxFetches)],
      [`one Redis, ${shown((busyShare / 2) * 100)} % busy`, upTo(({ redisCores }) => redisCores <= busyShare / 2)],
    ],
  );
}

export function assumptionsTable(assumptions: Assumptions): string {
  const names = Object.keys(DEFAULTS) as AssumptionName[]; // of that type
  return markdownTable(
    ['Flag', 'Value', 'Meaning'],
    names.map((name) => [`\`--${name}\``, shown(assumptions[name]), ASSUMPTIONS[name][1]]),
  );
}

interface Told {
  readonly vehicles: readonly number[];
  readonly assumptions: Assumptions;
  readonly costs: Costs;
}

/** All tables, by page and by the name under which each stands there. */
export function capacityTables({ vehicles, assumptions, costs }: Told) {
  const fleets = vehicles.map((count) => simulate(count, assumptions, costs));
  const capacity = {
    measured: [
      ...costs.measured,
      `memory at the end: ${costs.memoryMb.gateway} MB for a gateway, ${costs.memoryMb.queueFunction} MB for a queue function`,
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    carried: carriedTable(costs, assumptions),
    assumptions: assumptionsTable(assumptions),
    fleets: fleetTable(fleets),
    limits: limitsTable(assumptions, costs),
  };
  return { 'deploy/capacity.md': capacity, 'deploy/README.md': { machines: machinesTable(fleets) } };
}

/** Two significant figures, with commas. */
function shown(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-US', { maximumFractionDigits: 20 });
}

/** The page with these tables in their places, each between two comments that name it. @throws {Error} one is missing */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`The page has no place for the table "${name}".`);
    return `${text.slice(0, from + start.length)}${table}${text.slice(to)}`;
  }, page);
}
