import { NUMBER, type LoadResult } from '../programs/load-protocol.js';
import type { MeasurementOptions } from './measurements.js';
import { perSecond, shown, type Crowd, type OverloadRound } from './overload-section.js';
import type { Section } from './section.js';
import type { Stage } from './stage.js';

const TIMES = 4;
/**
 * Who comes, in each process, one after another. Rounds are several hundredths apart, because what else the machine does
 * changes from second to second, so that many short ones tell more than few long ones.
 */
const CROWDS: readonly Crowd[] = [...Array<Crowd>(5).fill('over'), 'anew', 'anew', 'hasty', 'hasty'];
/** So that nobody is refused even where an operation takes twice as long as here. */
const CONNECTIONS = 16;
/** Connections are opened as they are needed. */
const MAX_WAITING = 400;
/** Turns of both, until the program is as fast as it gets. */
const WARM_UPS = 2;
/** Of a crowd that asks again as soon as it was refused, whatever it is told. */
const HASTY_CONNECTIONS = 300;

/**
 * A document that was never seen before, and no token: milliseconds of the gateway's own time and of nobody else's, and
 * few bytes to send.
 */
const REQUEST = {
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    query: `query Overload${NUMBER} { ${Array.from({ length: 10 }, (_, index) => fieldsOf(index)).join(' ')} }`,
  }),
  expected: '"message":"Authorization header not set"',
};

function fieldsOf(index: number): string {
  const position = 'position { latitude longitude speedKmh address }';
  const node = `id num name ${position} voice { online talkGroup }`;
  return `mobiles${index}: mobiles(first: ${index + 1}) { edges { node { ${node} } } pageInfo { hasNextPage endCursor } }`;
}

/**
 * What becomes of a request when it comes four times as often as it can be answered. How often it can be is measured
 * before and after.
 */
export async function measureOverload(stage: Stage, { rounds, quick }: MeasurementOptions): Promise<Section> {
  const seconds = quick ? 2 : 3;
  const measured: OverloadRound[] = [];
  for (let process = 0; process < rounds; process += 1) {
    if (!quick) await stage.stopServers();
    const { origin } = await stage.server('gateway');
    measured.push(...(await measureProcess(stage, origin, seconds)));
  }
  return shown(measured, { times: TIMES, connections: CONNECTIONS, hastyConnections: HASTY_CONNECTIONS });
}

/** Two of the same program differ by some hundredths for as long as they run, so that one is not enough. */
async function measureProcess({ load, quiet }: Stage, origin: string, seconds: number): Promise<OverloadRound[]> {
  const measureCalm = (): Promise<LoadResult> => quiet.measure(() => runCalm(load, origin, seconds));
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) {
    const peak = perSecond(await runCalm(load, origin, seconds));
    await runCrowd('over', load, origin, { peak, seconds });
  }
  const measured: OverloadRound[] = [];
  let before = await measureCalm();
  for (const crowd of CROWDS) {
    const run = await quiet.measure(() => runCrowd(crowd, load, origin, { peak: perSecond(before), seconds }));
    const after = await measureCalm();
    measured.push({ crowd, calm: before, run, peak: (perSecond(before) + perSecond(after)) / 2 });
    before = after;
  }
  return measured;
}

type Load = Stage['load'];

function runClosed(
  load: Load,
  origin: string,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<LoadResult> {
  return load.run({ kind: 'closed', origin, requests: [REQUEST], connections, until: { seconds } });
}

async function runCalm(load: Load, origin: string, seconds: number): Promise<LoadResult> {
  const calm = await runClosed(load, origin, { connections: CONNECTIONS, seconds });
  if (calm.good === 0) throw new Error('The gateway did not answer as it should before there was too much to do.');
  return calm;
}

function runCrowd(
  crowd: Crowd,
  load: Load,
  origin: string,
  { peak, seconds }: { readonly peak: number; readonly seconds: number },
): Promise<LoadResult> {
  if (crowd === 'hasty') return runClosed(load, origin, { connections: HASTY_CONNECTIONS, seconds });
  const how = { request: REQUEST, seconds, maxWaiting: MAX_WAITING, connectsAnew: crowd === 'anew' };
  return load.run({ kind: 'open', origin, perSecond: Math.round(TIMES * peak), ...how });
}
