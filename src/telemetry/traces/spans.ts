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
import type { Observation } from '../../observation.js';
import { readTraceparent, writeTraceparent, type TraceHeaders } from '../../wire/trace-headers.js';

/** What a span begins with. */
export interface SpanStart {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
  /** Whether there may be any number of spans of a name below it, of which only some are wanted. */
  readonly repeats?: boolean;
}

/** What a span ends with. */
export interface SpanEnd {
  /** When it is known better than at the start. */
  readonly name?: string;
  readonly attributes?: Attributes;
  /** Kind of what went wrong; never a text, which could quote anything. */
  readonly error?: string | undefined;
  /** Whether it is left out of its trace after all. */
  readonly leaveOut?: boolean;
}

/** How many more spans of a name may begin below one that repeats them. */
interface Budget {
  /** Whatever comes of them. */
  any: number;
  /** Beyond those, of such as fail. */
  failed: number;
}

/** A trace of a job with a thousand items should still be one that somebody can read. */
const MAX_OF_A_NAME: Budget = { any: 20, failed: 100 };

/** Spans beyond a budget are not recorded unless they fail, and what they call not at all. */
const HIDDEN = createContextKey('hidden');
/** Budgets by name. */
const BUDGETS = createContextKey('budgets');

const NOT_WATCHED: Observation<unknown> = { within: (work) => work(), finish: () => undefined };

/** Makes spans of observations. What is done within an observation is below its span. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #contexts: ContextManager;

  constructor(tracer: Tracer, contexts: ContextManager) {
    this.#tracer = tracer;
    this.#contexts = contexts;
  }

  /** The trace of what is done right now. */
  current(): TraceHeaders | undefined {
    const context = trace.getSpanContext(this.#contexts.active());
    if (context === undefined) return undefined;
    const { traceId, spanId, traceFlags, traceState } = context;
    const traceparent = writeTraceparent({ traceId, spanId, flags: traceFlags });
    const tracestate = traceState?.serialize();
    return { traceparent, ...(tracestate && { tracestate }) };
  }

  /** Its id alone. */
  currentId(): string | undefined {
    return trace.getSpanContext(this.#contexts.active())?.traceId;
  }

  /** Something that begins a trace, or continues one that somebody else has begun. */
  begin<End>(start: SpanStart, parent: Partial<TraceHeaders>, endOf: (end: End) => SpanEnd): Observation<End> {
    return this.#observe(start, contextOf(parent), endOf);
  }

  /** Something within a trace; nothing when there is none. */
  continue<End>(start: SpanStart, endOf: (end: End) => SpanEnd): Observation<End> {
    const context = this.#contexts.active();
    if (context.getValue(HIDDEN) === true || trace.getSpanContext(context) === undefined) return NOT_WATCHED;
    const budgets = context.getValue(BUDGETS) as Map<string, Budget> | undefined; // put there below
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
        if (ended.leaveOut !== true) finish(span, ended);
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
        finish(this.#tracer.startSpan(name, { kind, attributes, startTime }, parent), ended);
      },
    };
  }
}

function finish(span: Span, { name, attributes, error }: SpanEnd): void {
  if (name !== undefined) span.updateName(name);
  if (attributes !== undefined) span.setAttributes(attributes);
  if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Characters of a `tracestate` that are passed on (W3C Trace Context, "tracestate Limits"). */
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
