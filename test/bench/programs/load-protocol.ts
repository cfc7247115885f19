/** A request that the load repeats. */
export interface LoadRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Text in the body of a good reply; without it, every reply with 2xx is good. */
  readonly expected?: string | undefined;
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
