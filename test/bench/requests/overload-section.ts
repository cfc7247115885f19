import type { LoadResult } from '../programs/load-protocol.js';
import { median, spread, type Section } from './section.js';

const MIN_GOODPUT = 0.9;
/** Several times MAX_EVENT_LOOP_DELAY_MS: the connections of those who are refused have to be heard, too. */
const MAX_P99_MS = 1_000;
/** What has to be offered for a verdict: a small machine may not be able to send more. */
const MIN_OFFERED_TIMES = 2;

/**
 * Those who ask for more than can be answered: several times as many requests, the same each on a connection of its own,
 * and connections that ask again as soon as they were refused.
 */
export type Crowd = 'over' | 'anew' | 'hasty';

/** What became of a crowd. */
export interface OverloadRound {
  readonly crowd: Crowd;
  readonly run: LoadResult;
  /** Before it: as many as can be answered. */
  readonly calm: LoadResult;
  /** What was answered in a second before and after, in the middle. */
  readonly peak: number;
}

/** How it was measured. */
interface HowMeasured {
  /** How many times as many were wanted. */
  readonly times: number;
  readonly connections: number;
  readonly hastyConnections: number;
}

/** Good answers. */
export function perSecond({ good, seconds }: LoadResult): number {
  return good / seconds;
}

/** What was measured, as it stands in the results, with a verdict. */
export function shown(
  rounds: readonly OverloadRound[],
  { times, connections, hastyConnections }: HowMeasured,
): Section {
  const roundsOf = (crowd: Crowd): OverloadRound[] => rounds.filter((round) => round.crowd === crowd);
  const [over, anew, hasty] = [roundsOf('over'), roundsOf('anew'), roundsOf('hasty')];
  const calm = rounds.map((round) => round.calm);
  const isPolite = over.every(
    ({ run: { failed, refused, refusedWithRetryAfter } }) => failed === 0 && refused === refusedWithRetryAfter,
  );
  const p99 = medianTime(over.map(({ run }) => run.p99));
  const isMet = median(over.map(goodput)) >= MIN_GOODPUT && p99 !== undefined && p99 <= MAX_P99_MS && isPolite;
  const isShown = !isMet || median(over.map(({ run, peak }) => offeredPerSecond(run) / peak)) >= MIN_OFFERED_TIMES;
  return {
    title: `\`overload\`: ${times} times as many requests as can be answered (${over.length} rounds)`,
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
        ...answered(over),
        sum(over, 'refused'),
        sum(over, 'refusedWithRetryAfter'),
        sum(over, 'failed'),
        `≥ ${100 * MIN_GOODPUT} % good, p99 ≤ ${MAX_P99_MS} ms, the rest 503 with Retry-After`,
        isShown ? (isMet ? 'met' : 'not met') : 'not shown: the load could not send enough',
      ],
      [
        `${times} times as many wanted, each on a connection of its own`,
        ...answered(anew),
        sum(anew, 'refused'),
        sum(anew, 'refusedWithRetryAfter'),
        sum(anew, 'failed'),
        '',
        '',
      ],
      [
        `${hastyConnections} connections that ask again at once`,
        ...answered(hasty),
        sum(hasty, 'refused'),
        '',
        sum(hasty, 'failed'),
        '',
        '',
      ],
    ],
  };
}

/** What part of the good answers that could be is left. */
function goodput({ run, peak }: OverloadRound): number {
  return perSecond(run) / peak;
}

function offeredPerSecond({ offered, seconds }: LoadResult): number {
  return offered / seconds;
}

/** How many came, how many were answered, what part of what could be that is, and how long they took. */
function answered(rounds: readonly OverloadRound[]): string[] {
  const runs = rounds.map(({ run }) => run);
  const shares = rounds.map((round) => 100 * goodput(round));
  const offered = median(runs.map(offeredPerSecond)).toFixed(0);
  return [offered, spread(runs.map(perSecond)), spread(shares, 0, ' %'), ...durations(runs)];
}

function durations(runs: readonly LoadResult[]): string[] {
  return [inMilliseconds(runs.map((run) => run.p50)), inMilliseconds(runs.map((run) => run.p99))];
}

function sum(rounds: readonly OverloadRound[], name: 'refused' | 'refusedWithRetryAfter' | 'failed'): string {
  return String(rounds.reduce((total, { run }) => total + run[name], 0));
}

/** Of nothing there are no percentiles. */
function medianTime(times: readonly (number | null)[]): number | undefined {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? undefined : median(known);
}

function inMilliseconds(times: readonly (number | null)[]): string {
  return medianTime(times)?.toFixed(0) ?? '';
}
