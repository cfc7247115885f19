/** Definition of one metric. */
interface Definition {
  readonly type: 'histogram' | 'counter' | 'gauge';
  /** Meaning, for people. */
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, in the unit of the name. */
  readonly buckets?: readonly number[];
  /** Absent for metrics of the gateway only. */
  readonly everywhere?: true;
}

/** From 1 ms to 10 s: durations that a user waits for. */
const WAITED_FOR = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** From 0.1 s to 1 h: durations of background work. */
const IN_THE_BACKGROUND = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Bounds of the OpenTelemetry semantic conventions, "HTTP metrics". */
const OF_HTTP = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Every metric. Names follow the OpenTelemetry semantic conventions, in the spelling of Prometheus; other names begin
 * with `gateway_`. The table in `deploy/metrics.md` is generated from it.
 *
 * Label values come from short fixed lists; callers cannot add new ones.
 */
export const METRICS = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    help: 'HTTP requests by method, route (without `BASE_PATH`; empty when no route took it) and status',
    labels: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: OF_HTTP,
  },
  http_server_active_requests: { type: 'gauge', help: 'HTTP requests under way', labels: [] },
  gateway_http_requests_refused_total: {
    type: 'counter',
    help: 'requests that reached no route, because they broke HTTP or were too large or too late, by status',
    labels: ['http_response_status_code'],
  },
  gateway_graphql_operation_duration_seconds: {
    type: 'histogram',
    help:
      'GraphQL requests by operation name and outcome: `ok`, `refused` (the caller’s fault), `failed` (ours or a ' +
      'dependency’s), `incomplete` (a field within the answer is missing because a dependency failed, such as an ' +
      'address) or `shed` (too much to do). Names are those of the persisted operations, or the first 100 that ' +
      'were run; beyond `other`, without a name `unnamed`, and `none` when nothing was run',
    labels: ['operation', 'outcome'],
    buckets: WAITED_FOR,
  },
  gateway_graphql_errors_total: { type: 'counter', help: 'errors in GraphQL replies by code', labels: ['code'] },
  gateway_authentications_total: {
    type: 'counter',
    help: 'by outcome: `authenticated`, `no_token`, `invalid_token`, `unavailable` (the public keys cannot be had)',
    labels: ['outcome'],
  },
  gateway_key_fetch_duration_seconds: {
    type: 'histogram',
    help: 'fetches of the public keys, failed ones included',
    labels: [],
    buckets: WAITED_FOR,
  },
  gateway_key_fetch_failures_total: {
    type: 'counter',
    help: 'fetches of the public keys that failed, or brought no usable one',
    labels: [],
  },
  gateway_key_uses_total: {
    type: 'counter',
    help:
      'uses by key (`callback`: `TASK_CALLBACK_API_KEY`, `signing`: `CALLBACK_SIGNING_SECRET`, `encryption`: ' +
      '`JOB_ENCRYPTION_KEY`) and generation (`current`, `previous`); a previous one that is of no use any more may go',
    labels: ['key', 'generation'],
    everywhere: true,
  },
  gateway_backend_call_duration_seconds: {
    type: 'histogram',
    help:
      'calls, each repetition by itself, by backend, call and outcome: `ok`, `refused` (4xx), `failed` (no ' +
      'connection, no answer in time, 5xx), `odd` (breaks its contract), `not_sent` (circuit open, no connection ' +
      'free), `cut_off` (no longer wanted)',
    labels: ['backend', 'call', 'outcome'],
    buckets: WAITED_FOR,
  },
  gateway_circuit_open: {
    type: 'gauge',
    help: '1 when the circuit is open for everybody, or was for somebody within the last minute, else 0',
    labels: ['backend', 'caller', 'mode'],
  },
  gateway_circuit_open_parties: {
    type: 'gauge',
    help: 'organisations and addresses that the circuit was open for within the last minute',
    labels: ['backend', 'caller', 'mode'],
  },
  gateway_backend_key_refused: {
    type: 'gauge',
    help:
      'refusals of `BACKEND_API_KEY` within the last five minutes: `organisations` that had any, and 1 for ' +
      '`everybody` when it was refused for no organisation as well',
    labels: ['scope'],
  },
  gateway_backend_connections_in_use: {
    type: 'gauge',
    help: 'connections in use by backend and purpose (`calls`, `visitors`, `keys`, `probes`)',
    labels: ['backend', 'purpose'],
  },
  gateway_backend_connections_max: {
    type: 'gauge',
    help: 'connections that there may be',
    labels: ['backend', 'purpose'],
  },
  gateway_backend_calls_waiting: {
    type: 'gauge',
    help: 'calls that wait for a connection',
    labels: ['backend', 'purpose'],
  },
  gateway_jobs_ordered_total: { type: 'counter', help: 'jobs that were accepted', labels: ['kind'] },
  gateway_open_jobs_ratio: {
    type: 'gauge',
    help:
      'how much of `JOBS_MAX_OPEN_PER_ORG` or `JOBS_MAX_OPEN_BYTES_PER_ORG` an organisation used that ordered within ' +
      'the last five minutes: the fullest; above 1 its order was refused',
    labels: [],
  },
  gateway_job_starts_total: { type: 'counter', help: 'runs that began, further attempts included', labels: ['kind'] },
  gateway_job_retries_total: {
    type: 'counter',
    help: 'runs that were a second attempt or a later one',
    labels: ['kind'],
  },
  gateway_job_wait_seconds: {
    type: 'histogram',
    help: 'from when a job was ordered to the start of its first run',
    labels: ['kind'],
    buckets: IN_THE_BACKGROUND,
  },
  gateway_job_duration_seconds: {
    type: 'histogram',
    help:
      'runs by outcome: `finished` (whatever became of the items), `stopped` (shutdown), `gave_way` (to another ' +
      'organisation), `taken_over` (lease lost), `failed` (an error; it is delivered again)',
    labels: ['kind', 'outcome'],
    buckets: IN_THE_BACKGROUND,
  },
  gateway_jobs_running: { type: 'gauge', help: 'runs under way', labels: ['kind'] },
  gateway_job_items_total: {
    type: 'counter',
    help: 'items of finished jobs by outcome: `done`, `failed`, `cancelled` (not begun when their job was cancelled)',
    labels: ['kind', 'outcome'],
  },
  gateway_deliveries_total: {
    type: 'counter',
    help:
      'deliveries of jobs by outcome, `done`, `delayed` (uses up no attempt), `failed` (tried again), `dead`, ' +
      '`held_back` (not sent: its organisation has enough under way), and reason, as `openapi/README.md` lists them',
    labels: ['kind', 'outcome', 'reason'],
    everywhere: true,
  },
  gateway_queue_depth: { type: 'gauge', help: 'job messages that wait', labels: [], everywhere: true },
  gateway_queue_in_hand: {
    type: 'gauge',
    help: 'job messages that are being delivered; on Amazon SQS also those that come again later',
    labels: [],
    everywhere: true,
  },
  gateway_queue_oldest_seconds: {
    type: 'gauge',
    help: 'since when the oldest waiting message’s job was ordered; 0 when none waits',
    labels: [],
    everywhere: true,
  },
  gateway_dead_letters: { type: 'gauge', help: 'messages in the dead letters', labels: [], everywhere: true },
  gateway_report_duration_seconds: {
    type: 'histogram',
    help: 'reports from first to last page by outcome (`drawn`, `not_drawn`), waiting included',
    labels: ['outcome'],
    buckets: IN_THE_BACKGROUND,
  },
  gateway_report_drawing_seconds: {
    type: 'histogram',
    help: 'processor time of the drawing thread for a report, waiting left out',
    labels: [],
    buckets: IN_THE_BACKGROUND,
  },
  gateway_report_pages_total: { type: 'counter', help: 'pages of reports that were drawn', labels: [] },
  gateway_object_store_operation_duration_seconds: {
    type: 'histogram',
    help: 'by operation (`put`, as long as the report is drawn; `downloadUrl`) and outcome (`ok`, `failed`)',
    labels: ['operation', 'outcome'],
    buckets: IN_THE_BACKGROUND,
  },
  gateway_dependency_up: {
    type: 'gauge',
    help: '1 when it passes the check of `/health/ready`, else 0: the backends, `job-store`, `queue`, `object-store`',
    labels: ['dependency'],
  },
  gateway_storage_used_bytes: {
    type: 'gauge',
    help: 'memory of the fullest Redis server (`redis`), or disk of `DATA_DIR` (`data-dir`), in use',
    labels: ['storage'],
  },
  gateway_storage_limit_bytes: {
    type: 'gauge',
    help: 'the same, how much there may be: `maxmemory` or else the memory of the machine; the size of the disk',
    labels: ['storage'],
  },
  gateway_log_events_total: {
    type: 'counter',
    help: 'events of the log at `warn` and above, whatever `LOG_LEVEL` is; `log-events.md` lists them',
    labels: ['event', 'level'],
    everywhere: true,
  },
  nodejs_eventloop_delay_mean_seconds: {
    type: 'gauge',
    help: 'how late the event loop was since the last scrape',
    labels: [],
    everywhere: true,
  },
  nodejs_eventloop_delay_p99_seconds: {
    type: 'gauge',
    help: 'the same, 99th percentile',
    labels: [],
    everywhere: true,
  },
  nodejs_eventloop_delay_max_seconds: { type: 'gauge', help: 'the same, maximum', labels: [], everywhere: true },
  nodejs_eventloop_utilization_ratio: {
    type: 'gauge',
    help: 'part of the time since the last scrape in which the event loop was busy',
    labels: [],
    everywhere: true,
  },
  v8js_memory_heap_used_bytes: {
    type: 'gauge',
    help: 'heap in use by space',
    labels: ['v8js_heap_space_name'],
    everywhere: true,
  },
  v8js_memory_heap_limit_bytes: { type: 'gauge', help: 'how large the heap may get', labels: [], everywhere: true },
  process_memory_usage_bytes: { type: 'gauge', help: 'resident memory', labels: [], everywhere: true },
  process_cpu_time_seconds_total: {
    type: 'counter',
    help: 'processor time by mode (`user`, `system`), drawing threads included',
    labels: ['cpu_mode'],
    everywhere: true,
  },
  process_uptime_seconds: { type: 'gauge', help: 'since the process started', labels: [], everywhere: true },
  target_info: {
    type: 'gauge',
    help: 'always 1; which program this is, of which version and commit',
    labels: ['service_name', 'service_version', 'commit'],
    everywhere: true,
  },
} as const satisfies Readonly<Record<string, Definition>>;

export type MetricName = keyof typeof METRICS;

/** Names of the metrics of a type. */
export type NamesOf<Type extends Definition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/** Names of the labels of a metric. */
export type LabelsOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];
