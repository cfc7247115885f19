import type { LoadResult } from '../programs/load-protocol.js';
import { median, spread, type Section } from './section.js';

const MIN_GOODPUT = 0.9;
/** Several times MAX_EVENT_LOOP_DELAY_MS: the connections of those who are refused have to be heard, too. */
const MAX_P99_MS = 1_000;
/** What has to be offered for a verdict: a small machine may not be able to send more. */
const MIN_OFFERED_TIMES = 2;

/** Of what they ask for: nearly as large as the limits let through, or a third of that. */
export type DocumentSize = 'large' | 'small';

/** Outcomes of requests beyond what can be answered. */
export interface OverloadRound {
  readonly size: DocumentSize;
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
}

/** Good answers. */
export function perSecond({ good, seconds }: LoadResult): number {
  return good / seconds;
}

/** What was measured, as it stands in the results, with a verdict. */
export function shown(rounds: readonly OverloadRound[], { times, connections }: HowMeasured): Section {
  const roundsOf = (ofSize: DocumentSize): OverloadRound[] => rounds.filter(({ size }) => size === ofSize);
  const over = { large: roundsOf('large'), small: roundsOf('small') };
  return {
    title: `\`overload\`: ${times} times as many requests as can be answered (${over.large.length} rounds)`,
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
      calmRow(`${connections} connections, large documents`, rounds, 'large'),
      [`${times} times as many wanted`, ...answered(over.large), ...verdictOf(over.large)],
      calmRow(`${connections} connections, documents a third as large`, rounds, 'small'),
      [`${times} times as many wanted`, ...answered(over.small), ...verdictOf(over.small)],
    ],
  };
}

/** What is to be reached, and whether it is. */
function verdictOf(over: readonly OverloadRound[]): string[] {
  const isPolite = over.every(
    ({ run: { failed, refused, refusedWithRetryAfter } }) => failed === 0 && refused === refusedWithRetryAfter,
  );
  const p99 = medianTime(over.map(({ run }) => run.p99));
  const isMet = median(over.map(goodput)) >= MIN_GOODPUT && p99 !== undefined && p99 <= MAX_P99_MS && isPolite;
  const isShown = !isMet || median(over.map(({ run, peak }) => offeredPerSecond(run) / peak)) >= MIN_OFFERED_TIMES;
  return [
    `≥ ${100 * MIN_GOODPUT} % good, p99 ≤ ${MAX_P99_MS} ms, the rest 503 with Retry-After`,
    isShown ? (isMet ? 'met' : 'not met') : 'not shown: the load could not send enough',
  ];
}

function calmRow(what: string, rounds: readonly OverloadRound[], ofSize: DocumentSize): string[] {
  const calm = rounds.filter(({ size }) => size === ofSize).map((round) => round.calm);
  return [what, '', spread(calm.map(perSecond)), '', ...durations(calm), '', '', '', '', ''];
}

/** What part of the good answers that could be is left. */
function goodput({ run, peak }: OverloadRound): number {
  return perSecond(run) / peak;
}

function offeredPerSecond({ offered, seconds }: LoadResult): number {
  return offered / seconds;
}

/** How many came, how many were answered, what part of what could be that is, how long they took; how many were not. */
function answered(rounds: readonly OverloadRound[]): string[] {
  const runs = rounds.map(({ run }) => run);
  const shares = rounds.map((round) => 100 * goodput(round));
  const offered = median(runs.map(offeredPerSecond)).toFixed(0);
  const others = (['refused', 'refusedWithRetryAfter', 'failed'] as const).map((name) => sum(rounds, name));
  return [offered, spread(runs.map(perSecond)), spread(shares, 0, ' %'), ...durations(runs), ...others];
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
