/** @param sorted values, smallest first @param share 0 to 1 @returns null when there are none */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

/** Stands in a body for a number that no other request of the run has. */
export const NUMBER = '{{n}}';

/** A request that the load repeats. */
export interface LoadRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the body of a good reply contains; with 2xx any is good when left out. */
  readonly expected?: string | undefined;
}

/** Keeps so many connections busy, for a time or for a number of requests. Requests take turns. */
export interface ClosedLoad {
  readonly kind: 'closed';
  readonly origin: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly until: { readonly seconds: number } | { readonly requests: number };
}

/** Sends so many requests a second, whether or not the ones before were answered. */
export interface OpenLoad {
  readonly kind: 'open';
  readonly origin: string;
  readonly request: LoadRequest;
  readonly perSecond: number;
  /** For so long it comes before it counts: connections that stay are opened then. */
  readonly leadInSeconds: number;
  /** For so long it counts what is sent and what is answered. */
  readonly seconds: number;
  /** Beyond so many that wait for their reply, one that is due is not sent; it is not counted as offered. */
  readonly maxWaiting: number;
}

/** What became of the requests; times in milliseconds, percentiles of the good ones, null when there are none. */
export interface LoadResult {
  readonly offered: number;
  readonly good: number;
  /** Replies with 503. */
  readonly refused: number;
  /** Of those, the ones that say when to come again. */
  readonly refusedWithRetryAfter: number;
  /** Everything else: other replies, broken connections, time-outs. */
  readonly failed: number;
  /** Beginning of the first body that was not as expected, as far as that is looked at. */
  readonly unexpected?: string | undefined;
  readonly seconds: number;
  readonly p50: number | null;
  readonly p99: number | null;
}
