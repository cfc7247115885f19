import {
  createContextKey,
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type ContextManager,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { Observation } from '../../../base/observation.js';
import { readTraceparent, writeTraceparent, type TraceHeaders } from '../../../base/wire/trace-headers.js';

export interface SpanStart {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
  /** True if spans below it may repeat a name; then a budget limits the spans of each name. */
  readonly repeats?: boolean;
}

export interface SpanEnd {
  readonly name?: string;
  readonly attributes?: Attributes;
  /** Kind of error; never a text, which could quote anything. */
  readonly error?: string | undefined;
  readonly leaveOut?: boolean;
}

/** Remaining spans of one name below a span that repeats names. */
interface Budget {
  /** Spans of any outcome. */
  any: number;
  /** Further spans that fail. */
  failed: number;
}

/** Budget of each name, which keeps the trace of a job with a thousand items readable. */
const MAX_OF_A_NAME: Budget = { any: 20, failed: 100 };

/** Marks work beyond a budget. Its span is recorded only if it fails; spans below it are never recorded. */
const HIDDEN = createContextKey('hidden');
const BUDGETS = createContextKey('budgets');

const NOT_WATCHED: Observation<unknown> = { within: (work) => work(), finish: () => undefined };

/** Makes spans of observations. Spans of work within an observation are below its span. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #contexts: ContextManager;

  constructor(tracer: Tracer, contexts: ContextManager) {
    this.#tracer = tracer;
    this.#contexts = contexts;
  }

  current(): TraceHeaders | undefined {
    const context = trace.getSpanContext(this.#contexts.active());
    if (context === undefined) return undefined;
    const { traceId, spanId, traceFlags, traceState } = context;
    const traceparent = writeTraceparent({ traceId, spanId, flags: traceFlags });
    const tracestate = traceState?.serialize();
    return { traceparent, ...(tracestate && { tracestate }) };
  }

  currentId(): string | undefined {
    return trace.getSpanContext(this.#contexts.active())?.traceId;
  }

  /** Begins a trace, or continues one from another process. */
  begin<End>(start: SpanStart, parent: Partial<TraceHeaders>, endOf: (end: End) => SpanEnd): Observation<End> {
    return this.#observe(start, contextOf(parent), endOf);
  }

  /** Begins a span within the current trace, if there is one. */
  continue<End>(start: SpanStart, endOf: (end: End) => SpanEnd): Observation<End> {
    const context = this.#contexts.active();
    if (context.getValue(HIDDEN) === true || trace.getSpanContext(context) === undefined) return NOT_WATCHED;
    const budgets = context.getValue(BUDGETS) as Map<string, Budget> | undefined; // set in #observe
    if (budgets === undefined) return this.#observe(start, context, endOf);
    const budget = budgets.get(start.name) ?? { ...MAX_OF_A_NAME };
    budgets.set(start.name, budget);
    if (budget.any === 0) return this.#observeFailure(budget, start, context, endOf);
    budget.any -= 1;
    return this.#observe(start, context, endOf);
  }

  #observe<End>(
    { name, kind = SpanKind.INTERNAL, attributes, repeats = false }: SpanStart,
    parent: Context,
    endOf: (end: End) => SpanEnd,
  ): Observation<End> {
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    const context = trace.setSpan(parent, span).setValue(BUDGETS, repeats ? new Map() : undefined);
    return {
      within: (work) => this.#contexts.with(context, work),
      finish(end) {
        const ended = endOf(end);
        if (ended.leaveOut !== true) endSpan(span, ended);
      },
    };
  }

  #observeFailure<End>(
    budget: Budget,
    { name, kind = SpanKind.INTERNAL, attributes }: SpanStart,
    parent: Context,
    endOf: (end: End) => SpanEnd,
  ): Observation<End> {
    const startTime = Date.now();
    return {
      within: (work) => this.#contexts.with(parent.setValue(HIDDEN, true), work),
      finish: (end) => {
        const ended = endOf(end);
        if (ended.error === undefined || budget.failed === 0) return;
        budget.failed -= 1;
        endSpan(this.#tracer.startSpan(name, { kind, attributes, startTime }, parent), ended);
      },
    };
  }
}

function endSpan(span: Span, { name, attributes, error }: SpanEnd): void {
  if (name !== undefined) span.updateName(name);
  if (attributes !== undefined) span.setAttributes(attributes);
  if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Limit of characters of a propagated `tracestate` (W3C Trace Context, "tracestate Limits"). */
const MAX_STATE = 512;

function contextOf({ traceparent, tracestate = '' }: Partial<TraceHeaders>): Context {
  const parent = readTraceparent(traceparent);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags & TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate !== '' && tracestate.length <= MAX_STATE && { traceState: createTraceState(tracestate) }),
  });
}
