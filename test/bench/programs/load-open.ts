import { Pool } from 'undici';
import { NUMBER, percentile, type LoadResult, type OpenLoad } from './load-protocol.js';

/** What was seen before it counted, while it did, or after. */
interface Seen {
  offered: number;
  good: number;
  refused: number;
  refusedWithRetryAfter: number;
  /** Of the good replies, in milliseconds from when the request was due. */
  readonly times: number[];
}

let sent = 0;

function nothingSeen(): Seen {
  return { offered: 0, good: 0, refused: 0, refusedWithRetryAfter: 0, times: [] };
}

/** Load at a fixed rate. Times count from when a request was due, so that falling behind shows. */
export async function runOpen(load: OpenLoad): Promise<LoadResult> {
  const { origin, perSecond, leadInSeconds, seconds, maxWaiting } = load;
  const pool = new Pool(origin, {
    connections: maxWaiting,
    pipelining: 1,
    bodyTimeout: 30_000,
    headersTimeout: 30_000,
  });
  let seen = nothingSeen();
  let failed = 0;
  const waiting = new Set<Promise<void>>();
  const startedAt = performance.now();
  let due = 0;
  await sendFor(leadInSeconds);
  seen = nothingSeen();
  const countedFrom = performance.now();
  await sendFor(leadInSeconds + seconds);
  const { times: timesWithin, ...counts } = seen;
  const counted = (performance.now() - countedFrom) / 1_000;
  // What is answered from here on tells how long it took, but not how much is answered among so many.
  seen = nothingSeen();
  await Promise.all(waiting);
  await pool.close();
  const times = [...timesWithin, ...seen.times].sort((a, b) => a - b);
  return { ...counts, failed, seconds: counted, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };

  /** Sends what is due until so long after the start. */
  async function sendFor(length: number): Promise<void> {
    for (const total = perSecond * length; due < total;) {
      const elapsed = performance.now() - startedAt;
      for (; due < total && (due / perSecond) * 1_000 <= elapsed; due += 1) {
        if (waiting.size >= maxWaiting) continue;
        seen.offered += 1;
        const asked = ask(pool, load, startedAt + (due / perSecond) * 1_000).finally(() => waiting.delete(asked));
        waiting.add(asked);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  async function ask(
    via: Pool,
    { request: { path, headers, body, expected } }: OpenLoad,
    dueAt: number,
  ): Promise<void> {
    try {
      sent += 1;
      const own = body.replaceAll(NUMBER, `o${sent}`);
      const reply = await via.request({ method: 'POST', path, headers, body: own });
      const text = await reply.body.text();
      if (reply.statusCode === 503) {
        seen.refused += 1;
        if (reply.headers['retry-after'] !== undefined) seen.refusedWithRetryAfter += 1;
      } else if (reply.statusCode === 200 && (expected === undefined || text.includes(expected))) {
        seen.good += 1;
        seen.times.push(performance.now() - dueAt);
      } else {
        failed += 1;
      }
    } catch {
      failed += 1;
    }
  }
}
