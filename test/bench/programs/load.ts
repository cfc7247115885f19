import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import {
  withId,
  type Arrivals,
  type ArrivalsResult,
  type Load,
  type LoadResult,
  type OpenLoad,
} from './load-protocol.js';

/** Longest part of an unexpected body that is shown, in characters. */
const MAX_SHOWN = 200;

let isRunning = false;

/** The load in a process of its own that stays warm: told what to do over IPC, it answers with what it saw. */
process.on('message', (load: Load | OpenLoad) => {
  // An open load sleeps between arrivals, so that it takes nothing from the backends on its core.
  isRunning = !('clients' in load);
  stayAwake();
  const result: Promise<LoadResult | ArrivalsResult[]> = 'clients' in load ? runOpen(load) : run(load);
  result
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
      requests: [
        {
          method: 'POST',
          path,
          headers,
          body,
          ...(body.includes('[id]') && { setupRequest: (sent: object) => ({ ...sent, ...withId(request) }) }),
        },
      ],
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

/** A reply that takes longer is none. */
const MAX_MS = 1_000;

/** Connections, as a load balancer keeps them open; they are there before the load, and no others come. */
const OPEN_CONNECTIONS = 512;

async function runOpen({ origin, clients, seconds }: OpenLoad): Promise<ArrivalsResult[]> {
  const pool = new Pool(origin, { connections: OPEN_CONNECTIONS });
  const connected = Array.from({ length: OPEN_CONNECTIONS }, async () => {
    const { body } = await pool.request({ path: '/health/live', method: 'GET' });
    await body.dump();
  });
  await Promise.all(connected);
  const results = await Promise.all(clients.map((client) => arrive(client, seconds, pool)));
  await pool.destroy();
  return results;
}

/** Sends the requests of a client as they arrive, and waits a second longer. */
async function arrive({ request, perSecond }: Arrivals, seconds: number, pool: Pool): Promise<ArrivalsResult> {
  const { path, headers, body, expected = '' } = request;
  const result = { arrived: 0, inTime: 0, refused: 0, times: [] as number[] };
  const sendOne = (arrivedAt: number): void => {
    result.arrived += 1;
    let status = 0;
    const parts: Buffer[] = [];
    // Costs a third of `pool.request`, and the backends share the core.
    pool.dispatch(
      { path, method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData: (_controller, part) => void parts.push(part),
        onResponseEnd: () => {
          const ms = performance.now() - arrivedAt;
          if (status === 503) result.refused += 1;
          else result.times.push(ms);
          if (status === 200 && ms <= MAX_MS && Buffer.concat(parts).includes(expected)) result.inTime += 1;
        },
        onResponseError: () => undefined,
      },
    );
  };
  const endsAt = performance.now() + 1_000 * seconds;
  for (let next = performance.now(); next < endsAt; await delay(1)) {
    for (const now = performance.now(); next <= now; next += (-1_000 * Math.log(1 - Math.random())) / perSecond) {
      sendOne(next);
    }
  }
  await delay(MAX_MS);
  return result;
}
