import { ProgressLine } from '../../../src/programs/process/terminal.js';
import { processorTimeOfTree } from '../processor-time.js';
import { keyOf, prepareCells, type Cell, type ReadyCell } from './cells.js';
import type { Stage } from './stage.js';

export interface Sample {
  /** Processor time of the server, all its threads, in microseconds a request. */
  readonly processorMicros: number;
  readonly requestsPerSecond: number;
  readonly p99: number;
}

export interface RunOptions {
  readonly rounds: number;
  /** About so many seconds of a round for each cell: as many requests as it answered in that time when it was warm. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /**
   * True if each round starts new processes. The just-in-time compiler makes code of the same program that differs by a
   * fifth from process to process, so that figures of one are no figures to quote.
   */
  readonly startsAnew: boolean;
}

/** Result of one round of a cell: a slice of each turn. */
export type Round = readonly Sample[];

const CONNECTIONS = 32;
const WARM_UP_REQUESTS = 2_000;
const MAX_WARM_UP_TURNS = 12;
/** Minimum for a round, however slow the server was. */
const MIN_REQUESTS = 10 * CONNECTIONS;
/**
 * Seconds that a cell is loaded at a time; then it is the next one's turn. Other work of the machine comes and goes
 * within seconds, and so meets all cells of a round.
 */
const SLICE_SECONDS = 0.6;
/** A busy machine may have a server shed a little load; with more of it the figures would be of other work. */
const MAX_BAD_SHARE = 0.01;
/** A machine that stood still has a server shed more than that, once. If it does so again, the server is the cause. */
const MAX_ATTEMPTS = 3;

/**
 * Loads the cells one after another, again and again, so that whatever else the machine does meets all alike.
 *
 * @returns the rounds of each cell, by {@link keyOf}
 * @throws {Error} two servers answer the same workload with different data, or more than a hundredth
 * of a server's replies were not the expected one, or were refusals again and again
 */
export async function runInterleaved(
  cells: readonly Cell[],
  stage: Stage,
  { rounds, seconds, warmUpSeconds, startsAnew }: RunOptions,
): Promise<ReadonlyMap<string, readonly Round[]>> {
  const measured = new Map<string, Round[]>(cells.map((cell) => [keyOf(cell), []]));
  const counts = new Map<ReadyCell, number>();
  let ready: readonly ReadyCell[] = [];
  const progress = new ProgressLine(process.stderr);
  for (let round = 0; round < rounds; round += 1) {
    progress.show(`round ${round + 1} of ${rounds}`);
    if (round === 0 || startsAnew) {
      await stage.stopServers();
      ready = await prepareCells(cells, stage);
      for (const cell of ready) counts.set(cell, Math.ceil((await warmUp(cell, stage, warmUpSeconds)) * seconds));
    }
    // Each round begins with another one, so that nobody always follows the same neighbour's garbage.
    const inTurn = [...ready.slice(round % ready.length), ...ready.slice(0, round % ready.length)];
    const slices = new Map<ReadyCell, Sample[]>(inTurn.map((cell) => [cell, []]));
    const turns = Math.max(1, Math.round(seconds / SLICE_SECONDS));
    for (let turn = 0; turn < turns; turn += 1) {
      for (const cell of inTurn) {
        const requests = Math.max(Math.ceil((counts.get(cell) ?? 0) / turns), MIN_REQUESTS);
        slices.get(cell)?.push(await measureCell(cell, stage, requests));
      }
    }
    for (const [cell, taken] of slices) measured.get(keyOf(cell))?.push(taken);
  }
  progress.end();
  return measured;
}

/**
 * Until the just-in-time compiler rests, which is a matter of requests and not of time; a slow server gets more of it.
 *
 * @returns the requests a second it came to
 */
async function warmUp({ running, request }: ReadyCell, stage: Stage, seconds: number): Promise<number> {
  let requests = 0;
  let perSecond = 0;
  for (let turn = 0; turn < MAX_WARM_UP_TURNS && requests < WARM_UP_REQUESTS; turn += 1) {
    const load = { origin: running.origin, request, connections: CONNECTIONS, until: { seconds } };
    const { good } = await stage.load.run(load);
    requests += good;
    perSecond = good / seconds;
  }
  return perSecond;
}

/** A number of requests, not a time: all of them are answered before the processor time is read. */
async function measureCell(cell: ReadyCell, stage: Stage, requests: number, attempt = 1): Promise<Sample> {
  const { pid, origin } = cell.running;
  const before = processorTimeOfTree(pid);
  const { request } = cell;
  const result = await stage.load.run({ origin, request, connections: CONNECTIONS, until: { requests } });
  const processorMs = processorTimeOfTree(pid) - before;
  const { offered, refused, failed, unexpected = 'none that was looked at' } = result;
  if (refused + failed > MAX_BAD_SHARE * offered) {
    if (failed === 0 && attempt < MAX_ATTEMPTS) return measureCell(cell, stage, requests, attempt + 1);
    const what = `Of ${offered} replies ${refused} were 503 and ${failed} not the expected one`;
    throw new Error(`${keyOf(cell)}: ${what}, the first: ${unexpected}`);
  }
  return {
    processorMicros: (processorMs * 1_000) / result.good,
    requestsPerSecond: result.good / result.seconds,
    p99: result.p99,
  };
}
