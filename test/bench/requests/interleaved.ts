import { processorTimeOfTree } from '../report-processor-time.js';
import { keyOf, type ReadyCell } from './cells.js';
import type { Stage } from './stage.js';

/** What one round saw of a cell. */
export interface Sample {
  /** Processor time of the server, all its threads, in microseconds a request. */
  readonly processorMicros: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** How long and how often. */
export interface RunOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

const CONNECTIONS = 32;
const WARM_UP_REQUESTS = 2_000;
const MAX_WARM_UP_TURNS = 4;
/** A busy machine may have a server shed a little load; with more of it the figures would be of other work. */
const MAX_BAD_SHARE = 0.01;

/**
 * Loads the cells one after another, again and again, so that whatever else the machine does meets all alike.
 *
 * @returns the samples of each cell, by {@link keyOf}, one a round
 * @throws {Error} more than a hundredth of a server's replies were not the expected one
 */
export async function runInterleaved(
  cells: readonly ReadyCell[],
  stage: Stage,
  { rounds, seconds, warmUpSeconds }: RunOptions,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const samples = new Map<string, Sample[]>(cells.map((cell) => [keyOf(cell), []]));
  for (const cell of cells) await warmUp(cell, stage, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
    // Each round begins with another one, so that nobody always follows the same neighbour's garbage.
    for (const cell of [...cells.slice(round % cells.length), ...cells.slice(0, round % cells.length)]) {
      samples.get(keyOf(cell))?.push(await loadCell(cell, stage, seconds));
    }
  }
  return samples;
}

/** Until the just-in-time compiler rests, which is a matter of requests and not of time; a slow server gets more of it. */
async function warmUp(cell: ReadyCell, stage: Stage, seconds: number): Promise<void> {
  let requests = 0;
  for (let turn = 0; turn < MAX_WARM_UP_TURNS && requests < WARM_UP_REQUESTS; turn += 1) {
    requests += (await loadCell(cell, stage, seconds)).requestsPerSecond * seconds;
  }
}

async function loadCell(cell: ReadyCell, stage: Stage, seconds: number): Promise<Sample> {
  const { pid, origin } = cell.running;
  const before = processorTimeOfTree(pid);
  const result = await stage.load.run({
    kind: 'closed',
    origin,
    requests: [cell.request],
    connections: CONNECTIONS,
    until: { seconds },
  });
  const processorMs = processorTimeOfTree(pid) - before;
  const bad = result.refused + result.failed;
  if (bad > MAX_BAD_SHARE * result.offered || result.good === 0) {
    throw new Error(`${keyOf(cell)}: ${bad} of ${result.offered} replies were not the expected one.`);
  }
  return {
    processorMicros: (processorMs * 1_000) / result.good,
    requestsPerSecond: result.good / result.seconds,
    p99: result.p99,
  };
}
