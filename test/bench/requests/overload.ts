import { NUMBER } from '../programs/load-protocol.js';
import type { MeasurementOptions } from './measurements.js';
import type { Section } from './section.js';
import type { Stage } from './stage.js';

const TIMES = 4;
const CONNECTIONS = 32;
/** Connections are opened as they are needed. */
const MAX_WAITING = 400;
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

/** What becomes of a request when it comes four times as often as it can be answered. */
export async function measureOverload(stage: Stage, { quick }: MeasurementOptions): Promise<Section> {
  const seconds = quick ? 4 : 10;
  const { origin } = await stage.server('gateway');
  const closed = (time: number) =>
    stage.load.run({ kind: 'closed', origin, requests: [REQUEST], connections: CONNECTIONS, until: { seconds: time } });
  await closed(seconds / 2);
  const calm = await closed(seconds / 2);
  const peak = calm.good / calm.seconds;
  if (peak === 0) throw new Error('The gateway did not answer as it should before there was too much to do.');
  const perSecond = Math.round(TIMES * peak);
  const over = await stage.load.run({
    kind: 'open',
    origin,
    request: REQUEST,
    perSecond,
    seconds,
    maxWaiting: MAX_WAITING,
  });
  const goodput = over.good / over.seconds;
  const isPolite = over.failed === 0 && over.refused === over.refusedWithRetryAfter;
  const isInTime = over.p99 !== null && over.p99 <= MAX_P99_MS;
  const isMet = goodput >= MIN_GOODPUT * peak && isInTime && isPolite;
  const isShown = !isMet || over.offered / seconds >= MIN_OFFERED_TIMES * peak;
  return {
    title: '`overload`: four times as many requests as can be answered',
    columns: [
      '',
      'offered/s',
      'good/s',
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
        peak.toFixed(0),
        inMilliseconds(calm.p50),
        inMilliseconds(calm.p99),
        '',
        '',
        '',
        '',
        '',
      ],
      [
        `${perSecond}/s wanted`,
        (over.offered / seconds).toFixed(0),
        `${goodput.toFixed(0)} (${((100 * goodput) / peak).toFixed(0)} %)`,
        inMilliseconds(over.p50),
        inMilliseconds(over.p99),
        String(over.refused),
        String(over.refusedWithRetryAfter),
        String(over.failed),
        `≥ ${100 * MIN_GOODPUT} % good, p99 ≤ ${MAX_P99_MS} ms, the rest 503 with Retry-After`,
        isShown ? (isMet ? 'met' : 'not met') : 'not shown: the load could not send enough',
      ],
    ],
  };
}

/** Of nothing there are no percentiles. */
function inMilliseconds(time: number | null): string {
  return time === null ? '' : time.toFixed(0);
}
