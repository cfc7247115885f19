import { randomUUID } from 'node:crypto';

/** A request that the load repeats. */
export interface LoadRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Text in the body of a good reply; without it, every reply with 2xx is good. */
  readonly expected?: string | undefined;
}

/** Puts an id of its own in place of each `[id]` of a request. */
export function withId({ headers, body, ...request }: LoadRequest): LoadRequest {
  const id = randomUUID();
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('[id]', id)] as const);
  return { ...request, headers: Object.fromEntries(filled), body: body.replace('[id]', id) };
}

/** Keeps so many connections busy, for a time or for a number of requests. */
export interface Load {
  readonly origin: string;
  readonly request: LoadRequest;
  readonly connections: number;
  readonly until: { readonly seconds: number } | { readonly requests: number };
}

export interface LoadResult {
  readonly offered: number;
  readonly good: number;
  readonly refused: number;
  /** Everything else: other replies, broken connections, time-outs. */
  readonly failed: number;
  /** Beginning of the first body that was not as expected. */
  readonly unexpected?: string | undefined;
  readonly seconds: number;
  /** Milliseconds, of those that were not refused. */
  readonly p99: number;
}

/** Requests of a client that arrive when they want, whatever became of those before. */
export interface Arrivals {
  readonly request: LoadRequest;
  /** Mean of a second; the times between two have the exponential distribution. */
  readonly perSecond: number;
}

/** Open load: requests of each client for a time. */
export interface OpenLoad {
  readonly origin: string;
  readonly clients: readonly Arrivals[];
  readonly seconds: number;
}

/** Figures of a client in an open load; times are milliseconds since the arrival. */
export interface ArrivalsResult {
  readonly arrived: number;
  /** Expected replies within a second. */
  readonly inTime: number;
  readonly refused: number;
  readonly times: readonly number[];
}
