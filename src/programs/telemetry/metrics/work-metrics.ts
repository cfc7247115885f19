import { LRUCache } from 'lru-cache';
import { TOKEN_REFUSALS, type AuthenticationEnd } from '../../../gateway/auth/bearer-token.js';
import { ERROR_STATUS, ERRORS, type ErrorRow } from '../../../base/error-table.js';
import type { EndedOperation, NamedClient } from '../../../gateway/graphql/operation-log.js';
import { DELIVERY_OUTCOMES } from '../../../jobs/record/delivery-outcome.js';
import { itemsOf } from '../../../jobs/record/job-ends.js';
import type { OnJobChange } from '../../../jobs/record/job-store.js';
import { isHandled } from '../../../jobs/record/transitions.js';
import { CALLBACK_PATHS, type JobKind } from '../../../jobs/record/job-kinds.js';
import { NEAR_LIMIT, type OrganisationLimits } from '../../../jobs/record/organisation-jobs.js';
import { RUN_OUTCOMES } from '../../../jobs/run/job-reply.js';
import { OBJECT_OPERATIONS } from '../../../objects/object-store.js';
import { isUnauthorized } from '../../../clients/call-error.js';
import type { Observation, WorkKind } from '../../../base/observation.js';
import { knownMethod, type Observations } from '../observers.js';
import type { MetricSet } from './metric-set.js';

/** Receives the start and the end of work, and its duration in seconds. */
type Ended<Start, End> = (start: Start, end: End, seconds: number) => void;

function timed<Start, End>(
  ended: Ended<Start, End>,
  began?: (start: Start) => void,
): (start: Start) => Observation<End> {
  return (start) => {
    began?.(start);
    return new Timed(start, ended);
  };
}

/** Observation that times. A class needs no closures, and each request has several observations. */
class Timed<Start, End> implements Observation<End> {
  readonly #start: Start;
  readonly #ended: Ended<Start, End>;
  readonly #startedAt = performance.now();

  constructor(start: Start, ended: Ended<Start, End>) {
    this.#start = start;
    this.#ended = ended;
  }

  within<T>(work: () => T): T {
    return work();
  }

  finish(end: End): void {
    this.#ended(this.#start, end, (performance.now() - this.#startedAt) / 1_000);
  }
}

/** Series of refused callbacks, which are shown from the start, because an alert needs the first increase. */
const REFUSED_CALLBACKS = Object.values(CALLBACK_PATHS).map((http_route) => ({
  http_request_method: 'POST',
  http_route,
  http_response_status_code: '401',
}));

const AUTHENTICATIONS: readonly AuthenticationEnd[] = [
  ...(['authenticated', 'no_token', 'unavailable'] as const).map((outcome) => ({ outcome, reason: '' }) as const),
  ...TOKEN_REFUSALS.map((reason) => ({ outcome: 'invalid_token', reason }) as const),
];

const GRAPHQL_ERRORS = Object.entries<ErrorRow>(ERRORS).flatMap(([reason, { code }]) => (code ? { code, reason } : []));

const KINDS = Object.keys(CALLBACK_PATHS).map((kind) => ({ kind }));

function ofEachKind(outcomes: readonly string[]): readonly { kind: string; outcome: string }[] {
  return KINDS.flatMap(({ kind }) => outcomes.map((outcome) => ({ kind, outcome })));
}

/** Work of every program, and that of a gateway alone. */
type CommonWork = 'delivery' | 'jobStore';
type GatewayWork = Exclude<WorkKind, CommonWork>;

