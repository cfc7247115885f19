import { parseArgs } from 'node:util';
import { WORKLOADS, type WorkloadName } from './workloads.js';

/** Subject of a measurement: a workload of GraphQL requests, or a bulk update. */
export type PartName = WorkloadName | 'bulk';

export interface BenchOptions {
  readonly parts: readonly PartName[];
  readonly rounds: number;
  /** About so many seconds that each server is loaded in a round. */
  readonly seconds: number;
  /** Seconds that each server is loaded before anything is measured; a slow one several times as long. */
  readonly warmUpSeconds: number;
  /** Fewer of everything: to see that it works, not to quote. */
  readonly quick: boolean;
}

/** Everything that can be measured, in the order in which it is. */
export const PARTS: readonly PartName[] = [...(Object.keys(WORKLOADS) as WorkloadName[]), 'bulk']; // the table has no other keys

const HELP = `npm run bench -- [options]

  --only a,b    measure these alone: ${PARTS.join(', ')}
  --rounds n    rounds of the interleaved run, 5 unless told otherwise (3 with --quick)
  --quick       one second for each server and round: shows that it works, not figures to quote
  --help        this text

npm run bench:check   public and me, quickly; fails if a ratio is far beyond its limit
`;

/** Whether everything is measured, so that the figures are worth keeping. */
export function isWhole({ parts, quick }: BenchOptions): boolean {
  return !quick && PARTS.every((name) => parts.includes(name));
}

/** @returns undefined after the help text was printed @throws {Error} an option that is none */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { only, quick, help } = values;
  if (help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const rounds = Number(values.rounds ?? (quick ? 3 : 5));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1.');
  const parts = only === undefined ? PARTS : only.split(',').map(partOf);
  const extent = quick ? { seconds: 1, warmUpSeconds: 1 } : { seconds: 3, warmUpSeconds: 5 };
  return { parts, rounds, ...extent, quick };
}

function partOf(name: string): PartName {
  const part = PARTS.find((known) => known === name);
  if (part === undefined) throw new Error(`There is no "${name}" to measure; there are ${PARTS.join(', ')}.`);
  return part;
}
