/** Headers that carry a trace to whoever is called next (W3C Trace Context, "Trace Context HTTP Headers Format"). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** The trace that what is done right now belongs to; undefined when it belongs to none. */
export type CurrentTrace = () => TraceHeaders | undefined;

/** A `traceparent` taken apart. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Flags, of which the lowest bit says that the trace is sampled. */
  readonly flags: number;
}

const FORMAT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_ID = /^0+$/;

/** Reads a `traceparent` of this version or a later one. @returns undefined when it is none */
export function readTraceparent(text: unknown): TraceParent | undefined {
  const [whole, version, traceId = '', spanId = '', flags = '', more] =
    typeof text === 'string' ? (FORMAT.exec(text) ?? []) : [];
  if (whole === undefined || NO_ID.test(traceId) || NO_ID.test(spanId)) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Writes a `traceparent`. */
export function writeTraceparent({ traceId, spanId, flags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
}
