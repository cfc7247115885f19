import { NUMBER, type LoadRequest, type LoadResult } from '../programs/load-protocol.js';
import type { MeasurementOptions } from './measurements.js';
import { perSecond, shown, type DocumentSize, type OverloadRound } from './overload-section.js';
import type { Section } from './section.js';
import type { Stage } from './stage.js';

const TIMES = 4;
/**
 * Rounds of each size in a process. They are several hundredths apart, because what else the machine does changes from
 * second to second, so that many short ones tell more than few long ones.
 */
const TURNS: Readonly<Record<DocumentSize, number>> = { large: 5, small: 3 };
/** So that nobody is refused even where an operation takes twice as long as here. */
const CONNECTIONS = 8;
/** Connections are opened as they are needed. */
const MAX_WAITING = 400;
/** Time in which a crowd opens some 200 connections. Within the seconds that count they took 2 % of the good answers. */
const LEAD_IN_SECONDS = 0.5;
/**
 * Turns of both, until the program is as fast as it gets: what refuses has to run some ten thousand times before the
 * compiler is done with it, and each document that was never seen may have something new for it.
 */
const WARM_UPS: readonly DocumentSize[] = Array<DocumentSize[]>(3).fill(['large', 'large', 'small']).flat();

/** As many as `GRAPHQL_MAX_ROOT_FIELDS` lets through. */
const ROOT_FIELDS = 10;
/**
 * How often each of them selects the same, as documents do that were put together of others: of a large one as often as
 * `GRAPHQL_MAX_TOKENS` lets through.
 */
const SELECTIONS: Readonly<Record<DocumentSize, number>> = { large: 3, small: 1 };

const NODE = 'id num name position { latitude longitude speedKmh address } voice { online talkGroup }';
const SELECTION = `edges { node { ${NODE} } } pageInfo { hasNextPage endCursor }`;

/**
 * A document that was never seen before, and no token: milliseconds of the gateway's own time and of nobody else's, and
 * few bytes to send.
 */
function requestOf(size: DocumentSize): LoadRequest {
  const selections = Array<string>(SELECTIONS[size]).fill(SELECTION).join(' ');
  const fields = Array.from(
    { length: ROOT_FIELDS },
    (_, index) => `mobiles${index}: mobiles(first: ${index + 1}) { ${selections} }`,
  );
  return {
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `query Overload${NUMBER} { ${fields.join(' ')} }` }),
    expected: '"message":"Authorization header not set"',
  };
}

/**
 * What becomes of a request when it comes four times as often as it can be answered. How often it can be is measured
 * before and after.
 */
export async function measureOverload(stage: Stage, { rounds, quick }: MeasurementOptions): Promise<Section> {
  const length = quick ? { seconds: 2, warmUps: WARM_UPS.slice(-1) } : { seconds: 3, warmUps: WARM_UPS };
  const measured: OverloadRound[] = [];
  for (let process = 0; process < rounds; process += 1) {
    if (!quick) await stage.stopServers();
    const { origin } = await stage.server('gateway');
    measured.push(...(await measureProcess(stage, { origin, ...length })));
  }
  return shown(measured, { times: TIMES, connections: CONNECTIONS });
}

/** What is measured, and for how long. */
interface Measured {
  readonly origin: string;
  /** Of a round. */
  readonly seconds: number;
  readonly warmUps: readonly DocumentSize[];
}

/** Two of the same program differ by some hundredths for as long as they run, so that one is not enough. */
async function measureProcess({ load }: Stage, of: Measured): Promise<OverloadRound[]> {
  for (const size of of.warmUps) {
    const peak = perSecond(await runCalm(load, of, size));
    await runCrowd(load, of, { size, peak });
  }
  const measured: OverloadRound[] = [];
  for (const size of ['large', 'small'] as const) {
    let before = await runCalm(load, of, size);
    for (let turn = 0; turn < TURNS[size]; turn += 1) {
      const run = await runCrowd(load, of, { size, peak: perSecond(before) });
      const after = await runCalm(load, of, size);
      measured.push({ size, calm: before, run, peak: (perSecond(before) + perSecond(after)) / 2 });
      before = after;
    }
  }
  return measured;
}

type Load = Stage['load'];

async function runCalm(load: Load, { origin, seconds }: Measured, size: DocumentSize): Promise<LoadResult> {
  const how = { requests: [requestOf(size)], connections: CONNECTIONS, until: { seconds } };
  const calm = await load.run({ kind: 'closed', origin, ...how });
  if (calm.good === 0) throw new Error('The gateway did not answer as it should before there was too much to do.');
  return calm;
}

function runCrowd(
  load: Load,
  { origin, seconds }: Measured,
  { size, peak }: { readonly size: DocumentSize; readonly peak: number },
): Promise<LoadResult> {
  const how = { seconds, leadInSeconds: LEAD_IN_SECONDS, maxWaiting: MAX_WAITING };
  return load.run({ kind: 'open', origin, request: requestOf(size), perSecond: Math.round(TIMES * peak), ...how });
}
