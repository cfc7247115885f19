import autocannon from 'autocannon';
import { NUMBER, percentile, type ClosedLoad, type LoadResult } from './load-protocol.js';

/** Of a body that was not expected, in characters. */
const MAX_SHOWN = 200;

let sent = 0;

function numbered(request: autocannon.Request): autocannon.Request {
  sent += 1;
  return { ...request, body: String(request.body).replaceAll(NUMBER, `c${sent}`) };
}

/** Load by autocannon. */
export async function runClosed({ origin, requests, connections, until }: ClosedLoad): Promise<LoadResult> {
  const expected = requests.map((request) => request.expected).filter((text) => text !== undefined);
  let unexpected: string | undefined;
  const isGood = (body: string): boolean => {
    if (expected.some((text) => body.includes(text))) return true;
    unexpected ??= body.slice(0, MAX_SHOWN);
    return false;
  };
  const times: number[] = [];
  const startedAt = performance.now();
  let refused = 0;
  let endedAt = startedAt;
  const {
    '2xx': replied,
    mismatches,
    non2xx,
    errors,
  } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url: origin,
      connections,
      ...('seconds' in until ? { duration: until.seconds } : { amount: until.requests }),
      requests: requests.map(({ path, headers, body }) => ({
        method: 'POST',
        path,
        headers,
        body,
        ...(body.includes(NUMBER) && { setupRequest: numbered }),
      })),
      // How soon it notices that the time is over.
      sampleInt: 50,
      ...(expected.length > 0 && { verifyBody: (body: unknown) => isGood(String(body)) }),
    };
    // autocannon's own times are whole milliseconds.
    autocannon(options, (error: Error | null, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      (_client, status, _bytes, time) => {
        endedAt = performance.now();
        if (status === 503) refused += 1;
        else times.push(time);
      },
    );
  });
  // What is not 2xx is no match either.
  const wrong = expected.length === 0 ? 0 : Math.max(mismatches - non2xx, 0);
  times.sort((a, b) => a - b);
  return {
    offered: replied + non2xx + errors,
    good: replied - wrong,
    refused,
    refusedWithRetryAfter: 0,
    failed: non2xx - refused + errors + wrong,
    unexpected,
    seconds: (endedAt - startedAt) / 1_000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}
