import { NUMBER, type LoadRequest, type LoadResult } from '../programs/load-protocol.js';
import type { MeasurementOptions } from './measurements.js';
import { median, spread, type Section } from './section.js';
import type { Stage } from './stage.js';

const TIMES = 4;
/**
 * Rounds in a process. They are several hundredths apart, because what else the machine does changes from second to
 * second, so that many short ones tell more than few long ones.
 */
const TURNS = 5;
/** So that nobody is refused even where an operation takes twice as long as here. */
const CONNECTIONS = 8;
/** Connections are opened as they are needed. */
const MAX_WAITING = 400;
/** Time in which a crowd opens some 200 connections. Within the seconds that count they took 2 % of the good answers. */
const LEAD_IN_SECONDS = 0.5;
/**
 * Turns until the program is as fast as it gets: what refuses has to run some ten thousand times before the compiler is
 * done with it, and each document that was never seen may have something new for it.
 */
const WARM_UPS = 9;

const MIN_GOODPUT = 0.9;
/** Several times MAX_EVENT_LOOP_DELAY_MS: the connections of those who are refused have to be heard, too. */
const MAX_P99_MS = 1_000;
/** What has to be offered for a verdict: a small machine may not be able to send more. */
const MIN_OFFERED_TIMES = 2;

/** As many as `GRAPHQL_MAX_ROOT_FIELDS` lets through. */
const ROOT_FIELDS = 10;
/** How often each of them selects the same, as documents do that were put together of others: `GRAPHQL_MAX_TOKENS` lets through no more. */
const SELECTIONS = 3;

const NODE = 'id num name position { latitude longitude speedKmh address } voice { online talkGroup }';
const SELECTION = `edges { node { ${NODE} } } pageInfo { hasNextPage endCursor }`;

/**
 * A document that was never seen before, nearly as large as the limits let through, and no token: milliseconds of the
 * gateway's own time and of nobody else's, and few bytes to send.
 */
function makeRequest(): LoadRequest {
  const selections = Array<string>(SELECTIONS).fill(SELECTION).join(' ');
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

const REQUEST = makeRequest();

/** Outcomes of requests beyond what can be answered. */
interface OverloadRound {
  readonly run: LoadResult;
  /** Before it: as many as can be answered. */
  readonly calm: LoadResult;
  /** Good answers in a second before and after, in the middle. */
  readonly peak: number;
}

/**
 * What becomes of a request when it comes four times as often as it can be answered. How often it can be is measured
 * before and after.
 */
export async function measureOverload(stage: Stage, { rounds, quick }: MeasurementOptions): Promise<Section> {
  const length = quick ? { seconds: 2, warmUps: 1 } : { seconds: 3, warmUps: WARM_UPS };
  const measured: OverloadRound[] = [];
  for (let process = 0; process < rounds; process += 1) {
    if (!quick) await stage.stopServers();
    const { origin } = await stage.server('gateway');
    measured.push(...(await measureProcess(stage, { origin, ...length })));
  }
  return shown(measured);
}

/** What is measured, and for how long. */
interface Measured {
  readonly origin: string;
  /** Of a round. */
  readonly seconds: number;
  readonly warmUps: number;
}

/** Two of the same program differ by some hundredths for as long as they run, so that one is not enough. */
async function measureProcess({ load }: Stage, of: Measured): Promise<OverloadRound[]> {
  for (let turn = 0; turn < of.warmUps; turn += 1) await runCrowd(load, of, goodPerSecond(await runCalm(load, of)));
  const measured: OverloadRound[] = [];
  let calm = await runCalm(load, of);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const run = await runCrowd(load, of, goodPerSecond(calm));
    const after = await runCalm(load, of);
    measured.push({ calm, run, peak: (goodPerSecond(calm) + goodPerSecond(after)) / 2 });
    calm = after;
  }
  return measured;
}

type Load = Stage['load'];

async function runCalm(load: Load, { origin, seconds }: Measured): Promise<LoadResult> {
  const how = { requests: [REQUEST], connections: CONNECTIONS, until: { seconds } };
  const calm = await load.run({ kind: 'closed', origin, ...how });
  if (calm.good === 0) throw new Error('The gateway did not answer as it should before there was too much to do.');
  return calm;
}

function runCrowd(load: Load, { origin, seconds }: Measured, peak: number): Promise<LoadResult> {
  const how = { seconds, leadInSeconds: LEAD_IN_SECONDS, maxWaiting: MAX_WAITING };
  return load.run({ kind: 'open', origin, request: REQUEST, perSecond: Math.round(TIMES * peak), ...how });
}

function goodPerSecond({ good, seconds }: LoadResult): number {
  return good / seconds;
}

/** How many came, how many were answered, what part of what could be that is, how long they took; how many were not. */
function shown(rounds: readonly OverloadRound[]): Section {
  const [calm, runs] = [rounds.map((round) => round.calm), rounds.map(({ run }) => run)];
  const shares = rounds.map(({ run, peak }) => goodPerSecond(run) / peak);
  const offered = rounds.map(({ run }) => run.offered / run.seconds);
  const [refused, polite, failed] = (['refused', 'refusedWithRetryAfter', 'failed'] as const).map((name) =>
    runs.reduce((total, run) => total + run[name], 0),
  );
  const p99 = medianTime(runs.map((run) => run.p99));
  const isMet = median(shares) >= MIN_GOODPUT && p99 <= MAX_P99_MS && failed === 0 && refused === polite;
  const isShown =
    !isMet || median(offered.map((all, round) => all / (rounds[round]?.peak ?? NaN))) >= MIN_OFFERED_TIMES;
  const durations = (of: readonly LoadResult[]): string[] =>
    (['p50', 'p99'] as const).map((name) => medianTime(of.map((result) => result[name])).toFixed(0));
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
        `${CONNECTIONS} connections, large documents`,
        '',
        spread(calm.map(goodPerSecond)),
        '',
        ...durations(calm),
        ...Array<string>(5).fill(''),
      ],
      [
        `${TIMES} times as many wanted`,
        median(offered).toFixed(0),
        spread(runs.map(goodPerSecond)),
        spread(
          shares.map((share) => 100 * share),
          0,
          ' %',
        ),
        ...durations(runs),
        ...[refused, polite, failed].map(String),
        `≥ ${100 * MIN_GOODPUT} % good, p99 ≤ ${MAX_P99_MS} ms, the rest 503 with Retry-After`,
        isShown ? (isMet ? 'met' : 'not met') : 'not shown: the load could not send enough',
      ],
    ],
  };
}

/** NaN when there was no good reply, of which there are no percentiles. */
function medianTime(times: readonly (number | null)[]): number {
  return median(times.filter((time) => time !== null));
}
