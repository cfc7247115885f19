import { NUMBER, type LoadResult } from '../programs/load-protocol.js';
import type { MeasurementOptions } from './measurements.js';
import { perSecond, shown, type OverloadRound } from './overload-section.js';
import type { Section } from './section.js';
import type { Stage } from './stage.js';

const TIMES = 4;
/** In each process: what one of them shows is several hundredths apart from what the next one does. */
const ROUNDS = 2;
const CONNECTIONS = 32;
/** Connections are opened as they are needed. */
const MAX_WAITING = 400;
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
 * before and after: what else the machine does changes from second to second.
 */
export async function measureOverload(stage: Stage, { rounds, quick }: MeasurementOptions): Promise<Section> {
  const seconds = quick ? 2 : 4;
  const measured: OverloadRound[] = [];
  for (let process = 0; process < rounds; process += 1) {
    if (!quick) await stage.stopServers();
    const { origin } = await stage.server('gateway');
    measured.push(...(await measureProcess(stage, origin, seconds)));
  }
  return shown(measured, { seconds, times: TIMES, connections: CONNECTIONS, hastyConnections: HASTY_CONNECTIONS });
}

/** Two of the same program differ by some hundredths for as long as they run, so that one is not enough. */
async function measureProcess({ load, quiet }: Stage, origin: string, seconds: number): Promise<OverloadRound[]> {
  const warm = await measureCalm(load, origin, seconds);
  await measureOver(load, origin, { peak: perSecond(warm), seconds, connectsAnew: false });
  const measured: OverloadRound[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await quiet.measure(() => measureCalm(load, origin, seconds));
    const peak = perSecond(before);
    const over = await quiet.measure(() => measureOver(load, origin, { peak, seconds, connectsAnew: false }));
    const after = await quiet.measure(() => measureCalm(load, origin, seconds));
    const hasty = await quiet.measure(() => measureClosed(load, origin, { connections: HASTY_CONNECTIONS, seconds }));
    const anew = await quiet.measure(() => measureOver(load, origin, { peak, seconds, connectsAnew: true }));
    measured.push({ calm: before, over, hasty, anew, peak: (peak + perSecond(after)) / 2 });
  }
  return measured;
}

type Load = Stage['load'];

function measureClosed(
  load: Load,
  origin: string,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<LoadResult> {
  return load.run({ kind: 'closed', origin, requests: [REQUEST], connections, until: { seconds } });
}

async function measureCalm(load: Load, origin: string, seconds: number): Promise<LoadResult> {
  const calm = await measureClosed(load, origin, { connections: CONNECTIONS, seconds });
  if (calm.good === 0) throw new Error('The gateway did not answer as it should before there was too much to do.');
  return calm;
}

function measureOver(
  load: Load,
  origin: string,
  { peak, seconds, connectsAnew }: { readonly peak: number; readonly seconds: number; readonly connectsAnew: boolean },
): Promise<LoadResult> {
  const how = { request: REQUEST, seconds, maxWaiting: MAX_WAITING, connectsAnew };
  return load.run({ kind: 'open', origin, perSecond: Math.round(TIMES * peak), ...how });
}
