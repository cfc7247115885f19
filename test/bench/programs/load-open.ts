import { Pool } from 'undici';
import { NUMBER, type LoadResult, type OpenLoad } from './load-protocol.js';
import { percentile } from './percentile.js';

/** Load at a fixed rate. Times count from when a request was due, so that falling behind shows. */
export async function runOpen(load: OpenLoad): Promise<LoadResult> {
  const { origin, perSecond, seconds, maxWaiting } = load;
  const pool = new Pool(origin, {
    connections: maxWaiting,
    pipelining: 1,
    bodyTimeout: 30_000,
    headersTimeout: 30_000,
  });
  const seen = { offered: 0, good: 0, refused: 0, refusedWithRetryAfter: 0, failed: 0 };
  const times: number[] = [];
  const waiting = new Set<Promise<void>>();
  const startedAt = performance.now();
  const total = perSecond * seconds;
  for (let due = 0; due < total;) {
    const elapsed = performance.now() - startedAt;
    for (; due < total && (due / perSecond) * 1_000 <= elapsed; due += 1) {
      if (waiting.size >= maxWaiting) continue;
      seen.offered += 1;
      const sent = ask(pool, load, startedAt + (due / perSecond) * 1_000).finally(() => waiting.delete(sent));
      waiting.add(sent);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(waiting);
  const elapsed = (performance.now() - startedAt) / 1_000;
  await pool.close();
  times.sort((a, b) => a - b);
  return { ...seen, seconds: elapsed, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };

  async function ask(
    via: Pool,
    { request: { path, headers, body, expected }, connectsAnew }: OpenLoad,
    dueAt: number,
  ): Promise<void> {
    try {
      const own = body.replaceAll(NUMBER, `o${seen.offered}`);
      const reply = await via.request({ method: 'POST', path, headers, body: own, reset: connectsAnew });
      const text = await reply.body.text();
      if (reply.statusCode === 503) {
        seen.refused += 1;
        if (reply.headers['retry-after'] !== undefined) seen.refusedWithRetryAfter += 1;
      } else if (reply.statusCode === 200 && (expected === undefined || text.includes(expected))) {
        seen.good += 1;
        times.push(performance.now() - dueAt);
      } else {
        seen.failed += 1;
      }
    } catch {
      seen.failed += 1;
    }
  }
}
