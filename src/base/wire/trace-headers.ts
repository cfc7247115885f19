/** Headers that pass a trace to the next service (W3C Trace Context, "Trace Context HTTP Headers Format"). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Returns the trace of the current work; undefined without a trace. */
export type CurrentTrace = () => TraceHeaders | undefined;

/** Parsed `traceparent`. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Flags; the lowest bit marks a sampled trace. */
  readonly flags: number;
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_ID = /^0+$/;

/** Parses a `traceparent` of this version or a later one. @returns undefined if invalid */
export function readTraceparent(text: unknown): TraceParent | undefined {
  const [whole, version, traceId = '', spanId = '', flags = '', more] =
    typeof text === 'string' ? (TRACEPARENT.exec(text) ?? []) : [];
  if (whole === undefined || NO_ID.test(traceId) || NO_ID.test(spanId)) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Formats a `traceparent`. */
export function writeTraceparent({ traceId, spanId, flags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
}
