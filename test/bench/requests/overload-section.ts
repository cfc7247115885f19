import type { LoadResult } from '../programs/load-protocol.js';
import { median, spread, type Section } from './section.js';

const MIN_GOODPUT = 0.9;
/** Several times MAX_EVENT_LOOP_DELAY_MS: the connections of those who are refused have to be heard, too. */
const MAX_P99_MS = 1_000;
/** What has to be offered for a verdict: a small machine may not be able to send more. */
const MIN_OFFERED_TIMES = 2;

/** What was measured one after another. */
export interface OverloadRound {
  /** As many as can be answered. */
  readonly calm: LoadResult;
  /** Several times as many. */
  readonly over: LoadResult;
  /** The same, each on a connection of its own. */
  readonly anew: LoadResult;
  /** Of connections that ask again as soon as they were refused. */
  readonly hasty: LoadResult;
  /** What was answered in a second before and after, in the middle. */
  readonly peak: number;
}

/** How it was measured. */
interface HowMeasured {
  readonly seconds: number;
  /** How many times as many were wanted. */
  readonly times: number;
  readonly connections: number;
  readonly hastyConnections: number;
}

/** Good answers. */
export function perSecond({ good, seconds }: LoadResult): number {
  return good / seconds;
}

/** Those who ask for more than can be answered. */
type Crowd = 'over' | 'hasty' | 'anew';

/** What was measured, as it stands in the results, with a verdict. */
export function shown(
  rounds: readonly OverloadRound[],
  { seconds, times, connections, hastyConnections }: HowMeasured,
): Section {
  const calm = rounds.map((round) => round.calm);
  const over = rounds.map((round) => round.over);
  const anew = rounds.map((round) => round.anew);
  const hasty = rounds.map((round) => round.hasty);
  const offered = rounds.map(({ over: run, peak }) => run.offered / seconds / peak);
  const isPolite = over.every(
    ({ failed, refused, refusedWithRetryAfter }) => failed === 0 && refused === refusedWithRetryAfter,
  );
  const p99 = medianTime(over.map((run) => run.p99));
  const isMet = median(goodput(rounds, 'over')) >= MIN_GOODPUT && p99 !== undefined && p99 <= MAX_P99_MS && isPolite;
  const isShown = !isMet || median(offered) >= MIN_OFFERED_TIMES;
  const perSecondOffered = (crowd: 'over' | 'anew'): number =>
    median(rounds.map((round) => round[crowd].offered / seconds));
  return {
    title: `\`overload\`: ${times} times as many requests as can be answered (${rounds.length} rounds)`,
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
      [`${connections} connections`, '', spread(calm.map(perSecond)), '', ...durations(calm), '', '', '', '', ''],
      [
        `${times} times as many wanted`,
        perSecondOffered('over').toFixed(0),
        ...answered(rounds, 'over'),
        sum(over, 'refused'),
        sum(over, 'refusedWithRetryAfter'),
        sum(over, 'failed'),
        `≥ ${100 * MIN_GOODPUT} % good, p99 ≤ ${MAX_P99_MS} ms, the rest 503 with Retry-After`,
        isShown ? (isMet ? 'met' : 'not met') : 'not shown: the load could not send enough',
      ],
      [
        `${times} times as many wanted, each on a connection of its own`,
        perSecondOffered('anew').toFixed(0),
        ...answered(rounds, 'anew'),
        sum(anew, 'refused'),
        sum(anew, 'refusedWithRetryAfter'),
        sum(anew, 'failed'),
        '',
        '',
      ],
      [
        `${hastyConnections} connections that ask again at once`,
        median(rounds.map(({ hasty }) => hasty.offered / hasty.seconds)).toFixed(0),
        ...answered(rounds, 'hasty'),
        sum(hasty, 'refused'),
        '',
        sum(hasty, 'failed'),
        '',
        '',
      ],
    ],
  };
}

function goodput(rounds: readonly OverloadRound[], crowd: Crowd): number[] {
  return rounds.map((round) => perSecond(round[crowd]) / round.peak);
}

/** How many were answered, what part of what could be that is, and how long they took. */
function answered(rounds: readonly OverloadRound[], crowd: Crowd): string[] {
  const runs = rounds.map((round) => round[crowd]);
  const shares = goodput(rounds, crowd).map((share) => 100 * share);
  return [spread(runs.map(perSecond)), spread(shares, 0, ' %'), ...durations(runs)];
}

function durations(runs: readonly LoadResult[]): string[] {
  return [inMilliseconds(runs.map((run) => run.p50)), inMilliseconds(runs.map((run) => run.p99))];
}

function sum(runs: readonly LoadResult[], name: 'refused' | 'refusedWithRetryAfter' | 'failed'): string {
  return String(runs.reduce((total, run) => total + run[name], 0));
}

/** Of nothing there are no percentiles. */
function medianTime(times: readonly (number | null)[]): number | undefined {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? undefined : median(known);
}

function inMilliseconds(times: readonly (number | null)[]): string {
  return medianTime(times)?.toFixed(0) ?? '';
}
