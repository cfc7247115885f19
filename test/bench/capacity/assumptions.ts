import { parseArgs } from 'node:util';

/** Assumptions about a fleet; each entry is a flag of `npm run bench:capacity`. */
export const ASSUMPTIONS = {
  'users-per-vehicle': [0.1, 'users who log in, for each vehicle'],
  'logins-per-user': [1, 'log-ins of a user in a day'],
  'views-per-user': [120, 'lists of 50 mobiles that a user opens in a day: one a minute for two hours'],
  'reports-per-vehicle': [1, 'report pages, one driver and day each, for each vehicle in a day'],
  'drivers-per-report': [50, 'drivers of a report'],
  'updates-per-vehicle': [0.05, 'items of bulk jobs (mobiles and accounts), for each vehicle in a day'],
  'items-per-job': [50, 'items of a bulk job'],
  'job-seconds': [5, 'seconds that a job takes if it does not have to wait'],
  'poll-seconds': [2, 'seconds between two polls of a front end that waits for a job'],
  'peak-factor': [4, 'load of the busiest minute, as a multiple of the mean of the day'],
  'busy-share': [0.7, 'share of a processor core that a program may use at the peak; Redis may use half of that'],
  'max-wait-seconds': [60, 'seconds that a job may wait at the peak because gateways are busy'],
  'key-fetches-per-second': [5000, 'key fetches a second that backend-api can answer in addition to its other work'],
  'key-max-age-seconds': [300, 'PUBLIC_KEY_MAX_AGE_SECONDS, for the row with keys kept'],
} as const;

export type AssumptionName = keyof typeof ASSUMPTIONS;

export type Assumptions = Readonly<Record<AssumptionName, number>>;

const NAMES = Object.keys(ASSUMPTIONS) as AssumptionName[]; // keys of a literal

export const DEFAULTS = Object.fromEntries(NAMES.map((name) => [name, ASSUMPTIONS[name][0]])) as Assumptions; // every name

export interface CapacityOptions {
  readonly assumptions: Assumptions;
  readonly vehicles: readonly number[];
  readonly help: boolean;
  /** Measure what each kind of work costs, and write it down. */
  readonly measure: boolean;
  /** Write the tables into the page. */
  readonly write: boolean;
}

export const FLEETS: readonly number[] = [1_000, 100_000, 10_000_000];

/** @throws {Error} naming the flag that cannot be used */
export function readOptions(args: readonly string[]): CapacityOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(NAMES.map((name) => [name, { type: 'string' } as const])),
      vehicles: { type: 'string' },
      measure: { type: 'boolean' },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  const assumptions = Object.fromEntries(
    NAMES.map((name) => [name, given[name] === undefined ? DEFAULTS[name] : positive(name, given[name])]),
  ) as Assumptions; // every name
  const { vehicles, measure = false, write = false, help = false } = values;
  const fleets = vehicles === undefined ? FLEETS : vehicles.split(',').map((count) => positive('vehicles', count));
  return { assumptions, vehicles: fleets, help, measure, write };
}

export function helpText(): string {
  const flags = NAMES.map((name) => `  --${name} ${ASSUMPTIONS[name][0]}\n      ${ASSUMPTIONS[name][1]}`);
  return `Simulates a day of fleets and says what they need: the tables of deploy/capacity.md.

  npm run bench:capacity -- [options]

  --vehicles ${FLEETS.join(',')}
      fleets, separated by commas
${flags.join('\n')}
  --measure   measure what each kind of work costs, about a minute; writes costs.json
  --write     write the tables into deploy/capacity.md
  --help      this text
`;
}

function positive(name: string, text: string | boolean): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} must be a number above 0, and is "${text}".`);
  return value;
}
