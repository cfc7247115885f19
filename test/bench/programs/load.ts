import { once } from 'node:events';
import { Agent, get, request as send, type IncomingMessage } from 'node:http';
import autocannon from 'autocannon';
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
  isRunning = true;
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
  const agent = new Agent({ keepAlive: true, maxSockets: OPEN_CONNECTIONS, maxFreeSockets: OPEN_CONNECTIONS });
  const connected = Array.from({ length: OPEN_CONNECTIONS }, async () => {
    const [reply] = (await once(get(`${origin}/health/live`, { agent }), 'response')) as [IncomingMessage]; // as Node.js has it
    await once(reply.resume(), 'end');
  });
  await Promise.all(connected);
  const results = await Promise.all(clients.map((client) => arrive(client, origin, seconds, agent)));
  agent.destroy();
  return results;
}

/** Sends the requests of a client as they arrive, and waits a second longer. */
function arrive(
  { request, perSecond }: Arrivals,
  origin: string,
  seconds: number,
  agent: Agent,
): Promise<ArrivalsResult> {
  const { path, headers, body, expected = '' } = request;
  const result = { arrived: 0, inTime: 0, refused: 0, times: [] as number[] };
  const sendOne = (arrivedAt: number): void => {
    result.arrived += 1;
    const outgoing = send(`${origin}${path}`, { method: 'POST', agent, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => (text += part));
      reply.on('end', () => {
        const ms = performance.now() - arrivedAt;
        if (reply.statusCode === 503) result.refused += 1;
        else result.times.push(ms);
        if (reply.statusCode === 200 && text.includes(expected) && ms <= MAX_MS) result.inTime += 1;
      });
    });
    outgoing.on('error', () => undefined).end(body);
  };
  return new Promise((resolve) => {
    const endsAt = performance.now() + 1_000 * seconds;
    let next = performance.now();
    const turn = (): void => {
      for (const now = performance.now(); next <= now; next += (-1_000 * Math.log(1 - Math.random())) / perSecond) {
        sendOne(next);
      }
      if (next < endsAt) setImmediate(turn);
      else setTimeout(resolve, MAX_MS, result);
    };
    turn();
  });
}
