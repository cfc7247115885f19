import { NUMBER, type LoadRequest, type LoadResult } from '../programs/load-protocol.js';
import type { MeasurementOptions } from './measurements.js';
import { perSecond, shown, type Crowd, type DocumentSize, type OverloadRound } from './overload-section.js';
import type { Section } from './section.js';
import type { Stage } from './stage.js';

const TIMES = 4;
/**
 * Who comes, in each process, one after another. Rounds are several hundredths apart, because what else the machine does
 * changes from second to second, so that many short ones tell more than few long ones.
 */
const CROWDS: Readonly<Record<DocumentSize, readonly Crowd[]>> = {
  large: Array<Crowd>(5).fill('over'),
  small: ['over', 'over', 'over', 'anew', 'anew', 'hasty', 'hasty'],
};
/** So that nobody is refused even where an operation takes twice as long as here. */
const CONNECTIONS = 8;
/** Connections are opened as they are needed. */
const MAX_WAITING = 400;
/**
 * What a crowd has some 200 connections for. Opened within three seconds that count, they took two hundredths of the good
 * answers, as if sixty callers came anew each second; those who do have a row of their own.
 */
const LEAD_IN_SECONDS = 0.5;
/**
 * Turns of both, until the program is as fast as it gets: what refuses has to run some ten thousand times before the
 * compiler is done with it, and each document that was never seen may have something new for it.
 */
const WARM_UPS: readonly DocumentSize[] = Array<DocumentSize[]>(3).fill(['large', 'large', 'small']).flat();
/** Of a crowd that asks again as soon as it was refused, whatever it is told. */
const HASTY_CONNECTIONS = 300;

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
  return shown(measured, { times: TIMES, connections: CONNECTIONS, hastyConnections: HASTY_CONNECTIONS });
}

/** What is measured, and for how long. */
interface Measured {
  readonly origin: string;
  /** Of a round. */
  readonly seconds: number;
  readonly warmUps: readonly DocumentSize[];
}

/** Two of the same program differ by some hundredths for as long as they run, so that one is not enough. */
async function measureProcess({ load, quiet }: Stage, of: Measured): Promise<OverloadRound[]> {
  for (const size of of.warmUps) {
    const peak = perSecond(await runCalm(load, of, size));
    await runCrowd('over', load, of, { size, peak });
  }
  const measured: OverloadRound[] = [];
  for (const size of ['large', 'small'] as const) {
    let before = await quiet.measure(() => runCalm(load, of, size));
    for (const crowd of CROWDS[size]) {
      const run = await quiet.measure(() => runCrowd(crowd, load, of, { size, peak: perSecond(before) }));
      const after = await quiet.measure(() => runCalm(load, of, size));
      measured.push({ crowd, size, calm: before, run, peak: (perSecond(before) + perSecond(after)) / 2 });
      before = after;
    }
  }
  return measured;
}

type Load = Stage['load'];

function runClosed(
  load: Load,
  { origin, seconds }: Measured,
  { size, connections }: { readonly size: DocumentSize; readonly connections: number },
): Promise<LoadResult> {
  return load.run({ kind: 'closed', origin, requests: [requestOf(size)], connections, until: { seconds } });
}

async function runCalm(load: Load, of: Measured, size: DocumentSize): Promise<LoadResult> {
  const calm = await runClosed(load, of, { size, connections: CONNECTIONS });
  if (calm.good === 0) throw new Error('The gateway did not answer as it should before there was too much to do.');
  return calm;
}

function runCrowd(
  crowd: Crowd,
  load: Load,
  of: Measured,
  { size, peak }: { readonly size: DocumentSize; readonly peak: number },
): Promise<LoadResult> {
  if (crowd === 'hasty') return runClosed(load, of, { size, connections: HASTY_CONNECTIONS });
  const { origin, seconds } = of;
  const how = { seconds, leadInSeconds: LEAD_IN_SECONDS, maxWaiting: MAX_WAITING, connectsAnew: crowd === 'anew' };
  return load.run({ kind: 'open', origin, request: requestOf(size), perSecond: Math.round(TIMES * peak), ...how });
}
