import { NUMBER } from '../programs/load-protocol.js';
import type { MeasurementOptions } from './measurements.js';
import { median, spread, type Section } from './section.js';
import type { Stage } from './stage.js';

const TIMES = 4;
/** In each process: what one of them shows is several hundredths apart from what the next one does. */
const ROUNDS = 2;
const CONNECTIONS = 32;
/** Connections are opened as they are needed. */
const MAX_WAITING = 400;
/** Of a crowd that asks again as soon as it was refused, whatever it is told. */
const HASTY_CONNECTIONS = 300;
const MIN_GOODPUT = 0.9;
/** Several times MAX_EVENT_LOOP_DELAY_MS: the connections of those who are refused have to be heard, too. */
const MAX_P99_MS = 1_000;
/** What has to be offered for a verdict: a small machine may not be able to send more. */
const MIN_OFFERED_TIMES = 2;

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
  const measured: Round[] = [];
  for (let process = 0; process < rounds; process += 1) {
    if (!quick) await stage.stopServers();
    const { origin } = await stage.server('gateway');
    measured.push(...(await measureProcess(stage, origin, seconds)));
  }
  return section(measured, seconds);
}

/** Two of the same program differ by some hundredths for as long as they run, so that one is not enough. */
async function measureProcess({ load, quiet }: Stage, origin: string, seconds: number): Promise<Round[]> {
  const warm = await measureCalm(load, origin, seconds);
  await measureOver(load, origin, { peak: perSecond(warm), seconds });
  const measured: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await quiet.measure(() => measureCalm(load, origin, seconds));
    const peak = perSecond(before);
    const over = await quiet.measure(() => measureOver(load, origin, { peak, seconds }));
    const after = await quiet.measure(() => measureCalm(load, origin, seconds));
    const hasty = await quiet.measure(() => measureClosed(load, origin, { connections: HASTY_CONNECTIONS, seconds }));
    measured.push({ calm: before, over, hasty, peak: (peak + perSecond(after)) / 2 });
  }
  return measured;
}

interface Round {
  readonly calm: LoadResult;
  readonly over: LoadResult;
  readonly hasty: LoadResult;
  /** What was answered in a second before and after, in the middle. */
  readonly peak: number;
}

type Load = Stage['load'];
type LoadResult = Awaited<ReturnType<Load['run']>>;

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
  { peak, seconds }: { readonly peak: number; readonly seconds: number },
): Promise<LoadResult> {
  const wanted = Math.round(TIMES * peak);
  return load.run({ kind: 'open', origin, request: REQUEST, perSecond: wanted, seconds, maxWaiting: MAX_WAITING });
}

function perSecond({ good, seconds }: LoadResult): number {
  return good / seconds;
}

function section(rounds: readonly Round[], seconds: number): Section {
  const calm = rounds.map((round) => round.calm);
  const over = rounds.map((round) => round.over);
  const hasty = rounds.map((round) => round.hasty);
  const goodput = rounds.map(({ over: run, peak }) => perSecond(run) / peak);
  const offered = rounds.map(({ over: run, peak }) => run.offered / seconds / peak);
  const isPolite = over.every(
    ({ failed, refused, refusedWithRetryAfter }) => failed === 0 && refused === refusedWithRetryAfter,
  );
  const p99 = medianTime(over.map((run) => run.p99));
  const isMet = median(goodput) >= MIN_GOODPUT && p99 !== undefined && p99 <= MAX_P99_MS && isPolite;
  const isShown = !isMet || median(offered) >= MIN_OFFERED_TIMES;
  const sum = (name: 'refused' | 'refusedWithRetryAfter' | 'failed'): string =>
    String(over.reduce((total, run) => total + run[name], 0));
  return {
    title: `\`overload\`: ${TIMES} times as many requests as can be answered (${rounds.length} rounds)`,
    columns: [
      '',
      'offered/s',
      'good/s',
      'of the good without',
      'p50 ms',
      'p99 ms',
      '503',
      'of them with Retry-After',
      'failed otherwise',
      'reach',
      '',
    ],
    rows: [
      [
        `${CONNECTIONS} connections`,
        '',
        spread(calm.map(perSecond)),
        '',
        inMilliseconds(calm.map((run) => run.p50)),
        inMilliseconds(calm.map((run) => run.p99)),
        '',
        '',
        '',
        '',
        '',
      ],
      [
        `${TIMES} times as many wanted`,
        median(over.map((run) => run.offered / seconds)).toFixed(0),
        spread(over.map(perSecond)),
        spread(
          goodput.map((share) => 100 * share),
          0,
          ' %',
        ),
        inMilliseconds(over.map((run) => run.p50)),
        inMilliseconds(over.map((run) => run.p99)),
        sum('refused'),
        sum('refusedWithRetryAfter'),
        sum('failed'),
        `≥ ${100 * MIN_GOODPUT} % good, p99 ≤ ${MAX_P99_MS} ms, the rest 503 with Retry-After`,
        isShown ? (isMet ? 'met' : 'not met') : 'not shown: the load could not send enough',
      ],
      [
        `${HASTY_CONNECTIONS} connections that ask again at once`,
        median(hasty.map((run) => run.offered / run.seconds)).toFixed(0),
        spread(hasty.map(perSecond)),
        spread(
          rounds.map((round) => (100 * perSecond(round.hasty)) / round.peak),
          0,
          ' %',
        ),
        inMilliseconds(hasty.map((run) => run.p50)),
        inMilliseconds(hasty.map((run) => run.p99)),
        String(hasty.reduce((total, run) => total + run.refused, 0)),
        '',
        String(hasty.reduce((total, run) => total + run.failed, 0)),
        '',
        '',
      ],
    ],
  };
}

/** Of nothing there are no percentiles. */
function medianTime(times: readonly (number | null)[]): number | undefined {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? undefined : median(known);
}

function inMilliseconds(times: readonly (number | null)[]): string {
  return medianTime(times)?.toFixed(0) ?? '';
}