export function workMetrics(metrics: MetricSet, persisted: PersistedNames): Observations<GatewayWork> {
  const requests = metrics.histogram('http_server_request_duration_seconds', REFUSED_CALLBACKS);
  const active = metrics.gauge('http_server_active_requests');
  const operations = metrics.histogram('gateway_graphql_operation_duration_seconds');
  const errors = metrics.counter('gateway_graphql_errors_total', GRAPHQL_ERRORS);
  const operationOf = operationLabels(persisted);
  const ofClients = metrics.counter('gateway_client_operations_total');
  const clientOf = clientLabels();
  const authentications = metrics.counter('gateway_authentications_total', AUTHENTICATIONS);
  // Authentications are not timed, so all of them share one observation.
  const authentication: Observation<AuthenticationEnd> = {
    within: (work) => work(),
    finish: (end) => authentications.inc(end),
  };
  const keyFetches = metrics.histogram('gateway_key_fetch_duration_seconds');
  const failedKeyFetches = metrics.counter('gateway_key_fetch_failures_total');
  const calls = metrics.histogram('gateway_backend_call_duration_seconds');
  const tokenCalls = metrics.counter(
    'gateway_token_calls_total',
    ['unauthorized', 'other'].map((outcome) => ({ outcome })),
  );
  const starts = metrics.counter('gateway_job_starts_total', KINDS);
  const retries = metrics.counter('gateway_job_retries_total', KINDS);
  const waits = metrics.histogram('gateway_job_wait_seconds');
  const running = metrics.gauge('gateway_jobs_running');
  const runs = metrics.histogram('gateway_job_duration_seconds', ofEachKind(RUN_OUTCOMES));
  const reports = metrics.histogram('gateway_report_duration_seconds');
  const drawing = metrics.histogram('gateway_report_drawing_seconds');
  const pages = metrics.counter('gateway_report_pages_total');
  const failedStarts = metrics.counter('gateway_report_start_failures_total');
  const ofObjects = OBJECT_OPERATIONS.flatMap((operation) =>
    ['ok', 'failed'].map((outcome) => ({ operation, outcome })),
  );
  const objects = metrics.histogram('gateway_object_store_operation_duration_seconds', ofObjects);
  return {
    request: timed(
      ({ method }, { route = '', status }, seconds) => {
        active.dec();
        const http_request_method = knownMethod(method);
        requests.observe({ http_request_method, http_route: route, http_response_status_code: status }, seconds);
      },
      () => active.inc(),
    ),
    operation: timed((_start, end, seconds) => {
      const outcome = operationOutcomeOf(end);
      operations.observe({ operation: operationOf(end), outcome }, seconds);
      const isListed = !end.reasons.includes('OperationNotListed');
      if (end.client) ofClients.inc({ ...clientOf(end.client), outcome: isListed ? outcome : 'not_listed' });
      for (const [index, code] of end.codes.entries()) errors.inc({ code, reason: end.reasons[index] ?? '' });
    }),
    authentication: () => authentication,
    keyFetch: timed((_start, outcome, seconds) => {
      keyFetches.observe(seconds);
      if (outcome === 'failed') failedKeyFetches.inc();
    }),
    call: timed(({ backend, call, withToken }, { outcome, error }, seconds) => {
      calls.observe({ backend, call, outcome }, seconds);
      if (withToken) tokenCalls.inc({ outcome: isUnauthorized(error) ? 'unauthorized' : 'other' });
    }),
    item: undefined,
    run: timed(
      ({ job: { kind } }, { outcome }, seconds) => {
        running.dec({ kind });
        runs.observe({ kind, outcome }, seconds);
      },
      ({ job: { kind }, attempt, createdAt }) => {
        running.inc({ kind });
        starts.inc({ kind });
        if (attempt > 1) retries.inc({ kind });
        // The clocks of two machines may differ.
        else waits.observe({ kind }, Math.max(0, Date.now() - createdAt) / 1_000);
      },
    ),
    report: timed((_start, drawn, seconds) => {
      reports.observe({ outcome: drawn === undefined ? 'not_drawn' : 'drawn' }, seconds);
      if (drawn === undefined) return;
      drawing.observe(drawn.drawingMs / 1_000);
      pages.inc(drawn.pages);
    }),
    drawingStart: timed(() => failedStarts.inc()),
    objectStore: timed((operation, outcome, seconds) => objects.observe({ operation, outcome }, seconds)),
  };
}

/** Names of the persisted operations; `only` if no other operation is accepted. */
export interface PersistedNames {
  readonly names: readonly string[];
  readonly only: boolean;
}

/** Limit of names of operations that become labels besides persisted ones. */
const MAX_OPERATIONS = 100;

/**
 * Creates a function that returns the label of an operation. Besides persisted ones, a limited number of names become
 * labels in the order of their first use with a valid token, so that strangers cannot hide the names of the front end.
 * Other operations of public fields have the name of their first root field.
 */
function operationLabels(persisted: PersistedNames): (end: EndedOperation) => string {
  const names = new Set(persisted.names);
  const max = names.size + (persisted.only ? 0 : MAX_OPERATIONS);
  return ({ type, name, hasUser, rootField, codes }) => {
    if (type === undefined) return 'none';
    if (name === undefined) return 'unnamed';
    if (hasUser && names.size < max) names.add(name);
    if (names.has(name)) return name;
    return hasUser || codes.includes('UnAuthenticated') ? 'other' : (rootField ?? 'other');
  };
}

const MAX_CLIENTS = 50;

/** Creates a function that returns the labels of a client, of a limited number of them. */
function clientLabels(): (client: NamedClient) => { readonly client: string; readonly version: string } {
  const known = new Set<string>();
  return ({ name, version }) => {
    const client = `${name}\n${version}`;
    if (!known.has(client) && known.size >= MAX_CLIENTS) return { client: 'other', version: '' };
    known.add(client);
    return { client: name, version };
  };
}

