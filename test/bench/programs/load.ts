import autocannon from 'autocannon';
import type { Load, LoadResult } from './load-protocol.js';

/** Longest part of an unexpected body that is shown, in characters. */
const MAX_SHOWN = 200;

let isRunning = false;

/** The load in a process of its own that stays warm: told what to do over IPC, it answers with what it saw. */
process.on('message', (load: Load) => {
  isRunning = true;
  stayAwake();
  run(load)
    .finally(() => (isRunning = false))
    .then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
});

/**
 * A process that sleeps is woken by whoever writes to it, at the cost of some microseconds of every reply. The load of a
 * fast server never comes to sleep; nor does that of a slow one, which would pay for it beside its own work.
 */
function stayAwake(): void {
  if (isRunning) setImmediate(stayAwake);
}

// The program that started it is gone. Connections that are still open must not keep this one alive.
process.on('disconnect', () => process.exit());

async function run({ origin, request, connections, until }: Load): Promise<LoadResult> {
  const { path, headers, body, expected } = request;
  let unexpected: string | undefined;
  const isGood = (reply: string): boolean => {
    if (expected === undefined || reply.includes(expected)) return true;
    unexpected ??= reply.slice(0, MAX_SHOWN);
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
      requests: [{ method: 'POST', path, headers, body }],
      // How soon it notices that the time is over.
      sampleInt: 50,
      ...(expected !== undefined && { verifyBody: (reply: unknown) => isGood(String(reply)) }),
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
  // An answer other than 2xx is no match either.
  const wrong = expected === undefined ? 0 : Math.max(mismatches - non2xx, 0);
  times.sort((a, b) => a - b);
  return {
    offered: replied + non2xx + errors,
    good: replied - wrong,
    refused,
    failed: non2xx - refused + errors + wrong,
    unexpected,
    seconds: (endedAt - startedAt) / 1_000,
    p99: times[Math.floor(times.length * 0.99)] ?? NaN,
  };
}
