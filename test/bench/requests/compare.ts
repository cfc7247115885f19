import { keyOf, type Cell } from './cells.js';
import type { Round, Sample } from './interleaved.js';
import { median, ratioInTurns, spread, verdict, type Section } from './section.js';
import { SERVERS } from './servers.js';
import { WORKLOADS, type Comparison, type WorkloadName } from './workloads.js';

export interface Compared extends Comparison {
  /** Processor time of the gateway, as a multiple of the other's in the same turn; the middle one of each round. */
  readonly ratios: readonly number[];
}

type Samples = ReadonlyMap<string, readonly Round[]>;

const COLUMNS = ['', 'CPU µs each', 'requests/s', 'p99 ms', 'ratio', 'limit', ''];

/** The comparisons of a workload, turn by turn: a machine whose speed changes meanwhile changes no ratio. */
export function compare(workload: WorkloadName, samples: Samples): Compared[] {
  const { subject, against } = WORKLOADS[workload];
  const own = { workload, server: subject };
  return against.map((other) => ({ ...other, ratios: ratiosOf(samples, own, { workload, ...other }) }));
}

/** The processor time of a cell as a multiple of another one's in the same turn; the middle one of each round. */
export function ratiosOf(samples: Samples, own: Cell, other: Cell): number[] {
  const others = roundsOf(samples, other);
  return roundsOf(samples, own).map((round, index) => ratioInTurns(microsOf(round), microsOf(others[index] ?? [])));
}

function microsOf(round: Round): number[] {
  return round.map(({ processorMicros }) => processorMicros);
}

export function sectionOf(workload: WorkloadName, samples: Samples): Section {
  const { title, subject } = WORKLOADS[workload];
  const own = { workload, server: subject };
  const compared = compare(workload, samples);
  return {
    title: `\`${workload}\`: ${title}`,
    columns: COLUMNS,
    rows: [
      [`**${nameOf(own, workload)}**`, ...figuresOf(samples, own), '', '', ''],
      ...compared.map((other) => {
        const cell = { workload, ...other };
        return [nameOf(cell, workload), ...figuresOf(samples, cell), spread(other.ratios, 2, '×'), ...reachOf(other)];
      }),
    ],
  };
}

function reachOf({ ratios, max }: Compared): [string, string] {
  return max === undefined ? ['', ''] : [`≤ ${max}×`, verdict(median(ratios), max)];
}

function nameOf(cell: Cell, here: WorkloadName): string {
  const { label } = SERVERS[cell.server];
  return cell.workload === here ? label : `${label}, \`${cell.workload}\``;
}

/** Microseconds, requests a second and the 99th percentile of a cell, as they stand in the tables. */
export function figuresOf(samples: Samples, cell: Cell): [string, string, string] {
  return [
    spread(middlesOf(samples, cell, 'processorMicros')),
    median(middlesOf(samples, cell, 'requestsPerSecond')).toFixed(0),
    median(middlesOf(samples, cell, 'p99')).toFixed(1),
  ];
}

function middlesOf(samples: Samples, cell: Cell, figure: keyof Sample): number[] {
  return roundsOf(samples, cell).map((round) => median(round.map((sample) => sample[figure])));
}

function roundsOf(samples: Samples, cell: Cell): readonly Round[] {
  return samples.get(keyOf(cell)) ?? [];
}