function operationOutcomeOf({ shed, codes, type, incomplete, abandoned }: EndedOperation): string {
  if (shed) return 'shed';
  if (codes.some((code) => ERROR_STATUS[code] >= 500)) return incomplete ? 'incomplete' : 'failed';
  if (abandoned) return 'abandoned';
  return codes.length > 0 || type === undefined ? 'refused' : 'ok';
}

export function orderedJobMetrics(metrics: MetricSet): (kind: JobKind) => void {
  const ordered = metrics.counter('gateway_jobs_ordered_total', KINDS);
  return (kind) => ordered.inc({ kind });
}

/**
 * Counts jobs that end, and those that are brought back after their end, when they run or end again: over the life of a
 * set of processes, the ordered ones and those brought back, less the ended ones, are open.
 */
export function endedJobMetrics(metrics: MetricSet): OnJobChange {
  const ended = metrics.counter('gateway_jobs_ended_total', ofEachKind(['finished', 'cancelled', 'dead']));
  const replayed = metrics.counter('gateway_jobs_replayed_total', KINDS);
  const items = metrics.counter('gateway_job_items_total', ofEachKind(['done', 'failed', 'cancelled']));
  return ({ kind }, before, after) => {
    const isOrdered = after.orderedBy !== undefined;
    const wasPutBack = before?.state === 'pending' && before.replayedAt !== undefined;
    if (isOrdered && (wasPutBack || before?.state === 'finished')) replayed.inc({ kind });
    if (after.result === undefined) return;
    const whenHandled = after.cancelledAt === undefined ? 'finished' : 'cancelled';
    if (isOrdered) ended.inc({ kind, outcome: isHandled(after) ? whenHandled : 'dead' });
    for (const [outcome, count] of Object.entries(itemsOf(after.total, after.result)))
      items.inc({ kind, outcome }, count);
  };
}

/** Ends of deliveries, from the table of outcomes. An attempt that fails or is delayed may be the last one. */
const DELIVERIES = Object.entries(DELIVERY_OUTCOMES).flatMap(([reason, { outcome }]) =>
  ({ done: ['done'], delay: ['delayed', 'dead'], retry: ['failed', 'dead'], final: ['dead'] })[outcome].map((end) => ({
    outcome: end,
    reason,
  })),
);

/** Time for which the shares of an order count, in milliseconds. */
const SHARE_COUNTS_MS = 5 * 60_000;

/** Number of organisations that a metric names at a time. */
const NAMED = 20;

/** Measures how close organisations come to the limits of their jobs. @param now monotonic clock in milliseconds */
export function orderMetrics(
  metrics: MetricSet,
  now = (): number => performance.now(),
): NonNullable<OrganisationLimits['onOrder']> {
  const fullest = metrics.gauge('gateway_open_jobs_ratio');
  const named = metrics.gauge('gateway_organisation_limit_ratio');
  const settings = { ttl: SHARE_COUNTS_MS, ttlResolution: 0, perf: { now } };
  /** Largest shares of open jobs, by minute. */
  const shares = new LRUCache<number, number>({ ...settings, max: SHARE_COUNTS_MS / 60_000 + 1 });
  const near = new LRUCache<string, { readonly org: string; readonly reason: string; readonly share: number }>({
    ...settings,
    max: NAMED,
  });
  metrics.readAtScrape(() => {
    fullest.set(Math.max(0, ...shares.values()));
    named.reset();
    for (const { share, ...labels } of near.values()) named.set(labels, share);
  });
  return (org = '', used) => {
    const minute = Math.floor(now() / 60_000);
    shares.set(minute, Math.max(used.TooManyOpenJobs, shares.get(minute) ?? 0));
    for (const [reason, share] of Object.entries(used)) {
      if (share >= NEAR_LIMIT) near.set(`${reason} ${org}`, { org, reason, share });
    }
  };
}

/** Measures what every program does: deliveries of job messages, and operations of the job store. */
export function commonMetrics(metrics: MetricSet): Observations<CommonWork> {
  const jobStore = metrics.histogram('gateway_job_store_operation_duration_seconds');
  const known = KINDS.flatMap(({ kind }) => DELIVERIES.map((labels) => ({ kind, ...labels })));
  const deliveries = metrics.counter('gateway_deliveries_total', known);
  return {
    delivery: timed(({ message: { kind } }, { outcome, reason = '' }) => deliveries.inc({ kind, outcome, reason })),
    jobStore: timed((operation, outcome, seconds) => jobStore.observe({ operation, outcome }, seconds)),
  };
}
